"""Drafts of the window, kept through the disk's thread; a disk that refuses never gets in the way of typing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.workspace.drafts import DraftStore

log = logging.getLogger(__name__)


class Drafts(QObject):
    """Keeps what is typed and not sent or saved, by name. Nothing is written in a read-only workspace."""

    kept = Signal(bool)
    """Whether the disk took the last draft; sent by the disk's thread."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._refused = False
        self._store = DraftStore(bench.workspace.paths.own.drafts_dir, calls=bench.calls)

    def save(self, name: str, draft: dict[str, Any]) -> None:
        """Keep a draft; returns at once."""
        if not self._bench.read_only:
            self._bench.disk.submit(self._guarded, self._store.save, name, draft)

    def forget(self, name: str) -> None:
        """Drop a draft; returns at once."""
        if not self._bench.read_only:
            self._bench.disk.submit(self._guarded, self._store.forget, name)

    async def load(self, name: str) -> dict[str, Any] | None:
        """Returns a draft of that name, or None; in a read-only workspace it would be another window's."""
        if self._bench.read_only:
            return None
        return await self._bench.disk.run(self._store.load, name)

    def _guarded(self, work: Callable[..., object], *arguments: object) -> None:
        refused = False
        try:
            self._bench.sessions.require_root()
            work(*arguments)
        except (MnemoscopeError, OSError) as error:
            refused = True
            if not self._refused:
                # Once: a full disk refuses at every rest of typing.
                log.warning("a draft could not be kept: %s", error)
        if refused != self._refused:
            self._refused = refused
            self.kept.emit(not refused)
