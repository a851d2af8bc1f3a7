"""Who is asked before a command runs: a place for whoever can ask the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from mnemoscope.agent.tools.approval import ApprovalRequest

Decision = Literal["once", "always", "deny"]


class Approver(Protocol):
    """Whoever can ask the person."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        """`once`, `always` (this exact command in this folder, until it is forgotten), or `deny`."""
        ...


class DenyAll:
    """The answer where nobody can be asked."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Always `deny`."""
        return "deny"


class ApproverSlot:
    """Asks whoever sits in `approver` at the moment; nobody, at first."""

    def __init__(self) -> None:
        self.approver: Approver = DenyAll()

    async def ask(self, request: ApprovalRequest) -> Decision:
        """As whoever sits there decides."""
        return await self.approver.ask(request)
