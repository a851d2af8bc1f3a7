"""Tells of an answer or a review through the system while the window is not in front: without a word of what was said.
A press of what is told opens the conversation that was answered, or what waits for review.

Where the desktop has the portal for notifications (org.freedesktop.portal.Notification), that shows them; elsewhere
Qt's icon in the system's tray does. Where there is neither, nothing is shown. The icon in the tray also is there, with
its number, as long as something waits for review, whatever shows the notifications.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any, Final, Protocol

from PySide6.QtCore import SLOT, QEvent, QObject, QRectF, QSettings, Qt, QTimer, Signal, SignalInstance, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

from mnemoscope.domain.events import TurnEnded
from mnemoscope.ui.shell.open_window import bring_to_front
from mnemoscope.ui.support.bridge import Bridge

_BATCH_MILLISECONDS: Final = 1_500
"""Events within this time are put into one notification."""
_SETTING: Final = "window/notifications"
_TOLD: Final = frozenset({"answered", "failed"})
_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PORTAL_PATH: Final = "/org/freedesktop/portal/desktop"
_PORTAL_INTERFACE: Final = "org.freedesktop.portal.Notification"
_PORTAL_ACTION: Final = "open"
ICON_SIZES: Final = (16, 22, 24, 32, 44, 48, 64)
"""Pixels of the pictures of an icon, of which the tray takes the one that fits."""
_MOST_DRAWN: Final = 9
"""The largest number that is drawn; of more it says that there are more."""
_NUMBER_GROUND: Final = QColor("#C21F2B")
_NUMBER_INK: Final = QColor("#FFFFFF")
"""The number stands on its own ground with an edge around it: it reads on a light panel and on a dark one."""
_NUMBER_HEIGHT: Final = 0.62
"""Part of the icon's height that the number takes: smaller, it could not be read at 16 pixels."""


class SystemNotifier(Protocol):
    """Shows one notification, in place of the one before. `pressed` is emitted when the person presses it."""

    @property
    def pressed(self) -> SignalInstance:
        """Returns the signal of a press."""
        ...

    def show(self, title: str, words: str) -> None:
        """Shows a title and a sentence."""
        ...

    def withdraw(self) -> None:
        """Takes the notification away, if it is still shown."""
        ...


