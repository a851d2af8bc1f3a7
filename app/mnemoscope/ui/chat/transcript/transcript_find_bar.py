"""Finding words in a conversation: marked where it is loaded, looked for where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QTextEdit, QToolButton, QWidget

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.ui.chat.transcript.message_source import MessageSource
from mnemoscope.ui.chat.transcript.transcript_view import TranscriptView
from mnemoscope.ui.markdown.document.formula_object import OBJECT
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.text.offsets import PARAGRAPH
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SLICE_SECONDS: Final = 0.008


class MessageSearch(QObject):
    """Walks a conversation from one message towards its beginning or end until a message holds the words."""

    found = Signal(int)
    """The message of this index holds the words."""
    ended = Signal()
    """Nothing holds the words in that direction."""

    def __init__(self, source: Callable[[], MessageSource], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._words = ""
        self._at = self._by = 0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._slice)

    @property
    def busy(self) -> bool:
        """Returns whether a walk is under way."""
        return self._timer.isActive()

    def start(self, words: str, index: int, by: int) -> None:
        """Looks at `index`, then onwards by `by` (1 or -1)."""
        self._words = words.casefold()
        self._at = index
        self._by = by
        self._timer.start()

    def stop(self) -> None:
        """Looks no further."""
        self._timer.stop()

    def _slice(self) -> None:
        source, until = self._source(), perf_counter() + _SLICE_SECONDS
        while source.first <= self._at < source.stop:
            if self._words in text_of(source[self._at]).casefold():
                self._timer.stop()
                self.found.emit(self._at)
                return
            self._at += self._by
            if perf_counter() > until:
                return
        self._timer.stop()
        self.ended.emit()


_MATCH_LIMIT = 2_000


class TranscriptFindBar(QFrame):
    """Marks every match in a `TranscriptView`, and steps through them."""

    closed = Signal()
    message_requested = Signal(int)
    """A message further up or down holds the words: bring it into the document, then call `search_near`."""

    def __init__(self, view: TranscriptView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.dismiss)
        set_role(self, role="header")
        self._view = view
        self._matches: list[QTextCursor] = []
        self._at = -1
        self._message_search = MessageSearch(lambda: view.transcript.source, self)
        self._message_search.found.connect(self.message_requested)
        self._message_search.ended.connect(self._wrap)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find in this conversation"))
        self.field.setAccessibleName(self.tr("Find in this conversation"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self.search)
        self.field.returnPressed.connect(self.find_next)
        self.count = QLabel(self)
        set_role(self.count, role="caption")
        self._buttons = [
            self._button("chevron-up", self.tr("Previous match"), self._find_previous),
            self._button("chevron-down", self.tr("Next match"), self.find_next),
            self._button("x", self.tr("Close the find bar"), self.dismiss),
        ]
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(6)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        for button in self._buttons:
            row.addWidget(button)
        self.hide()
        self._restyle()
        theme_notifier().changed.connect(self._restyle)

    def _button(self, icon: str, name: str, run: object) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("icon_name", icon)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.clicked.connect(run)
        return button

    def _restyle(self) -> None:
        for button in self._buttons:
            button.setIcon(Theme.current().icon(str(button.property("icon_name")), "text_muted"))

    def start(self) -> None:
        """Shows the bar with what is selected, ready to type."""
        selected = self._view.textCursor().selectedText()
        if selected and len(selected) < 100 and PARAGRAPH not in selected:
            self.field.setText(selected)
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self.search()

    def dismiss(self) -> None:
        """Hides the bar and its marks."""
        self._message_search.stop()
        self.hide()
        self._matches = []
        self._view.setExtraSelections([])
        self.closed.emit()

    def search(self) -> None:
        """Marks all matches and goes to the nearest at or below the view's middle, or else looks further up."""
        self._message_search.stop()
        self._matches = list(self._found(self.field.text()))
        self._at = -1
        if self._matches:
            middle = self._view.cursorForPosition(self._view.viewport().rect().center()).position()
            later = (place for place, match in enumerate(self._matches) if match.selectionStart() >= middle)
            self._go(next(later, len(self._matches) - 1))
        else:
            self._look_beyond(-1)
            self._show()

    def search_near(self, index: int) -> None:
        """Marks all matches and goes to the first within or after message `index`, which was brought in."""
        self._matches = list(self._found(self.field.text()))
        row = self._view.transcript.row_of(index)
        start = row.start.position() if row is not None else 0
        later = (place for place, match in enumerate(self._matches) if match.selectionStart() >= start)
        at = next(later, None)
        if at is None:
            self._show()
        else:
            self._go(at)

    def _look_beyond(self, by: int) -> bool:
        words, document = self.field.text(), self._view.transcript
        index = document.first - 1 if by < 0 else document.stop
        if not words or not document.rows or not document.source.first <= index < document.source.stop:
            return False
        self._message_search.start(words, index, by)
        return True

    def _wrap(self) -> None:
        if self._matches:
            self._go(0 if self._at == len(self._matches) - 1 else len(self._matches) - 1)
        else:
            self._show()

    def _found(self, words: str) -> list[QTextCursor]:
        found: list[QTextCursor] = []
        self._view.transcript.unfold_those_with(words if len(words) > 1 else "")
        cursor = QTextCursor(self._view.document())
        while words and len(found) < _MATCH_LIMIT:
            cursor = self._view.document().find(words, cursor)
            if cursor.isNull():
                break
            if not cursor.blockFormat().boolProperty(Mark.CHROME):
                found.append(QTextCursor(cursor))
        if words:
            found += self._formulas_with(words.casefold())
            found.sort(key=QTextCursor.selectionStart)
        return found

    def _formulas_with(self, words: str) -> Iterator[QTextCursor]:
        """Yields the formulas whose source holds the words."""
        document = self._view.document()
        cursor = document.find(OBJECT, 0)
        while not cursor.isNull():
            if words in str(cursor.charFormat().property(Mark.FORMULA) or "").casefold():
                yield QTextCursor(cursor)
            cursor = document.find(OBJECT, cursor)

    def find_next(self) -> None:
        """Goes to the next match."""
        self._step(1)

    def _find_previous(self) -> None:
        """Goes to the match before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        at = self._at + by
        if 0 <= at < len(self._matches):
            self._go(at)
        elif not self._look_beyond(by) and self._matches:
            self._go(at % len(self._matches))
        self.count.setText(self._count())

    def _go(self, at: int) -> None:
        self._at = at
        caret = QTextCursor(self._matches[at])
        caret.setPosition(self._matches[at].selectionStart())
        self._view.setTextCursor(caret)
        self._view.ensureCursorVisible()
        self._show()

    def _show(self) -> None:
        theme = Theme.current()
        marks = []
        for place, match in enumerate(self._matches):
            mark = QTextEdit.ExtraSelection()
            form = QTextCharFormat()
            form.setBackground(theme.color("accent" if place == self._at else "mark"))
            form.setForeground(theme.color("on_accent" if place == self._at else "on_mark"))
            mark.cursor, mark.format = match, form
            marks.append(mark)
        self._view.setExtraSelections(marks)
        self.count.setText(self._count())

    def _count(self) -> str:
        if not self.field.text():
            return ""
        document = self._view.transcript
        if self._message_search.busy:
            return self.tr("looking further…")
        if not self._matches:
            return self.tr("none in this conversation")
        if document.first > document.source.first or document.stop < document.source.stop:
            return self.tr("{at} of {count} around here").format(at=self._at + 1, count=len(self._matches))
        return self.tr("{at} of {count}").format(at=self._at + 1, count=len(self._matches))
