"""Quotes a command for a person to judge: invisible characters are escaped, right-to-left words are isolated."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Iterable
from typing import Final

from mnemoscope.domain.text.characters import BLANK_LETTERS

_SHORT: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e", "\\": "\\\\", "'": "\\'"}
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"


def shown_command(argv: Iterable[str]) -> str:
    """Returns the words as a shell would have to be given them: the same text always means the same bytes.

    A word with control, invisible or direction characters stands in $'…' with each of them as an escape. One with
    letters that run from right to left is kept from reordering its neighbours.
    """
    return " ".join(map(_shown_word, argv))


def _shown_word(word: str) -> str:
    quoted = f"$'{''.join(map(_escaped, word))}'" if any(map(_is_hidden, word)) else shlex.quote(word)
    if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in word):
        return f"{_ISOLATE}{quoted}{_END_ISOLATE}"
    return quoted


def _is_hidden(char: str) -> bool:
    return not char.isprintable() or char in BLANK_LETTERS


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if not _is_hidden(char):
        return char
    number = ord(char)
    if number < 0x80:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
