"""A real window in a process of its own, typed into until it is killed: see test_hot_exit.

usage: python -m tests.ui.window.hot_exit_child WORKSPACE INI    prints a line when all is typed, then goes on for ever
"""

import asyncio
import sys
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.bootstrap import open_core
from mnemoscope.ui.shell.application import Application, ApplicationSetup, make_application
from mnemoscope.ui.shell.window_loop import WindowLoop
from tests.support.scripted_provider import Gate, ScriptedProvider

QUESTION = "Tell me."
BEGINNING = "The first half of the answer"
DRAFT = "Half a question"
FACT = "- Half a fact"


async def type_everywhere(application: Application, root: Path) -> None:
    assert await application.open_folder(root)
    current = application.current
    assert current is not None
    while current.conversation.session is None:  # noqa: ASYNC110 - nothing to wait for here
        await asyncio.sleep(0.01)
    window = current.main_window
    edit = window.chat.composer.edit
    QTest.keyClicks(edit, QUESTION)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    while window.chat.transcript.stream.text != BEGINNING:  # noqa: ASYNC110 - drawn at its own time
        await asyncio.sleep(0.01)
    current.actions["pane.memory"].trigger()
    editor = window.memory.editor
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    # One key after the other without a rest: typing that goes on must not put the keeping off.
    for letter in DRAFT:
        QTest.keyClicks(edit, letter)
        await asyncio.sleep(0.02)
    for letter in FACT:
        QTest.keyClicks(editor, letter)
        await asyncio.sleep(0.02)
    print("typed", flush=True)
    await asyncio.Event().wait()


def main(root: Path, ini: Path) -> None:
    app = make_application(["hot-exit"])
    model = ScriptedProvider([BEGINNING, Gate(), " and the second half"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        application = Application(ApplicationSetup(partial(open_core, offline=model), lambda: root, ini))
        runner.run(type_everywhere(application, root))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
