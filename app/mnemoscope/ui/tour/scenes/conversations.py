"""The list of conversations: several of them at once, deleted with one way back, and pinned above the others."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QMenu

from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.stage import CTRL, Scenes

_SEVERAL: Final = 3


class ConversationScenes(Scenes):
    """Plays the scenes of the list, which they leave as it was."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.several, self.deleted, self.pinned)

    async def several(self) -> None:
        await self.stage.ready()
        await self.driver.until(lambda: len(self._keys()) > _SEVERAL, "the list of conversations")
        await self._select(self._keys()[:_SEVERAL])
        await self.stage.shoot_over(
            "several",
            "Several conversations at once",
            "are pinned, exported, archived or deleted, with one way back.",
            self._open_menu,
            self._close_menu,
        )

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
        await self.driver.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")

    async def _choose(self, words: str) -> None:
        menu = QApplication.activePopupWidget()
        action = next((each for each in menu.actions() if each.text() == words), None) if menu is not None else None
        if not isinstance(menu, QMenu) or action is None:
            raise NotShown(f"“{words}” in the menu")
        self.driver.click(menu, menu.actionGeometry(action).center())
        await self.driver.until(lambda: QApplication.activePopupWidget() is None, "no menu")

    async def _close_menu(self) -> None:
        menu = QApplication.activePopupWidget()
        if menu is not None:
            menu.close()
        await self.driver.until(lambda: QApplication.activePopupWidget() is None, "no menu")
