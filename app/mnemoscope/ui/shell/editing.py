"""Undo, cut, copy and paste from the menu: they go to whatever has the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication


def in_focus(verb: str) -> Callable[[], None]:
    """A handler that calls the method `verb` (`undo`, `copy`, `selectAll`, …) of the widget in focus, if it has one."""

    def run() -> None:
        method = getattr(QApplication.focusWidget(), verb, None)
        if callable(method):
            method()

    return run
