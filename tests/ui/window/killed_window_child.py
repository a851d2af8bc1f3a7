"""A real window in a process of its own that talks, and edits MEMORY.md, until it is killed: see killed_window.

usage: python -m tests.ui.window.killed_window_child WORKSPACE INI FIRST
It prints what is promised to be safe, a line each.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.bootstrap import open_core
from mnemoscope.domain import events
from mnemoscope.ui.shell.application import Application, ApplicationSetup, make_application
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow


def say(words: str) -> None:
    """At once: a kill takes what waits in a buffer."""
    os.write(1, f"{words}\n".encode())


async def until(shows: Callable[[], object]) -> None:
    while not shows():  # noqa: ASYNC110 - nothing to wait for here
        await asyncio.sleep(0.003)


def report_event(event: events.Event) -> None:
    if isinstance(event, events.RecordAppended) and event.message["role"] == "user":
        say(f"sent {event.message['content'].split()[0]}")
    elif isinstance(event, events.ConsolidationStarted):
        say("consolidating")


async def talk(opened: WorkspaceWindow, number: int) -> None:
    edit, session = opened.main_window.chat.composer.edit, opened.conversation.session
    assert session is not None
    edit.clear()
    QTest.keyClicks(edit, f"m{number} I like tea number {number} and my dog Rex{number} is brown")
    await until(lambda: not opened.bench.loop.is_busy(session.key))
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await asyncio.sleep(random.choice([0, 0.01, 0.1, 0.3]))


async def write(opened: WorkspaceWindow, number: int) -> None:
    memory = opened.main_window.memory
    memory.editor.moveCursor(memory.editor.textCursor().MoveOperation.End)
    if not memory.editor.text().endswith("\n"):
        QTest.keyClick(memory.editor, Qt.Key.Key_Return)
    QTest.keyClicks(memory.editor, f"- inside{number}")
    # What the other program adds is a line of its own: the second key ends the list.
    QTest.keyClick(memory.editor, Qt.Key.Key_Return)
    QTest.keyClick(memory.editor, Qt.Key.Key_Return)

    def is_saved() -> bool:
        # As a person does where a save is refused because the file changes too fast.
        memory.save()
        return not memory.is_dirty()

    await until(is_saved)
    say(f"saved - inside{number}")


async def live(application: Application, root: Path, first: int) -> None:
    assert await application.open_folder(root)
    opened = application.current
    assert opened is not None
    await until(lambda: opened.conversation.session is not None)
    opened.bench.bus.subscribe(report_event)
    opened.actions["pane.memory"].trigger()
    for number in count(first):
        await random.choice([talk, talk, write])(opened, number)


def main(root: Path, ini: Path, first: int) -> None:
    app = make_application(["killed-window"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        application = Application(ApplicationSetup(partial(open_core), lambda: root, ini))
        runner.run(live(application, root, first))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
