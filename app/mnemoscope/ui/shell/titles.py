"""What the window says it has open: the folder, the model that answers, the way it remembers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemoscope.ui.shell.workspace_window import WorkspaceWindow


def show_names(window: WorkspaceWindow) -> None:
    """Name folder, model and memory profile where the window does, in its title too."""
    tr = window.tr
    workspace, settings = window.bench.workspace, window.bench.settings
    home = str(Path.home())
    where = str(workspace.root)
    short = f"~{where.removeprefix(home)}" if where.startswith(home) and len(where) < 40 else workspace.root.name
    window.window.header.show_workspace(short, where, read_only=window.bench.read_only)
    built_in = settings.model == "offline"
    window.window.header.show_model(tr("Built-in") if built_in else settings.model, built_in=built_in)
    window.window.setWindowTitle(f"{workspace.root.name} – Mnemoscope")
    profiles = {"two-layer": tr("two-layer memory"), "dream": tr("Dream memory"), "three-tier": tr("three tiers")}
    told = profiles.get(settings.profile, settings.profile)
    paused = settings.captures and settings.capture_paused
    window.window.status.show_profile(f"{told} · {tr('capture is paused')}" if paused else told)
    window.actions["capture.pause"].setChecked(settings.capture_paused)
