"""Wires the core of one open workspace: the one place that knows every concrete class below the window.

`open_core` is where the program begins; `wire_workbench` and `wire_loop` are apart so that tests wire the same with a
model, a clock or a disk of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from mnemoscope.agent.commands.command_runner import ChangeSettings, CommandRunner
from mnemoscope.agent.commands.dream_commands import DreamCommands
from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.commits.time_travel import TimeTravel
from mnemoscope.agent.consolidation.background_consolidation import BackgroundConsolidation, ConsolidatingMemory
from mnemoscope.agent.consolidation.idle_compaction import IdleCompaction
from mnemoscope.agent.consolidation.prompt_usage import PromptUsageMeter
from mnemoscope.agent.dream.dream_runner import DreamServices
from mnemoscope.agent.dream.dreaming import Dreaming
from mnemoscope.agent.forgetting.forgetting import Forgetting
from mnemoscope.agent.health.memory_health import MemoryHealth
from mnemoscope.agent.health.weekly_check import WeeklyCheck
from mnemoscope.agent.importing.importer import Importer
from mnemoscope.agent.importing.imports import Imports, ImportWrites
from mnemoscope.agent.prompt.context_builder import ContextBuilder, PromptFrame
from mnemoscope.agent.prompt.prompt_guard import PromptGuard
from mnemoscope.agent.prompt.recent_history import RecentHistory
from mnemoscope.agent.prompt.sent_prompts import SentPrompts
from mnemoscope.agent.prompt.session_state import SessionState
from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.agent.tasks.spending import MeteredEmbedder, Purpose, Spending, metered
from mnemoscope.agent.tools.approval import Approver, ApproverSlot, DenyAll, RememberedApprovals
from mnemoscope.agent.tools.result_text import WholeResults
from mnemoscope.agent.tools.search_tool import MemorySearching
from mnemoscope.agent.tools.tool import LongTermMemory
from mnemoscope.agent.tools.toolbox import Toolbox, standard_tools
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.turn.capture_step import CaptureStep
from mnemoscope.agent.turn.conversation_writer import ConversationWriter
from mnemoscope.agent.turn.exchange_recorder import ExchangeRecorder
from mnemoscope.agent.turn.partial_replies import PartialReplies
from mnemoscope.agent.turn.turn import TurnServices
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
from mnemoscope.agent.workspace.workbench import Core, Workbench
from mnemoscope.agent.workspace.workspace_settings import WorkspaceSettings
from mnemoscope.domain.events import EventBus, SettingsChanged
from mnemoscope.domain.forgetting.forgotten_lines import Forgotten, nothing_forgotten
from mnemoscope.domain.llm import Embedder, LLMProvider
from mnemoscope.domain.secrets.detection import mask_known
from mnemoscope.domain.settings import DREAM, THREE_TIER, Settings
from mnemoscope.domain.trust import TrustedByCaller, TrustGate
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.llm.offline.provider import OfflineProvider
from mnemoscope.llm.remote import LiteLLMProvider, RequestLimits
from mnemoscope.llm.router import ModelRouter
from mnemoscope.memory.capture.captures import Captures
from mnemoscope.memory.context.context_records import ContextRecords
from mnemoscope.memory.context.daily_notes import DailyNotes
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.memory.search.inactive_lines import InactiveLines
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk, DiskThread
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.logs.prompt_log import PromptLog
from mnemoscope.store.memory.memory_file import move_to_root
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.approvals import ApprovalFile
from mnemoscope.store.workspace.disk_health import DiskHealth, WatchedCalls
from mnemoscope.store.workspace.import_records import ImportRecords
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.links_out import require_agreed_links
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.spending_file import SpendingFile
from mnemoscope.store.workspace.tool_results import ToolResultFiles
from mnemoscope.store.workspace.trust_store import TrustStore
from mnemoscope.store.workspace.workspace import Workspace, open_workspace
from mnemoscope.store.workspace.write_access import WriteAccess


def open_core(
    root: Path,
    read_only: bool = False,
    *,
    keychain: Keychain | None = None,
    remote: LiteLLMProvider | None = None,
    offline: LLMProvider | None = None,
    local: LocalEmbedder | None = None,
    calls: FileCalls = REAL_CALLS,
    limits: RequestLimits | None = None,
    approvals_key: bytes | None = None,
    trusted: bool | None = None,
    trust_folder: Path | None = None,
    key_folder: Path | None = None,
    outside: Sequence[Path] = (),
    agreed_links: str = "",
) -> Core:
    """Opens a workspace and wires everything behind it. Raises WorkspaceError or StorageError.

    `offline` takes the place of the built-in model, `local` of what embeds on this computer, `remote` of all others,
    `calls` of the system's file calls. `limits` say how long models are waited for. `approvals_key` seals the commands
    that are approved for always; without one they hold until the program ends. What the folder itself says of where
    words go holds only once a person agreed to it, which is kept in `trust_folder`, or else until the program ends.
    `trusted`: whether it holds by the word of whoever calls; where they leave that open, it does with a `remote` that
    they hand in. `key_folder`: of the person's own, for the key to what they had forgotten where there is no keychain;
    without either it lasts until the program ends. `outside`: the program's own folders and files beyond the workspace,
    which are searched for forgotten words too. `agreed_links`: the fingerprint of a LeadsOut, the links of which the
    person agreed to.
    """
    keychain = keychain or Keychain()
    trusts, is_given = TrustStore(trust_folder), remote is not None if trusted is None else trusted
    if not (read_only or is_given):
        require_agreed_links(root, trusts, agreed_links)
    workspace = open_workspace(root, read_only=read_only)
    health = DiskHealth()
    calls = WatchedCalls(workspace.root, health, calls)
    store = SettingsStore(workspace.paths, profile=workspace.report.profile, read_only=read_only, calls=calls)
    if store.load().profile == THREE_TIER and not read_only and move_to_root(workspace.paths, calls=calls):
        workspace = replace(workspace, paths=WorkspacePaths.found(workspace.root))
    built_in = offline or OfflineProvider()
    disk, bus = DiskThread(), EventBus()
    trust = FolderTrust(
        workspace.root,
        lambda: store.settings,
        trusts,
        disk,
        bus,
        is_given=is_given,
    )
    provider = ModelRouter(
        lambda: store.settings,
        keychain,
        trust=trust,
        offline=built_in,
        remote=remote,
        local=local,
        limits=limits,
        known=keychain.secrets,
    )
    approver = ApproverSlot()
    approved = workspace.paths.own.folder / "approvals.json"
    bench = wire_workbench(
        workspace,
        store,
        provider,
        disk=disk,
        bus=bus,
        trust=trust,
        health=health,
        calls=calls,
        keys=keychain.secrets,
        approver=approver,
        approval_file=ApprovalFile(approved, approvals_key, calls=calls) if approvals_key else None,
        embedder=provider,
        tombstone_key=TombstoneKey(keychain, key_folder),
        outside=outside,
    )
    return Core(bench, ModelChoices(keychain, provider), approver)


@dataclass(frozen=True, slots=True)
class Foundation:
    """Holds the things that all parts of one open workspace stand on."""

    paths: WorkspacePaths
    settings: Callable[[], Settings]
    change_settings: ChangeSettings
    bus: EventBus
    disk: Disk
    calls: FileCalls = REAL_CALLS
    keys: Callable[[], Collection[str]] = frozenset
    """The keys of the keychain, which are masked in whatever is kept but the person's own messages."""
    clock: Callable[[], datetime] = datetime.now
    read_only: bool = False
    trust: TrustGate = field(default_factory=TrustedByCaller)

    def masked(self, text: str) -> str:
        """Returns the text without keys of the keychain."""
        return mask_known(text, self.keys())

    def zone(self) -> str:
        """Returns the name of the person's time zone, "" for the system's."""
        return self.settings().time_zone


