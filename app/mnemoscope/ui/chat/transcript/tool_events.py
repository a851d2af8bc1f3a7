"""Tool calls as they happen: their cards are redrawn where the reader is kept in place."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mnemoscope.ui.chat.cards.tool_call import ToolCall
from mnemoscope.ui.chat.transcript.card_changes import CardChanges
from mnemoscope.ui.chat.transcript.transcript_document import TranscriptDocument
from mnemoscope.ui.chat.transcript.transcript_paging import TranscriptPaging


class ToolEvents:
    """Takes the news of one conversation's calls to its cards."""

    def __init__(self, transcript: TranscriptDocument, paging: TranscriptPaging) -> None:
        self._transcript, self._paging = transcript, paging
        self._cards = CardChanges(transcript)

    def started(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> None:
        """A tool call begins."""
        state = self._transcript.tools.newest(call_id, name)
        state.running = True
        state.arguments = json.dumps(dict(arguments), ensure_ascii=False, default=str)
        self._redraw(state)

    def ran(self, call_id: str, name: str, succeeded: bool, summary: str, milliseconds: float) -> None:
        """A tool call ended."""
        state = self._transcript.tools.newest(call_id, name)
        state.running, state.waits, state.succeeded = False, False, succeeded
        state.summary, state.milliseconds = summary, milliseconds
        self._redraw(state)

    def wait(self, argv: Sequence[str], *, waits: bool) -> None:
        """A command that is to run waits for the person's word, or has it."""
        state = self._transcript.tools.running(argv)
        if state is not None and state.waits != waits:
            state.waits = waits
            self._redraw(state)

    def refit(self) -> None:
        """The column has another width: what is cut to it is cut anew."""
        with self._paging.held(to_end=self._paging.following):
            self._cards.refit()

    def fold(self, index: int, call_id: str) -> None:
        """Fold or unfold the card of a call that message `index` made."""
        with self._paging.held(to_end=False):
            self._cards.fold(index, call_id)

    def answered(self, call_id: str) -> None:
        """A result was recorded that is shown in the card of its call."""
        self._cards.redraw(self._transcript.tools.newest(call_id, "tool"))

    def show_undone(self, undone: Collection[str]) -> None:
        """Of the changes of memory that calls made, exactly these are taken back now."""
        with self._paging.held(to_end=self._paging.following):
            for call in self._transcript.tools.mark_undone(undone):
                self._cards.redraw(call)

    def _redraw(self, state: ToolCall) -> None:
        with self._paging.held(to_end=self._paging.following):
            self._cards.redraw(state)
