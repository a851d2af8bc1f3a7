"""The page of a receipt on which its question is asked again with another memory; both answers stand side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from difflib import SequenceMatcher
from enum import Enum
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.answer_receipt.memory_use import UsedMemory
from mnemoscope.domain.text.diff import Range, changed_spans, pieces
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.chat.answer_receipt.answer_receipt_words import part_words
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.support.locale_words import moment_words
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.offsets import to_utf16
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_WIDE: Final = 620
"""Pixels from which on the answers stand side by side."""
_LONGEST: Final = 60
_MOST_WORDS: Final = 6_000
"""Words of either answer up to which their differences are looked for."""


class OtherMemory(Enum):
    """Names the memory with which a question is asked again."""

    WITHOUT_LINE = "without one line"
    WITHOUT_ALL = "without memory"
    AT_MOMENT = "as it was at a moment"


class Comparison(QWidget):
    """Asks the question again with an `OtherMemory`. What that costs is shown first: before, nothing can be asked."""

    answer_requested = Signal(object, object)
    """The question is to be answered with this `OtherMemory`, and the line, or the moment and the version, that it is
    about."""
    chosen = Signal(object, object)
    """The price of such an answer is to be shown; it carries the same."""
    stopped = Signal()
    """The answer on its way is to end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = ComboBox(self)
        self.choice.setAccessibleName(self.tr("Memory to answer with"))
        self.choice.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(18)
        self.choice.currentIndexChanged.connect(self._on_choice)
        self.ask = QPushButton(self.tr("Answer again"), self)
        set_role(self.ask, kind="primary")
        self.ask.setEnabled(False)
        self._presses = SinglePress(self)
        self._presses.connect_button(self.ask, self._on_ask)
        self._takes_focus = False
        self.stop = QPushButton(self.tr("Stop"), self)
        # It takes the place of the other under the pointer, and its keyboard.
        self._presses.connect_button(self.stop, self.stopped.emit)
        self.stop.hide()
        self.price = plain_label(self, "caption")
        self.state = plain_label(self, "muted")
        self.left = plain_box(self, self.tr("The answer"))
        self.right = plain_box(self, self.tr("The answer with another memory"))
        offer_forgetting(self.left)
        offer_forgetting(self.right)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setChildrenCollapsible(False)
        for title, text in ((self.tr("The answer"), self.left), (self.tr("With another memory"), self.right)):
            self.splitter.addWidget(self._side(title, text))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.choice, 1)
        row.addWidget(self.ask)
        row.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.price)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.state)
        self.state.hide()
        theme_notifier().changed.connect(self._mark)

    @property
    def has_answer(self) -> bool:
        """Returns whether another answer stands here, or is on its way."""
        return self.stop.isVisibleTo(self) or bool(self.right.toPlainText())

    def offer(self, lines: Sequence[UsedMemory], moments: Sequence[tuple[datetime, str]]) -> None:
        """Offers to answer without any of these lines, without memory, or with memory as it was at these moments."""
        self.choice.clear()
        self.choice.addItem(self.tr("Without memory"), (OtherMemory.WITHOUT_ALL, None))
        for line in lines:
            shown = shortened(part_words(line.text), _LONGEST)
            self.choice.addItem(self.tr("Without: {line}").format(line=shown), (OtherMemory.WITHOUT_LINE, line))
        minutes = Counter(moment_words(moment) for moment, _commit in moments)
        for moment, commit in reversed(moments):
            words = moment_words(moment)
            if minutes[words] > 1:
                words = f"{words}:{moment:%S}"
            words = self.tr("With memory as it was on {moment}").format(moment=words)
            self.choice.addItem(words, (OtherMemory.AT_MOMENT, (moment, commit)))

    def choose(self, line: UsedMemory) -> None:
        """Chooses to answer without this line."""
        for place in range(self.choice.count()):
            if self.choice.itemData(place)[1] is line:
                self.choice.setCurrentIndex(place)

    def show_price(self, words: str) -> None:
        """Says what an answer with the chosen memory costs, and lets it be asked for."""
        self.price.setText(words)
        self.ask.setEnabled(True)
        if self._takes_focus:
            self.ask.setFocus()

    def focus_ask(self) -> None:
        """Gives the keyboard to the button that asks, once it can be pressed."""
        self._takes_focus = True
        (self.ask if self.ask.isEnabled() else self.choice).setFocus()

    def withdraw(self, words: str) -> None:
        """Says why there is nothing to ask for."""
        self.choice.setEnabled(False)
        self.price.setText(words)

    def begin(self) -> None:
        """Shows that an answer is on its way."""
        self._clear()
        self._show_busy(True)
        self.show_state(self.tr("The model is answering."))

    def grow(self, piece: str) -> None:
        """Adds what came of the answer."""
        cursor = QTextCursor(self.right.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(piece)

    def finish(self, words: str) -> None:
        """Marks how the answers differ, and says so, and this."""
        self._show_busy(False)
        self._mark()
        self.show_state(" ".join(filter(None, (self._difference(), words))))

    def fail(self, words: str) -> None:
        """Says why there is no other answer."""
        self._show_busy(False)
        self.show_state(words)

    def show_state(self, words: str) -> None:
        """Shows a sentence below the answers."""
        self.state.setText(words)
        self.state.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the answers above each other where there is no room beside."""
        super().resizeEvent(event)
        wide = self.width() >= Theme.current().scaled(_WIDE)
        self.splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def showEvent(self, event: QShowEvent) -> None:
        """Asks for the price where none is said yet."""
        super().showEvent(event)
        self._want_price()

    def _on_choice(self) -> None:
        self._clear()
        self.price.setText("")
        self.ask.setEnabled(False)
        self._takes_focus = False
        self._want_price()

    def _want_price(self) -> None:
        if self.isVisible() and self.choice.isEnabled() and not self.ask.isEnabled():
            self.price.setText(self.tr("The tokens are counted."))
            self.chosen.emit(*self.choice.currentData())

    def _clear(self) -> None:
        """Takes away the other answer: it is not of the memory that is chosen now."""
        self.right.clear()
        self.right.setExtraSelections([])
        self.left.setExtraSelections([])
        self.show_state("")

    def _on_ask(self) -> None:
        if self.choice.currentData() is not None:
            self.answer_requested.emit(*self.choice.currentData())

    def _show_busy(self, busy: bool) -> None:
        had = self.ask.hasFocus() or self.stop.hasFocus()
        self.ask.setVisible(not busy)
        self.stop.setVisible(busy)
        self.choice.setEnabled(not busy)
        if had:
            (self.stop if busy else self.ask).setFocus()

    def _mark(self) -> None:
        """Marks the words that only one of the answers has; each is underlined too."""
        if self.stop.isVisible() or not self.right.toPlainText():
            return
        texts = self.left.toPlainText(), self.right.toPlainText()
        only_left, only_right = differing(*texts)
        for view, text, spans, ground in (
            (self.left, texts[0], only_left, "diff_del"),
            (self.right, texts[1], only_right, "diff_add"),
        ):
            chars = QTextCharFormat()
            chars.setBackground(Theme.current().color(ground))
            chars.setFontUnderline(True)
            marks = []
            for start, stop in spans:
                mark = QTextEdit.ExtraSelection()
                cursor = QTextCursor(view.document())
                cursor.setPosition(to_utf16(text, start))
                cursor.setPosition(to_utf16(text, stop), QTextCursor.MoveMode.KeepAnchor)
                mark.cursor, mark.format = cursor, chars
                marks.append(mark)
            view.setExtraSelections(marks)

    def _difference(self) -> str:
        """Returns in words how the answers differ."""
        one, other = (pieces(view.toPlainText()) for view in (self.left, self.right))
        if one == other:
            return self.tr("Both answers are the same, word for word.")
        if _are_too_long(one, other):
            return self.tr("The answers are too long for their differences to be marked.")
        return self.tr("What differs is marked. A model seldom words an answer twice alike: look at what it knows.")

    def _side(self, title: str, text: QPlainTextEdit) -> QWidget:
        side = QWidget(self.splitter)
        label = QLabel(title, side)
        set_role(label, role="caption")
        label.setBuddy(text)
        column = QVBoxLayout(side)
        column.setContentsMargins(4, 0, 4, 0)
        column.setSpacing(4)
        column.addWidget(label)
        column.addWidget(text, 1)
        return side


def differing(one: str, other: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Returns the characters [start, stop) of each text that the other one has not, by words; nothing where either is
    too long for it."""
    left, right = pieces(one), pieces(other)
    if _are_too_long(left, right):
        return (), ()
    return changed_spans(left, right, SequenceMatcher(None, left, right, autojunk=False))


def _are_too_long(one: Sequence[str], other: Sequence[str]) -> bool:
    return max(len(one), len(other)) > _MOST_WORDS
