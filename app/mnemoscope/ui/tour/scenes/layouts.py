"""A layout for each use, and one pane with all the room."""

from __future__ import annotations

from PySide6.QtCore import Qt

from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.stage import Scenes


class LayoutScenes(Scenes):
    """Plays the scenes of the layouts; the window is laid out for chat before and after."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.edit, self.audit, self.maximised)

    async def edit(self) -> None:
        """Arranges the window for editing."""
        split = self.window.memory.body.split
        await self.stage.bring_to_front()
        self._press(Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        await self.driver.until(lambda: split.preview_card.x() > split.source_card.x(), "the preview beside the source")
        await self.stage.shoot(
            "layout-edit",
            "A layout for each use:",
            "Alt+2 is for editing, the source and how it reads side by side, with the conversation within reach.",
            pane="memory",
        )

    async def audit(self) -> None:
        """Arranges the window for auditing."""
        timeline, history, blame = self.window.timeline, self.window.history, self.window.memory.editor.blame
        self._press(Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
        await self.driver.until(
            lambda: not (timeline.visibleRegion().isEmpty() or history.visibleRegion().isEmpty()),
            "the timeline beside the history",
        )
        await self.driver.until(lambda: any(blame.owners.commits), "who wrote the lines")
        await self.stage.shoot(
            "layout-audit",
            "Alt+3 is for auditing:",
            "what was said, what it became, the log, and who wrote each line of memory.",
            pane="timeline",
        )

    async def maximised(self) -> None:
        """Gives the pane with the keyboard all the room."""
        self._press(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
        timeline, chat = self.window.timeline, self.window.chat
        await self.driver.until(lambda: not chat.visibleRegion().isEmpty(), "the conversation again")
        self.current.actions["pane.timeline"].trigger()
        await self.driver.until(lambda: not timeline.visibleRegion().isEmpty(), "the timeline")
        self._press(Qt.Key.Key_F11)
        await self.driver.until(lambda: chat.visibleRegion().isEmpty(), "the timeline alone")
        await self.stage.shoot(
            "maximised",
            "One pane with all the room,",
            "by F11 or a double click on its title; the same brings the others back where they were.",
        )
        self._press(Qt.Key.Key_F11)
        await self.driver.until(lambda: not chat.visibleRegion().isEmpty(), "the other panes again")

    def _press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None) -> None:
        """Presses a key where the keyboard is."""
        self.driver.press(self.window.focusWidget() or self.window, key, modifiers)
