"""The person's approval before a command runs, and the commands they approved for always."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from mnemoscope.agent.tools.command_quoting import shown_command
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.approvals import ApprovalFile, KeptApproval

Decision = Literal["once", "always", "deny"]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """Describes a command a model wants to run, with all that a person has to see to judge it.

    `program` is the absolute path the first word was found at, `digest` its content's where it is a file of the
    workspace, `confinement` what it is locked into; it gets no network. `session_key` is the conversation that asks;
    what was approved for always is approved in every conversation.
    """

    argv: tuple[str, ...]
    cwd: Path
    session_key: str = field(default="", compare=False)
    program: str = ""
    digest: str = ""
    confinement: str = field(default="", compare=False)

    @property
    def fingerprint(self) -> str:
        """Returns what an approval is bound to: the exact arguments, the folder, and the program that runs."""
        return _fingerprint(self.argv, str(self.cwd), self.program, self.digest)

    @property
    def command_shown(self) -> str:
        """Returns the arguments, quoted; nothing in them is invisible."""
        return shown_command(self.argv)

    @property
    def folder_shown(self) -> str:
        """Returns the folder, quoted in the same way."""
        return shown_command([str(self.cwd)])

    @property
    def program_shown(self) -> str:
        """Returns the program's path, quoted in the same way; "" where it is what the first word says."""
        return shown_command([self.program]) if self.program not in {"", self.argv[0]} else ""

    @property
    def is_from_workspace(self) -> bool:
        """Returns whether the program is a file of the workspace, which a model may have written."""
        return bool(self.digest)


class Approver(Protocol):
    """Asks the person whether a command may run. The window implements this protocol."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Returns `once`, `always` (this exact command in this folder, until it is forgotten), or `deny`."""
        ...


class DenyAll:
    """Denies every command; used where there is no window."""

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Returns `deny`."""
        return "deny"


class ApproverSlot:
    """Hands requests to the window, once it is open. Until then every command is denied."""

    def __init__(self) -> None:
        self._approver: Approver = DenyAll()

    def fill(self, approver: Approver) -> None:
        """Has requests decided by this approver from now on."""
        self._approver = approver

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Returns what the window's approver decides."""
        return await self._approver.ask(request)


class RememberedApprovals:
    """Asks the person, except about commands that they approved for always.

    `file` keeps them; without one they hold until the program ends.
    """

    def __init__(
        self,
        approver: Approver,
        disk: Disk,
        file: ApprovalFile | None = None,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.approver = approver
        self._disk = disk
        self._file = file
        self._clock = clock
        self._kept: list[KeptApproval] | None = None if file else []

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Returns what the approver decides, or `always` at once. Raises StorageError if `always` cannot be kept."""
        if any(_fingerprint_of(one) == request.fingerprint for one in await self.kept()):
            return "always"
        decision = await self.approver.ask(request)
        if decision == "always":
            approved = self._clock().isoformat(timespec="seconds")
            new = KeptApproval(request.argv, str(request.cwd), request.program, request.digest, approved)
            await self._keep([*await self.kept(), new])
        return decision

    async def kept(self) -> tuple[KeptApproval, ...]:
        """Returns what was approved for always, oldest first."""
        if self._kept is None and self._file:
            self._kept = await self._disk.run(self._file.load)
        return tuple(self._kept or ())

    async def forget(self, approval: KeptApproval) -> None:
        """Has this command asked about again. Raises StorageError; then it is still approved."""
        await self._keep([one for one in await self.kept() if one != approval])

    async def _keep(self, approvals: list[KeptApproval]) -> None:
        if self._file:
            await self._disk.run(self._file.save, approvals)
        self._kept = approvals


def _fingerprint_of(approval: KeptApproval) -> str:
    return _fingerprint(approval.argv, approval.folder, approval.program, approval.digest)


def _fingerprint(argv: tuple[str, ...], folder: str, program: str, digest: str) -> str:
    # As a list of texts in ASCII: no two commands have the same form.
    return hashlib.sha256(json.dumps([list(argv), folder, program, digest]).encode("ascii")).hexdigest()
