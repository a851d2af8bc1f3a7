"""A real window on a session bus of its own, told by a fake portal that its notifications were pressed.

usage: dbus-run-session -- python -m tests.ui.shell.notifying_child WORKSPACE INI

It prints what happened as one line of JSON: the `calls` that reached the portal, and what was `open` after each press.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtWidgets import QWidget

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.events import SuggestionsChanged
from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.ui.shell.application import Application, ApplicationSetup, make_application
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow
from tests.support.scripted_provider import ScriptedProvider, says

FIRST: Final = "desktop:first"
SECOND: Final = "desktop:second"
QUESTION: Final = "Where did the quokka hide the marigolds?"
ANSWER: Final = "Behind the periwinkle shed."
LONGER_THAN_A_BATCH: Final = 2.5


class Portal:
    """The fake portal's process, and the calls that it got."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.ui.shell.fake_portal"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.calls: list[list[Any]] = []
        self._ready = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        assert self._ready.wait(60)

    def press(self, notification: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(notification + "\n")
        self._process.stdin.flush()

    def added(self) -> list[list[Any]]:
        return [body for method, body in self.calls if method == "AddNotification"]

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            if said == ["ready"]:
                self._ready.set()
            else:
                self.calls.append(said)


async def until(holds: Callable[[], object], what: str) -> None:
    try:
        async with asyncio.timeout(60):
            while not holds():  # noqa: ASYNC110 - another process makes it hold
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"this did not come: {what}") from None


def of_fact(name: str, fact: str) -> Suggestion:
    """Returns a proposal that waits for review."""
    return Suggestion(name, "2026-01-02T10:00:00", "", fact, (), "", 0, 0, (MemoryConflict("", "", fact.rstrip()),))


async def leave(current: WorkspaceWindow) -> QWidget:
    """Puts another window in front."""
    other = QWidget()
    other.show()
    other.activateWindow()
    await until(lambda: not current.main_window.isActiveWindow(), "another window in front")
    return other


async def notified(application: Application, root: Path, portal: Portal) -> dict[str, Any]:
    assert await application.open_folder(root)
    current = application.current
    assert current is not None
    for key in (FIRST, SECOND):
        await current.bench.loop.process(key, QUESTION)
    await current.sessions.open(FIRST)
    await until(current.main_window.isActiveWindow, "the window in front")
    opened: list[Any] = []

    other = await leave(current)
    for _ in range(2):
        await current.bench.loop.process(SECOND, QUESTION)
    await until(portal.added, "a notification of the answers")
    await asyncio.sleep(LONGER_THAN_A_BATCH)
    answers = len(portal.added())
    portal.press("mnemoscope-of-another-window")
    portal.press(portal.added()[0][0])
    await until(lambda: current.conversation.key == SECOND, "the conversation that was answered")
    opened.append([current.conversation.key, current.main_window.isActiveWindow(), current.reviews.dialog is not None])
    other.deleteLater()

    other = await leave(current)
    for number in range(2):
        fact = f"- Has cat number {number}\n"
        await current.bench.disk.run(
            partial(current.bench.memory.ledger.add_suggestion, of_fact(f"{number:04x}", fact))
        )
    current.bench.bus.publish(SuggestionsChanged(2))
    await until(lambda: len(portal.added()) > answers, "a notification of what waits")
    portal.press(portal.added()[-1][0])
    await until(lambda: current.reviews.dialog is not None, "the review")
    opened.append([current.conversation.key, True, current.reviews.dialog is not None])
    assert current.reviews.dialog is not None
    current.reviews.dialog.close()

    # Who does not want them is told nothing.
    other = await leave(current)
    count = len(portal.added())
    current.notifications.toggle()
    await current.bench.loop.process(FIRST, QUESTION)
    await asyncio.sleep(LONGER_THAN_A_BATCH)
    assert len(portal.added()) == count
    other.deleteLater()
    return {"calls": portal.calls, "open": opened}


def main(root: Path, ini: Path) -> None:
    app = make_application(["notifying"])
    portal = Portal()
    model = ScriptedProvider(last=says(ANSWER))
    try:
        with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
            application = Application(ApplicationSetup(partial(open_core, offline=model), lambda: root, ini))
            print(json.dumps(runner.run(notified(application, root, portal))), flush=True)
    finally:
        portal.end()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
