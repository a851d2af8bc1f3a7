"""The Markdown source of MEMORY.md as a person edits it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QCursor,
    QDragLeaveEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QTextEdit, QWidget

from mnemoscope.domain.text.diff import LineEdit, changed_lines, common_length, line_edits
from mnemoscope.ui.markdown.reading.line_patterns import heading_of
from mnemoscope.ui.memory.editor.blame_gutter import BlameGutter
from mnemoscope.ui.memory.editor.deliberate_scroll import DeliberateScroll
from mnemoscope.ui.memory.editor.editing_keys import PLAIN_PASTE_KEYS, EditingKeys, editing_commands
from mnemoscope.ui.memory.editor.line_commands import box_of
from mnemoscope.ui.memory.editor.markdown_highlighter import MarkdownHighlighter
from mnemoscope.ui.memory.editor.misspellings import Misspellings
from mnemoscope.ui.memory.editor.rich_text import html_as_markdown, is_rich
from mnemoscope.ui.support.forget_menu import add_forget, selected_in
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.menus import menu_place, submenu
from mnemoscope.ui.widgets.text.hinted_edit import HintedEdit
from mnemoscope.ui.widgets.text.offsets import PARAGRAPH, to_utf16
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_UNBROKEN: Final = 10_000
"""Characters in a line after which Qt's search for word boundaries is quadratic: wrap anywhere instead."""
_FLASH_MS: Final = 2_500
_NUMBER_LEFT: Final = 8
_NUMBER_RIGHT: Final = 6
_SCROLL_MS: Final = 50
_DRAG_DISTANCE: Final = 6
"""Pixels that the mouse is moved before what it holds is dragged."""
_LINES_SAID: Final = 20
"""Forgotten lines that came back of which a screen reader is told."""
_UNSENT_BAR: Final = 3
_UNSENT_EDGE: Final = 2


@dataclass(frozen=True, slots=True)
class Heading:
    """Describes a heading of the text: its line, from 0, and its level, from 1."""

    line: int
    level: int
    words: str


