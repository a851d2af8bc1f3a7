"""A text is read as somebody would who decodes it, so that words are found in a code too, and every place of such a
reading leads back to the text as it stands.

Decoded are the escapes of JSON, percent codes, the entities of HTML, base64, and what `compressed_streams` unpacks,
each also within the other. Characters that nobody sees are left out, and those that Unicode keeps for compatibility,
such as full widths and ligatures, are plain letters.
"""

from __future__ import annotations

import binascii
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from html import unescape
from typing import Final, NamedTuple

from mnemoscope.domain.forgetting.compressed_streams import UnpackingBounds, streams
from mnemoscope.domain.text.characters import APOSTROPHES, BLANK_LETTERS, INVISIBLE

_MOST_ROUNDS: Final = 4
"""The most rounds in which one text is decoded: a code may stand within a code, as JSON does in JSON."""
_SIGNS: Final = "\\%&"
"""Signs that a code begins with."""
_CODE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[nrt\"'/\\]"
    r"|%[0-7][0-9a-fA-F]|%[c-dC-D][0-9a-fA-F]%[89abAB][0-9a-fA-F]|%[eE][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){2}"
    r"|%[fF][0-4](?:%[89abAB][0-9a-fA-F]){3}"
    r"|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ANY_UNSEEN: Final = re.compile(
    f"[{INVISIBLE}{BLANK_LETTERS}\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0000-\U000e01ff]"
)
_BLOCKS: Final = (
    (0xA0, 0x17F), (0x1C4, 0x1F5), (0x2B0, 0x2FF), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x1D2C, 0x1DBF), (0x1E9A, 0x1E9B), (0x2000, 0x218F), (0x2460, 0x24FF),
    (0x2800, 0x2800), (0x2E80, 0x2FDF), (0x3000, 0x303F), (0x3130, 0x33FF), (0xF900, 0xFFEF), (0x1D400, 0x1D7FF),
    (0x1F100, 0x1F2FF), (0x2F800, 0x2FA1F), (0xE0000, 0xE01FF),
)  # fmt: skip
"""The first and the last of blocks of Unicode that have characters of compatibility, or such as nobody sees."""
_IN_OTHER_CASE: Final = {"ß": "ss", "ẞ": "ss", "İ": "i"}
"""Letters that are others, or several, in the other case."""
_BASE64: Final = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?=[a-z+/_-]*[A-Z0-9])[A-Za-z0-9+/_-]{12,}"
    r"(?:[ \t]*\r?\n[ \t>]*[A-Za-z0-9+/_-]{2,}(?=[\s=]|\Z))*"
)
"""A word of one case without figures is none: what somebody says has others in base64."""
_BETWEEN: Final = re.compile(r"[\s>]+")
_MOST_LAYERS: Final = 8
"""The most layers of base64 or compression, one within the other, that are taken off."""
_OF_ADDRESSES: Final = str.maketrans("-_", "+/")


class _Step(NamedTuple):
    """Describes a piece of a text that reads otherwise: its place in the reading and its place in the text."""

    start: int
    stop: int
    source_start: int
    source_stop: int


@dataclass(frozen=True, slots=True)
class DecodedReading:
    """Describes one reading of a text: its steps of each round of decoding, the first round first. `whole`: the place
    in the text that all of it is from, where its parts have none of their own: it may begin and end within a word
    then."""

    text: str
    rounds: tuple[tuple[_Step, ...], ...] = ()
    whole: tuple[int, int] | None = None

    def in_source(self, start: int, stop: int) -> tuple[int, int]:
        """Returns where [start, stop) of the reading, which is not empty, stands in the text, in characters."""
        if self.whole is not None:
            return self.whole
        for steps in reversed(self.rounds):
            start, stop = _before(steps, start)[0], _before(steps, stop - 1)[1]
        return start, stop


def readings(text: str, may_have: Callable[[bytes], bool]) -> Iterator[DecodedReading]:
    """Yields each reading of a text that is not the text as it stands. `may_have`: whether bytes in which more than a
    text is coded have to be looked at."""
    bounds = UnpackingBounds()
    yield from _in_base64(DecodedReading(text), may_have, bounds)
    found = list(_decoded(text, ""))
    yield from found
    if found:
        yield from _in_base64(found[-1], may_have, bounds)
    if any(_ANY_UNSEEN.search(each) for each in (text, *(reading.text for reading in found))):
        # A character that nobody sees may stand between two words, too.
        yield from _decoded(text, " ")


def plain_characters(text: str) -> str:
    """Returns a text without the characters that nobody sees, and with plain ones in place of those of
    compatibility."""
    return text if text.isascii() else text.translate(_plain())


def _decoded(text: str, blank: str) -> Iterator[DecodedReading]:
    """Yields the text after each round of decoding, with `blank` in place of what nobody sees."""
    last = DecodedReading(text)
    for _ in range(_MOST_ROUNDS):
        fresh, steps = _round(last.text, blank)
        if not steps:
            return
        last = DecodedReading(fresh, (*last.rounds, tuple(steps)))
        yield last


