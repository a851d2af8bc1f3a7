"""Tool calls as they happen: their cards are redrawn where the reader is kept in place."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtGui import QTextBlockFormat, QTextCursor

from mnemoscope.ui.chat.cards.tool_call import ToolCall
from mnemoscope.ui.chat.cards.tool_card import ToolCard
from mnemoscope.ui.chat.message_actions import FoldCall
from mnemoscope.ui.chat.transcript.transcript_document import Row, TranscriptDocument
from mnemoscope.ui.chat.transcript.transcript_paging import TranscriptPaging
from mnemoscope.ui.markdown.document.document_writer import find_card


class CardChanges:
    """Folds and redraws the cards of a `TranscriptDocument`."""

    def __init__(self, transcript: TranscriptDocument) -> None:
        self._transcript = transcript

    def fold(self, index: int, call_id: str) -> None:
        """Folds or unfolds a tool card."""
        row = self._transcript.row_of(index)
        call = next((call for call in row.calls if call.call_id == call_id), None) if row else None
        if row is not None and call is not None:
            call.unfolded = not call.unfolded
            self._rewrite(row, call)

    def redraw(self, state: ToolCall) -> None:
        """Writes a call's card again, where there is one."""
        for row in reversed(self._transcript.rows):
            if row.drawn and any(call is state for call in row.calls):
                self._rewrite(row, state)
                return

    def refit(self) -> None:
        """Writes all cards again: their first lines are cut to a width, and that is another one now."""
        with self._transcript.editing():
            for row in self._transcript.rows:
                for call in row.calls if row.drawn else ():
                    self._rewrite(row, call)

    def _rewrite(self, row: Row, call: ToolCall) -> None:
        document = self._transcript
        first, stop = document.range_of(row)
        header = document.actions.number_of(FoldCall(row.index, call.call_id))
        place = find_card(document.document, (first, stop), header)
        if place is None:
            document.rewrite(row)
            return
        with document.editing() as cursor:
            cursor.setPosition(place[0])
            cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            cursor.setBlockFormat(QTextBlockFormat())
            writer = document.writer(cursor, fresh=True)
            ToolCard(writer).write(call, row.index, first=place[0] == 0)
            row.start.setPosition(first)
        document.pointer.forget_at(place[0])
        document.divide()


class ToolEvents:
    """Takes the news of one conversation's calls to its cards."""

    def __init__(self, transcript: TranscriptDocument, paging: TranscriptPaging) -> None:
        self._transcript, self._paging = transcript, paging
        self._cards = CardChanges(transcript)

    def started(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> None:
        """Shows the card of a tool call that begins."""
        state = self._transcript.tools.newest(call_id, name)
        state.running = True
        state.arguments = json.dumps(dict(arguments), ensure_ascii=False, default=str)
        self._redraw(state)

    def ran(self, call_id: str, name: str, succeeded: bool, summary: str, milliseconds: float) -> None:
        """Shows in its card that a tool call ended."""
        state = self._transcript.tools.newest(call_id, name)
        state.running = False
        state.waits = False
        state.succeeded = succeeded
        state.summary, state.milliseconds = summary, milliseconds
        self._redraw(state)

    def wait(self, argv: Sequence[str], *, waits: bool) -> None:
        """Shows that a command waits for the person's word, or has it."""
        state = self._transcript.tools.running(argv)
        if state is not None and state.waits != waits:
            state.waits = waits
            self._redraw(state)

    def refit(self) -> None:
        """Cuts what is cut to the column's width anew, because the width changed."""
        with self._paging.held(to_end=self._paging.following):
            self._cards.refit()

    def fold(self, index: int, call_id: str) -> None:
        """Folds or unfolds the card of a call that message `index` made."""
        with self._paging.held(to_end=False):
            self._cards.fold(index, call_id)

    def answered(self, call_id: str) -> None:
        """Shows a recorded result in the card of its call."""
        self._cards.redraw(self._transcript.tools.newest(call_id, "tool"))

    def show_undone(self, undone: Collection[str]) -> None:
        """Shows on the cards that of the changes calls made, exactly these are taken back now."""
        with self._paging.held(to_end=self._paging.following):
            for call in self._transcript.tools.mark_undone(undone):
                self._cards.redraw(call)

    def _redraw(self, state: ToolCall) -> None:
        with self._paging.held(to_end=self._paging.following):
            self._cards.redraw(state)
