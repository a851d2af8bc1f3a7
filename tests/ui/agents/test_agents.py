"""Other agents are looked at once the person said so; what is shown there is read, and leads back to what was said."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QListView

from mnemoscope.agent.foreign.foreign_reading import PAGE
from mnemoscope.domain.health.report import HealthFinding
from mnemoscope.ui.agents.agents_window import AgentsWindow
from mnemoscope.ui.agents.foreign_memory_text import first_not_loaded
from mnemoscope.ui.agents.other_records_dialog import OtherRecordsDialog
from mnemoscope.ui.health.health_pane import HealthDialog
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.sessions.import_dialog import ImportDialog
from mnemoscope.ui.widgets.dialogs.question import Question
from tests.foreign_stores import claude_code, codex
from tests.foreign_stores.git_memory import GitMemory
from tests.foreign_stores.hashes import hashes_of
from tests.ui.window_fixture import Opened, Stage, click, press, until


async def asked(stage: Stage, home: Path, *, read_only: bool = False) -> tuple[Opened, AgentsWindow]:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person = await stage.open(read_only=read_only)
    agents = person.current.agents
    agents.consent.look_below(home, {})
    person.current.actions["agents"].trigger()
    assert agents.window is not None
    return person, agents.window


def home_of(folder: Path) -> Path:
    claude_code.sample_store(folder / ".claude")
    return folder


def opened_again(person: Opened) -> AgentsWindow:
    person.current.actions["agents"].trigger()
    found = person.current.agents.window
    assert found is not None
    return found


def titles(window: AgentsWindow) -> list[str]:
    return [row.title for row in window.list.model.rows]


async def found(window: AgentsWindow) -> None:
    window.look.click()
    await until(lambda: titles(window), "the conversations of other agents")


async def open_conversation(window: AgentsWindow, title: str) -> None:
    row = next(row for row in window.list.model.rows if row.title == title)
    window.list.select(row.store.root, row.conversation.id)
    await until(lambda: row.detail in window.conversation.details.text(), "the whole conversation")


def said_in(window: AgentsWindow) -> str:
    return window.conversation.transcript.view.toPlainText()


async def test_nothing_is_looked_at_before_the_person_says_so(stage: Stage, tmp_path: Path) -> None:
    before = hashes_of(home_of(tmp_path / "person") / ".claude")
    person, window = await asked(stage, tmp_path / "person")
    assert window.pages.currentWidget() is window.ask_page
    assert titles(window) == []
    await found(window)
    assert titles(window) == ["Good morning.", "Tabs and Graz"]
    window.list.others.setChecked(True)
    assert len(titles(window)) == 3
    window.list.field.setText("graz")
    assert titles(window) == ["Tabs and Graz"]
    window.list.field.setFocus()
    press(window.list.field, "Return")
    await until(lambda: "Please remember that I prefer tabs." in said_in(window), "the conversation that is left")
    assert window.memory.files.currentText() == f"MEMORY.md · projects/{claude_code.PROJECT}/memory"
    person.current.actions["agents"].trigger()
    assert person.current.agents.window is window
    window.reject()
    again = opened_again(person)
    assert again is not window
    await until(lambda: titles(again), "the conversations without being asked once more")
    again.forget.click()
    last = opened_again(person)
    assert last.pages.currentWidget() is last.ask_page
    assert hashes_of(tmp_path / "person" / ".claude") == before


async def test_the_press_at_a_fault_of_another_agents_memory_says_that_it_is_only_read_and_copies(
    stage: Stage, tmp_path: Path
) -> None:
    home = home_of(tmp_path / "person")
    (home / ".claude" / "CLAUDE.md").write_text("- Be brief.\n- TODO: call Tom\n", encoding="utf-8")
    before = hashes_of(home / ".claude")
    person, window = await asked(stage, home)
    await found(window)
    dialogs: list[HealthDialog] = []
    person.current.agents.opened.connect(dialogs.append)
    window.memory.health.click()
    await until(lambda: bool(dialogs) and bool(dialogs[0].pane.findings), "the health of that memory")
    pane = dialogs[0].pane
    at = next(at for at, row in enumerate(pane.model.rows) if isinstance(row, HealthFinding) and "Tom" in row.row)
    pane.list.setCurrentIndex(pane.model.index(at))
    assert pane.propose.text() == "Correct it there…"
    click(pane.propose)
    await until(lambda: dialogs[0].findChild(Question) is not None, "the question")
    [sheet] = dialogs[0].findChildren(Question)
    assert "nothing is proposed there" in sheet.words.text()
    click(next(each for each in sheet.findChildren(QAbstractButton) if each.text() == "Copy the corrected text"))
    await until(lambda: "Copied." in window.said.text(), "that it was copied")
    assert QGuiApplication.clipboard().text() == "- Be brief.\n"
    assert hashes_of(home / ".claude") == before
    dialogs[0].close()


async def test_a_line_of_memory_leads_to_what_the_person_said(stage: Stage, tmp_path: Path) -> None:
    _, window = await asked(stage, home_of(tmp_path / "person"))
    await found(window)
    memory = window.memory
    names = [memory.files.itemText(number) for number in range(memory.files.count())]
    memory.files.setCurrentIndex(next(at for at, name in enumerate(names) if name.startswith("MEMORY.md")))
    memory.files.activated.emit(memory.files.currentIndex())
    await until(lambda: memory.text.source(3) is not None, "who wrote which line")
    assert memory.loaded.text() == "All of it is loaded into each prompt."
    sentences = {}
    cursor = memory.text.textCursor()
    for line in (3, 4):
        cursor.setPosition(memory.text.document().findBlockByNumber(line).position())
        memory.text.setTextCursor(cursor)
        sentences[line] = memory.who.text()
    assert "“And that I live in Graz.”" in sentences[3]
    assert sentences[4] == "Line 5 · from outside: no call of the agent wrote it"
    assert not memory.show_message.isVisible()
    cursor.setPosition(memory.text.document().findBlockByNumber(3).position())
    memory.text.setTextCursor(cursor)
    memory.show_message.click()
    await until(lambda: "And that I live in Graz." in said_in(window), "the message")
    assert window.list.view.currentIndex().row() == titles(window).index("Tabs and Graz")


async def test_a_line_that_came_with_a_commit_says_so(stage: Stage, tmp_path: Path) -> None:
    memory = GitMemory(tmp_path / "person" / ".letta" / "agents" / "a" / "memory")
    commit = memory.commit("fix: works\tat the pottery", {"system/human.md": "- Has a kiln\n"})
    _, window = await asked(stage, tmp_path / "person")
    window.look.click()
    shown = window.memory
    await until(lambda: shown.text.source(0) is not None, "who wrote which line")
    assert f"came with the commit {commit[:8]} by Letta Code: “fix: works at the pottery”" in shown.who.text()
    assert not shown.show_message.isVisible()


async def test_what_the_agent_writes_meanwhile_is_shown(stage: Stage, tmp_path: Path) -> None:
    home = home_of(tmp_path / "person")
    person, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "Good morning.")
    assert "Good morning!" in said_in(window)
    assert window.memory.files.currentText() == "CLAUDE.md"
    other = claude_code.ClaudeRecords(session="99999999-2222-4333-8444-555555555555")
    other.person("Good morning.")
    other.answer("Good morning!")
    other.person("Now about Lisbon.")
    other.write(home / ".claude" / "projects" / "-home-ada-other" / f"{other.session}.jsonl")
    await person.current.agents.follow()
    await until(lambda: "Now about Lisbon." in said_in(window), "what was said meanwhile")


def plan(home: Path) -> claude_code.ClaudeRecords:
    """Returns a conversation that was summed up, with two branches, a call, and records that nobody knows."""
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Let us plan.")
    talk.answer(claude_code.call("toolu_7"))
    talk.result("toolu_7", "two trains")
    talk.boundary(talk.answer("Yes."))
    talk.summary("They plan a journey.")
    talk.beside("novelty", what="new in 2031")
    where = talk.person("Where to?")
    talk.answer("To Lisbon.", parent=where)
    talk.answer("To Porto.", parent=where)
    talk.beside("ai-title", aiTitle="A journey")
    talk.write(home / ".claude" / "projects" / claude_code.PROJECT / f"{talk.session}.jsonl")
    return talk


async def test_the_summary_stands_above_the_line_and_branches_can_be_chosen(stage: Stage, tmp_path: Path) -> None:
    home = home_of(tmp_path / "person")
    plan(home)
    _, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "A journey")
    view = window.conversation
    assert "the first 4 are no longer sent" in view.details.text()
    text = said_in(window)
    assert text.index("Yes.") < text.index("They plan a journey.") < text.index("Where to?")
    document = view.transcript.transcript
    divided = [
        block.text()
        for block in (document.document.findBlockByNumber(number) for number in range(document.document.blockCount()))
        if block.blockFormat().boolProperty(Mark.DIVIDER)
    ]
    assert len(divided) == 1
    assert divided[0].startswith("You")
    assert document.row_at(text.index("They plan a journey.")).message["role"] == "summary"  # type: ignore[union-attr]
    view.branches.setCurrentIndex(1)
    view.branches.activated.emit(1)
    await until(lambda: "To Lisbon." in said_in(window), "the other branch")


async def test_what_is_kept_in_part_is_said(stage: Stage, tmp_path: Path) -> None:
    rollout = codex.Rollout(tmp_path / "person" / ".codex").meta().says("Where is the kiln?").answers("In the yard.")
    rollout.compacts("They spoke of a kiln.", [codex.message("user", "Where is the kiln?")]).says("Thanks.").write()
    _, window = await asked(stage, tmp_path / "person")
    await found(window)
    await open_conversation(window, "Where is the kiln?")
    assert "of the first 2 only some are still sent" in window.conversation.details.text()


async def test_the_timeline_has_the_line_the_card_and_every_message(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_of(tmp_path / "person")
    talk = plan(home)
    person, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "A journey")
    window.beside.setCurrentWidget(window.timeline)
    model = window.timeline.model
    assert (model.total, model.pointer) == (6, 4)
    assert [(each.start, each.stop, each.entry) for each in model.groups.records] == [(0, 4, "They plan a journey.")]
    assert [model.reader.message(index)["role"] for index in range(model.total)] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
        "assistant",
    ]
    assert not window.timeline.header.filters.may_consolidate
    transcript = window.conversation.transcript
    lit: list[int] = []
    monkeypatch.setattr(transcript.paging, "to_message", lit.append)
    window.timeline.view.message_activated.emit(4)
    await until(lambda: lit == [5], "the message after the summary")
    window.timeline.view.entry_activated.emit(model.groups.records[0])
    await until(lambda: lit == [5, 4], "the summary")
    transcript.message_activated.emit(5)
    current = window.timeline.view.current
    assert current is not None
    assert current.number == 4
    talk.person("And by which train?")
    talk.write(home / ".claude" / "projects" / claude_code.PROJECT / f"{talk.session}.jsonl")
    await person.current.agents.follow()
    await until(lambda: model.total == 7, "what was said meanwhile")
    assert model.reader.message(6)["content"] == "And by which train?"


async def test_records_that_are_no_messages_are_counted_and_looked_at_as_they_stand(
    stage: Stage, tmp_path: Path
) -> None:
    home = home_of(tmp_path / "person")
    plan(home)
    _, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "A journey")
    assert " · 1 record" in window.conversation.details.text()
    window.conversation.others.click()
    await until(lambda: window.findChildren(OtherRecordsDialog), "the other records")
    dialog = window.findChildren(OtherRecordsDialog)[0]
    assert dialog.kinds.itemText(0) == "Of a kind that is not known here · 1"
    assert '"what": "new in 2031"' in dialog.text.toPlainText()
    dialog.kinds.setCurrentIndex(1)
    assert "ai-title" in dialog.text.toPlainText()
    dialog.reject()


async def test_a_subagent_is_reached_from_its_conversation_and_leads_back(stage: Stage, tmp_path: Path) -> None:
    _, window = await asked(stage, home_of(tmp_path / "person"))
    await found(window)
    await open_conversation(window, "Tabs and Graz")
    related = window.conversation.related
    assert related.text().startswith("1 subagent")
    related.menu().actions()[0].trigger()
    await until(lambda: "It is in lexer.py." in said_in(window), "what the subagent said")
    assert related.menu().actions()[0].text() == "Back to “Tabs and Graz”"
    related.menu().actions()[0].trigger()
    await until(lambda: "And that I live in Graz." in said_in(window), "the conversation")


async def test_messages_that_are_not_read_yet_stand_in_the_timeline_and_are_read_by_a_click(
    stage: Stage, tmp_path: Path
) -> None:
    home = home_of(tmp_path / "person")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    for number in range(PAGE // 2 + 30):
        talk.person(f"Question {number}.")
        talk.answer(f"Answer {number}.")
    talk.beside("ai-title", aiTitle="A long one")
    talk.write(home / ".claude" / "projects" / claude_code.PROJECT / f"{talk.session}.jsonl")
    _, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "A long one")
    model = window.timeline.model
    assert model.total == PAGE + 60
    assert model.reader.message(10) == {"role": "user", "content": "Not read yet; a click reads it."}
    assert model.reader.message(60)["content"] == "Question 30."
    window.timeline.view.message_activated.emit(10)
    await until(lambda: "Question 5." in said_in(window), "the message that was not read")
    assert model.reader.message(10)["content"] == "Question 5."


async def test_a_copy_is_kept_by_an_import_that_tells_first_what_it_brings(stage: Stage, tmp_path: Path) -> None:
    person, window = await asked(stage, home_of(tmp_path / "person"))
    await found(window)
    window.keep.click()
    dialogs = person.window.findChildren(ImportDialog)
    assert len(dialogs) == 1
    await until(lambda: dialogs[0].start.isEnabled(), "what the import would bring")
    assert "from Claude Code" in dialogs[0].report.text()
    dialogs[0].reject()


async def test_where_the_workspace_is_only_read_no_copy_is_offered(stage: Stage, tmp_path: Path) -> None:
    _, window = await asked(stage, home_of(tmp_path / "person"), read_only=True)
    await found(window)
    assert not window.keep.isEnabled()


async def test_a_folder_that_is_no_agents_is_told_and_each_control_has_a_name(stage: Stage, tmp_path: Path) -> None:
    person, window = await asked(stage, tmp_path / "nobody")
    (tmp_path / "plain").mkdir()
    await person.current.agents.add_folder(tmp_path / "plain")
    assert window.said.text() == "plain is of no known agent."
    assert window.look_too.isVisible()
    await person.current.agents.add_folder(home_of(tmp_path / "person") / ".claude")
    assert titles(window) == ["Good morning.", "Tabs and Graz"]
    for kind in (QAbstractButton, QComboBox, QLineEdit, QListView):
        for control in window.list.findChildren(kind) + window.memory.findChildren(kind):
            interface = QAccessible.queryAccessibleInterface(control)
            if control.isVisible() and interface is not None:
                assert interface.text(QAccessible.Text.Name), control


def test_the_first_line_of_which_nothing_is_loaded() -> None:
    assert first_not_loaded("a\nb\nc", 5) is None
    assert first_not_loaded("a\nb\nc", 4) == 2
    assert first_not_loaded("a\nb\nc", 3) == 2
    assert first_not_loaded("a\nb\nc", 0) == 0


async def test_the_agents_stand_below_the_conversations_once_the_person_agreed(stage: Stage, tmp_path: Path) -> None:
    home = home_of(tmp_path / "person")
    codex.make_store(home / ".codex")
    person, window = await asked(stage, home)
    section = person.window.sessions.agents
    await person.current.agents.look_for_places()
    assert section.model.rows == []
    assert section.isHidden()
    await found(window)
    assert section.model.rows == [("Claude Code", home / ".claude"), ("Codex", home / ".codex")]
    window.reject()
    section.show_agents([])
    await person.current.agents.look_for_places()
    assert [title for title, _ in section.model.rows] == ["Claude Code", "Codex"]
    section.list.setFocus()
    section.list.setCurrentIndex(section.model.index(1))
    press(section.list, "Return")
    again = person.current.agents.window
    assert again is not None
    await until(lambda: titles(again), "the conversations of the agent that was chosen")
    assert again.list.store is not None
    assert again.list.store.title == "Codex"
    person.window.sessions.agent_chosen.emit(home / ".claude")
    await until(lambda: again.list.store is not None and again.list.store.title == "Claude Code", "the other agent")
    shutil.rmtree(home / ".codex")
    person.window.sessions.agent_chosen.emit(home / ".codex")
    await until(lambda: ".codex is not there any more." in again.said.text(), "that it is gone")
    assert [title for title, _ in section.model.rows] == ["Claude Code"]
    again.forget.click()
    assert section.isHidden()


async def test_list_and_memory_follow_what_the_agent_writes(stage: Stage, tmp_path: Path) -> None:
    home = home_of(tmp_path / "person")
    person, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "Tabs and Graz")
    memory = window.memory
    await until(lambda: memory.text.source(3) is not None, "who wrote which line")
    memory.text.setTextCursor(QTextCursor(memory.text.document().findBlockByNumber(3)))
    path = home / ".claude" / "projects" / claude_code.PROJECT / "memory" / "MEMORY.md"
    path.write_text(path.read_text() + "- Likes tea\n")
    talk = claude_code.ClaudeRecords(session="55555555-2222-4333-8444-555555555555", now=claude_code.BEGIN)
    talk.person("A conversation that began meanwhile.")
    talk.write(home / ".claude" / "projects" / claude_code.PROJECT / f"{talk.session}.jsonl")
    await person.current.agents.follow()
    await until(lambda: "A conversation that began meanwhile." in titles(window), "the new conversation")
    assert "- Likes tea" in memory.text.toPlainText()
    assert memory.text.line == 3
    await until(lambda: memory.text.source(5) is not None, "who wrote the new line")
    assert memory.text.source(5).edit is None  # type: ignore[union-attr]
    rows = window.list.model.rows
    assert rows[window.list.view.currentIndex().row()].title == "Tabs and Graz"


async def test_a_conversation_that_goes_while_it_is_read_is_told_and_stays_on_show(
    stage: Stage, tmp_path: Path
) -> None:
    home = home_of(tmp_path / "person")
    person, window = await asked(stage, home)
    await found(window)
    await open_conversation(window, "Tabs and Graz")
    path = home / ".claude" / "projects" / claude_code.PROJECT / f"{claude_code.SESSION}.jsonl"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    await person.current.agents.follow()
    await until(lambda: window.conversation.damage.isVisible(), "that its last line is not whole")
    assert "And that I live in Graz." not in said_in(window)
    path.unlink()
    await person.current.agents.follow()
    assert window.conversation.damage.isVisible()
    assert "Please remember that I prefer tabs." in said_in(window)
    await person.current.agents.follow()
    await until(lambda: "Tabs and Graz" not in titles(window), "that the list has it no more")
    shutil.rmtree(home / ".claude")
    await person.current.agents.follow()
    await until(lambda: window.said.text() == ".claude is not there any more.", "that the agent is gone")
    assert titles(window) == []