def _round(text: str, blank: str) -> tuple[str, list[_Step]]:
    pieces: list[str] = []
    steps: list[_Step] = []
    end = size = 0
    for match in _beginnings(text.isascii()).finditer(text):
        start = match.start()
        if start < end or (read := _read(text, start, blank)) is None:
            continue
        plain, stop = read
        pieces += text[end:start], plain
        size += start - end
        steps.append(_Step(size, size + len(plain), start, stop))
        size += len(plain)
        end = stop
    return "".join((*pieces, text[end:])), steps


def _read(text: str, start: int, blank: str) -> tuple[str, int] | None:
    """Returns what stands for a code or character at a place, and where that ends; None where there is no code."""
    char = text[start]
    if char not in _SIGNS:
        plain = _plain().get(ord(char))
        return (plain or blank, start + 1) if plain is not None else None
    code = _CODE.match(text, start)
    decoded = _decode(code[0]) if code is not None else ""
    return (decoded, code.end()) if code is not None and decoded != code[0] else None


@lru_cache(maxsize=4096)
def _decode(code: str) -> str:
    if code[0] == "%":
        return bytes.fromhex(code.replace("%", "")).decode("utf-8", "replace")
    if code[0] == "&":
        return unescape(code)
    if code[1] == "u":
        units = bytes.fromhex(code.replace("\\u", ""))
        return units.decode("utf-16-be", "surrogatepass")
    return chr(int(f"0{code[1:]}", 0)) if code[1] == "x" else _ESCAPES.get(code[1], code[1])


def _before(steps: tuple[_Step, ...], place: int) -> tuple[int, int]:
    """Returns the place that the character at `place` had before a round, as [start, stop)."""
    number = bisect_right(steps, place, key=lambda step: step.start)
    if not number:
        return place, place + 1
    step = steps[number - 1]
    if place < step.stop:
        return step.source_start, step.source_stop
    start = place - step.stop + step.source_stop
    return start, start + 1


def texts_within(
    data: bytes, may_have: Callable[[bytes], bool], bounds: UnpackingBounds, layers: int = _MOST_LAYERS
) -> Iterator[str]:
    """Yields the texts that bytes hold: as text, decoded, in base64 and compressed, each also within the other, up to
    so many layers. `may_have` as `readings` has it."""
    if not layers or bounds.bytes <= 0:
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        if may_have(data):
            yield data.decode("utf-8", "ignore")
    else:
        decoded = list(_decoded(text, ""))
        for each in (DecodedReading(text), *decoded):
            yield each.text
            for inner in _in_base64(each, may_have, bounds, layers - 1):
                yield inner.text
    for found in streams(data, bounds):
        yield from texts_within(found, may_have, bounds, layers - 1)


def _in_base64(
    reading: DecodedReading, may_have: Callable[[bytes], bool], bounds: UnpackingBounds, layers: int = _MOST_LAYERS
) -> Iterator[DecodedReading]:
    """Yields what each long word of a reading, and each block of such lines, holds in base64, wherever it begins
    there."""
    for match in _BASE64.finditer(reading.text):
        run = _BETWEEN.sub("", match[0]).translate(_OF_ADDRESSES)
        for skipped in range(4):
            piece = run[skipped : len(run) - ((len(run) - skipped) % 4 == 1)]
            data = binascii.a2b_base64(piece + "=" * (-len(piece) % 4))
            if layers < _MOST_LAYERS:
                bounds.bytes -= len(data)
            for text in texts_within(data, may_have, bounds, layers):
                yield DecodedReading(text, whole=reading.in_source(*match.span()))


@cache
def _plain() -> dict[int, str]:
    """Returns what stands for each character that reads otherwise; nothing for one that nobody sees."""
    found: dict[int, str] = {}
    for first, last in _BLOCKS:
        for code in range(first, last + 1):
            char = chr(code)
            plain = "" if _ANY_UNSEEN.match(char) else unicodedata.normalize("NFKC", char)
            # An accent that stands alone is none of a blank.
            is_accent = len(plain) > 1 and plain[0] == " "
            if plain != char and char not in APOSTROPHES and not is_accent:
                found[code] = plain
    return found | {ord(char): plain for char, plain in _IN_OTHER_CASE.items()}


@cache
def _beginnings(is_ascii: bool) -> re.Pattern[str]:
    """Returns what a code or a character that reads otherwise begins with, and some more beyond the first plane of
    Unicode, where single characters are slow to look for."""
    signs = re.escape(_SIGNS)
    found = "" if is_ascii else "".join(map(chr, filter(lambda code: code <= 0xFFFF, _plain())))
    beyond = "" if is_ascii else "".join(f"{chr(first)}-{chr(last)}" for first, last in _BLOCKS if first > 0xFFFF)
    return re.compile(f"[{signs}{re.escape(found)}{beyond}]")
