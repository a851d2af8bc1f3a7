"""Tells which colours code has: Pygments' tokens, mapped to the theme's colour roles. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound

from mnemoscope.ui.widgets.palettes import DARK, LIGHT

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_COLOUR_LIMIT: Final = 100_000
"""Characters after which a code block is shown without colours."""

_MOST_ON_A_PAGE: Final = 10_000
"""Characters of code up to which it has colours in a page that is made at one go: more would hold up the window."""

# Roles, not colours: each theme's roles already hold the contrast a test computes.
_ROLES: Final[dict[_TokenType, str]] = {
    Token.Comment: "text_faint",
    Token.Keyword: "accent",
    Token.Keyword.Constant: "warning",
    Token.Operator.Word: "accent",
    Token.Literal.String: "success",
    Token.Literal.Number: "warning",
    Token.Name.Builtin: "accent",
    Token.Name.Decorator: "warning",
    Token.Name.Exception: "danger",
    Token.Name.Tag: "accent",
    Token.Name.Attribute: "warning",
    Token.Generic.Deleted: "danger",
    Token.Generic.Inserted: "success",
    Token.Generic.Heading: "accent",
    Token.Generic.Subheading: "accent",
    Token.Generic.Prompt: "text_faint",
    Token.Generic.Output: "text_muted",
    Token.Error: "text",
}
_PLAIN_NAMES: Final = frozenset({"", "text", "txt", "plain", "plaintext", "none"})


@dataclass(frozen=True, slots=True)
class Span:
    """Marks `length` characters from column `start` of one line, in the colour of `role`."""

    start: int
    length: int
    role: str
    italic: bool = False


@lru_cache(maxsize=64)
def lexer_for(language: str) -> Lexer | None:
    """Returns the lexer for a language as written after a fence, or `None` where there is none."""
    name = language.strip().split(" ", 1)[0].strip("{}.").lower()
    if name in _PLAIN_NAMES:
        return None
    from pygments.lexers import get_lexer_by_name  # held from the first code block on

    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def lines_of_spans(code: str, language: str) -> Iterator[list[Span]]:
    """Yields the coloured spans of each line of `code`, so that a long program can be coloured in pieces."""
    lexer = lexer_for(language)
    if lexer is None or len(code) > _COLOUR_LIMIT:
        return
    column, spans = 0, list[Span]()
    # Some languages are told by whole lines, such as a difference.
    for token, words in lexer.get_tokens(code if code.endswith("\n") else f"{code}\n"):
        role = _role_of(token)
        for number, piece in enumerate(words.split("\n")):
            if number:
                yield spans
                column, spans = 0, []
            if role and piece.strip():
                spans.append(Span(column, len(piece), role, role == "text_faint"))
            column += len(piece)
    yield spans


@lru_cache(maxsize=512)
def _role_of(token: _TokenType) -> str:
    kind: _TokenType | None = token
    while kind is not None:
        if kind in _ROLES:
            return _ROLES[kind]
        kind = kind.parent
    return ""


def coloured(code: str, language: str, colour: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yields code in pieces, each with the CSS of its look, "" for none; `colour` gives the CSS colour of a role."""
    lines = code.split("\n")
    spans = lines_of_spans(code, language) if len(code) <= _MOST_ON_A_PAGE else iter(())
    for number, line in enumerate(lines):
        at = 0
        for span in next(spans, ()):
            yield line[at : span.start], ""
            at = span.start + span.length
            slant = "; font-style: italic" if span.italic else ""
            yield line[span.start : at], f"color: {colour(span.role)}{slant}"
        yield line[at:] + ("\n" if number < len(lines) - 1 else ""), ""


def page_colours(code: str, language: str) -> Iterator[tuple[str, str]]:
    """Yields code as `coloured` does, for a page that is light or dark as its reader's screen is."""
    return coloured(code, language, lambda role: f"light-dark({LIGHT[role]}, {DARK[role]})")
