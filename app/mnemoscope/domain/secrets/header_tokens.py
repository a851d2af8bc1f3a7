"""The token after `Bearer` or `Basic`, also where line breaks part it: it has no shape, but is one run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from mnemoscope.domain.secrets.formats import BREAKS, PIECES

_HEADER: Final = re.compile(r"(?i)(?<![^\W_])(?:bearer|basic)\s+(?P<value>[A-Za-z0-9._~+/-]{8,}={0,2})")
_MORE: Final = re.compile(r"(?!sha\d)[A-Za-z0-9._~+/-]{2,}+={0,2}+(?![^\s\\<,;:!?)\]}>»”’'\"])")
"""A piece in the next line. A digest is none, nor is `NAME=value`."""
_HEX: Final = re.compile(r"[0-9a-f-]+")
_HEX_PIECE: Final = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}")
_LAST: Final = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{2,7}")
_SHORTEST: Final = 16
"""Characters of a token; a shorter piece of one counts only where nothing else is in its line."""
_SHORTEST_BUT_LAST: Final = 8
"""A piece below that is but the last of several."""
_REST_OF_LINE: Final = re.compile(r"[ \t\\.,;:!?)\]}>»”’'\"]*(?=[\r\n\u2028\u2029\x0b\x0c\x85]|<br|\Z)")


def header_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each begins and stops in a text without markup, and the token itself without the breaks in it."""
    for found in _HEADER.finditer(text):
        pieces = [found["value"]]
        stop = found.end()
        while len(pieces) < PIECES and not pieces[-1].endswith("="):
            piece = _piece_after(text, stop, pieces)
            if piece is None:
                break
            pieces.append(piece[0].rstrip("."))
            stop = piece.start() + len(pieces[-1])
        token = "".join(pieces)
        if len(token) >= _SHORTEST and (_looks_random(pieces[0]) or _HEX_PIECE.fullmatch(pieces[0])):
            yield found.start("value"), stop, token


def _piece_after(text: str, stop: int, pieces: list[str]) -> re.Match[str] | None:
    """What goes on behind a break, if it does."""
    gap = BREAKS.match(text, stop)
    piece = _MORE.match(text, gap.end()) if gap else None
    if piece is None or not _goes_on(pieces, piece[0].rstrip(".")):
        return None
    return piece if len(piece[0]) >= _SHORTEST or _REST_OF_LINE.match(text, piece.end()) else None


def _goes_on(pieces: list[str], piece: str) -> bool:
    """A commit's hash or an identifier goes on only where all of the token is hex, and in no piece longer than that."""
    if len(piece) < _SHORTEST_BUT_LAST:
        return len(pieces) > 1 and bool(_LAST.fullmatch(piece))
    if _HEX.fullmatch(piece):
        all_hex = _HEX_PIECE.fullmatch(piece) and _HEX_PIECE.fullmatch(pieces[0])
        return bool(all_hex) and len(piece) <= len(pieces[0]) + 1
    return _looks_random(piece)


def _looks_random(piece: str) -> bool:
    """Of neighbours more than a third are of two kinds (capital, small letter, digit): no word, name, date or path."""
    pairs = [(one, other) for one, other in pairwise(piece) if one.isalnum() and other.isalnum()]
    return 3 * sum(_kind(one) != _kind(other) for one, other in pairs) > len(pairs)


def _kind(letter: str) -> tuple[bool, bool]:
    return letter.isdigit(), letter.isupper()