def wire_workbench(
    workspace: Workspace,
    store: SettingsStore,
    provider: LLMProvider,
    *,
    disk: Disk | None = None,
    bus: EventBus | None = None,
    trust: FolderTrust | None = None,
    health: DiskHealth | None = None,
    calls: FileCalls = REAL_CALLS,
    keys: Callable[[], Collection[str]] = frozenset,
    clock: Callable[[], datetime] = datetime.now,
    approver: Approver | None = None,
    approval_file: ApprovalFile | None = None,
    embedder: Embedder | None = None,
    tombstone_key: TombstoneKey | None = None,
    outside: Sequence[Path] = (),
) -> Workbench:
    """Wires everything behind the window over a workspace that is open.

    Without a `trust` the provider is the caller's own word; without a `tombstone_key` there is one for this run.
    """
    root, paths, read_only = workspace.root, workspace.paths, workspace.read_only
    bus, disk, health = bus or EventBus(), disk or DiskThread(), health or DiskHealth()
    trust = trust or FolderTrust(root, lambda: store.settings, TrustStore(), disk, bus, is_given=True)
    config = WorkspaceSettings(store, disk, bus, trust)
    settings = config.current
    base = Foundation(
        paths=paths,
        settings=settings,
        change_settings=config.change,
        bus=bus,
        disk=disk,
        calls=calls,
        keys=keys,
        clock=clock,
        read_only=read_only,
        trust=trust,
    )
    sessions = SessionManager(root, read_only=read_only, clock=clock, calls=calls)
    tombstones = Tombstones(paths.own.tombstones_file, tombstone_key or TombstoneKey(), calls=calls)
    memory = MemoryStore(
        root,
        sessions=sessions,
        disk=disk,
        bus=bus,
        read_only=read_only,
        clock=clock,
        calls=calls,
        keys=keys,
        zone=base.zone,
        tombstones=tombstones,
        outside=outside,
    )
    trust.follow(memory.editing.changes)
    _follow_profile(memory, settings, bus)
    file = SpendingFile(paths.own.spending_file, calls=calls)
    spending = Spending(file, settings, disk, bus, clock, read_only=read_only)
    exchanges = InactiveExchanges(paths, sessions.with_branch)
    search = SearchService(
        paths,
        bus,
        read_only=read_only,
        calls=calls,
        embedder=MeteredEmbedder(embedder, spending) if embedder is not None else None,
        settings=settings,
        trust=trust,
        is_forgotten=memory.files.is_forgotten,
        spent=lambda: spending.reached,
        inactive_lines=partial(disk.submit, InactiveLines(exchanges, memory.captures.active_states).of),
    )
    memory.rejected_meanings.use_model(search.local_meanings)
    whole_results = wire_whole_results(base)
    toolbox = wire_toolbox(
        base,
        whole_results,
        memory.editing,
        search.passages,
        approver,
        approval_file,
        forgotten=memory.files.forgotten_now,
    )
    context = ContextBuilder(
        root,
        RecentHistory(memory.dream, lambda: settings().profile == DREAM, memory.files.forgotten_now),
        state=SessionState(memory.captures.active_states.text_of, settings),
        settings=settings,
        frame=lambda: PromptFrame.of(settings(), provider, toolbox.schemas),
        discretion_by_key=sessions.discretion_of,
        forgotten=memory.files.forgotten_now,
    )
    time_travel = TimeTravel(root, sessions, memory, toolbox, provider, settings, disk)
    commits = MemoryCommits(paths, memory, bus, disk, time_travel, read_only=read_only)
    dreaming = Dreaming(
        DreamServices(
            memory=memory,
            commits=commits,
            provider=metered(provider, spending, Purpose.BACKGROUND),
            settings=settings,
            change_settings=config.change,
            bus=bus,
            disk=disk,
            clock=clock,
            trust=trust,
            spent=lambda: spending.reached,
            disk_refuses=lambda: health.trouble is not None,
            read_only=read_only,
        )
    )
    # A commit of Dream's is undone as the run it was: all of its files at once.
    commits.undo_runs_by(dreaming.undo_and_report)
    loop = wire_loop(
        base,
        provider,
        sessions,
        memory,
        context,
        toolbox,
        captures=memory.captures,
        spending=spending,
        dream_commands=DreamCommands(paths, memory, dreaming, commits, disk),
        paused=lambda: health.trouble is not None,
        forgotten=memory.files.forgotten_now,
    )
    access = WriteAccess(root, read_only)
    conversations = ConversationList(sessions, loop, bus, disk, access)
    forgetting = Forgetting(
        sessions=sessions, memory=memory, loop=loop, search=search, commits=commits, bus=bus, disk=disk, access=access
    )
    return Workbench(
        workspace=workspace,
        config=config,
        trust=trust,
        sessions=sessions,
        memory=memory,
        tombstones=tombstones,
        toolbox=toolbox,
        whole_results=whole_results,
        loop=loop,
        conversations=conversations,
        closed=ClosedConversations(SessionArchive(paths.archive_dir, paths.branches_dir), sessions, memory, disk),
        discretion=DiscretionSwitch(sessions, loop, bus, disk, access),
        prompts=PromptPreview(
            sessions=sessions,
            context=context,
            guard=loop.services.guard,
            sent=loop.services.sent,
            toolbox=toolbox,
            provider=provider,
            settings=settings,
            disk=disk,
            clock=clock,
        ),
        answer_receipts=AnswerReceipts(sessions, loop.services, commits, trust, spending, search.local_meanings),
        health=MemoryHealth(
            paths=workspace.paths,
            memory=memory,
            context=context,
            sent=loop.services.sent,
            sessions=sessions,
            commits=commits,
            disk=disk,
            clock=clock,
            meanings=search.local_meanings,
        ),
        timeline=TimelineReader(
            sessions=sessions,
            memory=memory,
            guard=loop.services.guard,
            consolidation=loop.consolidation,
            dreaming=dreaming,
            is_busy=loop.is_busy,
            settings=settings,
            disk=disk,
        ),
        commits=commits,
        dreaming=dreaming,
        search=search,
        external_changes=ExternalChanges(
            paths,
            sessions,
            memory,
            loop,
            bus=bus,
            disk=disk,
            opened=conversations.opened,
            reload_settings=config.reload,
            is_writing=lambda: loop.consolidation.is_running or dreaming.runner.is_running or forgetting.is_running,
            read_only=read_only,
        ),
        repairs=Repairs(
            workspace,
            sessions,
            memory,
            config,
            consolidation=loop.consolidation,
            bus=bus,
            disk=disk,
            health=health,
            calls=calls,
        ),
        abandoned=AbandonedMemoryReader(paths, sessions, memory, exchanges, disk),
        deletions=MessageDeletions(sessions, memory, loop, bus, disk),
        forgetting=forgetting,
        imports=Imports(
            Importer(
                sessions,
                memory.ledger,
                ImportRecords(paths, calls=calls),
                memory.read_long_term,
                on_disk=ImportWrites(disk),
                objection=memory.files.memory.changes.objection,
                rejections=memory.rejections,
                clock=clock,
            ),
            bus,
            disk,
            memory.rejected_meanings.compare,
        ),
        idle=IdleCompaction(loop.consolidation, loop.is_busy, bus, clock),
        weekly_check=WeeklyCheck(
            paths.own.memory_check_file,
            memory.editing.propose_disagreements,
            lambda: not loop.consolidation.paused(),
            settings,
            disk,
            clock,
            calls=calls,
        ),
        spending=spending,
        model_warmup=ModelWarmup(provider, settings, trust, bus),
        preemption=ConsolidationPreemption(loop, memory, settings, bus),
        provider=provider,
        bus=bus,
        disk=disk,
        clock=clock,
        calls=calls,
        keys=keys,
    )


