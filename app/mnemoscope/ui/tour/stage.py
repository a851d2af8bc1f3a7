"""Gives every scene what it works with: the window, what the core announced, and a person's hands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QWidget

from mnemoscope.domain.events import Consolidated, TurnEnded
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow
from mnemoscope.ui.tour.driver import Driver, NotShown
from mnemoscope.ui.tour.model_server import ProviderStandIn
from mnemoscope.ui.tour.tour_model import TourModel
from mnemoscope.ui.widgets.dialogs.question import Question
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

WIDE: Final = (1440, 900)
_NARROW: Final = (1024, 700)
Act = Callable[[], Awaitable[object]]
WidgetT = TypeVar("WidgetT", bound=QWidget)
CTRL: Final = Qt.KeyboardModifier.ControlModifier


class Stage:
    """Holds one window on show, one model behind it, and `provider` behind the models that are not built in."""

    def __init__(
        self,
        current: WorkspaceWindow,
        driver: Driver,
        model: TourModel,
        provider: ProviderStandIn,
        theme: str,
        *,
        is_wide_only: bool = False,
    ) -> None:
        self.driver = driver
        self.model = model
        self.provider = provider
        self.theme = theme
        self.is_wide_only = is_wide_only
        self.heard: list[object] = []
        self._ended = 0
        """The turns that have ended in the windows so far."""
        self._turns = 0
        """The number of ended turns that is reached once the turn of the last `send` has ended."""
        self.leave: Callable[[], None] = lambda: None
        self.follow(current)

    def follow(self, current: WorkspaceWindow) -> None:
        """Goes on in this window."""
        self.leave()
        self.current, self.window = current, current.main_window
        self.driver.window = current.main_window
        self.leave = current.bench.bus.subscribe(self._hear)

    @property
    def key(self) -> str:
        """Returns the conversation on show."""
        return self.current.conversation.key

    async def open_settings(self) -> SettingsDialog:
        """Opens the settings and returns their dialog. Raises NotShown."""
        controller = self.current.settings_controller
        controller.open()
        await self.driver.until(lambda: controller.dialog is not None and controller.dialog.isVisible(), "the settings")
        if controller.dialog is None:
            raise NotShown("the settings")
        return controller.dialog

    async def leave_settings(self) -> None:
        """Closes the settings, if they are open."""
        controller = self.current.settings_controller
        if controller.dialog is not None:
            controller.dialog.reject()
        await self.driver.until(lambda: controller.dialog is None, "the settings closed")

    async def shoot(self, name: str, title: str, story: str, *, pane: str = "") -> None:
        """Takes a picture of the wide window, and one of the small window with `pane` in front."""
        await self.driver.shoot(name, title, story)
        if self.is_wide_only:
            return
        await self.resize(*_NARROW)
        if pane:
            self.current.actions[f"pane.{pane}"].trigger()
        await self.driver.shoot(f"{name}-small", title, "The same in a small window.", follows=True)
        await self.resize(*WIDE)

    async def shoot_over(self, name: str, title: str, story: str, show: Act, hide: Act) -> None:
        """Takes pictures of what lies over the window, shown anew in each size: it goes when the window is resized."""
        await show()
        await self.driver.shoot(name, title, story)
        await hide()
        if self.is_wide_only:
            return
        await self.resize(*_NARROW)
        await show()
        await self.driver.shoot(f"{name}-small", title, "The same in a small window.", follows=True)
        await hide()
        await self.resize(*WIDE)

    async def say(self, words: str) -> None:
        """Sends a message and waits for its answer."""
        self.send(words)
        await self.answered()

    def send(self, words: str) -> None:
        """Types a message and presses Enter."""
        self._turns = self._ended + 1
        self.type(words)
        self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Return)

    def type(self, words: str) -> None:
        """Types into the composer."""
        self.driver.type(self.window.chat.composer.edit, words)

    async def answered(self) -> None:
        """Waits until the turn of the last `send` has ended."""
        await self.driver.until(lambda: self._ended >= self._turns, "an answer")
        await self.driver.until(lambda: not self.window.chat.composer.busy, "the composer ready again")

    async def ready(self) -> None:
        """Waits until a conversation is wholly open."""
        conversation = self.current.conversation
        await self.driver.until(
            lambda: conversation.session is not None and not conversation.is_opening, "the whole conversation"
        )
        await self.driver.settle()

    async def begin_conversation(self) -> None:
        """Begins a conversation, as Ctrl+N does, and waits until it is on show."""
        before = self.key
        await self.shortcut(Qt.Key.Key_N)
        await self.driver.until(lambda: self.key != before, "a new conversation")
        await self.ready()

    async def resize(self, width: int, height: int) -> None:
        """Gives the window another size."""
        self.window.resize(width, height)
        await self.driver.settle()

    def consolidations(self) -> int:
        """Returns how many consolidations of the conversation on show have ended well."""
        return sum(isinstance(one, Consolidated) and one.session_key == self.key for one in self.heard)

    def has_button(self, pane: QWidget, text: str) -> bool:
        """Returns whether a pane shows a button of that text."""
        return self.driver.button(pane, text) is not None

    def said(self, words: str) -> bool:
        """Returns whether a bar above the conversation says this."""
        bars = self.window.chat.findChildren(NoticeBar)
        return any(bar.isVisible() and words in bar.sentence and bar.sentence for bar in bars)

    async def until_said(self, words: str) -> None:
        """Waits for a bar that says this."""
        await self.driver.until(lambda: self.said(words), f"a bar that says “{words}”")

    async def shortcut(self, key: Qt.Key) -> None:
        """Presses Ctrl and a key, as whoever has this window before them does."""
        await self.bring_to_front()
        self.driver.press(self.window, key, CTRL)

    async def bring_to_front(self) -> None:
        """Gives the keyboard back to the window: offscreen no window manager does so when a dialog over it closes."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            await self.driver.until(self.window.isActiveWindow, "the window in front")

    async def press_button(self, pane: QWidget, text: str) -> None:
        """Clicks the button of that text as soon as a pane shows it."""
        await self.driver.double_click_over()
        await self.driver.until(lambda: self.has_button(pane, text), f"the button “{text}”")
        button = self.driver.button(pane, text)
        if button is not None:
            await self.driver.click(button)

    def field(self, pane: QWidget, what: str) -> QLineEdit:
        """Returns the text field of a pane; raises NotShown naming `what` where there is none."""
        found = pane.findChild(QLineEdit)
        if found is None:
            raise NotShown(what)
        return found

    def _hear(self, event: object) -> None:
        self.heard.append(event)
        self._ended += isinstance(event, TurnEnded)


