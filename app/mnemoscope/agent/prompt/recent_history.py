"""Collects what happened lately and Dream has not read yet, for the end of the system prompt.

It comes from the journal, history.jsonl, and is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from mnemoscope.domain.commits import end_of_second
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.forgetting.forgotten_lines import Forgotten, nothing_forgotten, words_after_head
from mnemoscope.domain.memory.journal_entry import PROMPT_LIMIT, JournalEntry, entry_for_prompt, timestamp_of
from mnemoscope.memory.dream.dream_memory import DreamMemory
from mnemoscope.store.files.shipped import shipped_prompt

BUDGET: Final = 2_000
"""Tokens; nothing above it ever enters a prompt."""
_LOOKED_AT: Final = 200
_RUNS: Final = 10_000
_HEADING: Final = "# Recent History"
_SHORTEST: Final = 400
"""Characters of an entry that are worth showing where not all of it fits."""


class RecentHistory:
    """Reads the journal of one workspace while `is_dreaming`. Blocks on the disk."""

    def __init__(
        self,
        dream: DreamMemory,
        is_dreaming: Callable[[], bool],
        forgotten: Forgotten = nothing_forgotten,
    ) -> None:
        """`forgotten` returns what tells of a line whether the person had it forgotten: no entry is cut within one."""
        self._dream = dream
        self.is_dreaming = is_dreaming
        self._forgotten_now = forgotten

    def text(self, session_key: str) -> str:
        """Returns the section for a conversation, "" if nothing waits. Raises UnreadableFile."""
        if not self.is_dreaming():
            return ""
        place = self._dream.unread.place()
        newest = self._dream.journal.newest(_LOOKED_AT)
        waiting = [each for each in newest if place.waits(each.cursor) and each.session_key in ("", session_key)]
        return recent_section(waiting, self._forgotten_now())


class PastHistory(RecentHistory):
    """Reads the journal as it was at a moment (naive local time): what was there by then, and which run of Dream had
    read it.

    Where the journal cannot tell, as for what another program's Dream read, an entry counts as read.
    """

    def __init__(
        self,
        dream: DreamMemory,
        is_dreaming: Callable[[], bool],
        when: datetime,
        forgotten: Forgotten = nothing_forgotten,
    ) -> None:
        super().__init__(dream, is_dreaming, forgotten)
        self._when = when

    def text(self, session_key: str) -> str:
        """Returns the section as it was. Raises UnreadableFile."""
        if not self.is_dreaming():
            return ""
        place, runs = self._dream.unread.place(), self._dream.runs.newest(_RUNS)
        settled = [run for run in runs if run.settled]
        there = self._dream.journal.newest(_LOOKED_AT, timestamp_of(self._when))
        of_this = [each for each in there if each.session_key in ("", session_key)]
        waited = [each for each in of_this if not self._had_read(each, settled, waits=place.waits(each.cursor))]
        return recent_section(waited, self._forgotten_now())

    def _had_read(self, entry: JournalEntry, runs: Sequence[DreamRun], *, waits: bool) -> bool:
        readers = [run for run in runs if run.first <= entry.cursor <= run.last - bool(run.rest)]
        moment = end_of_second(self._when)
        return any(run.when <= moment for run in readers) if readers else not waits


def recent_section(entries: Sequence[JournalEntry], is_forgotten: Callable[[str], bool] = lambda _line: False) -> str:
    """Returns the newest entries that fit in BUDGET tokens, oldest first; an entry cut, or those left out, is said.
    None is cut within a line that is forgotten: half of it would not be known again."""
    heading = f"{_HEADING}\n{shipped_prompt('recent-history')}"
    left_out = shipped_prompt("recent-history-cut")
    kept: list[str] = []
    room = BUDGET - estimate_tokens(heading) - estimate_tokens(left_out)
    for entry in reversed(entries):
        shown = _fitting(entry, room, is_forgotten)
        if not shown:
            break
        kept.append(f"- {shown}")
        room -= estimate_tokens(kept[-1]) + 1
    if not kept:
        return ""
    head = [heading, left_out] if len(kept) < len(entries) else [heading]
    return "\n".join([*head, *reversed(kept)])


def _fitting(entry: JournalEntry, room: int, is_forgotten: Callable[[str], bool]) -> str:
    """Returns the entry, cut so that it fits in `room` tokens; "" where too little of it would."""
    limit = PROMPT_LIMIT
    shown = _cut_entry(entry, limit, is_forgotten)
    if estimate_tokens(shown) + 2 > room:
        limit = len(shown)
    while estimate_tokens(shown) + 2 > room:
        limit //= 2
        if limit < _SHORTEST:
            return ""
        shown = _cut_entry(entry, limit, is_forgotten)
    return shown


def _cut_entry(entry: JournalEntry, limit: int, is_forgotten: Callable[[str], bool]) -> str:
    words = entry.content
    if len(words) > limit:
        start, stop = words.rfind("\n", 0, limit) + 1, words.find("\n", limit)
        line = words[start : stop if stop >= 0 else len(words)]
        limit = start if is_forgotten(words_after_head(line)) else limit
    return entry_for_prompt(entry, limit)
