"""The parts of the shell, each on its own."""

import asyncio
from datetime import date, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QMainWindow, QMenu, QMenuBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.agent.tools.approval import ApprovalRequest
from mnemoscope.domain.events import EventBus, SessionsChanged, SettingsChanged
from mnemoscope.domain.settings import Settings
from mnemoscope.llm.model_catalog import choices
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.chat.cards.approval_card import ApprovalCard
from mnemoscope.ui.sessions.sessions_pane import SessionsPane, grouped
from mnemoscope.ui.settings.model_section import KeyEntered
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.shell.actions import SEPARATOR, Actions, Command
from mnemoscope.ui.shell.docks.inspector import Inspector
from mnemoscope.ui.shell.main_window import Header
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.ui.window_fixture import Stage, rest, until

PANES = ("timeline", "memory", "history", "prompt")


def overview(key: str, title: str, updated_at: str, count: int = 3, settled: int = 0) -> SessionOverview:
    when = datetime.fromisoformat(updated_at)
    return SessionOverview(key, title, when, when, count, settled, Path(f"{key}.jsonl"))


def test_conversations_stand_newest_first_under_their_day() -> None:
    rows = grouped(
        [
            overview("a", "old", "2025-01-01T10:00:00"),
            overview("b", "today", "2026-03-12T10:00:00"),
            overview("c", "this week", "2026-03-09T10:00:00"),
        ],
        date(2026, 3, 12),
        ("TODAY", "THIS WEEK", "EARLIER"),
    )
    words = [row if isinstance(row, str) else str(getattr(row, "title", "")) for row in rows]
    assert words == ["TODAY", "today", "THIS WEEK", "this week", "EARLIER", "old"]