def wire_loop(
    base: Foundation,
    provider: LLMProvider,
    sessions: SessionManager,
    memory: ConsolidatingMemory,
    context: ContextBuilder,
    toolbox: Toolbox,
    *,
    captures: Captures | None = None,
    spending: Spending | None = None,
    dream_commands: DreamCommands | None = None,
    paused: Callable[[], bool] = lambda: False,
    forgotten: Forgotten = nothing_forgotten,
) -> AgentLoop:
    """Wires what answers messages. `captures` is None where nothing is kept of what is said before it is answered,
    `spending` where nobody counts what answers cost; `forgotten` as in PromptGuard."""
    beside = provider
    if spending is not None:
        provider, beside = (metered(provider, spending, purpose) for purpose in Purpose)
    paths, settings, bus, disk, clock = base.paths, base.settings, base.bus, base.disk, base.clock
    notes = DailyNotes(paths, clock=clock, zone=base.zone, calls=base.calls, keys=base.keys)
    exchanges = InactiveExchanges(paths, sessions.with_branch)
    guard = PromptGuard(
        ContextRecords(paths, notes, partial(_state_of, captures), exchanges, calls=base.calls, keys=base.keys),
        provider=provider,
        settings=settings,
        bus=bus,
        disk=disk,
        masked=base.masked,
        forgotten=forgotten,
    )
    consolidation = BackgroundConsolidation(
        memory=memory,
        sessions=sessions,
        provider=beside,
        settings=settings,
        bus=bus,
        disk=disk,
        clock=clock,
        root=paths.root,
        trust=base.trust,
        usage=PromptUsageMeter(context, toolbox, provider, settings, disk),
        paused=paused,
        spent=(lambda: spending.reached) if spending is not None else lambda: "",
    )
    services = TurnServices(
        provider=provider,
        context=context,
        toolbox=toolbox,
        memory=memory.editing,
        writer=ConversationWriter(sessions, disk, bus, clock, base.masked),
        partials=PartialReplies(paths.own.drafts_dir, disk, calls=base.calls),
        settings=settings,
        bus=bus,
        disk=disk,
        clock=clock,
        guard=guard,
        sent=SentPrompts(PromptLog(paths.own.prompts_dir, calls=base.calls), disk, clock, base.masked),
        attachments=AttachmentStore(paths.attachments_dir, calls=base.calls),
    )
    return AgentLoop(
        sessions=sessions,
        services=services,
        capture=CaptureStep(captures, settings, bus),
        consolidation=consolidation,
        commands=CommandRunner(
            paths=paths,
            memory=memory.editing,
            consolidation=consolidation,
            settings=settings,
            change_settings=base.change_settings,
            disk=disk,
            exchanges=exchanges,
            dream=dream_commands,
        ),
        recorder=ExchangeRecorder(notes, guard, settings, bus, disk),
        trust=base.trust,
        read_only=base.read_only,
    )


