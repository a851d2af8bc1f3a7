"""Tells which agents hold the same fact: a line in the same words, whatever its case, mark and punctuation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.domain.copying.fact_target import FactForm
from mnemoscope.domain.copying.fact_text import facts_in, plain_fact
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile
from mnemoscope.domain.memory.facts import fact_key

_FORMS = {"hermes": FactForm.SECTION, "mcp-memory": FactForm.ENTITY, "basic-memory": FactForm.OBSERVATION}
_LEAST_WORDS = 2
"""A line of one word, as "Python", is no fact that another file holds."""


@dataclass(frozen=True, slots=True)
class FactHolder:
    """Describes a memory file that states a fact: the agent as a person calls it, the store's root, the path in it."""

    title: str
    root: Path
    path: str


class HeldFacts:
    """Holds the facts in the memory files of several stores, by what they say."""

    def __init__(self) -> None:
        self._holders: defaultdict[str, dict[FactHolder, None]] = defaultdict(dict)

    def add(self, store: str, title: str, root: Path, files: Iterable[ForeignMemoryFile]) -> None:
        """Notes what the memory files of a store state. `store` is the name of its format."""
        form = _FORMS.get(store, FactForm.BULLET)
        for file in files:
            holder = FactHolder(title, root, file.path)
            for fact in facts_in(file.text, form):
                self._holders[fact_key(fact)][holder] = None

    def holders_of(self, line: str, *, besides: tuple[Path, str] | None = None) -> list[FactHolder]:
        """Returns the files that state what a line states, but for one of a store's root and path."""
        stated = facts_in(line, FactForm.ENTITY) if line.lstrip().startswith("{") else []
        wanted = filter(_says_enough, map(fact_key, stated or [plain_fact(line)]))
        found = dict.fromkeys(each for key in wanted for each in self._holders.get(key, ()))
        return [each for each in found if (each.root, each.path) != besides]


def _says_enough(key: str) -> bool:
    return len(key.split()) >= _LEAST_WORDS or not key.isascii()
