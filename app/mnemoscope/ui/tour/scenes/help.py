"""Help: the first start's card, the manual and what is new in it, the keys, the words, the report on what is wrong."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from mnemoscope.ui.manual.manual_window import ManualWindow
from mnemoscope.ui.shell.help.diagnostics_dialog import DiagnosticsDialog
from mnemoscope.ui.shell.help.help_controller import NEWS_PAGE
from mnemoscope.ui.shell.help.keys_dialog import KeysDialog
from mnemoscope.ui.timeline.introduction import Introduction
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes
from mnemoscope.ui.widgets.dialogs.pairs_dialog import PairsDialog

_ASKED = "pointer"

DialogT = TypeVar("DialogT", bound=QDialog)


class HelpScenes(Scenes):
    """Plays the scenes of the Help menu, and of the first start."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.introduction, self.manual, self.news, self.keys, self.words, self.diagnostics)

    async def introduction(self) -> None:
        """Points at the pointer's line, as the first start does."""
        view = self.window.timeline.view

        async def show() -> None:
            self.current.actions["pane.timeline"].trigger()
            await self.driver.until(lambda: Introduction.can_point(view), "a timeline with a pointer")
            Introduction(view).point()

        async def hide() -> None:
            for card in view.findChildren(Introduction):
                self.driver.press(card.button, Qt.Key.Key_Escape)
            await self.driver.until(lambda: not view.findChildren(Introduction), "the card gone")

        await self.stage.shoot_over(
            "introduction",
            "The first start",
            "points at the violet line once: what is above it is in memory already.",
            show,
            hide,
        )

    async def keys(self) -> None:
        """Looks for the keys of a command, and shows where they are changed."""

        async def show() -> None:
            self.current.actions["help.keys"].trigger()
            dialog = self._dialog(KeysDialog)
            self.driver.type(dialog.field, "conversation")

        async def hide() -> None:
            self._dialog(KeysDialog).close()
            await self.driver.until(lambda: not self.window.findChildren(KeysDialog), "the keys closed")

        await self.stage.shoot_over(
            "keys", "All keys,", "searched by words or by a key, and changed if you like others better.", show, hide
        )

    async def words(self) -> None:
        """Lists the words of the window."""
        await self.shoot_dialog(
            PairsDialog,
            self.current.actions["help.words"].trigger,
            "words",
            "Each word means one thing,",
            "and says what on hover; Help > Words lists them all.",
        )

    async def diagnostics(self) -> None:
        """Waits for the report."""

        async def show() -> None:
            self.current.actions["help.diagnostics"].trigger()
            dialog = self._dialog(DiagnosticsDialog)
            await self.driver.until(dialog.copy_button.isEnabled, "the report")

        async def hide() -> None:
            self._dialog(DiagnosticsDialog).close()
            await self.driver.until(lambda: not self.window.findChildren(DiagnosticsDialog), "the report closed")

        await self.stage.shoot_over(
            "diagnostics", "Diagnostics", "tell what to look at when something is wrong, without a secret.", show, hide
        )

    def _dialog(self, kind: type[DialogT]) -> DialogT:
        found = self.window.findChildren(kind)
        if not found:
            raise NotShown(kind.__name__)
        return found[-1]

    async def manual(self) -> None:
        """Opens the page about the timeline and searches all pages."""

        async def show() -> None:
            self.current.manual.open("timeline")
            window = self._window()
            await self.driver.until(window.isVisible, "the manual")
            self.driver.type(window.field, _ASKED)
            await self.driver.until(lambda: window.results.count() > 0, "what the manual says of it")
            window.step(1)

        async def hide() -> None:
            self.current.manual.close()

        await self.stage.shoot_over(
            "manual",
            "The manual, in the window.",
            "One field searches all of its pages. F1 opens the page of the part in use.",
            show,
            hide,
        )

    async def news(self) -> None:
        """Opens the page of the manual that tells what is new."""

        async def show() -> None:
            self.current.actions["help.news"].trigger()
            window = self._window()
            await self.driver.until(lambda: window.isVisible() and window.page == NEWS_PAGE, "what is new")

        async def hide() -> None:
            self.current.manual.close()

        await self.stage.shoot_over(
            "news", "What is new,", "in the manual, where each of it leads to the page about it.", show, hide
        )

    def _window(self) -> ManualWindow:
        window = self.current.manual.window
        if window is None:
            raise NotShown("the manual")
        return window
