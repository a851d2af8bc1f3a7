"""The list of what waits for review, under the reason it waits for, with how many do; that in sight is first and
marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from mnemoscope.domain.capture.captured_line import words_of_line
from mnemoscope.domain.disagreement.memory_check import Disagreement
from mnemoscope.domain.disagreement.settlement import PairItem
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_ROW: Final = 28
_TITLE: Final = 32
_MOST: Final = 200
"""Rows that are listed; whoever has decided those sees the next."""


class WaitingList(QListWidget):
    """Emits `chosen(item)` at a press on another item than that in sight, and at Enter where Tab brought the keyboard
    here."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles: list[QListWidgetItem] = []
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("What waits"))
        self.itemClicked.connect(lambda row: self.chosen.emit(row.data(Qt.ItemDataRole.UserRole)))
        theme_notifier().changed.connect(self._restyle)

    def show_items(self, items: Sequence[ReviewItem], title_of: Callable[[ReviewItem], str]) -> None:
        """Lists these under their reasons."""
        self.clear()
        self._titles = []
        reasons = [title_of(item) for item in items]
        counts, title = Counter(reasons), None
        for item, reason in zip(items[:_MOST], reasons, strict=False):
            if reason != title:
                title = reason
                self._titles.append(self._add_row(f"{reason} · {counts[reason]:,}", Qt.ItemFlag.NoItemFlags))
            row = self._add_row(self._words_of(item), Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            if isinstance(item, PairItem):
                # Two facts of one thing begin alike: what each says otherwise is in sight, and all of it on hover.
                row.setText(self._pair_words(words_of_line(item.pair.new), _without_beginning(item.pair)))
            row.setData(Qt.ItemDataRole.UserRole, item)
        if (more := len(items) - _MOST) > 0:
            self._titles.append(self._add_row(self.tr("%n more follow", "", more), Qt.ItemFlag.NoItemFlags))
        self._restyle()
        self.setCurrentRow(1 if items else -1)
        self.scrollToTop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.chosen.emit(row.data(Qt.ItemDataRole.UserRole))
            return
        super().keyPressEvent(event)
        if event.text().isprintable() and event.text():
            # A letter seeks a row here: it decides nothing, since another item may be in sight than that marked.
            event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Marks the item in sight again."""
        super().focusOutEvent(event)
        self.setCurrentRow(1)
        self.scrollToTop()

    def _add_row(self, words: str, flags: Qt.ItemFlag) -> QListWidgetItem:
        row = QListWidgetItem(words, self)
        row.setToolTip(words)
        row.setFlags(flags)
        return row

    def _words_of(self, item: ReviewItem) -> str:
        if isinstance(item, PairItem):
            return self._pair_words(words_of_line(item.pair.new), words_of_line(item.pair.old))
        # A heading is no fact: what has only such is told by its lines.
        added = item.added or ([] if item.removed else _lines_beyond(item.after, item.before))
        if added:
            return " · ".join(map(words_of_line, added))
        removed = item.removed or _lines_beyond(item.before, item.after)
        return self.tr("take out: {words}").format(words=" · ".join(map(words_of_line, removed)))

    def _pair_words(self, new: str, old: str) -> str:
        return self.tr("{new} · now: {old}").format(new=new, old=old)

    def _restyle(self) -> None:
        theme = Theme.current()
        for place in range(self.count()):
            self.item(place).setSizeHint(QSize(0, theme.height(_ROW)))
        for row in self._titles:
            row.setForeground(theme.color("text_muted"))
            row.setFont(theme.font("caption"))
            row.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
            row.setSizeHint(QSize(0, theme.height(_TITLE)))


def _without_beginning(pair: Disagreement) -> str:
    """Returns the old fact of a pair without the words that both begin with; all of it where they begin otherwise."""
    old, new = words_of_line(pair.old).split(), words_of_line(pair.new).split()
    common = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(old, new, strict=False)))
    return f"… {' '.join(old[common:])}" if 0 < common < len(old) else words_of_line(pair.old)


def _lines_beyond(text: str, other: str) -> list[str]:
    """Returns the lines of a text that another has not, but for blank ones."""
    known = set(other.split("\n"))
    return [line for line in text.split("\n") if line.strip() and line not in known]
