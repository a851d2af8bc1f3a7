"""What every scene works with: the window, what the core announced, and a person's hands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from mnemoscope.domain.events import Consolidated, TurnEnded
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow
from mnemoscope.ui.tour.driver import Driver, NotShown
from mnemoscope.ui.tour.model import TourModel

WIDE: Final = (1440, 900)
NARROW: Final = (1024, 700)
CTRL: Final = Qt.KeyboardModifier.ControlModifier


class Stage:
    """One window on show, one model behind it."""

    def __init__(
        self, app: QApplication, current: WorkspaceWindow, driver: Driver, model: TourModel, theme: str
    ) -> None:
        self.app, self.current, self.driver, self.model, self.theme = app, current, driver, model, theme
        self.window = current.window
        self.heard: list[object] = []
        self._turns = 0
        self.leave = current.bench.bus.subscribe(self.heard.append)

    @property
    def key(self) -> str:
        """The conversation on show."""
        return self.current.conversation.key

    async def shoot(self, name: str, title: str, story: str, *, pane: str = "", small: bool = True) -> None:
        """A picture of the wide window, and one of the small window with `pane` in front."""
        await self.driver.shoot(name, title, story)
        if not small:
            return
        await self.resize(*NARROW)
        if pane:
            self.current.actions[f"pane.{pane}"].trigger()
        await self.driver.shoot(f"{name}-small", title, "The same in a small window.", follows=True)
        await self.resize(*WIDE)

    async def say(self, words: str) -> None:
        """Send a message and wait for its answer."""
        self.send(words)
        await self.answered()

    def send(self, words: str) -> None:
        """Type a message and press Enter."""
        self._turns = self._ended() + 1
        self.type(words)
        self.driver.press(self.window.chat.composer.edit, Qt.Key.Key_Return)

    def type(self, words: str) -> None:
        """Type into the composer."""
        self.driver.type(self.window.chat.composer.edit, words)

    async def answered(self) -> None:
        """Wait until the turn of the last `send` has ended."""
        await self.driver.until(lambda: self._ended() >= self._turns, "an answer")
        await self.driver.until(lambda: not self.window.chat.composer.busy, "the composer ready again")

    async def ready(self) -> None:
        """Wait until a conversation is wholly open."""
        await self.driver.until(lambda: self.current.conversation.session is not None, "the whole conversation")
        await self.driver.settle()

    async def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.window.resize(width, height)
        await self.driver.settle()

    def consolidations(self) -> int:
        """How many consolidations of the conversation on show have ended well."""
        return sum(isinstance(one, Consolidated) and one.session_key == self.key for one in self.heard)

    def has_button(self, pane: QWidget, text: str) -> bool:
        """Whether a pane shows a button of that text."""
        return self.driver.button(pane, text) is not None

    async def press_button(self, pane: QWidget, text: str) -> None:
        """Click the button of that text as soon as a pane shows it."""
        await self.driver.until(lambda: self.has_button(pane, text), f"the button “{text}”")
        button = self.driver.button(pane, text)
        if button is not None:
            self.driver.click(button)

    def field(self, pane: QWidget, what: str) -> QLineEdit:
        """The text field of a pane; raises NotShown naming `what` where there is none."""
        found = pane.findChild(QLineEdit)
        if found is None:
            raise NotShown(what)
        return found

    def _ended(self) -> int:
        return sum(isinstance(one, TurnEnded) for one in self.heard)


class Scenes:
    """Scenes that belong together, with what they work with at hand."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.window, self.current, self.driver = stage, stage.window, stage.current, stage.driver
