"""`@frozen`: a frozen dataclass with slots, at half of what `@dataclass(frozen=True, slots=True)` keeps in memory.

dataclasses writes `__setattr__`, `__delattr__` and `__repr__` anew for every class, and the first two keep the class
alive that slots replaced. The program has some two hundred of these classes, most of them loaded in an idle window.
Here all of them share the three methods; the rest is the standard library's, so `fields`, `replace`, `asdict` and
`match` work as ever.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, cast, dataclass_transform

FrozenT = TypeVar("FrozenT")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[FrozenT]) -> type[FrozenT]:
    """Make the class a frozen dataclass with slots. Setting or deleting a field raises FrozenInstanceError."""
    made: Any = dataclass(frozen=True, slots=True, repr=False)(cls)
    made.__setattr__, made.__delattr__ = _refuse_set, _refuse_delete
    if "__repr__" not in vars(made):
        made.__repr__ = _shown
    return cast("type[FrozenT]", made)


def _refuse_set(one: object, name: str, new: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(one: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


@recursive_repr()
def _shown(one: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(one, each.name)!r}" for each in fields(one) if each.repr)
    return f"{type(one).__qualname__}({shown})"
