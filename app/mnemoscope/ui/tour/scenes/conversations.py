"""The list of conversations: several of them at once, exported, deleted with one way back, pinned, archived."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QMenu

from mnemoscope.agent.export.exporter import ExportFormat
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.sessions.export_dialog import ExportDialog, ExportScope
from mnemoscope.ui.sessions.sessions_pane import ArchiveHeading
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import CTRL, Scenes, Stage

_SEVERAL: Final = 3
_CLOSED: Final = ("Which clay did the workshop in May use?", "What did the shelf for the bowls cost?")
"""The questions of the conversations that are archived, the older first."""


class ConversationScenes(Scenes):
    """Plays the scenes of the list, which they leave as it was but for two archived conversations of their own; what
    is exported goes below `scratch`."""

    def __init__(self, stage: Stage, scratch: Path) -> None:
        super().__init__(stage)
        self._scratch = scratch

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.several, self.exported, self.deleted, self.pinned, self.archived)

    async def several(self) -> None:
        await self.stage.ready()
        await self.driver.until(lambda: len(self._keys()) > _SEVERAL, "the list of conversations")
        await self._select(self._keys()[:_SEVERAL])
        await self.stage.shoot_over(
            "several",
            "Several conversations at once",
            "are pinned, exported or archived, or deleted with one way back.",
            self._open_menu,
            self.menu_closed,
        )

    async def exported(self) -> None:
        """Exports those that are selected, each to a file of its own."""

        def dialog() -> ExportDialog | None:
            return self.shown(ExportDialog)

        keys = self._keys()[:_SEVERAL]
        await self._open_menu()
        await self._choose(f"Export {_SEVERAL} conversations…")
        await self.driver.until(dialog, "in which form several are exported")
        shown = dialog()
        self.driver.expect(shown is not None and shown.wish.scope is ExportScope.CHOSEN, "those that are selected")
        await self.driver.shoot(
            "several-export", "Those that are selected are exported,", "each to a file of its own in a new folder."
        )
        if shown is not None:
            shown.reject()
        await self.driver.until(lambda: dialog() is None, "the dialog closed")
        place = self._scratch / "Exports"
        place.mkdir()
        # The system's own dialog asks where.
        await self.current.exports.export_all(ExportFormat.MARKDOWN.value, place, keys)
        self.driver.expect(len(list(place.glob("*/*.md"))) == _SEVERAL, "a file for each conversation")
        words = f"{_SEVERAL} conversations were exported."
        await self.stage.until_said(words)
        await self.stage.shoot(
            "several-exported", "Exported together:", "it is said how many were written, with the way to their folder."
        )
        self.window.chat.dismiss_notices_with(words)

    async def deleted(self) -> None:
        before = self._keys()
        await self._open_menu()
        await self._choose(f"Delete {_SEVERAL} conversations")
        await self.stage.until_said(f"{_SEVERAL} conversations were moved to the trash.")
        await self.driver.until(lambda: not set(before[:_SEVERAL]) & set(self._keys()), "a list without them")
        await self.stage.ready()
        await self.stage.shoot(
            "several-deleted", "Deleted together,", "and brought back together; the trash keeps them all the same."
        )
        await self.stage.press_button(self.window.chat, "Undo")
        await self.driver.until(lambda: set(self._keys()) == set(before), "the conversations back")
        await self.stage.ready()

    async def pinned(self) -> None:
        keys = self._keys()
        shown, chosen = keys[0], [keys[1], keys[-1]]
        await self._select(chosen)
        await self._open_menu()
        await self._choose("Pin")
        await self.driver.until(lambda: "PINNED" in self._headings(), "those that are pinned")
        await self._select([shown])
        await self.stage.ready()
        await self.stage.shoot(
            "pinned", "Pinned above the others", "stays what one comes back to, however old it is.", pane="timeline"
        )
        await self._select(chosen)
        await self._open_menu()
        await self._choose("Unpin")
        await self.driver.until(lambda: "PINNED" not in self._headings(), "nothing pinned")
        await self._select([shown])
        await self.stage.ready()

    async def archived(self) -> None:
        """Archives two conversations of its own together, and unfolds the archive."""
        before, shown = self._keys(), self.stage.key
        for words in _CLOSED:
            await self.stage.begin_conversation()
            await self.stage.say(words)
        await self.driver.until(lambda: len(self._keys()) == len(before) + len(_CLOSED), "both in the list")
        await self._select([key for key in self._keys() if key not in before])
        await self._open_menu()
        await self._choose("Archive")
        said = f"{len(_CLOSED)} conversations were archived."
        await self.stage.until_said(said)
        await self.driver.until(lambda: set(self._keys()) == set(before), "a list without them")
        await self.driver.until(lambda: self._archive() is not None, "the archive below the list")
        await self.stage.ready()
        await self._fold_archive()
        await self.driver.until(lambda: set(_CLOSED) <= set(self._headings()), "both in the archive")
        await self.stage.shoot(
            "several-archived",
            "Archived together,",
            "they stand folded below the others: to be read, found and exported, and nothing more is said in them.",
        )
        await self._fold_archive()
        self.window.chat.dismiss_notices_with(said)
        await self._select([shown])

    def _archive(self) -> QModelIndex | None:
        """Returns the heading of what is archived, None where nothing is."""
        found = (row for row in self._rows() if isinstance(row.data(Qt.ItemDataRole.UserRole), ArchiveHeading))
        return next(found, None)

    async def _fold_archive(self) -> None:
        """Clicks on the heading of the archive, which unfolds it or folds it."""
        heading = self._archive()
        if heading is None:
            raise NotShown("the archive below the list")
        self._list.scrollTo(heading)
        await self.driver.click(self._list.viewport(), self._list.visualRect(heading).center())

    @property
    def _list(self) -> QListView:
        found = self.window.sessions.findChild(QListView)
        if found is None:
            raise NotShown("the list of conversations")
        return found

    def _rows(self) -> list[QModelIndex]:
        model = self._list.model()
        return [model.index(row, 0) for row in range(model.rowCount())]

    def _places(self) -> dict[str, QModelIndex]:
        """Returns where each conversation stands that is not archived, by its key."""
        rows = ((row, row.data(Qt.ItemDataRole.UserRole)) for row in self._rows())
        return {each.key: row for row, each in rows if isinstance(each, SessionOverview)}

    def _keys(self) -> list[str]:
        return list(self._places())

    def _headings(self) -> list[str]:
        return [str(row.data()) for row in self._rows()]

    async def _select(self, keys: list[str]) -> None:
        """Clicks on the first, and with Ctrl on the others."""
        places = self._places()
        for number, key in enumerate(keys):
            modifier = CTRL if number else Qt.KeyboardModifier.NoModifier
            place = self._list.visualRect(places[key]).center()
            QTest.mouseClick(self._list.viewport(), Qt.MouseButton.LeftButton, modifier, place)
        await self.stage.ready()
        selected = self.window.sessions.selected
        await self.driver.until(lambda: len(selected()) == len(keys), "the conversations selected")

    async def _open_menu(self) -> None:
        """Opens the menu of what is selected."""
        first = min(self._list.selectedIndexes(), key=QModelIndex.row)
        self._list.customContextMenuRequested.emit(self._list.visualRect(first).center())
        await self.menu_opened()

    async def _choose(self, words: str) -> None:
        menu = QApplication.activePopupWidget()
        action = next((each for each in menu.actions() if each.text() == words), None) if menu is not None else None
        if not isinstance(menu, QMenu) or action is None:
            raise NotShown(f"“{words}” in the menu")
        await self.driver.click(menu, menu.actionGeometry(action).center())
        await self.driver.until(lambda: QApplication.activePopupWidget() is None, "no menu")
