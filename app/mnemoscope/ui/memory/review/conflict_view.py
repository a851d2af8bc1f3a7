"""Passages both sides changed, one at a time: where each wording came from, what differs, and how to settle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.text.diff import Range, word_spans
from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key, origin_words
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.accessibility.focus_ring import RingedCard
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.notices.notice_bar import FlowRow
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.offsets import to_utf16
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import LINK_INSET, Theme, blend, line_height, set_role, theme_notifier

_SHOWN: Final = 20_000
_LEAST_LINES: Final = 2
_MOST_LINES: Final = 60
"""Beyond these a wording scrolls by itself; up to them both are scrolled together."""


class ConflictView(QWidget):
    """Emits `chosen(conflict, side, words)`: side is `mine`, `theirs`, `both` or `edit`, the last with the person's
    words.

    Every way has a key: M, T, B, E; N and P go on and back; Esc leaves, with what is not settled still waiting.
    """

    manual_page: ClassVar = "review"
    chosen = Signal(object, str, str)
    closed = Signal()
    counted = Signal(int)
    """The number of conflicts that wait."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.waiting: list[MemoryConflict] = []
        self.title_of: TitleOf = by_key
        self._at = 0
        self._editing = False
        self._reworded: MemoryConflict | None = None
        """The conflict whose words are being typed."""
        self._typed: dict[tuple[str, str, str], str] = {}
        """The person's words of conflicts that are not resolved with them yet, by what each is about."""
        self._head = QLabel(self)
        self._head.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._head, role="heading")
        self._safe = QLabel(self.tr("Yours stands in the text until you decide; nothing of either side is lost."), self)
        self._safe.setWordWrap(True)
        set_role(self._safe, role="caption")
        self.mine = ConflictSide(self.tr("Your wording"), "diff_add", self)
        self.theirs = ConflictSide(self.tr("The other wording"), "diff_del", self)
        self._presses = SinglePress(self)
        self._ways = {
            "mine": self._button(self.tr("Keep mine"), "M", lambda: self._choose("mine")),
            "theirs": self._button(self.tr("Take theirs"), "T", lambda: self._choose("theirs")),
            "both": self._button(self.tr("Both"), "B", lambda: self._choose("both")),
            "edit": self._button(self.tr("Edit"), "E", self._begin_editing),
        }
        set_role(self._ways["mine"], kind="primary")
        self.use_button = self._button(self.tr("Use this wording"), "Ctrl+Return", self._use)
        set_role(self.use_button, kind="primary")
        self.cancel_button = self._button(self.tr("Cancel"), "", self.refresh)
        self.back_button = self._button(self.tr("Back"), "Esc", self.leave)
        set_role(self.back_button, kind="quiet")
        self.previous_button = square_tool(self, self.tr("Previous conflict (P)"), 28, 16, "chevron-up")
        self.next_button = square_tool(self, self.tr("Next conflict (N)"), 28, 16, "chevron-down")
        self.previous_button.clicked.connect(lambda: self.step(-1))
        self.next_button.clicked.connect(lambda: self.step(1))
        self._hint = ElidedLabel(self.tr("M mine · T theirs · B both · E edit · N next · P previous · Esc back"), self)
        set_role(self._hint, role="caption")
        self.mine.text.done.connect(self._use)
        self.mine.text.textChanged.connect(self._keep_words)
        self.mine.text.cancelled.connect(self.refresh)
        self._lay_out()

    def add_conflicts(self, conflicts: Sequence[MemoryConflict]) -> None:
        """Adds conflicts that wait too, before those that waited already."""
        self.waiting[:0] = conflicts
        if self._editing:
            self._at += len(conflicts)
            self.counted.emit(len(self.waiting))
        else:
            self._at = 0
            self._count()

    def set_conflicts(self, conflicts: Sequence[MemoryConflict]) -> None:
        """Takes these conflicts for the ones that wait, and no others; what is being reworded stays in sight."""
        self.waiting = list(conflicts)
        known = set(map(_about, (*self.waiting, *([self._reworded] if self._reworded is not None else ()))))
        self._typed = {about: words for about, words in self._typed.items() if about in known}
        if not self._editing:
            self._count()
        elif self._reworded in self.waiting:
            self._at = self.waiting.index(self._reworded)

    def edit_again(self, conflict: MemoryConflict, words: str) -> None:
        """Has the person go on with their words for a conflict that waits, since these could not be written; E shows
        them later where other words are being typed."""
        self._typed[_about(conflict)] = words
        if conflict in self.waiting and not self._editing:
            self._at = self.waiting.index(conflict)
            self.refresh()
            self._begin_editing()

    def set_low(self, low: bool) -> None:
        """Sets whether there is room for little: then both wordings have that of the sentence about them."""
        self._safe.setVisible(not low)

    def step(self, way: int) -> None:
        """Goes to the next (1) or the previous (-1) conflict."""
        if self.waiting and not self._editing:
            self._at = (self._at + way) % len(self.waiting)
            self.refresh()

    def leave(self) -> None:
        """Goes back to the text, or while rewording to the two wordings."""
        if self._editing:
            self.refresh()
        else:
            self.closed.emit()

    def refresh(self) -> None:
        """Shows the conflict at hand."""
        self._let_edit(False)
        if not self.waiting:
            return
        self._at = min(self._at, len(self.waiting) - 1)
        one, total = self.waiting[self._at], len(self.waiting)
        place = self.tr("Conflict {number} of {total}").format(number=self._at + 1, total=total)
        self._head.setToolTip(meaning_of(Word.RESOLVE))
        self._head.setText(place if total > 1 else self.tr("A conflict to resolve"))
        left, right = word_spans(one.mine, one.theirs)
        mine, theirs = (origin_words(each, self.title_of) for each in (one.mine_from, one.theirs_from))
        self.mine.show_side(self.tr("Yours · {origin}").format(origin=mine), one.mine, left)
        self.theirs.show_side(self.tr("Theirs · {origin}").format(origin=theirs), one.theirs, right)
        for button in (self.previous_button, self.next_button):
            button.setVisible(total > 1)
        # Nothing is decided by a key pressed too soon: Enter presses no button.
        self.mine.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        decide = None if self._editing else CONFLICT_KEYS.find(event)
        if decide is not None:
            # A key that is held down decides about one.
            if not event.isAutoRepeat():
                decide(self)
        elif not CONFLICT_STEPPING_KEYS.press(self, event):
            super().keyPressEvent(event)

    def _choose(self, side: str, words: str = "") -> None:
        if self._editing != (side == "edit"):
            return
        one = self._reworded if self._editing else next(iter(self.waiting[self._at :]), None)
        if one is None:
            return
        if one in self.waiting:
            self.waiting.remove(one)
        self._typed.pop(_about(one), None)
        self._let_edit(False)
        self.chosen.emit(one, side, words)
        if not self._editing:
            self._count()

    def _begin_editing(self) -> None:
        if not self.waiting or self._editing:
            return
        one = self.waiting[self._at]
        words = "\n".join(part for part in (one.mine, one.theirs) if part)
        self.mine.begin_editing(self.tr("Your own wording of both"), self._typed.get(_about(one), words))
        self._reworded = one
        self._let_edit(True)

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what was typed for conflicts."""
        self._typed = {about: forgotten.redacted(words) for about, words in self._typed.items()}

    def _keep_words(self) -> None:
        if self._editing and self._reworded is not None:
            self._typed[_about(self._reworded)] = self.mine.text.toPlainText()

    def _use(self) -> None:
        if self._editing:
            self._choose("edit", self.mine.text.toPlainText().strip("\n"))

    def _count(self) -> None:
        self.refresh()
        self.counted.emit(len(self.waiting))
        if not self.waiting:
            self.closed.emit()

    def _let_edit(self, editing: bool) -> None:
        self._editing = editing
        for way in self._ways.values():
            way.setVisible(not editing)
            way.setEnabled(not editing)
        self.use_button.setVisible(editing)
        self.cancel_button.setVisible(editing)
        self._buttons.arrange()
        self.back_button.setVisible(not editing)
        self._hint.setVisible(not editing)

    def _button(self, words: str, keys: str, handler: Callable[[], object]) -> QPushButton:
        button = QPushButton(words, self)
        if keys:
            button.setToolTip(f"{words} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})")
        self._presses.connect_button(button, handler)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self._head, 1)
        head.addWidget(self.previous_button)
        head.addWidget(self.next_button)
        head.addWidget(self.back_button)
        inside = QWidget(self)
        sides = QVBoxLayout(inside)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.setSpacing(8)
        sides.addWidget(self.mine)
        sides.addWidget(self.theirs)
        sides.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._safe)
        column.addWidget(scroll, 1)
        self._buttons = FlowRow(self, 8)
        for button in (*self._ways.values(), self.use_button, self.cancel_button):
            self._buttons.add(button)
        column.addWidget(self._buttons)
        column.addWidget(self._hint)
        self.setFocusProxy(self.mine.text)


CONFLICT_KEYS: Final[PartKeys[ConflictView]] = PartKeys(
    "Memory, a conflict",
    PartKey("keep yours", {"M": lambda view: view._choose("mine")}),
    PartKey("take theirs", {"T": lambda view: view._choose("theirs")}),
    PartKey("keep both", {"B": lambda view: view._choose("both")}),
    PartKey("write your own words", {"E": ConflictView._begin_editing}),
)
CONFLICT_STEPPING_KEYS: Final[PartKeys[ConflictView]] = PartKeys(
    "Memory, a conflict",
    PartKey("go to the next", {"N": lambda view: view.step(1)}),
    PartKey("go to the previous", {"P": lambda view: view.step(-1)}),
    PartKey("go back to the text, and leave what waits", {"Esc": ConflictView.leave}),
)


def _about(conflict: MemoryConflict) -> tuple[str, str, str]:
    return conflict.base, conflict.mine, conflict.theirs


class SideText(QPlainTextEdit):
    """Is read-only unless it is being reworded; Ctrl+Enter then says `done`, Esc `cancelled`."""

    done = Signal()
    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not self.isReadOnly() and enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.done.emit()
        elif not self.isReadOnly() and event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif self.isReadOnly() and event.text() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            # Letters are the keys of the whole page.
            event.ignore()
        else:
            super().keyPressEvent(event)


class ConflictSide(RingedCard):
    """Shows where one wording came from, and its words with those marked that the other has not.

    `ground` is the colour role of the marked words.
    """

    def __init__(self, name: str, ground: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._ground = ground
        self._spans: tuple[Range, ...] = ()
        self.caption = plain_label(self, "caption")
        self.text = SideText(self)
        offer_forgetting(self.text)
        self.text.setAccessibleName(name)
        self.bear_ring_of(self.text)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setTabChangesFocus(True)
        self.text.textChanged.connect(self._fit)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addWidget(self.caption)
        column.addWidget(self.text)
        theme_notifier().changed.connect(self._restyle)
        self.show_side("", "", ())

    def show_side(self, caption: str, words: str, spans: tuple[Range, ...]) -> None:
        """Shows these words, read-only, with the spans marked; without words, that the passage is deleted there."""
        self._spans = spans if words else ()
        self.caption.setText(caption)
        self.text.setPlainText(words[:_SHOWN] or self.tr("(deleted)"))
        self.text.setReadOnly(True)
        self._restyle()

    def begin_editing(self, caption: str, words: str) -> None:
        """Lets the person word it."""
        self.show_side(caption, words, ())
        self.text.setPlainText(words)
        self.text.setReadOnly(False)
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.text.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Gives the words the height of their lines as they are broken here."""
        # The size of a plain text document is counted in lines.
        wanted = max(_LEAST_LINES, round(self.text.document().size().height()))
        lines = min(wanted, _MOST_LINES)
        # A bar that is there for a moment would take room, and break the words into more lines.
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wanted <= lines else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.text.setVerticalScrollBarPolicy(policy)
        # One pixel more than the words and the margins: with exactly these the last line could be scrolled to.
        around = self.text.height() - self.text.viewport().height() + 2 * self.text.document().documentMargin() + 1
        high = lines * self.text.fontMetrics().lineSpacing() + max(around, line_height() / 2)
        self.text.setFixedHeight(ceil(high))

    def _restyle(self) -> None:
        theme = Theme.current()
        self.text.setFont(theme.font("code"))
        self._fit()
        look = QTextCharFormat()
        strong = {"diff_add": "success", "diff_del": "danger"}[self._ground]
        look.setBackground(blend(theme.color(self._ground), theme.color(strong), 0.28))
        words = self.text.toPlainText()
        self.text.setExtraSelections([self._mark(words, span, look) for span in self._spans])

    def _mark(self, words: str, span: Range, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(to_utf16(words, min(span[0], len(words))))
        cursor.setPosition(to_utf16(words, min(span[1], len(words))), QTextCursor.MoveMode.KeepAnchor)
        mark.cursor, mark.format = cursor, look
        return mark
