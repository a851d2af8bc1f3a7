"""Tells which lines of memory nobody is shown in a search: those that only messages said which a conversation has left,
because they are deleted or lie on another branch alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mnemoscope.domain.memory.file_registry import STATE_PATH
from mnemoscope.memory.capture.active_states import ActiveStates
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges


class InactiveLines:
    """Looks through the daily notes and SESSION-STATE.md of one workspace. Blocks on the disk."""

    def __init__(self, exchanges: InactiveExchanges, states: ActiveStates) -> None:
        self._exchanges = exchanges
        self._states = states

    def of(self, files: Collection[str]) -> Mapping[str, Collection[str]]:
        """Returns the lines of these files that were left, by the paths of the files. Raises UnreadableFile."""
        found = self._exchanges.lines(files)
        return found | {STATE_PATH: self._states.left_rows()} if STATE_PATH in files else found
