"""Search over everything in the window: by keyboard alone, from the words to the place where they stand."""

from datetime import date, datetime
from threading import Event
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.chat.message_actions import EditMessage
from mnemoscope.ui.search import search_sheet
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import KEY, Opened, Stage, until, words_in

OTHER = "desktop:other"


@pytest.fixture
async def person(stage: Stage) -> Opened:
    stage.make(*[("user", f"Message {number} about tea.") for number in range(30)], ("user", "A quokka came."))
    stage.write_session(("user", "Nothing of note."), key=OTHER)
    stage.paths.memory_file.write_text("# Facts\n\n- Likes wombats\n", encoding="utf-8")
    stage.paths.history_file.write_text("[2026-03-01 10:00] A dingo was seen.\n\n", encoding="utf-8")
    return await stage.open()


def sheet_of(person: Opened) -> Any:
    return person.current.search.sheet


async def search(person: Opened, words: str) -> list[str]:
    """Types words into the sheet and wait for what is found."""
    person.press("Ctrl+Shift+F")
    sheet = sheet_of(person)
    await until(sheet.isVisible, "the sheet")
    sheet.field.clear()
    # The index is filled in the background: typing on finds what came meanwhile.
    QTest.keyClicks(sheet.field, words)
    await until(lambda: any(row.hit for row in sheet.model.rows), "what is found")
    return [row.text for row in sheet.model.rows]


async def enter(person: Opened) -> None:
    QTest.keyClick(sheet_of(person).field, Qt.Key.Key_Return)
    await until(lambda: not sheet_of(person).isVisible(), "the sheet gone")


async def test_a_message_is_found_as_it_is_typed_and_gone_to(person: Opened) -> None:
    await person.current.conversation.open(OTHER)
    assert await search(person, "quokk") == ["Conversations", "A quokka came."]
    await enter(person)
    await until(lambda: person.key == KEY, "its conversation")
    await until(lambda: "A quokka came." in person.text, "the message")


async def test_a_word_not_yet_whole_stays_found_after_a_pause(person: Opened) -> None:
    await search(person, "quok")
    sheet = sheet_of(person)
    shown: list[str] = []
    sheet.model.modelReset.connect(lambda: shown.append(sheet.field.text()))
    sheet.field.setText("quokk")
    await until(lambda: shown.count("quokk") >= 2, "what is found at once, and after the pause")
    assert [row.text for row in sheet.model.rows] == ["Conversations", "A quokka came."]
    sheet.hide()


async def test_a_line_of_memory_and_an_entry_are_gone_to(person: Opened) -> None:
    assert "Likes wombats" in await search(person, "wombat")
    await enter(person)
    await until(lambda: person.memory.editor.caret_line() == 2, "the line of memory")
    assert person.memory.editor.isVisible()
    assert "[2026-03-01 10:00] A dingo was seen." in await search(person, "dingo")
    await enter(person)
    await until(lambda: person.history.field.text() == "A dingo was seen.", "the entry searched for")


@pytest.mark.usefixtures("no_full_text_search")
async def test_where_there_is_no_index_the_files_are_read_as_it_is_said(person: Opened) -> None:
    assert "Likes wombats" in await search(person, "wombat")
    await until(lambda: "files are searched one by one" in words_in(sheet_of(person)), "why")
    await enter(person)
    await until(lambda: person.memory.editor.caret_line() == 2, "the line of memory")


async def test_a_line_of_memory_says_who_wrote_it(person: Opened) -> None:
    await search(person, "wombat")
    sheet = sheet_of(person)
    await until(
        lambda: (
            [row.where for row in sheet.model.rows if row.hit]
            == ["MEMORY.md · line 3 · by another program, or by hand"]
        ),
        "whose the line is",
    )
    sheet.hide()
    base = person.bench.memory.editing.read_text()
    await person.bench.memory.editing.save_text(f"{base.text}- A numbat\n", base.digest)
    await search(person, "numbat")
    await until(
        lambda: [row.where for row in sheet.model.rows if row.hit] == ["MEMORY.md · line 4 · by you, in the editor"],
        "that it is one's own",
    )
    sheet.hide()


async def test_of_a_line_that_no_pane_shows_it_is_said_where_it_stands(person: Opened, stage: Stage) -> None:
    (stage.root / "memory" / "ideas.md").write_text("# Ideas\n\nA numbat park\n", encoding="utf-8")
    await search(person, "numbat")
    await enter(person)
    await until(lambda: "memory/ideas.md, line 3" in words_in(person.window.status), "the place")


async def test_the_keys_move_over_headings(person: Opened) -> None:
    await search(person, "message about tea")
    sheet = sheet_of(person)
    first = sheet.list.currentIndex().row()
    assert first == 1
    for key, row in ((Qt.Key.Key_Down, 2), (Qt.Key.Key_PageDown, 8), (Qt.Key.Key_PageUp, 2), (Qt.Key.Key_Up, 1)):
        QTest.keyClick(sheet.field, key)
        assert sheet.list.currentIndex().row() == row
    QTest.keyClick(sheet.field, Qt.Key.Key_Up)
    assert sheet.list.currentIndex().row() == 1
    QTest.keyClick(sheet.field, Qt.Key.Key_Escape)
    await until(lambda: not sheet.isVisible(), "the sheet gone")


