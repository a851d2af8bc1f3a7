"""Shows notifications through the desktop's portal, over D-Bus, which is loaded when there is something to show."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage

_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PORTAL_PATH: Final = "/org/freedesktop/portal/desktop"
_PORTAL_INTERFACE: Final = "org.freedesktop.portal.Notification"
_ACTION: Final = "open"


class PortalNotifier(QObject):
    """Shows notifications through the desktop's portal, over D-Bus; nobody waits for its answer."""

    pressed = Signal()
    _numbers = count(1)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Each window has a notification of its own.
        self._id = f"mnemoscope-{next(self._numbers)}"
        slot: Any = SLOT("_on_action(QDBusMessage)")  # a text, though the stub of `connect` asks for bytes
        bus = QDBusConnection.sessionBus()
        bus.connect(_PORTAL, _PORTAL_PATH, _PORTAL_INTERFACE, "ActionInvoked", self, slot)

    def show(self, title: str, words: str) -> None:
        """Shows a title and a sentence."""
        self._call("AddNotification", [self._id, {"title": title, "body": words, "default-action": _ACTION}])

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
        if message.arguments()[:2] == [self._id, _ACTION]:
            self.pressed.emit()

    @staticmethod
    def _call(method: str, arguments: list[object]) -> None:
        message = QDBusMessage.createMethodCall(_PORTAL, _PORTAL_PATH, _PORTAL_INTERFACE, method)
        message.setArguments(arguments)
        QDBusConnection.sessionBus().send(message)
