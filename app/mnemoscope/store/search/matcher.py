"""Finds what is looked for in an entry: plain text as Unicode folds it, or a regular expression."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from mnemoscope.store.search.history_query import HistoryQuery, HistoryQueryError, MatchSpan

if TYPE_CHECKING:
    import regex

SPANS: Final = 500
"""Matches that are marked in one entry."""
_PATIENCE: Final = 0.05
"""Seconds that an expression may take on one entry."""
_QUERY_LIMIT: Final = 1_000
"""Characters of an expression."""
_ASIDE: Final = frozenset('"\\/')
_LITERAL: Final = re.compile(r"(?:[A-Za-z0-9 ,;:=@#%&~_<>'\"!/-](?![*?{]))+")
_PLAIN_ENOUGH: Final = re.compile(r"(?:\\[bBdDsSwWAZ.]|[^\\()|\[\]])*")
_INCOMPLETE: Final = ("missing", "unterminated", "unexpected end", "bad escape (end", "expected")


class TooSlow(Exception):
    """An expression took longer than `_PATIENCE` on one entry."""


class Matcher:
    """Matches texts against one query. Raises HistoryQueryError for a malformed expression."""

    def __init__(self, query: HistoryQuery) -> None:
        self.query = query
        self.folds = not query.case_sensitive
        self.finds_all = not query.has_text
        self._pattern = _pattern(query) if query.regex and query.has_text else None
        literal = "" if self.finds_all else literal_of(query.text) if query.regex else query.text
        self.needle = literal.casefold() if self.folds else literal
        """Text that every match holds, folded unless case matters; "" where there is none."""
        self.folded_needle = literal.casefold()
        self.is_plain = not query.regex and not query.whole_words
        self.needle_bytes = self.needle.encode("utf-8", "replace")
        self.counts_in_bytes = self.is_plain and not self.finds_all and self.needle.strip() == self.needle != ""
        """Whether a match is a match wherever the bytes of an entry hold the needle."""

    def may_be_in(self, data: bytes, *, escaped: bool = False) -> bool:
        """Returns whether the bytes of some entries could hold a match; `escaped` says that they are JSON."""
        if not self.needle or "\n" in self.needle or (escaped and self._is_hidden_in(data)):
            return True
        if not self.folds:
            return self.needle_bytes in data
        if data.isascii():
            return self.needle_bytes in data.lower()
        return self.needle in data.decode("utf-8", "replace").casefold()

    def folded_bytes(self, data: bytes) -> bytes | None:
        """Returns UTF-8 to search the needle in, every letter where it was; None where folding would move some."""
        if "\n" in self.needle:
            return None
        if not self.folds:
            return data
        if data.isascii():
            return data.lower()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return None
        return None if _moves().search(text) else text.casefold().encode("utf-8")

    def is_in(self, text: str) -> bool:
        """Returns whether an entry's text is a match. Raises TooSlow."""
        if self.finds_all:
            return True
        if self._pattern is not None:
            try:
                return self._pattern.search(text, timeout=_PATIENCE) is not None
            except TimeoutError as error:
                raise TooSlow from error
        if self.is_plain:
            return self.needle in (text.casefold() if self.folds else text)
        return any(True for _ in self._plain_spans(text))

    def spans(self, text: str) -> tuple[MatchSpan, ...]:
        """Returns where the matches are, in order, none of them empty, SPANS at most. Raises TooSlow."""
        if self.finds_all:
            return ()
        found: list[MatchSpan] = []
        for start, stop in self._pattern_spans(text) if self._pattern is not None else self._plain_spans(text):
            if found and start < found[-1][1]:
                found[-1] = (found[-1][0], max(stop, found[-1][1]))
            else:
                found.append((start, stop))
            if len(found) >= SPANS:
                break
        return tuple(found)

    def _is_hidden_in(self, data: bytes) -> bool:
        """Returns whether JSON may write the needle with escapes."""
        return b"\\u" in data or not _ASIDE.isdisjoint(self.needle) or not self.needle.isprintable()

    def _pattern_spans(self, text: str) -> Iterator[MatchSpan]:
        assert self._pattern is not None
        try:
            for match in self._pattern.finditer(text, timeout=_PATIENCE):
                if match.end() > match.start():
                    yield match.span()
        except TimeoutError as error:
            raise TooSlow from error

    def _plain_spans(self, text: str) -> Iterator[MatchSpan]:
        folded = text.casefold() if self.folds else text
        places = None if len(folded) == len(text) else _places(text)
        length, at = len(self.needle), folded.find(self.needle)
        while at >= 0:
            start, stop = (at, at + length) if places is None else (places[at], places[at + length - 1] + 1)
            if not self.query.whole_words or _stands_alone(text, start, stop):
                yield start, stop
                at = folded.find(self.needle, at + length)
            else:
                at = folded.find(self.needle, at + 1)


def literal_of(expression: str) -> str:
    """Returns the longest run of plain ASCII text, of three characters or more, that each match of it must hold.

    Only expressions without groups, alternatives and sets are looked into; for others there is none.
    """
    if not expression.isascii() or _PLAIN_ENOUGH.fullmatch(expression) is None:
        return ""
    # An escape stands for something else, a quantifier takes the character before it along.
    bare = re.sub(r"\\.|\{[^}]*\}", "\0", re.sub(r".\{[^}]*\}", "\0", expression))
    longest = max(_LITERAL.findall(bare), key=len, default="")
    return longest if len(longest) >= 3 else ""


@lru_cache(maxsize=32)
def _pattern(query: HistoryQuery) -> regex.Pattern[str]:
    if len(query.text) > _QUERY_LIMIT:
        raise HistoryQueryError(f"The expression is longer than {_QUERY_LIMIT:,} characters.", next_step="Shorten it.")
    import regex  # rarely needed: two megabytes that only a typed expression asks for

    source = rf"\b(?:{query.text})\b" if query.whole_words else query.text
    flags = regex.VERSION0 | regex.MULTILINE | (0 if query.case_sensitive else regex.IGNORECASE | regex.FULLCASE)
    try:
        # The expression by itself first, so that a place in it is the place that was typed.
        regex.compile(query.text, flags)
        return regex.compile(source, flags)
    except regex.error as error:
        raise HistoryQueryError(_reason(error, query.text), next_step="", text=query.text) from error
    except (RecursionError, OverflowError, MemoryError, ValueError, IndexError, KeyError, TypeError) as error:
        raise HistoryQueryError("The expression is too involved to be searched for.", text=query.text) from error


def _reason(error: regex.error, text: str) -> str:
    message = str(error.msg)
    place = "" if error.pos is None else f" at position {min(error.pos + 1, max(1, len(text)))}"
    if message.startswith(_INCOMPLETE):
        return f"The expression is not complete: {message}{place}."
    return f"The expression is not understood: {message}{place}."


@cache
def _moves() -> re.Pattern[str]:
    """Returns the letters that take up another number of bytes once they are folded."""
    letters = (chr(code) for code in range(128, sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF)
    moved = [one for one in letters if len(one.casefold().encode()) != len(one.encode())]
    return re.compile(f"[{''.join(moved)}]")


def _places(text: str) -> list[int]:
    """Returns, for each character of the folded text, which character of the text it comes from."""
    return [index for index, char in enumerate(text) for _ in char.casefold()]


def _stands_alone(text: str, start: int, stop: int) -> bool:
    before = start > 0 and _is_word(text[start - 1]) and _is_word(text[start])
    after = stop < len(text) and _is_word(text[stop]) and _is_word(text[stop - 1])
    return not before and not after


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
