"""A line of memory that was captured is forgotten in the message it was said in, too."""

from __future__ import annotations

import pytest

from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.forgetting.forgetting_dialog import ForgettingDialog
from mnemoscope.ui.timeline.row_sentences import row_sentence
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.forgetting.test_forgetting_in_window import forgetting_receipt_shown, listed
from tests.ui.window_fixture import Opened, Stage, click, until

NUMBER = b"020 7946 0123"


async def captured_and_listed(stage: Stage) -> tuple[Opened, ForgettingDialog]:
    """Returns a window in which a line was captured, with the places of its words listed."""
    person = await stage.open(offline=ScriptedProvider("Yes."))
    await person.say(f"Remember that my quokka has the phone {NUMBER.decode()}")
    editor = person.window.memory.editor
    await until(lambda: "quokka" in editor.text(), "the captured line in the editor")
    cursor = editor.document().find("quokka")
    cursor.clearSelection()
    editor.setTextCursor(cursor)
    menu = editor.menu()
    next(each for each in menu.actions() if each.text() == "Forget…").trigger()
    menu.close()
    return person, await listed(person)


async def test_a_captured_line_goes_everywhere_with_the_message_it_was_said_in(stage: Stage) -> None:
    person, dialog = await captured_and_listed(stage)
    kinds = {each.kind for each in dialog.plan.places} if dialog.plan else set()
    assert kinds >= {PlaceKind.MEMORY, PlaceKind.CONVERSATIONS, PlaceKind.CAPTURES}
    click(dialog.everything)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    assert "The words were found nowhere." in receipts.text.toPlainText()
    files = [path for path in stage.folder.rglob("*") if path.is_file()]
    assert [str(path) for path in files if NUMBER in path.read_bytes()] == []


@pytest.mark.parametrize("everything", [False, True])
async def test_what_was_forgotten_is_not_offered_to_be_undone(stage: Stage, everything: bool) -> None:
    person, dialog = await captured_and_listed(stage)
    memory = person.window.memory.main
    assert memory.body.strip.words.text().startswith("Remembered from message 1")
    click(dialog.everything if everything else dialog.keep)
    click(dialog.forget)
    receipts = await forgetting_receipt_shown(person)
    await until(
        lambda: "Forgotten words taken out" in memory.body.strip.words.text(), "the forgetting as the last change"
    )
    assert not memory.body.strip.undo_button.isVisible()
    assert not memory.can_undo_saved
    said = person.window.chat.transcript.view.toPlainText
    await until(lambda: "Undo" not in said(), "the end of the line under the message")
    assert ("quokka" in said()) is not everything
    assert ("Message forgotten" in said()) is everything
    assert "deleted" not in said()
    row = row_sentence(person.window.timeline.view.model, TimelineRow(RowKind.MESSAGE, 0))
    assert ("forgotten · never sent: Message forgotten" in row) is everything
    assert "Bring back" not in said()
    click(receipts.take_back)
    await until(lambda: memory.body.strip.words.text().startswith("Remembered from message 1"), "the capture again")
    assert memory.body.strip.undo_button.isVisible()
    receipts.close()
