"""One start of the program in a process of its own: `python -m tests.bench.window_process empty|imports|window FOLDER`.

Prints one JSON line: seconds from the parent's clock (argument 3) to the first rows and to all of it painted, resident
megabytes once idle, those of its child processes, and whether litellm was imported.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
IDLE_SECONDS = 1.0
WIDTH, HEIGHT = 1440, 900


def resident_megabytes(process: str = "self") -> float:
    """Returns what the kernel counts as resident; ask twice, pages come and go."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def children() -> list[str]:
    """Returns the processes that this one has started and that are there still."""
    return [child for tasks in Path("/proc/self/task").glob("*/children") for child in tasks.read_text("ascii").split()]


def report(seconds: float, first_rows: float = 0.0) -> None:
    known = {"seconds": seconds, "first_rows": first_rows, "megabytes": resident_megabytes()}
    beside = [resident_megabytes(child) for child in children()]
    print(json.dumps(known | {"litellm": "litellm" in sys.modules, "children": beside}))


def run_empty(began: float, *, imports: bool) -> None:
    if imports:
        import mnemoscope.desktop
        import mnemoscope.ui.shell.workspace_window  # noqa: F401
    import asyncio

    import qasync
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])

    async def main() -> None:
        window = QMainWindow()
        window.resize(WIDTH, HEIGHT)
        window.show()
        window.grab()
        painted = time.time() - began
        await asyncio.sleep(IDLE_SECONDS)
        report(painted)

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        runner.run(main())


def run_window(began: float, folder: Path) -> None:
    import asyncio

    from PySide6.QtCore import QSettings

    from mnemoscope import bootstrap
    from mnemoscope.store.files.shipped import shipped
    from mnemoscope.store.workspace.workspace import create_workspace
    from mnemoscope.ui.shell.application import Application, ApplicationSetup, make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    root = folder / "workspace"
    if not root.exists():
        create_workspace(root, template=shipped("workspace"))
    app = make_application(["mnemoscope"])
    # As large as the empty one: offscreen the screen is small, and the window would come back as small as that.
    settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    settings.remove("window/geometry")
    settings.sync()

    async def main() -> None:
        application = Application(ApplicationSetup(bootstrap.open_core, lambda: root, folder / "window.ini"))
        await application.open_folder(root)
        current = application.current
        assert current is not None
        # The screen of a machine without one is smaller than that.
        current.main_window.resize(WIDTH, HEIGHT)
        while not current.main_window.chat.transcript.session_key:
            await asyncio.sleep(0)
        current.main_window.chat.transcript.view.grab()
        first_rows = time.time() - began
        while current.conversation.session is None:
            await asyncio.sleep(0)
        assert (current.main_window.width(), current.main_window.height()) == (WIDTH, HEIGHT)
        current.main_window.grab()
        painted = time.time() - began
        await asyncio.sleep(IDLE_SECONDS)
        report(painted, first_rows)
        closed = asyncio.get_running_loop().create_future()
        current.closed.connect(lambda: closed.set_result(None))
        current.close()
        await closed

    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        runner.run(main())


if __name__ == "__main__":
    mode, place, start = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    if mode == "window":
        importlib.import_module("mnemoscope.desktop")  # before Qt, in the program's own order
        run_window(start, place)
    else:
        run_empty(start, imports=mode == "imports")
