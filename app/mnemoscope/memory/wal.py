"""The doors to capture under the names the seed gives them: `wal_scan` and `wal_write`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mnemoscope.domain.capture.scan import Capture, captures_in
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.capture.rules import default_rules


def wal_scan(text: str) -> list[Capture]:
    """What is worth keeping in a person's message, in order; `[]` for most of what people say."""
    return captures_in(text, default_rules())


def wal_write(entries: Sequence[Capture], workspace_dir: Path | str, user_id: str = "") -> None:
    """Keep them durably: each in SESSION-STATE.md, what lasts in MEMORY.md too, once. Raises StorageError."""
    MemoryStore(Path(workspace_dir)).captures.writer.write(entries, user_id)
