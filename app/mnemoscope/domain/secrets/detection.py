"""Keys and passwords are found in text and replaced by a mark, so that none is kept where it would be sent to a model.

A key is found too if Markdown, invisible characters or line breaks were put into it: each pass looks at the text
without some of them and maps what it found back. Hashes, identifiers and images are left alone: a long run counts only
if a word before it says that it is a key.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mnemoscope.domain.secrets.secret_formats import (
    BEARER,
    KEY_FORMATS,
    KEY_WORD_BEFORE,
    LINE_BREAK,
    LONG_RUN,
    MOST_PIECES,
    NO_KEY_BEFORE,
    PIN,
    PRIVATE_KEY,
    STATED,
    STATED_BARE,
    SecretFormat,
)
from mnemoscope.domain.text.characters import INVISIBLE

MARK_OPENS: Final = "[key kept out"
KEY_MARK: Final = re.compile(re.escape(MARK_OPENS) + r"[^\]]*\]")
"""The mark that stands where a key was."""
_TAIL: Final = 4
_TAIL_FROM: Final = 20
"""Characters from which on a part of a secret is shown."""
_USUAL: Final = 40
"""Characters of most keys: a shorter find goes on in the next line, if that line is nothing else."""
_CONTEXT: Final = 48
_LETTER: Final = re.compile(r"\\(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|([^\W_])")
"""A letter or digit; or an escape as JSON and Python write them, whose letters are none of a key's."""
_SHORTEST_KNOWN: Final = 8
_NO_KEYS: Final = frozenset({"lm-studio", "lmstudio", "not-needed", "no-key-needed", "sk-no-key-required", "anything"})
"""Values for servers on this computer that want a key and check none: words people write about."""
_INLINE: Final = (
    rf"[{INVISIBLE}\ufe0f]|\*|`|~~|\\(?=[^A-Za-z0-9\s])"
    r"|&(?:shy|zwnj|zwj|ZeroWidthSpace|#8203|#x200b);|</?(?:wbr|b|i|em|strong|code|span)\s*/?>"
)
_WITHOUT_MARKUP: Final = re.compile(_INLINE)
_LAST_WORD: Final = re.compile(r"\S+\Z")
_WORD: Final = re.compile(r"\S+")
_ANY_KEY: Final = re.compile(
    # Without names of groups, which may stand but once, and without a look at what follows the key.
    "|".join(re.sub(r"\?P<value>|\(\?!.*?\)", "", form.pattern.pattern) for form in KEY_FORMATS)
)
_AFTER: Final = ".,;:!?)]}>»”’'\""
_HEADER: Final = re.compile(r"(?i)(?<![^\W_])(?:bearer|basic)\s+(?P<value>[A-Za-z0-9._~+/-]{8,}={0,2})")
_TOKEN_PIECE: Final = re.compile(r"(?!sha\d)[A-Za-z0-9._~+/-]{2,}+={0,2}+(?![^\s\\<,;:!?)\]}>»”’'\"])")
"""A piece in the next line. A digest is none, nor is `NAME=value`."""
_HEX: Final = re.compile(r"[0-9a-f-]+")
_HEX_PIECE: Final = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}")
_LAST_PIECE: Final = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{2,7}")
_SHORTEST_TOKEN: Final = 16
"""Characters of a token; a shorter piece of one counts only where nothing else is in its line."""
_SHORTEST_PIECE: Final = 8
"""A piece below that is but the last of several."""
_REST_OF_LINE: Final = re.compile(r"[ \t\\.,;:!?)\]}>»”’'\"]*(?=[\r\n\u2028\u2029\x0b\x0c\x85]|<br|\Z)")


@dataclass(frozen=True, slots=True)
class Secret:
    """Describes a passage [start, stop) that is a key; `name` tells of what, `value` is the key without what was put
    into it."""

    start: int
    stop: int
    name: str
    value: str

    @property
    def mark(self) -> str:
        """Returns the mark that is written in its place: `[key kept out: OpenAI …a1b2]`."""
        tail = f" …{self.value[-_TAIL:]}" if len(self.value) >= _TAIL_FROM and self.name != "private key" else ""
        return f"{MARK_OPENS}: {self.name}{tail}]"


def find_secrets(text: str) -> list[str]:
    """Returns every passage that looks like a key, token or password."""
    return [text[each.start : each.stop] for each in secrets_in(text)]


def mask_secrets(text: str, known: Collection[str] = ()) -> str:
    """Returns the text with a readable mark in the place of each secret. `known` as `secrets_in` has it. Passwords that
    are words like any other stay: `mask_secrets_and_passwords` takes these out as well."""
    for each in reversed(secrets_in(text, known)):
        text = text[: each.start] + each.mark + text[each.stop :]
    return text


def mask_known(text: str, known: Collection[str]) -> str:
    """Returns the text with only the secrets in `known` masked, whatever was put between their letters."""
    for each in reversed(_apart(list(_known(text, known)))):
        text = text[: each.start] + each.mark + text[each.stop :]
    return text


