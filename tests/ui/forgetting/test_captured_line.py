"""A line of memory that was captured is forgotten in the message it was said in, too."""

from __future__ import annotations

from mnemoscope.domain.forgetting.plan import PlaceKind
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.forgetting.test_forgetting_in_window import listed, receipt_shown
from tests.ui.window_fixture import Stage, click, until

NUMBER = b"020 7946 0123"


async def test_a_captured_line_goes_everywhere_with_the_message_it_was_said_in(stage: Stage) -> None:
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
    dialog = await listed(person)
    kinds = {each.kind for each in dialog.plan.places} if dialog.plan else set()
    assert kinds >= {PlaceKind.MEMORY, PlaceKind.CONVERSATIONS, PlaceKind.CAPTURES}
    click(dialog.everything)
    click(dialog.forget)
    receipts = await receipt_shown(person)
    assert "The words were found nowhere." in receipts.text.toPlainText()
    files = [path for path in stage.folder.rglob("*") if path.is_file()]
    assert [str(path) for path in files if NUMBER in path.read_bytes()] == []
