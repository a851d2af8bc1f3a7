"""One line of a session file: how a record is written, and what a line that was read can be.

Format: nanobot 0.1.4 and later, UTF-8 JSON lines with `json.dumps`' default separators and no ASCII escapes. A line
with `_type` is a record about the session (`metadata`, or one we do not know); every other line is a message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from mnemoscope.domain.conversation.message import DAMAGED_ROLE, DELETED, Message
from mnemoscope.store.files.atomic import encode_text
from mnemoscope.store.files.json_record import RecordDamaged, bare, decode_object, is_utf8
from mnemoscope.store.sessions.file_format.qanot_messages import message_of_qanot

TYPE_MARK: Final = b'"_type"'
DELETED_MARK: Final = f'"{DELETED}"'.encode()


def encode_record(record: Mapping[str, Any]) -> bytes:
    """Returns one line with its newline, as nanobot writes it. A value JSON does not know becomes its text."""
    return encode_text(json.dumps(record, ensure_ascii=False, default=str)) + b"\n"


def decode_message(line: bytes) -> Message:
    """Returns the message a line holds; it has a role. Raises RecordDamaged."""
    message = decode_object(line)
    if isinstance(message.get("role"), str):
        return message
    theirs = message_of_qanot(message)
    if theirs is None:
        raise RecordDamaged("has no role")
    return theirs


def session_record(line: bytes) -> dict[str, Any] | None:
    """Returns the record about the session (an object with `_type`), or None for a message, damaged or not."""
    if TYPE_MARK not in line:
        return None
    try:
        record = decode_object(line)
    except RecordDamaged:
        return None
    return record if "_type" in record else None


def plain_fault(line: bytes) -> str:
    """Returns what is wrong with a line at first sight, without decoding it; "" for a line that looks sound."""
    text = bare(line)
    if b"\0" in text:
        return "holds NUL bytes"
    if not text.startswith(b"{"):
        return "is no JSON object"
    if not text.endswith(b"}"):
        return "is cut off or no JSON object"
    return "" if is_utf8(text) else "is not valid UTF-8"


def placeholder(reason: str) -> Message:
    """Returns what stands in the conversation at the place of a line that cannot be read."""
    return {"role": DAMAGED_ROLE, "content": f"This record {reason}.", "timestamp": None}
