"""A window that only reads: nothing in it asks to be written, it says why, and it keeps up with whoever writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.store.workspace.lock import OURS
from mnemoscope.store.workspace.workspace import Workspace, inspect_workspace
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.support.tasks import Tasks

_LOOK_MS: Final = 2_000
"""Between two looks at the files and at who owns them: not every file system tells of changes."""


def why_read_only(workspace: Workspace) -> str:
    """Returns why a workspace is only read: `in use` elsewhere, `unwritable`, `looking` by choice, or "" where it may
    be written."""
    if not workspace.read_only:
        return ""
    if workspace.report.in_use_by:
        return "in use"
    return "looking" if workspace.report.writable else "unwritable"


class ReadOnlyMode(QObject):
    """Is made for a window whose workspace may not be written; `open_to_write` is the way out."""

    def __init__(self, window: MainWindow, bench: Workbench, tasks: Tasks, open_to_write: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._bench = bench
        self._open_to_write = open_to_write
        self._why = why_read_only(bench.workspace)
        window.set_read_only()
        window.status.show_saved(
            self.tr("Nothing is written here"), self.tr("This window only reads: no file of the folder is changed.")
        )
        self._show_notice()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(lambda: tasks.spawn(self.look(), "look"))
        self._timer.start()

    async def look(self) -> None:
        """Takes in what was written meanwhile, and notices when the other window is closed."""
        await self._bench.rescan_files()
        if self._why == "in use":
            report = await self._bench.disk.run(inspect_workspace, self._bench.workspace.root)
            if not report.in_use_by:
                self._why = "free"
                self._show_notice()

    def _show_notice(self) -> None:
        sentences = {
            "in use": self._in_use(self._bench.workspace.report.in_use_by),
            "free": self.tr("The other window is closed. Here you are still only reading."),
            "looking": self.tr("You are only looking around: nothing in this folder is changed."),
            "unwritable": self.tr(
                "This folder cannot be written, so it is open for reading only. What is in it is safe; to write, make "
                "it writable or open another folder."
            ),
        }
        offers = self._why in {"free", "looking"}
        actions = [(self.tr("Open for writing"), self._open_to_write)] if offers else []
        noted = self._why in {"in use", "unwritable"}
        self._window.chat.show_standing_notice("reading", "info", sentences[self._why], actions, noted=noted)

    def _in_use(self, owner: str) -> str:
        if owner == OURS:
            whose = self.tr("This program has this workspace open for writing already.")
        else:
            whose = self.tr("Another Mnemoscope window ({owner}) has this workspace open.").format(owner=owner)
        rest = self.tr(
            "Nothing is written here, and what is saved there shows by itself. To write here, close it there."
        )
        return f"{whose} {rest}"
