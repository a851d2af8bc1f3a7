"""The pages of the manual, in the order of its first page. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FIRST_PAGE: Final = "index"
_CHAPTER: Final = re.compile(r"^## (.+)$")
_LISTED: Final = re.compile(r"^- \[[^\]]+\]\(([a-z-]+)\.md\)$")
_PAGE_LINK: Final = re.compile(r"\]\(([a-z-]+)\.md(?:#([^)]*))?\)")
_COMMENT: Final = re.compile(r"^<!--.*-->\n+", re.MULTILINE)
_NO_SLUG: Final = re.compile(r"[^\w -]")


@dataclass(frozen=True, slots=True)
class ManualPage:
    """Holds one page. `name` is the name of its file without the ending, `chapter` the heading it is listed under."""

    name: str
    title: str
    chapter: str
    text: str


@dataclass(frozen=True, slots=True)
class PageLink:
    """Names a place in the manual. An empty `page` is the page on show, an empty `heading` the top of the page."""

    page: str
    heading: str = ""


class Manual:
    """Holds all pages, read when the manual is opened."""

    def __init__(self, folder: Path) -> None:
        first = _read(folder / f"{FIRST_PAGE}.md")
        self.pages: dict[str, ManualPage] = {FIRST_PAGE: ManualPage(FIRST_PAGE, _title(first), "", first)}
        for chapter, name in _listed(first):
            text = _read(folder / f"{name}.md")
            self.pages[name] = ManualPage(name, _title(text), chapter, text)


def heading_slug(heading: str) -> str:
    """Returns the name by which a link points to a heading, as the pages have it when they are read elsewhere."""
    return _NO_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


def with_inner_links(text: str) -> str:
    """Returns the text of a page with its links to other pages as `#page#heading`.

    An address that names a file is no link to the reader of untrusted Markdown, and one that begins with `#` is.
    """
    return _PAGE_LINK.sub(lambda found: f"](#{found[1]}#{found[2] or ''})", text)


def read_inner_link(address: str) -> PageLink | None:
    """Returns the place that an address made by `with_inner_links` names, or None for any other address."""
    if not address.startswith("#"):
        return None
    page, is_page, heading = address[1:].partition("#")
    return PageLink(page, heading) if is_page else PageLink("", page)


def _read(path: Path) -> str:
    """Returns the text of a page without the comments that are meant for whoever writes it."""
    return _COMMENT.sub("", path.read_text(encoding="utf-8"))


def _listed(first: str) -> Iterator[tuple[str, str]]:
    """Yields the chapter and the name of each page that the first page lists."""
    chapter = ""
    for line in first.splitlines():
        if heading := _CHAPTER.match(line):
            chapter = heading[1]
        elif page := _LISTED.match(line):
            yield chapter, page[1]


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ").strip()
