"""The prompt pane: exactly what the model was or would be sent, searched through, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from PySide6.QtCore import QItemSelection, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.agent.prompt.sent_prompts import SentPrompt
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.message import message_number
from mnemoscope.domain.llm import own_name
from mnemoscope.domain.settings import BUILT_IN_MODEL
from mnemoscope.ui.prompt.context_meter import ContextMeter
from mnemoscope.ui.prompt.part_detail import LEAST, PartDetail
from mnemoscope.ui.prompt.prompt_tree import PartDelegate, PromptModel, PromptRow, prompt_json
from mnemoscope.ui.support.locale_words import time_words
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.accessibility.tab_order import follow_in_tab_order
from mnemoscope.ui.widgets.card_splitter import CardSplitter
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.fields import Slider
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.pane import Pane
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.find_controls import FindControls
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.text.search import LIMIT, BadSearch, find_all
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_LOW = 380
"""Pixels of height in which the find bar, the parts and the text of one have room below how full the context is."""
_SPACING = 8
_TIGHT_SPACING = 4
"""Pixels between the parts of the pane where the find bar takes its room."""
_OPEN_AT_FIRST = 12
"""Rows up to which a group is unfolded when it is first shown."""


class PromptPane(Pane):
    """Shows one prompt by section. `refresh_requested` asks for the one that would be sent now.

    `past_requested` asks for those of past turns, which come by `show_turns`; `present_requested` when they are closed.
    """

    manual_page: ClassVar = "prompt"
    refresh_requested = Signal()
    past_requested = Signal()
    present_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Prompt"))
        self._heir: QWidget = self
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
        self.past = LazyWidget(self._build_past)
        self.copy_button = self._tool("copy", self.tr("Copy all as JSON"), self._copy)
        self.model = PromptModel(self)
        self.tree = self._make_tree()
        self.detail = LazyWidget(self._build_detail)
        self.find_bar = LazyWidget(self._build_find_bar)
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
        """Shows this prompt; what was unfolded and looked at stays so where it is still there."""
        looked_at = self.model.row_of(self.tree.currentIndex())
        self._prompt = prompt
        self.meter.show_prompt(prompt)
        built_in = prompt.model == BUILT_IN_MODEL
        self.model_label.setText(self.tr("Built-in, no language model") if built_in else own_name(prompt.model))
        self.model_label.explain("" if built_in else prompt.model)
        self.model.show_prompt(prompt)
        self._unfold()
        self._look_at(looked_at)
        if (bar := self.find_bar.built) is not None:
            bar.refresh()
        focus = QApplication.focusWidget()
        had_keyboard = focus is not None and self.empty.isAncestorOf(focus)
        self.pages.setCurrentIndex(1)
        self._heir = self.tree
        if had_keyboard:
            # Qt gives it to the first button of the page.
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_turns(self, turns: Sequence[SentPrompt]) -> None:
        """Offers the prompts of these turns."""
        past = self.past.widget
        is_new = past.isHidden()
        past.show()
        self._make_room()
        self.past_button.setChecked(True)
        past.show_turns(turns)
        if is_new:
            past.take_keyboard()

    @property
    def is_past(self) -> bool:
        """Returns whether a past turn is on show."""
        return self.past.built is not None and not self.past.built.isHidden()

    def close_past(self) -> None:
        """Comes back to the present."""
        self.past_button.setChecked(False)
        if self.is_past:
            self.past.widget.hide()
            self._make_room()
            self.tree.setFocus()
            self.present_requested.emit()

    def _toggle_past(self) -> None:
        if self.is_past:
            self.close_past()
        else:
            self.past_requested.emit()

    def find(self) -> None:  # type: ignore[override]
        """Looks for words in all parts; before there is a prompt, asks for the one that would be sent now."""
        if self._prompt is None:
            self.refresh_requested.emit()
        else:
            self.find_bar.widget.open()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the keyboard to what stands for the pane. With a focus proxy Tab would go round for ever."""
        self._heir.setFocus(event.reason())

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
        self.detail.widget.show_row(self.model.row_of(self.tree.currentIndex()))

    def _note_fold(self, index: QModelIndex, *, folded: bool) -> None:
        row = self.model.row_of(index)
        if row is not None:
            self._folded[row.title] = folded

    def _copy(self) -> None:
        if self._prompt is not None:
            QGuiApplication.clipboard().setText(prompt_json(self._prompt))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Hides how full the context is while the find bar or the past turns take its room in a low pane, and has these
        take a row each: what is found or was sent would be out of sight. Else a low pane shows the bar of it alone.
        """
        bar, past = self.find_bar.built, self.past.built
        is_searching = bar is not None and not bar.isHidden()
        is_low = self.height() < Theme.current().scaled(_LOW)
        is_tight = is_low and (self.is_past or is_searching)
        self.meter.setHidden(is_tight)
        self.meter.set_tight(is_low)
        self.model_label.setHidden(is_low)
        self._column.setSpacing(_TIGHT_SPACING if is_low else _SPACING)
        self._column.setContentsMargins(*((12, 2, 12, 2) if is_low else (12, 4, 12, _SPACING)))
        if bar is not None:
            bar.set_tight(is_tight)
        if past is not None:
            past.set_tight(is_tight)
        self._place_copy(beside_turns=is_tight and self.is_past)

    def _place_copy(self, *, beside_turns: bool) -> None:
        """Puts the button that copies all beside past turns in the place of the row above them: what else stands in
        that leads back to the present, as the button beside it does."""
        if beside_turns == self.meter.total.isHidden():
            return
        (self.past.widget.row if beside_turns else self._head).addWidget(self.copy_button)
        # Qt would show it only in the next turn of the loop.
        self.copy_button.show()
        for part in (self.meter.total, self.past_button, self.refresh_button):
            part.setVisible(not beside_turns)

    def _build_past(self) -> PastTurns:
        past = PastTurns(self)
        past.chosen.connect(lambda turn: self.show_prompt(turn.prompt))
        past.closed.connect(self.close_past)
        self._column.insertWidget(1, past)
        return past

    def _build_detail(self) -> PartDetail:
        detail = PartDetail(self)
        self._split.addWidget(detail)
        self._split.setSizes([600, 500])
        follow_in_tab_order(detail, self.tree)
        return detail

    def _build_find_bar(self) -> PromptFind:
        bar = PromptFind(self.model, self.tree, self.detail.widget, self)
        bar.shown.connect(self._make_room)
        bar.closed.connect(self.tree.setFocus)
        bar.closed.connect(self._make_room)
        self._column.insertWidget(self._column.indexOf(self.model_label) + 1, bar)
        follow_in_tab_order(bar, self.copy_button)
        return bar

    def _make_tree(self) -> QTreeView:
        tree = QTreeView(self)
        tree.setAccessibleName(self.tr("Parts of the prompt"))
        tree.setModel(self.model)
        tree.setItemDelegate(PartDelegate(tree))
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        # Both halves may be low: where they may not, a small window would grow.
        tree.setMinimumHeight(LEAST)
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
        head = self._head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.meter.total, 1)
        head.addWidget(self.past_button)
        head.addWidget(self.refresh_button)
        head.addWidget(self.copy_button)
        whole = QWidget(self.pages)
        split = self._split = CardSplitter(Qt.Orientation.Vertical, whole)
        card = QFrame(split)
        set_role(card, role="card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(2, 4, 2, 4)
        inside.addWidget(self.tree)
        split.addWidget(card)
        column = self._column = QVBoxLayout(whole)
        column.setContentsMargins(12, 4, 12, _SPACING)
        column.setSpacing(_SPACING)
        column.addLayout(head)
        column.addWidget(self.meter)
        column.addWidget(self.model_label)
        column.addWidget(split, 1)
        self.pages.addWidget(self.empty)
        self.pages.addWidget(whole)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.pages)
        self._heir = self.empty

    def _restyle(self) -> None:
        self.tree.viewport().update()


class PastTurns(QFrame):
    """Offers the prompts of past turns. `chosen` carries the SentPrompt to show; `closed` asks for the present one."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.closed.emit)
        set_role(self, role="card")
        self._turns: list[SentPrompt] = []
        self.title = ElidedLabel(self)
        set_role(self.title, role="caption")
        self.warning = plain_label(self, "caption")
        self.warning.hide()
        self.slider = Slider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(self.tr("Turns, first to newest"))
        self.slider.setPageStep(5)
        self.earlier = square_tool(self, self.tr("The turn before"), 28, 16, "chevron-left")
        self.later = square_tool(self, self.tr("The turn after"), 28, 16, "chevron-right")
        for button in (self.earlier, self.later):
            # Where the slider makes way, whoever holds one of them down goes through the turns.
            button.setAutoRepeat(True)
        self.now_button = QPushButton(self.tr("Now"), self)
        self.now_button.setToolTip(self.tr("Show what would be sent now"))
        self.slider.valueChanged.connect(lambda _value: self._choose())
        self.earlier.clicked.connect(lambda: self.slider.setValue(self.slider.value() - 1))
        self.later.clicked.connect(lambda: self.slider.setValue(self.slider.value() + 1))
        self.now_button.clicked.connect(self.closed)
        self._lay_out()

    def show_turns(self, turns: Sequence[SentPrompt]) -> None:
        """Offers these turns, oldest first. The one that was on show stays so; else the newest is shown."""
        at = self._turns[self.slider.value()].index if self._turns else None
        indices = [turn.index for turn in turns]
        self._turns = list(turns)
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, len(turns) - 1))
            self.slider.setValue(indices.index(at) if at in indices else len(turns) - 1)
        self._choose()

    def take_keyboard(self) -> None:
        """Gives the keyboard to what goes through the turns."""
        steps = (self.slider, self.earlier, self.now_button)
        next(each for each in steps if each.isEnabled() and not each.isHidden()).setFocus()

    def set_tight(self, is_tight: bool) -> None:
        """Takes one row where there is little room, with the turn between the buttons that step in the slider's place;
        or two."""
        if is_tight == self.slider.isHidden():
            return
        had_keyboard = self.slider.hasFocus()
        self.slider.setHidden(is_tight)
        if had_keyboard:
            self.take_keyboard()
        if is_tight:
            self.row.insertWidget(1, self.title, 1)
        else:
            self._column.insertWidget(0, self.title)
        self._set_margins(is_tight=is_tight)

    def _set_margins(self, *, is_tight: bool) -> None:
        above = 2 if is_tight else _SPACING
        self._column.setContentsMargins(12, above, 8, above)

    def _choose(self) -> None:
        at = self.slider.value()
        self.slider.setEnabled(len(self._turns) > 1)
        self.earlier.setEnabled(at > 0)
        self.later.setEnabled(at < len(self._turns) - 1)
        if not self._turns:
            self.title.setText(self.tr("No prompt of this conversation is kept yet."))
            return
        turn = self._turns[at]
        words = self.tr("Turn {number} of {count} · message {message} · {when}").format(
            number=f"{at + 1:,}",
            count=f"{len(self._turns):,}",
            message=f"{message_number(turn.index):,}",
            when=_when(turn.when),
        )
        self.title.setText(words)
        self.slider.setAccessibleDescription(words)
        self.warning.setText(core_words(turn.prompt.doubt))
        self.warning.setVisible(bool(turn.prompt.doubt))
        self.chosen.emit(turn)

    def _lay_out(self) -> None:
        row = self.row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.earlier)
        row.addWidget(self.slider, 1)
        row.addWidget(self.later)
        row.addSpacing(4)
        row.addWidget(self.now_button)
        column = self._column = QVBoxLayout(self)
        self._set_margins(is_tight=False)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.warning)
        column.addLayout(row)


