"""The prompt pane: exactly what the model was or would be sent, what it costs, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.prompt.sent_prompts import SentPrompt
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.settings import BUILT_IN_MODEL
from mnemoscope.ui.prompt.context_meter import ContextMeter
from mnemoscope.ui.prompt.part_detail import PartDetail
from mnemoscope.ui.prompt.past_turns import PastTurns
from mnemoscope.ui.prompt.prompt_find import PromptFind
from mnemoscope.ui.prompt.prompt_tree import PartDelegate, PromptModel, PromptRow, prompt_json
from mnemoscope.ui.widgets.card_splitter import CardSplitter
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import set_role, theme_notifier

_OPEN_AT_FIRST = 12
"""Rows up to which a group is unfolded when it is first shown."""


class PromptPane(QWidget):
    """Shows one prompt by section. `refresh_requested` asks for the one that would be sent now.

    `past_wanted` asks for those of past turns, which come by `show_turns`; `present_wanted` when they are closed.
    """

    first_seen = Signal()
    """A person looks at the pane for the first time: one behind another in the tabs is shown, but not seen."""
    refresh_requested = Signal()
    past_wanted = Signal()
    present_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Prompt"))
        self.setMinimumWidth(280)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.was_seen = False
        self._prompt: PromptSnapshot | None = None
        self._folded: dict[str, bool] = {}
        self.meter = ContextMeter(self)
        self.model_label = ElidedLabel(self)
        set_role(self.model_label, role="caption")
        self.model_label.setTextFormat(Qt.TextFormat.PlainText)
        self.refresh_button = self._tool(
            "refresh-cw", self.tr("Show what would be sent now"), self.refresh_requested.emit
        )
        self.past_button = self._tool(
            "history", self.tr("Look back at what was sent with each turn"), self._toggle_past
        )
        self.past_button.setCheckable(True)
        self.past: PastTurns | None = None
        self.copy_button = self._tool("copy", self.tr("Copy all as JSON"), self._copy)
        self.model = PromptModel(self)
        self.tree = self._make_tree()
        self.detail = PartDetail(self)
        self.find_bar = PromptFind(self.model, self.tree, self.detail, self)
        self.find_bar.closed.connect(self.tree.setFocus)
        self.empty = EmptyState(
            "scroll-text",
            self.tr("Nothing was sent yet. Look at what your next message would send."),
            self.tr("Show the prompt"),
            self.refresh_requested.emit,
            self,
        )
        self.pages = QStackedWidget(self)
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_prompt(self, prompt: PromptSnapshot) -> None:
        """Show this prompt; what was unfolded and looked at stays so where it is still there."""
        looked_at = self.model.row_of(self.tree.currentIndex())
        self._prompt = prompt
        self.meter.show_prompt(prompt)
        built_in = prompt.model == BUILT_IN_MODEL
        self.model_label.setText(self.tr("Built-in, no language model") if built_in else prompt.model)
        self.model.show_prompt(prompt)
        self._unfold()
        self._look_at(looked_at)
        self.find_bar.refresh()
        self.pages.setCurrentIndex(1)
        self.setFocusProxy(self.tree)

    def show_turns(self, turns: Sequence[SentPrompt]) -> None:
        """Offer the prompts of these turns."""
        if self.past is None:
            self.past = PastTurns(self)
            self.past.chosen.connect(lambda turn: self.show_prompt(turn.prompt))
            self.past.closed.connect(self.close_past)
            self._column.insertWidget(1, self.past)
        is_new = self.past.isHidden()
        self.past.show()
        self.past_button.setChecked(True)
        self.past.show_turns(turns)
        if is_new:
            self.past.slider.setFocus()

    @property
    def is_past(self) -> bool:
        """Whether a past turn is on show."""
        return self.past is not None and not self.past.isHidden()

    def close_past(self) -> None:
        """Comes back to the present."""
        self.past_button.setChecked(False)
        if self.is_past and self.past is not None:
            self.past.hide()
            self.tree.setFocus()
            self.present_wanted.emit()

    def _toggle_past(self) -> None:
        if self.is_past:
            self.close_past()
        else:
            self.past_wanted.emit()

    def find(self) -> None:  # type: ignore[override]
        """Look for words in all parts; before there is a prompt, ask for the one that would be sent now."""
        if self._prompt is None:
            self.refresh_requested.emit()
        else:
            self.find_bar.open()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.was_seen:
            self.was_seen = True
            QTimer.singleShot(0, self, self.first_seen.emit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self.find()
        else:
            super().keyPressEvent(event)

    def _unfold(self) -> None:
        for number, group in enumerate(self.model.groups):
            folded = self._folded.get(group.row.title, len(group.rows) > _OPEN_AT_FIRST)
            self.tree.setExpanded(self.model.index(number, 0), not folded)

    def _look_at(self, row: PromptRow | None) -> None:
        index = self.model.index_like(row) if row is not None else QModelIndex()
        if not index.isValid():
            index = self.model.index(0, 0, self.model.index(0, 0))
        if index.parent().isValid() and not self.tree.isExpanded(index.parent()):
            # To show a row within a folded group would unfold it.
            index = index.parent()
        self.tree.setCurrentIndex(index)
        self._on_selected()

    def _on_selected(self) -> None:
        self.detail.show_row(self.model.row_of(self.tree.currentIndex()))

    def _note_fold(self, index: QModelIndex, *, folded: bool) -> None:
        row = self.model.row_of(index)
        if row is not None:
            self._folded[row.title] = folded

    def _copy(self) -> None:
        if self._prompt is not None:
            QGuiApplication.clipboard().setText(prompt_json(self._prompt))

    def _make_tree(self) -> QTreeView:
        tree = QTreeView(self)
        tree.setAccessibleName(self.tr("Parts of the prompt"))
        tree.setModel(self.model)
        tree.setItemDelegate(PartDelegate(tree))
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setIndentation(18)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.selectionModel().selectionChanged.connect(self._on_selection_changed)
        tree.collapsed.connect(lambda index: self._note_fold(index, folded=True))
        tree.expanded.connect(lambda index: self._note_fold(index, folded=False))
        return tree

    def _on_selection_changed(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        self._on_selected()

    def _tool(self, icon: str, name: str, handler: Callable[[], None]) -> QToolButton:
        button = square_tool(self, name, 32, 18, icon)
        button.clicked.connect(lambda _checked=False: handler())
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.meter.total, 1)
        head.addWidget(self.past_button)
        head.addWidget(self.refresh_button)
        head.addWidget(self.copy_button)
        card = QFrame(self)
        set_role(card, role="card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(2, 4, 2, 4)
        inside.addWidget(self.tree)
        split = CardSplitter(Qt.Orientation.Vertical, self)
        split.addWidget(card)
        split.addWidget(self.detail)
        split.setSizes([600, 500])
        whole = QWidget(self)
        column = self._column = QVBoxLayout(whole)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.meter)
        column.addWidget(self.model_label)
        column.addWidget(self.find_bar)
        column.addWidget(split, 1)
        self.pages.addWidget(self.empty)
        self.pages.addWidget(whole)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.pages)
        self.setFocusProxy(self.empty)

    def _restyle(self) -> None:
        self.tree.viewport().update()
