"""The conversations of other agents in a list: each with its title and, below it, whose it is and when it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.foreign.foreign_reading import SeenStore, listed_conversations
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignRole
from mnemoscope.domain.foreign.imported_conversation import local_time
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.support.locale_words import time_words
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere, paint_ring
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.lists.two_line_delegate import ABOVE, BETWEEN, TwoLineDelegate
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_LONGEST: Final = 200


def tr(text: str) -> str:
    """Returns the text in the window's language."""
    return QCoreApplication.translate("ForeignConversations", text)


@dataclass(frozen=True, slots=True)
class ForeignListed:
    """Describes a conversation in the list, with the store it is in. Its words are made when it is seen: there may be
    many."""

    store: SeenStore
    conversation: ForeignConversation

    @property
    def title(self) -> str:
        """Returns its title in one line."""
        return " ".join(tidied(self.conversation.title[:_LONGEST]).split()) or tr("Untitled")

    @property
    def plain_title(self) -> str:
        """Returns the words to find it by: made sooner than those to show, which are safe to look at."""
        return " ".join(self.conversation.title[:_LONGEST].split()) or tr("Untitled")

    @property
    def detail(self) -> str:
        """Returns whose it is, and when something was last said in it."""
        when = self.conversation.updated_at or self.conversation.created_at
        kinds = {ForeignRole.SUBAGENT: tr("subagent"), ForeignRole.ARCHIVE: tr("archived")}
        moment = time_words(local_time(when)) if when else ""
        parts = (self.store.title, moment, kinds.get(self.conversation.role, ""))
        return " · ".join(part for part in parts if part)


