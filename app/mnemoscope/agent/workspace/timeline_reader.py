"""Reads what the timeline draws beside the messages of a conversation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mnemoscope.agent.consolidation.background_consolidation import BackgroundConsolidation
from mnemoscope.agent.consolidation.prompt_usage import ContextUse
from mnemoscope.agent.dream.dreaming import Dreaming
from mnemoscope.agent.prompt.prompt_guard import PromptGuard
from mnemoscope.agent.prompt.sent_messages import viewed_history
from mnemoscope.domain.context.compaction import Compaction
from mnemoscope.domain.conversation.discretion import Discretion, Trace
from mnemoscope.domain.conversation.history_selection import HistorySelection, selection_during_turn
from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import SuggestionStates
from mnemoscope.domain.settings import Settings
from mnemoscope.memory.consolidation.consolidator import RunningConsolidation
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager


@dataclass(frozen=True, slots=True)
class TimelineFacts:
    """Holds what the timeline draws beside the messages: consolidations, the selection sent, the pointer, the window.

    `context`: in the dream profile, how full the prompt is; a consolidation comes when that is full, not the window.
    """

    records: list[ConsolidationRecord]
    selection: HistorySelection
    pointer: int
    window: int
    context: ContextUse | None = None
    reach: DreamReadIndex | None = None
    """In the dream profile, which entries Dream has read."""
    consolidates: bool = True
    """Whether messages are ever consolidated by themselves."""
    discretion: Discretion = Discretion.REMEMBERED
    """The discretion of the conversation: how much of it is kept."""
    suggestions: SuggestionStates = field(default_factory=SuggestionStates)
    """The suggestions that wait, and how the others were settled, in the whole workspace."""
    running: RunningConsolidation | None = None
    """The consolidation that a model is asked for."""
    tried_again_at: int = 0
    """From how many messages on it is tried again by itself; 0 for at the next."""


class TimelineReader:
    """Reads for the timeline of one workspace."""

    def __init__(
        self,
        *,
        sessions: SessionManager,
        memory: MemoryStore,
        guard: PromptGuard,
        consolidation: BackgroundConsolidation,
        dreaming: Dreaming,
        is_busy: Callable[[str], bool],
        settings: Callable[[], Settings],
        disk: Disk,
    ) -> None:
        self._sessions = sessions
        self._memory = memory
        self._guard = guard
        self._consolidation = consolidation
        self._dreaming = dreaming
        self._is_busy = is_busy
        self._settings = settings
        self._disk = disk

    async def facts(self, key: str) -> TimelineFacts:
        """Returns what the timeline shows beside the messages."""
        session = await self._disk.run(self._sessions.get_or_create, key)
        return TimelineFacts(
            records=await self._disk.run(self._memory.records, session),
            selection=self._selection(session, await self._guard.compaction_in(session)),
            pointer=session.last_consolidated,
            window=self._settings().memory_window,
            context=await self._consolidation.context_use(session),
            reach=await self._dreaming.reach(),
            consolidates=self._consolidation.consolidates and session.discretion.permits(Trace.CONSOLIDATION),
            discretion=session.discretion,
            suggestions=await self.suggestions(),
            running=self._memory.running_consolidation(key),
            tried_again_at=self._consolidation.tried_again_at(session),
        )

    async def suggestions(self) -> SuggestionStates:
        """Returns which suggestions wait, and how the others were settled."""
        return await self._disk.run(self._memory.ledger.suggestion_states)

    def selection(self, session: Session) -> HistorySelection:
        """Returns which messages of a conversation are sent, as far as is known without a look at the disk."""
        is_guarded = self._settings().guards_context or not session.discretion.permits(Trace.CONSOLIDATION)
        return self._selection(session, self._guard.known_compaction(session) if is_guarded else None)

    def _selection(self, session: Session, compaction: Compaction | None) -> HistorySelection:
        selection = viewed_history(session.messages, session.last_consolidated, None, compaction)
        return selection_during_turn(selection, session.messages) if self._is_busy(session.key) else selection
