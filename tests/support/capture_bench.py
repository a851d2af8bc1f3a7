"""Captures in a workspace of its own, for tests (fixture `kept`)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.domain.capture.file_changes import SECTION
from mnemoscope.domain.events import Event, EventBus
from mnemoscope.memory.capture.capture_writer import CaptureOutcome, PersonMessage
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager

KEY = "desktop:a"
BEGAN = "2026-03-01T09:00:00"
MEMORY = "# Memory\n\n- The server is in Paris\n\n## Later\n\n- mine\n"
SAID = "I prefer tea. No, the server is in Berlin, not Paris."
AFTER = (
    "# Memory\n\n- ~~The server is in Paris~~ (until 2026-03-01)\n\n## Later\n\n- mine\n\n"
    f"{SECTION}\n\n- **preference**: I prefer tea\n- **correction**: the server is in Berlin\n"
)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 10, 0)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Kept:
    """Holds a workspace with a conversation, and what was announced of it."""

    def __init__(
        self,
        root: Path,
        *,
        memory: str | None = MEMORY,
        calls: FileCalls = REAL_CALLS,
        keys: Collection[str] = (),
        read_only: bool = False,
    ) -> None:
        self.root, self.events = root, list[Event]()
        bus = EventBus()
        bus.subscribe(self.events.append)
        for folder in ("memory", "sessions", ".mnemoscope"):
            (root / folder).mkdir(exist_ok=True, parents=True)
        if memory is not None and not self.memory_file.exists():
            self.memory_file.write_text(memory, encoding="utf-8")
        manager = SessionManager(root)
        session = manager.get_or_create(KEY)
        if not len(session.messages):
            session.add_message("user", "Hello")
            manager.save(session)
        self.store = MemoryStore(
            root, bus=bus, clock=Clock(), calls=calls, keys=lambda: frozenset(keys), read_only=read_only
        )
        if not read_only:
            self.store.editing.read_text()

    @property
    def memory_file(self) -> Path:
        return self.root / "memory" / "MEMORY.md"

    @property
    def memory(self) -> str:
        return self.memory_file.read_text(encoding="utf-8")

    @property
    def state(self) -> list[str]:
        """Returns the lines of SESSION-STATE.md without their times."""
        file = self.root / "SESSION-STATE.md"
        rows = file.read_text(encoding="utf-8").split("\n") if file.exists() else []
        return [row.partition("] ")[2] for row in rows if row.startswith("- [")]

    async def say(self, text: str, index: int = 0, *, paused: bool = False, **more: object) -> CaptureOutcome:
        said = PersonMessage(KEY, BEGAN, index, text, **more)  # type: ignore[arg-type]
        return await self.store.captures.capture(said, paused=paused)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)
