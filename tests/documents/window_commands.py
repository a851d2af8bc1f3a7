"""The table of the window's commands. It needs Qt."""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtCore import QCoreApplication
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
        return QCoreApplication.translate("WorkspaceWindow", words)


def every_command() -> list[Command]:
    """Returns the commands of a window, in the language of the program; they are not to be run."""
    window = cast("WorkspaceWindow", cast(Any, _NoWindow()))
    return [each for each in window_commands(window) if isinstance(each, Command)]


def window_table() -> str:
    """Returns a table for each menu of the window, and one for what is in the palette alone."""
    commands = every_command()
    menus = [*menu_titles(cast("WorkspaceWindow", cast(Any, _NoWindow()))).items(), ("", "In the palette alone")]
    return "\n\n".join(_menu_table(title, [each for each in commands if each.menu == menu]) for menu, title in menus)


def _menu_table(title: str, commands: list[Command]) -> str:
    rows = [f"| {_plain(each.text)} | {_keys(each)} |" for each in commands]
    return "\n".join([f"### {_plain(title)}", "", "| command | keys |", "|---|---|", *rows])


def _plain(words: str) -> str:
    return words.replace("&", "")


def _keys(command: Command) -> str:
    portable = QKeySequence.SequenceFormat.PortableText
    return " or ".join(QKeySequence(keys).toString(portable) for keys in command.shortcuts)
