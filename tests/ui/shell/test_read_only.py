"""A window that only reads: it says why, offers nothing that writes, and keeps up with whoever writes."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QListView

from mnemoscope.bootstrap import open_core
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.shell.read_only import ReadOnlyMode, why_read_only
from mnemoscope.ui.widgets.dialogs.pairs_dialog import PairsDialog
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.window_fixture import KEY, Opened, Stage, question, rest, sentences, tree, until, words_in

SAID = (("user", "Tea?"), ("assistant", "Yes."))
WRITING = (
    "conversation.new",
    "conversation.rename",
    "conversation.delete",
    "conversation.start_new",
    "turn.stop",
    "model",
    "memory.save",
    "memory.consolidate",
    "settings.set_aside",
)


async def looking(stage: Stage) -> Opened:
    stage.make(*SAID, memory="# Facts\n\n- Likes tea\n")
    return await stage.open(read_only=True)


async def test_a_workspace_without_conversations_opens_and_stays_as_it_is(stage: Stage) -> None:
    stage.make(memory="# Facts\n\n- Likes tea\n")
    before = tree(stage.root)
    person = await stage.open(read_only=True)
    await until(lambda: "Likes tea" in person.memory.editor.toPlainText(), "the memory")
    assert not person.composer.isEnabled()
    assert await person.bench.conversations.overviews() == []
    assert tree(stage.root) == before


async def test_nothing_that_writes_is_offered(stage: Stage) -> None:
    person = await looking(stage)
    before = tree(stage.root)
    actions = person.current.actions
    assert [name for name in WRITING if actions[name].isEnabled()] == []
    assert [one.id for one in actions.commands() if one.writes and actions[one.id].isEnabled()] == []
    assert {"workspace.open", "settings", "help.commands", "view.theme"} <= {
        one.id for one in actions.commands() if actions[one.id].isEnabled()
    }
    sessions = person.window.sessions
    assert not sessions.new_button.isEnabled()
    conversations = sessions.findChild(QListView)
    assert conversations is not None
    for key in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
        QTest.keyClick(conversations, key)
    assert not sessions._editor.isVisible()
    assert not person.memory.toolbar.save_button.isEnabled()
    assert person.memory.editor.isReadOnly()
    assert not person.composer.isEnabled()
    assert person.composer.edit.placeholderText() == "Open for reading only"
    assert not person.timeline.header.filters._consolidate.isEnabled()
    await rest(0.1)
    assert tree(stage.root) == before


async def test_no_consolidation_is_announced_where_none_can_come(stage: Stage) -> None:
    stage.make(*(SAID * 4), memoryWindow=4)
    person = await stage.open(read_only=True)
    header = person.timeline.header
    await until(lambda: person.timeline.model.total == 8 and not person.timeline.model.indexing, "the timeline")
    assert header.status_label.text() == "Read-only: nothing is consolidated from here"
    assert not header.line.isVisible()
    assert person.timeline.model.keep == 0
    await until(lambda: person.history.model.ready, "the history")
    assert "History is written when messages are consolidated." in words_in(person.history)


async def test_a_window_that_may_write_offers_everything(stage: Stage) -> None:
    stage.make(*SAID)
    person = await stage.open()
    assert [name for name in WRITING if not person.current.actions[name].isEnabled()] == []
    assert sentences(person.chat) == []
    assert person.composer.isEnabled()


async def test_one_bar_says_why_and_stays(stage: Stage) -> None:
    person = await looking(stage)
    assert sentences(person.chat) == ["You are only looking around: nothing in this folder is changed."]
    person.chat.dismiss_notices()
    person.current.conversation.open(KEY)
    await person.until_ready()
    assert len(sentences(person.chat)) == 1


async def test_a_folder_that_cannot_be_written_has_no_way_out(stage: Stage) -> None:
    stage.make(*SAID)
    core = open_core(stage.root, True)
    workspace = core.bench.workspace
    core.bench.workspace = replace(workspace, report=replace(workspace.report, writable=False))
    assert why_read_only(core.bench.workspace) == "unwritable"
    person = stage.show(core)
    await person.current.open()
    await person.until_ready()
    (sentence,) = sentences(person.chat)
    assert sentence.startswith("This folder cannot be written, so it is open for reading only. What is in it is safe")


async def test_the_slash_commands_are_shown_and_nothing_is_sent(stage: Stage) -> None:
    person = await looking(stage)
    person.current.actions["help.commands"].trigger()
    await until(lambda: isinstance(question(), PairsDialog), "the commands")
    sheet = question()
    assert isinstance(sheet, QDialog)
    assert "/consolidate" in words_in(sheet)
    assert not person.composer.busy
    sheet.reject()
    await rest(0.02)


async def test_theme_and_zoom_are_the_windows_own(stage: Stage) -> None:
    person = await looking(stage)
    before = tree(stage.root)
    person.current.actions["view.theme"].trigger()
    await until(lambda: Theme.current().dark, "the dark theme")
    person.current.actions["zoom.in"].trigger()
    assert sentences(person.chat) == ["You are only looking around: nothing in this folder is changed."]
    await person.close()
    assert tree(stage.root) == before
    again = await stage.open(read_only=True)
    assert Theme.current().dark
    again.current.actions["view.theme"].trigger()
    await until(lambda: not Theme.current().dark, "the light theme")
    again.current.actions["zoom.reset"].trigger()


async def test_settings_offer_only_looks_and_language(stage: Stage) -> None:
    person = await looking(stage)
    before = tree(stage.root)
    person.current.actions["settings"].trigger()
    dialog = person.current.settings_controller.dialog
    assert dialog is not None
    enabled = {box.accessibleName() for box in dialog.findChildren(QComboBox) if box.isEnabled()}
    assert enabled == {"Appearance", "Language"}
    assert [box.text() for box in dialog.findChildren(QCheckBox) if box.isEnabled()] == []
    dialog.appearance._language.setCurrentIndex(dialog.appearance._language.findData("zh_CN"))
    person.click("Save", dialog)
    await until(lambda: person.current.appearance.language == "zh_CN", "the language")
    await until(lambda: person.current._settings.value("window/language") == "zh_CN", "the language of the next start")
    assert tree(stage.root) == before


async def test_the_owners_words_titles_and_pointer_show_as_they_are_written(stage: Stage) -> None:
    person = await looking(stage)
    owner = SessionManager(stage.root)
    session: Session = owner.get_or_create(KEY)
    session.add_message("user", "Said over there")
    owner.append(session)
    await until(lambda: "Said over there" in person.text, "the owner's message")
    owner.set_title(KEY, "Tea and scones")
    await until(lambda: "Tea and scones" in [one.title for one in person.window.sessions._overviews], "the title")
    session.last_consolidated = 2
    owner.save(session)
    await until(lambda: person.timeline.model.pointer == 2, "the owner's pointer")


async def test_the_owners_unsent_words_are_not_shown(stage: Stage) -> None:
    stage.make(*SAID)
    owner = await stage.open()
    owner.type(owner.composer.edit, "half a thought")
    await owner.close()
    person = await stage.open(read_only=True)
    assert person.composer.draft() == ""


async def test_looking_goes_on_where_the_system_tells_of_no_changes(stage: Stage) -> None:
    person = await looking(stage)
    person.current.watcher.close()
    reading = person.window.findChild(ReadOnlyMode)
    assert reading is not None
    owner = SessionManager(stage.root)
    session = owner.get_or_create(KEY)
    session.add_message("user", "Said in silence")
    owner.append(session)
    await reading.look()
    await until(lambda: "Said in silence" in person.text, "the owner's message")
