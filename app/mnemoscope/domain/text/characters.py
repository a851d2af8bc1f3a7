"""Some characters matter to more than one reader of a text: those nobody sees, apostrophes, line breaks, scripts.

Each set is a string, so that it is looked up with `in` and put between the brackets of a regular expression alike;
`SPACELESS` holds ranges and is for regular expressions alone.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final


def _range(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


BYTE_ORDER_MARK: Final = "\ufeff"
JOINERS: Final = "\u200c\u200d"
"""Invisible, and yet needed to write Persian, Hindi and many emoji."""
BIDI_MARKS: Final = "\u061c\u200e\u200f"
"""Marks of direction that Arabic and Hebrew are written with; they move nothing but what stands beside them."""
BIDI_CONTROLS: Final = _range(0x202A, 0x202E) + _range(0x2066, 0x2069)
"""Embeddings, overrides and isolates: they put other characters into another order than they have."""
INVISIBLE: Final = (
    "\u00ad\u180e\u200b"
    + JOINERS
    + BIDI_MARKS
    + BIDI_CONTROLS
    + _range(0x2060, 0x2065)
    + _range(0x206A, 0x206F)
    + "\ufeff"
)
"""Characters of which nothing is seen wherever they stand: soft hyphen, zero widths, joiners, marks of direction."""
BLANK_LETTERS: Final = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and signs by their category, and yet nothing is seen of them."""
PRESENTATION_SELECTORS: Final = "\ufe0e\ufe0f"
"""They stand behind a character to have it shown as text or as an emoji."""
LINE_BREAKS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Every character that some reader of a file takes for the end of a line."""
LINE_BREAK: Final = re.compile(f"\r\n|[{LINE_BREAKS}]")
APOSTROPHES: Final = "'\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02c8\u00b4\uff07"
"""People type these for an apostrophe; some are Uzbek letters that look like one. A backtick is one only within a
word."""
SPACELESS: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3"
    "\U00020000-\U0003ffff"
)
"""Scripts that put no spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese and, as its endings stick to
its words, Korean."""

_NOT_ASCII: Final = re.compile("[^\t -~]")
_UNASSIGNED_OR_UNSEEN: Final = re.compile(
    f"[{BLANK_LETTERS}"
    "\u034f\u180b-\u180f\u2065\ufe00-\ufe0d\ufdd0-\ufdef\ufff0-\ufff8\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""Characters that show nothing although Unicode counts them among letters, marks or what may be assigned one day."""
_JOINING: Final = re.compile("[\u0600-\u109f\u1780-\u18af\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc]")
_KEYCAP_BASES: Final = frozenset("0123456789#*")


def decoded(data: bytes) -> str:
    """Returns the text of a file: UTF-8, with U+FFFD for bytes that are none, and plain line ends."""
    return with_plain_line_ends(data.decode("utf-8", "replace"))


def with_plain_line_ends(text: str) -> str:
    """Returns a file's text without a byte order mark and with lines that end with `\\n`."""
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")


def without_format_characters(text: str, keep: str = "") -> str:
    """Returns the text without characters of Unicode's category Cf, but for those in `keep`."""
    if text.isascii():
        return text
    return "".join(char for char in text if char in keep or unicodedata.category(char) != "Cf")


def on_one_line(text: str) -> str:
    """Returns the words without line breaks, characters nobody sees, and blanks in a row."""
    seen = (" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text if _is_seen(char))
    return " ".join("".join(seen).split())


def has_hidden_characters(line: str) -> bool:
    """Returns whether a line has characters nobody sees, but for those that emoji, Persian or Indic words are written
    with."""
    return any(_is_hidden(line, found.start()) for found in _NOT_ASCII.finditer(line))


def _is_seen(char: str) -> bool:
    return char in JOINERS or unicodedata.category(char) not in ("Cf", "Cs", "Co")


def _is_hidden(line: str, place: int) -> bool:
    char, base = line[place], line[place - 1] if place else ""
    if char in JOINERS:
        return not (_is_joined(base) or (char == "\u200d" and _is_emoji(base, line[place + 1 : place + 2])))
    if char in PRESENTATION_SELECTORS:
        return not (_is_symbol(base) or (base in _KEYCAP_BASES and line[place + 1 : place + 2] == "\u20e3"))
    hidden = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    return _UNASSIGNED_OR_UNSEEN.match(char) is not None or unicodedata.category(char) in hidden


def _is_joined(base: str) -> bool:
    """Returns whether this is a letter or mark of Arabic and its kin, or of the scripts of India and its neighbours."""
    return _JOINING.match(base) is not None and unicodedata.category(base)[0] in "LM"


def _is_emoji(base: str, following: str) -> bool:
    return (_is_symbol(base) or base == "\ufe0f") and _is_symbol(following)


def _is_symbol(char: str) -> bool:
    """Returns whether this is a symbol; emoji that are newer than this Python are among them."""
    known = bool(char) and (unicodedata.category(char) in ("So", "Sm") or char in "\u203c\u2049\u3030\u2139")
    return (known and char != "\u2800") or "\U0001f000" <= char <= "\U0001fbff"
