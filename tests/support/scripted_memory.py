"""A memory store that consolidates when a test lets it, and MEMORY.md in the folder, written plainly."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemoscope.domain.consolidation.planning import Slice, plan_slice
from mnemoscope.memory.consolidation.consolidator import LastConsolidation, RunningConsolidation
from tests.support.scripted_provider import Gate


@dataclass(frozen=True)
class Text:
    text: str
    digest: str
    exists: bool = True
    merged: bool = False
    conflicts: tuple[Any, ...] = ()
    held: tuple[str, ...] = ()
    change_id: str = ""
    suggestion_id: str = ""


class ScriptedMemory:
    """Consolidates as a test says. `outcomes`: what the next consolidations do: True, False with a failure, or a Gate
    to wait at."""

    def __init__(self, root: Path, *outcomes: Any) -> None:
        self.file = root / "memory" / "MEMORY.md"
        self.outcomes = list(outcomes)
        self.failures: dict[str, str] = {}
        self.raw: tuple[Slice, ...] = ()
        """The messages of the next consolidations that stand in the history as they are."""
        self.calls: list[tuple[str, int, int]] = []
        self.saved: list[tuple[str, str | None, str]] = []
        self.running: dict[str, RunningConsolidation] = {}
        self.at_once = 0
        self.most_at_once = 0

    @property
    def editing(self) -> ScriptedMemory:
        """Writes itself."""
        return self

    def last_consolidation(self, session_key: str) -> LastConsolidation:
        return LastConsolidation(self.failures.get(session_key, ""), raw=self.raw)

    def running_consolidation(self, session_key: str) -> RunningConsolidation | None:
        return self.running.get(session_key)

    def finish_pending(self, session: Any = None) -> None:
        """Does nothing, as nothing is ever left unfinished here."""

    def read_text(self) -> Text:
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return Text("", "", exists=False)
        return Text(data.decode(), hashlib.sha256(data).hexdigest())

    async def save_text(self, text: str, based_on: str | None, origin: str = "editor", **_: Any) -> Text:
        self.saved.append((text, based_on, origin))
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(text)
        return self.read_text()

    async def consolidate(
        self, session: Any, provider: Any, model: str, *, archive_all: bool = False, memory_window: int = 50
    ) -> bool:
        part = plan_slice(len(session.messages), session.last_consolidated, memory_window, archive_all=archive_all)
        if part is None:
            return True
        self.calls.append((session.key, part.start, part.stop))
        self.running[session.key] = RunningConsolidation(part, 0.0)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._play(session, part.stop)
        finally:
            self.at_once -= 1
            self.running.pop(session.key, None)

    async def _play(self, session: Any, stop: int) -> bool:
        outcome = self.outcomes.pop(0) if self.outcomes else True
        if isinstance(outcome, Gate):
            outcome.reached.set()
            await outcome.open.wait()
            outcome = True
        if outcome:
            session.last_consolidated = stop
        else:
            self.failures[session.key] = "The model did not call save_memory."
        return bool(outcome)