def secrets_in(text: str, known: Collection[str] = ()) -> list[Secret]:
    """Returns the secrets of a text as places in it, in order, none overlapping. `known`: keys and passwords that are
    found by themselves, whatever their form."""
    marks = [found.span() for found in KEY_MARK.finditer(text)]
    found = [*_known(text, known), *_private(text), *_shaped(text), *_stated(text), *_nameless(text)]
    return [each for each in _apart(found) if not any(start <= each.start < stop for start, stop in marks)]


def _apart(found: list[Secret]) -> list[Secret]:
    """Returns the passages in order; of two that overlap the first is widened, and keeps its name."""
    merged: list[Secret] = []
    for each in sorted(found, key=lambda one: (one.start, -one.stop)):
        if merged and each.start < merged[-1].stop:
            last = merged[-1]
            value = each.value if each.stop > last.stop else last.value
            merged[-1] = Secret(last.start, max(last.stop, each.stop), last.name, value)
        else:
            merged.append(each)
    return merged


class _Squeezed:
    """Holds a text without the marks of Markdown in its lines, and where each of its characters stood."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._starts, self._origins = [0], [0]
        place = length = 0
        for gap in _WITHOUT_MARKUP.finditer(text):
            pieces.append(text[place : gap.start()])
            length += gap.start() - place
            place = gap.end()
            self._starts.append(length)
            self._origins.append(place)
        self.text = "".join([*pieces, text[place:]])

    def origin(self, place: int) -> int:
        """Returns where the character at `place` stands in the whole text."""
        index = bisect_right(self._starts, place) - 1
        return self._origins[index] + place - self._starts[index]

    def secret(self, name: str, text: str, start: int, stop: int) -> Secret:
        """Returns what stands from `start` to `stop`, as a place in the whole text."""
        return Secret(self.origin(start), self.origin(stop - 1) + 1, name, text[start:stop])


def _known(text: str, known: Collection[str]) -> Iterator[Secret]:
    """Yields the known secrets themselves, also as base64, whatever stands between their letters."""
    secrets = [secret for secret in known if len(secret) >= _SHORTEST_KNOWN and secret.lower() not in _NO_KEYS]
    if not secrets:
        return
    places = [found.start(1) for found in _LETTER.finditer(text) if found[1]]
    letters = "".join(text[index] for index in places)
    for secret in secrets:
        for form in (secret, base64.b64encode(secret.encode("utf-8", "replace")).decode().rstrip("=")[:-1]):
            bare = "".join(filter(str.isalnum, form))
            at = letters.find(bare) if len(bare) >= _SHORTEST_KNOWN else -1
            while at >= 0:
                yield Secret(places[at], places[at + len(bare) - 1] + 1, "from the keychain", secret)
                at = letters.find(bare, at + len(bare))


def _private(text: str) -> Iterator[Secret]:
    for found in PRIVATE_KEY.pattern.finditer(text):
        yield Secret(*found.span(), PRIVATE_KEY.name, found[0])


def _shaped(text: str) -> Iterator[Secret]:
    squeezed = _Squeezed(text)
    for form in KEY_FORMATS:
        for found in form.pattern.finditer(squeezed.text):
            if _begins(squeezed.text, found.start()):
                yield squeezed.secret(form.name, squeezed.text, *_value(found))
    for pieces in _over_breaks(squeezed.text):
        joined = "".join(piece[0] for piece in pieces)
        if _ANY_KEY.search(joined):
            yield from _broken(squeezed, pieces)
    for start, stop, token in _header_tokens(squeezed.text):
        yield Secret(squeezed.origin(start), squeezed.origin(stop - 1) + 1, "password", token)


def _begins(text: str, place: int) -> bool:
    return place == 0 or not (text[place - 1].isalnum() or text[place - 1] == "_")


def _value(found: re.Match[str]) -> tuple[int, int]:
    return found.span("value") if "value" in found.re.groupindex else found.span()


def _over_breaks(text: str) -> Iterator[list[re.Match[str]]]:
    """Yields the last word of each line with what follows it over the breaks: lines of one word, and then a first
    word."""
    breaks = [found.span() for found in LINE_BREAK.finditer(text)]
    ends = [start for start, _ in breaks[1:]] + [len(text)]
    for index, (stop, _) in enumerate(breaks):
        last = _LAST_WORD.search(text, breaks[index - 1][1] if index else 0, stop)
        pieces = [last] if last else []
        for (_, begin), end in zip(breaks[index : index + MOST_PIECES], ends[index : index + MOST_PIECES], strict=True):
            word = _WORD.match(text, begin, end)
            if not pieces or word is None:
                break
            pieces.append(word)
            if word.end() < end:
                break
        if len(pieces) > 1:
            yield pieces


def _broken(squeezed: _Squeezed, pieces: list[re.Match[str]]) -> Iterator[Secret]:
    """Yields the keys that begin in the first piece and go on in others: as many as make a key whole or look like part
    of it."""
    for form in KEY_FORMATS:
        begin = count = 0
        whole = ""
        for number in range(1, len(pieces) + 1):
            joined = "".join(piece[0] for piece in pieces[:number])
            place = _up_to_the_end(form, joined, len(pieces[0][0]))
            if place is None:
                continue
            is_needed = count == 0 or (len(whole) < _USUAL and len(pieces[number - 1][0]) > 4)
            if not is_needed and not _looks_random(pieces[number - 1][0]):
                break
            begin, count, whole = place, number, joined[place:].rstrip(_AFTER)
        if count > 1:
            spare = len(pieces[count - 1][0]) - len(pieces[count - 1][0].rstrip(_AFTER))
            stop = squeezed.origin(pieces[count - 1].end() - spare - 1) + 1
            yield Secret(squeezed.origin(pieces[0].start() + begin), stop, form.name, whole)


def _up_to_the_end(form: SecretFormat, joined: str, first: int) -> int | None:
    """Returns where a key of this format begins that fills `joined` from there on, if that is within the first
    characters."""
    bare = joined.rstrip(_AFTER)
    for found in form.pattern.finditer(bare):
        if found.end() == len(bare) and found.start() < first and _begins(bare, found.start()):
            return _value(found)[0]
    return None


def _looks_random(piece: str) -> bool:
    return any(map(str.isdigit, piece)) or bool(re.search(r"[a-z][A-Z]", piece))


def _stated(text: str) -> Iterator[Secret]:
    for pattern in (STATED, STATED_BARE, PIN, BEARER):
        for found in pattern.finditer(text):
            if _is_no_word(found["value"]):
                start, stop = found.span("value")
                value = found["value"].rstrip(".,;:!?)»”’*`")
                yield Secret(start, stop - len(found["value"]) + len(value), "password", value)


def _is_no_word(value: str) -> bool:
    """Returns whether a value has a digit or a mark in it: `password: required` is no password, nor is a path or an
    address."""
    bare = value.rstrip(".,;:!?)")
    if bare.startswith(("/", "~", "$", "<", "[", "http://", "https://")):
        return False
    return any(each.isdigit() or each in "!@#$%^&*+=" for each in bare)


def _nameless(text: str) -> Iterator[Secret]:
    """Yields long runs of letters and digits right after a word that says what they are."""
    for found in LONG_RUN.finditer(text):
        before = text[max(0, found.start() - _CONTEXT) : found.start()]
        if _is_random(found[0]) and KEY_WORD_BEFORE.search(before) and not NO_KEY_BEFORE.search(before):
            yield Secret(*found.span(), "unknown kind", found[0])


def _is_random(run: str) -> bool:
    """Returns whether capitals, small letters and digits are all mixed: no word, no path, no commit hash."""
    kinds = (any(map(str.isupper, run)), any(map(str.islower, run)), sum(map(str.isdigit, run)) >= 3)
    return all(kinds) and run.count("/") < 5 and run.count("-") < 4 and run.count("_") < 4


def _header_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields [start, stop) of the token after each `Bearer` or `Basic`, and the token without the breaks in it.

    Such a token has no shape, but is one run, which line breaks may part; the text has no markup.
    """
    for found in _HEADER.finditer(text):
        pieces = [found["value"]]
        stop = found.end()
        while len(pieces) < MOST_PIECES and not pieces[-1].endswith("="):
            piece = _piece_after(text, stop, pieces)
            if piece is None:
                break
            pieces.append(piece[0].rstrip("."))
            stop = piece.start() + len(pieces[-1])
        token = "".join(pieces)
        if len(token) >= _SHORTEST_TOKEN and (_mixes_kinds(pieces[0]) or _HEX_PIECE.fullmatch(pieces[0])):
            yield found.start("value"), stop, token


