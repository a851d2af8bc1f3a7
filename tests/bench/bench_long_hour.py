"""An hour's use as in `bench_hour`, which goes on in a conversation of 10,000 messages.

What the window keeps up to a bound is full from the start there, so what of its memory grows goes on growing.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.bench.bench_hour import TURNS, rows_of
from tests.bench.rows import Row

EARLIER_TURNS = 5_000


def rows(quick: bool) -> Iterable[Row]:
    """Yields the figures; none in the quick form, which is that of `bench_hour`."""
    return () if quick else rows_of(TURNS, EARLIER_TURNS)
