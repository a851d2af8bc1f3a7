"""Guesses from times, where no ledger says it, which history entry consolidated messages became; marked as guessed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Final

from mnemoscope.domain.consolidation.planning import clamp_pointer
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.history_entries import HistoryLog
from mnemoscope.memory.transactions.conversation import Conversation, created_at, reach_of
from mnemoscope.store.files.atomic import digest_of, encode_text

_SLACK: Final = timedelta(days=1)
_SAME_MINUTE: Final = timedelta(minutes=1)
_EARLY: Final = timedelta(minutes=15)
"""The longest time by which the date of an entry may precede the first message it is about: it may have the minute in
which the conversation began, or that of a slightly different clock."""


def traced_records(
    conversation: Conversation, known: Sequence[ConsolidationRecord], history: Callable[[], HistoryLog]
) -> list[ConsolidationRecord]:
    """Returns the ledger's records of the conversation since it began, and inferred ones for what they leave open, in
    order.

    The history is asked for only where something is open: it may be long.
    """
    total = len(conversation.messages)
    pointer = clamp_pointer(conversation.last_consolidated, total)
    ours = [each for each in (_shared_part(conversation, record) for record in known) if each and each.stop <= pointer]
    found, gaps = list(ours), _gaps(ours, pointer)
    if gaps:
        claimed = {each.entry for each in known}
        entries = history()
        for start, stop in gaps:
            found += _inferred(conversation, start, stop, entries, claimed)
    return sorted(found, key=lambda each: (each.start, each.stop))


def _shared_part(conversation: Conversation, record: ConsolidationRecord) -> ConsolidationRecord | None:
    """Returns the record of a consolidation as far as its messages are in this branch of the conversation, or None."""
    stop = reach_of(conversation, record.session_created_at, record.stop)
    if stop <= record.start:
        return None
    return record if stop == record.stop else replace(record, stop=stop)


def _gaps(records: Sequence[ConsolidationRecord], pointer: int) -> list[tuple[int, int]]:
    gaps, place = [], 0
    for record in sorted(records, key=lambda each: each.start):
        if record.start > place:
            gaps.append((place, record.start))
        place = max(place, record.stop)
    return [*gaps, (place, pointer)] if place < pointer else gaps


def _inferred(
    conversation: Conversation, start: int, stop: int, history: HistoryLog, claimed: set[str]
) -> list[ConsolidationRecord]:
    # A long conversation is read only where an entry may be about it.
    messages = (conversation.messages[number] for number in range(start, stop))
    began = next((when for when in map(_time_of, messages) if when), None)
    open_entries = [each for each in _entries_since(history, began - _EARLY) if each[1] not in claimed] if began else []
    if not open_entries:
        return []
    times = _times(conversation.messages[number] for number in range(start, stop))
    near = [each for each in open_entries if each[0] <= times[-1] + _SLACK]
    cuts = _cuts(times, [when for when, _ in near])
    found = []
    for (when, text), first, last in zip(near, cuts, cuts[1:], strict=False):
        if last > first:
            found.append(_record(conversation, start + first, start + last, when, text))
    return found


def _cuts(times: Sequence[datetime], entries: Sequence[datetime]) -> list[int]:
    """Returns where each entry's messages begin, and the end. A model dates an entry by the first of its messages or by
    the time of writing: the reading that leaves fewer messages without an entry is taken."""
    if not entries:
        return []
    starts = [bisect_left(times, when) for when in entries]
    stops = [bisect_right(times, when + _SAME_MINUTE) for when in entries]
    if starts[0] <= len(times) - stops[-1]:
        return [0, *starts[1:], len(times)]
    return [0, *stops[:-1], len(times)]


def _time_of(message: Message) -> datetime | None:
    return _parsed(str(message.get("timestamp") or ""))


def _times(messages: Iterable[Message]) -> list[datetime]:
    """Returns the messages' times, never going back; a message without one has that of the message before it, and the
    first ones that of the first that has one."""
    found: list[datetime] = []
    without = 0
    for message in messages:
        when = _time_of(message) or (found[-1] if found else None)
        if when is None:
            without += 1
        else:
            found.append(max(when, found[-1]) if found else when)
    return found[:1] * without + found


def _entries_since(history: HistoryLog, since: datetime) -> list[tuple[datetime, str]]:
    """Returns the entries dated `since` or later, in order of time."""
    found = []
    for entry in history.dated(since.date().toordinal(), date.max.toordinal()):
        when = _parsed(entry.when.replace(" ", "T"))
        if when is not None and since <= when:
            found.append((when, entry.text))
    return sorted(found, key=itemgetter(0))


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def _record(conversation: Conversation, start: int, stop: int, when: datetime, text: str) -> ConsolidationRecord:
    identity = digest_of(encode_text(f"{conversation.key}\n{start}\n{stop}\n{text}"))[:16]
    began = created_at(conversation)
    return ConsolidationRecord(
        f"inferred-{identity}", conversation.key, began, start, stop, when.isoformat(), text, inferred=True
    )
