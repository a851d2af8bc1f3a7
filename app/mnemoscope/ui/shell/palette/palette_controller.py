"""Fills the command palette: with commands, conversations and folders, or with the headings of a memory file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.sessions.sessions_controller import SessionsController
from mnemoscope.ui.sessions.sessions_pane import listed_title
from mnemoscope.ui.shell.actions import Actions, native_keys
from mnemoscope.ui.shell.application_actions import ApplicationActions
from mnemoscope.ui.shell.palette import command_palette
from mnemoscope.ui.shell.palette.command_words import words_for
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Navigation
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.status_line import StatusLine


class PaletteController(QObject):
    """Opens the palette. Conversations are read from the disk: they are added to the list once it is shown."""

    def __init__(
        self,
        palette: LazyWidget[command_palette.CommandPalette],
        bench: Workbench,
        tasks: Tasks,
        *,
        actions: Actions,
        application: ApplicationActions,
        sessions: SessionsController,
        memory: MemoryPane,
        navigation: Navigation,
        status: StatusLine,
    ) -> None:
        super().__init__(memory)
        self._palette = palette
        self._bench = bench
        self._tasks = tasks
        self._actions = actions
        self._application = application
        self._sessions = sessions
        self._memory = memory
        self._navigation = navigation
        self._status = status

    def open(self) -> None:
        """Offers every command that is of use now, every conversation, and the folders opened before."""
        self._palette.widget.offer([*self._commands(), *self._folders()], are_more_to_come=True)
        self._tasks.spawn(self._add_conversations(), "palette")

    def open_outline(self) -> None:
        """Offers the headings of the memory file in front, to go to one."""
        if self._memory.in_past:
            return
        document = self._memory.current
        choices = [
            command_palette.Choice(
                "\u2003" * (heading.level - 1) + (heading.words or "#" * heading.level),
                self.tr("line {line}").format(line=heading.line + 1),
                partial(self._go_to_heading, document, heading.line),
            )
            for heading in document.editor.headings()
        ]
        if choices:
            self._palette.widget.offer(choices, asks=self.tr("Go to a heading"))
        else:
            self._status.show_remark(self.tr("This file has no headings."))

    async def _add_conversations(self) -> None:
        overviews = await self._bench.conversations.overviews()
        self._palette.widget.add(
            [
                command_palette.Choice(
                    listed_title(one),
                    self.tr("Conversation"),
                    partial(self._sessions.open, one.key),
                    "message-square",
                )
                for one in overviews
            ]
        )

    def _commands(self) -> list[command_palette.Choice]:
        unneeded = set() if self._bench.config.store.malformed else {"settings.set_aside"}
        return [
            command_palette.Choice(
                command.text.replace("&", ""),
                native_keys(self._actions.keys_of(command.id)),
                self._actions[command.id].trigger,
                command.icon,
                self._actions[command.id].isEnabled(),
                words_for(command.id),
            )
            for command in self._actions.commands()
            if command.id not in unneeded
        ]

    def _folders(self) -> list[command_palette.Choice]:
        return [
            command_palette.Choice(
                self.tr("Open {folder}").format(folder=root.name),
                str(root.parent),
                partial(self._open_folder, root),
                "folder",
            )
            for root in self._application.recent()
            if root != self._bench.workspace.root and root.is_dir()
        ]

    def _open_folder(self, root: Path) -> None:
        self._tasks.spawn(self._application.open_again(root), "open recent")

    def _go_to_heading(self, document: MemoryDocument, line: int) -> None:
        self._navigation.show_pane("memory")
        document.go_to_heading(line)
