"""Sanitised inline HTML as runs of text, ready to be written with one format each. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from mnemoscope.domain.secrets.detection import KEY_MARK, MARK_OPENS

_STYLES: Final = {
    "strong": "bold",
    "em": "italic",
    "code": "code",
    "del": "strike",
    "sup": "raised",
    "sub": "lowered",
    "span": "image",
}
_KEY: Final = frozenset({"key"})
LINE_BREAK: Final = "\u2028"


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style; `styles` are of bold, italic, code, strike, raised, lowered, image, key; `href` of a link or
    "". A key is the mark that stands for one that was masked."""

    text: str
    styles: frozenset[str] = frozenset()
    href: str = ""


_PIECE: Final = re.compile(r"""<(/?)([a-z]+)((?:[^>"]|"[^"]*")*)>|([^<]+)""")
_HREF: Final = re.compile(r' href="([^"]*)"')
_ESCAPE: Final = re.compile("&(?:amp|lt|gt|quot|nbsp);")
_ESCAPED: Final = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&nbsp;": "\xa0"}
"""All that a sanitiser writes; `html.unescape` knows 2,231 names and takes a third of a megabyte."""


@lru_cache(maxsize=2_048)
def runs_of(inline: str) -> tuple[Run, ...]:
    """The runs of sanitised inline HTML; `<br>` is U+2028."""
    runs = _runs_of(inline)
    return runs if MARK_OPENS not in inline else tuple(part for run in runs for part in _with_keys_apart(run))


def _with_keys_apart(run: Run) -> Iterator[Run]:
    place = 0
    for found in KEY_MARK.finditer(run.text):
        if found.start() > place:
            yield replace(run, text=run.text[place : found.start()])
        yield replace(run, text=found[0], styles=run.styles | _KEY)
        place = found.end()
    if place < len(run.text):
        yield replace(run, text=run.text[place:])


def _runs_of(inline: str) -> tuple[Run, ...]:
    if "<" not in inline and "&" not in inline:
        return (Run(inline),) if inline else ()
    runs: list[Run] = []
    styles: list[str] = []
    hrefs: list[str] = []
    for closing, tag, attributes, words in _PIECE.findall(inline):
        if closing:
            _close(tag, styles, hrefs)
        elif tag == "a":
            found = _HREF.search(attributes)
            hrefs.append(_unescaped(found[1]) if found else "")
        elif tag in _STYLES:
            styles.append(_STYLES[tag])
        text = LINE_BREAK if tag == "br" else _unescaped(words).replace("\n", " " if "code" in styles else "")
        if text:
            runs.append(Run(text, frozenset(styles), hrefs[-1] if hrefs else ""))
    return tuple(runs)


def _close(tag: str, styles: list[str], hrefs: list[str]) -> None:
    if tag == "a" and hrefs:
        hrefs.pop()
    elif _STYLES.get(tag) in styles:
        styles.remove(_STYLES[tag])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED[found[0]], text)
