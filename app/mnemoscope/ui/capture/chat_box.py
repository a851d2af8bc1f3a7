"""The chat that is tried: written, pasted or dropped, with what the rules find in it marked where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QTextEdit, QWidget

from mnemoscope.domain.capture.rules import CATEGORIES
from mnemoscope.domain.capture.scan import Capture, Refusal
from mnemoscope.ui.memory.captures.capture_words import category_name
from mnemoscope.ui.widgets.menus import menu_place, submenu
from mnemoscope.ui.widgets.text.hinted_edit import HintedEdit
from mnemoscope.ui.widgets.text.offsets import Offsets
from mnemoscope.ui.widgets.theme import Theme, set_role


@dataclass(frozen=True, slots=True)
class PlacedMessage:
    """Describes a message of the chat and where it begins in the text, in characters; -1 where it does not stand
    there."""

    text: str
    begin: int


class ChatBox(HintedEdit):
    """Emits `files_dropped` with their paths, and `missed` with a category, for the words that are selected."""

    files_dropped = Signal(list)
    missed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self.document().setDocumentMargin(10)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Messages to try"))
        self.setPlaceholderText(
            self.tr("Write or paste messages, or drop a chat: one paragraph a message, or “You:” before each of yours")
        )
        self.places: Sequence[PlacedMessage] = ()
        self._offsets = Offsets("")

    def show_found(self, messages: Sequence[str], found: Sequence[Sequence[Capture | Refusal]]) -> None:
        """Marks what was found; messages that do not stand in the text as they are have no marks."""
        text, at, places = self.toPlainText(), 0, list[PlacedMessage]()
        self._offsets = Offsets(text)
        for message in messages:
            begin = text.find(message, at)
            places.append(PlacedMessage(message, begin))
            at = begin + len(message) if begin >= 0 else at
        self.places = places
        self.setExtraSelections(
            [
                self._selection(place.begin, each)
                for place, theirs in zip(places, found, strict=False)
                if place.begin >= 0
                for each in theirs
            ]
        )

    def reveal(self, message: int, span: tuple[int, int]) -> None:
        """Selects what was found in a message, and shows it."""
        place = self.places[message] if message < len(self.places) else None
        if place is None or place.begin < 0:
            return
        cursor = self._cursor(place.begin + span[0], place.begin + span[1])
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def chosen(self) -> tuple[str, int, int] | None:
        """Returns the message the selection is in, and its place there; None for a selection of nothing or of two
        messages."""
        cursor = self.textCursor()
        start, stop = sorted(map(self._offsets.from_qt, (cursor.anchor(), cursor.position())))
        for place in self.places:
            if start < stop and 0 <= place.begin <= start and stop <= place.begin + len(place.text):
                return place.text, start - place.begin, stop - place.begin
        return None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Shows the usual menu, with what selected words should have been kept as."""
        place = menu_place(event, self.cursorRect(), self.viewport())
        self.menu().popup(self.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """Returns what can be done with the text; it goes when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen, document = self.textCursor().hasSelection(), self.document()
        menu.addAction(self.tr("Undo"), self.undo).setEnabled(document.isUndoAvailable())
        menu.addAction(self.tr("Redo"), self.redo).setEnabled(document.isRedoAvailable())
        menu.addSeparator()
        menu.addAction(self.tr("Cut"), self.cut).setEnabled(chosen)
        menu.addAction(self.tr("Copy"), self.copy).setEnabled(chosen)
        menu.addAction(self.tr("Paste"), self.paste).setEnabled(self.canPaste())
        menu.addAction(self.tr("Select all"), self.selectAll).setEnabled(not document.isEmpty())
        if self.chosen() is not None:
            menu.addSeparator()
            kept = submenu(menu, self.tr("This was missed: it is a…"))
            for category in CATEGORIES:
                kept.addAction(category_name(category), partial(self._report_missed, category))
        return menu

    def _report_missed(self, category: str) -> None:
        self.missed.emit(category)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Returns whether it is text or files."""
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Announces files, which whoever hears of them reads; pastes all else as text."""
        paths = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()] if source.hasUrls() else []
        if paths:
            self.files_dropped.emit(paths)
        elif source.hasText():
            self.insertPlainText(source.text())

    def _selection(self, begin: int, each: Capture | Refusal) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.cursor = self._cursor(begin + each.span[0], begin + each.span[1])
        look = QTextCharFormat()
        theme = Theme.current()
        if isinstance(each, Capture):
            look.setBackground(theme.color("success_soft" if each.durable else "accent_soft"))
        else:
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            look.setUnderlineColor(theme.color("text_faint"))
        made.format = look
        return made

    def _cursor(self, start: int, stop: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offsets.to_qt(start))
        cursor.setPosition(self._offsets.to_qt(stop), QTextCursor.MoveMode.KeepAnchor)
        return cursor
