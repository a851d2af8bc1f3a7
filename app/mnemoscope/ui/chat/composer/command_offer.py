"""Slash commands, offered in a list while one is typed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

if TYPE_CHECKING:
    from mnemoscope.ui.chat.composer.command_completer import Command, CommandCompleter


class CommandCompletion(QObject):
    """Offers commands for a text edit, above the card it stands in."""

    def __init__(self, edit: QPlainTextEdit, card: QWidget) -> None:
        super().__init__(edit)
        self._edit, self._card = edit, card
        self._commands: Sequence[Command] = ()

    @cached_property
    def completer(self) -> CommandCompleter:
        """The list, built when the first command is begun."""
        from mnemoscope.ui.chat.composer.command_completer import CommandCompleter

        completer = CommandCompleter(self._card)
        completer.set_commands(self._commands)
        completer.chosen.connect(self._put_in)
        return completer

    @property
    def built(self) -> CommandCompleter | None:
        """The list if any command was begun yet."""
        return self.completer if "completer" in vars(self) else None

    def set_commands(self, commands: Sequence[Command]) -> None:
        """The commands there are."""
        self._commands = commands
        if self.built is not None:
            self.completer.set_commands(commands)

    def follow(self) -> None:
        """The text changed: offer what it begins, where it is nothing but the beginning of a command."""
        document = self._edit.document()
        text = document.firstBlock().text() if document.blockCount() == 1 else ""
        if text.startswith("/") and " " not in text and len(text) < 40:
            self.completer.complete(text, self._card)
        else:
            self.hide()

    def hide(self) -> None:
        """Offer nothing."""
        if self.built is not None:
            self.completer.hide()

    def _put_in(self, name: str) -> None:
        self._edit.selectAll()
        self._edit.textCursor().insertText(f"{name} ")
        self._edit.moveCursor(QTextCursor.MoveOperation.End)
        self.completer.hide()
