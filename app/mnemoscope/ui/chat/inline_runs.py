"""Sanitised inline HTML as runs of text, ready to be written with one format each. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
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


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.runs: list[Run] = []
        self._styles: list[str] = []
        self._hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.handle_data(LINE_BREAK)
        elif tag == "a":
            self._hrefs.append(dict(attrs).get("href") or "")
        elif tag in _STYLES:
            self._styles.append(_STYLES[tag])

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._hrefs:
            self._hrefs.pop()
        elif _STYLES.get(tag) in self._styles:
            self._styles.remove(_STYLES[tag])

    def handle_data(self, data: str) -> None:
        href = self._hrefs[-1] if self._hrefs else ""
        text = data.replace("\n", " " if "code" in self._styles else "")
        if text:
            self.runs.append(Run(text, frozenset(self._styles), href))


@lru_cache(maxsize=2_048)
def runs_of(inline: str) -> tuple[Run, ...]:
    """The runs of sanitised inline HTML; `<br>` is U+2028."""
    if "<" not in inline and "&" not in inline:
        return (Run(inline),) if inline else ()
    reader = _Reader()
    reader.feed(inline)
    reader.close()
    return tuple(reader.runs)
