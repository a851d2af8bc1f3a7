"""Answers and reviews are told once a batch while the window is away, without a word of what was said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from mnemoscope.domain.events import EventBus, TurnEnded
from mnemoscope.ui.shell.notification_controller import NotificationController, TrayIcon
from mnemoscope.ui.support.bridge import Bridge

KEY = "desktop:test"


class HeldNotifications(QObject):
    """Keeps what it is asked to show."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.withdrawn = 0

    def show(self, title: str, words: str) -> None:
        assert title == "Mnemoscope"
        self.shown.append(words)

    def withdraw(self) -> None:
        self.withdrawn += 1


class PlacedWindow(QMainWindow):
    """A window whose place in front the test decides."""

    in_front = False

    def isActiveWindow(self) -> bool:
        return self.in_front


class Away:
    """A window that is not in front, and what is told of it."""

    def __init__(self, qtbot: QtBot, settings: QSettings) -> None:
        self.window = PlacedWindow()
        self.settings = settings
        qtbot.addWidget(self.window)
        self.held = HeldNotifications()
        self.bus = EventBus()
        self.bridge = Bridge(self.bus, self.window)
        self.controller = NotificationController(self.window, self.bridge, settings, lambda _window: self.held)
        self.controller.show_waiting(0)

    def notifications(self) -> list[str]:
        """Returns what was shown, the batch that waits included."""
        self.controller.notify()
        return self.held.shown


@pytest.fixture
def away(qtbot: QtBot, tmp_path: Path) -> Iterator[Away]:
    made = Away(qtbot, QSettings(str(tmp_path / "w.ini"), QSettings.Format.IniFormat))
    yield made
    made.bridge.close()


def test_an_answer_is_told_while_the_window_is_away(away: Away) -> None:
    away.bus.publish(TurnEnded(KEY, "answered"))
    assert len(away.notifications()) == 1


def test_a_batch_is_told_once(away: Away) -> None:
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.bus.publish(TurnEnded(KEY, "failed"))
    away.controller.show_waiting(2)
    assert away.held.shown == []
    assert away.notifications() == ["2 answers have arrived. 2 proposals wait for your review."]


def test_what_came_behind_another_window_of_the_program_is_forgotten_once_the_window_is_in_front(away: Away) -> None:
    away.bus.publish(TurnEnded(KEY, "answered"))
    assert len(away.notifications()) == 1
    QApplication.sendEvent(away.window, QEvent(QEvent.Type.WindowActivate))
    assert away.held.withdrawn == 1
    away.bus.publish(TurnEnded(KEY, "answered"))
    assert away.notifications()[1].startswith("1 answer"), "the one that was seen is not counted again"


def test_what_shows_them_can_take_the_place_of_what_did(away: Away) -> None:
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.notifications()
    other = HeldNotifications()
    away.controller.show_through(other)
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.notifications()
    assert (len(away.held.shown), len(other.shown)) == (1, 1)
    wanted: list[str] = []
    away.controller.conversation_requested.connect(wanted.append)
    other.pressed.emit()
    assert wanted == [KEY]


def test_nothing_is_told_in_front(away: Away) -> None:
    away.window.in_front = True
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.controller.show_waiting(1)
    away.window.in_front = False
    assert away.notifications() == []


def test_what_the_person_came_to_see_meanwhile_is_not_told(away: Away) -> None:
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.window.in_front = True
    assert away.notifications() == []


@pytest.mark.parametrize("outcome", ["stopped", "refused", "command"])
def test_what_the_person_did_is_not_told(away: Away, outcome: str) -> None:
    away.bus.publish(TurnEnded(KEY, outcome))
    assert away.notifications() == []


def test_a_review_that_was_settled_is_not_told(away: Away) -> None:
    away.window.in_front = True
    away.controller.show_waiting(3)
    away.window.in_front = False
    away.controller.show_waiting(2)
    assert away.notifications() == []


def test_one_command_turns_them_off_for_good(away: Away) -> None:
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.controller.toggle()
    away.bus.publish(TurnEnded(KEY, "answered"))
    assert away.notifications() == []
    later = NotificationController(away.window, away.bridge, away.settings, lambda _window: away.held)
    assert not later.is_on
    away.controller.toggle()
    assert away.controller.is_on