async def test_it_is_said_when_nothing_is_found(person: Opened) -> None:
    await search(person, "quokka")
    sheet = sheet_of(person)
    QTest.keyClicks(sheet.field, " xyzzy")
    sheet.field.setText("xyzzy")
    await until(lambda: "Nothing found" in sheet.line.text(), "the sentence")
    assert not sheet.list.isVisible()
    QTest.keyClick(sheet.field, Qt.Key.Key_Return)
    sheet.field.clear()
    assert "in quotes" in sheet.line.text()
    sheet.hide()


async def test_a_window_closes_while_its_search_is_open(person: Opened) -> None:
    await search(person, "quokka")
    sheet_of(person).field.setText("something else")
    await person.close()


async def test_an_archived_conversation_is_found_by_its_title_and_opened(stage: Stage) -> None:
    stage.make(("user", "Nothing of note."))
    manager = SessionManager(stage.root)
    session = manager.create("The wallaby papers", key=OTHER)
    session.add_message("user", "How old may they get?")
    manager.save(session)
    manager.archive(session, datetime(2026, 3, 1, 10))
    person = await stage.open()
    assert await search(person, "wallaby") == ["Archived conversations", "The wallaby papers"]
    await enter(person)
    await until(lambda: "How old may they get?" in person.text, "its transcript")


async def test_what_was_said_in_an_archived_conversation_bears_its_title(stage: Stage) -> None:
    stage.make(("user", "Nothing of note."))
    manager = SessionManager(stage.root)
    session = manager.create("The wallaby papers", key=OTHER)
    session.add_message("user", "How old may a quokka get?")
    manager.save(session)
    manager.archive(session, datetime(2026, 3, 1, 10))
    person = await stage.open()
    await search(person, "quokka")
    await until(lambda: any("The wallaby papers" in row.where for row in sheet_of(person).model.rows), "its title")
    assert not any(".jsonl" in row.where for row in sheet_of(person).model.rows if row.hit)


async def test_what_was_said_on_another_branch_is_found_and_gone_to(stage: Stage) -> None:
    stage.make(("user", "Where do we meet the axolotl?"), ("assistant", "At the pond."))
    person = await stage.open(offline=ScriptedProvider(last="By the lake."))
    await person.until_ready()
    person.transcript.message_actions.run(EditMessage(0))
    person.composer.set_draft("Where do we meet the pangolin?")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await person.answered()
    await until(lambda: "pangolin" in person.text and "axolotl" not in person.text, "the new branch")
    await search(person, "axolotl")
    found = ["Other branches of conversations", "Where do we meet the axolotl?"]
    await until(lambda: [row.text for row in sheet_of(person).model.rows] == found, "the words among other branches")
    await enter(person)
    await until(lambda: "axolotl" in person.text and "pangolin" not in person.text, "the branch before")
    assert text_of(person.session.messages[0]) == "Where do we meet the axolotl?"


async def test_the_search_is_not_gone_before_its_thread_has_announced(person: Opened) -> None:
    controller, heard = person.current.search, list[str]()
    has_begun, has_ended = Event(), Event()

    def hold() -> None:
        """Is called on the thread of the search, in the middle of what it announces."""
        if not has_begun.is_set():
            has_begun.set()
            # Whoever destroys the controller waits by then, or has gone on too early.
            has_ended.wait(0.05)
            heard.append("announced")

    assert not controller.sheet.isVisible()
    controller._state_changed.connect(hold, Qt.ConnectionType.DirectConnection)
    person.bench.search.look()
    person.bench.search.ranked.refresh()
    await until(has_begun.is_set, "what the search announces")
    shiboken6.delete(controller)
    heard.append("destroyed")
    has_ended.set()
    assert heard == ["announced", "destroyed"]


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((), "You"),
        (("message",), "You · also in 1 more"),
        (("message", "memory/2026-03-01.md", "memory/MEMORY.md"), "You · also in MEMORY.md, 2026-03-01.md and 1 more"),
        (("memory/MEMORY.md",), "You · also in MEMORY.md"),
    ],
)
def test_the_files_of_memory_that_say_the_same_as_a_message_are_named(places: tuple[str, ...], words: str) -> None:
    kinds = {"message": SearchKind.SESSION, "memory/MEMORY.md": SearchKind.MEMORY}
    also = tuple(
        SearchHit(path, kinds.get(path, SearchKind.NOTES), 1, "Tea", 1.0, 3 if path == "message" else -1)
        for path in places
    )
    hit = SearchHit("sessions/a.jsonl", SearchKind.SESSION, 1, "Tea", 1.0, 2, KEY, "user", duplicates=also)
    assert search_sheet._where(hit, date(2026, 3, 2), {KEY: ""}, "") == words


@pytest.mark.parametrize(("title", "named"), [("About quokkas", "About quokkas"), ("", "SESSION-STATE.md")])
def test_what_was_remembered_in_a_closed_conversation_is_named_after_it(title: str, named: str) -> None:
    state = "sessions/archive/cli_old-20260101-100000.SESSION-STATE.md"
    titles = {"sessions/archive/cli_old-20260101-100000.jsonl": title}
    also = (SearchHit(state, SearchKind.ARCHIVE, 4, "Tea", 1.0, -1),)
    hit = SearchHit("memory/MEMORY.md", SearchKind.MEMORY, 3, "Tea", 1.0, -1, duplicates=also)
    assert search_sheet._where(hit, date(2026, 3, 2), titles, "") == f"MEMORY.md · line 3 · also in {named}"
    assert search_sheet._where(also[0], date(2026, 3, 2), titles, "") == f"{named} · line 4"
