"""Wires the core of one open workspace: the one place that knows every concrete class below the window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.agent.tools.approval import ApproverSlot
from mnemoscope.agent.tools.toolbox import Toolbox, standard_tools
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.workspace.model_choice import Models
from mnemoscope.agent.workspace.workbench import Core, Workbench, WorkbenchParts
from mnemoscope.domain.events import EventBus
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import THREE_TIER, Settings
from mnemoscope.llm.offline import OfflineProvider
from mnemoscope.llm.router import ModelRouter
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk, DiskThread
from mnemoscope.store.memory.memory_file import move_to_root
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.approvals import ApprovalFile
from mnemoscope.store.workspace.disk_health import DiskHealth, WatchedCalls
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from mnemoscope.llm.remote import LiteLLMProvider
    from mnemoscope.memory.search.recall import Hit


def open_core(
    root: Path,
    read_only: bool = False,
    *,
    keychain: Keychain | None = None,
    remote: LiteLLMProvider | None = None,
    offline: LLMProvider | None = None,
    calls: FileCalls = REAL_CALLS,
    approvals_key: bytes | None = None,
) -> Core:
    """Open a workspace and wire everything behind it. Raises WorkspaceError or StorageError.

    `offline` takes the place of the built-in model, `remote` of all others, `calls` of the system's file calls.
    `approvals_key` seals the commands that are approved for always; without one they hold until the program ends.
    """
    ground = _opened(root, keychain or Keychain(), calls, read_only=read_only)
    built_in = offline or OfflineProvider(partial(_search_memory, ground.paths))
    provider = ModelRouter(ground.in_force, ground.keys, offline=built_in, remote=remote, known=ground.keys.secrets)
    search = SearchService(
        ground.paths,
        ground.bus,
        read_only=read_only,
        calls=ground.calls,
        embedder=provider,
        settings=ground.in_force,
    )
    sessions = SessionManager(root, read_only=read_only, calls=ground.calls)
    memory = _memory(ground, sessions)
    context, approver = ContextBuilder(root), ApproverSlot()
    tools = _tools(ground, memory, search, approver, approvals_key)
    loop = _loop(ground, provider, sessions, memory, context, tools)
    bench = Workbench(
        WorkbenchParts(
            ground.workspace,
            sessions,
            memory,
            context,
            tools,
            loop,
            ground.settings,
            provider,
            ground.bus,
            ground.disk,
            health=ground.health,
            search=search,
        )
    )
    return Core(bench, Models(ground.keys, ground.in_force, provider.warm), approver)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all parts of one open workspace stand on."""

    root: Path
    workspace: Workspace
    settings: SettingsStore
    keys: Keychain
    health: DiskHealth
    calls: FileCalls
    bus: EventBus
    disk: Disk

    @property
    def paths(self) -> WorkspacePaths:
        """Where its files are."""
        return self.workspace.paths

    @property
    def read_only(self) -> bool:
        """Whether nothing may be written."""
        return self.workspace.read_only

    def in_force(self) -> Settings:
        """The settings as they are now."""
        return self.settings.settings


def _opened(root: Path, keys: Keychain, calls: FileCalls, *, read_only: bool) -> _Ground:
    workspace = open_workspace(root, read_only=read_only)
    bus, disk, health = EventBus(), DiskThread(), DiskHealth()
    calls = WatchedCalls(workspace.root, health, calls)
    settings = SettingsStore(workspace.paths, profile=workspace.report.profile, read_only=read_only, calls=calls)
    if settings.load().profile == THREE_TIER and not read_only and move_to_root(workspace.paths, calls=calls):
        workspace = replace(workspace, paths=WorkspacePaths.found(workspace.root))
    return _Ground(root, workspace, settings, keys, health, calls, bus, disk)


def _memory(ground: _Ground, sessions: SessionManager) -> MemoryStore:
    return MemoryStore(
        ground.root,
        sessions=sessions,
        disk=ground.disk,
        bus=ground.bus,
        read_only=ground.read_only,
        calls=ground.calls,
        keys=ground.keys.secrets,
        zone=lambda: ground.in_force().time_zone,
    )


def _tools(
    ground: _Ground, memory: MemoryStore, search: SearchService, approver: ApproverSlot, approvals_key: bytes | None
) -> Toolbox:
    file = ground.paths.own.folder / "approvals.json"
    return standard_tools(
        ground.root,
        memory=memory.editing,
        disk=ground.disk,
        search=search.passages,
        approver=approver,
        settings=ground.in_force,
        kept=ApprovalFile(file, approvals_key, calls=ground.calls) if approvals_key else None,
    )


def _loop(
    ground: _Ground,
    provider: LLMProvider,
    sessions: SessionManager,
    memory: MemoryStore,
    context: ContextBuilder,
    tools: Toolbox,
) -> AgentLoop:
    return AgentLoop(
        paths=ground.paths,
        provider=provider,
        sessions=sessions,
        memory=memory,
        context=context,
        tools=tools,
        settings=ground.in_force,
        bus=ground.bus,
        disk=ground.disk,
        read_only=ground.read_only,
        keys=ground.keys.secrets,
        calls=ground.calls,
        capturing=lambda: memory.captures,
    )


def _search_memory(paths: WorkspacePaths, query: str, limit: int) -> list[Hit]:
    from mnemoscope.memory.search.recall import search_memory  # not before the built-in model looks something up

    return search_memory(paths, query, limit)
