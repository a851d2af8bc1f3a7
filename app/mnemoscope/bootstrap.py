"""The one place that knows every concrete class: plain constructor calls, no container."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import PlatformDirs

import mnemoscope.without_openssl  # noqa: F401 (first: for what it does)
from mnemoscope.agent.approver import ApproverSlot
from mnemoscope.agent.context import ContextBuilder
from mnemoscope.agent.loop import AgentLoop
from mnemoscope.agent.models import Models
from mnemoscope.agent.searching import Searching
from mnemoscope.agent.tools.toolbox import standard_tools
from mnemoscope.agent.workbench import Workbench, WorkbenchParts
from mnemoscope.domain.events import EventBus
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import THREE_TIER, Settings
from mnemoscope.llm.offline import OfflineProvider
from mnemoscope.llm.router import ModelRouter
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.approvals import ApprovalFile, sealing_key
from mnemoscope.store.calls import REAL_CALLS, FileCalls
from mnemoscope.store.config import SettingsStore
from mnemoscope.store.disk import DiskThread
from mnemoscope.store.disk_health import DiskHealth, WatchedCalls
from mnemoscope.store.keychain import Keychain
from mnemoscope.store.log_format import MaskedFormatter
from mnemoscope.store.memory_place import move_to_root
from mnemoscope.store.rolled_log import RolledLog
from mnemoscope.store.sessions import SessionManager
from mnemoscope.store.shipped import shipped
from mnemoscope.store.workspace import create_workspace, inspect_workspace, open_workspace
from mnemoscope.store.workspace_paths import WorkspacePaths
from mnemoscope.ui.shell.application import Ways, run
from mnemoscope.ui.shell.workspace_window import Core

if TYPE_CHECKING:
    from mnemoscope.llm.remote import LiteLLMProvider
    from mnemoscope.memory.recall import Hit

_DIRS = PlatformDirs("mnemoscope", appauthor=False)
_LOG_BYTES = 1_000_000


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

    async def change_settings(**values: Any) -> Settings:
        return await bench.change_settings(**values)

    workspace = open_workspace(root, read_only=read_only)
    bus, disk, health = EventBus(), DiskThread(), DiskHealth()
    calls = WatchedCalls(workspace.root, health, calls)
    settings = SettingsStore(workspace.paths, profile=workspace.report.profile, read_only=read_only, calls=calls)
    if settings.load().profile == THREE_TIER and not read_only and move_to_root(workspace.paths, calls=calls):
        workspace = replace(workspace, paths=WorkspacePaths.found(workspace.root))
    paths = workspace.paths
    keys, approver = keychain or Keychain(), ApproverSlot()
    built_in = offline or OfflineProvider(partial(_search_memory, paths))
    provider = ModelRouter(lambda: settings.settings, keys, offline=built_in, remote=remote, known=keys.secrets)
    search = Searching(
        paths, bus, read_only=read_only, calls=calls, embedder=provider, settings=lambda: settings.settings
    )
    sessions = SessionManager(root, read_only=read_only, calls=calls)
    memory = MemoryStore(
        root,
        sessions=sessions,
        disk=disk,
        bus=bus,
        read_only=read_only,
        calls=calls,
        keys=keys.secrets,
        zone=lambda: settings.settings.time_zone,
    )
    context = ContextBuilder(root)
    kept = ApprovalFile(paths.own.folder / "approvals.json", approvals_key, calls=calls) if approvals_key else None
    tools = standard_tools(
        root,
        memory=memory.editing,
        disk=disk,
        search=search.passages,
        approver=approver,
        settings=lambda: settings.settings,
        kept=kept,
    )
    loop = AgentLoop(
        paths=paths,
        provider=provider,
        sessions=sessions,
        memory=memory,
        context=context,
        tools=tools,
        settings=lambda: settings.settings,
        bus=bus,
        disk=disk,
        change_settings=change_settings,
        read_only=read_only,
        keys=keys.secrets,
        calls=calls,
        capturing=lambda: memory.capturing,
    )
    parts = WorkbenchParts(
        workspace, sessions, memory, context, tools, loop, settings, provider, bus, disk, health=health, search=search
    )
    bench = Workbench(parts)
    return Core(bench, Models(keys, lambda: settings.settings, provider.warm), approver)


def sample_workspace() -> Path:
    """The sample, copied to the person's data folder the first time."""
    root = Path(_DIRS.user_data_dir) / "sample"
    if inspect_workspace(root).kind in {"missing", "empty", "begun"}:
        create_workspace(root, template=shipped("workspace"))
    return root


def run_window(workspace: Path | None) -> int:
    """Open the window; returns the exit code when it is closed."""
    keys = Keychain()
    _start_log(Path(_DIRS.user_log_dir), keys)
    return run(sys.argv[:1], _ways(Path(_DIRS.user_config_dir), keychain=keys), workspace)


def run_tour(folder: Path, *, theme: str = "light") -> int:
    """Drive the real window through a story and leave pictures in `folder`; 1 if any scene fails."""
    from mnemoscope.ui.tour.story import tell

    return tell(folder, _ways, theme=theme)


def _ways(
    config: Path,
    sample: Path | None = None,
    offline: LLMProvider | None = None,
    calls: FileCalls = REAL_CALLS,
    keychain: Keychain | None = None,
) -> Ways:
    config.mkdir(parents=True, exist_ok=True)
    return Ways(
        partial(open_core, keychain=keychain, offline=offline, calls=calls, approvals_key=_approvals_key(config)),
        (lambda: sample) if sample else sample_workspace,
        config / "window.ini",
    )


def _search_memory(paths: WorkspacePaths, query: str, limit: int) -> list[Hit]:
    from mnemoscope.memory.recall import search_memory  # not before the built-in model looks something up

    return search_memory(paths, query, limit)


def _approvals_key(config: Path) -> bytes | None:
    try:
        return sealing_key(config / "approvals.key")
    except OSError as error:
        logging.getLogger(__name__).warning("approved commands will not be remembered: %s", error)
        return None


def _start_log(folder: Path, keys: Keychain) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = RolledLog(folder / "mnemoscope.log", _LOG_BYTES, kept=2)
    file.setFormatter(MaskedFormatter(keys.secrets))
    logging.basicConfig(level=logging.INFO, handlers=[file])
