"""The card that asks before a command runs: exactly what, and where."""

from __future__ import annotations

import asyncio
import shlex

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.approval import ApprovalRequest, Decision
from mnemoscope.ui.theme import Theme, set_role, theme_notifier


class ApprovalCard(QFrame):
    """Hidden until `ask` is awaited; Deny is the default and what Esc means."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="bar-warning")
        self._waiting: asyncio.Future[Decision] | None = None
        self._turn = asyncio.Lock()
        self._heading = QLabel(self.tr("The assistant asks to run a command on this computer"), self)
        set_role(self._heading, role="heading")
        self._command = QLabel(self)
        self._command.setTextFormat(Qt.TextFormat.PlainText)
        self._command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._command.setWordWrap(True)
        self._folder = QLabel(self)
        self._folder.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._folder, role="caption")
        self._deny = self._button(self.tr("Deny"), "deny")
        self._once = self._button(self.tr("Run once"), "once")
        self._always = self._button(self.tr("Always this exact command"), "always")
        self._lay_out()
        self.hide()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Show the request and wait for the person; a request that is cancelled takes its card away."""
        async with self._turn:
            self._waiting = asyncio.get_running_loop().create_future()
            self._command.setText(shlex.join(request.argv))
            self._folder.setText(self.tr("in {folder}").format(folder=request.cwd))
            self.setAccessibleName(f"{self._heading.text()}: {self._command.text()}")
            self.show()
            self._deny.setFocus()
            try:
                return await self._waiting
            finally:
                self._waiting = None
                self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc denies."""
        if event.key() == Qt.Key.Key_Escape:
            self._decide("deny")
        else:
            super().keyPressEvent(event)

    def _decide(self, decision: Decision) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(decision)

    def _button(self, text: str, decision: Decision) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(lambda: self._decide(decision))
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._deny, self._once, self._always):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        for label in (self._heading, self._command, self._folder):
            column.addWidget(label)
        column.addLayout(buttons)

    def _restyle(self) -> None:
        self._command.setFont(Theme.current().font("code"))
