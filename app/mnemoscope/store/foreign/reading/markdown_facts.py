"""Reads what a memory in Markdown states: each line by itself, with the heading that it stands under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemoscope.domain.foreign.foreign_records import ForeignMemory, ForeignMemoryFile
from mnemoscope.domain.memory.facts import heading_title
from mnemoscope.domain.text.front_matter import without_front_matter

FACT_ROLES: Final = frozenset({"memory", "user", "index", "topic", "note", "reference"})
"""The roles of memory files whose lines are facts; others say how an agent is to behave, or sum up."""


def facts_in(file: ForeignMemoryFile) -> Iterator[ForeignMemory]:
    """Yields the facts of a memory file, a line each; none of one that is there for anything else."""
    if file.role in FACT_ROLES:
        yield from memories_in(without_front_matter(file.text), file.path)


def memories_in(markdown: str, heading: str = "") -> Iterator[ForeignMemory]:
    """Yields the lines of a memory in Markdown, without their marks, each with the heading that it stands under.

    A line that only names what follows ("**Work**") is a heading.
    """
    above = heading
    for line in markdown.splitlines():
        text = line.strip()
        if (title := heading_title(text)) is not None:
            above = title
        elif text.startswith("**") and text.endswith("**") and text.count("**") == 2 and len(text) > 4:
            above = text.strip("*: ")
        elif text := text.lstrip("-*+• \t").strip():
            yield ForeignMemory(text, heading=above)
