"""Decodes one line of JSON that another program wrote: quickly where it is sound, tolerantly where it nearly is."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from mnemoscope.domain.text.characters import BOM, BYTE_ORDER_MARK
from mnemoscope.store.files.atomic import encode_text

_JSON_SPACE: Final = b" \t\r"
_AROUND_DAMAGED: Final = f"{BYTE_ORDER_MARK} \t\r\0"
_DECODER: Final = msgspec.json.Decoder()


class RecordDamaged(ValueError):
    """A line that cannot be read as a record; the text says why, to follow “this record …”."""


def bare(line: bytes) -> bytes:
    """Returns the line without what JSON ignores around it and without a byte order mark."""
    return line.strip(_JSON_SPACE).removeprefix(BOM).strip(_JSON_SPACE)


def mended(line: bytes) -> bytes:
    """Returns the line without what damage leaves around it; a bad byte in it costs that byte, not the line."""
    return line.decode("utf-8", "replace").strip(_AROUND_DAMAGED).encode()


def is_utf8(text: bytes) -> bool:
    """Returns whether the bytes are text."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def decode_object(line: bytes) -> dict[str, Any]:
    """Returns the object a line holds. Raises RecordDamaged."""
    value = _decode(bare(line))
    if not isinstance(value, dict):
        raise RecordDamaged("is no JSON object")
    return value


def _decode(text: bytes) -> object:
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _decode_tolerantly(text)


def _decode_tolerantly(text: bytes) -> object:
    # json takes what other programs' files may hold and msgspec refuses: NaN, Infinity, lone surrogates.
    try:
        value = json.loads(text.decode("utf-8"))
        if b"\\ud" in text.lower():
            value = json.loads(encode_text(json.dumps(value, ensure_ascii=False)))
    except UnicodeDecodeError as error:
        raise RecordDamaged("is not valid UTF-8") from error
    except RecursionError as error:
        raise RecordDamaged("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise RecordDamaged("holds NUL bytes" if b"\0" in text else "is no valid JSON") from error
    except ValueError as error:
        raise RecordDamaged("holds a number that is too long") from error
    return value
