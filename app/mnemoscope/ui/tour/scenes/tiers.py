"""Three tiers: what is kept before it is answered, where it stands, why something is not, the pause."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QScrollArea

from mnemoscope.domain.events import Captured
from mnemoscope.ui.markdown.text_style import INTERNAL
from mnemoscope.ui.memory.captures.captures_view import CapturesView
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import Scenes

_SAID = "I prefer the tall kiln. No, the market is in Todmorden, not Halifax."
_NOT_SAID = "Suppose I like blue. Do I prefer cake?"


class TierScenes(Scenes):
    """Scenes in the conversation on show, in which capture is switched on."""

    def all(self) -> tuple[Scene, ...]:
        """In order."""
        return (self.kept, self.listed, self.paused)

    async def kept(self) -> None:
        await self.current.bench.config.change(capture="on")
        await self.stage.say(_SAID)
        shown = self.stage.window.chat.transcript.transcript
        await self.driver.until(lambda: "Kept:" in shown.document.toPlainText(), "what was kept, under the message")
        captured = [event for event in self.stage.heard if isinstance(event, Captured)][-1]
        self._follow(f"kept/{captured.index}/0")
        editor = self.stage.window.memory.main.editor
        line = captured.captures[0].memory_line
        await self.driver.until(lambda: line in editor.text().split("\n")[editor.caret_line()], "the line in memory")
        await self.stage.shoot(
            "captured",
            "Kept before the answer.",
            "Under a message stands what of it was kept, each a way to its line in memory; Undo takes it back.",
            pane="memory",
        )

    async def listed(self) -> None:
        await self.stage.say(_NOT_SAID)
        self.current.actions["capture.log"].trigger()
        body = self.stage.window.memory.main.body
        await self.driver.until(lambda: body.page == "captures" and body.captures.list.count() > 3, "the captures")
        await self.driver.until(lambda: self._says(body.captures, "only supposed"), "why something is not kept")
        await self.stage.shoot(
            "captures",
            "What was captured, and what was not.",
            "Each with the reason, and the way back: Undo, or Keep it after all.",
            pane="memory",
        )
        body.captures.closed.emit()

    async def paused(self) -> None:
        async def show() -> None:
            self.current.settings_controller.open()
            await self.driver.until(lambda: self._dialog() is not None, "the settings")
            dialog = self._settings()
            area = dialog.findChild(QScrollArea)
            if area is not None:
                area.ensureWidgetVisible(dialog.capture)
                await self.driver.settle()
            self.driver.expect(dialog.capture.isVisible(), "the rows of capture")

        async def hide() -> None:
            self._settings().reject()
            await self.driver.until(lambda: self._dialog() is None, "the settings gone")

        self.current.actions["capture.pause"].trigger()
        await self.driver.until(lambda: self.current.bench.settings.capture_paused, "the pause")
        await self.stage.shoot_over(
            "capture-settings",
            "Capture is a choice,",
            "as the profile has it, on or off; the line at the bottom says when it is paused.",
            show,
            hide,
        )
        self.current.actions["capture.pause"].trigger()
        await self.driver.until(lambda: not self.current.bench.settings.capture_paused, "that it goes on")
        await self.current.bench.config.change(capture="off")

    def _follow(self, address: str) -> None:
        self.stage.window.chat.transcript.view.anchorClicked.emit(QUrl(f"{INTERNAL}{address}"))

    @staticmethod
    def _says(view: CapturesView, words: str) -> bool:
        return any(words in view.list.item(row).text() for row in range(view.list.count()))

    def _dialog(self) -> SettingsDialog | None:
        found = self.stage.window.findChildren(SettingsDialog)
        return next((dialog for dialog in found if dialog.isVisible()), None)

    def _settings(self) -> SettingsDialog:
        dialog = self._dialog()
        if dialog is None:
            raise NotShown("the settings")
        return dialog
