"""Sanitised inline HTML as runs of text, ready to be written with one format each. No Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_STYLES: Final = {
    "strong": "bold",
    "em": "italic",
    "code": "code",
    "del": "strike",
    "sup": "raised",
    "sub": "lowered",
    "span": "image",
}
LINE_BREAK: Final = "\u2028"


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style; `styles` are of bold, italic, code, strike, raised, lowered, image; `href` of a link or ""."""

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
