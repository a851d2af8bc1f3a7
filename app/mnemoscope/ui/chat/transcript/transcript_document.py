"""The text of the transcript: a window of consecutive messages in one QTextDocument, and where each of them is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QImage, QPainter, QPen, QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.conversation.answer_figures import AnswerFigures, figures_of
from mnemoscope.domain.conversation.attachment import Attachment, attachments_of
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.deletion import deletion_mark
from mnemoscope.domain.conversation.fold import folded_length
from mnemoscope.domain.conversation.message import SUMMARY_ROLE, Message, is_command, is_deleted, text_of, tool_calls_of
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.ui.chat.cards.tool_call import ToolCall
from mnemoscope.ui.chat.message_actions import CopyCode, MessageAction
from mnemoscope.ui.chat.transcript.message_drawer import (
    MESSAGE_SPACE,
    MessageDrawer,
    RowPlace,
    image_name,
)
from mnemoscope.ui.chat.transcript.message_source import MessageSource
from mnemoscope.ui.chat.transcript.tool_states import CALLS_AT_ONCE, ToolStates
from mnemoscope.ui.markdown.document.code_colouring import CodeColouring
from mnemoscope.ui.markdown.document.document_writer import DocumentWriter, shown_size, space_below
from mnemoscope.ui.markdown.document.text_column import TextColumn
from mnemoscope.ui.markdown.document.text_style import ActionTable, Mark
from mnemoscope.ui.markdown.reading.picture_links import PictureLink, pictures_in
from mnemoscope.ui.widgets.theme import Theme

ROOM: Final = 22
"""Pixels added above the message the line stands over."""


class PointerLine:
    """Marks the one block the line is drawn above; the painter draws it."""

    def __init__(self) -> None:
        self.index = 0
        """Index of the first message that is not consolidated; 0 draws no line."""
        self._at: QTextCursor | None = None

    def forget(self) -> None:
        """Forgets all marks, because the document is empty."""
        self._at = None

    def forget_at(self, position: int) -> None:
        """Forgets the mark of the block at `position`, which was written anew."""
        if self._at is not None and self._at.position() == position:
            self._at = None

    def stand_above(self, start: QTextCursor | None) -> None:
        """Draws the line above the block at `start`, or nowhere."""
        if self._at is not None and (start is None or self._at.position() != start.position()):
            _mark(self._at, on=False)
            self._at = None
        if start is not None:
            _mark(start, on=True)
            self._at = QTextCursor(start)


def _missing(attachment: Attachment) -> QImage:
    """Returns what is shown for an image that is gone or damaged: a faint frame."""
    width, height = map(round, shown_size(attachment.width, attachment.height))
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setPen(QPen(Theme.current().color("border"), 1, Qt.PenStyle.DashLine))
        painter.drawRect(0, 0, width - 1, height - 1)
    return image


def _mark(start: QTextCursor, *, on: bool) -> None:
    cursor = QTextCursor(start)
    form = cursor.blockFormat()
    if form.boolProperty(Mark.DIVIDER) == on:
        return
    form.setProperty(Mark.DIVIDER, on)
    form.setProperty(Mark.PAINTED, on)
    form.setTopMargin(form.topMargin() + (ROOM if on else -ROOM))
    cursor.setBlockFormat(form)


def _place_of(
    source: MessageSource, index: int, message: Message, *, first: bool, parted: Container[int] = ()
) -> RowPlace:
    """Returns the place of a message; later ones are only looked at where it was broken off or deleted. `parted`: where
    branches part, which is told in a row of its own."""
    later = (source[place] for place in range(index + 1, source.stop))
    newest = bool(message.get("interrupted")) and all(map(is_command, later))
    figures, deleted = answer_figures(source, index, message), _deleted_from(source, index, message, parted)
    return RowPlace(index, _day_above(source, index, message), first, newest, figures, deleted)


def _deleted_from(source: MessageSource, index: int, message: Message, parted: Container[int] = ()) -> int:
    """Returns how many messages in a row, from this one on, were deleted at once; 0 where this one was not."""
    mark, stop = deletion_mark(message), index
    while mark is not None and stop < source.stop and _deletion_at(source, stop) == mark.id:
        stop += 1
        if stop in parted:
            break
    return max(stop - index, int(is_deleted(message)))


def _deletion_at(source: MessageSource, index: int) -> str:
    """Returns the name of the deletion that took message `index`, "" where none did."""
    mark = deletion_mark(source[index]) if index >= source.first else None
    return mark.id if mark is not None else ""


def answer_figures(source: MessageSource, index: int, message: Message) -> AnswerFigures | None:
    """Returns what the answer took that ends with message `index`; None where it does not, or nothing is known."""
    if message.get("role") != "assistant" or is_command(message) or tool_calls_of(message) or not message.get("model"):
        return None
    answers = [message]
    for before in range(index - 1, max(index - CALLS_AT_ONCE, source.first) - 1, -1):
        earlier = source[before]
        if earlier.get("role") not in ("assistant", "tool") or is_command(earlier):
            break
        if earlier.get("role") == "assistant":
            if not tool_calls_of(earlier):
                break
            answers.insert(0, earlier)
    return figures_of(answers)


def _day_above(source: MessageSource, index: int, message: Message) -> date | None:
    """Returns the day a message begins; None where the one before is of the same day, or its time is not known."""
    when = parse_time(message.get("timestamp"))
    if when is None:
        return None
    for before in range(index - 1, max(index - CALLS_AT_ONCE, source.first) - 1, -1):
        earlier = parse_time(source[before].get("timestamp"))
        if earlier is not None:
            return when.date() if earlier.date() != when.date() else None
    return when.date()


@dataclass(slots=True, eq=False)
class Row:
    """Describes one message in the document; `start` stands at its first character, wherever that moves."""

    index: int
    message: Message
    start: QTextCursor
    calls: list[ToolCall] = field(default_factory=list)
    drawn: bool = True
    """Not so for a tool's result that is shown in the card of its call, and for all but the first of several messages
    that were deleted at once."""


class TranscriptDocument(TextColumn):
    """Writes, adds and takes away rows; knows no widget and no scrolling."""

    images_met = Signal(object)
    """An `Attachment` of a message was drawn whose picture is wanted."""
    linked_met = Signal(object)
    """A `PictureLink` of this workspace was met whose picture is wanted."""
    image_shown = Signal()
    """The picture of an image came: what is in sight has to be painted again."""
    change_met = Signal()
    """A call is shown that changed memory, and it is not known whether that was undone."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.actions = ActionTable[MessageAction]()
        super().__init__(parent, actions=self.actions)
        self.colouring = CodeColouring(self)
        self._pictures: set[str] = set()
        """Hashes of the images whose room is drawn."""
        self.linked: dict[str, tuple[int, int]] = {}
        """The pixels of the pictures that texts link to and that are here, by their names."""
        self.source = MessageSource(())
        self.rows: list[Row] = []
        self.codes: dict[int, str] = {}
        self.tools = ToolStates(self.change_met.emit)
        self.pointer = PointerLine()
        self.kept: dict[int, Sequence[CaptureRecord]] = {}
        """The captures of the person's messages, by index."""
        self.gone: frozenset[str] = frozenset()
        """The ids of those whose line memory does not have any more."""
        self.branches: dict[int, BranchChoice] = {}
        """The branchings of the conversation, by the message at which they are shown."""
        self.unfolded: set[int] = set()
        """The person's long messages that are shown whole."""
        self.offers = True
        """Whether what can be done with messages is drawn; not where nothing can be done."""
        self.closed = False
        """Whether the conversation on show is one to be read only, in which nothing can be done either."""

    def writer(self, cursor: QTextCursor, *, fresh: bool = False, going_on: bool = False) -> DocumentWriter:
        """Returns what writes Markdown at a place of this document, in its style; each code can be copied."""
        return DocumentWriter(
            cursor,
            self.style,
            self.column_width,
            fresh=fresh,
            going_on=going_on,
            copy_action=CopyCode,
        )

    def drawer(self, writer: DocumentWriter) -> MessageDrawer:
        """Returns what draws messages with all that is known of them here."""
        offers = self.offers and not self.closed
        return MessageDrawer(
            writer,
            self.codes,
            self.kept,
            self.gone,
            self.branches,
            offers=offers,
            unfolded=self.unfolded,
            on_image=self._meet_image,
            linked=self.linked,
            on_linked=self.linked_met.emit,
        )

    def _meet_image(self, attachment: Attachment) -> None:
        """Leaves the room of an image empty until its picture is there."""
        if attachment.sha256 not in self._pictures:
            self._pictures.add(attachment.sha256)
            self._put_picture(attachment, QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied))
        self.images_met.emit(attachment)

    def _put_picture(self, attachment: Attachment, image: QImage) -> None:
        self.document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(image_name(attachment)), image)

    def show_image(self, attachment: Attachment, picture: QImage | None) -> None:
        """Shows the picture of an image wherever it stands; None where there is none any more."""
        self._put_picture(attachment, picture if picture is not None else _missing(attachment))
        self.image_shown.emit()

    def keep_linked(self, name: str, image: QImage) -> list[Row]:
        """Keeps a picture that texts link to; returns the rows that are to be written again with it."""
        self.linked[name] = (image.width(), image.height())
        self.document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        return [row for row in self.rows if row.drawn and any(one.name == name for one in _pictures_of(row))]

    def picture_at(self, index: int, place: int) -> PictureLink | None:
        """Returns the picture at `place` among those that the text of message `index` links to, if it is on show."""
        row = self.row_of(index)
        found = _pictures_of(row) if row is not None else []
        return found[place] if place < len(found) else None

    def image_at(self, index: int, place: int) -> Attachment | None:
        """Returns the image at `place` among those of message `index`, if it is on show."""
        found = attachments_of(self.source[index]) if self.row_of(index) is not None else ()
        return found[place] if place < len(found) else None

    def hidden_of(self, row: Row) -> str:
        """Returns what is not shown of a row because it is folded, "" where it is not."""
        if (
            row.message.get("role") not in ("user", SUMMARY_ROLE)
            or is_command(row.message)
            or row.index in self.unfolded
        ):
            return ""
        text = text_of(row.message)
        folded = folded_length(text)
        return "" if folded is None else text[folded:]

    def fold(self, index: int) -> None:
        """Folds or unfolds the person's message `index`."""
        self.unfolded ^= {index}
        if (row := self.row_of(index)) is not None:
            self.rewrite(row)

    def unfold_those_with(self, words: str) -> None:
        """Unfolds the messages that hold these words where they are folded, whatever their case."""
        wanted = words.casefold()
        for row in self.rows if wanted else ():
            if wanted in self.hidden_of(row).casefold():
                self.fold(row.index)

    # Rows

    @property
    def first(self) -> int:
        """Returns the index of the first message in the document, or where it would be."""
        return self.rows[0].index if self.rows else self.source.stop

    @property
    def stop(self) -> int:
        """Returns one past the last message in the document."""
        return self.rows[-1].index + 1 if self.rows else self.source.stop

    def clear(self) -> None:
        """Takes everything away."""
        self.colouring.forget()
        self.rows, self.codes = [], {}
        self._pictures.clear()
        self.pointer.forget()
        self.document.clear()
        self.actions.clear()
        self.restyle()

    def load(self, first: int, stop: int) -> None:
        """Shows the messages [first, stop) and nothing else."""
        self.clear()
        with self.editing():
            for index in range(first, stop):
                self._write_at_end(index)
        self.divide()

    def append(self, index: int) -> Row:
        """Writes one more message at the end."""
        with self.editing():
            row = self._write_at_end(index)
        self.retire_before(row)
        self.divide()
        return row

    def prepend(self, first: int) -> None:
        """Writes the messages from `first` to the first row above it."""
        stop = self.first
        if not self.rows or first >= stop:
            return
        with self.editing() as cursor:
            self._make_room_above(cursor)
            rows, fresh = [], True
            for index in range(first, stop):
                row = self._row(index, cursor)
                if row.drawn:
                    cursor = self._write(row, cursor, fresh=fresh)
                    fresh = False
                rows.append(row)
            self.rows[:0] = rows
            self._clear_of_card(cursor)
        self.divide()

    def _make_room_above(self, cursor: QTextCursor) -> None:
        cursor.setPosition(0)
        block, chars = cursor.blockFormat(), cursor.blockCharFormat()
        cursor.insertBlock(block, chars)
        cursor.setPosition(0)

    def _clear_of_card(self, cursor: QTextCursor) -> None:
        """Makes room above what was the first row and is under another one now."""
        below = QTextCursor(cursor.block().next())
        form = below.blockFormat()
        form.setTopMargin(max(form.topMargin(), float(MESSAGE_SPACE)))
        form.setTopMargin(space_below(cursor.blockFormat(), form))
        below.setBlockFormat(form)

    def _write_at_end(self, index: int) -> Row:
        cursor = QTextCursor(self.document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        row = self._row(index, cursor)
        if row.drawn:
            self._write(row, cursor, fresh=self.is_blank())
        self.rows.append(row)
        return row

    def is_blank(self) -> bool:
        """Returns whether nothing is written yet."""
        return self.document.characterCount() <= 1 and not any(row.drawn for row in self.rows)

    def _row(self, index: int, cursor: QTextCursor) -> Row:
        message = self.source[index]
        row = Row(index, message, QTextCursor(cursor))
        if message.get("role") == "tool":
            own = self.tools.take_result(self.source, index)
            row.calls, row.drawn = ([own], True) if own else ([], False)
        elif (mark := deletion_mark(message)) is not None and index not in self.branches:
            # One row tells of all that were deleted at once.
            row.drawn = _deletion_at(self.source, index - 1) != mark.id
        else:
            row.calls = self.tools.calls_of(self.source, index, message)
        return row

    def _write(self, row: Row, cursor: QTextCursor, *, fresh: bool) -> QTextCursor:
        writer = self.writer(cursor, fresh=fresh)
        rows = self.drawer(writer)
        before = cursor.position()
        rows.write(
            row.message, row.calls, _place_of(self.source, row.index, row.message, first=fresh, parted=self.branches)
        )
        row.start.setPosition(before if fresh else before + 1)
        self.colouring.add(rows.uncoloured)
        return writer.cursor

    def retire_before(self, row: Row) -> None:
        """Takes the offer to write it again from an answer that was broken off and is not the newest any more."""
        if is_command(row.message):
            return
        above = (each for each in reversed(self.rows) if each.index < row.index and not is_command(each.message))
        before = next(above, None)
        if before is not None and before.message.get("interrupted"):
            self.rewrite(before)

    def mark_pointer(self, pointer: int) -> None:
        """Draws the line between what is consolidated and what is not above message `pointer`."""
        self.pointer.index = pointer
        self.divide()

    def divide(self) -> None:
        """Has the pointer's line where it belongs."""
        below = (row for row in self.rows if row.index >= self.pointer.index and row.drawn)
        row = next(below, None) if self.pointer.index else None
        self.pointer.stand_above(row.start if row and row.index > self.first and row.start.position() else None)

    # Places

    def row_of(self, index: int) -> Row | None:
        """Returns the row of a message that is in the document."""
        place = index - self.first
        return self.rows[place] if 0 <= place < len(self.rows) else None

    def row_at(self, position: int) -> Row | None:
        """Returns the row a character position lies in."""
        drawn = [row for row in self.rows if row.drawn]
        place = bisect_right(drawn, position, key=lambda row: row.start.position()) - 1
        return drawn[place] if place >= 0 else None

    def range_of(self, row: Row) -> tuple[int, int]:
        """Returns the first position of a row and the one after its last character."""
        start = row.start.position()
        after = next((later for later in self.rows if later.index > row.index and later.drawn), None)
        return start, (after.start.position() - 1 if after else self.document.characterCount() - 1)

    def caption_of(self, row: Row) -> QTextBlock | None:
        """Returns the block with a row's caption, where it has one."""
        block = self.document.findBlock(row.start.position())
        for _ in range(2):
            if block.blockFormat().intProperty(Mark.CAPTION) == row.index + 1:
                return block
            block = block.next()
        return None

    def trim_above(self, first: int) -> None:
        """Takes away the messages before `first`."""
        keep = [row for row in self.rows if row.index >= first]
        drawn = next((row for row in keep if row.drawn), None)
        if drawn is None or drawn.start.position() == 0:
            return
        with self.editing() as cursor:
            cursor.setPosition(drawn.start.position())
            block, chars = cursor.blockFormat(), cursor.blockCharFormat()
            cursor.setPosition(0, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            cursor.setBlockFormat(block)
            cursor.setBlockCharFormat(chars)
        self.rows = keep

    def trim_below(self, stop: int) -> None:
        """Takes away the messages from `stop` on."""
        gone = next((row for row in self.rows if row.index >= stop and row.drawn), None)
        if gone is not None and gone.start.position() > 0:
            with self.editing() as cursor:
                cursor.setPosition(gone.start.position() - 1)
                cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
                cursor.removeSelectedText()
        self.rows = [row for row in self.rows if row.index < stop]

    # Changes of one row

    def rewrite(self, row: Row) -> None:
        """Writes a row again in its place."""
        if not row.drawn:
            return
        start, end = self.range_of(row)
        with self.editing() as cursor:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            cursor.setBlockFormat(QTextBlockFormat())
            writer = self.writer(cursor, fresh=True)
            rows = self.drawer(writer)
            place = _place_of(self.source, row.index, row.message, first=start == 0, parted=self.branches)
            rows.write(row.message, row.calls, place)
            row.start.setPosition(start)
            self.colouring.add(rows.uncoloured)
        self.pointer.forget_at(start)
        self.divide()

    # The answer being written

    def adopt(self, row: Row, index: int, message: Message) -> None:
        """Makes the row of an answer being written that of its record."""
        row.index, row.message = index, message
        row.calls = self.tools.calls_of(self.source, index, message)

    def needs_more_above(self, row: Row) -> bool:
        """Returns whether a record calls for more than a caption above its words."""
        reasoned = any(call.call_id == "reasoning" for call in row.calls)
        begins_day = _day_above(self.source, row.index, row.message) is not None
        return reasoned or begins_day or not text_of(row.message).strip()

    def is_drawn_twice(self, index: int) -> bool:
        """Returns whether an answer was drawn from its record while it was still drawn as being written."""
        return len(self.rows) > 1 and self.rows[-2].index == index

    def remove_last(self, row: Row) -> None:
        """Takes the last row away again."""
        start = row.start.position()
        with self.editing() as cursor:
            cursor.setPosition(max(start - 1, 0))
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        self.rows = [kept for kept in self.rows if kept is not row]


def _pictures_of(row: Row) -> list[PictureLink]:
    return pictures_in(text_of(row.message))