def wire_toolbox(
    base: Foundation,
    whole_results: WholeResults,
    memory: LongTermMemory,
    search: MemorySearching,
    approver: Approver | None = None,
    approval_file: ApprovalFile | None = None,
    *,
    forgotten: Forgotten = nothing_forgotten,
) -> Toolbox:
    """Wires the six tools over a workspace. Without an approver no command runs. `forgotten` as in Toolbox."""
    approvals = RememberedApprovals(approver or DenyAll(), base.disk, approval_file)
    tools = standard_tools(
        base.paths.root,
        memory=memory,
        disk=base.disk,
        search=search,
        approvals=approvals,
        is_exec_enabled=lambda: base.settings().exec_enabled,
        forgotten=forgotten,
    )
    return Toolbox(tools, approvals, base.settings, whole_results, base.masked, trust=base.trust, forgotten=forgotten)


def wire_whole_results(base: Foundation) -> WholeResults:
    """Wires what keeps tool results whole that are cut for the conversation."""
    files = ToolResultFiles(base.paths.own.tool_results_dir, calls=base.calls)
    return WholeResults(files, base.paths, base.disk, base.clock)


def _state_of(captures: Captures | None, session_key: str) -> str:
    return "" if captures is None else captures.active_states.text_of(session_key)


def _follow_profile(memory: MemoryStore, settings: Callable[[], Settings], bus: EventBus) -> None:
    """Has conversations consolidated as the profile in force says, from the next one on."""

    def follow(_event: SettingsChanged | None = None) -> None:
        memory.strategies.use_journal(settings().profile == DREAM)

    bus.on(SettingsChanged, follow)
    follow()
