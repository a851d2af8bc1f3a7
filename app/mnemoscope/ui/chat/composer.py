"""Where the person writes: a text edit that grows, in a card, with the state of the context and Send or Stop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QInputMethodEvent, QKeyEvent, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.chat.command_completer import Command, CommandCompleter
from mnemoscope.ui.chat.markdown_guard import printable
from mnemoscope.ui.chat.text_column import gutter_of
from mnemoscope.ui.widgets.theme import READING_WIDTH, Theme, set_role, theme_notifier

LINES: Final = 8
DRAFT_AFTER: Final = 400
"""Milliseconds of rest after which the draft is announced."""
PASTE_LIMIT: Final = 200_000
"""Characters up to which the draft is laid out with wrapping; a longer one would cost seconds a key."""
_UNBROKEN: Final = re.compile(r"\S{10000}")
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ComposerEdit(QPlainTextEdit):
    """The text edit: sends on Enter, breaks on Shift+Enter, and leaves Enter to an input method that composes."""

    sent = Signal()
    escaped = Signal()
    recalled = Signal()
    focused = Signal(bool)

    def __init__(self, completer: CommandCompleter, parent: QWidget) -> None:
        super().__init__(parent)
        self._completer = completer
        self._composing = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Message"))
        self.document().setDocumentMargin(0)
        self.textChanged.connect(self.fit)

    def fit(self) -> None:
        """Be as high as the text, between one line and eight."""
        line = self.fontMetrics().lineSpacing()
        lines = min(max(int(self.document().size().height()), 1), LINES)
        self.setFixedHeight(line * lines + 6)

    def preeditAreaText(self) -> str:
        """What an input method is composing and has not committed yet."""
        return self.textCursor().block().layout().preeditAreaText() or self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = event.preeditString()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        composing = bool(self.preeditAreaText())
        if composing and event.key() in _ENTER:
            # It ends the composition, which is the input method's affair.
            event.accept()
        elif composing or not (self._completes(event) or self._sends(event) or self._leaves(event)):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab belongs to the open list of commands; else it goes to the next pane."""
        return not self._completer.isVisible() and super().focusNextPrevChild(next)

    def _completes(self, event: QKeyEvent) -> bool:
        """Keys that belong to the open list of commands."""
        if not self._completer.isVisible() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if event.key() in steps:
            self._completer.step(steps[Qt.Key(event.key())])
        elif event.key() in (*_ENTER, Qt.Key.Key_Tab):
            self._completer.chosen.emit(self._completer.current)
        elif event.key() == Qt.Key.Key_Escape:
            self._completer.hide()
        else:
            return False
        return True

    def _sends(self, event: QKeyEvent) -> bool:
        if event.key() not in _ENTER:
            return False
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        else:
            self.sent.emit()
        return True

    def _leaves(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty():
            self.recalled.emit()
        else:
            return False
        return True

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste the words only."""
        self.insert_words(source.text())

    def insert_words(self, text: str) -> None:
        """Put text in at the cursor; one too long to be wrapped is shown in unwrapped lines."""
        words = printable(text)
        long = self.document().characterCount() + len(words) > PASTE_LIMIT or _UNBROKEN.search(words)
        wrap = QPlainTextEdit.LineWrapMode.NoWrap if long else QPlainTextEdit.LineWrapMode.WidgetWidth
        self.setLineWrapMode(wrap)
        self.textCursor().insertText(words)
        self.ensureCursorVisible()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._completer.hide()
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class Composer(QWidget):
    """The card under the conversation."""

    submitted = Signal(str)
    stop_requested = Signal()
    escaped = Signal()
    """Esc was pressed while nothing was being written."""
    draft_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._busy = False
        self._last = ""
        self.completer = CommandCompleter(self)
        self.card = QFrame(self)
        set_role(self.card, role="input-card")
        self.edit = ComposerEdit(self.completer, self.card)
        self.card.setCursor(Qt.CursorShape.IBeamCursor)
        self.card.installEventFilter(self)
        self._hints = [
            self.tr("Message. Enter sends, Shift+Enter starts a line, / for commands"),
            self.tr("Message. Enter sends, / for commands"),
            self.tr("Message"),
        ]
        self.status = QLabel(self.card)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_role(self.status, role="caption")
        self.button = QPushButton(self.card)
        self.button.setMinimumWidth(64)
        self.button.setCursor(Qt.CursorShape.ArrowCursor)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(DRAFT_AFTER)
        self._lay_out()
        self._connect()
        self._show_button()

    def _lay_out(self) -> None:
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.status, 1)
        below.addWidget(self.button)
        column = QVBoxLayout(self.card)
        column.setContentsMargins(12, 12, 12, 10)
        column.setSpacing(8)
        column.addWidget(self.edit)
        column.addLayout(below)
        self.card.setMaximumWidth(READING_WIDTH)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(24, 4, 24, 16)
        row.addStretch(1)
        row.addWidget(self.card, 1000)
        row.addStretch(1)
        self.setFocusProxy(self.edit)

    def _connect(self) -> None:
        self.edit.sent.connect(self._submit)
        self.edit.escaped.connect(self._on_escape)
        self.edit.recalled.connect(self._recall)
        self.edit.focused.connect(self._show_focus)
        self.edit.textChanged.connect(self._on_text)
        self.button.clicked.connect(self._on_button)
        self.completer.chosen.connect(self._on_command)
        self._resting.timeout.connect(lambda: self.draft_changed.emit(self.draft()))
        theme_notifier().changed.connect(self._show_button)

    # What is written

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click anywhere on the card is a click into its text."""
        if watched is self.card and event.type() == QEvent.Type.MouseButtonPress and self.edit.isEnabled():
            self.edit.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().eventFilter(watched, event)

    def draft(self) -> str:
        """The text as it stands."""
        return self.edit.toPlainText()

    def set_draft(self, text: str) -> None:
        """Replace the text, with the cursor at its end."""
        self.edit.clear()
        self.edit.insert_words(text)
        self.completer.hide()

    def add_words(self, words: str) -> None:
        """Put words after what is typed, as one step that undo takes back, and give the field the keyboard."""
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.insertPlainText(f"\n{words}" if self.draft() else words)
        self.edit.setFocus()

    def set_commands(self, commands: Sequence[Command]) -> None:
        """Slash commands as (name with slash, usage, help)."""
        self.completer.set_commands(commands)

    def set_status(self, text: str) -> None:
        """How much of the context is used and what it cost."""
        self.status.setText(text)
        self.status.setToolTip(text)

    def set_read_only(self) -> None:
        """Nothing can be sent from here, and it says so."""
        self._hints = [self.tr("Open for reading only")]
        self._show_hint()
        self.setEnabled(False)

    def set_busy(self, busy: bool) -> None:
        """While an answer is written, the button and Esc stop it."""
        self._busy = busy
        self._show_button()

    @property
    def busy(self) -> bool:
        """Whether an answer is being written."""
        return self._busy

    def _submit(self) -> None:
        text = self.draft().strip()
        stops = self._busy and text != "/stop"
        if not text or stops:
            return
        self._last = text
        self.edit.clear()
        self.completer.hide()
        self._resting.stop()
        self.draft_changed.emit("")
        self.submitted.emit(text)

    def _on_button(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self._submit()
        self.edit.setFocus()

    def _on_escape(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.escaped.emit()

    def _recall(self) -> None:
        if self._last:
            self.set_draft(self._last)

    def set_last_message(self, text: str) -> None:
        """What the Up key brings back in an empty composer."""
        self._last = text

    def _on_text(self) -> None:
        text = self.edit.document().firstBlock().text() if self.edit.document().blockCount() == 1 else ""
        typed = text if text.startswith("/") and " " not in text and len(text) < 40 else ""
        self.completer.complete(typed, self.card)
        self._show_button()
        self._resting.start()

    def _on_command(self, name: str) -> None:
        self.edit.selectAll()
        self.edit.textCursor().insertText(f"{name} ")
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.completer.hide()

    # Looks

    def resizeEvent(self, event: QResizeEvent) -> None:
        gutter = gutter_of(event.size().width())
        self._row.setContentsMargins(gutter, 4, gutter, min(gutter, 16))
        super().resizeEvent(event)
        self._show_hint()

    def _show_hint(self) -> None:
        """As much help as fits into one line."""
        room, metrics = self.card.width() - 32, self.edit.fontMetrics()
        fitting = (words for words in self._hints if metrics.horizontalAdvance(words) < room)
        self.edit.setPlaceholderText(next(fitting, self._hints[-1]))

    def _show_focus(self, focused: bool) -> None:
        self.card.setProperty("focused", "true" if focused else "false")
        set_role(self.card)

    def _show_button(self) -> None:
        self.button.setText(self.tr("Stop") if self._busy else self.tr("Send"))
        icon = Theme.current().icon("square", "text", 14) if self._busy else QIcon()
        self.button.setIcon(icon)
        self.button.setIconSize(QSize(14, 14))
        self.button.setEnabled(self._busy or not self.edit.document().isEmpty())
        kind = "" if self._busy else "primary"
        if self.button.property("kind") != kind:
            set_role(self.button, kind=kind)
        self.button.setAccessibleName(self.tr("Stop the answer") if self._busy else self.tr("Send the message"))
