"""The composer's text edit: sends on Enter, and knows which of its words were put in rather than typed."""

from __future__ import annotations

import json
import re
from typing import Final

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from mnemoscope.domain.conversation.origin import PASTE
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.ui.chat.composer.command_completer import CommandCompleter
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.composer.pasted_ranges import PastedRanges
from mnemoscope.ui.markdown.reading.untrusted_text import printable
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.text.hinted_edit import HintedEdit

_LINES: Final = 8
_PASTE_LIMIT: Final = 200_000
"""Characters up to which the draft is laid out with wrapping; a longer one would cost seconds a key."""
_FOR_LOOKS: Final = ("calt", "clig", "kern", "liga")
"""The features of a font that no script needs to be read."""
_SHORT_PASTE: Final = 200
"""Characters up to which one pasted line is as good as typed: a name, an address, a word."""
_COPIED_HERE: Final = "application/x-mnemoscope-written"
"""The text that was copied in this field, with its marks: the person's words stay theirs, and pasted ones pasted."""
_UNBROKEN: Final = re.compile(r"\S{10000}")
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ComposerEdit(HintedEdit):
    """Sends on Enter, breaks on Shift+Enter, and leaves Enter to an input method that composes."""

    sent = Signal()
    escaped = Signal()
    recalled = Signal()
    focused = Signal(bool)
    """The keyboard came here, or, with False, left."""
    files_dropped = Signal(list)
    """Paths of files that were dropped or pasted."""
    picture_pasted = Signal(object)
    """The bytes of a PNG or JPEG that was pasted or dropped, or the `QImage` of another picture."""
    unusable_pasted = Signal()
    """Something that holds neither words nor a picture was pasted or dropped."""

    def __init__(self, card: QWidget) -> None:
        super().__init__(card)
        self.completer = CommandCompleter(self, card)
        self.marks = PastedRanges(self)
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
        """Makes the field as high as its text, between one line and eight."""
        line = self.fontMetrics().lineSpacing()
        lines = min(max(int(self.document().size().height()), 1), _LINES)
        self.setFixedHeight(line * lines + 6)

    def preeditAreaText(self) -> str:
        """Returns what an input method is composing and has not committed yet."""
        return self.textCursor().block().layout().preeditAreaText() or self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if event.commitString() or event.preeditString():
            self.marks.keep_apart()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        composing = bool(self.preeditAreaText())
        if composing and event.key() in _ENTER:
            # It ends the composition, which is the input method's affair.
            event.accept()
        elif composing or not (self._completes(event) or COMPOSER_KEYS.press(self, event)):
            if types_text(event):
                self.marks.keep_apart()
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Gives Tab to the open list of commands; else the key goes to the next pane."""
        return self._open_list is None and super().focusNextPrevChild(next)

    @property
    def _open_list(self) -> CommandCompleter | None:
        return self.completer if self.completer.isVisible() else None

    def _completes(self, event: QKeyEvent) -> bool:
        """Keys that belong to the open list of commands."""
        return self._open_list is not None and COMPLETER_KEYS.press(self, event)

    def _take_or_send(self) -> bool:
        if self.toPlainText() == self.completer.current:
            # Typed in full: other commands only go on from there.
            self.completer.hide()
            return False
        self._take()
        return True

    def _take(self) -> None:
        self.completer.chosen.emit(self.completer.current)

    def _send(self) -> None:
        self.sent.emit()

    def _break_line(self) -> None:
        self.marks.keep_apart()
        self.textCursor().insertText("\n")
        self.ensureCursorVisible()

    def _recall(self) -> bool:
        if not self.document().isEmpty():
            return False
        self.recalled.emit()
        return True

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        copied = self.marks.content(cursor.selectionStart(), cursor.selectionEnd())
        made = QMimeData()
        made.setText(copied.text)
        made.setData(_COPIED_HERE, json.dumps(copied.as_draft()).encode())
        return made

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Takes in whatever comes: of what cannot be sent the person is told so."""
        return bool(source.formats())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Pastes the words only; files are announced, for the disk is not read here."""
        if not source.formats():
            # Qt pastes from an empty clipboard too.
            return
        paths = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        copied = _copied_here(source)
        if paths:
            self.files_dropped.emit(paths)
        elif copied is not None:
            self.insert_content(copied)
        else:
            text = source.text()
            if not text.strip() and (picture := _picture_in(source)) is not None:
                self.picture_pasted.emit(picture)
                return
            if not text.strip() and not _holds_white_space_alone(source):
                self.unusable_pasted.emit()
                return
            is_quote = len(text) > _SHORT_PASTE or "\n" in text.strip()
            self.insert_words(text, PASTE if is_quote else "")

    def insert_words(self, text: str, origin: str = "") -> None:
        """Puts text in at the cursor, marked where an origin (PASTE or FILE) is given."""
        words = printable(text)
        self.insert_content(ComposerText(words, ((0, len(words), origin),) if words and origin else ()))

    def insert_content(self, content: ComposerText) -> None:
        """Puts text with its marks in at the cursor; one too long to be wrapped is shown in unwrapped lines."""
        count = self.document().characterCount() + len(content.text)
        self._show_plainly(count > _PASTE_LIMIT or _UNBROKEN.search(content.text) is not None)
        self.marks.insert_content(content)
        self.ensureCursorVisible()

    def _show_plainly(self, plainly: bool) -> None:
        """Shows the text unwrapped and without what a font does between letters for looks, or as all others: Qt lays a
        whole line out anew at every key, which looks make several times as slow."""
        if plainly != (self.lineWrapMode() == self.LineWrapMode.NoWrap):
            self.setLineWrapMode(self.LineWrapMode.NoWrap if plainly else self.LineWrapMode.WidgetWidth)
            self.setFont(_plain_font() if plainly else QFont())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if (offered := self._open_list) is not None:
            offered.hide()
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


def _plain_font() -> QFont:
    """Returns a font that sets nothing but what is left out: family and size stay those of the window. Letters that
    have to join are joined."""
    font = QFont()
    font.setKerning(False)
    for feature in _FOR_LOOKS:
        font.setFeature(QFont.Tag(feature), 0)
    return font


def types_text(event: QKeyEvent) -> bool:
    """Returns whether a key puts a character into the text."""
    command = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier)
    return bool(event.text()) and event.text().isprintable() and not command


def _picture_in(source: QMimeData) -> bytes | QImage | None:
    """Returns the picture in what is pasted: undecoded where it can be had so, because decoding takes its time."""
    for form in ("image/png", "image/jpeg"):
        if source.hasFormat(form) and (data := bytes(source.data(form).data())):
            return data
    image = source.imageData() if source.hasImage() else None
    return image if isinstance(image, QImage) and not image.isNull() else None


def _holds_white_space_alone(source: QMimeData) -> bool:
    """Returns whether what is pasted is text without a word, such as an indent, and no picture beside it."""
    return bool(source.text()) and not source.hasImage()


def _copied_here(source: QMimeData) -> ComposerText | None:
    # Nothing where it is none of ours, whatever another program says of it.
    draft = parsed_json(bytes(source.data(_COPIED_HERE).data()))
    return ComposerText.of_draft(draft) if isinstance(draft, dict) else None


COMPOSER_KEYS: Final[PartKeys[ComposerEdit]] = PartKeys(
    "Message field",
    PartKey(
        "send the message",
        {"Enter": ComposerEdit._send, "Ctrl+Enter": ComposerEdit._send, "Alt+Enter": ComposerEdit._send},
    ),
    PartKey("begin a line", {"Shift+Enter": ComposerEdit._break_line, "Ctrl+Shift+Enter": ComposerEdit._break_line}),
    PartKey("bring back the last message, where the field is empty", {"Up": ComposerEdit._recall}),
    PartKey("leave the message that is edited, or stop the answer", {"Esc": lambda edit: edit.escaped.emit()}),
)
COMPLETER_KEYS: Final[PartKeys[ComposerEdit]] = PartKeys(
    "Message field, the list of slash commands",
    PartKey(
        "choose a command", {"Up": lambda edit: edit.completer.step(-1), "Down": lambda edit: edit.completer.step(1)}
    ),
    PartKey(
        "take the chosen command; Enter sends one that is typed in full",
        {"Tab": ComposerEdit._take, "Enter": ComposerEdit._take_or_send},
    ),
    PartKey("close the list", {"Esc": lambda edit: edit.completer.hide()}),
)
