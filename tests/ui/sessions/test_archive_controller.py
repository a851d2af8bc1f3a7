"""Conversations that /new closed: listed folded, read without being written, reached from the entries they became."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.ui.sessions.sessions_pane import ArchiveHeading, row_name
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import KEY, Opened, Stage, TwoMinds, click, sentences, tree, until

SAID = (("user", "How hot is the kiln?"), ("assistant", "1222 °C."), ("user", "Thanks."), ("assistant", "Gladly."))
ENTRY = "Talked about the kiln."


async def after_new(stage: Stage) -> Opened:
    stage.make(*SAID)
    keeps = save_memory(ENTRY, "# Kiln\n\n- Fires at 1222 °C\n")
    model = TwoMinds(ScriptedProvider(last="Here."), memory=ScriptedProvider(last=keeps))
    person = await stage.open(offline=model)
    person.current.conversation.send("/new")
    await until(lambda: len(rows(person)) == 1, "the heading of the archive")
    await person.until_ready()
    return person


def rows(person: Opened) -> list[object]:
    model = person.window.sessions._model
    every = [model.index(row).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]
    return [row for row in every if not isinstance(row, str)][1:]


def click_row(person: Opened, number: int) -> None:
    view, model = person.window.sessions._list, person.window.sessions._model
    places = [model.index(row) for row in range(model.rowCount())]
    listed = [place for place in places if not isinstance(place.data(Qt.ItemDataRole.UserRole), str)]
    place = view.visualRect(listed[number]).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(place))


async def test_a_closed_conversation_is_read_where_it_is_kept(stage: Stage) -> None:
    person = await after_new(stage)
    (heading,) = rows(person)
    assert isinstance(heading, ArchiveHeading)
    assert (heading.count, heading.unfolded) == (1, False)
    person.type(person.composer.edit, "half a thought")
    click_row(person, 1)
    assert len(rows(person)) == 2
    before = tree(stage.paths.sessions_dir)
    click_row(person, 2)
    await until(lambda: "1222 °C." in person.text, "the messages of the closed conversation")
    await until(lambda: "closed on" in " ".join(sentences(person.chat)), "the bar that says what this is")
    assert not person.composer.isVisible()
    assert person.timeline.model.total == 4
    assert person.timeline.model.pointer == 4
    assert person.rows(RowKind.ENTRY)
    assert "Closed" in person.timeline.header.status_label.text()
    for command in ("memory.consolidate", "conversation.delete", "conversation.start_new"):
        person.current.actions[command].trigger()
    assert person.current.conversation.session is None
    assert tree(stage.paths.sessions_dir) == before
    person.current.sessions.open(KEY)
    await person.until_ready()
    assert person.composer.isVisible()
    assert person.composer.draft() == "half a thought"
    assert "closed on" not in " ".join(sentences(person.chat))
    await person.answered()


async def test_the_conversation_on_show_stays_marked_while_the_archive_is_unfolded_and_folded(stage: Stage) -> None:
    person = await after_new(stage)
    pane = person.window.sessions
    for unfolded in (True, False):
        click_row(person, 1)
        heading = pane._list.currentIndex().data(Qt.ItemDataRole.UserRole)
        assert isinstance(heading, ArchiveHeading)
        assert heading.unfolded == unfolded
        assert [row_name(each) for each in pane.selected()] == [KEY]


async def test_an_entry_leads_to_the_messages_of_the_closed_conversation(stage: Stage) -> None:
    person = await after_new(stage)
    await until(lambda: [text.partition("] ")[2] for text in person.entries()] == [ENTRY], "the entry")
    model = person.history.model
    await until(lambda: model.origins.record_of(model.matches[0].entry), "where it came from")
    assert person.history.view.show_messages(0)
    await until(lambda: "1222 °C." in person.text, "the messages of the closed conversation")
    await until(lambda: person.timeline.view.current is not None, "the first of them chosen")
    assert person.timeline.view.current.number == 0  # type: ignore[union-attr]
    await until(lambda: len(rows(person)) == 2, "the list unfolded at it")


async def test_another_branch_of_a_closed_conversation_opens_from_the_list(stage: Stage) -> None:
    stage.make(*SAID)
    keeps = save_memory(ENTRY, "# Kiln\n\n- Fires at 1222 °C\n")
    person = await stage.open(offline=TwoMinds("A blue one.", memory=ScriptedProvider(last=keeps)))
    assert await person.bench.loop.branch(KEY, 2)
    await person.until_ready()
    await person.say("Which glaze suits it?")
    await person.answered()
    person.current.conversation.send("/new")
    await until(lambda: len(rows(person)) == 1, "the heading of the archive")
    await person.until_ready()
    click_row(person, 1)
    heading, closed, branch = rows(person)
    assert isinstance(heading, ArchiveHeading)
    assert heading.count == 1
    assert isinstance(closed, ClosedConversation)
    assert isinstance(branch, ClosedConversation)
    assert (closed.title, branch.title, branch.is_branch) == ("How hot is the kiln?", "Thanks.", True)
    click_row(person, 3)
    await until(lambda: "A branch of a conversation closed on" in " ".join(sentences(person.chat)), "what this is")
    assert "Gladly." in person.text
    assert "Which glaze suits it?" not in person.text
    assert not person.composer.isVisible()


async def test_a_closed_conversation_on_show_has_no_words_that_were_forgotten(stage: Stage) -> None:
    person = await after_new(stage)
    click_row(person, 1)
    click_row(person, 2)
    await until(lambda: "1222 °C." in person.text, "the messages of the closed conversation")
    person.current.forgetting.forget("How hot is the kiln?")
    dialog = person.current.forgetting.dialog
    assert dialog is not None
    await until(dialog.everything.isEnabled, "the places")
    click(dialog.everything)
    click(dialog.forget)
    await until(lambda: "How hot" not in person.text and "Message forgotten" in person.text, "the mark")
    await until(lambda: person.current.forgetting.receipts is not None, "the receipt")
    receipts = person.current.forgetting.receipts
    assert receipts is not None
    await until(receipts.take_back.isEnabled, "the way back")
    click(receipts.take_back)
    await until(lambda: "How hot is the kiln?" in person.text, "the words, which are back")
    receipts.close()
