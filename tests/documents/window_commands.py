"""The table of the window's commands. It needs Qt."""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtGui import QKeySequence

from mnemoscope.ui.shell.actions import Command
from mnemoscope.ui.shell.window_commands import menu_titles, window_commands
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow


class _NoWindow:
    """Stands for a window whose commands are listed and never run."""

    def __getattr__(self, name: str) -> _NoWindow:
        return self

    def __call__(self, *_arguments: object) -> _NoWindow:
        return self

    def tr(self, words: str) -> str:
        return words


def window_table() -> str:
    """Returns one row for each command of the window, in the order of the menus."""
    window = cast("WorkspaceWindow", cast(Any, _NoWindow()))
    titles = menu_titles(window)
    commands = [each for each in window_commands(window) if isinstance(each, Command)]
    rows = [f"| {_plain(titles.get(each.menu, ''))} | {_plain(each.text)} | {_keys(each)} |" for each in commands]
    return "\n".join(["| menu | command | keys |", "|---|---|---|", *rows])


def _plain(words: str) -> str:
    return words.replace("&", "")


def _keys(command: Command) -> str:
    portable = QKeySequence.SequenceFormat.PortableText
    return " or ".join(QKeySequence(keys).toString(portable) for keys in command.shortcuts)
