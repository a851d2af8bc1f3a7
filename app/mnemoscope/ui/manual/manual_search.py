"""Finds words on all pages of the manual: lines of text and rows of tables that hold each of them.

Where no passage holds every word as it was typed, other forms of the words count too; where that finds nothing either,
sections do, in which the words stand apart from each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from mnemoscope.domain.search.stems import english_stem
from mnemoscope.ui.manual.manual import ManualPage

_LONGEST: Final = 150
_LEAD: Final = 40
"""Characters of a passage that are shown before the first word that was found."""
_SHORTEST_STEM: Final = 4
"""Letters of a stem that counts; a shorter one stands in too many words."""


@dataclass(frozen=True, slots=True)
class ManualPassage:
    """Describes a piece of a page: a heading, a paragraph, an item, a line of code, or a row of a table.

    `block` is the number of its first block in the page's document, `section` the heading above it.
    """

    page: ManualPage
    section: str
    text: str
    block: int
    is_heading: bool

    @property
    def where(self) -> str:
        """Returns the page, and the heading where it has one of its own."""
        return self.page.title if self.section == self.page.title else f"{self.page.title} › {self.section}"

    def excerpt(self, words: Iterable[str]) -> str:
        """Returns the passage in one short line, from shortly before the first word that was found."""
        folded = self.text.casefold()
        places = [place for word in words if (place := folded.find(word)) >= 0]
        first = min(places, default=0)
        start = 0 if first <= _LEAD else self.text.rfind(" ", 0, first - _LEAD // 2) + 1
        stop = start + _LONGEST
        shown = self.text[start:stop].replace("\n", " ")
        return f"{'…' if start else ''}{shown}{'…' if stop < len(self.text) else ''}"


@dataclass(frozen=True, slots=True)
class Found:
    """Holds what a search found: the passages, and the parts of words by which they were found."""

    passages: list[ManualPassage]
    words: list[str]


class ManualSearch:
    """Holds the passages of the pages it was given."""

    def __init__(self) -> None:
        self._passages: list[ManualPassage] = []

    def add(self, page: ManualPage, document: QTextDocument) -> None:
        """Adds the passages of a page. `document` shows it."""
        self._passages += passages_of(page, document)

    def find(self, asked: str) -> Found:
        """Returns the passages that hold every word.

        Headings stand first, then passages in which the words follow each other, then the others, each in page order.
        """
        words = asked.casefold().split()
        if not words:
            return Found([], [])
        stems = [_stem(word) for word in words]
        for wanted, passages in ((words, self._passages), (stems, self._passages), (words, self._sections())):
            found = [each for each in passages if _holds(each.text, wanted)]
            if found:
                phrase = " ".join(words)
                found.sort(key=lambda each: (not each.is_heading, phrase not in each.text.casefold()))
                return Found(found, wanted)
        return Found([], words)

    def _sections(self) -> list[ManualPassage]:
        """Returns each section as one passage, at its heading."""
        sections = groupby(self._passages, key=lambda each: (each.page.name, each.section))
        parts = [list(passages) for _section, passages in sections]
        return [replace(each[0], text="\n".join(passage.text for passage in each)) for each in parts]


def passages_of(page: ManualPage, document: QTextDocument) -> list[ManualPassage]:
    """Returns the passages of the document that shows a page, in order."""
    found: list[ManualPassage] = []
    section, row_before = page.title, None
    block = document.begin()
    while block.isValid():
        text = " ".join(block.text().split())
        row = _table_row(block)
        if block.blockFormat().headingLevel():
            section = text
        if row is not None and row == row_before:
            row_text = f"{found[-1].text} · {text}" if text else found[-1].text
            found[-1] = ManualPassage(page, section, row_text, found[-1].block, is_heading=False)
        elif text or row is not None:
            is_heading = bool(block.blockFormat().headingLevel())
            found.append(ManualPassage(page, section, text, block.blockNumber(), is_heading))
        row_before = row
        block = block.next()
    return found


def _table_row(block: QTextBlock) -> tuple[int, int] | None:
    """Returns the table a block stands in, by its first place in the text, and the row; None outside of tables."""
    cursor = QTextCursor(block)
    table = cursor.currentTable()
    return (table.firstPosition(), table.cellAt(cursor).row()) if table is not None else None


def _stem(word: str) -> str:
    stem = english_stem(word)
    return stem if len(stem) >= _SHORTEST_STEM and word.startswith(stem) else word


def _holds(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)
