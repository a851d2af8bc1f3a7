"""The slash commands in a dialog: to be read, nothing is sent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from mnemoscope.agent.commands.slash_commands import CommandInfo
from mnemoscope.ui.widgets.theme import set_role


class SlashCommandsDialog(QDialog):
    """Usage and meaning of each command, side by side."""

    def __init__(self, commands: Sequence[CommandInfo], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Slash commands"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        heading = QLabel(self.tr("Commands to type into the message field"), self)
        set_role(heading, role="lead")
        table = QGridLayout()
        table.setHorizontalSpacing(24)
        table.setVerticalSpacing(8)
        table.setColumnStretch(1, 1)
        for row, command in enumerate(commands):
            usage = QLabel(command.usage, self)
            set_role(usage, role="heading")
            table.addWidget(usage, row, 0, Qt.AlignmentFlag.AlignTop)
            table.addWidget(self._meaning(command.help), row, 1)
        close = QDialogButtonBox(self)
        close.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addWidget(heading)
        column.addLayout(table)
        column.addWidget(close)
        self.setMinimumWidth(480)

    def _meaning(self, words: str) -> QLabel:
        meaning = QLabel(words, self)
        meaning.setTextFormat(Qt.TextFormat.PlainText)
        meaning.setWordWrap(True)
        set_role(meaning, role="muted")
        return meaning
