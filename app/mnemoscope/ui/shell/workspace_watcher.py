"""Watches the files of a workspace for what other programs do to them."""

from __future__ import annotations

import asyncio
from typing import Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.store.files.atomic import ROOT_GONE
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks

_SETTLE_MS: Final = 150
"""After a change more may come: they are looked at together."""
_AGAIN_MS: Final = 1_000


class WorkspaceWatcher(QObject):
    """Has the core look at the files soon after one of them changed.

    The system says nothing of a folder above the workspace that is moved. So while the workspace's folder is missed it
    is looked for every second, until it is there again.
    """

    def __init__(self, bench: Workbench, bridge: Bridge, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._bench = bench
        self._tasks = tasks
        self._is_closed = False
        self._look: asyncio.Task[None] | None = None
        """The last look for the folder."""
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(lambda: self._tasks.spawn(self.rescan(), "rescan"))
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._look_again)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(lambda _path: self._settle.start())
        self._watcher.fileChanged.connect(lambda _path: self._settle.start())
        for kind in (events.TurnFailed, events.Noticed):
            bridge.on(kind, lambda _event: self._look_for_folder())

    @property
    def is_settled(self) -> bool:
        """Returns whether everything on show is watched and no look at it is due."""
        known = {*self._watcher.files(), *self._watcher.directories()}
        wanted = {str(path) for path in self._bench.external_changes.places() if path.exists()}
        return wanted == known and not self._settle.isActive() and not self._again.isActive()

    def watch(self) -> None:
        """Watches what is on show and nothing else; a file that was replaced has to be watched anew."""
        wanted = self._bench.external_changes.places()
        known = {*self._watcher.files(), *self._watcher.directories()}
        if past := known.difference(map(str, wanted)):
            self._watcher.removePaths(list(past))
        fresh = [str(path) for path in wanted if path.exists() and str(path) not in known]
        if fresh:
            self._watcher.addPaths(fresh)
            # What changed before they were watched is found by a look.
            self._settle.start()

    async def rescan(self) -> None:
        """Looks for changes that other programs made."""
        self.watch()
        await self._bench.rescan_files()
        # What was found may have to be looked for elsewhere, as a folder that went.
        self.watch()
        self._look_for_folder()

    def on_not_saved(self, sentence: str) -> None:
        """Looks for the folder where this sentence, which says why something was not saved, names it as the reason."""
        if ROOT_GONE in sentence:
            self._miss_folder()

    def on_draft(self, kept: bool) -> None:
        """Looks for the folder where a draft was not kept: it may be what is missing, and nobody has noticed it yet."""
        if not kept:
            self._miss_folder()

    def close(self) -> None:
        """Watches the files no more."""
        self._is_closed = True
        self._watcher.blockSignals(True)
        self._settle.stop()
        self._again.stop()

    def _miss_folder(self) -> None:
        self._bench.external_changes.miss_folder()
        self._look_for_folder()

    def _look_for_folder(self) -> None:
        """Looks every second while the folder is missed, and soon after that was said first."""
        if self._is_closed or not self._bench.external_changes.is_folder_missed:
            self._again.stop()
        elif not self._again.isActive():
            self._again.start()
            self._settle.start()

    def _look_again(self) -> None:
        # A disk that does not answer is asked one question at a time.
        if self._look is None or self._look.done():
            self._look = self._tasks.spawn(self.rescan(), "look for the folder")
