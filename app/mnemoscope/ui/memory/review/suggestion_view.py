"""A memory text a model proposed and a person has to settle: what it would change, why it waits, where it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import is_apart_alone
from mnemoscope.ui.memory.editor.working_copy import Rebased
from mnemoscope.ui.memory.review.reason_words import said
from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.memory.versions.origin_words import messages_of_suggestion, origin_words, others_words, when_words
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.elided_label import ClampedLabel
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import LINK_INSET, line_height, set_role

_SHOWN: Final = 3
_WRAPPED: Final = 3
"""Lines one reason may take."""
_LINES: Final = 9
"""Lines of the list of all reasons; a longer one is scrolled."""

RebaseText = Callable[[str, str], Rebased]
"""`applied(before, proposed)`: what accepting would make of the file as it is now."""


class SuggestionView(QWidget):
    """Shows one suggestion at a time. `settled` with its id, `accept`, `edit` or `reject`, and the text shown."""

    manual_page: ClassVar = "review"
    settled = Signal(str, str, str)
    closed = Signal()

    def __init__(self, applied: RebaseText, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.closed.emit)
        self._applied, self._name = applied, name
        self._suggestions: list[Suggestion] = []
        self._index = 0
        self._result = ""
        self._read_only = False
        self._place = QLabel(self)
        self.reasons = SuggestionReasons(self)
        self._source = QLabel(self)
        self._apart = QLabel(self)
        self.diff = DiffView(self)
        self._presses = SinglePress(self)
        self.accept_button = self._button(self.tr("Accept"), "accept")
        self.edit_button = self._button(self.tr("Edit"), "edit")
        self.reject_button = self._button(self.tr("Reject"), "reject")
        self.previous_button = self._arrow("chevron-up", self.tr("Previous proposal"), -1)
        self.next_button = self._arrow("chevron-down", self.tr("Next proposal"), 1)
        self.back_button = QPushButton(self.tr("Back"), self)
        set_role(self.back_button, kind="quiet")
        self.back_button.setAccessibleName(self.tr("Back to the text"))
        self.back_button.clicked.connect(self.closed)
        self._lay_out()
        # Nothing is decided by a key pressed too soon: first there is something to read.
        self.setFocusProxy(self.diff)

    def show_suggestions(self, suggestions: Sequence[Suggestion], chosen: str = "") -> None:
        """Shows these suggestions: the one of the id `chosen`, else the one in sight where it is still among them."""
        current = chosen or (self.current.id if self.current else None)
        self._suggestions = list(suggestions)
        ids = [suggestion.id for suggestion in suggestions]
        self._index = ids.index(current) if current in ids else min(self._index, max(0, len(ids) - 1))
        self.refresh()

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether the view is only read: then nothing may be decided."""
        self._read_only = read_only
        self.refresh()

    def set_low(self, low: bool) -> None:
        """Sets whether there is room for little: then the lines that would change stand without a title."""
        self.diff.set_low(low)

    @property
    def current(self) -> Suggestion | None:
        """Returns the suggestion in sight."""
        return self._suggestions[self._index] if self._index < len(self._suggestions) else None

    def refresh(self) -> None:
        """Compares with the file as it is now."""
        suggestion = self.current
        if suggestion is None:
            return
        result = self._applied(suggestion.before, suggestion.proposed)
        self._result = result.text
        current = self._applied(suggestion.before, suggestion.before).text
        self.diff.show_diff(current, result.text, self.tr("What accepting would change"))
        is_apart = is_apart_alone(suggestion)
        self.accept_button.setEnabled(result.unsaved and not self._read_only and not is_apart)
        drops = self.diff.removed > 0
        set_role(self.accept_button, kind="" if drops else "primary")
        words = self.tr("Takes %n lines out of {name}", "", self.diff.removed).format(name=self._name)
        apart = self.tr(
            "Only a tool or a file said some of these lines: Memory > Review all leads through them singly."
        )
        self.accept_button.setToolTip(apart if is_apart else words if drops else "")
        self._apart.setText(apart if is_apart else "")
        self._apart.setVisible(is_apart)
        self.edit_button.setEnabled(not self._read_only)
        self.reject_button.setEnabled(not self._read_only)
        self._describe(suggestion, moved_on=current != suggestion.before)

    def step(self, way: int) -> None:
        """Goes to the next (1) or the previous (-1) suggestion."""
        if self._suggestions:
            self._index = (self._index + way) % len(self._suggestions)
            self.refresh()

    def _describe(self, suggestion: Suggestion, *, moved_on: bool) -> None:
        total = len(self._suggestions)
        self._place.setText(
            self.tr("Proposal {number} of {total}").format(number=self._index + 1, total=total)
            if total > 1
            else self.tr("Waiting for review")
        )
        self._place.setToolTip(meaning_of(Word.WAITING))
        self.reasons.show_reasons(suggestion.reasons)
        source = self._source_of(suggestion)
        if moved_on:
            source += "\n" + self.tr(
                "{name} has changed since it was made; your newer lines are kept where they can be."
            ).format(name=self._name)
        self._source.setText(source)
        for button in (self.previous_button, self.next_button):
            button.setVisible(total > 1)

    def _source_of(self, suggestion: Suggestion) -> str:
        if words := others_words(suggestion):
            return words
        when = when_words(suggestion.when) or suggestion.when
        origin = next((passage.theirs_from for passage in suggestion.conflicts), MemoryOrigin("agent"))
        if origin.kind == "dream":
            return f"{origin_words(origin)} · {when}"
        if suggestion.stop <= suggestion.start:
            # What the checks of memory hold is nobody's: they compare, and look for what was forgotten.
            is_found = origin.kind in {"", "outside"}
            words = (
                self.tr("Found by Mnemoscope, not proposed by a model · {when}")
                if is_found
                else self.tr("The assistant wanted to write it with a tool · {when}")
            )
            return words.format(when=when)
        return messages_of_suggestion(suggestion)

    def _settle(self, decision: str) -> None:
        if self.current is not None:
            self.settled.emit(self.current.id, decision, self._result)

    def _button(self, words: str, decision: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setAccessibleName(self.tr("{decision} this proposal").format(decision=words))
        self._presses.connect_button(button, lambda: self._settle(decision))
        return button

    def _arrow(self, icon: str, name: str, way: int) -> QToolButton:
        button = square_tool(self, name, 28, 16, icon)
        button.clicked.connect(lambda: self.step(way))
        return button

    def _lay_out(self) -> None:
        set_role(self._place, role="heading")
        set_role(self._source, role="caption")
        set_role(self._apart, role="caption")
        self._apart.setWordWrap(True)
        self._source.setTextFormat(Qt.TextFormat.PlainText)
        self._source.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self._place, 1)
        head.addWidget(self.previous_button)
        head.addWidget(self.next_button)
        actions = QHBoxLayout()
        actions.setSpacing(8)
        for button in (self.accept_button, self.edit_button, self.reject_button):
            actions.addWidget(button)
        actions.addStretch(1)
        actions.addWidget(self.back_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addLayout(head)
        reasons = LinkRow()
        reasons.addWidget(self.reasons)
        column.addLayout(reasons)
        column.addWidget(self._source)
        column.addWidget(self._apart)
        column.addWidget(self.diff, 1)
        column.addLayout(actions)


class SuggestionReasons(QWidget):
    """Names why a suggestion waits: three reasons, each wrapped into a few lines, and a link to the whole list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reasons: tuple[str, ...] = ()
        self._lines = [ClampedLabel(self, _WRAPPED) for _ in range(_SHOWN)]
        self.whole = plain_label(self)
        self.whole.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.list = QScrollArea(self)
        self.list.setWidgetResizable(True)
        self.list.setAccessibleName(self.tr("All reasons"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setWidget(self.whole)
        self.more_button = QPushButton(self)
        set_role(self.more_button, kind="link")
        self.more_button.setAccessibleName(self.tr("Show all reasons"))
        self.more_button.setCheckable(True)
        self.more_button.toggled.connect(self._refresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        words = QVBoxLayout()
        words.setContentsMargins(LINK_INSET, 0, 0, 0)
        words.setSpacing(2)
        for line in self._lines:
            words.addWidget(line)
        words.addWidget(self.list)
        column.addLayout(words)
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.addWidget(self.more_button)
        below.addStretch(1)
        column.addLayout(below)

    def show_reasons(self, reasons: Sequence[str]) -> None:
        """Shows the first of these reasons; the list is folded where they are others than before."""
        if tuple(reasons) != self._reasons:
            self._reasons = tuple(reasons)
            self.more_button.setChecked(False)
        self._refresh()

    def _refresh(self) -> None:
        unfolded = self.more_button.isChecked()
        for number, line in enumerate(self._lines):
            there = number < len(self._reasons)
            line.setText(f"• {said(self._reasons[number])}" if there else "")
            line.setVisible(there and not unfolded)
        self.whole.setText("\n".join(f"• {said(reason)}" for reason in self._reasons) if unfolded else "")
        self._fit_list()
        self.list.setVisible(unfolded)
        rest = len(self._reasons) - _SHOWN
        self.more_button.setText(self.tr("Show fewer") if unfolded else self.tr("and {count} more").format(count=rest))
        self.more_button.setVisible(rest > 0)
        self.setVisible(bool(self._reasons))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_list()

    def _fit_list(self) -> None:
        """Makes the list of all reasons as high as its words, and no higher than some lines: the rest is scrolled."""
        edges = 2 * self.list.frameWidth()
        words = max(0, self.whole.heightForWidth(max(1, self.width() - LINK_INSET - edges)))
        self.list.setFixedHeight(min(words + edges, _LINES * line_height()))
