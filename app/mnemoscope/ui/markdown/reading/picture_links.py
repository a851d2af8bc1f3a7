"""Finds the pictures that a Markdown text links to, of those that may be shown at all. No Qt.

They are images of this workspace, by `sessions/attachments/<sha256>`, and pictures of the web, which are loaded only
where a person asks for one. Any other path, `file:`, `data:` or share of a network stays text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.markdown.reading.link_address import inspect_link
from mnemoscope.ui.markdown.reading.reader import tree_of
from mnemoscope.ui.markdown.reading.untrusted_text import NO_DESCRIPTION, tidied

MOST: Final = 8
"""Pictures of one text that are offered."""
_LONGEST_NAME: Final = 40
"""Characters of a name that tells a picture from others."""
_KEPT: Final = re.compile(r"(?:\./)?sessions/attachments/([0-9a-f]{64})")
_WORDS: Final = re.compile(r"\A\[image: (.*)\]\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PictureLink:
    """Describes a picture that a text links to: its description, and either the `sha256` of an image of this workspace
    or an `address` of the web with its `host`."""

    words: str
    sha256: str = ""
    address: str = ""
    host: str = ""

    @property
    def source(self) -> str:
        """Returns the picture as Markdown, as a copy has it."""
        words = "" if self.words == NO_DESCRIPTION else self.words
        return f"![{words}]({f'sessions/attachments/{self.sha256}' if self.sha256 else self.address})"

    @property
    def name(self) -> str:
        """Returns the name under which a document knows the picture."""
        return f"linked:{self.sha256 or self.address}"


def pictures_in(markdown: str) -> list[PictureLink]:
    """Returns the pictures that a text links to, in order, each once."""
    if "![" not in markdown:
        return []
    try:
        tree = tree_of(markdown)
    except RecursionError:
        return []
    found = dict[str, PictureLink]()
    for element in tree.iter("span"):
        link = picture_link(element.get("picture") or "", element.text or "")
        if link is not None:
            found.setdefault(link.name, link)
    return list(found.values())[:MOST]


def names_of(links: Sequence[PictureLink]) -> list[str]:
    """Returns what tells each of several pictures from the others: its description, or else the name of its file, and a
    number where these do not tell it."""
    named = [shortened(_own_name(each), _LONGEST_NAME) for each in links]
    counts, seen = Counter(named), Counter[str]()
    names = []
    for name in named:
        seen[name] += 1
        names.append(name if name and counts[name] == 1 else f"{name} {seen[name]}".strip())
    return names


def _own_name(link: PictureLink) -> str:
    if link.words and link.words != NO_DESCRIPTION:
        return " ".join(link.words.split())
    return " ".join(tidied(unquote(urlsplit(link.address).path.rpartition("/")[2])).split())


def picture_link(address: str, description: str) -> PictureLink | None:
    """Returns the picture of an address, with what stands there for it; None where it is not shown at all."""
    words = _WORDS.sub(r"\1", description)
    if kept := _KEPT.fullmatch(address):
        return PictureLink(words, sha256=kept[1])
    inspected = inspect_link(address)
    if inspected.kind == "web":
        return PictureLink(words, address=inspected.target, host=inspected.host)
    return None