def test_what_waited_when_the_window_opened_is_not_told(away: Away) -> None:
    later = NotificationController(away.window, away.bridge, away.settings, lambda _window: away.held)
    later.show_waiting(4)
    later.notify()
    assert away.held.shown == []
    later.show_waiting(6)
    later.notify()
    assert away.held.shown == ["2 proposals wait for your review."]


@pytest.fixture
def has_tray(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has Qt say that the desktop has a tray, or that it has none: the offscreen platform cannot be told."""
    has_one = getattr(request, "param", True)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: has_one))


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
@pytest.mark.usefixtures("has_tray")
def test_the_icons_carry_the_number_from_the_first_count_whatever_shows_notifications(
    away: Away, monkeypatch: pytest.MonkeyPatch
) -> None:
    badges: list[int] = []
    monkeypatch.setattr(QApplication, "setBadgeNumber", staticmethod(badges.append))
    tray = away.controller.tray
    away.controller.show_waiting(0)
    assert not tray.findChildren(QSystemTrayIcon)
    away.controller.show_waiting(3)
    assert tray.icon is not None
    assert tray.icon.isVisible()
    assert tray.icon.toolTip() == "Mnemoscope\nWaiting for review: 3"
    away.bus.publish(TurnEnded(KEY, "answered"))
    away.notifications()
    away.controller._on_state(Qt.ApplicationState.ApplicationActive)
    away.controller.show_waiting(2)
    assert tray.icon.toolTip() == "Mnemoscope\nWaiting for review: 2"
    wanted: list[str] = []
    away.controller.conversation_requested.connect(wanted.append)
    away.controller.review_requested.connect(lambda: wanted.append("review"))
    tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert wanted == ["review"], "whatever conversation was told of before"
    away.controller.show_waiting(0)
    assert not tray.icon.isVisible()
    assert badges == [0, 3, 2, 0]


@pytest.mark.usefixtures("has_tray")
@pytest.mark.parametrize("has_tray", [False], indirect=True)
def test_without_a_tray_the_number_breaks_nothing(away: Away) -> None:
    away.controller.show_waiting(3)
    assert away.controller.tray.icon is None
    nowhere = NotificationController(away.window, away.bridge, away.settings, lambda _window: None)
    nowhere.show_waiting(0)
    nowhere.show_waiting(1)
    nowhere.notify()
    assert nowhere.tray.icon is None


def test_a_press_opens_the_conversation_that_was_answered_last_or_else_what_waits(away: Away) -> None:
    wanted: list[str] = []
    away.controller.conversation_requested.connect(wanted.append)
    away.controller.review_requested.connect(lambda: wanted.append("review"))
    away.controller.show_waiting(1)
    away.notifications()
    away.held.pressed.emit()
    away.bus.publish(TurnEnded("desktop:a", "answered"))
    away.controller.show_waiting(2)
    away.bus.publish(TurnEnded("desktop:b", "answered"))
    away.notifications()
    # The system may bring the window to the front before it says that it was pressed.
    away.controller._on_state(Qt.ApplicationState.ApplicationActive)
    away.held.pressed.emit()
    assert wanted == ["review", "desktop:b"]


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
@pytest.mark.usefixtures("has_tray")
def test_a_press_at_the_tray_is_one(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setWindowIcon(QIcon(QPixmap(32, 32)))
    tray, pressed = TrayIcon(window), list[bool]()
    tray.pressed.connect(lambda: pressed.append(True))
    tray.show("Mnemoscope", "2 answers have arrived.")
    assert tray.icon is not None
    tray.icon.messageClicked.emit()
    tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert len(pressed) == 2
    tray.withdraw()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
@pytest.mark.usefixtures("has_tray")
def test_the_icon_in_the_tray_carries_the_number_and_says_it(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    pixmap = QPixmap(32, 32)
    pixmap.fill(QColor("#2456C4"))
    window.setWindowIcon(QIcon(pixmap))
    tray = TrayIcon(window)
    tray.show_count(12)
    tray.show("Mnemoscope", "2 answers have arrived.")
    icon = tray.icon
    assert icon is not None
    many = icon.icon().pixmap(32, 32).toImage()
    assert icon.toolTip() == "Mnemoscope\n2 answers have arrived.\nWaiting for review: 12"
    tray.show_count(0)
    assert icon.toolTip() == "Mnemoscope\n2 answers have arrived."
    none = icon.icon().pixmap(32, 32).toImage()
    assert none.pixelColor(26, 26) == QColor("#2456C4") != many.pixelColor(19, 30)
    assert many != none
    tray.withdraw()
