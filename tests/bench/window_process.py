"""One start of the program in a process of its own: `python -m tests.bench.window_process empty|imports|window FOLDER`.

Prints one JSON line: seconds from the parent's clock (argument 3) to the first rows and to all of it painted, resident
megabytes once idle, whether litellm was imported, and what else is loaded that an idle window does not need.
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
UNNEEDED = (
    "PySide6.QtNetwork",
    "PySide6.QtSvg",
    "_hashlib",
    "ctypes",
    "croniter",
    "dulwich",
    "email.utils",
    "html",
    "http",
    "httpx",
    "keyring",
    "logging.handlers",
    "litellm",
    "markdown",
    "mnemoscope.agent.tools.approval",
    "mnemoscope.agent.commands.dream_commands",
    "mnemoscope.agent.tools.sandboxed_files",
    "mnemoscope.agent.tools.exec_tool",
    "mnemoscope.agent.turn.turn",
    "mnemoscope.domain.capture.scan",
    "mnemoscope.domain.review.evidence",
    "mnemoscope.domain.context.recovery",
    "mnemoscope.domain.secrets.detection",
    "mnemoscope.llm.local_embedder",
    "mnemoscope.llm.offline.answers",
    "mnemoscope.llm.remote",
    "mnemoscope.memory.capture.captures",
    "mnemoscope.memory.consolidation.consolidator",
    "mnemoscope.memory.dream.prompt",
    "mnemoscope.store.sessions.moves",
    "mnemoscope.ui.chat.cards.approval_card",
    "mnemoscope.ui.chat.composer.command_completer",
    "mnemoscope.ui.chat.transcript.empty_conversation",
    "mnemoscope.ui.chat.transcript.find_bar",
    "mnemoscope.ui.memory.editor.find_bar",
    "mnemoscope.ui.memory.review.incoming_view",
    "mnemoscope.ui.memory.review.suggestion_view",
    "mnemoscope.ui.prompt.prompt_pane",
    "mnemoscope.ui.settings.settings_dialog",
    "mnemoscope.ui.chat.damaged_records_dialog",
    "mnemoscope.ui.shell.command_palette",
    "msgspec",
    "numpy",
    "pickle",
    "platform",
    "pygments",
    "regex",
    "ssl",
    "tokenizers",
    "wordllama",
)
"""What no idle window on the sample holds: each is imported when it is needed, and not before."""


def resident_megabytes() -> float:
    """What the kernel counts as resident; ask twice, pages come and go."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def report(seconds: float, first_rows: float = 0.0) -> None:
    known = {"seconds": seconds, "first_rows": first_rows, "megabytes": resident_megabytes()}
    loaded = [name for name in UNNEEDED if name in sys.modules]
    print(json.dumps(known | {"litellm": "litellm" in sys.modules, "unneeded": loaded}))


def run_empty(began: float, *, imports: bool) -> None:
    if imports:
        import mnemoscope.desktop  # noqa: F401
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
    from mnemoscope.ui.shell.application import Application, Ways, make_application
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
        application = Application(app, Ways(bootstrap.open_core, lambda: root, folder / "window.ini"))
        await application.start(root)
        current = application.current
        assert current is not None
        while not current.window.chat.transcript.session_key:
            await asyncio.sleep(0)
        current.window.chat.transcript.view.grab()
        first_rows = time.time() - began
        while current.conversation.session is None:
            await asyncio.sleep(0)
        assert (current.window.width(), current.window.height()) == (WIDTH, HEIGHT)
        current.window.grab()
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
