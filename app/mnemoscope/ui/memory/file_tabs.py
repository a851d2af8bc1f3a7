"""The row of tabs above the memory text: one for each file, with marks for what is unsaved or waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTabBar, QWidget

from mnemoscope.ui.widgets.theme import set_role


def name_of(path: str) -> str:
    """What a file is called where its folder is of no interest."""
    return path.rpartition("/")[2]


class FileTabs(QTabBar):
    """`chosen` carries the path of the tab a person turned to."""

    chosen = Signal(str)

    def __init__(self, paths: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paths = tuple(paths)
        self._unsaved: set[str] = set()
        self._waiting: dict[str, int] = {}
        set_role(self, role="files")
        self.setAccessibleName(self.tr("Memory files"))
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(False)
        for path in self._paths:
            place = self.addTab(name_of(path))
            self.setTabToolTip(place, path)
        self.currentChanged.connect(lambda place: self.chosen.emit(self._paths[place]))

    @property
    def path(self) -> str:
        """The file that is chosen."""
        return self._paths[max(0, self.currentIndex())]

    def choose(self, path: str) -> None:
        """Turn to a file."""
        self.setCurrentIndex(self._paths.index(path))

    def mark(self, path: str, *, unsaved: bool) -> None:
        """Say whether a file has words that are not saved."""
        (self._unsaved.add if unsaved else self._unsaved.discard)(path)
        self._show(path)

    def show_waiting(self, waiting: Mapping[str, int]) -> None:
        """How many suggestions wait in each file."""
        self._waiting = dict(waiting)
        for path in self._paths:
            self._show(path)

    def _show(self, path: str) -> None:
        place, name, waiting = self._paths.index(path), name_of(path), self._waiting.get(path, 0)
        dot = "● " if path in self._unsaved else ""
        self.setTabText(place, f"{dot}{name} ({waiting})" if waiting else f"{dot}{name}")
        said = [name]
        said += [self.tr("unsaved")] if path in self._unsaved else []
        said += [self.tr("%n suggestion(s) waiting", "", waiting)] if waiting else []
        self.setAccessibleTabName(place, ", ".join(said))
