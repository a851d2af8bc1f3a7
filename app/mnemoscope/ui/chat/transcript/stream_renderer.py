"""Shows an answer while it is being written: closed blocks are drawn once, only the open one again and again.

Pieces are queued and drawn by a timer. A long code fence grows by plain text and gets its colours when it is closed.
Each flush has a budget of time; what does not fit waits for the next, nothing is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor

from mnemoscope.domain.answer_receipt.memory_use import counts_of
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.text.one_line_text import with_closed_marks
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.ui.chat.message_actions import StopWorkBeside
from mnemoscope.ui.chat.transcript.message_drawer import MessageDrawer
from mnemoscope.ui.chat.transcript.transcript_document import Row, TranscriptDocument, answer_figures
from mnemoscope.ui.chat.transcript_words import caption_text, tr
from mnemoscope.ui.markdown.document.code_colouring import CodeCard
from mnemoscope.ui.markdown.document.document_writer import Scope
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.markdown.formulas.formulas import formulas, may_hold_formula
from mnemoscope.ui.markdown.reading.block_splitter import Block, BlockSplitter, references_of
from mnemoscope.ui.markdown.reading.reader import Piece, load_parser_soon, read_block
from mnemoscope.ui.markdown.reading.untrusted_text import MESSAGE_LIMIT, tidied

_FLUSH_EVERY: Final = 40
"""Milliseconds between two flushes."""
_BUDGET: Final = 0.006
"""Seconds of one flush that go into new blocks."""


@dataclass(slots=True)
class _Drawn:
    """Describes a piece that may change yet; `start` is where the document ended before it was drawn."""

    piece: Piece
    start: QTextCursor
    after_table: bool
    card: CodeCard | None
    number: int
    grown: bool = False


LONG_WAIT: Final = 5
"""Seconds after which is said how long a model has been waited for."""


class ReplyStage(Enum):
    """Tells how far an answer is of which no word, or not the last one, has come."""

    PREPARING = 1
    WAITING = 2
    BEHIND_CONSOLIDATION = 3
    BEHIND_DREAM = 4
    THINKING = 5
    WRITING = 6

    @property
    def waits(self) -> bool:
        """Returns whether the model was asked and nothing came yet."""
        return self in (ReplyStage.WAITING, ReplyStage.BEHIND_CONSOLIDATION, ReplyStage.BEHIND_DREAM)


def stage_words(stage: ReplyStage, seconds: float) -> str:
    """Returns how far an answer is, and, once that is long, how many `seconds` its first word was waited for."""
    words = {
        ReplyStage.PREPARING: tr("preparing the prompt"),
        ReplyStage.WAITING: tr("waiting for the first word"),
        ReplyStage.BEHIND_CONSOLIDATION: tr("waiting: the same server is consolidating"),
        ReplyStage.BEHIND_DREAM: tr("waiting: Dream is at work on the same server"),
        ReplyStage.THINKING: tr("thinking"),
        ReplyStage.WRITING: tr("writing"),
    }[stage]
    if stage is ReplyStage.WRITING or seconds < LONG_WAIT:
        return words
    minutes, rest = divmod(int(seconds), 60)
    waited = tr("{minutes} min {seconds} s") if minutes else tr("{seconds} s")
    return f"{words} · {waited.format(minutes=minutes, seconds=rest)}"


def _stop_words(stage: ReplyStage) -> str:
    """Returns what the link says that stops the work an answer waits behind, "" where it waits behind none."""
    words = {
        ReplyStage.BEHIND_CONSOLIDATION: tr("Stop consolidating"),
        ReplyStage.BEHIND_DREAM: tr("Stop Dream"),
    }.get(stage, "")
    return f"{words}  " if words else ""


class OpenTail:
    """Draws the open end of an answer being written: of its pieces only those that changed are drawn again."""

    def __init__(self, transcript: TranscriptDocument) -> None:
        self._transcript = transcript
        self._drawn: list[_Drawn] = []
        self._first = True

    def draw(self, pieces: list[Piece]) -> None:
        """Has exactly these pieces behind what is settled."""
        kept = 0
        while kept < min(len(pieces), len(self._drawn)) and self._drawn[kept].piece == pieces[kept]:
            kept += 1
        last = kept < len(pieces) and kept == len(self._drawn) - 1
        if last and self._grow(self._drawn[kept], pieces[kept]):
            kept += 1
        self._remove_from(kept)
        for piece in pieces[kept:]:
            self._write(piece)

    def settle(self) -> None:
        """Notes that what is drawn will not change any more: its code waits for its colours."""
        for drawn in self._drawn:
            if drawn.card is not None:
                self._transcript.colouring.add([drawn.card])
                if drawn.grown:
                    self._announce_last_line(drawn)
        self._first = self._first and not self._drawn
        self._drawn = []

    def _write(self, piece: Piece) -> None:
        document = self._transcript
        start = QTextCursor(document.document)
        start.movePosition(QTextCursor.MoveOperation.End)
        cursor = QTextCursor(start)
        start.setKeepPositionOnInsert(True)
        after_table = start.blockFormat().boolProperty(Mark.SPARE)
        writer = MessageDrawer(document.writer(cursor, going_on=True), document.codes)
        writer.pieces([piece], Scope(), first=self._first and not self._drawn)
        card = writer.uncoloured[0] if writer.uncoloured else None
        number = writer.writer.cursor.blockFormat().intProperty(Mark.CARD)
        self._drawn.append(_Drawn(piece, start, after_table, card, number))

    def _grow(self, drawn: _Drawn, piece: Piece) -> bool:
        """Adds what is new of a code block to the card that is drawn; says whether that was possible."""
        before = drawn.piece
        if drawn.card is None or not piece.code.startswith(before.code):
            return False
        if replace(before, code=piece.code, last_line=piece.last_line) != piece:
            return False
        if new := piece.code[len(before.code) :]:
            cursor = QTextCursor(self._transcript.document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(new, self._transcript.style.code)
        drawn.piece = piece
        drawn.card.code = piece.code
        drawn.grown = True
        self._transcript.codes[drawn.number] = piece.code
        return True

    def _remove_from(self, kept: int) -> None:
        if kept == len(self._drawn):
            return
        first = self._drawn[kept]
        # A copy would bring its anchor along, which insertions move even where the position is kept.
        cursor = QTextCursor(self._transcript.document)
        cursor.setPosition(first.start.position())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if first.after_table:
            cursor.setBlockFormat(self._transcript.style.spare_block)
            cursor.setBlockCharFormat(self._transcript.style.spare_chars)
        del self._drawn[kept:]

    def _announce_last_line(self, drawn: _Drawn) -> None:
        """Its blocks were written when fewer lines had come."""
        lines = QTextBlockFormat()
        lines.setProperty(Mark.LAST_LINE, drawn.piece.last_line + 1)
        cursor = QTextCursor(self._transcript.document)
        cursor.setPosition(drawn.start.position())
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        while cursor.blockFormat().intProperty(Mark.CARD) == drawn.number:
            cursor.mergeBlockFormat(lines)
            if not cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
                break


class StreamRenderer(QObject):
    """Draws one answer at a time at the end of a `TranscriptDocument`."""

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
        self.stage = ReplyStage.PREPARING
        self._since = 0.0
        """The time, in seconds of `perf_counter`, at which the stage began whose duration is shown."""
        self._stage_shown = self._stop_shown = ""
        """The caption's words for the stage, and the words of its link that stops it, behind `_caption_words`."""
        self._caption_words = ""
        self._seconds = QTimer(self, interval=1_000)
        self._seconds.timeout.connect(self._write_stage)
        self._cost = 0.0
        self._reset()

    def _reset(self) -> None:
        self._splitter = BlockSplitter()
        self._queue = ""
        self._partial = ""
        self._taken = 0
        self._tail = OpenTail(self._transcript)
        self._definitions: list[Block] = []

    @property
    def attached(self) -> bool:
        """Returns whether the answer is drawn; not so while the reader is far above the end."""
        return self._row is not None

    @property
    def text(self) -> str:
        """Returns all that was received of this answer."""
        return "".join(self._received)

    # Beginning and taking

    def begin(self, *, draw: bool) -> None:
        """Begins an answer; with `draw` at once at the end of the document."""
        load_parser_soon()
        self.active = True
        self.stage, self._since = ReplyStage.PREPARING, perf_counter()
        self._caption_words = caption_text(tr("Assistant"), datetime.now())
        self._received = []
        self._reset()
        if draw:
            self.attach()

    def show_stage(self, stage: ReplyStage, waited: float | None = None) -> None:
        """Says how far the answer is; `waited`: for so many seconds, None for as long as was known so far."""
        self.stage = stage
        if waited is not None:
            self._since = perf_counter() - waited
        self._write_stage()

    def _write_stage(self) -> None:
        """Has the caption say how far the answer is; nothing else in it changes, as the keyboard may be at its link."""
        if self._row is None or self.stage is ReplyStage.WRITING:
            self._seconds.stop()
        else:
            self._seconds.start()
        words, stop = stage_words(self.stage, perf_counter() - self._since), _stop_words(self.stage)
        if self._row is None:
            return
        style, begin = self._transcript.style, self._row.start.position() + len(f"{self._caption_words} · ")
        if words != self._stage_shown:
            self._replace(begin, self._stage_shown, words, style.caption)
        if stop != self._stop_shown:
            link = style.action(StopWorkBeside())
            self._replace(begin + len(f"{words}  "), self._stop_shown, stop, link)
        self._stage_shown, self._stop_shown = words, stop

    def _replace(self, begin: int, before: str, after: str, style: QTextCharFormat) -> None:
        with self._transcript.editing() as cursor:
            cursor.setPosition(begin)
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor, len(before))
            cursor.insertText(after, style)

    def attach(self) -> None:
        """Draws what was received so far at the end of the document, and goes on from there."""
        self._reset()
        document = self._transcript
        row = Row(document.source.stop, {"role": "assistant", "content": ""}, QTextCursor(document.document))
        with document.editing() as cursor:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            fresh, before = document.is_blank(), cursor.position()
            writer = document.writer(cursor, fresh=fresh)
            self._stage_shown, self._stop_shown = stage_words(self.stage, perf_counter() - self._since), ""
            MessageDrawer(writer, {}).caption(self._caption_words, row.index, first=fresh, more=self._stage_shown)
            row.start.setPosition(before if fresh else before + 1)
        document.rows.append(row)
        self._row = row
        self._write_stage()
        self._tail = OpenTail(self._transcript)
        self._queue = self.text
        if self._queue:
            self.flush()

    def detach(self) -> None:
        """Goes on receiving only, because the document shows another part."""
        self._stop_timers()
        self._row = None
        self._reset()

    def add(self, text: str) -> None:
        """Takes a piece of the answer; it is drawn with the next flush."""
        self._received.append(text)
        if self.stage is not ReplyStage.WRITING:
            self.show_stage(ReplyStage.WRITING)
        if self._row is not None:
            self._queue += text
            if not self._timer.isActive():
                # Text tied into a knot costs more a flush; then the flushes are fewer, and the window stays free.
                self._timer.start(max(_FLUSH_EVERY, round(self._cost * 3_000)))

    # Drawing

    def flush(self) -> None:
        """Draws what waits, as far as the budget goes."""
        if self._row is None or not self._queue:
            return
        started = perf_counter()
        self._draw(started + _BUDGET)
        self.drawn.emit()
        self._cost = perf_counter() - started
        if self._queue:
            self._timer.start(1)

    def _draw(self, until: float) -> None:
        with self._transcript.editing():
            self._draw_closed(until)
            partial = "" if self._is_closing_fence(self._partial) else tidied(self._partial)
            pieces = self._read(self._splitter.peek(partial), are_open=True)
            self._tail.draw(pieces)
            if pieces and pieces[-1].kind == "code" and self._splitter.in_code:
                self._transcript.colouring.expect(pieces[-1].info)

    def _draw_closed(self, until: float) -> None:
        """Takes whole lines and draws the blocks they close; what is left of the queue is the line being written."""
        while perf_counter() < until:
            line, end, rest = self._next_line()
            if not end:
                self._partial, self._queue = self._partial + self._queue, ""
                return
            self._queue = rest
            self._taken += len(line) + 1
            if self._taken > MESSAGE_LIMIT:
                self._partial = self._queue = ""
                return
            self._settle(self._splitter.feed(tidied(self._partial + line)))
            self._partial = ""

    def _settle(self, closed: list[Block]) -> None:
        """Draws blocks that will not change any more."""
        if closed:
            self._tail.draw(self._read(closed))
            self._tail.settle()
            self._definitions += [block for block in closed if block.kind in ("address", "note")]

    def _read(self, blocks: list[Block], *, are_open: bool = False) -> list[Piece]:
        references = references_of([*self._definitions, *blocks])
        return [piece for block in blocks for piece in read_block(block, references, is_open=are_open)]

    def _next_line(self) -> tuple[str, str, str]:
        if self._queue.endswith("\r"):
            return "", "", ""
        if "\r" in self._queue or "\u2028" in self._queue or "\u2029" in self._queue or "\x85" in self._queue:
            self._queue = self._queue.replace("\r\n", "\n")
            for end in "\r\u2028\u2029\x85":
                self._queue = self._queue.replace(end, "\n")
        return self._queue.partition("\n")

    def _is_closing_fence(self, partial: str) -> bool:
        words = partial.strip()
        return self._splitter.in_code and bool(words) and not words.strip(words[0]) and words[0] in "`~"

    # The end

    def _stop_timers(self) -> None:
        self._timer.stop()
        self._seconds.stop()

    def _draw_rest(self) -> None:
        self._draw_closed(float("inf"))
        closed = self._splitter.feed(tidied(self._partial)) if self._partial else []
        self._settle(closed + self._splitter.finish())
        self._tail.draw([])
        self._partial = ""

    def adopt(self, index: int, message: Message) -> bool:
        """Makes the row that of `message`, as which the answer was recorded; returns whether there was a row."""
        row = self._row
        self.active = False
        if row is None:
            self._received = []
            return False
        self._stop_timers()
        # The last words and the caption are laid out once: a long paragraph takes its time.
        with self._transcript.editing():
            self._draw_rest()
            text = self.text.rstrip()
            same = text_of(message).rstrip() == text and not self._definitions
            same = same and not (message.get("interrupted") and with_closed_marks(text) != text)
            self._transcript.adopt(row, index, message)
            stays = same and self._taken <= MESSAGE_LIMIT and not self._transcript.needs_more_above(row)
            # A formula that was drawn meanwhile stands there as its source.
            stays = stays and not (formulas().is_running and may_hold_formula(text))
            # What its pictures need stands below it.
            stays = stays and "![" not in text
            if stays:
                self._complete_row(row)
        if not stays:
            self._transcript.rewrite(row)
        self.drawn.emit()
        self._row = None
        self._received = []
        return True

    def _complete_row(self, row: Row) -> None:
        """Puts the final caption above the answer, and below it what only the record knows."""
        document = self._transcript
        with document.editing() as cursor:
            self._caption(cursor, row)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            rows = MessageDrawer(document.writer(cursor, going_on=True), document.codes)
            if row.message.get("interrupted"):
                rows.interrupted()
            figures = answer_figures(document.source, row.index, row.message)
            if figures is not None:
                rows.figures(figures, row.index, counts_of(row.message))
            for call in row.calls:
                rows.card.write(call, row.index)

    def _caption(self, cursor: QTextCursor, row: Row) -> None:
        start = row.start.position()
        cursor.setPosition(start)
        form = cursor.blockFormat()
        first = form.topMargin() == 0
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        writer = self._transcript.writer(cursor, fresh=True)
        words = caption_text(tr("Assistant"), parse_time(row.message.get("timestamp")))
        drawer = self._transcript.drawer(writer)
        copies, links = bool(text_of(row.message).strip()), drawer.links_of(row.message, row.index)
        drawer.caption(words, row.index, first=first, copies=copies, links=links)
        form.setProperty(Mark.CAPTION, row.index + 1)
        cursor.setBlockFormat(form)
        row.start.setPosition(start)

    def drop(self) -> None:
        """Takes away the row of an answer that came to nothing; where some of it is drawn, it stays as it is."""
        self.active = False
        row, self._row = self._row, None
        self._stop_timers()
        if row is None:
            return
        if self.text.strip():
            message: Message = {"role": "assistant", "content": self.text, "interrupted": True}
            self._row = row
            self.adopt(row.index, message)
            return
        self._transcript.remove_last(row)
