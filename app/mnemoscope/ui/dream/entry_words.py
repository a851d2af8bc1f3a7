"""Says in words where an entry of the journal stands: its number, whether Dream has read it, the version it made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.ui.dream.dream_words import tr
from mnemoscope.ui.support.locale_words import in_words, number

LinkKind = Literal["entry", "dream", "commit", "undo", "redo", "outcome", "facts"]


@dataclass(frozen=True, slots=True)
class EntryLink:
    """Describes one step of the way from messages to memory and where a click on it leads, or the step back."""

    kind: LinkKind
    words: str
    run: DreamRun | None = None


def links_of_entry(reach: DreamReadIndex, cursor: int, today: date) -> tuple[EntryLink, ...]:
    """Returns the steps of one entry, in order: its number, its run of Dream, its version where that made one."""
    run = reach.run_of(cursor)
    links = [
        EntryLink("entry", entry_number(cursor)),
        EntryLink("dream", standing_words(reach, cursor, today), run),
    ]
    if run is not None and run.commit:
        links.append(EntryLink("commit", tr("commit {commit}").format(commit=run.commit[:8]), run))
    return tuple(links)


def entry_number(cursor: int) -> str:
    """Returns `entry 12`."""
    return tr("entry {number}").format(number=number(cursor))


def standing_words(reach: DreamReadIndex, cursor: int, today: date) -> str:
    """Returns `waiting to be dreamed`, `dreamed on 3 May`, or that nobody read it, or nobody is to."""
    if reach.place.waits(cursor):
        return tr("waiting to be dreamed")
    run = reach.run_of(cursor)
    if run is None:
        return tr("not dreamed")
    if run.undone:
        return tr("declined")
    day = datetime.fromisoformat(run.when).date()
    if day == today:
        return tr("dreamed today")
    form = tr("d MMMM") if day.year == today.year else tr("d MMMM yyyy")
    return tr("dreamed on {day}").format(day=in_words(day, form))
