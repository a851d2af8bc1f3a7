"""The role under which a screen reader knows a widget for whose class Qt has none."""

from __future__ import annotations

from functools import cache
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_roles: Final[dict[int, QAccessible.Role]] = {}
_interfaces: Final[dict[int, QAccessibleInterface]] = {}
"""The accessible interfaces made for the widgets, by the widget's `id`; each lasts as long as its widget."""


def announce_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Has a widget be known to a screen reader by a role."""
    number = id(widget)
    _serve_screen_readers()
    _roles[number] = role
    widget.destroyed.connect(lambda: _forget(number))


@cache
def _serve_screen_readers() -> None:
    QAccessible.installFactory(_interface_of)


def _interface_of(key: str, target: QObject) -> QAccessibleInterface | None:
    role = _roles.get(id(target))
    if role is None or not isinstance(target, QWidget):
        return None
    return _interfaces.setdefault(id(target), QAccessibleWidget(target, role))


def _forget(number: int) -> None:
    _roles.pop(number, None)
    _interfaces.pop(number, None)
