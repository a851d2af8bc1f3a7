"""Tool cards written again in their place, while the words of their message, which may be long, stay as they are."""

from __future__ import annotations

from PySide6.QtGui import QTextBlockFormat, QTextCursor

from mnemoscope.ui.chat.cards.tool_call import ToolCall, card_address
from mnemoscope.ui.chat.cards.tool_card import ToolCard
from mnemoscope.ui.chat.transcript.transcript_document import Row, TranscriptDocument
from mnemoscope.ui.markdown.document_writer import find_card


class CardChanges:
    """Folds and redraws the cards of a `TranscriptDocument`."""

    def __init__(self, transcript: TranscriptDocument) -> None:
        self._transcript = transcript

    def fold(self, index: int, call_id: str) -> None:
        """Fold or unfold a tool card."""
        row = self._transcript.row_of(index)
        call = next((call for call in row.calls if call.call_id == call_id), None) if row else None
        if row is not None and call is not None:
            call.unfolded = not call.unfolded
            self._rewrite(row, call)

    def redraw(self, state: ToolCall) -> None:
        """Write a call's card again, where there is one."""
        for row in reversed(self._transcript.rows):
            if row.drawn and any(call is state for call in row.calls):
                self._rewrite(row, state)
                return

    def refit(self) -> None:
        """Write all cards again: their first lines are cut to a width, and that is another one now."""
        with self._transcript.editing():
            for row in self._transcript.rows:
                for call in row.calls if row.drawn else ():
                    self._rewrite(row, call)

    def _rewrite(self, row: Row, call: ToolCall) -> None:
        document = self._transcript
        first, stop = document.range_of(row)
        place = find_card(document.document, (first, stop), card_address(row.index, call))
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
