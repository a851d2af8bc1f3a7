"""Whether a record that was read from a file holds what its fields say: JSON is whatever somebody wrote."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

_KNOWN: dict[type, dict[str, Any]] = {}
"""The types of the fields of each dataclass that was asked about."""


def holds_its_types(record: Any) -> bool:
    """Whether each field of a dataclass is of its declared type: plain types, None, tuples of one type, dataclasses."""
    hints = _hints(type(record))
    return all(_fits(getattr(record, each.name), hints[each.name]) for each in fields(record))


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _KNOWN:
        _KNOWN[kind] = get_type_hints(kind)
    return _KNOWN[kind]


def _fits(value: object, hint: Any) -> bool:
    if get_origin(hint) is UnionType:
        return any(_fits(value, each) for each in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(each, get_args(hint)[0]) for each in value)
    if hint in (None, NoneType):
        return value is None
    # A bool is an int to Python, and no number to anyone else.
    return type(value) is hint and (not is_dataclass(value) or holds_its_types(value))