class TrayIcon(QObject):
    """Shows the icon in the system's tray: there as long as something waits for review, with the number of it, or as
    long as a notification is shown at it. Where the desktop has no tray, nothing is shown."""

    pressed = Signal()
    number_pressed = Signal()
    """The icon was pressed while no notification was shown at it."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._icon: QSystemTrayIcon | None = None
        self._words = ""
        self._count = 0

    @property
    def icon(self) -> QSystemTrayIcon | None:
        """Returns the icon, None where nothing was to be shown yet."""
        return self._icon

    @property
    def picture(self) -> QIcon:
        """Returns the icon as it is drawn, also where the desktop has no tray."""
        return counted_icon(self._window.windowIcon(), self._count)

    @property
    def meaning(self) -> str:
        """Returns what is said of the icon on hover, and by a screen reader: a tray has no other name for it."""
        waiting = self.tr("Waiting for review: {count}").format(count=f"{self._count:,}") if self._count else ""
        return "\n".join(filter(None, ("Mnemoscope", self._words, waiting)))

    def show(self, title: str, words: str) -> None:
        """Shows a title and a sentence; a click on either or on the icon is a press."""
        self._words = words
        self._draw()
        if self._icon is not None:
            self._icon.showMessage(title, words, QSystemTrayIcon.MessageIcon.NoIcon)

    def show_count(self, count: int) -> None:
        """Draws on the icon how many proposals wait for review, and says it on hover and to a screen reader."""
        self._count = count
        self._draw()

    def withdraw(self) -> None:
        """Takes the words away, and the icon where nothing waits."""
        self._words = ""
        self._draw()

    def _draw(self) -> None:
        if not self._words and not self._count:
            if self._icon is not None:
                self._icon.hide()
            return
        if self._icon is None:
            # A tray that comes later than the window is seen by the next number.
            if not QSystemTrayIcon.isSystemTrayAvailable():
                return
            self._icon = QSystemTrayIcon(self)
            self._icon.messageClicked.connect(self.pressed)
            self._icon.activated.connect(
                lambda _reason: self.pressed.emit() if self._words else self.number_pressed.emit()
            )
        self._icon.setIcon(self.picture)
        self._icon.setToolTip(self.meaning)
        self._icon.show()


class PortalNotifier(QObject):
    """Shows notifications through the desktop's portal, over D-Bus; nobody waits for its answer."""

    pressed = Signal()
    _numbers = itertools.count(1)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Each window has a notification of its own.
        self._id = f"mnemoscope-{next(self._numbers)}"
        slot: Any = SLOT("_on_action(QDBusMessage)")  # a text, though the stub of `connect` asks for bytes
        bus = QDBusConnection.sessionBus()
        bus.connect(_PORTAL, _PORTAL_PATH, _PORTAL_INTERFACE, "ActionInvoked", self, slot)

    def show(self, title: str, words: str) -> None:
        """Shows a title and a sentence."""
        self._call("AddNotification", [self._id, {"title": title, "body": words, "default-action": _PORTAL_ACTION}])

    def withdraw(self) -> None:
        """Takes the notification away, if it is still shown."""
        self._call("RemoveNotification", [self._id])

    @staticmethod
    def is_there() -> bool:
        """Returns whether the desktop has the portal."""
        bus = QDBusConnection.sessionBus()
        return bus.isConnected() and bool(bus.interface().isServiceRegistered(_PORTAL).value())

    @Slot("QDBusMessage")
    def _on_action(self, message: Any) -> None:
        if message.arguments()[:2] == [self._id, _PORTAL_ACTION]:
            self.pressed.emit()

    @staticmethod
    def _call(method: str, arguments: list[object]) -> None:
        message = QDBusMessage.createMethodCall(_PORTAL, _PORTAL_PATH, _PORTAL_INTERFACE, method)
        message.setArguments(arguments)
        QDBusConnection.sessionBus().send(message)


def _portal_notifier(window: QMainWindow) -> SystemNotifier | None:
    """Returns what shows notifications through the desktop's portal, None where there is none."""
    if sys.platform != "linux" or not PortalNotifier.is_there():
        return None
    return PortalNotifier(window)


