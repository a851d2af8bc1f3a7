"""What the command palette offers: commands, folders opened before, conversations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemoscope.ui.shell.command_palette import Choice
    from mnemoscope.ui.shell.workspace_window import WorkspaceWindow


def open_palette(window: WorkspaceWindow) -> None:
    """Offer every command that is of use now, and every conversation."""
    from mnemoscope.ui.shell.command_palette import Choice

    unneeded = set() if window.bench.settings_store.malformed else {"settings.set_aside"}
    commands = [
        Choice(
            command.text.replace("&", ""),
            window.actions[command.id].shortcut().toString(),
            window.actions[command.id].trigger,
            command.icon,
            window.actions[command.id].isEnabled(),
        )
        for command in window.actions.commands()
        if not command.id.startswith("edit.") and command.id not in unneeded
    ]
    window.tasks.spawn(_offer(window, commands), "palette")


async def _offer(window: WorkspaceWindow, commands: list[Choice]) -> None:
    from mnemoscope.ui.shell.command_palette import Choice

    tr = window.tr
    sessions = [
        Choice(one.title, tr("Conversation"), partial(window.sessions.open, one.key), "message-square")
        for one in await window.bench.conversations.overviews()
    ]
    folders = [
        Choice(
            tr("Open {folder}").format(folder=root.name),
            str(root.parent),
            partial(window.open_again, root),
            "folder",
        )
        for root in window.beyond.recent()
        if root != window.bench.workspace.root and root.is_dir()
    ]
    window.window.palette_sheet.offer([*commands, *folders, *sessions])
