"""Notes what models took and cost on each day, in .mnemoscope/spending.json: figures alone, no words.

The form: {"2026-11-23": {"chat": [1200, 0.004], "background": [800, 0.001, 2]}}: tokens both ways, US dollars, and
where there were any, the requests whose price is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.json_object import read_json_object, replace_json_object

_DAYS: Final = 62
"""Days that are kept, the newest of them."""
_MOST: Final = 1e15


@dataclass(frozen=True, slots=True)
class Spent:
    """Holds tokens both ways and US dollars, as far as prices are known, and how many requests had no known price."""

    tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.tokens + other.tokens, self.dollars + other.dollars, self.unpriced + other.unpriced)


SpentByDay = dict[str, dict[str, Spent]]
"""By day, as YYYY-MM-DD, then by purpose."""


class SpendingFile:
    """Reads and writes the file on the disk. One that cannot be read counts as none."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._calls = calls

    def load(self) -> SpentByDay:
        """Returns what was spent on each day. Never raises."""
        days = read_json_object(self._path)
        return {day: _purposes(spent) for day, spent in days.items() if isinstance(spent, dict)}

    def save(self, days: Mapping[str, Mapping[str, Spent]]) -> None:
        """Replaces the file. Raises StorageError."""
        newest = {
            day: {purpose: _figures(spent) for purpose, spent in days[day].items()} for day in sorted(days)[-_DAYS:]
        }
        replace_json_object(self._path, newest, calls=self._calls)


def _figures(spent: Spent) -> list[float]:
    figures = [spent.tokens, round(spent.dollars, 8)]
    return [*figures, spent.unpriced] if spent.unpriced else figures


def _purposes(spent: Mapping[str, Any]) -> dict[str, Spent]:
    return {purpose: found for purpose, each in spent.items() if (found := _spent(each)) is not None}


def _spent(figures: object) -> Spent | None:
    """Returns what two or three figures say, None for anything else, as another program may have written."""
    match figures:
        case [int(tokens), float() | int() as dollars]:
            unpriced = 0
        case [int(tokens), float() | int() as dollars, int(unpriced)]:
            pass
        case _:
            return None
    is_possible = all(0 <= figure < _MOST for figure in (tokens, dollars, unpriced))
    return Spent(tokens, float(dollars), unpriced) if is_possible else None
