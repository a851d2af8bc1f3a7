"""All slash commands, in a dialog to read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.commands.slash_commands import CommandInfo
from mnemoscope.ui.widgets.dialogs.pairs_dialog import PairsDialog


class SlashCommandsDialog(PairsDialog):
    """Shows usage and meaning of each command, side by side."""

    def __init__(self, commands: Sequence[CommandInfo], parent: QWidget) -> None:
        super().__init__(
            QCoreApplication.translate("SlashCommandsDialog", "Slash commands"),
            QCoreApplication.translate("SlashCommandsDialog", "Commands to type into the message field"),
            [(command.usage, command.help) for command in commands],
            parent,
        )
