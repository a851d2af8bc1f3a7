"""How long the automatic consolidation waits after it failed: a model that cannot do it is not asked at every message.

What is asked for by hand never waits.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Failed:
    asked: object
    at: int
    wait: int


class ConsolidationBackoff:
    """Counts, for each session, how many messages have come since the last failure."""

    def __init__(self) -> None:
        self._failed: dict[str, _Failed] = {}

    def is_over(self, session_key: str, total: int, asked: object) -> bool:
        """Whether it may be tried again with `total` messages. `asked`: who would be; another one is asked at once."""
        last = self._failed.get(session_key)
        # Fewer messages than at the failure: the conversation began anew.
        return last is None or last.asked != asked or total < last.at or total >= last.at + last.wait

    def fail(self, session_key: str, total: int, asked: object, memory_window: int) -> None:
        """It failed with `total` messages: wait for a quarter of the window more, then for twice as many each time."""
        last = self._failed.get(session_key)
        again = last is not None and last.asked == asked and total >= last.at
        wait = 2 * last.wait if last is not None and again else max(1, memory_window // 4)
        self._failed[session_key] = _Failed(asked, total, wait)

    def forget(self, session_key: str) -> None:
        """It succeeded."""
        self._failed.pop(session_key, None)