class ForeignConversations(QWidget):
    """Offers the stores, a filter and the conversations. `chosen` carries a `ForeignListed`, `store_chosen` a
    `SeenStore`, or None where those of all stores are listed."""

    chosen = Signal(object)
    store_chosen = Signal(object)
    filled = Signal(bool)
    """Whether any conversation can be chosen in the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._stores: list[SeenStore] = []
        self._all: list[ForeignListed] = []
        self.stores = ComboBox(self)
        self.stores.setAccessibleName(self.tr("Agent"))
        self.stores.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Filter by title"))
        self.field.setAccessibleName(self.tr("Filter conversations by title"))
        self.field.setClearButtonEnabled(True)
        self.others = QCheckBox(self.tr("Subagents and archive"), self)
        self.others.setToolTip(self.tr("Lists what subagents were told, and archived conversations, too"))
        self.model = _Rows(self)
        self.view = QListView(self)
        self.view.setModel(self.model)
        is_ringed_elsewhere(self.view)
        self.view.setItemDelegate(_Delegate(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName(self.tr("Conversations of other agents"))
        self.none = QLabel(self)
        self.none.setWordWrap(True)
        set_role(self.none, role="muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 8)
        column.setSpacing(8)
        for part in (self.stores, self.field, self.others, self.none):
            column.addWidget(part)
        column.addWidget(self.view, 1)
        self.stores.activated.connect(self._on_store)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._enter)
        self.others.toggled.connect(self._fill)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        theme_notifier().changed.connect(self.view.doItemsLayout)

    @property
    def all_stores(self) -> Sequence[SeenStore]:
        """Returns the stores that are listed."""
        return tuple(self._stores)

    def choose(self, root: Path) -> bool:
        """Lists the conversations of one store alone; tells whether it is there."""
        roots = [store.root for store in self._stores]
        if root in roots:
            self.stores.setCurrentIndex(roots.index(root) + 1)
            self._fill()
        return root in roots

    def show_stores(self, stores: Sequence[SeenStore]) -> None:
        """Lists these stores and no others; where the list stood it stays."""
        chosen, bar = self.store, self.view.verticalScrollBar()
        offset = bar.value()
        self._stores = list(stores)
        self._all = [ForeignListed(store, each) for store, each in listed_conversations(stores)]
        self.stores.clear()
        self.stores.addItem(self.tr("All agents"))
        for store in stores:
            self.stores.addItem(f"{store.title} · {tidied(store.root.name)}")
            self.stores.setItemData(self.stores.count() - 1, str(store.root), Qt.ItemDataRole.ToolTipRole)
        roots = [store.root for store in stores]
        self.stores.setCurrentIndex(roots.index(chosen.root) + 1 if chosen and chosen.root in roots else 0)
        self._fill()
        self.view.doItemsLayout()
        bar.setValue(offset)

    @property
    def store(self) -> SeenStore | None:
        """Returns the store whose conversations alone are listed, None where those of all are."""
        at = self.stores.currentIndex() - 1
        return self._stores[at] if 0 <= at < len(self._stores) else None

    def select(self, root: Path, conversation: str) -> None:
        """Marks a conversation as the one that is shown, where it is listed."""
        for number, row in enumerate(self.model.rows):
            # Paths are slow to compare, and there may be thousands.
            if row.conversation.id == conversation and row.store.root == root:
                self.view.setCurrentIndex(self.model.index(number))
                return

    def listed(self, root: Path, conversation: str) -> ForeignListed | None:
        """Returns a conversation by the store it is in and its id, whether the filter leaves it or not."""
        found = (each for each in self._all if each.conversation.id == conversation and each.store.root == root)
        return next(found, None)

    def parent_of(self, listed: ForeignListed) -> ForeignListed | None:
        """Returns the conversation that a subagent's is there for, None where there is none."""
        parent = listed.conversation.parent
        return self.listed(listed.store.root, parent) if parent else None

    def subagents_of(self, listed: ForeignListed) -> list[ForeignListed]:
        """Returns the conversations of the subagents that worked for one, the oldest first."""
        root, name = listed.store.root, listed.conversation.id
        found = [each for each in self._all if each.store.root == root and each.conversation.parent == name]
        return found[::-1]

    def _on_store(self) -> None:
        self._fill()
        self.store_chosen.emit(self.store)

    def _enter(self) -> None:
        """Goes from the filter to what it left, and shows the first of it."""
        self.view.setFocus()
        if not self.view.currentIndex().isValid() and self.model.rows:
            self.view.setCurrentIndex(self.model.index(0))

    def _fill(self) -> None:
        store, wanted = self.store, self.field.text().casefold().strip()
        current = self.view.currentIndex().row()
        shown = self.model.rows[current] if 0 <= current < len(self.model.rows) else None
        rows = [
            each
            for each in self._all
            if (store is None or each.store is store)
            and (not wanted or wanted in each.plain_title.casefold())
            and (self.others.isChecked() or each.conversation.role is ForeignRole.MAIN)
        ]
        with_signals = self.view.selectionModel().blockSignals(True)
        self.model.show(rows)
        if shown is not None:
            self.select(shown.store.root, shown.conversation.id)
        self.view.selectionModel().blockSignals(with_signals)
        self.none.setVisible(not rows)
        self.filled.emit(bool(rows))
        self.none.setText(self.tr("No conversation matches.") if self._all else self.tr("There are no conversations."))

    def _on_current(self, index: QModelIndex) -> None:
        if 0 <= index.row() < len(self.model.rows):
            self.chosen.emit(self.model.rows[index.row()])


class _Rows(RowsModel[ForeignListed]):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.title}\n{row.detail}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}, {row.detail}"
        return None


class _Delegate(TwoLineDelegate):
    """Both lines are cut where they lack room, so that all items are of one height."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_ring(painter, option.rect, 4)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        heights = (QFontMetrics(Theme.current().font(kind)).height() for kind in ("body", "caption"))
        return QSize(120, sum(heights) + BETWEEN + 2 * ABOVE)

    def draw_words(self, painter: QPainter, room: QRect, words: str, font: QFont, colour: QColor) -> int:
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)
        return metrics.height()