def _piece_after(text: str, stop: int, pieces: list[str]) -> re.Match[str] | None:
    """Returns the piece of a token that goes on behind a break, if it does."""
    gap = LINE_BREAK.match(text, stop)
    piece = _TOKEN_PIECE.match(text, gap.end()) if gap else None
    if piece is None or not _goes_on(pieces, piece[0].rstrip(".")):
        return None
    return piece if len(piece[0]) >= _SHORTEST_TOKEN or _REST_OF_LINE.match(text, piece.end()) else None


def _goes_on(pieces: list[str], piece: str) -> bool:
    """Returns whether a token goes on with a piece. A hash or an identifier does only if all of the token is hex, and
    in no longer piece."""
    if len(piece) < _SHORTEST_PIECE:
        return len(pieces) > 1 and bool(_LAST_PIECE.fullmatch(piece))
    if _HEX.fullmatch(piece):
        all_hex = _HEX_PIECE.fullmatch(piece) and _HEX_PIECE.fullmatch(pieces[0])
        return bool(all_hex) and len(piece) <= len(pieces[0]) + 1
    return _mixes_kinds(piece)


def _mixes_kinds(piece: str) -> bool:
    """Returns whether more than a third of neighbours are of two kinds (capital, small letter, digit), as in no word,
    name, date or path."""
    pairs = [(one, other) for one, other in pairwise(piece) if one.isalnum() and other.isalnum()]
    return 3 * sum(_kind(one) != _kind(other) for one, other in pairs) > len(pairs)


def _kind(letter: str) -> tuple[bool, bool]:
    return letter.isdigit(), letter.isupper()
