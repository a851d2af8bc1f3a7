"""The folders opened before, and how: kept in the window's own settings, offered in a menu."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMenu, QWidget

from mnemoscope.store.files.display_names import path_words
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme

_MOST: Final = 8
_OPENED, _LOOKED_AT = "workspaces/recent", "workspaces/looked_at"


class RecentFolders:
    """Keeps the folders opened before, newest first; of some it is noted that the person chose only to look."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def folders(self) -> list[Path]:
        """Returns the folders, newest first; some may be gone."""
        return self._stored(_OPENED)

    def note(self, root: Path, *, looking: bool | None) -> None:
        """Notes that a folder was opened, to write or by choice only to be looked at; None for a look for once, after
        which it is opened as before."""
        if looking is None:
            looking = self.was_looked_at(root)
        others = [path for path in self.folders() if path != root]
        kept = [root, *others][:_MOST]
        looked_at = [path for path in self._stored(_LOOKED_AT) if path in kept and path != root]
        self._settings.setValue(_OPENED, [str(path) for path in kept])
        self._settings.setValue(_LOOKED_AT, [str(path) for path in ([root] if looking else []) + looked_at])

    def was_looked_at(self, root: Path) -> bool:
        """Returns whether the person chose only to look at it, the last time that they chose how to open it."""
        return root in self._stored(_LOOKED_AT)

    def _stored(self, name: str) -> list[Path]:
        stored = self._settings.value(name, [])
        names = [stored] if isinstance(stored, str) else list(stored or [])  # type: ignore[call-overload]
        return [Path(str(each)) for each in names if each]


def folder_words(root: Path) -> str:
    """Returns a folder's name and where it is, the home folder as ~."""
    return f"{root.name}  –  {path_words(root.parent)}"


class RecentMenu(QMenu):
    """Lists the folders opened before; those that are missing are greyed."""

    def __init__(
        self, parent: QWidget, folders: Callable[[], list[Path]], current: Path, chosen: Callable[[Path], object]
    ) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Open recent"))
        self.setIcon(Theme.current().icon("history", "text_muted"))
        self._folders = folders
        self._current = current
        self._chosen = chosen
        self.aboutToShow.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Looks again at which folders there are."""
        self.clear()
        for root in self._folders():
            if root == self._current:
                continue
            is_there = root.is_dir()
            words = folder_words(root).replace("&", "&&")
            action = self.addAction(words if is_there else self.tr("{folder} (missing)").format(folder=words))
            action.setEnabled(is_there)
            action.setToolTip(plain_tooltip(str(root)))
            action.triggered.connect(lambda _checked=False, root=root: self._chosen(root))
        if self.isEmpty():
            self.addAction(self.tr("No other workspace yet")).setEnabled(False)
