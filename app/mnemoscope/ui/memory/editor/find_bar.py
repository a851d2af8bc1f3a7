"""Find and replace within the memory source."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.widgets.text.find_controls import FindControls
from mnemoscope.ui.widgets.text.offsets import PARAGRAPH, Offsets
from mnemoscope.ui.widgets.text.search import LIMIT, BadSearch, find_all, replace_all, replacement
from mnemoscope.ui.widgets.theme import theme_notifier

_WAIT_MS: Final = 60
_LARGE: Final = 500_000
_LARGE_WAIT_MS: Final = 250


class FindBar(FindControls):
    """Looks for text in an editor as it is typed; the replace row is shown on demand. `opening` before it is shown,
    `closed` when it has gone."""

    opening = Signal()
    closed = Signal()

    def __init__(self, editor: MemoryEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._text = ""
        self._offsets = Offsets("")
        self._found: list[tuple[int, int]] = []
        self._current: int | None = None
        self._follows = False
        """Whether the current match is kept in sight: it was, and nobody scrolled away from it."""
        self._is_typed = False
        """Whether what to find was changed since the last search: the next match comes into sight."""
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(self._search)
        self.find_field.textChanged.connect(self._on_typed)
        self.options_changed.connect(self._on_options)
        self.step_pressed.connect(self._step)
        self.replace_pressed.connect(self.replace_one)
        self.replace_all_pressed.connect(self.replace_every)
        self.close_pressed.connect(self.close_bar)
        editor.textChanged.connect(self._on_text_changed)
        editor.scrolled.connect(self._on_scrolled)
        editor.laid_out.connect(self._on_laid_out)
        theme_notifier().changed.connect(self._mark)
        self.hide()

    def open(self, *, replace: bool = False) -> None:
        """Shows the bar, with what is selected as what to find."""
        self.replace_row.setVisible(replace and not self._editor.isReadOnly())
        chosen = self._editor.textCursor().selectedText()
        if chosen and PARAGRAPH not in chosen:
            self.find_field.setText(chosen)
        self.opening.emit()
        self.show()
        self.find_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hides the bar, forgets the marks and goes back to the text."""
        self.hide()
        self._editor.mark_matches((), None)
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def find_next(self) -> None:
        """Selects the next match after the caret, from the top again after the last."""
        self._step(1)

    def replace_one(self) -> None:
        """Replaces the current match and goes to the next."""
        if self._current is None or self._editor.isReadOnly():
            self.find_next()
            return
        start, stop = place = self._found[self._current]
        try:
            words = replacement(self._text, place, self.query(), self.replace_field.text())
        except BadSearch as problem:
            self.show_sentence(str(problem))
            return
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._offsets.to_qt(start))
        cursor.setPosition(self._offsets.to_qt(stop), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words)
        self._editor.setTextCursor(cursor)
        self._search()
        self.find_next()

    def replace_every(self) -> None:
        """Replaces all matches in one undoable step."""
        if self._editor.isReadOnly():
            return
        try:
            words, count = replace_all(self._editor.text(), self.query(), self.replace_field.text())
        except BadSearch as problem:
            self.show_sentence(str(problem))
            return
        self._editor.replace_text(words)
        self._search()
        self.show_sentence(self.tr("{count} replaced").format(count=f"{count:,}"), problem=False)

    def _on_scrolled(self) -> None:
        self._follows = self._current is not None and self._is_in_sight()
        self._mark()

    def _on_laid_out(self) -> None:
        """Keeps a match in sight when the editor has less room, as for a sentence of this bar."""
        if self.isVisible() and self._follows and not self._is_in_sight():
            self._editor.ensureCursorVisible()
            self._mark()

    def _is_in_sight(self) -> bool:
        return self._shows(self._editor.textCursor())

    # Searching

    def _on_typed(self) -> None:
        self._is_typed = True
        self._search_soon()

    def _on_options(self) -> None:
        self._is_typed = True
        self._search()

    def _search_soon(self) -> None:
        self._wait.start(_LARGE_WAIT_MS if self._editor.document().characterCount() > _LARGE else _WAIT_MS)

    def _on_text_changed(self) -> None:
        if self.isVisible():
            self._search_soon()

    def _search(self) -> None:
        self._wait.stop()
        self._text = self._editor.text()
        self._offsets = Offsets(self._text)
        self.show_sentence("")
        try:
            self._found = find_all(self._text, self.query())
        except BadSearch as problem:
            self._found = []
            self.show_sentence(str(problem))
        self._current = self._index_at_caret()
        was_typed, self._is_typed = self._is_typed, False
        if was_typed and self._found and self._current is None:
            # From where the last match began: a letter more may still be of the same one.
            begin = self._offsets.from_qt(self._editor.textCursor().selectionStart())
            self._current = bisect_left(self._found, (begin, 0)) % len(self._found)
            self._select(self._found[self._current])
            return
        self._show_count()
        self._mark()

    def _index_at_caret(self) -> int | None:
        """Returns the match that is selected, if one is."""
        cursor = self._editor.textCursor()
        chosen = (self._offsets.from_qt(cursor.selectionStart()), self._offsets.from_qt(cursor.selectionEnd()))
        index = bisect_left(self._found, chosen)
        return index if index < len(self._found) and self._found[index] == chosen else None

    def _step(self, way: int) -> None:
        if self._wait.isActive():
            was_typed = self._is_typed
            self._search()
            if was_typed and way > 0:
                return  # The next match was gone to.
        if not self._found:
            return
        cursor = self._editor.textCursor()
        if way > 0:
            index = bisect_left(self._found, (self._offsets.from_qt(cursor.selectionEnd()), 0))
        else:
            index = bisect_left(self._found, (self._offsets.from_qt(cursor.selectionStart()), 0)) - 1
        self._current = index % len(self._found)
        self._select(self._found[self._current])

    def _select(self, place: tuple[int, int]) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(self._offsets.to_qt(place[0]))
        cursor.setPosition(self._offsets.to_qt(place[1]), QTextCursor.MoveMode.KeepAnchor)
        was_in_sight = self._shows(cursor)
        self._editor.setTextCursor(cursor)
        if was_in_sight:
            self._editor.ensureCursorVisible()
        else:
            # At an edge of the view one would not see what stands around it.
            self._editor.centerCursor()
        self._follows = True
        self._show_count()
        self._mark()

    def _shows(self, cursor: QTextCursor) -> bool:
        """Returns whether the line of a cursor is in sight."""
        if all(block != cursor.block() for block, _ in self._editor.visible_blocks()):
            return False
        place = self._editor.cursorRect(cursor)
        return place.top() >= 0 and place.bottom() <= self._editor.viewport().height()

    def _mark(self) -> None:
        """Marks the matches in sight: thousands of marks would slow every paint."""
        if not self.isVisible():
            return
        low, high = (self._offsets.from_qt(place) for place in self._editor.visible_span())
        first, last = bisect_left(self._found, (low, 0)), bisect_left(self._found, (high, 0))
        spans = [self._span(place) for place in self._found[max(0, first - 1) : last]]
        current = None if self._current is None else self._span(self._found[self._current])
        self._editor.mark_matches(spans, current)

    def _span(self, place: tuple[int, int]) -> tuple[int, int]:
        return self._offsets.to_qt(place[0]), self._offsets.to_qt(place[1])

    # Looks

    def _show_count(self) -> None:
        total = f"{LIMIT:,}+" if len(self._found) > LIMIT else f"{len(self._found):,}"
        if not self.find_field.text():
            words = ""
        elif not self._found:
            words = self.tr("No match")
        elif self._current is None:
            words = total
        else:
            words = self.tr("{number} of {total}").format(number=f"{self._current + 1:,}", total=total)
        self.count_label.setText(words)
