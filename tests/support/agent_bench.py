"""An agent loop over a real workspace folder, with the model replaced at its port and every event kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.prompt.session_state import SessionState
from mnemoscope.agent.tools.approval import ApprovalRequest, Approver
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.workspace.folder_trust import FolderTrust
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.bootstrap import Foundation, wire_loop, wire_toolbox, wire_whole_results, wire_workbench
from mnemoscope.domain.events import Event, EventBus, ReplyDelta
from mnemoscope.domain.llm import Embedder
from mnemoscope.domain.settings import Settings
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.search.recall import RecalledPassage, search_memory
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk, DiskThread, InlineDisk
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.disk_health import DiskHealth
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.trust_store import TrustStore
from mnemoscope.store.workspace.workspace import Workspace
from tests.support.scripted_memory import ScriptedMemory
from tests.support.scripted_provider import ScriptedProvider

Kind = TypeVar("Kind", bound=Event)
KEY = "desktop:test"


class Clock:
    """Moves one second at each look."""

    def __init__(self, start: datetime = datetime(2026, 11, 21, 9, 0, 0)) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Answers:
    """Stands for whoever is asked for approval, with the answers written down."""

    def __init__(self, *decisions: Any) -> None:
        self.decisions = list(decisions)
        self.asked: list[ApprovalRequest] = []

    async def ask(self, request: ApprovalRequest) -> Any:
        self.asked.append(request)
        return self.decisions.pop(0)


@dataclass
class Bench:
    """Holds a wired loop and what a test wants to look at."""

    root: Path
    provider: ScriptedProvider
    loop: AgentLoop
    sessions: SessionManager
    memory: Any
    toolbox: Toolbox
    bus: EventBus
    settings: list[Settings]
    context: ContextBuilder
    events: list[Event] = field(default_factory=list)

    def seen(self, kind: type[Kind]) -> list[Kind]:
        """Returns the events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def messages(self, key: str = KEY) -> Sequence[dict[str, Any]]:
        """Returns what a program started now would read from the disk."""
        session = SessionManager(self.root).load(key)
        return [] if session is None else list(session.messages)

    def change(self, **values: Any) -> None:
        """Changes settings from now on."""
        self.settings[0] = replace(self.settings[0], **values)


def make_bench(
    root: Path,
    *scripts: Any,
    approver: Approver | None = None,
    disk: Disk | None = None,
    clock: Callable[[], datetime] | None = None,
    provider: ScriptedProvider | None = None,
    memory: Any = None,
    real_memory: bool = False,
    read_only: bool = False,
    calls: FileCalls = REAL_CALLS,
    keys: Callable[[], Collection[str]] = frozenset,
    **settings: Any,
) -> Bench:
    """Wires a loop over `root`, made a workspace where it is none. `memory`: a scripted one, unless `real_memory`."""
    paths = WorkspacePaths(root)
    for folder in (paths.memory_dir, paths.sessions_dir, paths.own.folder):
        folder.mkdir(parents=True, exist_ok=True)
    disk, clock, bus = disk or InlineDisk(), clock or Clock(), EventBus()
    provider = provider or ScriptedProvider(*scripts)
    in_force = [replace(Settings(model="scripted"), **settings)]
    sessions = SessionManager(root, read_only=read_only, clock=clock, calls=calls)
    if real_memory:
        memory = MemoryStore(
            root, sessions=sessions, disk=disk, bus=bus, read_only=read_only, clock=clock, calls=calls, keys=keys
        )
    memory = memory or ScriptedMemory(root)

    async def found(query: str, limit: int, _asked_in: str) -> list[RecalledPassage]:
        return search_memory(paths, query)[:limit]

    async def change_settings(**values: Any) -> Settings:
        in_force[0] = replace(in_force[0], **values)
        return in_force[0]

    base = Foundation(paths, lambda: in_force[0], change_settings, bus, disk, calls, keys, clock, read_only)
    captures = memory.captures if real_memory else None
    state = SessionState(captures.active_states.text_of, base.settings) if captures else None
    context = ContextBuilder(root, state=state, settings=base.settings, discretion_by_key=sessions.discretion_of)
    toolbox = wire_toolbox(base, wire_whole_results(base), memory.editing, found, approver)
    loop = wire_loop(base, provider, sessions, memory, context, toolbox, captures=captures)
    bench = Bench(root, provider, loop, sessions, memory, toolbox, bus, in_force, context)
    bus.subscribe(bench.events.append)
    return bench


class SameKey(TombstoneKey):
    """Holds the key of one person: each process that opens their workspace has it."""

    def known(self) -> Iterator[bytes]:
        """Yields the key."""
        yield bytes(range(32))


def make_workbench(
    workspace: Workspace,
    provider: Any,
    *,
    disk: Disk | None = None,
    clock: Callable[[], datetime] | None = None,
    health: DiskHealth | None = None,
    calls: FileCalls = REAL_CALLS,
    embedder: Embedder | None = None,
    approver: Approver | None = None,
    trusted: bool = True,
    **settings: Any,
) -> tuple[Workbench, Bench]:
    """Wires all that is behind a window, with a model of the test's; the settings are config.json's but for these.

    `trusted`: whether the folder holds by the test's word, or waits until a person agrees to it."""
    store = SettingsStore(workspace.paths, read_only=workspace.read_only, calls=calls)
    store.settings = replace(store.load(), **{"model": "scripted", **settings})
    bus, disk = EventBus(), disk or DiskThread()
    whole = wire_workbench(
        workspace,
        store,
        provider,
        disk=disk,
        bus=bus,
        trust=FolderTrust(workspace.root, lambda: store.settings, TrustStore(), disk, bus, is_given=trusted),
        clock=clock or Clock(),
        health=health,
        calls=calls,
        embedder=embedder,
        approver=approver,
        tombstone_key=SameKey(),
    )
    inner = Bench(
        workspace.root,
        provider,
        whole.loop,
        whole.sessions,
        whole.memory,
        whole.toolbox,
        whole.bus,
        [store.settings],
        whole.loop.services.context,
    )
    whole.bus.subscribe(inner.events.append)
    return whole, inner


def kinds(bench: Bench) -> list[type[Event]]:
    """Returns the kinds of events in order, deltas in a row counted once."""
    names = [type(event) for event in bench.events]
    return [
        kind for place, kind in enumerate(names) if place == 0 or kind is not names[place - 1] or kind is not ReplyDelta
    ]


def contents(bench: Bench) -> list[tuple[str, Any]]:
    """Returns who said what, as it is stored."""
    return [(message["role"], message["content"]) for message in bench.messages()]
