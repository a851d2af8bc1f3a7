"""Commands the person approved for always, at `.mnemoscope/approvals.json`, where no tool and no command can write.

Each entry is sealed with a key that is kept outside the workspace: a workspace that comes from somewhere else, with a
list of its own, approves nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.store.files.atomic import make_folder, read_at_most, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

log = logging.getLogger(__name__)

_SIZE_LIMIT: Final = 4_000_000
"""Bytes."""
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class KeptApproval:
    """Names one exact command. `digest`: of the program where it is a file of the workspace. `approved`: local time,
    ISO."""

    argv: tuple[str, ...]
    folder: str
    program: str
    digest: str
    approved: str


class ApprovalFile:
    """Reads and writes the list on the disk. Reading never raises; what cannot be read, or was not sealed here, is left
    out."""

    def __init__(self, path: Path, key: bytes, *, calls: FileCalls = REAL_CALLS) -> None:
        self.path = path
        self._key = key
        self._calls = calls

    def load(self) -> list[KeptApproval]:
        """Returns the approvals of this person on this computer."""
        return [_approval(entry) for entry in self._entries() if self._is_sealed(entry)]

    def save(self, approvals: list[KeptApproval]) -> None:
        """Replaces the list. Raises StorageError."""
        entries = [asdict(one) | {"seal": self._seal(asdict(one))} for one in approvals]
        make_folder(self.path.parent, calls=self._calls)
        replace_bytes(self.path, json.dumps(entries, indent=1).encode("ascii") + b"\n", calls=self._calls)

    def _entries(self) -> list[Any]:
        try:
            with self.path.open("rb") as file:
                entries = json.loads(read_at_most(file, _SIZE_LIMIT))
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError):
            log.warning("the list of approved commands could not be read: %s", self.path)
            return []
        return entries if isinstance(entries, list) else []

    def _is_sealed(self, entry: object) -> bool:
        if not isinstance(entry, dict) or set(entry) != {"argv", "folder", "program", "digest", "approved", "seal"}:
            return False
        argv, others = entry["argv"], [value for name, value in entry.items() if name != "argv"]
        if not isinstance(argv, list) or not all(isinstance(value, str) for value in (*argv, *others)):
            return False
        try:
            return hmac.compare_digest(entry["seal"].encode(), self._seal(entry).encode())
        except UnicodeEncodeError:
            return False

    def _seal(self, entry: dict[str, Any]) -> str:
        sealed = json.dumps(
            [list(entry["argv"]), *(entry[name] for name in ("folder", "program", "digest", "approved"))]
        )
        return hmac.new(self._key, sealed.encode("ascii"), hashlib.sha256).hexdigest()


def sealing_key(path: Path) -> bytes:
    """Returns the key at `path`, made where there is none; readable by the person alone. Raises OSError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
        path.unlink()  # cut short by a crash; nothing was sealed with it
        return sealing_key(path)
    with os.fdopen(descriptor, "wb") as file:
        key = secrets.token_bytes(_KEY_BYTES)
        file.write(key)
    return key


def _approval(entry: dict[str, Any]) -> KeptApproval:
    return KeptApproval(tuple(entry["argv"]), *(entry[name] for name in ("folder", "program", "digest", "approved")))
