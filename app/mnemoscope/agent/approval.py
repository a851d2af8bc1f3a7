"""The person's word before a command runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

Decision = Literal["once", "always", "deny"]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A command a model wants to run: the exact arguments, and the folder it would run in.

    `session_key` is the conversation that asks; what was approved for always is approved in every conversation.
    """

    argv: tuple[str, ...]
    cwd: Path
    session_key: str = field(default="", compare=False)


class Approver(Protocol):
    """Whoever can ask the person."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        """`once`, `always` (this exact command in this folder, until the program ends), or `deny`."""
        ...


class DenyAll:
    """The answer where nobody can be asked."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Always `deny`."""
        return "deny"


class RememberedApprovals:
    """Asks, and does not ask again about a command that was approved for always."""

    def __init__(self, approver: Approver) -> None:
        self.approver = approver
        self._always: set[ApprovalRequest] = set()

    async def ask(self, request: ApprovalRequest) -> Decision:
        """As the approver decides, or `always` at once."""
        if request in self._always:
            return "always"
        decision = await self.approver.ask(request)
        if decision == "always":
            self._always.add(request)
        return decision


class ApproverSlot:
    """Asks whoever sits in `approver` at the moment; nobody, at first."""

    def __init__(self) -> None:
        self.approver: Approver = DenyAll()

    async def ask(self, request: ApprovalRequest) -> Decision:
        """As whoever sits there decides."""
        return await self.approver.ask(request)
