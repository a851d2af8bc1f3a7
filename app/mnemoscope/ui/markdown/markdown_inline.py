"""The Markdown inside one block as sanitised HTML. Simple marks are read here, all others by the parser. No Qt."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib import import_module
from threading import Thread
from typing import Final

INLINE_LIMIT: Final = 20_000
"""Characters of one block that are parsed; a longer one is shown as it is written."""
KNOT_LIMIT: Final = 400
"""Marks of one kind in one block; more of them cost quadratic time and are no text a person wrote."""

PARSER: Final = "mnemoscope.ui.markdown.markdown_parser"
_MARKS: Final = "[]*_`<~&"
_HARDER: Final = re.compile(r"[\[\]_<~&\\]|://")
_SIMPLE: Final = re.compile(r"`([^`]+)`|\*\*([^\s*`]|[^\s*`][^*`]*[^\s*`])\*\*|\*([^\s*`]|[^\s*`][^*`]*[^\s*`])\*")
_TAGS: Final = ("code", "strong", "em")


def inline_html(text: str, definitions: Mapping[str, str] | None = None, *, breaks: bool = True) -> str:
    """Sanitised HTML of running text: only the inline tags, only links that may be clicked.

    `definitions` are the addresses of the text's reference links; `breaks` keeps single line ends as `<br>`.
    """
    used = tuple(sorted(definitions.items())) if definitions and "[" in text else ()
    return _inline_html(text, used, breaks)


def expect_marks() -> None:
    """Text is being written: have the parser at hand when it is asked for.

    Its import would hold up the window for longer than a frame; this one is done beside it.
    """
    if PARSER not in sys.modules:
        Thread(target=import_module, args=(PARSER,), name="markdown", daemon=True).start()


@lru_cache(maxsize=2_048)
def _inline_html(text: str, definitions: tuple[tuple[str, str], ...], breaks: bool) -> str:
    if _is_plain(text):
        return _as_text(text, breaks)
    simple = simple_html(text)
    if simple is not None:
        return simple
    from mnemoscope.ui.markdown.markdown_parser import parsed_html  # two libraries, three megabytes

    try:
        return parsed_html(text, definitions, breaks=breaks)
    except RecursionError:
        return _as_text(text, breaks)


def simple_html(text: str) -> str | None:
    """The HTML of one line whose only marks are code, strong and emphasis side by side; None for any other text."""
    if _HARDER.search(text) or not text.isprintable() or text != text.strip():
        return None
    pieces, at = [], 0
    for found in _SIMPLE.finditer(text):
        between, words = text[at : found.start()], (found[found.lastindex or 0]).strip()
        if not words or (at and not between):
            return None
        tag = _TAGS[(found.lastindex or 1) - 1]
        pieces += [between, f"<{tag}>{escape(words, quote=False)}</{tag}>"]
        at = found.end()
    pieces.append(text[at:])
    if any("*" in between or "`" in between for between in pieces[::2]):
        return None
    return "".join(escape(piece, quote=False) if number % 2 == 0 else piece for number, piece in enumerate(pieces))


def _is_plain(text: str) -> bool:
    if len(text) > INLINE_LIMIT:
        return True
    counts = [text.count(mark) for mark in _MARKS]
    return max(counts) > KNOT_LIMIT or not (any(counts) or "\\" in text or "://" in text or "  \n" in text)


def _as_text(text: str, breaks: bool) -> str:
    return escape(text, quote=False).replace("\n", "<br>" if breaks else " ")
