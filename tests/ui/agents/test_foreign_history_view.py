"""The tab *History* beside another agent's conversation: summaries, found as one types, each leading to its card."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from mnemoscope.ui.agents.agents_window import AgentsWindow
from mnemoscope.ui.history.history_view import HistoryView
from tests.foreign_stores import claude_code, codex
from tests.foreign_stores.hashes import hashes_of
from tests.foreign_stores.openclaw import OpenClawState, Transcript
from tests.ui.agents.test_agents import asked, found, open_conversation, opened_again, said_in
from tests.ui.window_fixture import Opened, Stage, press, until

ROOF, LETTER = "They plan a roof of larch.", "They wrote a letter to Graz."


def talk(home: Path, number: int, title: str, *summaries: str) -> claude_code.ClaudeRecords:
    """Writes a conversation that was summed up so often, of a day of its own."""
    began = datetime(2026, 5, 1, 9, tzinfo=UTC) + timedelta(days=number)
    records = claude_code.ClaudeRecords(session=f"{number:08}-2222-4333-8444-555555555555", now=began)
    records.person("Let us begin.")
    for summary in summaries:
        records.boundary(records.answer("Yes."))
        records.summary(summary)
        records.person("And then?")
    records.beside("ai-title", aiTitle=title)
    write(home, records)
    return records


def write(home: Path, records: claude_code.ClaudeRecords) -> None:
    records.write(home / ".claude" / "projects" / claude_code.PROJECT / f"{records.session}.jsonl")


async def history_of(stage: Stage, home: Path) -> tuple[Opened, AgentsWindow]:
    person, window = await asked(stage, home)
    await found(window)
    window.beside.setCurrentWidget(window.history)
    await until(
        lambda: window.history.pane.model.ready and not window.history.pane.model.state.loading, "the summaries"
    )
    return person, window


def entries(window: AgentsWindow) -> list[str]:
    return [match.entry.text for match in window.history.pane.model.matches]


def row_of(window: AgentsWindow, text: str) -> int:
    return entries(window).index(text)


def click_on(view: HistoryView, row: int) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.rect_of(row).center())


async def test_the_summaries_stand_newest_first_with_their_conversation_and_lead_to_their_card(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "person"
    talk(home, 1, "The roof", "They think of a roof.", ROOF)
    talk(home, 2, "Letters", LETTER)
    talk(home, 3, "Nothing to sum up")
    before = hashes_of(home)
    _, window = await history_of(stage, home)
    pane = window.history.pane
    await until(lambda: len(entries(window)) == 3, "all three summaries")
    assert entries(window) == [LETTER, ROOF, "They think of a roof."]
    assert window.history.whose.text() == "Claude Code summed up"
    assert pane.header.count_label.text() == "3 entries"
    assert "The roof" in pane.view.sentence(1)
    assert "May" in pane.view.sentence(1)
    transcript = window.conversation.transcript
    lit: list[int] = []
    monkeypatch.setattr(transcript.paging, "to_message", lit.append)
    click_on(pane.view, row_of(window, "They think of a roof."))
    await until(lambda: lit == [2], "the first summary of its conversation")
    assert window.conversation.title.text() == "The roof"
    assert window.list.model.rows[window.list.view.currentIndex().row()].title == "The roof"
    pane.view.setFocus()
    press(pane.view, "Home")
    press(pane.view, "Ctrl+Return")
    await until(lambda: lit == [2, 2], "the summary of the other conversation")
    assert window.conversation.title.text() == "Letters"
    assert LETTER in said_in(window)
    assert hashes_of(home) == before


async def test_what_is_typed_filters_and_marks_and_the_keys_are_those_of_the_own_history(
    stage: Stage, tmp_path: Path
) -> None:
    home = tmp_path / "person"
    talk(home, 1, "The roof", "They think of a roof.", ROOF)
    talk(home, 2, "Letters", LETTER)
    _, window = await history_of(stage, home)
    pane = window.history.pane
    window.activateWindow()
    await until(window.isActiveWindow, "the active window")
    pane.view.setFocus()
    press(pane.view, "Ctrl+F")
    assert pane.field.hasFocus()
    QTest.keyClicks(pane.field, "roof")
    await until(lambda: pane.model.count == 2, "the number that match")
    assert entries(window) == [ROOF, "They think of a roof."]
    assert pane.model.matches[0].spans == ((12, 16),)
    assert pane.header.count_label.text() == "2 of 3 entries"
    assert pane.header.position_label.text() == "1 of 2"
    press(pane.field, "F3")
    assert pane.header.position_label.text() == "2 of 2"
    press(pane.field, "Escape")
    await until(lambda: len(entries(window)) == 3, "all of them again")
    assert window.isVisible()
    pane.field.setText("nowhere")
    await until(lambda: pane.nothing_found.widget.isVisible(), "that none matches")


async def test_it_follows_what_the_agent_sums_up_and_lists_another_agent_where_that_is_chosen(
    stage: Stage, tmp_path: Path
) -> None:
    home = tmp_path / "person"
    records = talk(home, 1, "The roof", ROOF)
    rollout = codex.Rollout(home / ".codex").meta().says("Where is the kiln?").answers("In the yard.")
    rollout.compacts("They spoke of a kiln.", [codex.message("user", "Where is the kiln?")]).says("Thanks.").write()
    person, window = await history_of(stage, home)
    assert window.list.choose(home / ".claude")
    window.list.store_chosen.emit(window.list.store)
    await until(lambda: entries(window) == [ROOF], "the summary of Claude Code")
    records.boundary(records.answer("Larch it is."))
    records.summary("They chose larch.")
    write(home, records)
    await person.current.agents.follow()
    await until(lambda: entries(window) == ["They chose larch.", ROOF], "what was summed up meanwhile")
    assert window.list.choose(home / ".codex")
    window.list.store_chosen.emit(window.list.store)
    await until(lambda: entries(window) == ["They spoke of a kiln."], "the summary of Codex")
    assert window.history.whose.text() == "Codex summed up"
    assert [each.name for each in (home / ".codex").iterdir()] == ["sessions"]


async def test_nothing_is_read_before_the_tab_is_looked_at_and_nothing_after_the_window_closed(
    stage: Stage, tmp_path: Path
) -> None:
    home = tmp_path / "person"
    talk(home, 1, "The roof", ROOF)
    person, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "The roof")
    history = person.current.agents._history
    assert history is not None
    assert not history.looked
    window.beside.setCurrentWidget(window.history)
    await until(lambda: entries(window) == [ROOF], "the summary")
    window.reject()
    assert history.is_closed
    again = opened_again(person)
    again.beside.setCurrentWidget(again.history)
    await until(lambda: entries(again) == [ROOF], "the summary in the window that was opened anew")


async def test_daily_notes_stand_among_them_and_lead_to_their_file(stage: Stage, tmp_path: Path) -> None:
    state = OpenClawState(tmp_path / "person" / ".openclaw")
    transcript = Transcript("s1")
    kept = transcript.talk("Glaze it.", "Blue?", "Yes.")
    transcript.compact("They glaze it blue.", kept[-1])
    state.file(transcript)
    state.memory("memory/2030-02-03.md", "Fired the kiln.\n")
    _, window = await history_of(stage, tmp_path / "person")
    pane = window.history.pane
    await until(lambda: entries(window) == ["Fired the kiln.", "They glaze it blue."], "note and summary")
    pane.filter_button.click()
    box = pane.filters.widget.source_box
    assert [box.itemText(at) for at in range(box.count())] == ["All entries", "Summaries", "Daily notes"]
    box.setCurrentIndex(2)
    await until(lambda: entries(window) == ["Fired the kiln."], "the note alone")
    assert "2030-02-03.md" in pane.view.sentence(0)
    click_on(pane.view, 0)
    assert window.beside.currentWidget() is window.memory
    assert window.memory.files.currentText().startswith("2030-02-03.md")


async def test_where_nothing_was_summed_up_that_is_said_and_each_control_has_a_name(
    stage: Stage, tmp_path: Path
) -> None:
    home = tmp_path / "person"
    talk(home, 1, "The roof")
    _, window = await history_of(stage, home)
    pane = window.history.pane
    await until(lambda: pane.nothing_written.widget.isVisible(), "that there is none")
    assert pane.nothing_written.widget.sentence.text() == "None of its conversations was summed up."
    assert not pane.nothing_written.widget.button.isVisible()
    for control in window.history.findChildren(QWidget):
        if isinstance(control, QAbstractButton | QLineEdit | HistoryView) and control.isVisible():
            interface = QAccessible.queryAccessibleInterface(control)
            assert interface is None or interface.text(QAccessible.Text.Name), control
