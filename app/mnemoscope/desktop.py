"""Starts the desktop application: the window or the tour, with the folders, the log and the keys of this person."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.spelling.enchant import system_dictionaries
from mnemoscope.store.workspace.approvals import sealing_key
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.program_folders import ProgramFolders, runtime_folder
from mnemoscope.store.workspace.program_log import program_log
from mnemoscope.store.workspace.workspace import create_workspace, inspect_workspace
from mnemoscope.ui.shell.application import ApplicationSetup, run


def _sample_workspace() -> Path:
    """Returns the sample, copied to the person's data folder the first time."""
    root = ProgramFolders.of_this_person().sample
    if inspect_workspace(root).kind in {"missing", "empty", "begun"}:
        create_workspace(root, template=shipped("workspace"))
    return root


def run_window(workspace: Path | None, *, read_only: bool = False) -> int:
    """Opens the window, or has the one that has the workspace open come to the front; returns the exit code."""
    keys, folders = Keychain(), ProgramFolders.of_this_person()
    _start_log(folders, keys)
    return run(
        sys.argv[:1],
        _setup(
            folders.config,
            keychain=keys,
            trust_folder=folders.trusted,
            key_folder=folders.state,
            outside=folders.beyond_workspaces,
            runtime=runtime_folder(),
        ),
        workspace,
        read_only=read_only,
    )


def run_tour(folder: Path, *, theme: str = "light", is_wide_only: bool = False) -> int:
    """Drives the real window through a story and leaves pictures in `folder`, none of the small window if
    `is_wide_only`; returns 1 if any scene fails."""
    from mnemoscope.ui.tour.story import run_tour  # Qt's library for tests comes with it

    return run_tour(folder, _setup, theme=theme, is_wide_only=is_wide_only)


def _setup(
    config: Path,
    sample: Path | None = None,
    offline: LLMProvider | None = None,
    calls: FileCalls = REAL_CALLS,
    keychain: Keychain | None = None,
    trust_folder: Path | None = None,
    key_folder: Path | None = None,
    outside: Sequence[Path] = (),
    runtime: Path | None = None,
) -> ApplicationSetup:
    config.mkdir(parents=True, exist_ok=True)
    return ApplicationSetup(
        partial(
            open_core,
            keychain=keychain,
            offline=offline,
            calls=calls,
            approvals_key=_approvals_key(config),
            trust_folder=trust_folder,
            key_folder=key_folder,
            outside=outside,
        ),
        (lambda: sample) if sample else _sample_workspace,
        config / "window.ini",
        system_dictionaries,
        runtime,
    )


def _approvals_key(config: Path) -> bytes | None:
    try:
        return sealing_key(config / "approvals.key")
    except OSError as error:
        logging.getLogger(__name__).warning("approved commands will not be remembered: %s", error)
        return None


def _start_log(folders: ProgramFolders, keys: Keychain) -> None:
    folders.log.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, handlers=[program_log(folders.log_file, keys.secrets)])
