"""Shows an answer while it is being written: closed blocks are drawn once, only the open one again and again.

Pieces are queued and drawn by a timer. A long code fence grows by plain text and gets its colours when it is closed.
Each flush has a budget of time; what does not fit waits for the next, nothing is dropped.
"""

from __future__ import annotations

from datetime import datetime
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor

from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.text.plain_text import closed
from mnemoscope.store.sessions.stated_time import parse_time
from mnemoscope.ui.chat.transcript.message_writer import MessageWriter
from mnemoscope.ui.chat.transcript.open_tail import OpenCode, OpenTail
from mnemoscope.ui.chat.transcript.transcript_document import Row, TranscriptDocument
from mnemoscope.ui.chat.words import tr
from mnemoscope.ui.markdown.block_splitter import Block, BlockScanner
from mnemoscope.ui.markdown.document_writer import DocumentWriter, Scope
from mnemoscope.ui.markdown.markdown_inline import expect_marks
from mnemoscope.ui.markdown.text_style import Mark
from mnemoscope.ui.markdown.untrusted_text import MESSAGE_LIMIT, tidied

FLUSH_EVERY: Final = 40
"""Milliseconds between two flushes."""
BUDGET: Final = 0.006
"""Seconds of one flush that go into new blocks."""


class StreamRenderer(QObject):
    """Draws one answer at a time at the end of a `TranscriptDocument`."""

    about_to_draw = Signal()
    drawn = Signal()

    def __init__(self, transcript: TranscriptDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)
        self._row: Row | None = None
        self._received: list[str] = []
        self.active = False
        self._cost = 0.0
        self._reset()

    def _reset(self) -> None:
        self._scanner = BlockScanner()
        self._queue = ""
        self._partial = ""
        self._taken = 0
        self._tail = OpenTail(self._transcript)
        self._first = True
        self._defines = False

    @property
    def attached(self) -> bool:
        """Whether the answer is drawn; not so while the reader is far above the end."""
        return self._row is not None

    @property
    def text(self) -> str:
        """All that was received of this answer."""
        return "".join(self._received)

    # Beginning and taking

    def begin(self, *, draw: bool) -> None:
        """An answer begins; with `draw` at once at the end of the document."""
        expect_marks()
        self.active = True
        self._received = []
        self._reset()
        if draw:
            self.attach()

    def attach(self) -> None:
        """Draw what was received so far at the end of the document, and go on from there."""
        self._reset()
        document = self._transcript
        row = Row(document.source.stop, {"role": "assistant", "content": ""}, QTextCursor(document.document))
        with document.editing() as cursor:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            fresh, before = document.is_blank(), cursor.position()
            writer = DocumentWriter(cursor, document.style, document.column_width, fresh=fresh)
            words = f"{tr('Assistant')} · {datetime.now():%H:%M}"
            MessageWriter(writer, {}).caption(words, row.index, first=fresh, more=tr("writing"))
            row.start.setPosition(before if fresh else before + 1)
        document.rows.append(row)
        self._row = row
        self._tail = OpenTail(self._transcript)
        self._queue = self.text
        if self._queue:
            self.flush()

    def detach(self) -> None:
        """The document shows another part: go on receiving only."""
        self._timer.stop()
        self._row = None
        self._reset()

    def add(self, text: str) -> None:
        """Take a piece of the answer; it is drawn with the next flush."""
        self._received.append(text)
        if self._row is not None:
            self._queue += text
            if not self._timer.isActive():
                # Text tied into a knot costs more a flush; then the flushes are fewer, and the window stays free.
                self._timer.start(max(FLUSH_EVERY, round(self._cost * 3_000)))

    # Drawing

    def flush(self) -> None:
        """Draw what waits, as far as the budget goes."""
        if self._row is None or not self._queue:
            return
        started = perf_counter()
        self.about_to_draw.emit()
        self._draw(started + BUDGET)
        self.drawn.emit()
        self._cost = perf_counter() - started
        if self._queue:
            self._timer.start(1)

    def _draw(self, until: float) -> None:
        with self._transcript.editing():
            closed = self._take_lines(until)
            if closed:
                self._commit(closed)
            self._draw_open()

    def _take_lines(self, until: float) -> list[Block]:
        """Feed whole lines to the scanner; what is left of the queue is the line being written."""
        closed: list[Block] = []
        while True:
            line, end, rest = self._next_line()
            if not end:
                self._partial, self._queue = self._partial + self._queue, ""
                return closed
            self._queue = rest
            self._taken += len(line) + 1
            if self._taken > MESSAGE_LIMIT:
                self._partial = self._queue = ""
                return closed
            closed += self._scanner.feed(tidied(self._partial + line))
            self._partial = ""
            if closed and perf_counter() > until:
                return closed

    def _next_line(self) -> tuple[str, str, str]:
        if self._queue.endswith("\r"):
            return "", "", ""
        if "\r" in self._queue or "\u2028" in self._queue or "\u2029" in self._queue or "\x85" in self._queue:
            self._queue = self._queue.replace("\r\n", "\n")
            for end in "\r\u2028\u2029\x85":
                self._queue = self._queue.replace(end, "\n")
        return self._queue.partition("\n")

    def _commit(self, closed: list[Block]) -> None:
        """Draw blocks that will not change any more."""
        if self._complete_code(closed[0]):
            closed = closed[1:]
        self._tail.clear()
        self._defines = self._defines or any(block.kind == "definition" for block in closed)
        rows = self._rows(self._transcript.codes)
        rows.blocks(closed, Scope(), first=self._first)
        self._first = self._first and all(block.kind == "definition" for block in closed)
        self._transcript.colouring.add(rows.uncoloured)
        self._tail = OpenTail(self._transcript)

    def _draw_open(self) -> None:
        partial = "" if self._is_closing_fence(self._partial) else tidied(self._partial)
        opened = self._scanner.peek(partial)
        if len(opened) == 1 and self._tail.grow_code(opened[0]):
            return
        self._tail.clear()
        self._tail.has_text = bool(opened)
        rows = self._rows({})
        rows.blocks(opened, Scope(), first=self._first)
        if len(opened) == 1 and opened[0].kind == "code" and self._scanner.in_code:
            writer = rows.writer
            number = writer.cursor.blockFormat().intProperty(Mark.CARD)
            self._tail.code = OpenCode(opened[0].first_line, number, writer.code_start, opened[0].text)
            self._transcript.colouring.expect(opened[0].info)

    def _rows(self, codes: dict[int, str]) -> MessageWriter:
        document = self._transcript
        cursor = QTextCursor(document.document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return MessageWriter(DocumentWriter(cursor, document.style, document.column_width, going_on=True), codes)

    def _is_closing_fence(self, partial: str) -> bool:
        words = partial.strip()
        return self._scanner.in_code and bool(words) and not words.strip(words[0]) and words[0] in "`~"

    # The open fence

    def _complete_code(self, block: Block) -> bool:
        """The fence is closed: the card stays as it is drawn and waits for its colours."""
        code = self._tail.code
        if code is None or not self._tail.grow_code(block):
            return False
        rows = self._rows(self._transcript.codes)
        rows.writer.code_start = code.start
        rows.code_is_complete(code.number, block)
        self._transcript.colouring.add(rows.uncoloured)
        self._first = False
        self._tail = OpenTail(self._transcript)
        return True

    # The end

    def finish(self) -> None:
        """The last piece came: draw all that waits and close the last block."""
        self._timer.stop()
        if self._row is None:
            return
        self.about_to_draw.emit()
        with self._transcript.editing():
            self._draw_rest()
        self.drawn.emit()

    def _draw_rest(self) -> None:
        closed = self._take_lines(float("inf"))
        closed += self._scanner.feed(tidied(self._partial)) if self._partial else []
        closed += self._scanner.finish()
        self._partial = ""
        if closed:
            self._commit(closed)

    def adopt(self, index: int, message: Message) -> bool:
        """The answer was recorded as `message`: its row becomes that message's. Says whether there was a row."""
        row = self._row
        self.active = False
        if row is None:
            self._received = []
            return False
        self._timer.stop()
        self.about_to_draw.emit()
        # The last words and the caption are laid out once: a long paragraph takes its time.
        with self._transcript.editing():
            self._draw_rest()
            text = self.text.rstrip()
            same = text_of(message).rstrip() == text and not self._defines
            same = same and not (message.get("interrupted") and closed(text) != text)
            self._transcript.adopt(row, index, message)
            stays = same and self._taken <= MESSAGE_LIMIT and not self._transcript.needs_more_above(row)
            if stays:
                self._complete_row(row)
        if not stays:
            self._transcript.rewrite(row)
        self.drawn.emit()
        self._row = None
        self._received = []
        return True

    def _complete_row(self, row: Row) -> None:
        """Put the final caption above the answer, and below it what only the record knows."""
        document = self._transcript
        with document.editing() as cursor:
            self._caption(cursor, row)
            rows = self._rows(document.codes)
            if row.message.get("interrupted"):
                rows.interrupted()
            for call in row.calls:
                rows.card.write(call, row.index)

    def _caption(self, cursor: QTextCursor, row: Row) -> None:
        start = row.start.position()
        cursor.setPosition(start)
        form = cursor.blockFormat()
        first = form.topMargin() == 0
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        writer = DocumentWriter(cursor, self._transcript.style, self._transcript.column_width, fresh=True)
        when = parse_time(row.message.get("timestamp"))
        words = f"{tr('Assistant')} · {when:%H:%M}" if when else tr("Assistant")
        MessageWriter(writer, {}).caption(words, row.index, first=first, copies=bool(text_of(row.message).strip()))
        form.setProperty(Mark.CAPTION, row.index + 1)
        cursor.setBlockFormat(form)
        row.start.setPosition(start)

    def drop(self) -> None:
        """The answer came to nothing: take its row away, unless some of it is drawn; that then stays as it is."""
        self.active = False
        row, self._row = self._row, None
        self._timer.stop()
        if row is None:
            return
        if self.text.strip():
            message: Message = {"role": "assistant", "content": self.text, "interrupted": True}
            self._row = row
            self.adopt(row.index, message)
            return
        self._transcript.remove_last(row)
