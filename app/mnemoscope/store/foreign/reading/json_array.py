"""Reads a long JSON array one element at a time: an export of hundreds of megabytes is held once, as its bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from mnemoscope.domain.text.characters import BOM

_RAW: Final = msgspec.json.Decoder(list[msgspec.Raw])
_OBJECT: Final = msgspec.json.Decoder()
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)


def elements(data: bytes) -> tuple[list[bytes | msgspec.Raw], str]:
    """Returns the elements of an array as JSON, each undecoded, and a sentence on what could not be read, or "".

    Of an array that is cut off, or damaged somewhere, the elements are found by their braces. One object stands for
    an array of one.
    """
    data = data.removeprefix(BOM)
    try:
        return list(_RAW.decode(data)), ""
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    if data.lstrip()[:1] == b"{" and decoded_object(data) is not None:
        return [data], ""
    found: list[bytes | msgspec.Raw] = list(_by_braces(data))
    return found, "It is cut off or damaged; what could be found in it is shown."


def decoded_object(element: bytes | msgspec.Raw) -> dict[str, Any] | None:
    """Returns the object that an element is; None where it is none or cannot be read."""
    data = bytes(element)
    try:
        value: object = _OBJECT.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        value = _decoded_tolerantly(data)
    return value if isinstance(value, dict) else None


def _decoded_tolerantly(data: bytes) -> object:
    # Lone surrogates, NaN and control characters in strings, which the other reader refuses.
    try:
        value = json.loads(data.decode("utf-8", "replace"), strict=False)
        text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _by_braces(data: bytes) -> Iterator[bytes]:
    """Yields the whole objects that stand one level deep in an array, or beside each other."""
    depth, start, is_array = 0, 0, data.lstrip()[:1] == b"["
    outer = 1 if is_array else 0
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark in (b"{", b"["):
            if depth == outer and mark == b"{":
                start = token.start()
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
            if depth == outer and mark == b"}":
                yield data[start : token.end()]
            if depth < outer:
                return
