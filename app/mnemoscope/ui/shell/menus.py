"""The menus of a window: its commands, the folders opened before, and the panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemoscope.ui.shell.recent_folders import RecentMenu
from mnemoscope.ui.shell.window_commands import menu_titles

if TYPE_CHECKING:
    from mnemoscope.ui.shell.workspace_window import WorkspaceWindow


def fill_menus(window: WorkspaceWindow) -> None:
    """Fill the menus; the commands are there already."""
    menus = window.actions.fill(window.window.menus, menu_titles(window))
    recent = RecentMenu(menus["file"], window.beyond.recent, window.bench.workspace.root, window.open_again)
    menus["file"].insertMenu(window.actions["workspace.create"], recent)
    shown = menus["view"].addMenu(window.tr("Panes shown"))
    for dock in window.window.inspector.docks.values():
        shown.addAction(dock.toggleViewAction())
