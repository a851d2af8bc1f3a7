"""The timeline of a conversation of another agent: its messages as rows, the line, and the summaries as cards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, overload

from PySide6.QtCore import QCoreApplication, Signal

from mnemoscope.agent.foreign.foreign_reading import SeenConversation
from mnemoscope.domain.conversation.history_selection import NOTHING_LEFT_OUT
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.foreign.foreign_records import KINDS, RecordKind
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.ui.timeline.timeline_pane import TimelinePane

_ROLES: Final = {RecordKind.PERSON: "user", RecordKind.RESULT: "tool"}


def tr(text: str) -> str:
    """Returns the text in the window's language."""
    return QCoreApplication.translate("ForeignTimeline", text)


class ForeignMessages(Sequence[Message]):
    """Holds the messages of a conversation without its summaries, which stand on cards. Of those that are not read yet
    it is known who said them, and nothing else."""

    def __init__(self, seen: SeenConversation) -> None:
        self.take(seen)

    def take(self, seen: SeenConversation) -> None:
        """Holds these messages from now on."""
        self.seen = seen
        self._summaries = [entry.stop - 1 for entry in seen.entries]

    def __len__(self) -> int:
        return self.row_of(self.seen.total)

    def row_of(self, index: int) -> int:
        """Returns how many messages stand before the one at an index of the conversation."""
        return index - bisect_left(self._summaries, index)

    def index_of(self, row: int) -> int:
        """Returns the index in the conversation of a message, given how many stand before it."""
        index = row
        for summary in self._summaries:
            if summary > index:
                break
            index += 1
        return index

    @overload
    def __getitem__(self, index: int) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> list[Message]: ...

    def __getitem__(self, index: int | slice) -> Message | list[Message]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        at = self.index_of(index)
        if at >= self.seen.first:
            return self.seen.shown[at - self.seen.first]
        role = _ROLES.get(KINDS[self.seen.earlier[at]], "assistant")
        return {"role": role, "content": tr("Not read yet; a click reads it.")}


class ForeignTimeline(TimelinePane):
    """Shows a `SeenConversation`, in which nothing can be done. `index_activated` carries an index in it."""

    index_activated = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.set_read_only()
        # The words over the conversation count its messages.
        self.set_title_visible(False)
        self._key = ""
        self._messages: ForeignMessages | None = None
        self.view.message_activated.connect(self._activate)

    def forget(self) -> None:
        """Shows no conversation."""
        self._key, self._messages = "", None
        self.clear()

    def select_index(self, index: int) -> None:
        """Brings the message at an index of the conversation into sight."""
        if self._messages is not None:
            self.view.select_message(self._messages.row_of(index))

    def show_seen(self, key: str, seen: SeenConversation) -> None:
        """Shows what was read; of the conversation and branch (`key`) that is on show, only what came or changed."""
        former, now = self._messages, ForeignMessages(seen)
        entries = [self._on_rows(each, now) for each in seen.entries]
        pointer = now.row_of(seen.pointer)
        is_same = former is not None and (key, seen.first) == (self._key, former.seen.first)
        if former is None or not is_same or len(now) < len(former):
            self._key, self._messages = key, now
            self.show_timeline(now, pointer, entries, NOTHING_LEFT_OUT, 1, total=len(now))
            return
        before, former_rows = former.seen, len(former)
        former.take(seen)
        if seen.shown[: len(before.shown)] != before.shown:
            self.model.reread(NOTHING_LEFT_OUT)
        for row in range(former_rows, len(now)):
            self.model.append(row)
        if seen.entries != before.entries:
            self.model.move_pointer(pointer, entries, NOTHING_LEFT_OUT)

    def _on_rows(self, entry: ConsolidationRecord, messages: ForeignMessages) -> ConsolidationRecord:
        """Returns a compaction with the rows of its messages, and words for its card."""
        words = entry.entry if entry.entry.strip() else tr("The summary cannot be read here.")
        return replace(entry, start=messages.row_of(entry.start), stop=messages.row_of(entry.stop), entry=words)

    def _activate(self, row: int) -> None:
        if self._messages is not None:
            self.index_activated.emit(self._messages.index_of(row))
