"""Find and replace within the memory source."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from mnemoscope.ui.memory_editor import MemoryEditor
from mnemoscope.ui.text_offsets import Offsets
from mnemoscope.ui.text_search import LIMIT, BadSearch, Query, find_all, replace_all, replacement
from mnemoscope.ui.theme import Theme, set_role, theme_notifier

_WAIT_MS = 60
_LARGE = 500_000
_LARGE_WAIT_MS = 250
_ROOMY = 420


class FindBar(QFrame):
    """Looks for text in an editor as it is typed; the replace row is shown on demand. `closed` when it goes away."""

    closed = Signal()

    def __init__(self, editor: MemoryEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self._editor = editor
        self._text = ""
        self._offsets = Offsets("")
        self._found: list[tuple[int, int]] = []
        self._current: int | None = None
        self._icons: list[tuple[QToolButton, str]] = []
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(self._search)
        self.find_field = self._field(self.tr("Find"))
        self.replace_field = self._field(self.tr("Replace with"))
        self.case_button = self._toggle("case-sensitive", self.tr("Match case"))
        self.word_button = self._toggle("whole-word", self.tr("Whole words"))
        self.expression_button = self._toggle("regex", self.tr("Regular expression"))
        self.count_label = QLabel(self)
        self.message = QLabel(self)
        self._replace_row = QWidget(self)
        self._tools = QWidget(self)
        self._grid = QGridLayout(self)
        self._lay_out()
        self.find_field.textChanged.connect(self._search_soon)
        editor.textChanged.connect(self._on_text_changed)
        editor.scrolled.connect(self._mark)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def open(self, *, replace: bool = False) -> None:
        """Show the bar, with what is selected as what to find."""
        self._replace_row.setVisible(replace and not self._editor.isReadOnly())
        chosen = self._editor.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.find_field.setText(chosen)
        self.show()
        self.find_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hide the bar, forget the marks and go back to the text."""
        self.hide()
        self._editor.mark_matches((), None)
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def find_next(self) -> None:
        """Select the next match after the caret, from the top again after the last."""
        self._step(1)

    def find_previous(self) -> None:
        """Select the match before the caret."""
        self._step(-1)

    def replace_one(self) -> None:
        """Replace the current match and go to the next."""
        if self._current is None or self._editor.isReadOnly():
            self.find_next()
            return
        start, stop = place = self._found[self._current]
        try:
            words = replacement(self._text, place, self._query(), self.replace_field.text())
        except BadSearch as problem:
            self._say(str(problem))
            return
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._offsets.to_qt(start))
        cursor.setPosition(self._offsets.to_qt(stop), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words)
        self._editor.setTextCursor(cursor)
        self._search()
        self.find_next()

    def replace_every(self) -> None:
        """Replace all matches in one undoable step."""
        if self._editor.isReadOnly():
            return
        try:
            words, count = replace_all(self._editor.text(), self._query(), self.replace_field.text())
        except BadSearch as problem:
            self._say(str(problem))
            return
        self._editor.replace_text(words)
        self._search()
        self._say(self.tr("{count} replaced").format(count=f"{count:,}"), problem=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                return False
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if watched is self.replace_field:
                self.replace_one()
            else:
                self._step(-1 if back else 1)
            return True
        return super().eventFilter(watched, event)

    # Searching

    def _query(self) -> Query:
        return Query(
            self.find_field.text(),
            case=self.case_button.isChecked(),
            word=self.word_button.isChecked(),
            expression=self.expression_button.isChecked(),
        )

    def _search_soon(self) -> None:
        self._wait.start(_LARGE_WAIT_MS if self._editor.document().characterCount() > _LARGE else _WAIT_MS)

    def _on_text_changed(self) -> None:
        if self.isVisible():
            self._search_soon()

    def _search(self) -> None:
        self._wait.stop()
        self._text = self._editor.text()
        self._offsets = Offsets(self._text)
        self._say("")
        try:
            self._found = find_all(self._text, self._query())
        except BadSearch as problem:
            self._found = []
            self._say(str(problem))
        self._current = self._index_at_caret()
        self._show_count()
        self._mark()

    def _index_at_caret(self) -> int | None:
        """The match that is selected, if one is."""
        cursor = self._editor.textCursor()
        chosen = (self._offsets.from_qt(cursor.selectionStart()), self._offsets.from_qt(cursor.selectionEnd()))
        index = bisect_left(self._found, chosen)
        return index if index < len(self._found) and self._found[index] == chosen else None

    def _step(self, way: int) -> None:
        if self._wait.isActive():
            self._search()
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
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()
        self._show_count()
        self._mark()

    def _mark(self) -> None:
        """Mark the matches in sight: thousands of marks would slow every paint."""
        if not self.isVisible():
            return
        blocks = [block for block, _ in self._editor.visible_blocks()]
        if not blocks:
            return
        low = self._offsets.from_qt(blocks[0].position())
        high = self._offsets.from_qt(blocks[-1].position() + blocks[-1].length())
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

    def _say(self, sentence: str, *, problem: bool = True) -> None:
        self.message.setText(sentence)
        self.message.setProperty("problem", problem)
        self.message.setVisible(bool(sentence))

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setPlaceholderText(name)
        field.setAccessibleName(name)
        field.setMinimumWidth(80)
        field.installEventFilter(self)
        return field

    def _tool(self, icon: str, name: str) -> QToolButton:
        button = QToolButton(self)
        set_role(button, kind="tight")
        button.setFixedSize(28, 28)
        button.setToolTip(name)
        button.setAccessibleName(name)
        self._icons.append((button, icon))
        return button

    def _toggle(self, icon: str, name: str) -> QToolButton:
        button = self._tool(icon, name)
        button.setCheckable(True)
        button.toggled.connect(self._search)
        return button

    def _lay_out(self) -> None:
        set_role(self.count_label, role="caption")
        set_role(self.message, role="caption")
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.hide()
        close = self._tool("x", self.tr("Close find (Esc)"))
        close.clicked.connect(self.close_bar)
        self._grid.setContentsMargins(8, 8, 8, 8)
        self._grid.setSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(self.find_field, 0, 0)
        self._grid.addWidget(self._tools, 0, 1)
        self._grid.addWidget(close, 0, 2)
        self._grid.addWidget(self._replace_row, 2, 0, 1, 3)
        self._grid.addWidget(self.message, 3, 0, 1, 3)
        self._fill_tools()
        self._fill_replace_row()

    def _fill_tools(self) -> None:
        previous = self._tool("chevron-up", self.tr("Previous match (Shift+Enter)"))
        following = self._tool("chevron-down", self.tr("Next match (Enter)"))
        previous.clicked.connect(self.find_previous)
        following.clicked.connect(self.find_next)
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for button in (self.case_button, self.word_button, self.expression_button):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.count_label)
        row.addSpacing(4)
        for button in (previous, following):
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        roomy = event.size().width() >= _ROOMY
        self._grid.addWidget(self._tools, *((0, 1) if roomy else (1, 0, 1, 3)))

    def _fill_replace_row(self) -> None:
        row = QHBoxLayout(self._replace_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.replace_field, 1)
        for words, handler in ((self.tr("Replace"), self.replace_one), (self.tr("Replace all"), self.replace_every)):
            button = QPushButton(words, self._replace_row)
            button.clicked.connect(handler)
            row.addWidget(button)

    def _restyle(self) -> None:
        for button, icon in self._icons:
            button.setIcon(Theme.current().icon(icon, "text_muted", 16))
        self._mark()