class Scenes:
    """Plays scenes that belong together, with what they work with at hand."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.driver = stage, stage.driver

    @property
    def current(self) -> WorkspaceWindow:
        """Returns the workspace on show."""
        return self.stage.current

    @property
    def window(self) -> MainWindow:
        """Returns its window."""
        return self.stage.window

    def shown(self, kind: type[WidgetT]) -> WidgetT | None:
        """Returns the widget of this kind that is in sight in or over the window, None where none is."""
        return next((one for one in self.window.findChildren(kind) if one.isVisible()), None)

    async def shoot_dialog(
        self, kind: type[QDialog], opens: Callable[[], object], name: str, title: str, story: str
    ) -> None:
        """Takes pictures of a dialog of this kind, which `opens` brings over the window, and closes it."""

        async def show() -> None:
            opens()
            await self.driver.until(lambda: self.shown(kind), f"the dialog of {name}")

        async def hide() -> None:
            if (dialog := self.shown(kind)) is not None:
                dialog.reject()
            await self.driver.until(lambda: self.shown(kind) is None, f"the dialog of {name} closed")

        await self.stage.shoot_over(name, title, story, show, hide)

    def question(self) -> Question | None:
        """Returns the question that is asked over the window, None where none is."""
        return self.shown(Question)

    async def menu_opened(self) -> None:
        """Waits until a menu is open."""
        await self.driver.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")

    async def menu_closed(self) -> None:
        """Closes the menu that is open, if one is."""
        if (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        await self.driver.until(lambda: QApplication.activePopupWidget() is None, "no menu")
