"""`@frozen`: a frozen dataclass with slots, at less than half of what `@dataclass(frozen=True, slots=True)` holds.

dataclasses writes its methods anew for every class, and two of them keep the class alive that slots took the place of.
The program has some two hundred such classes, most of them loaded in an idle window. Here they share what refuses to
set and delete, what compares and what is shown; the rest is the standard library's, so `fields`, `replace`, `asdict`
and `match` work as ever.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, cast, dataclass_transform

FrozenT = TypeVar("FrozenT")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[FrozenT]) -> type[FrozenT]:
    """Make the class a frozen dataclass with slots. Setting or deleting a field raises FrozenInstanceError."""
    made: Any = dataclass(frozen=True, slots=True, repr=False, eq=False)(cls)
    compared = [each.name for each in fields(made) if each.compare]
    made.__compared__ = attrgetter(*compared) if compared else _nothing
    made.__setattr__, made.__delattr__ = _refuse_set, _refuse_delete
    for name, method in (("__repr__", _shown), ("__eq__", _same), ("__hash__", _hashed)):
        if vars(made).get(name) is None:
            setattr(made, name, method)
    return cast("type[FrozenT]", made)


def _nothing(one: object) -> tuple[()]:
    return ()


def _refuse_set(one: object, name: str, new: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(one: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _same(one: Any, other: Any) -> Any:
    if type(one) is not type(other):
        return NotImplemented
    compared = type(one).__compared__
    return compared(one) == compared(other)


def _hashed(one: Any) -> int:
    return hash(type(one).__compared__(one))


@recursive_repr()
def _shown(one: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(one, each.name)!r}" for each in fields(one) if each.repr)
    return f"{type(one).__qualname__}({shown})"
