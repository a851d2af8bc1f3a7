"""Other agents are looked at once the person said so; what is shown there is read, and leads back to what was said."""

from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QListView

from mnemoscope.ui.agents.agents_window import AgentsWindow
from mnemoscope.ui.agents.memory_text import first_not_loaded
from mnemoscope.ui.sessions.import_dialog import ImportDialog
from tests.foreign_stores import claude_code
from tests.foreign_stores.hashes import hashes_of
from tests.ui.window_fixture import Opened, Stage, press, until


async def asked(stage: Stage, home: Path, *, read_only: bool = False) -> tuple[Opened, AgentsWindow]:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person = await stage.open(read_only=read_only)
    agents = person.current.agents
    agents.home, agents.environment = home, {}
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
    await until(lambda: row.detail in window.conversation.told.text(), "the whole conversation")


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


async def test_a_line_of_memory_leads_to_what_the_person_said(stage: Stage, tmp_path: Path) -> None:
    _, window = await asked(stage, home_of(tmp_path / "person"))
    await found(window)
    memory = window.memory
    names = [memory.files.itemText(number) for number in range(memory.files.count())]
    memory.files.setCurrentIndex(next(at for at, name in enumerate(names) if name.startswith("MEMORY.md")))
    memory.files.activated.emit(memory.files.currentIndex())
    await until(lambda: memory.text.source(3) is not None, "who wrote which line")
    assert memory.loaded.text() == "All of it is loaded into each prompt."
    told = {}
    cursor = memory.text.textCursor()
    for line in (3, 4):
        cursor.setPosition(memory.text.document().findBlockByNumber(line).position())
        memory.text.setTextCursor(cursor)
        told[line] = memory.who.text()
    assert "“And that I live in Graz.”" in told[3]
    assert told[4] == "Line 5 · from outside: no call of the agent wrote it"
    assert not memory.show_message.isVisible()
    cursor.setPosition(memory.text.document().findBlockByNumber(3).position())
    memory.text.setTextCursor(cursor)
    memory.show_message.click()
    await until(lambda: "And that I live in Graz." in said_in(window), "the message")
    assert window.list.view.currentIndex().row() == titles(window).index("Tabs and Graz")


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


async def test_the_summary_stands_above_the_line_and_branches_can_be_chosen(stage: Stage, tmp_path: Path) -> None:
    home = home_of(tmp_path / "person")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Let us plan.")
    talk.boundary(talk.answer("Yes."))
    talk.summary("They plan a journey.")
    where = talk.person("Where to?")
    talk.answer("To Lisbon.", parent=where)
    talk.answer("To Porto.", parent=where)
    talk.beside("ai-title", aiTitle="A journey")
    talk.write(home / ".claude" / "projects" / claude_code.PROJECT / f"{talk.session}.jsonl")
    _, window = await asked(stage, home)
    await found(window)
    row = next(row for row in window.list.model.rows if row.title == "A journey")
    window.list.select(row.store.root, row.conversation.id)
    view = window.conversation
    await until(view.card.isVisible, "the card of the summary")
    assert view.summary.toPlainText() == "They plan a journey."
    assert view.summed.text().startswith("The first 2 messages are no longer sent.")
    assert view.transcript.transcript.pointer.index == 2
    assert "To Porto." in said_in(window)
    view.branches.setCurrentIndex(1)
    view.branches.activated.emit(1)
    await until(lambda: "To Lisbon." in said_in(window), "the other branch")


async def test_a_copy_is_kept_by_an_import_that_tells_first_what_it_brings(stage: Stage, tmp_path: Path) -> None:
    person, window = await asked(stage, home_of(tmp_path / "person"))
    await found(window)
    window.keep.click()
    dialogs = person.window.findChildren(ImportDialog)
    assert len(dialogs) == 1
    await until(lambda: dialogs[0].start.isEnabled(), "what the import would bring")
    assert "from Claude Code" in dialogs[0].told.text()
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
