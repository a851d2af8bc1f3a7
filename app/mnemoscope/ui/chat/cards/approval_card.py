"""The card that asks before a command runs: exactly what, and where."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.tools.approval import ApprovalRequest, Decision
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.notices.notice_bar import FocusReturn
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.text.scripts import isolated
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier


@dataclass(frozen=True, slots=True, eq=False)
class _PendingRequest:
    request: ApprovalRequest
    decision: asyncio.Future[Decision]


class ApprovalCard(QFrame):
    """Is hidden until `ask` is awaited; Deny is the default and what Esc means.

    A request is put where it can be judged: in its own conversation. In any other one the card only says who asks.
    `name_of` gives a conversation's name by its key.
    """

    conversation_requested = Signal(str)
    """The conversation that asks is to be shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, lambda: self._decide("deny"))
        set_role(self, role="bar-warning")
        self.name_of: Callable[[str], str] = lambda _key: ""
        self._pending: list[_PendingRequest] = []
        self._shown: _PendingRequest | None = None
        self._key = ""
        self._heading = plain_label(self, "heading")
        self._command = plain_label(self)
        self._command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._program = self._caption()
        self._folder = self._caption()
        self._lock = self._caption()
        self._presses = SinglePress(self)
        self._deny = self._button(self.tr("Deny"), "deny")
        self._once = self._button(self.tr("Run once"), "once")
        self._always = self._button(self.tr("Always this exact command"), "always")
        self._go = QPushButton(self.tr("Show the conversation"), self)
        self._go.clicked.connect(self._show_asking_conversation)
        self._lay_out()
        self._keyboard = FocusReturn(self)
        self.hide()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Shows the request and waits for the person; a request that is cancelled takes its card away."""
        pending = _PendingRequest(request, asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        self._show_next()
        if self._shown is pending:
            self._deny.setFocus()
        try:
            return await pending.decision
        finally:
            self._pending.remove(pending)
            self._show_next()

    def asking_in(self, key: str) -> list[Sequence[str]]:
        """Returns the commands that wait for an answer in a conversation."""
        return [one.request.argv for one in self._pending if one.request.session_key == key]

    def show_conversation(self, key: str) -> None:
        """Shows the request of the conversation that was opened, or a line that names the one that has a request."""
        self._key = key
        self._show_next()

    def _show_next(self) -> None:
        before = self._shown
        self._shown = next((one for one in self._pending if one.request.session_key in {"", self._key}), None)
        if self._shown is None:
            self._keyboard.give_back()
        elif self._shown is not before and self._keyboard.is_here:
            # The key that let one command run says nothing of the next.
            self._deny.setFocus()
        if self._shown is not None:
            self._show_request(self._shown.request)
        elif self._pending:
            words = self.tr("“{name}” asks to run a command on this computer")
            self._heading.setText(words.format(name=self._name(self._pending[0].request)))
        for widget in (self._command, self._folder, self._deny, self._once, self._always):
            widget.setVisible(self._shown is not None)
        for line in (self._program, self._lock):
            line.setVisible(self._shown is not None and bool(line.text()))
        self._go.setVisible(self._shown is None)
        self.setAccessibleName(
            f"{self._heading.text()}: {self._command.text()}" if self._shown else self._heading.text()
        )
        self.setVisible(bool(self._pending))

    def _show_request(self, request: ApprovalRequest) -> None:
        self._heading.setText(self.tr("The assistant asks to run a command on this computer"))
        self._command.setText(request.command_shown)
        self._program.setText(self._words_on_program(request))
        where = self.tr("in {folder}").format(folder=request.folder_shown)
        asked_in = self.tr("asked in “{name}”").format(name=self._name(request))
        self._folder.setText(f"{where} · {asked_in}" if request.session_key else where)
        self._lock.setText(
            self.tr("Reaches nothing outside the workspace, and no network ({confinement})").format(
                confinement=request.confinement
            )
            if request.confinement
            else ""
        )

    def _words_on_program(self, request: ApprovalRequest) -> str:
        if request.is_from_workspace:
            return self.tr("Runs {program}, a file of this workspace: look at it first").format(
                program=request.program_shown or request.command_shown
            )
        return self.tr("Runs {program}").format(program=request.program_shown) if request.program_shown else ""

    def _name(self, request: ApprovalRequest) -> str:
        return isolated(self.name_of(request.session_key) or self.tr("New conversation"))

    def _show_asking_conversation(self) -> None:
        if self._pending:
            self.conversation_requested.emit(self._pending[0].request.session_key)

    def _decide(self, decision: Decision) -> None:
        if self._shown is not None and not self._shown.decision.done():
            self._shown.decision.set_result(decision)

    def _caption(self) -> ElidedLabel:
        label = ElidedLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        set_role(label, role="caption")
        return label

    def _button(self, text: str, decision: Decision) -> QPushButton:
        button = QPushButton(text, self)
        self._presses.connect_button(button, lambda: self._decide(decision))
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._deny, self._once, self._always, self._go):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        for label in (self._heading, self._command, self._program, self._folder, self._lock):
            column.addWidget(label)
        column.addLayout(buttons)

    def _restyle(self) -> None:
        self._command.setFont(Theme.current().font("code"))
