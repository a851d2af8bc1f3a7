"""Spoils records: each value in one, at any depth, gives way to one that no agent would write there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

ODD: Final[tuple[object, ...]] = (None, 7, "x", "\ud800", 1e300, float("nan"), ["x"], {"a": {}}, [[]])


def spoilt(record: Any, value: Any) -> Iterator[Any]:
    """Yields a record once for each place in it that can be reached, with `value` there."""
    yield value
    if isinstance(record, dict):
        for name, inner in record.items():
            yield from ({**record, name: each} for each in spoilt(inner, value))
    elif isinstance(record, list):
        for at, inner in enumerate(record):
            yield from ([*record[:at], each, *record[at + 1 :]] for each in spoilt(inner, value))


def spoilt_lines(lines: list[str], value: Any) -> Iterator[list[str]]:
    """Yields a transcript once for each place of each of its lines, with `value` there."""
    for at, line in enumerate(lines):
        for record in spoilt(json.loads(line), value):
            yield [*lines[:at], json.dumps(record), *lines[at + 1 :]]
