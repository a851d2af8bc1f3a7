"""A notification that comes while the window is not in front, and the switch that turns notifications off."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QMainWindow, QMenu, QVBoxLayout, QWidget

from mnemoscope.domain.llm import LLMResponse
from mnemoscope.ui.shell.notification_controller import TrayIcon
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes
from mnemoscope.ui.widgets.theme import set_role

_SIZE = (340, 76)
_CORNER = QPoint(16, 16)
_ICON = 32
_PANELS = (QColor("#F2F2F2"), QColor("#1E1E1E"))
"""The grounds of a light and of a dark panel."""
_TRAY_SIZES = (16, 22, 32, 48)
_ABOVE_STATUS = 48
_ANSWER = "Thursday, with the celadon mugs. The test kiln is free on Sunday."


class DesktopStandIn(QFrame):
    """Shows a notification in the corner of a window, as a desktop does in that of the screen."""

    pressed = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(None, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        set_role(self, role="card")
        icon = QLabel(self)
        icon.setPixmap(window.windowIcon().pixmap(_ICON, _ICON))
        self._title, self.words = QLabel(self), QLabel(self)
        set_role(self._title, role="heading")
        self.words.setWordWrap(True)
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self._title)
        said.addWidget(self.words)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(12)
        row.addWidget(icon)
        row.addLayout(said, 1)
        self.resize(*_SIZE)

    def show(self, title: str = "", words: str = "") -> None:
        """Shows a title and a sentence."""
        self._title.setText(title)
        self.words.setText(words)
        self.place()
        self.setVisible(True)

    def place(self) -> None:
        """Goes to the corner of the window as large as that is now."""
        right = QPoint(self._window.width() - self.width() - _CORNER.x(), _CORNER.y())
        self.move(self._window.mapToGlobal(right))

    def withdraw(self) -> None:
        """Takes the notification away."""
        self.hide()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class TrayStandIn(QFrame):
    """Shows the icon of the tray at the lower edge of a window, as light and dark panels of a desktop do, in the sizes
    that panels have, and below it what is said on hover."""

    def __init__(self, window: QMainWindow, tray: TrayIcon) -> None:
        super().__init__(None, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        set_role(self, role="card")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        for ground in _PANELS:
            panel = QFrame(self)
            panel.setAutoFillBackground(True)
            palette = panel.palette()
            palette.setColor(QPalette.ColorRole.Window, ground)
            panel.setPalette(palette)
            row = QHBoxLayout(panel)
            row.setContentsMargins(16, 6, 16, 6)
            row.setSpacing(16)
            for size in _TRAY_SIZES:
                icon = QLabel(panel)
                icon.setPixmap(tray.picture.pixmap(size, size))
                row.addWidget(icon)
            column.addWidget(panel)
        column.addWidget(QLabel(tray.meaning, self))
        self.adjustSize()
        corner = QPoint(window.width() - self.width() - _CORNER.x(), window.height() - self.height() - _ABOVE_STATUS)
        self.move(window.mapToGlobal(corner))


class NotificationScenes(Scenes):
    """Plays the scenes of notifications."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.notified, self.switch)

    async def notified(self) -> None:
        """Leaves the window while an answer is under way, and comes back by its notification."""
        notifications, desktop = self.current.notifications, DesktopStandIn(self.window)
        notifications.show_through(desktop)
        await self.stage.bring_to_front()
        self.stage.model.talk = [LLMResponse(_ANSWER)]
        self.stage.model.rest_after("celadon")
        self.stage.send("When is the next firing?")
        await self.driver.until(lambda: self.stage.model.rests, "an answer under way")
        elsewhere = QWidget()
        # Out of the picture.
        elsewhere.setGeometry(-50, -50, 1, 1)
        elsewhere.show()
        elsewhere.activateWindow()
        await self.driver.until(lambda: not self.window.isActiveWindow(), "another window in front")
        self.stage.model.go_on.set()
        await self.stage.answered()
        await self.driver.until(desktop.isVisible, "the notification")
        self.driver.expect("celadon" not in desktop.words.text(), "not a word of the conversation")
        await self.driver.shoot(
            "notification",
            "An answer came while another window was in front:",
            "the system tells so once a batch, without a word of what was said; a press leads to the conversation.",
        )
        await self.driver.click(desktop)
        await self.driver.until(self.window.isActiveWindow, "the window in front")
        self.driver.expect(not desktop.isVisible(), "the notification taken away")
        notifications.show_through(notifications.tray)
        elsewhere.close()
        desktop.close()

    async def switch(self) -> None:
        """Goes to the switch by the keys of the menu."""
        bar, wanted = self.window.menus, self.current.actions["view.notifications"]

        async def show() -> None:
            menu = next((each for each in self.window.menus.findChildren(QMenu) if wanted in each.actions()), None)
            if menu is None:
                raise NotShown("the menu with the switch")
            await self.driver.click(bar, bar.actionGeometry(menu.menuAction()).center())
            await self.driver.until(menu.isVisible, "the menu with the switch")
            for _ in menu.actions():
                if menu.activeAction() is not wanted:
                    self.driver.press(menu, Qt.Key.Key_Up)
            self.driver.expect(menu.activeAction() is wanted and wanted.isChecked(), "the switch, which is on")

        async def hide() -> None:
            while (popup := QApplication.activePopupWidget()) is not None:
                popup.close()
            await self.driver.until(lambda: QApplication.activePopupWidget() is None, "no menu")

        await self.stage.shoot_over(
            "notification-switch", "One click turns notifications off,", "in the View menu or the palette.", show, hide
        )
