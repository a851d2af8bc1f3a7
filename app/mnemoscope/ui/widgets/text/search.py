"""Finds and replaces in a text: plain or by regular expression, never for longer than the window can wait."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    import regex

LIMIT: Final = 10_000
"""Matches that are collected; beyond them the count is said as "more than"."""
_PATIENCE: Final = 0.2
"""Seconds one search may take."""


def tr(text: str) -> str:
    """Returns a text in the window's language."""
    return QCoreApplication.translate("TextSearch", text)


class BadSearch(ValueError):
    """Raised where what was typed cannot be searched for; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Query:
    """Holds what to look for: `case` is minded, only a whole `word` is found, or it is an `expression`."""

    text: str
    case: bool = False
    word: bool = False
    expression: bool = False


def find_all(text: str, query: Query) -> list[tuple[int, int]]:
    """Returns the places [start, stop) of all matches that are not empty, LIMIT + 1 at most. Raises BadSearch."""
    if not query.text:
        return []
    found: list[tuple[int, int]] = []
    try:
        for match in _compiled(query).finditer(text, timeout=_PATIENCE):
            if match.end() > match.start():
                found.append(match.span())
            if len(found) > LIMIT:
                break
    except TimeoutError as error:
        raise BadSearch(tr("This expression takes too long on this text.")) from error
    return found


def replacement(text: str, place: tuple[int, int], query: Query, template: str) -> str:
    """Returns what one match becomes; in an expression `\\1` and `\\g<name>` stand for groups. Raises BadSearch."""
    if not query.expression:
        return template
    match = _compiled(query).match(text, place[0], timeout=_PATIENCE)
    return template if match is None else _expanded(match, template)


def replace_all(text: str, query: Query, template: str) -> tuple[str, int]:
    """Returns the text with every match replaced, and how many there were. Raises BadSearch."""
    if not query.text:
        return text, 0
    pattern = _compiled(query)

    def becomes(match: regex.Match[str]) -> str:
        if match.end() == match.start():
            return ""
        return _expanded(match, template) if query.expression else template

    try:
        count = sum(match.end() > match.start() for match in pattern.finditer(text, timeout=5 * _PATIENCE))
        return pattern.sub(becomes, text, timeout=5 * _PATIENCE), count
    except TimeoutError as error:
        raise BadSearch(tr("This expression takes too long on this text.")) from error


def _library() -> Any:
    """Returns the library of expressions, two megabytes that nobody needs who searches nothing."""
    import regex

    return regex


@lru_cache(maxsize=16)
def _compiled(query: Query) -> regex.Pattern[str]:
    library = _library()
    source = query.text if query.expression else library.escape(query.text, special_only=True)
    if query.word:
        source = rf"(?<!\w)(?:{source})(?!\w)"
    flags = library.VERSION0 | library.MULTILINE | (0 if query.case else library.IGNORECASE)
    try:
        return library.compile(source, flags)
    except library.error as error:
        raise BadSearch(_reason(query, error)) from error


def _reason(query: Query, error: regex.error) -> str:
    """Returns the sentence for a malformed expression; the place is counted in what was typed."""
    shift = len(r"(?<!\w)(?:") if query.word else 0
    if error.pos is None:
        return tr("Not a regular expression: {problem}.").format(problem=error.msg)
    words = tr("Not a regular expression: {problem} at character {place}.")
    return words.format(problem=error.msg, place=error.pos - shift + 1)


def _expanded(match: regex.Match[str], template: str) -> str:
    try:
        return str(match.expand(template))
    except (_library().error, IndexError) as error:
        raise BadSearch(
            tr("The replacement names a group that is not there: {problem}.").format(problem=error)
        ) from error
