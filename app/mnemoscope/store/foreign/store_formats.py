"""The formats that can be read. Another one is a module in `agents` or `notes`, and a line here.

The readers are loaded where a store is first asked for: most windows and commands never ask for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mnemoscope.domain.foreign.foreign_records import ForeignMemory, ForeignMemoryFile, StoreFormat
from mnemoscope.domain.foreign.foreign_store import ForeignStore
from mnemoscope.store.foreign.reading import markdown_facts


@dataclass(frozen=True, slots=True)
class StoreReader:
    """Holds a format, and what opens a store of it, given its root and a folder for private copies; None: a temporary
    one.

    `facts` takes a memory file apart into the facts that it states, in the units in which its program keeps them.
    """

    format: StoreFormat
    open: Callable[[Path, Path | None], ForeignStore]
    facts: Callable[[ForeignMemoryFile], Iterator[ForeignMemory]]


@cache
def readers() -> tuple[StoreReader, ...]:
    """Returns the formats, in the order in which a folder is asked for; loads them, which takes a fifth of a second."""
    from mnemoscope.store.foreign.agents import claude_code, codex, hermes, openclaw
    from mnemoscope.store.foreign.notes import basic_memory, letta, mcp_memory

    return (
        StoreReader(claude_code.FORMAT, claude_code.ClaudeCodeStore, markdown_facts.facts_in),
        StoreReader(openclaw.FORMAT, openclaw.OpenClawStore, markdown_facts.facts_in),
        StoreReader(codex.FORMAT, codex.CodexStore, markdown_facts.facts_in),
        StoreReader(hermes.FORMAT, hermes.HermesStore, hermes.facts_in),
        StoreReader(letta.FORMAT, letta.LettaStore, markdown_facts.facts_in),
        StoreReader(mcp_memory.FORMAT, mcp_memory.McpMemoryStore, mcp_memory.facts_in),
        # Last: any folder of Markdown is looked into.
        StoreReader(basic_memory.FORMAT, basic_memory.BasicMemoryStore, basic_memory.facts_in),
    )


def title_of_format(name: str) -> str:
    """Returns what a format is called; the name itself where it is not known."""
    return next((reader.format.title for reader in readers() if reader.format.name == name), name)


def facts_in(format_name: str, file: ForeignMemoryFile) -> list[ForeignMemory]:
    """Returns the facts that a memory file of a format states."""
    return [fact for reader in readers() if reader.format.name == format_name for fact in reader.facts(file)]


def open_store(path: Path, *, private: Path | None = None) -> ForeignStore | None:
    """Opens the store that a folder is or lies in, None where it is of no known format."""
    folder = path.expanduser().absolute()
    for reader in readers():
        if (root := reader.format.root_of(folder)) is not None:
            return reader.open(root, private)
    return None


def usual_stores(home: Path, environment: Mapping[str, str]) -> Iterator[tuple[StoreFormat, Path]]:
    """Yields the stores that are at their usual places on this computer: each format with its root."""
    for reader in readers():
        for place in reader.format.usual_roots(home, environment):
            if (root := reader.format.root_of(place)) is not None:
                yield reader.format, root
