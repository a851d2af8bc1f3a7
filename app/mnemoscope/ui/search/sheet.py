"""Ctrl+Shift+F: one field for everything that is remembered; what is found shows as it is typed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QWidget

from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.ui.search.rows import HIT_HEIGHT, SearchDelegate, SearchModel, SearchRow, row_height, search_rows
from mnemoscope.ui.widgets.floating_sheet import TOP, FloatingSheet
from mnemoscope.ui.widgets.theme import Theme, set_role

_WIDTH: Final = 688
_MOST_HEIGHT: Final = 520
_PAUSE: Final = 180
"""Milliseconds without a key after which a query is taken to be whole."""
_STEPS: Final = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -6,
    Qt.Key.Key_PageDown: 6,
}


class SearchSheet(FloatingSheet):
    """The sheet. `typed` comes with every key, `paused` when the person stops; `chosen` with what is to be shown."""

    typed = Signal(str)
    paused = Signal(str)
    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Search everything"))
        self._notice = ""
        self._has_moved = False
        self._opened: set[SearchKind] = set()
        self._found: Callable[[Collection[SearchKind]], list[SearchRow]] = lambda _opened: []
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Search memory, notes, history and conversations"))
        self.field.setAccessibleName(self.tr("Search everything"))
        self.model = SearchModel(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(SearchDelegate(self.list))
        self.list.setAccessibleName(self.tr("Found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.line = QLabel(self)
        self.line.setTextFormat(Qt.TextFormat.PlainText)
        self.line.setWordWrap(True)
        set_role(self.line, role="muted")
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(lambda: self.paused.emit(self.field.text()))
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self._choose)
        self.field.installEventFilter(self)
        self.list.clicked.connect(lambda _index: self._choose())
        self.hold(self.field, self.list, self.line, below=10)

    def offer(self) -> None:
        """Opens over the window, with the words of the last time selected."""
        self._fit()
        self.float_over(self.field, _WIDTH, margin=64)
        self.field.selectAll()
        self._on_typed(self.field.text())

    def show_hits(self, hits: Sequence[SearchHit], today: date, titles: Mapping[str, str]) -> None:
        """Shows what was found for the words in the field; the passage chosen stays chosen where it is still there.

        `titles`: of conversations by key.
        """
        before = self._current()
        self._found = partial(search_rows, hits, today, titles)
        rows = self._found(self._opened)
        self.model.show(rows)
        same = [number for number, row in enumerate(rows) if row.hit and before and row.hit.number == before.number]
        first = next((number for number, row in enumerate(rows) if row.hit), -1)
        # Where nobody moved, the best one is chosen, whatever was the best before.
        self._select(same[0] if same and self._has_moved else first)
        self._fit()

    def show_notice(self, notice: str) -> None:
        """Shows what the person should know of the index: that it is being made, or that there is none."""
        self._notice = notice
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Moves through what was found where Up, Down or a page key is pressed in the field."""
        pressed = watched is self.field and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and Qt.Key(event.key()) in _STEPS:
            self._move_by(_STEPS[Qt.Key(event.key())])
            return True
        return super().eventFilter(watched, event)

    def _on_typed(self, text: str) -> None:
        self._has_moved = False
        self._opened.clear()
        if text.strip():
            self.typed.emit(text)
            self._pause.start()
        else:
            self._pause.stop()
            self.model.show([])
            self._fit()

    def _fit(self) -> None:
        rows = self.model.rows
        height = Theme.current().height
        whole = sum(height(row_height(row)) for row in rows)
        room = max(height(HIT_HEIGHT), self._window.height() - TOP - 160)
        self.list.setVisible(bool(rows))
        self.list.setFixedHeight(min(whole + 4, room, height(_MOST_HEIGHT)))
        words = [] if rows else [self._nothing()]
        self.line.setText("\n".join(filter(None, [*words, self._notice])))
        self.line.setVisible(bool(self.line.text()))

    def _nothing(self) -> str:
        if not self.field.text().strip():
            return self.tr("Words in any order or language; “in quotes” for words that follow each other.")
        return self.tr("Nothing found. Try fewer or other words.")

    def _move_by(self, steps: int) -> None:
        places = [number for number, row in enumerate(self.model.rows) if not row.is_heading]
        current = self.list.currentIndex().row()
        if places:
            at = places.index(current) if current in places else -1
            self._has_moved = True
            self._select(places[max(0, min(len(places) - 1, at + steps))])

    def _select(self, row: int) -> None:
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
            if row == 1:
                self.list.scrollToTop()

    def _current(self) -> SearchHit | None:
        row = self._row()
        return row.hit if row else None

    def _row(self) -> SearchRow | None:
        index = self.list.currentIndex()
        return self.model.rows[index.row()] if index.isValid() else None

    def _choose(self) -> None:
        row = self._row()
        if row is None:
            return
        if row.more is not None:
            at = self.list.currentIndex().row()
            self._opened.add(row.more)
            self.model.show(self._found(self._opened))
            self._fit()
            self._select(at)
        elif row.hit is not None:
            self.hide()
            self.chosen.emit(row.hit)