class NotificationController(QObject):
    """Counts answers and reviews while the window is away, and tells of each batch once. Off by one command.

    A press of what was told brings the window to the front, and then `conversation_requested` carries the key of the
    conversation that was answered last, or `review_requested` says that nothing but proposals was told.
    """

    conversation_requested = Signal(str)
    review_requested = Signal()

    def __init__(
        self,
        window: QMainWindow,
        bridge: Bridge,
        settings: QSettings,
        notifier: Callable[[QMainWindow], SystemNotifier | None] = _portal_notifier,
    ) -> None:
        """Where `notifier` returns None, the icon in the tray shows the notifications."""
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._find_notifier = notifier
        self._notifier: SystemNotifier | None = None
        self.tray = TrayIcon(window)
        self.tray.pressed.connect(self._open)
        self.tray.number_pressed.connect(self._open_review)
        self._answers = 0
        self._reviews = 0
        self._waiting: int | None = None
        """The proposals that wait for review, None before they were counted."""
        self._answered = ""
        """The key of the conversation that was answered last, "" where nothing but proposals is to be told."""
        self._notified_key = ""
        """The same of the notification that is shown."""
        self._batch = QTimer(self, interval=_BATCH_MILLISECONDS, singleShot=True)
        self._batch.timeout.connect(self.notify)
        bridge.on(TurnEnded, self._on_turn)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.applicationStateChanged.connect(self._on_state)
        # Another window of the program may have been in front.
        window.installEventFilter(self)

    @property
    def is_on(self) -> bool:
        """Tells whether notifications are wanted."""
        return bool(self._settings.value(_SETTING, True, bool))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Forgets what was to be told once the window is in front."""
        if event.type() == QEvent.Type.WindowActivate:
            self._forget()
        return False

    def toggle(self) -> None:
        """Turns notifications off, or on again."""
        self._settings.setValue(_SETTING, not self.is_on)
        if not self.is_on:
            self._forget()

    def notify(self) -> None:
        """Shows a notification of what came since the window was left."""
        words = self._words()
        if not words or self._is_in_front() or not self.is_on:
            self._forget()
            return
        notifier = self._notifier or self.show_through(self._find_notifier(self._window) or self.tray)
        self._notified_key = self._answered
        notifier.show("Mnemoscope", words)

    def show_through(self, notifier: SystemNotifier) -> SystemNotifier:
        """Has this show the notifications from now on, and returns it."""
        if notifier not in (self.tray, self._notifier):
            # The tray is listened to from the start.
            notifier.pressed.connect(self._open)
        self._notifier = notifier
        return notifier

    def show_waiting(self, count: int) -> None:
        """Has the icons of the program and of the tray carry how many proposals wait for review, and has those that are
        new since the last count told. What waited when the window opened is not told."""
        new = 0 if self._waiting is None else count - self._waiting
        self._waiting = count
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setBadgeNumber(count)
        self.tray.show_count(count)
        if new > 0:
            self._reviews += new * self._note()

    def _words(self) -> str:
        parts = []
        if self._answers:
            parts.append(self.tr("%n answers have arrived.", "", self._answers))
        if self._reviews:
            parts.append(self.tr("%n proposals wait for your review.", "", self._reviews))
        return " ".join(parts)

    def _on_turn(self, event: TurnEnded) -> None:
        if event.outcome in _TOLD and self._note():
            self._answers += 1
            self._answered = event.session_key

    def _note(self) -> int:
        """Returns 1 where something is to be told, and has it told soon."""
        if self._is_in_front() or not self.is_on:
            return 0
        self._batch.start()
        return 1

    def _is_in_front(self) -> bool:
        return self._window.isActiveWindow()

    def _open(self) -> None:
        """Brings the window to the front, with what was told."""
        self._show_window()
        if self._notified_key:
            self.conversation_requested.emit(self._notified_key)
        else:
            self.review_requested.emit()

    def _open_review(self) -> None:
        """Brings the window to the front, with what waits."""
        self._show_window()
        self.review_requested.emit()

    def _show_window(self) -> None:
        bring_to_front(self._window)
        self._forget()

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._forget()

    def _forget(self) -> None:
        self._batch.stop()
        self._answers = self._reviews = 0
        self._answered = ""
        if self._notifier is not None:
            self._notifier.withdraw()


def counted_icon(icon: QIcon, count: int) -> QIcon:
    """Returns the icon with a number at its lower right, "9+" for more than 9; without a number for 0."""
    if count <= 0:
        return icon
    counted = QIcon()
    for size in ICON_SIZES:
        counted.addPixmap(_with_number(icon.pixmap(size, size), size, number_words(count)))
    return counted


def number_words(count: int) -> str:
    """Returns the number as it is drawn."""
    return str(count) if count <= _MOST_DRAWN else f"{_MOST_DRAWN}+"


def _with_number(drawn: QPixmap, size: int, words: str) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, size, size, drawn)
        height = round(size * _NUMBER_HEIGHT)
        font = QFont(painter.font())
        font.setPixelSize(max(8, round(height * 0.86)))
        font.setWeight(QFont.Weight.Bold)
        painter.setFont(font)
        width = min(size, max(height, painter.fontMetrics().horizontalAdvance(words) + height // 3))
        ground = QRectF(size - width, size - height, width, height)
        painter.setPen(QPen(_NUMBER_INK, max(1, size // 24)))
        painter.setBrush(_NUMBER_GROUND)
        painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        painter.setPen(_NUMBER_INK)
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, words)
    return pixmap