class MemoryEditor(HintedEdit):
    """Is a plain-text editor that gives back exactly the text it was given, and can be changed from outside.

    `scrolled` follows a person's scrolling, `caret_moved` the caret's line (from 0).
    """

    scrolled = Signal()
    laid_out = Signal(bool)
    """As DeliberateScroll's."""
    caret_moved = Signal(int)
    author_requested = Signal(int)
    """It is to be shown who wrote the line of this number, from 0."""
    messages_requested = Signal(int)
    """The messages that the line of this number, from 0, came from are to be shown."""
    copy_requested = Signal(str)
    """This line is to be copied to another agent."""
    keep_requested = Signal(str)
    """This line, which was forgotten, is to stay."""
    find_requested = Signal(bool)
    """The bar that finds is to be opened: with replacing, where that is True."""
    outline_requested = Signal()
    """The headings of the text are to be listed."""
    undo_requested = Signal()
    """Undo was pressed where there is nothing to undo here."""

    def __init__(self, parent: QWidget | None = None, name: str = "MEMORY.md") -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Source of {name}").format(name=name))
        self.setPlaceholderText(self.tr("What should be remembered, in Markdown"))
        self.setTabChangesFocus(True)
        self.setCenterOnScroll(False)
        self.document().setDocumentMargin(8)
        # To Qt a margin is a change of the document.
        self.document().setModified(False)
        self._measured = ("", 0)
        """A text, and its length as the document counts it."""
        self.flash = LineFlash(self)
        self.highlighter = MarkdownHighlighter(self.document())
        self.keys = EditingKeys(self, self.highlighter, edit_lines=self.edit_lines, paste_plain=self.paste_plain)
        self.misspellings = Misspellings(self, self.highlighter)
        self.knows_authors = False
        """Whether it is known who wrote which line, and more is done with the text than to show it."""
        self._pressed_box: int | None = None
        """The line whose task's box the mouse was pressed over."""
        self.setMouseTracking(True)
        self.numbers = LineGutter(self)
        """The gutter of line numbers, which marks what no prompt holds."""
        self.blame = BlameGutter(self, self.visible_blocks)
        """The author of each line, beside the numbers; hidden until `show_blame`."""
        self.blame.hide()
        self._caret_place = CaretPlace(self)
        self._caret_place.scroll.happened.connect(self.scrolled)
        self._caret_place.scroll.laid_out.connect(self.laid_out)
        self.cursorPositionChanged.connect(self._on_caret)
        self.blockCountChanged.connect(self._place_gutters)
        self.updateRequest.connect(self.numbers.follow)
        self.updateRequest.connect(self.blame.follow)
        theme_notifier().changed.connect(self.blame.update)
        theme_notifier().changed.connect(self.restyle)
        self.restyle()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.Polish and self.font() != Theme.current().font("code"):
            # A style sheet that is put on brings back the font that the editor had when one was put on first.
            self.restyle()
        return done

    def restyle(self) -> None:
        """Reads fonts and colours again."""
        with self._caret_place.held():
            self.setFont(Theme.current().font("code"))
            self.highlighter.restyle()
            self._place_gutters()
        self.numbers.update()
        self.viewport().update()

    # The text

    def holds(self, text: str) -> bool:
        """Returns whether this is exactly the text; cheap where the lengths already differ."""
        if self._measured[0] is not text:
            self._measured = (text, to_utf16(text, len(text)))
        return self._measured[1] == self.document().characterCount() - 1 and self.text() == text

    def load(self, text: str) -> None:
        """Begins with this text: there is nothing to undo, and nothing unsaved."""
        self._choose_wrapping(text)
        with self.highlighter.loading(text):
            self.setPlainText(text)
        # With nothing in it a document says last that it is modified, though it is not: have it say so anew.
        self.document().setModified(True)
        self.document().setModified(False)
        self.flash.forget()
        self._caret_place.note()

    def replace_text(self, text: str, *, flash: bool = False) -> None:
        """Changes to `text` in one undoable step that touches only what differs; caret and view stay where they
        were."""
        before = self.text()
        if before == text:
            return
        self._choose_wrapping(text)
        with self._caret_place.held():
            _apply_edits(self.document(), line_edits(before, text), self.textCursor().position())
        if flash:
            self.flash.show(changed_lines(before, text))

    def edit_lines(self, edits: Sequence[LineEdit]) -> None:
        """Makes the edits, which are in order, in one step of their own that undo takes back."""
        with self._caret_place.held():
            _apply_edits(self.document(), edits, self.textCursor().position(), apart=True)

    def headings(self) -> list[Heading]:
        """Returns the headings of the text, in order; what stands in a code block is none."""
        found = list[Heading]()
        block = self.document().begin()
        while block.isValid():
            line = block.text()
            # Most lines are told from a heading by their first letters.
            heading = heading_of(line) if "#" in line[:4] else None
            if heading is not None and not self.highlighter.is_fenced(block):
                found.append(Heading(block.blockNumber(), *heading))
            block = block.next()
        return found

    # Where the view and the caret are

    def caret_line(self) -> int:
        """Returns the caret's line, from 0."""
        return self.textCursor().blockNumber()

    def go_to_line(self, line: int) -> None:
        """Puts the caret at the start of a line and shows it."""
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(line)))
        self.centerCursor()

    def line_at(self, y: float) -> float:
        """Returns the line at a height of the viewport; the fraction says how far into a wrapped line."""
        block = self.cursorForPosition(QPoint(0, round(y))).block()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset())
        return block.blockNumber() + min(0.999, max(0.0, (y - top.top()) / max(1.0, top.height())))

    def boundary_at(self, y: float) -> int:
        """Returns the line, from 0, before which something that is dropped at a height of the viewport is put."""
        return min(self.blockCount(), int(self.line_at(y) + 0.5))

    def top_of_line(self, line: int) -> float:
        """Returns at which height of the viewport a line begins; for one behind the last, where that one ends."""
        block = self.document().findBlockByNumber(min(line, self.blockCount() - 1))
        place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        return place.top() if line < self.blockCount() else place.bottom()

    def selected_rows(self) -> range:
        """Returns the lines that are selected, from 0; one of which nothing is selected does not count."""
        cursor, document = self.textCursor(), self.document()
        first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
        is_beside = last.blockNumber() > first.blockNumber() and cursor.selectionEnd() == last.position()
        return range(first.blockNumber(), last.blockNumber() + (not is_beside))

    def select_rows(self, first: int, last: int) -> None:
        """Selects whole lines, from 0, with their ends; the caret stands at `last`, which may be the upper one."""
        document, cursor = self.document(), self.textCursor()

        def edge(row: int) -> int:
            block = document.findBlockByNumber(row)
            return block.position() if block.isValid() else document.characterCount() - 1

        anchor, caret = (edge(first), edge(last + 1)) if first <= last else (edge(first + 1), edge(last))
        cursor.setPosition(anchor)
        cursor.setPosition(caret, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def show_line_at(self, line: float, y: float) -> None:
        """Scrolls so that a line is at about this height of the viewport."""
        block = self.document().findBlockByNumber(int(line))
        if not block.isValid():
            block = self.document().lastBlock()
        row = block.firstLineNumber() + (line - int(line)) * max(1, block.lineCount())
        self.verticalScrollBar().setValue(round(row - y / max(1, self.fontMetrics().lineSpacing())))

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Returns the blocks in sight with their rectangles in the viewport."""
        block = self.firstVisibleBlock()
        offset = self.contentOffset()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > self.viewport().height():
                return
            if block.isVisible():
                yield block, place
            block = block.next()

    def visible_span(self) -> tuple[int, int]:
        """Returns where what is in sight begins and ends, as UTF-16 offsets: of a long line a part of it."""
        sight = self.viewport().rect()
        # As much again below: what comes into sight as the editor grows.
        end = self.cursorForPosition(sight.bottomRight() + QPoint(0, sight.height()))
        return self.cursorForPosition(sight.topLeft()).position(), end.position() + 1

    def mark_matches(self, spans: Iterable[tuple[int, int]], current: tuple[int, int] | None) -> None:
        """Shows found text, UTF-16 offsets [start, stop); the current one stands out."""
        theme = Theme.current()
        found = QTextCharFormat()
        found.setBackground(theme.color("accent_soft"))
        chosen = QTextCharFormat()
        chosen.setBackground(theme.color("mark"))
        chosen.setForeground(theme.color("on_mark"))
        marks = [self._mark(span, chosen if span == current else found) for span in spans]
        self.setExtraSelections(marks)

    def undo(self) -> None:
        """Undoes what was done here; where there is nothing left, announces it for whoever knows what was saved."""
        if self.document().isUndoAvailable():
            super().undo()
        else:
            self.undo_requested.emit()

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_box = self._box_at(event) if event.button() == Qt.MouseButton.LeftButton else None
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ticks a task whose box is clicked."""
        super().mouseReleaseEvent(event)
        line, self._pressed_box = self._pressed_box, None
        if line is not None and line == self._box_at(event) and not self.textCursor().hasSelection():
            self.keys.toggle_box(line)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            over = self._box_at(event) is not None
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.numbers.cancel_drag():
            return
        if event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable():
            self.undo()
            return
        if not MEMORY_LEAVING_KEYS.press(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as ground:
            colour = Theme.current().color("diff_add")
            for block, place in self.visible_blocks():
                self.highlighter.format_block(block)
                if block.blockNumber() in self.flash.numbers:
                    height = block.layout().boundingRect().height()
                    ground.fillRect(QRectF(0, place.top(), self.viewport().width(), height), colour)
        super().paintEvent(event)
        with QPainter(self.viewport()) as above:
            above.setRenderHint(QPainter.RenderHint.Antialiasing)
            above.setPen(self.misspellings.pen())
            for block, place in self.visible_blocks():
                if place.intersects(event.rect()):
                    self.misspellings.paint(block, place, above)
            if self.numbers.drop_line is not None:
                y = self.top_of_line(self.numbers.drop_line)
                above.fillRect(QRectF(0, y - 1, self.viewport().width(), 2), Theme.current().color("accent"))

    def dropEvent(self, event: QDropEvent) -> None:
        """Puts whole lines of this text that are dropped in it between two lines, and breaks none."""
        is_own = event.source() in (self, self.viewport()) and event.proposedAction() == Qt.DropAction.MoveAction
        if not (is_own and self._holds_whole_lines() and not self.isReadOnly()):
            super().dropEvent(event)
            return
        # Qt shows no longer where it would have been dropped.
        super().dragLeaveEvent(QDragLeaveEvent())
        self.keys.move_lines(self.boundary_at(event.position().y()))
        event.acceptProposedAction()

    def _holds_whole_lines(self) -> bool:
        cursor, document = self.textCursor(), self.document()
        first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
        at_end = cursor.selectionEnd() == last.position() + last.length() - 1
        is_beside = last != first and cursor.selectionEnd() == last.position()
        return cursor.hasSelection() and cursor.selectionStart() == first.position() and (at_end or is_beside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        with self._caret_place.held():
            super().resizeEvent(event)
            self._place_gutters()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copies the source as it is, which is plain text."""
        made = QMimeData()
        made.setText(self.textCursor().selection().toRawText().replace(PARAGRAPH, "\n"))
        return made

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Makes Markdown of rich text that is pasted or dropped, in a code block plain text; in one step."""
        is_code = self.highlighter.is_fenced(self.textCursor().block())
        words = html_as_markdown(source.html()) if is_rich(source) and not is_code else ""
        self._put_in(words or source.text())

    def paste_plain(self) -> None:
        """Pastes the words alone."""
        if not self.isReadOnly():
            self._put_in(QGuiApplication.clipboard().text())

    def _put_in(self, words: str) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.insertText(words.replace("\r\n", "\n").replace("\r", "\n"))
        # As in `_apply_edits`: what is typed next is undone without it.
        cursor.setBlockFormat(cursor.blockFormat())
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers what can be done at the place that was clicked, or at the caret."""
        here = menu_place(event, self.cursorRect(), self.viewport())
        if event.reason() != QContextMenuEvent.Reason.Keyboard:
            at = self.cursorForPosition(here)
            cursor = self.textCursor()
            if not cursor.selectionStart() <= at.position() <= cursor.selectionEnd():
                self.setTextCursor(at)
        self.menu().popup(self.viewport().mapToGlobal(here))

    def menu(self) -> QMenu:
        """Returns what can be done at the caret; it goes when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line, words, standard = self.caret_line(), self.textCursor().block().text(), QKeySequence.StandardKey
        self.misspellings.offer(menu)
        if line in self.numbers.forgotten and not self.isReadOnly():
            self._offer(menu, self.tr("Keep it after all"), lambda: self.keep_requested.emit(words))
            menu.addSeparator()
        if self.knows_authors:
            self._offer(menu, self.tr("Who wrote this"), lambda: self.author_requested.emit(line))
            self._offer(menu, self.tr("Show messages"), lambda: self.messages_requested.emit(line))
            copy = self._offer(menu, self.tr("Copy to another agent…"), lambda: self.copy_requested.emit(words))
            copy.setEnabled(bool(words.strip()))
            if not self.isReadOnly():
                add_forget(menu, self, selected_in(self))
            menu.addSeparator()
        can_write, chosen = not self.isReadOnly(), self.textCursor().hasSelection()
        if can_write:
            self._offer(menu, self.tr("Undo"), self.undo, standard.Undo)
            redo = self._offer(menu, self.tr("Redo"), self.redo, standard.Redo)
            redo.setEnabled(self.document().isRedoAvailable())
            menu.addSeparator()
            self._offer(menu, self.tr("Cut"), self.cut, standard.Cut).setEnabled(chosen)
        self._offer(menu, self.tr("Copy"), self.copy, standard.Copy).setEnabled(chosen)
        if can_write:
            can_paste = self.canPaste()
            self._offer(menu, self.tr("Paste"), self.paste, standard.Paste).setEnabled(can_paste)
            plain = self._offer(menu, self.tr("Paste as plain text"), self.paste_plain, PLAIN_PASTE_KEYS)
            plain.setEnabled(can_paste)
        self._offer(menu, self.tr("Select all"), self.selectAll, standard.SelectAll)
        if can_write:
            menu.addSeparator()
            formats = submenu(menu, self.tr("Format"))
            for command in editing_commands():
                self._offer(formats, command.text, partial(self.keys.run, command), self.keys.keys_of(command))
            self.misspellings.offer_languages(menu)
        if self.knows_authors:
            menu.addSeparator()
            self._offer(menu, self.tr("Find…"), lambda: self.find_requested.emit(False), standard.Find)
            if can_write:
                self._offer(menu, self.tr("Replace…"), lambda: self.find_requested.emit(True), "Ctrl+H")
            self._offer(menu, self.tr("Outline…"), self.outline_requested.emit, "Ctrl+Shift+O")
        return menu

    @staticmethod
    def _offer(
        menu: QMenu, words: str, handler: Callable[[], object], keys: QKeySequence.StandardKey | str = ""
    ) -> QAction:
        # Only shown: editor and window hold the shortcuts themselves.
        label = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        return menu.addAction(f"{words}\t{label}" if label else words, handler)

    def mark_forgotten(self, lines: Sequence[int]) -> None:
        """Marks these lines (from 0) as forgotten ones that came back, and says so to a screen reader."""
        self.numbers.mark_forgotten(lines)
        said = [self.tr("Line {line}: {what}").format(line=f"{line + 1:,}", what=forgotten_words()) for line in lines]
        self.setAccessibleDescription("\n".join(said[:_LINES_SAID]))

    def show_blame(self, wanted: bool) -> None:
        """Shows who wrote each line beside it, or no longer does."""
        self.blame.setVisible(wanted)
        self._place_gutters()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def _place_gutters(self, _count: int = 0) -> None:
        width = self.numbers.wanted_width()
        beside = 0 if self.blame.isHidden() else self.blame.wanted_width()
        if self.viewportMargins().left() != width + beside:
            self.setViewportMargins(width + beside, 0, 0, 0)
        area = self.contentsRect()
        self.numbers.setGeometry(QRect(area.left() + beside, area.top(), width, area.height()))
        if beside:
            self.blame.setGeometry(QRect(area.left(), area.top(), beside, area.height()))

    def _on_caret(self) -> None:
        self.numbers.update()
        self.caret_moved.emit(self.caret_line())

    def _box_at(self, event: QMouseEvent) -> int | None:
        """Returns the line whose task's box lies under the mouse, from 0."""
        if self.isReadOnly() or event.modifiers():
            return None
        at = event.position().toPoint()
        block = self.cursorForPosition(at).block()
        box = box_of(block.text())
        if box is None or self.highlighter.is_fenced(block):
            return None
        start, stop = (self._cursor_at(block, column) for column in box)
        place = self.cursorRect(start)
        return block.blockNumber() if place.united(self.cursorRect(stop)).contains(at) else None

    @staticmethod
    def _cursor_at(block: QTextBlock, column: int) -> QTextCursor:
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + to_utf16(block.text(), column))
        return cursor

    def _choose_wrapping(self, text: str) -> None:
        longest = max(map(len, text.split("\n")))
        anywhere = longest > _UNBROKEN
        mode = QTextOption.WrapMode.WrapAnywhere if anywhere else QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if self.wordWrapMode() != mode:
            self.setWordWrapMode(mode)

    def _mark(self, span: tuple[int, int], look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format = look
        return selection


class CaretPlace(QObject):
    """Notes the caret's height in the window while a person types, and the words at the top of the view; scrolls so
    that the one, or else the other, is there again.

    The top is noted when somebody scrolls or moves the caret, never while the editor changes: made narrow and wide
    again it shows what it showed, though in between there was no room for it.
    """

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._height: int | None = None
        self._top = QTextCursor(edit.document())
        self._seen = 0
        self.scroll = DeliberateScroll(edit.verticalScrollBar())
        self.scroll.happened.connect(self._on_scroll)
        edit.cursorPositionChanged.connect(self.note)
        edit.installEventFilter(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps the line being typed at its height while the editor or its text changes inside, or in sight at least.
        Where nobody types, or the caret is out of sight, the view begins with the words it began with."""
        if self.scroll.holding:
            yield
            return
        with self.scroll.held():
            yield
            if self._height is not None and self._edit.hasFocus():
                self._scroll_to(self._height)
            else:
                self._return_to_top()
            self._seen = self._position_at_top()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut} and not self.scroll.holding:
            self._note_height()
        return super().eventFilter(watched, event)

    def note(self) -> None:
        """Notes where the person has the text."""
        if not self.scroll.holding:
            self._note_height()
            self._seen = self._position_at_top()
            self._top.setPosition(self._seen)

    def _on_scroll(self) -> None:
        # Rows above that are laid out only now give the same words another number: nobody scrolled.
        if self._position_at_top() != self._seen:
            self.note()

    def _note_height(self) -> None:
        """Notes the height of the text cursor in the view, None where the person looks elsewhere."""
        self._height = self._now() if self._edit.hasFocus() and self._is_in_sight() else None

    def _position_at_top(self) -> int:
        """Returns where the first row in sight begins in the text."""
        block = self._edit.firstVisibleBlock()
        row = self._edit.verticalScrollBar().value() - block.firstLineNumber()
        line = block.layout().lineAt(max(0, min(row, block.layout().lineCount() - 1)))
        return block.position() + (line.textStart() if line.isValid() else 0)

    def _return_to_top(self) -> None:
        block = self._top.block()
        line = block.layout().lineForTextPosition(self._top.positionInBlock())
        row = line.lineNumber() if line.isValid() else 0
        self._edit.verticalScrollBar().setValue(block.firstLineNumber() + row)

    def _scroll_to(self, height: int) -> None:
        bar, row = self._edit.verticalScrollBar(), max(1, self._edit.fontMetrics().lineSpacing())
        bar.setValue(bar.value() + round((self._now() - height) / row))
        if not self._is_in_sight():
            self._edit.ensureCursorVisible()

    def _now(self) -> int:
        viewport = self._edit.viewport()
        return viewport.mapTo(viewport.window(), QPoint(0, self._edit.cursorRect().top())).y()

    def _is_in_sight(self) -> bool:
        place = self._edit.cursorRect()
        return place.top() >= 0 and place.bottom() <= self._edit.viewport().height()


class LineFlash(QObject):
    """Knows which lines of an editor were just changed; the editor paints them so for a moment. `changed` when others
    stand out."""

    changed = Signal()

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self.numbers: frozenset[int] = frozenset()
        """From 0."""
        self._moment = QTimer(self, singleShot=True, interval=_FLASH_MS)
        self._moment.timeout.connect(self.forget)

    def show(self, numbers: Iterable[int]) -> None:
        """Lets these lines (from 0) stand out for a moment."""
        self.numbers = frozenset(numbers)
        self._moment.start()
        self._edit.viewport().update()
        self.changed.emit()

    def forget(self) -> None:
        """Lets no line stand out any longer."""
        self._moment.stop()
        self.numbers = frozenset()
        self._edit.viewport().update()
        self.changed.emit()

    def reveal(self) -> None:
        """Brings the first of the lines into sight."""
        if not self.numbers:
            return
        block = self._edit.document().findBlockByNumber(min(self.numbers))
        rows = self._edit.viewport().height() // max(1, self._edit.fontMetrics().lineSpacing())
        first, stop = block.firstLineNumber(), block.firstLineNumber() + block.lineCount()
        bar = self._edit.verticalScrollBar()
        if not bar.value() <= first <= stop <= bar.value() + rows:
            # As far down as the text is scrolled: there the preview shows it beside, however low it is.
            beside = first * bar.maximum() // max(1, bar.maximum() + rows)
            bar.setValue(max(beside - 1, stop - rows))


class LineGutter(QWidget):
    """Paints the numbers of the lines in sight of its editor, and a mark beside those that are not sent.

    A click on a number selects its line, a drag more of them; selected lines are dragged to another place.
    """

    def __init__(self, editor: MemoryEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.unsent_from: int | None = None
        """The line from which on nothing is sent, from 0; None where all of it is."""
        self.forgotten: frozenset[int] = frozenset()
        """The lines, from 0, that the person had forgotten and that came back: they are not sent."""
        self.drop_line: int | None = None
        """The line, from 0, before which the lines that are being dragged would go; None where none are."""
        self._pressed: QPoint | None = None
        self._anchor: int | None = None
        """The line at which the selecting of lines began; None while selected ones are held."""
        self._scroll = QTimer(self, interval=_SCROLL_MS)
        self._scroll.timeout.connect(self._scroll_on)
        self.setMouseTracking(True)
        self._show_meaning()

    def mark_unsent(self, line: int | None) -> None:
        """Marks this line (from 0) and all after it as not sent; None for none."""
        if line == self.unsent_from:
            return
        self.unsent_from = line
        self._show_meaning()
        self.update()

    def mark_forgotten(self, lines: Iterable[int]) -> None:
        """Marks these lines (from 0) as forgotten ones that came back."""
        if (marked := frozenset(lines)) != self.forgotten:
            self.forgotten = marked
            self._show_meaning()
            self.update()

    def cancel_drag(self) -> bool:
        """Leaves the lines that are being dragged where they are; False where none are."""
        was_dragged = self.drop_line is not None
        self._pressed = self._anchor = None
        self._show_drop(None)
        return was_dragged

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._editor.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pressed, line = event.position().toPoint(), self._line_at(event)
        if self._holds(line):
            self._anchor = None
            self._show_cursor(Qt.CursorShape.ClosedHandCursor)
            return
        self._anchor = line
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = self._editor.document().findBlock(self._editor.textCursor().anchor()).blockNumber()
        self._editor.select_rows(self._anchor, line)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._show_meaning(self._line_at(event))
            can_drag = self._holds(self._line_at(event))
            self._show_cursor(Qt.CursorShape.OpenHandCursor if can_drag else Qt.CursorShape.ArrowCursor)
        elif self._anchor is not None:
            self._editor.select_rows(self._anchor, self._line_at(event))
        elif self.drop_line is not None or (at - self._pressed).manhattanLength() >= _DRAG_DISTANCE:
            self._show_drop(self._editor.boundary_at(at.y()))
            is_outside = not 0 <= at.y() < self.height()
            (self._scroll.start if is_outside else self._scroll.stop)()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, anchor, target = self._pressed, self._anchor, self.drop_line
        self.cancel_drag()
        if target is not None:
            self._editor.keys.move_lines(target)
        elif pressed is not None and anchor is None and event.button() == Qt.MouseButton.LeftButton:
            # A click within what is selected chooses that one line.
            line = self._line_at(event)
            self._editor.select_rows(line, line)
        self.mouseMoveEvent(event)

    def _line_at(self, event: QMouseEvent) -> int:
        return int(self._editor.line_at(event.position().y()))

    def _holds(self, line: int) -> bool:
        """Returns whether a press on a line's number takes hold of the selected lines."""
        can_move = not self._editor.isReadOnly() and self._editor.textCursor().hasSelection()
        return can_move and line in self._editor.selected_rows()

    def _show_drop(self, line: int | None) -> None:
        if line is None:
            self._scroll.stop()
        if line != self.drop_line:
            self.drop_line = line
            self._editor.viewport().update()

    def _scroll_on(self) -> None:
        at = self.mapFromGlobal(QCursor.pos())
        bar = self._editor.verticalScrollBar()
        bar.setValue(bar.value() + (-1 if at.y() < 0 else 1))
        self._show_drop(self._editor.boundary_at(max(0, min(at.y(), self.height() - 1))))

    def _show_cursor(self, shape: Qt.CursorShape) -> None:
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    def _show_meaning(self, line: int | None = None) -> None:
        words = [self.tr("Click selects the line; drag selected lines to move them, or press Alt+Up and Alt+Down.")]
        if self.unsent_from is not None:
            unsent = self.tr("No prompt holds the text from line {line} on.")
            words.insert(0, unsent.format(line=f"{self.unsent_from + 1:,}"))
        if line in self.forgotten:
            words.insert(0, forgotten_words())
        self.setToolTip("\n".join(words))

    def wanted_width(self) -> int:
        """Returns how many pixels the longest number needs, at least two digits: a tenth line shifts nothing."""
        digits = max(2, len(str(self._editor.blockCount())))
        return _NUMBER_LEFT + QFontMetrics(self._font()).horizontalAdvance("0" * digits) + _NUMBER_RIGHT

    def follow(self, area: QRect, dy: int) -> None:
        """Follows the editor's viewport, which was scrolled by `dy` or wants `area` painted again."""
        if dy:
            self.scroll(0, dy)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
            painter.setFont(self._font())
            caret = self._editor.caret_line()
            height = self._editor.fontMetrics().lineSpacing()
            for block, place in self._editor.visible_blocks():
                number = block.blockNumber()
                if self.unsent_from is not None and number >= self.unsent_from:
                    whole = QRectF(0, place.top(), self.width(), place.height())
                    painter.fillRect(whole, theme.color("warning_soft"))
                    painter.fillRect(QRectF(0, place.top(), _UNSENT_BAR, place.height()), theme.color("warning"))
                    if number == self.unsent_from:
                        painter.fillRect(QRectF(0, place.top(), self.width(), _UNSENT_EDGE), theme.color("warning"))
                is_forgotten = number in self.forgotten
                if is_forgotten:
                    painter.fillRect(QRectF(0, place.top(), self.width(), place.height()), theme.color("danger_soft"))
                    painter.fillRect(QRectF(0, place.top(), _UNSENT_BAR, place.height()), theme.color("danger"))
                struck = painter.font()
                struck.setStrikeOut(is_forgotten)
                painter.setFont(struck)
                painter.setPen(theme.color("text" if number == caret or is_forgotten else "text_faint"))
                line = QRectF(0, place.top(), self.width() - _NUMBER_RIGHT, height)
                painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1))

    def _font(self) -> QFont:
        font = Theme.current().font("code")
        font.setPointSizeF(font.pointSizeF() * 0.9)
        return font


def forgotten_words() -> str:
    """Returns what is said of a line that the person had forgotten and that came back."""
    return QCoreApplication.translate("LineGutter", "You chose to forget this; not sent.")


def _apply_edits(document: QTextDocument, edits: Sequence[LineEdit], caret: int, *, apart: bool = False) -> None:
    """Makes the edits, which are in order and number lines as they are before any of them.

    Undone, they leave the editor's caret at `caret`, a UTF-16 offset. `apart`: what is typed right after is undone
    without them.
    """
    cursor = QTextCursor(document)
    cursor.setPosition(caret)
    cursor.beginEditBlock()
    for edit in reversed(edits):
        _apply(cursor, edit)
    if apart:
        # Letters are joined to a step that ends with letters.
        cursor.setBlockFormat(cursor.blockFormat())
    cursor.endEditBlock()


def _apply(cursor: QTextCursor, edit: LineEdit) -> None:
    document = cursor.document()
    first = document.findBlockByNumber(edit.start)
    words = "\n".join(edit.lines)
    if edit.start == edit.stop:
        _insert_lines(cursor, first, words)
    elif not edit.lines:
        _remove_lines(cursor, first, document.findBlockByNumber(edit.stop))
    else:
        last = document.findBlockByNumber(edit.stop - 1)
        _rewrite(cursor, first.position(), last.position() + last.length() - 1, words)


def _insert_lines(cursor: QTextCursor, first: QTextBlock, words: str) -> None:
    if first.isValid():
        cursor.setPosition(first.position())
        cursor.insertText(words + "\n")
    else:
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("\n" + words)


def _remove_lines(cursor: QTextCursor, first: QTextBlock, following: QTextBlock) -> None:
    if following.isValid():
        cursor.setPosition(first.position())
        cursor.setPosition(following.position(), QTextCursor.MoveMode.KeepAnchor)
    else:
        cursor.setPosition(max(0, first.position() - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()


def _rewrite(cursor: QTextCursor, start: int, stop: int, words: str) -> None:
    """Replaces [start, stop) by `words`, leaving alone what they begin and end with in common."""
    cursor.setPosition(start)
    cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
    old = cursor.selectedText().replace(PARAGRAPH, "\n")
    head = common_length(old, words)
    tail = common_length(old[head:][::-1], words[head:][::-1])
    kept = to_utf16(old, len(old)) - to_utf16(old, len(old) - tail)
    cursor.setPosition(start + to_utf16(old, head))
    cursor.setPosition(stop - kept, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(words[head : len(words) - tail])


MEMORY_LEAVING_KEYS: Final[PartKeys[MemoryEditor]] = PartKeys(
    "Text of a memory file",
    PartKey(
        "leave the text, from wherever the caret is",
        {"Ctrl+Tab": lambda editor: QWidget.focusNextPrevChild(editor, True)},
    ),
    PartKey("leave the text backwards", {"Ctrl+Shift+Tab": lambda editor: QWidget.focusNextPrevChild(editor, False)}),
    in_text=True,
)
