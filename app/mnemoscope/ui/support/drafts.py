"""Drafts of the window, kept through the disk's thread; a disk that refuses never gets in the way of typing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.conversation.discretion import Trace, is_temporary
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.workspace.draft_store import DraftStore

log = logging.getLogger(__name__)


class Drafts(QObject):
    """Keeps what is typed and not sent or saved, by name. Nothing is written in a read-only workspace, and those of
    discreet conversations stay in memory."""

    kept = Signal(bool)
    """Whether the disk took the last draft; sent by the disk's thread."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._refused = False
        self._waiting: dict[str, Callable[[], object]] = {}
        """Work that was refused, by the name of its draft, for when the disk takes it again; the disk's thread's."""
        self._in_memory: dict[str, dict[str, Any]] = {}
        """Those of discreet conversations, which are on no disk."""
        self._store = DraftStore(bench.workspace.paths.own.drafts_dir, calls=bench.calls)

    def save(self, name: str, draft: dict[str, Any]) -> None:
        """Keeps a draft; returns at once."""
        if not self._may_keep(name):
            if name not in self._in_memory:
                # What was typed while it was remembered goes as well.
                self._forget_on_disk(name)
            self._in_memory[name] = draft
        elif not self._bench.read_only:
            self._in_memory.pop(name, None)
            self._bench.disk.submit(self._guarded, name, partial(self._store.save, name, draft))

    def forget(self, name: str) -> None:
        """Drops a draft; returns at once."""
        self._in_memory.pop(name, None)
        self._forget_on_disk(name)

    def try_refused(self) -> None:
        """Does again what the disk refused; returns at once."""
        self._bench.disk.submit(self._try_refused)

    async def load(self, name: str) -> dict[str, Any] | None:
        """Returns a draft of that name, or None; in a read-only workspace it would be another window's."""
        if name in self._in_memory:
            return self._in_memory[name]
        if self._bench.read_only or is_temporary(_key_in(name)):
            return None
        return await self._bench.disk.run(self._store.load, name)

    def _may_keep(self, name: str) -> bool:
        """Returns whether a draft may lie on the disk: those of discreet conversations may not."""
        return self._bench.sessions.discretion_of(_key_in(name)).permits(Trace.DRAFTS)

    def _forget_on_disk(self, name: str) -> None:
        if not self._bench.read_only and not is_temporary(_key_in(name)):
            self._bench.disk.submit(self._guarded, name, partial(self._store.forget, name))

    def _try_refused(self) -> None:
        for name, work in list(self._waiting.items()):
            self._guarded(name, work)

    def _guarded(self, name: str, work: Callable[[], object]) -> None:
        refused = False
        try:
            self._bench.sessions.require_root()
            work()
            self._waiting.pop(name, None)
        except (MnemoscopeError, OSError) as error:
            refused = True
            self._waiting[name] = work
            if not self._refused:
                # Once: a full disk refuses at every rest of typing.
                log.warning("a draft could not be kept: %s", error)
        if refused != self._refused:
            self._refused = refused
            self.kept.emit(not refused)


def _key_in(name: str) -> str:
    """Returns the key of the conversation that a draft belongs to; of one that belongs to none, a key of none."""
    return name.partition(":")[2]


class DelayedSave(QObject):
    """Has a draft saved a moment after something was typed, so that a kill loses little of it."""

    def __init__(self, save: Callable[[], object], milliseconds: int, parent: QObject) -> None:
        super().__init__(parent)
        self._save = save
        self._timer = QTimer(self, singleShot=True, interval=milliseconds)
        self._timer.timeout.connect(save)

    def soon(self) -> None:
        """Saves in a moment, however long the typing goes on."""
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        """Saves at once."""
        self.cancel()
        self._save()

    def cancel(self) -> None:
        """Saves nothing of what was typed until now."""
        self._timer.stop()
