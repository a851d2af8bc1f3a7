"""The list of what waits for review, under the reason it waits for; that in sight is first and marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from mnemoscope.domain.contradiction.settlement import PairItem
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_ROW: Final = 28
_TITLE: Final = 32
_MOST: Final = 200
"""Rows that are listed; whoever has decided those sees the next."""


class WaitingList(QListWidget):
    """The keyboard stays with the item in sight; a press on another one says `chosen(item)`."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles: list[QListWidgetItem] = []
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("What waits"))
        self.itemClicked.connect(lambda row: self.chosen.emit(row.data(Qt.ItemDataRole.UserRole)))
        theme_notifier().changed.connect(self._restyle)

    def show_items(self, items: Sequence[ReviewItem], title_of: Callable[[ReviewItem], str]) -> None:
        """Lists these under their reasons."""
        self.clear()
        self._titles = []
        title = None
        for item in items[:_MOST]:
            if (reason := title_of(item)) != title:
                title = reason
                self._titles.append(self._add_row(reason, Qt.ItemFlag.NoItemFlags))
            row = self._add_row(self._words_of(item), Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            row.setData(Qt.ItemDataRole.UserRole, item)
        self._restyle()
        self.setCurrentRow(1 if items else -1)
        self.scrollToTop()

    def _add_row(self, words: str, flags: Qt.ItemFlag) -> QListWidgetItem:
        row = QListWidgetItem(words, self)
        row.setToolTip(words)
        row.setFlags(flags)
        return row

    def _words_of(self, item: ReviewItem) -> str:
        if isinstance(item, PairItem):
            return self.tr("{new} · now: {old}").format(new=fact_text(item.pair.new), old=fact_text(item.pair.old))
        if item.added:
            return " · ".join(map(fact_text, item.added))
        removal = self.tr("take out: {words}")
        return removal.format(words=" · ".join(map(fact_text, item.removed)) or fact_text(item.before))

    def _restyle(self) -> None:
        theme = Theme.current()
        for place in range(self.count()):
            self.item(place).setSizeHint(QSize(0, theme.height(_ROW)))
        for row in self._titles:
            row.setForeground(theme.color("text_muted"))
            row.setFont(theme.font("caption"))
            row.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
            row.setSizeHint(QSize(0, theme.height(_TITLE)))
