"""Takes in what programs outside propose: each proposal in the inbox becomes a suggestion that waits for the person.

The suggestion has the proposal's id and is on the disk before the proposal leaves the inbox, so a crash between the two
takes nothing in twice. Nothing here writes a memory file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.outside_proposal import (
    MOST_OF_A_CALLER,
    MOST_PROPOSALS,
    OutsideProposal,
    with_proposal,
)
from mnemoscope.domain.review.memory_review import review
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess


@dataclass(frozen=True, slots=True)
class IntakeCount:
    """Counts what a look into the inbox brought: proposals that wait now, and files that were put aside."""

    suggestions: int = 0
    put_aside: int = 0


class ProposalIntake:
    """Empties the inbox of a workspace that this process owns. Its methods block on the disk."""

    def __init__(
        self,
        paths: WorkspacePaths,
        inbox: ProposalInbox,
        files: MemoryFiles,
        ledger: Ledger,
        access: WriteAccess,
        *,
        keys: Callable[[], Collection[str]] = frozenset,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        """`keys`: those that are masked in what is proposed."""
        self._paths = paths
        self._inbox = inbox
        self._files = files
        self._ledger = ledger
        self._access = access
        self._keys = keys
        self._clock = clock

    def texts(self) -> list[tuple[str, str]]:
        """Returns, for each proposal that lies in the inbox, what memory says and would say with it; what it says may
        be compared with rejected facts first. Raises WorkspaceReadOnly or StorageError."""
        self._access.require()
        found = [each for each in self._inbox.look().proposals if not self._ledger.knows_suggestion(each.id)]
        before = self._files.memory.read().text if found else ""
        return [(before, with_proposal(before, each)) for each in found]

    def take_in(self) -> IntakeCount:
        """Has what lies in the inbox wait for the person, as far as there is room, and puts strays into the quarantine.

        What there is no room for stays where it is. Raises WorkspaceReadOnly or StorageError; what was not done yet is
        done by the next call.
        """
        self._access.require()
        with suppress(StorageError):
            # A disk that is full has no room for a folder. What lies in one that is there is taken in all the same.
            self._inbox.prepare()
            self._inbox.tidy(self._clock().timestamp())
        found = self._inbox.look()
        if found.strays:
            self._inbox.move_strays(found.strays, self._paths.own.quarantine_dir)
        waiting = Counter(each.claimed_by for each in self._ledger.suggestions() if each.claimed_by)
        taken = 0
        for proposal in found.proposals:
            if self._ledger.knows_suggestion(proposal.id):
                self._inbox.remove(proposal.id)
            elif waiting[proposal.caller] < MOST_OF_A_CALLER and waiting.total() < MOST_PROPOSALS:
                if self._hold(proposal):
                    waiting[proposal.caller] += 1
                    taken += 1
                self._inbox.remove(proposal.id)
        return IntakeCount(taken, len(found.strays))

    def _hold(self, proposal: OutsideProposal) -> bool:
        """Has a proposal wait; returns False where memory says all of it already."""
        writer = self._files.memory
        before = writer.read().text
        judged = review(before, with_proposal(before, proposal), known=self._keys())
        judged = writer.checked(before, judged, self._clock().date())
        if judged.text == before:
            return False
        asks = f"Another program proposes it through MCP; it says it is “{proposal.caller}”."
        origin = MemoryOrigin("mcp", proposal.when, detail=proposal.caller)
        writer.suggest(before, judged.text, (asks, *judged.reasons), origin, known_as=proposal.id)
        return True
