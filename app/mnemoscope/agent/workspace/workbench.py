"""One open workspace as the window uses it: its parts, how it opens, and how it closes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.consolidation.idle_compaction import IdleCompaction
from mnemoscope.agent.dream.dreaming import Dreaming
from mnemoscope.agent.forgetting.forgetting import Forgetting
from mnemoscope.agent.health.memory_health import MemoryHealth
from mnemoscope.agent.health.weekly_check import WeeklyCheck
from mnemoscope.agent.importing.imports import Imports
from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.agent.tasks.spending import Spending
from mnemoscope.agent.tools.approval import ApproverSlot
from mnemoscope.agent.tools.result_text import WholeResults
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.workspace.abandoned_memory import AbandonedMemoryReader
from mnemoscope.agent.workspace.answer_receipts import AnswerReceipts
from mnemoscope.agent.workspace.closed_conversations import ClosedConversations
from mnemoscope.agent.workspace.consolidation_preemption import ConsolidationPreemption
from mnemoscope.agent.workspace.conversation_list import ConversationList
from mnemoscope.agent.workspace.discretion_switch import DiscretionSwitch
from mnemoscope.agent.workspace.external_changes import ExternalChanges
from mnemoscope.agent.workspace.folder_trust import FolderTrust
from mnemoscope.agent.workspace.message_deletions import MessageDeletions
from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.agent.workspace.model_warmup import ModelWarmup
from mnemoscope.agent.workspace.prompt_preview import PromptPreview
from mnemoscope.agent.workspace.repairs import Repairs
from mnemoscope.agent.workspace.timeline_reader import TimelineReader
from mnemoscope.agent.workspace.workspace_settings import WorkspaceSettings
from mnemoscope.domain.events import AnswerRecovered, EventBus, Noticed
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.llm.destination import shares_server
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.nanobot_home import home_sentence, nanobot_home, unclaimed_home
from mnemoscope.store.workspace.workspace import Workspace

WorkBeside = Literal["", "consolidation", "Dream"]


@dataclass(eq=False, slots=True)
class Workbench:
    """Holds the parts of one open workspace. Plain async calls go in, events come out on `bus`.

    No view reads the disk or calls a model: whatever blocks goes through `disk`.
    """

    workspace: Workspace
    config: WorkspaceSettings
    trust: FolderTrust
    """Tells which parts of the folder the person agreed to: nothing goes out before they do."""
    sessions: SessionManager
    memory: MemoryStore
    toolbox: Toolbox
    whole_results: WholeResults
    loop: AgentLoop
    conversations: ConversationList
    closed: ClosedConversations
    discretion: DiscretionSwitch
    tombstones: Tombstones
    prompts: PromptPreview
    answer_receipts: AnswerReceipts
    health: MemoryHealth
    timeline: TimelineReader
    commits: MemoryCommits
    dreaming: Dreaming
    search: SearchService
    external_changes: ExternalChanges
    repairs: Repairs
    idle: IdleCompaction
    weekly_check: WeeklyCheck
    spending: Spending
    model_warmup: ModelWarmup
    preemption: ConsolidationPreemption
    abandoned: AbandonedMemoryReader
    deletions: MessageDeletions
    forgetting: Forgetting
    imports: Imports
    provider: LLMProvider
    bus: EventBus
    disk: Disk
    clock: Callable[[], datetime]
    calls: FileCalls
    """The file calls of this workspace, for whatever else is kept in it."""
    keys: Callable[[], Collection[str]]
    """The keys of the keychain: to be asked about before they are sent, since what the person sends is kept."""

    @property
    def settings(self) -> Settings:
        """Returns the settings in force."""
        return self.config.current()

    @property
    def read_only(self) -> bool:
        """Tells whether nothing may be written."""
        return self.workspace.read_only

    def work_beside(self, model: str) -> WorkBeside:
        """Returns what has the server of `model` at work now, if it is one of a person's own."""
        settings = self.settings
        if self.memory.being_consolidated() and shares_server(model, settings.model_in_background, settings.api_base):
            return "consolidation"
        if self.dreaming.runner.is_running and shares_server(model, settings.model_of_dream, settings.api_base):
            return "Dream"
        return ""

    async def stop_work_beside(self, model: str) -> None:
        """Ends that work; what was not committed of it is dropped, and done later."""
        if self.work_beside(model) == "consolidation":
            for key in self.memory.being_consolidated():
                await self.loop.stop_consolidation(key)
        elif self.work_beside(model):
            self.dreaming.runner.stop()

    async def recover(self) -> None:
        """Finishes what a crash interrupted, after opening, and says so. Read-only workspaces are left as they are."""
        await self.repairs.begin()
        await self.spending.load()
        await self.trust.look()
        store = self.config.store
        if store.complaints:
            aside = "settings.set_aside" if store.malformed and not self.read_only else ""
            # One notice: a window shows only a few at a time.
            self.bus.publish(Noticed("warning", "\n".join(store.complaints), action=aside, stays=True))
        if not self.read_only:
            await self.disk.run(self.sessions.health.mend_ends)
            await self.disk.run(self.sessions.tidy)
            await self.repairs.recover_memory()
            for key in await self.loop.services.partials.recover(self.sessions, self.loop.writer):
                self.bus.publish(AnswerRecovered(key))
        if said := await self.disk.run(self._nanobot_sentence):
            self.bus.publish(Noticed("info", said))
        if said := await self.disk.run(self.tombstones.problem):
            self.bus.publish(Noticed("warning", said, stays=True))
        await self.rescan_files()
        await self.commits.catch_up()
        await self.dreaming.start()
        if not self.read_only:
            self.model_warmup.start()
            self.weekly_check.start()

    def _nanobot_sentence(self) -> str:
        """Returns a sentence where nanobot keeps conversations of this workspace elsewhere; "" where it does not."""
        root = self.workspace.root
        home = nanobot_home(root)
        if home is not None:
            return home_sentence(home)
        return unclaimed_home(root)

    async def rescan_files(self) -> None:
        """Looks for changes of other programs and announces them. Cheap if nothing changed; never raises."""
        await self.external_changes.rescan()
        await self.trust.look()
        self.search.look()

    async def close(self, seconds: float = 3.0) -> None:
        """Stops what runs and keeps what has arrived, then gives the workspace back."""
        try:
            await self.loop.drain(seconds)
            await self.forgetting.close()
            await self.repairs.close()
            await self.idle.close(seconds)
            await self.weekly_check.close(seconds)
            await self.dreaming.close(seconds)
            await self.commits.close(seconds)
            await self.model_warmup.close()
            self.preemption.close()
            await self.external_changes.close()
            self.trust.close()
            await self.search.close()
            await self.provider.aclose()
        finally:
            # Whatever a provider does, or where time is up: what is queued is written, and another window may have the
            # workspace.
            self.disk.close()
            self.workspace.close()


@dataclass(frozen=True, slots=True)
class Core:
    """Holds one open workspace as the window is given it."""

    bench: Workbench
    models: ModelChoices
    approver: ApproverSlot
