"""A whole window with a temporary conversation open is killed with all its processes: what is left of it on the disk?

`python -m tests.proof traces` prints it. The conversation has words, a text file, an image that was pasted, a tool's
answer, the model's words and a draft; each of them says one word that stands nowhere else. A remembered conversation
says another one, which has to be found, so that a search that finds nothing is no proof.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.conversation.discretion import is_temporary
from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.support.loopback_server import Answer, Call, LoopbackServer
from tests.support.traces import traces_of

HOME: Final = Path(__file__).parents[2]
TEMPORARY: Final = "velvetpangolin"
REMEMBERED: Final = "zanzibarquokka"
KILLS: Final = 20
QUICK_KILLS: Final = 2
PATIENCE: Final = 180.0
_FOLDERS: Final = {
    "HOME": "home",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_RUNTIME_DIR": "runtime",
    "TMPDIR": "tmp",
}


@dataclass
class Traces:
    """Holds what was found after the kills: files with a word of a temporary conversation, and images."""

    kills: int = 0
    processes: int = 0
    seconds: float = 0.0
    found: list[str] = field(default_factory=list)


def window_traces(*, quick: bool = False) -> Traces:
    """Kills windows, each in folders of its own: the first once all was said, the others at any moment of it."""
    table, began = Traces(), time.monotonic()
    for number in range(QUICK_KILLS if quick else KILLS):
        with tempfile.TemporaryDirectory(prefix="proof-traces-") as folder:
            _live_and_die(Path(folder), None if number == 0 else random.uniform(0, 1.5), table)
            table.kills += 1
            table.found += _left(Path(folder))
    table.seconds = time.monotonic() - began
    return table


def print_traces(*, quick: bool) -> int:
    """Kills as many windows as are wanted and prints what is left of them; 1 where there is anything."""
    table = window_traces(quick=quick)
    print(
        f"{table.kills} kills of a window ({table.processes} processes) in {table.seconds:.0f} s: "
        f"{len(table.found)} traces of a temporary conversation",
        *table.found,
        sep="\n",
    )
    return 1 if table.found else 0


def _left(folder: Path) -> Iterator[str]:
    if not traces_of(REMEMBERED, folder):
        yield "nothing of the remembered conversation was found: the search finds nothing"
    yield from traces_of(TEMPORARY, folder)
    attachments = WorkspacePaths(folder / "workspace").attachments_dir
    yield from (f"the image {each.name}" for each in attachments.glob("*"))


def _live_and_die(folder: Path, delay: float | None, table: Traces) -> None:
    """Opens a window and kills it `delay` seconds after its first message went out, or, for None, once all is said."""
    for place in _FOLDERS.values():
        (folder / place).mkdir(mode=0o700)
    root = folder / "workspace"
    create_workspace(root, template=shipped("resources", "blank"))
    with LoopbackServer(otherwise=_answer) as server:
        settings = {"agents": {"defaults": {"model": "openai/scripted"}}, "mnemoscope": {"apiBase": server.base_url}}
        (root / "config.json").write_text(json.dumps(settings), "utf-8")
        places = {name: str(folder / place) for name, place in _FOLDERS.items()}
        environment = {**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "tests.proof.window_traces", str(root), server.base_url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HOME, env=environment, text=True) as window:
            assert window.stdout is not None
            awaited = "said" if delay is None else "sending"
            try:
                if not any(line.strip() == awaited for line in window.stdout):
                    raise RuntimeError("the window ended by itself")
                time.sleep(delay or 0)
            finally:
                processes = [window.pid, *_descendants(window.pid)]
                for process in processes:
                    os.kill(process, signal.SIGKILL)
            table.processes += len(processes)


def _answer(body: Mapping[str, Any]) -> Answer:
    """Calls two tools where the temporary word was said last, and says it after them."""
    last = (body.get("messages") or [{}])[-1]
    said = json.dumps(last)
    if last.get("role") == "tool":
        return Answer(f"They say {TEMPORARY}.", rate=40)
    if TEMPORARY in said:
        return Answer(
            f"I look for {TEMPORARY}.",
            calls=(
                Call("read_file", json.dumps({"path": f"notes/{TEMPORARY}.md"}), "call_1"),
                Call("search_memory", json.dumps({"query": TEMPORARY}), "call_2"),
            ),
        )
    return Answer(f"You said {REMEMBERED}." if REMEMBERED in said else "Yes.")


def _descendants(process: int) -> list[int]:
    """Returns the processes that a process began, and those that they began."""
    found = []
    for entry in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, entry.read_text().split()):
            found += [child, *_descendants(child)]
    return found


async def _until(shows: Callable[[], object], what: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not shows():
        if time.monotonic() > ends:
            raise TimeoutError(what)
        await asyncio.sleep(0.01)


def _print(words: str) -> None:
    """Prints at once, as a kill takes what waits in a buffer."""
    os.write(1, f"{words}\n".encode())


def _live(root: Path, address: str) -> None:
    """Runs the window, says in it all that is to leave no trace, and waits to be killed."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage
    from PySide6.QtTest import QTest

    from mnemoscope.bootstrap import open_core
    from mnemoscope.llm.remote import Connection, LiteLLMProvider
    from mnemoscope.ui.shell.application import Application, ApplicationSetup, make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    async def play() -> None:
        remote = LiteLLMProvider(lambda _model: Connection(address, "test"))
        setup = ApplicationSetup(partial(open_core, remote=remote), lambda: root, root.parent / "config" / "window.ini")
        application = Application(setup)
        assert await application.open_folder(root)
        opened = application.current
        assert opened is not None
        chat, conversation = opened.main_window.chat, opened.conversation

        async def say(words: str, answer: str) -> None:
            QTest.keyClicks(chat.composer.edit, words)
            QTest.keyClick(chat.composer.edit, Qt.Key.Key_Return)
            await _until(lambda: answer in chat.transcript.view.toPlainText(), answer)
            await _until(lambda: not opened.bench.loop.is_busy(conversation.key), "the answer's end")

        await _until(lambda: conversation.session is not None and not conversation.is_opening, "the window")
        await say(f"Remember that I like {REMEMBERED}.", f"You said {REMEMBERED}.")
        opened.actions["conversation.temporary"].trigger()
        await _until(lambda: is_temporary(conversation.key) and conversation.session is not None, "the temporary one")
        await _until(lambda: not conversation.is_opening, "all of it")
        picture = QImage(64, 64, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.red)
        picture.setText("Description", TEMPORARY)
        chat.composer.edit.picture_pasted.emit(picture)
        chat.composer.files.add(TextFile(f"{TEMPORARY}.md", f"I prefer {TEMPORARY}, it says."))
        _print("sending")
        await say(f"Remember that I like {TEMPORARY}.", f"They say {TEMPORARY}.")
        QTest.keyClicks(chat.composer.edit, f"Half a {TEMPORARY}")
        conversation.flush_draft()
        await opened.bench.disk.run(bool)
        _print("said")
        await asyncio.Event().wait()

    app = make_application(["window-traces"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        runner.run(play())


if __name__ == "__main__":
    _live(Path(sys.argv[1]), sys.argv[2])