def test_choosing_a_conversation_announces_its_key_once(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    panel.show_sessions([overview("a", "A", "2026-03-12T10:00:00"), overview("b", "B", "2026-03-11T10:00:00")], "a")
    panel.show()
    with qtbot.waitSignal(panel.chosen) as heard:
        view = panel.findChild(QListView)
        assert view is not None
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert heard.args == ["b"]


def test_the_number_of_what_waits_for_review_is_painted_in_the_row_of_its_conversation(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    panel.resize(260, 300)
    panel.show_sessions([overview("a", "A", "2026-03-12T10:00:00")], "")
    panel.show()
    view = panel.findChild(QListView)
    assert view is not None
    without = view.grab().toImage()
    panel.show_waiting({"a": (2, "2 wait for review")})
    assert view.grab().toImage() != without
    panel.show_waiting({"b": (1, "1 waits for review")})
    assert view.grab().toImage() == without


def test_searching_narrows_the_list_and_says_when_nothing_is_called_that(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    panel.show_sessions([overview("a", "Postgres migration", "2026-03-12T10:00:00")], "a")
    panel.show()
    field = panel.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "kyoto")
    words = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert words == ["No conversation is called “kyoto”."]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_a_conversation_is_renamed_in_place(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    panel.show_sessions([overview("a", "A", "2026-03-12T10:00:00")], "a")
    panel.show()
    panel.start_rename()
    editor = next(one for one in panel.findChildren(QLineEdit) if "name" in one.accessibleName())
    QTest.keyClicks(editor, "  A better   name ")
    with qtbot.waitSignal(panel.renamed) as heard:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert heard.args == ["a", "A better name"]


def test_a_rename_asked_for_before_the_list_is_read_begins_with_it(qtbot: QtBot) -> None:
    panel = SessionsPane()
    qtbot.addWidget(panel)
    panel.show()
    panel.start_rename()
    editor = next(one for one in panel.findChildren(QLineEdit) if "name" in one.accessibleName())
    assert not editor.isVisible()
    shown = [overview("a", "A", "2026-03-12T10:00:00")]
    panel.show_sessions(shown, "a")
    assert editor.isVisible()
    assert editor.text() == "A"
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    panel.show_sessions(shown, "a")
    assert not editor.isVisible()


def test_that_nothing_can_be_written_is_shown_for_longer_than_a_shortcut(qtbot: QtBot) -> None:
    menus = QMenuBar()
    menus.addMenu("File")
    header = Header(menus)
    qtbot.addWidget(header)
    header.resize(900, 40)
    header.show()
    header.show_workspace("home", "/home", read_only=True)
    shortcut = next(one for one in header.findChildren(QPushButton) if one.accessibleName() == "Command palette")
    mark = next(one for one in header.findChildren(QLabel) if one.text() == "Read-only")
    assert "K" in shortcut.text()
    while shortcut.text():
        header.resize(header.width() - 1, 40)
    assert mark.isVisible()


def test_every_command_has_its_action_shortcut_and_menu(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    ran: list[str] = []
    actions = Actions(window)
    actions.add(
        [
            Command("a", "Alpha", "file", lambda: ran.append("a"), "plus", ("Ctrl+N",)),
            SEPARATOR,
            Command("b", "Beta", "", lambda: ran.append("b")),
        ],
    )
    menus = actions.fill(window.menuBar(), {"file": "&File"})
    assert [one.text() for one in menus["file"].actions()] == ["Alpha", ""]
    assert actions["a"].shortcut() == QKeySequence("Ctrl+N")
    actions["b"].trigger()
    assert ran == ["b"]


def test_a_menu_shows_which_of_its_commands_would_do_nothing(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    ran: list[str] = []
    can: set[str] = {"c"}

    def command(name: str, *, writes: bool = False) -> Command:
        return Command(name, name, "file", partial(ran.append, name), writes=writes, available=lambda: name in can)

    actions = Actions(window)
    actions.add([command("a"), command("b", writes=True), command("c"), Command("d", "d", "file", ran.clear)])
    menu = actions.fill(window.menuBar(), {"file": "&File"})["file"]

    def offered() -> list[str]:
        return [one.text() for one in menu.actions() if one.isEnabled()]

    menu.aboutToShow.emit()
    assert offered() == ["c", "d"]
    menu.aboutToHide.emit()
    assert offered() == ["a", "b", "c", "d"], "its keys answer, and say why nothing is done"
    can |= {"a", "b"}
    actions.forbid_writing()
    menu.aboutToShow.emit()
    assert offered() == ["a", "c", "d"]
    menu.aboutToHide.emit()
    assert offered() == ["a", "c", "d"]


async def test_the_menus_offer_what_can_be_done(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    person = await stage.open()
    menus = person.window.header.findChildren(QMenu)
    ids = ("turn.regenerate", "turn.stop", "dream.run", "dream.stop", "dream.profile", "dream.leave", "memory.save")

    def offered() -> list[str]:
        for menu in menus:
            menu.aboutToShow.emit()
        found = [each for each in ids if person.current.actions[each].isEnabled()]
        for menu in menus:
            menu.aboutToHide.emit()
        return found

    assert offered() == ["turn.regenerate", "dream.profile"]
    person.press("Ctrl+N")
    await until(lambda: person.current.conversation.session and not person.current.conversation.session.messages, "new")
    assert offered() == ["dream.profile"]


def test_docks_are_arranged_by_width_until_a_person_arranges_them(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    inspector = Inspector(window)
    for name in PANES:
        inspector.add(name, name.title(), QWidget)
    window.resize(1440, 900)
    inspector.arrange(1440, anew=True)
    window.show()
    wide = window.tabifiedDockWidgets(inspector.docks["timeline"])
    inspector.arrange(1024)
    narrow = window.tabifiedDockWidgets(inspector.docks["timeline"])
    assert (len(wide), len(narrow)) == (0, 3)
    inspector.docks["history"].setFloating(True)
    assert inspector.customised
    inspector.arrange(1440)
    assert inspector.docks["history"].isFloating()
    saved = inspector.save()
    inspector.arrange(1440, anew=True)
    assert inspector.restore(saved)
    assert inspector.docks["history"].isFloating()


def test_a_dock_is_named_anew_only_where_a_tab_came_or_went(qtbot: QtBot) -> None:
    class Counts(QObject):
        counted = Signal(str)

    class Pane(QWidget):
        def __init__(self, parent: QWidget) -> None:
            super().__init__(parent)
            self.header = Counts(self)
            self.visibilities: list[bool] = []

        def set_title_visible(self, visible: bool) -> None:
            self.visibilities.append(visible)

    window = QMainWindow()
    qtbot.addWidget(window)
    inspector = Inspector(window)
    timeline = inspector.add("timeline", "Timeline", Pane)
    for name in PANES[1:]:
        inspector.add(name, name.title(), QWidget)
    inspector.arrange(1440, anew=True)
    window.show()
    assert timeline.visibilities[-1:] == [False]
    inspector.arrange(1024)
    assert timeline.visibilities[-1:] == [True]
    for _ in range(3):
        inspector.settle_titles()
    inspector.docks["timeline"].setFloating(True)
    assert timeline.visibilities[-1:] == [False]
    assert [before for before, after in pairwise(timeline.visibilities) if before == after] == []


def test_a_notice_runs_its_action_and_can_be_closed(qtbot: QtBot) -> None:
    ran: list[str] = []
    host = QWidget()
    qtbot.addWidget(host)
    bar = NoticeBar("warning", "Disk full.", [("Try again", lambda: ran.append("retry"))], parent=host)
    button = next(one for one in bar.findChildren(QPushButton) if one.text() == "Try again")
    button.click()
    with qtbot.waitSignal(bar.closed):
        bar.dismiss()
    assert ran == ["retry"]


def test_the_bridge_hands_each_event_to_the_slots_of_its_type(qtbot: QtBot) -> None:
    bus = EventBus()
    bridge = Bridge(bus)
    heard: list[object] = []
    bridge.on(SettingsChanged, heard.append)
    bus.publish(SettingsChanged())
    bus.publish(SessionsChanged())
    bridge.close()
    bus.publish(SettingsChanged())
    assert heard == [SettingsChanged()]


async def test_the_approval_card_hides_nothing_of_a_command(qtbot: QtBot) -> None:
    card = ApprovalCard()
    qtbot.addWidget(card)
    request = ApprovalRequest(
        ("sh", "-c", "ls\n\u202erm -rf"), Path("/w"), program="/w/sh", digest="d" * 64, confinement="bubblewrap"
    )
    asking = asyncio.ensure_future(card.ask(request))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    words = [label.text() for label in card.findChildren(QLabel) if not label.isHidden()]
    assert any("\\n" in line for line in words)
    assert not any("\u202e" in line or "\n" in line for line in words)
    assert any("a file of this workspace" in line for line in words)
    assert any(line.startswith("Reaches nothing outside") and "bubblewrap" in line for line in words)
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert await asking == "deny"


@pytest.mark.parametrize(("label", "decision"), [("Deny", "deny"), ("Run once", "once"), ("Always", "always")])
async def test_a_command_waits_for_the_persons_word(qtbot: QtBot, label: str, decision: str) -> None:
    card = ApprovalCard()
    qtbot.addWidget(card)
    asking = asyncio.ensure_future(card.ask(ApprovalRequest(("ls", "-l", "a b"), Path("/w"))))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert card.isVisible()
    assert "ls -l 'a b'" in [one.text() for one in card.findChildren(QLabel)]
    next(one for one in card.findChildren(QPushButton) if one.text().startswith(label)).click()
    assert await asking == decision
    assert not card.isVisible()


async def test_escape_denies(qtbot: QtBot) -> None:
    card = ApprovalCard()
    qtbot.addWidget(card)
    asking = asyncio.ensure_future(card.ask(ApprovalRequest(("rm",), Path("/w"))))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert await asking == "deny"


def test_settings_announce_only_what_changed_and_the_key_apart(qtbot: QtBot) -> None:
    dialog = SettingsDialog(Settings(), choices())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    applied: list[dict[str, object]] = []
    keys: list[KeyEntered] = []
    dialog.applied.connect(applied.append)
    dialog.key_entered.connect(keys.append)
    dialog.model._model.setEditText("openai/gpt-4o-mini")
    dialog.model._key.setText("sk-test")
    dialog.memory._window.setValue(40)
    QTest.mouseClick(
        next(one for one in dialog.findChildren(QPushButton) if one.text() == "Save"),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(4, 4),
    )
    assert applied == [{"model": "openai/gpt-4o-mini", "memory_window": 40}]
    assert [(one.model, one.key) for one in keys] == [("openai/gpt-4o-mini", "sk-test")]


async def test_a_window_left_maximised_is_so_on_a_screen_of_another_size(stage: Stage, tmp_path: Path) -> None:
    stage.make(("user", "Hello."))
    window = (await stage.open()).window
    settings = QSettings(str(tmp_path / "other.ini"), QSettings.Format.IniFormat)
    window.showMaximized()
    window.remember(settings)
    settings.setValue("window/geometry", QByteArray(b"which Qt does not take up here"))
    window.showNormal()
    window.restore(settings)
    assert window.isMaximized()


class Layouts(QObject):
    """Counts how often a widget is asked to lay out anew what lies in it."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)


async def test_words_that_change_in_chat_and_timeline_do_not_have_the_whole_window_laid_out(stage: Stage) -> None:
    stage.make(("user", "How do you do?"), ("assistant", "Well."))
    person = await stage.open()
    await rest(0.05)
    status = person.timeline.header.status_label
    person.composer.button.setText("Stop")
    status.setText("Five messages")
    await rest(0.05)
    around = [Layouts(widget) for widget in (person.composer, person.timeline)]
    layouts = Layouts(person.window)
    person.composer.button.setText("Stop it now")
    status.setText("Six messages, and one more of them")
    await until(lambda: all(each.count for each in around), "what is around them laid out")
    await rest()
    assert layouts.count == 0


async def test_a_column_that_needs_more_has_the_window_laid_out(stage: Stage) -> None:
    stage.make(("user", "How do you do?"), ("assistant", "Well."))
    person = await stage.open()
    layouts = Layouts(person.window)
    person.window.chat.setMinimumWidth(person.window.chat.width() + 40)
    await until(lambda: layouts.count and person.window.chat.width() >= person.window.chat.minimumWidth(), "the room")
