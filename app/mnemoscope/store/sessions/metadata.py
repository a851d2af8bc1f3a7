"""Reads and writes the metadata record of a session file, and says in a sentence what is wrong with one.

nanobot up to 0.3.0 reads `last_consolidated`; later versions prefer `last_archived`. `last_archived` goes first when a
record is read, and both are written with the same value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mnemoscope.domain.consolidation.planning import clamp_pointer
from mnemoscope.store.sessions.file_format.qanot_messages import is_qanots
from mnemoscope.store.sessions.file_format.session_index import SessionIndex
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.store.sessions.session import Session


@dataclass(frozen=True, slots=True)
class StatedMetadata:
    """Holds what a file's last metadata record states, made safe; None or {} where it says nothing usable."""

    created_at: datetime | None
    updated_at: datetime | None
    metadata: Mapping[str, Any]
    last_consolidated: int


def stated_metadata(index: SessionIndex) -> StatedMetadata:
    """Returns the metadata record that counts."""
    record = index.record or {}
    metadata = record.get("metadata")
    return StatedMetadata(
        created_at=parse_time(record.get("created_at")),
        updated_at=parse_time(record.get("updated_at")),
        metadata=metadata if isinstance(metadata, dict) else {},
        last_consolidated=clamp_pointer(_stated_pointer(record), index.count),
    )


def _stated_pointer(record: Mapping[str, Any]) -> object:
    """Returns the pointer as a record states it, unchecked."""
    return record["last_archived"] if "last_archived" in record else record.get("last_consolidated", 0)


def stated_key(record: Mapping[str, Any] | None) -> str:
    """Returns the key a record states, or ""."""
    key = record.get("key") if record else None
    return key if isinstance(key, str) else ""


def metadata_record(session: Session) -> dict[str, Any]:
    """Returns the record for the session as it is now; what another program added to the last record is kept."""
    file = session.messages.file
    base = (file.index.record if file else None) or {}
    record = {
        "_type": "metadata",
        "key": session.key,
        "created_at": session.created_at.isoformat(),
        "updated_at": session.updated_at.isoformat(),
        "metadata": session.metadata,
        "last_archived": session.last_consolidated,
        "last_consolidated": session.last_consolidated,
    }
    return record | {name: value for name, value in base.items() if name not in record}


def differs_from_known(record: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Returns whether a record says anything, but for the time of the last change, that the file does not."""
    return any(known.get(name) != value for name, value in record.items() if name != "updated_at")


def metadata_complaints(index: SessionIndex, key: str) -> list[str]:
    """Returns a sentence for each thing in the metadata that could not be followed."""
    if index.record is None and is_qanots(index.head):
        return []
    if index.record is None:
        return ["Its metadata is missing; the conversation is shown as not consolidated."] if index.line_count else []
    sentences = []
    if index.record_lines[0] != 1:
        sentences.append("Its metadata is not in the first line; the last metadata record counts.")
    if stated_key(index.record) not in ("", key):
        sentences.append(f"Its last metadata record names another conversation, “{stated_key(index.record)}”.")
    pointer = _stated_pointer(index.record)
    if isinstance(pointer, bool) or not isinstance(pointer, int):
        sentences.append("Its consolidation pointer is not a number; it counts as 0.")
    elif pointer < 0:
        sentences.append(f"Its consolidation pointer is negative ({_short(pointer)}); it counts as 0.")
    elif pointer > index.count:
        words = f"Its consolidation pointer ({_short(pointer)}) lies beyond its {index.count} messages"
        sentences.append(f"{words}; it counts as 0.")
    return sentences


def _short(number: int) -> str:
    return f"{number:,}" if abs(number) < 10**15 else "a very large number"
