"""The transcript on screen: a read-only text browser that paints cards behind its text and loads nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    Qt,
    QUrl,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextLayout,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QTextBrowser, QTextEdit, QToolTip, QVBoxLayout, QWidget

from mnemoscope.domain.conversation.message import is_deleted, text_of
from mnemoscope.ui.chat.message_actions import (
    CopyCode,
    CopyMessage,
    DeleteMessage,
    DeleteTurn,
    ExportMessages,
    FoldMessage,
    MessageAction,
    MessageActions,
    ShowWholeMessage,
)
from mnemoscope.ui.chat.transcript import selection_copy
from mnemoscope.ui.chat.transcript.link_spans import (
    LinkSpan,
    link_span_after,
    link_span_at,
    link_span_before,
    link_spans,
)
from mnemoscope.ui.chat.transcript.message_drawer import fold_words
from mnemoscope.ui.chat.transcript.transcript_document import ROOM, Row, TranscriptDocument
from mnemoscope.ui.markdown.document import link_dialog
from mnemoscope.ui.markdown.document.card_painter import CardPainter, Column, paint_highlight
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.support.forget_menu import add_forget, offer_forgetting, selected_in
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.text.plain_text import plain_box
from mnemoscope.ui.widgets.theme import Theme, set_role

_HAND: Final = Qt.CursorShape.PointingHandCursor


class TranscriptView(QTextBrowser):
    """Shows a `TranscriptDocument`; says what was clicked and hovered, decides nothing."""

    row_clicked = Signal(int)
    """The message of this index was clicked."""
    action_chosen = Signal(object)
    """A `MessageAction` was clicked, or Enter pressed where the keyboard is at it."""
    menu_requested = Signal(QPoint)
    """The menu of what stands at this point of the viewport is to be opened."""
    deletion_requested = Signal(int, bool)
    """The message of this index is to be deleted; with True all of its turn."""
    end_requested = Signal(bool)
    """The person goes to the end of the whole conversation; with False to its beginning."""
    about_to_resize = Signal()
    resized = Signal()

    def __init__(self, transcript: TranscriptDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transcript = transcript
        self.writing = False
        self.emphasis = RowEmphasis(self)
        self._painter = CardPainter(transcript.document)
        self._pressed: QPoint | None = None
        self._pressed_action: MessageAction | None = None
        self._is_at_link = False
        """Whether what is selected is a link that was gone to by keys or clicked, and nothing that is to be copied."""
        self._ring = False
        """Whether the ring of focus is shown: the keyboard came by keys."""
        self.first_painted = 0
        """The uppermost block that was painted last."""
        self._set_up()

    def _set_up(self) -> None:
        self.transcript.image_shown.connect(self.viewport().update)
        set_role(self, role="canvas")
        is_ringed_elsewhere(self)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setDocument(self.transcript.document)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.viewport().setMouseTracking(True)
        self.setCursorWidth(0)
        self.setAccessibleName(self.tr("Conversation"))
        self.setAccessibleDescription(self.tr("Alt+Down and Alt+Up go through the links, Enter follows one."))

    # Nothing is ever loaded

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Returns nothing: no message names anything that is shipped."""
        del kind, name
        return None

    # Places

    def offset(self) -> int:
        """Returns how far the view is scrolled, in pixels."""
        return self.verticalScrollBar().value()

    def fit_column(self) -> None:
        """Gives the text column the width that the view has for it."""
        self.transcript.set_width(self.width(), self.viewport().width())

    @contextmanager
    def bar_kept(self) -> Iterator[None]:
        """Keeps the scroll bar while everything is written anew: without it the text would be laid out twice."""
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        try:
            yield
        finally:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def row_rect(self, row: Row) -> QRectF:
        """Returns a row's area in document coordinates, pixels."""
        layout = self.transcript.document.documentLayout()
        start, end = self.transcript.range_of(row)
        top = layout.blockBoundingRect(self.transcript.document.findBlock(start)).top()
        bottom = layout.blockBoundingRect(self.transcript.document.findBlock(end)).bottom()
        return QRectF(self.transcript.column_left, top, self.transcript.column_width, bottom - top)

    def row_under(self, point: QPoint) -> Row | None:
        """Returns the row at a point of the viewport."""
        return self.transcript.row_at(self.cursorForPosition(point).position())

    def selected_messages(self) -> range | None:
        """Returns the messages that the selection touches, with the results of their calls; None where it is empty."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        first = self.transcript.row_at(cursor.selectionStart())
        last = self.transcript.row_at(cursor.selectionEnd() - 1)
        return self.messages_of(first, last) if first is not None and last is not None else None

    def messages_of(self, first: Row, last: Row) -> range:
        """Returns the messages of rows that follow each other, with the results that are shown in their cards."""
        after = (row.index for row in self.transcript.rows if row.index > last.index and row.drawn)
        return range(first.index, next(after, self.transcript.stop))

    # Painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.about_to_resize.emit()
        self.fit_column()
        super().resizeEvent(event)
        # A scroll bar that comes or goes while the view is on its way to being shown sends no event of its own.
        self.fit_column()
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.translate(0, -self.offset())
            visible = QRectF(event.rect()).translated(0, self.offset())
            column = Column(self.transcript.column_left, self.transcript.column_width)
            self.emphasis.paint(painter)
            first = self._block_at(event.rect().top())
            self.first_painted = first.blockNumber()
            self._painter.paint(painter, first, visible, column)
            painter.setClipRect(visible)
            self.document().documentLayout().draw(painter, self._context(first, visible))
        self._paint_above()

    def _context(self, first: QTextBlock, visible: QRectF) -> QAbstractTextDocumentLayout.PaintContext:
        """Returns how the text is drawn. The base class would also draw what is selected and not copied as selected,
        and so would show links that are out of sight until the pointer is over their message."""
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self.palette()
        context.clip = visible
        cursor = self.textCursor()
        if self.cursorWidth():
            context.cursorPosition = cursor.position()
        context.selections = [
            *(_selection(mark.cursor, mark.format) for mark in self.extraSelections()),
            *self._selected(cursor, first, visible),
        ]
        return context

    def _selected(
        self, cursor: QTextCursor, first: QTextBlock, visible: QRectF
    ) -> Iterator[QAbstractTextDocumentLayout.Selection]:
        if not cursor.hasSelection():
            return
        start, end, look = cursor.selectionStart(), cursor.selectionEnd(), QTextCharFormat()
        if self.selected_action() is not None:
            look.setProperty(QTextFormat.Property.OutlinePen, QPen(Theme.current().color("focus"), 2))
            look.setForeground(Theme.current().color("accent"))
            yield _selection(cursor, look)
            return
        group = QPalette.ColorGroup.Active if self.hasFocus() else QPalette.ColorGroup.Inactive
        look.setBackground(self.palette().brush(group, QPalette.ColorRole.Highlight))
        look.setForeground(self.palette().brush(group, QPalette.ColorRole.HighlightedText))
        last = self.cursorForPosition(QPoint(0, math.ceil(visible.bottom()) - self.offset())).block()
        for begun, stop in selection_copy.read_ranges(self.transcript, first, last, start, end):
            part = QTextCursor(self.document())
            part.setPosition(begun)
            part.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            yield _selection(part, look)

    def selected_action(self) -> MessageAction | None:
        """Returns the action that the keyboard is at: Enter runs it."""
        span = self._selected_link()
        return span.action if span is not None else None

    def _selected_link(self) -> LinkSpan | None:
        """Returns the link that was gone to, while exactly its text is selected."""
        cursor = self.textCursor()
        span = link_span_at(self.transcript, cursor.selectionStart()) if self._is_at_link else None
        is_all = span is not None and (span.start, span.stop) == (cursor.selectionStart(), cursor.selectionEnd())
        return span if is_all else None

    def _block_at(self, y: int) -> QTextBlock:
        """Returns the block at a height of the viewport: most often that of the last time, which is found at once."""
        # Its number is kept: a QTextBlock whose text went refers to memory that is no longer its own, valid or not.
        known = self.transcript.document.findBlockByNumber(self.first_painted)
        if known.isValid():
            rect = self.transcript.document.documentLayout().blockBoundingRect(known)
            if rect.top() <= y + self.offset() < rect.bottom():
                return known
        return self.cursorForPosition(QPoint(0, y)).block()

    def _paint_above(self) -> None:
        with QPainter(self.viewport()) as painter:
            last = self.transcript.document.lastBlock()
            if self.writing and not last.blockFormat().boolProperty(Mark.CHROME):
                painter.fillRect(self.end_mark(), Theme.current().color("text"))
            if self._ring:
                painter.setPen(QPen(Theme.current().color("focus"), 2))
                painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    def end_mark(self) -> QRect:
        """Returns the place of the mark behind the last character of an answer being written, in the viewport's pixels.

        A text cursor that moves there would look through all the lines of a long paragraph.
        """
        block = self.transcript.document.lastBlock()
        rect = self.transcript.document.documentLayout().blockBoundingRect(block)
        if not (lines := block.layout().lineCount()):
            return QRect()  # not laid out: nothing of it is seen
        line = block.layout().lineAt(lines - 1)
        place: tuple[float, int] = line.cursorToX(block.length() - 1)  # type: ignore[assignment]
        caret = QRectF(rect.left() + place[0], rect.top() + line.y() - self.offset(), 0, line.height())
        return caret.toRect().adjusted(3, 1, 7, -1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        keyboard = (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
            Qt.FocusReason.ShortcutFocusReason,
        )
        self._ring = event.reason() in keyboard
        self._show_caret()
        super().focusInEvent(event)
        self.viewport().update()

    def _show_caret(self) -> None:
        self.setCursorWidth(2 if self._ring else 0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        self._show_caret()
        # Who comes back from a menu or another window is at the same link.
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._leave_link()
        super().focusOutEvent(event)
        self.viewport().update()

    # Keys

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Leaves the conversation with Tab at once instead of passing through every link in it."""
        return QTextEdit.focusNextPrevChild(self, forward)

    def _run_selected_action(self) -> bool:
        """Returns False where the keyboard is at no action: the base class follows addresses."""
        action = self.selected_action()
        if action is not None:
            self.action_chosen.emit(action)
        return action is not None

    def _step_through_links(self, *, forward: bool) -> None:
        """Goes to the next link from what is selected, else to the first or last of all; leaves the conversation where
        there is none."""
        cursor = self.textCursor()
        if forward:
            span = link_span_after(self.transcript, cursor.selectionEnd() if cursor.hasSelection() else 0)
        else:
            end = self.transcript.document.characterCount() - 1
            span = link_span_before(self.transcript, cursor.selectionStart() if cursor.hasSelection() else end)
        if span is None:
            self._leave_link()
            self.focusNextPrevChild(forward)
            return
        self._go_to_link(span)
        self.ensureCursorVisible()
        # What else the message offers is seen too.
        self.emphasis.hover(self.transcript.row_at(span.start))

    def _go_to_link(self, span: LinkSpan) -> None:
        cursor = self.textCursor()
        cursor.setPosition(span.start)
        cursor.setPosition(span.stop, QTextCursor.MoveMode.KeepAnchor)
        self._set_cursor_unscrolled(cursor)
        self._is_at_link = True

    def _leave_link(self) -> None:
        """Selects nothing any more where a link is selected that was gone to."""
        if self._selected_link() is not None:
            cursor = self.textCursor()
            cursor.clearSelection()
            self._set_cursor_unscrolled(cursor)
        self._is_at_link = False

    def _set_cursor_unscrolled(self, cursor: QTextCursor) -> None:
        """Sets the text cursor without scrolling to it."""
        bar = self.verticalScrollBar()
        place = bar.value()
        with QSignalBlocker(bar):
            self.setTextCursor(cursor)
            bar.setValue(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if TRANSCRIPT_KEYS.press(self, event):
            return
        super().keyPressEvent(event)
        if QAccessible.isActive() and (source := self.formula_at_caret()):
            # To a screen reader a formula is one character that says nothing.
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, source))

    def _request_deletion(self, *, whole: bool) -> None:
        row = self.transcript.row_at(self.textCursor().position())
        # What is out of sight is not what is meant.
        if row is not None and self.viewport().rect().intersects(self.cursorRect()):
            self.deletion_requested.emit(row.index, whole)

    def formula_at_caret(self) -> str:
        """Returns the source of the formula that the caret stands before, "" where there is none."""
        after = QTextCursor(self.textCursor())
        after.setPosition(after.position())
        after.movePosition(QTextCursor.MoveOperation.NextCharacter)
        return str(after.charFormat().property(Mark.FORMULA) or "")

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = event.position().toPoint() if is_left else None
        self._pressed_action = self.action_at(self._pressed) if self._pressed is not None else None
        self._leave_link()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        link = self._link_at(point)
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        still = (point - pressed).manhattanLength() < 4
        selects = self.textCursor().hasSelection()
        if link is not None:
            # The base class follows addresses.
            if link.action is not None and link.action == self._pressed_action and (still or not selects):
                # The keyboard goes on from there.
                self._go_to_link(link)
                self.action_chosen.emit(link.action)
        elif still and not selects:
            row = self.row_under(point)
            if row is not None:
                self.row_clicked.emit(row.index)

    def action_at(self, point: QPoint) -> MessageAction | None:
        """Returns the action that stands at a point of the viewport."""
        span = self._link_at(point)
        return span.action if span is not None else None

    def _link_at(self, point: QPoint) -> LinkSpan | None:
        """Returns what can be pressed at a point of the viewport."""
        place = QPointF(point.x(), point.y() + self.offset())
        position = self.transcript.document.documentLayout().hitTest(place, Qt.HitTestAccuracy.ExactHit)
        return link_span_at(self.transcript, position) if position >= 0 else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        point = event.position().toPoint()
        self._show_pointer(point)
        if event.buttons() == Qt.MouseButton.NoButton:
            self.emphasis.hover(self.row_under(point))

    def _show_pointer(self, point: QPoint) -> None:
        """Shows a hand over what can be pressed; the base class does so over addresses alone."""
        shape = _HAND if self._link_at(point) is not None else Qt.CursorShape.ArrowCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def leaveEvent(self, event: QEvent) -> None:
        self.emphasis.hover(None)
        super().leaveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.is_on_divider(event.pos()):
            QToolTip.showText(event.globalPos(), meaning_of(Word.CONSOLIDATED), self.viewport())
            return True
        return super().viewportEvent(event)

    def is_on_divider(self, point: QPoint) -> bool:
        """Returns whether the line that says up to where messages are consolidated is at a point of the viewport."""
        block = self.cursorForPosition(point).block()
        for each in (block, block.next()):
            if each.isValid() and each.blockFormat().boolProperty(Mark.DIVIDER):
                top = self.document().documentLayout().blockBoundingRect(each).top() - self.offset()
                return top - 2 * ROOM <= point.y() <= top
        return False

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().wheelEvent(event)
        self.emphasis.hover(self.row_under(event.position().toPoint()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(menu_place(event, self.cursorRect(), self.viewport()))

    # Copying

    def copy(self) -> None:
        """Copies what is selected. Where that has no words of a message, as the link that was clicked last, what was
        copied before stays on the clipboard."""
        if self.textCursor().hasSelection() and (made := self.createMimeDataFromSelection()).text():
            QGuiApplication.clipboard().setMimeData(made)

    def createMimeDataFromSelection(self) -> QMimeData:
        return selection_copy.mime_of(self.transcript, self.textCursor())


def _selection(cursor: QTextCursor, look: QTextCharFormat) -> QAbstractTextDocumentLayout.Selection:
    made = QAbstractTextDocumentLayout.Selection()
    made.cursor, made.format = cursor, look
    return made


_HIGHLIGHT_TIME: Final = 1_600


class RowEmphasis(QObject):
    """Makes rows of a view stand out; the view paints them with `paint`."""

    def __init__(self, view: TranscriptView) -> None:
        super().__init__(view)
        self._view = view
        self._light = light = QVariantAnimation(self)
        light.setStartValue(1.0)
        light.setEndValue(0.0)
        light.setDuration(_HIGHLIGHT_TIME)
        light.valueChanged.connect(lambda _strength: view.viewport().update())
        light.finished.connect(self._end_light)
        self._hovered: Row | None = None
        self._lit: tuple[Row, ...] = ()

    def hover(self, row: Row | None) -> None:
        """Shows the links of the caption that the pointer is over now, and hides those of the row before."""
        if row is self._hovered:
            return
        before, self._hovered = self._hovered, row
        for changed, shown in ((before, False), (row, True)):
            if changed is not None and changed in self._view.transcript.rows:
                self._show_caption_links(changed, shown=shown)

    def light_up(self, *rows: Row) -> None:
        """Highlights rows for a moment; the links of their captions, hidden on the ordinary ground, show meanwhile."""
        self.still()
        self._lit = rows
        for row in rows:
            self._show_caption_links(row, shown=True)
        self._light.start()

    def still(self) -> None:
        """Ends what moves."""
        if self._lit:
            self._light.stop()
            self._end_light()

    def paint(self, painter: QPainter) -> None:
        """Paints the light behind the rows, in document coordinates."""
        if self._light.state() == self._light.State.Running:
            for row in self._lit:
                if row in self._view.transcript.rows:
                    area = self._view.row_rect(row).adjusted(-10, -8, 10, 12)
                    paint_highlight(painter, area, min(1.0, 2 * float(self._light.currentValue())))

    def _end_light(self) -> None:
        rows, self._lit = self._lit, ()
        for row in rows:
            if row is not self._hovered and row in self._view.transcript.rows:
                self._show_caption_links(row, shown=False)

    def _show_caption_links(self, row: Row, *, shown: bool) -> None:
        """Colours the links of a row's caption; layout formats, so the document does not change."""
        block = self._view.transcript.caption_of(row)
        if block is None:
            return
        links = list(link_spans(self._view.transcript, block))
        colours = []
        for link in links if shown else ():
            colour = QTextLayout.FormatRange()
            colour.start, colour.length = link.start - block.position(), link.stop - link.start
            colour.format.setForeground(Theme.current().color("accent"))
            colours.append(colour)
        if links:
            block.layout().setFormats(colours)
            block.document().markContentsDirty(block.position(), block.length())


class TranscriptLinks(QObject):
    """Follows the links of one view, and shows the menu of a right click: actions are run, an address is asked about.

    What needs the view alone is done here: copying, and showing a message as text.
    """

    link_requested = Signal(str)
    """An address the person saw in full and wants opened."""
    message_requested = Signal(int)
    """A message is wanted in the timeline."""

    def __init__(self, view: TranscriptView, actions: MessageActions) -> None:
        super().__init__(view)
        self._view = view
        self._transcript = view.transcript
        self._actions = actions
        self.exports = True
        """Whether messages of the conversation can be exported."""
        actions.on(CopyMessage, lambda action: self._copy_message(action.index))
        actions.on(CopyCode, lambda action: self._copy(selection_copy.code_as_written(self._transcript, action.number)))
        actions.on(ShowWholeMessage, lambda action: self.show_all(action.index))
        view.anchorClicked.connect(self._on_link)
        view.action_chosen.connect(actions.run)
        view.menu_requested.connect(self._show_menu)
        view.deletion_requested.connect(self._delete)

    def _on_link(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        link_dialog.ask_to_open(address, self._view, self.link_requested.emit)

    def _delete(self, index: int, whole_turn: bool) -> None:
        message = self._transcript.source[index]
        if not self._transcript.closed and not is_deleted(message):
            self._actions.run(DeleteTurn(index) if whole_turn else DeleteMessage(index))

    def _copy_message(self, index: int) -> None:
        """Puts a message's Markdown on the clipboard."""
        self._copy(text_of(self._transcript.source[index]))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def show_all(self, index: int) -> None:
        """Shows a message too long to be rendered as plain text."""
        dialog = Dialog(self._view)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("The whole message"))
        dialog.resize(760, 560)
        box = plain_box(dialog, self.tr("The whole message as text"))
        box.setFont(Theme.current().font("code"))
        box.setPlainText(tidied(text_of(self._transcript.source[index])))
        offer_forgetting(box)
        QVBoxLayout(dialog).addWidget(box)
        dialog.open()

    def _offer_more(self, menu: QMenu, row: Row) -> None:
        """Puts into a menu what the links of a message's caption do."""
        writer = self._transcript.writer(QTextCursor(self._transcript.document))
        drawer = self._transcript.drawer(writer)
        deletions = drawer.deletions_of(row.message, row.index)
        named = {action for _, action in deletions}
        for label, action in drawer.links_of(row.message, row.index):
            if action not in named:
                menu.addAction(label, partial(self._actions.run, action))
        text = text_of(row.message)
        if self._transcript.hidden_of(row) or row.index in self._transcript.unfolded:
            words = fold_words(text, folded=row.index not in self._transcript.unfolded)
            menu.addAction(words, partial(self._actions.run, FoldMessage(row.index)))
        if deletions:
            menu.addSeparator()
        for label, action in deletions:
            menu.addAction(label, partial(self._actions.run, action))

    def _offer_export(self, menu: QMenu, row: Row) -> None:
        selected = self._view.selected_messages()
        chosen = selected if selected is not None and row.index in selected else self._view.messages_of(row, row)
        words = self.tr("Export message…") if selected != chosen else self.tr("Export selection…")
        menu.addAction(words, lambda: self._actions.run(ExportMessages(chosen.start, chosen.stop)))

    def _show_menu(self, point: QPoint) -> None:
        row = self._view.row_under(point)
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self._view.copy)
        copy.setEnabled(self._view.textCursor().hasSelection())
        if row is not None:
            menu.addAction(self.tr("Copy message"), lambda: self._copy_message(row.index))
            self._offer_more(menu, row)
            menu.addAction(self.tr("Show in timeline"), lambda: self.message_requested.emit(row.index))
            if self.exports:
                self._offer_export(menu, row)
            add_forget(menu, self._view, selected_in(self._view) or text_of(self._transcript.source[row.index]))
        menu.addSeparator()
        menu.addAction(self.tr("Select all"), self._view.selectAll)
        menu.popup(self._view.viewport().mapToGlobal(point))


TRANSCRIPT_KEYS: Final[PartKeys[TranscriptView]] = PartKeys(
    "Chat, in the conversation",
    PartKey("go to the next link", {"Alt+Down": lambda view: view._step_through_links(forward=True)}),
    PartKey("go to the previous link", {"Alt+Up": lambda view: view._step_through_links(forward=False)}),
    PartKey("follow the link, or do what it offers", {"Enter": TranscriptView._run_selected_action}),
    PartKey("copy what is selected", {"Ctrl+C": lambda view: view.copy()}, QKeySequence.StandardKey.Copy),
    PartKey(
        "go to the first message",
        {"Ctrl+Home": lambda view: view.end_requested.emit(False)},
        QKeySequence.StandardKey.MoveToStartOfDocument,
    ),
    PartKey(
        "go to the newest message",
        {"Ctrl+End": lambda view: view.end_requested.emit(True)},
        QKeySequence.StandardKey.MoveToEndOfDocument,
    ),
    PartKey("delete the message at the caret", {"Del": lambda view: view._request_deletion(whole=False)}),
    PartKey("delete the turn at the caret", {"Shift+Del": lambda view: view._request_deletion(whole=True)}),
)
