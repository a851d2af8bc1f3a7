"""Reads and replaces a small file of one JSON object that may be lost: what cannot be read counts as empty."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mnemoscope.store.files.atomic import make_folder, open_to_read, read_at_most, replace_bytes
from mnemoscope.store.files.calls import FileCalls

log = logging.getLogger(__name__)
_SIZE_LIMIT: Final = 100_000
"""In bytes."""


def read_json_object(path: Path, *, limit: int = _SIZE_LIMIT) -> dict[str, Any]:
    """Returns the object, empty where the file is missing, cannot be read, is longer than `limit` bytes, or holds
    something else. Never raises."""
    try:
        with open_to_read(path) as file:
            kept = json.loads(read_at_most(file, limit))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        log.warning("%s could not be read", path)
        return {}
    return kept if isinstance(kept, dict) else {}


def replace_json_object(path: Path, values: Mapping[str, Any], *, calls: FileCalls) -> None:
    """Puts an object in place of the file, all or nothing. Raises StorageError."""
    make_folder(path.parent, calls=calls)
    text = json.dumps(values, ensure_ascii=False, indent=1)
    replace_bytes(path, text.encode("utf-8", "replace") + b"\n", calls=calls)
