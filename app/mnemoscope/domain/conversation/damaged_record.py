"""A damaged record of a session file is read as far as it can be: its bytes are kept, its words may come back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

_CONTENT: Final = re.compile(r'"content"\s*:\s*"((?:[^"\\]|\\.)*)')
_ROLE: Final = re.compile(r'"role"\s*:\s*"(\w{1,20})"')
_CUT_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{0,3})?\Z")


@dataclass(frozen=True, slots=True)
class SalvagedRecord:
    """The `role` and `words` of a record as far as they can be read, each "" if they cannot."""

    role: str = ""
    words: str = ""


def salvage(data: bytes) -> SalvagedRecord:
    """Reads what is left of a record. Never raises; bytes that are no text become U+FFFD."""
    text = data.decode("utf-8", "replace")
    role, content = _ROLE.search(text), _CONTENT.search(text)
    return SalvagedRecord(role[1] if role else "", _unescaped(content[1]) if content else "")


def _unescaped(inner: str) -> str:
    """Returns the inside of a JSON string that may have been cut off anywhere."""
    whole = inner if _is_even(inner) else _CUT_ESCAPE.sub("", inner)
    try:
        return str(json.loads(f'"{whole}"', strict=False))
    except ValueError:
        return whole


def _is_even(inner: str) -> bool:
    """Returns whether the text does not end within an escape."""
    cut = _CUT_ESCAPE.search(inner)
    return cut is None or (len(inner[: cut.start() + 1]) - len(inner[: cut.start() + 1].rstrip("\\"))) % 2 == 0