def _when(stamp: str) -> str:
    try:
        return time_words(datetime.fromisoformat(stamp))
    except ValueError:
        return stamp


@dataclass(frozen=True, slots=True)
class _Match:
    """Characters `span` of the part at `place` of a group."""

    group: int
    place: int
    span: tuple[int, int]


class PromptFind(FindControls):
    """Steps through the matches, part by part. `shown` when it comes, `closed` when it goes away."""

    shown = Signal()
    closed = Signal()

    def __init__(self, model: PromptModel, tree: QTreeView, detail: PartDetail, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._tree = tree
        self._detail = detail
        self._matches: list[_Match] = []
        self._at = -1
        self.replace_row.hide()
        self.find_field.textChanged.connect(self._search)
        self.options_changed.connect(self._search)
        self.step_pressed.connect(self._step)
        self.close_pressed.connect(self.close_bar)
        tree.selectionModel().currentChanged.connect(lambda _now, _before: self._mark())
        self.hide()

    def open(self) -> None:
        """Shows the bar, ready to type."""
        self.show()
        self.shown.emit()
        self.find_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hides the bar and its marks."""
        self.hide()
        self._detail.mark((), None)
        self.closed.emit()

    def refresh(self) -> None:
        """Looks anew in another prompt, without going anywhere."""
        if self.isVisible():
            self._collect()
            self._show()

    def _search(self) -> None:
        """Marks all matches and goes to the first in the part on show or after it."""
        self._collect()
        here = self._current_place()
        later = (at for at, match in enumerate(self._matches) if (match.group, match.place) >= here)
        self._go(next(later, 0))

    def _collect(self) -> None:
        self._matches, self._at = [], -1
        self.show_sentence("")
        try:
            for group, parts in enumerate(self._model.groups):
                for place, row in enumerate(parts.rows):
                    room = LIMIT - len(self._matches)
                    spans = find_all(row.text or "", self.query())[: max(0, room)]
                    self._matches += [_Match(group, place, span) for span in spans]
        except BadSearch as problem:
            self.show_sentence(str(problem))

    def _current_place(self) -> tuple[int, int]:
        index = self._tree.currentIndex()
        if not index.isValid():
            return (0, 0)
        return (index.parent().row(), index.row()) if index.parent().isValid() else (index.row(), 0)

    def _step(self, by: int) -> None:
        if self._matches:
            self._go((self._at + by) % len(self._matches))

    def _go(self, at: int) -> None:
        if at < len(self._matches):
            self._at = at
            match = self._matches[at]
            index = self._model.index(match.place, 0, self._model.index(match.group, 0))
            self._tree.setCurrentIndex(index)
            self._tree.scrollTo(index)
        self._show()

    def _show(self) -> None:
        total = f"{LIMIT:,}+" if len(self._matches) >= LIMIT else f"{len(self._matches):,}"
        words = self.tr("{number} of {total}").format(number=f"{self._at + 1:,}", total=total)
        if not self._matches:
            words = self.tr("No match") if self.find_field.text() else ""
        self.count_label.setText(words if self._at >= 0 or not self._matches else total)
        self._mark()

    def _mark(self) -> None:
        if self.isVisible():
            here = self._current_place()
            current = self._matches[self._at] if self._at >= 0 else None
            spans = [match.span for match in self._matches if (match.group, match.place) == here]
            is_current = current is not None and (current.group, current.place) == here
            self._detail.mark(spans, current.span if current is not None and is_current else None)
