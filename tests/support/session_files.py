"""Session files for tests: small conversations, hostile lines, and system calls that fail when told to."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from mnemoscope.store.files.calls import FileCalls

START = datetime(2026, 3, 6, 14, 20)
FAULTS = {"full": errno.ENOSPC, "broken": errno.EIO, "read-only": errno.EROFS}


class SteppingClock:
    """Goes on by one second at each look."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class FailingCalls(FileCalls):
    """Carries out calls until `fault` is set; then a write takes `taken` bytes and the next one fails."""

    def __init__(self) -> None:
        self.fault = ""
        self.taken = 0
        self.can_take_back = True
        self.writes = 0

    def write(self, descriptor: int, data: bytes) -> int:
        self.writes += 1
        if not self.fault:
            return super().write(descriptor, data)
        if self.taken:
            taken, self.taken = self.taken, 0
            return super().write(descriptor, data[:taken])
        raise OSError(FAULTS[self.fault], "the test says so")

    def truncate(self, descriptor: int, size: int) -> None:
        if self.fault and not self.can_take_back:
            raise OSError(errno.EIO, "the test says so")
        super().truncate(descriptor, size)


def message(number: int, words: str = "words") -> dict[str, Any]:
    """Returns message number `number` of a conversation in which person and model take turns."""
    when = (START + timedelta(minutes=number)).isoformat()
    return {"role": "assistant" if number % 2 else "user", "content": f"{words} {number}", "timestamp": when}


def metadata(key: str = "cli:direct", **fields: Any) -> dict[str, Any]:
    """Returns a metadata record of nanobot's."""
    stated = {"created_at": START.isoformat(), "updated_at": START.isoformat(), "metadata": {}, "last_consolidated": 0}
    return {"_type": "metadata", "key": key, **stated, **fields}


def line(record: Mapping[str, Any]) -> bytes:
    """Returns a record as nanobot writes it."""
    return (json.dumps(record, ensure_ascii=False) + "\n").encode()


def write_session(path: Path, records: Iterable[Mapping[str, Any] | bytes]) -> Path:
    """Returns a session file of these records; bytes are written as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(each if isinstance(each, bytes) else line(each) for each in records))
    return path
