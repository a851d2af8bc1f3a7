"""One measured line of the benchmarks' table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, the figure with its unit, the figure to reach, and whether it was reached."""

    what: str
    figure: str
    target: str
    passed: bool
