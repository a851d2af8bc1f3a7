"""The notes of basic-memory, a folder of Markdown that Obsidian opens too; `~/basic-memory` unless told otherwise.

Facts of the format, from its NOTE-FORMAT page in 2026:

- A note is a Markdown file. At the top stands YAML: `title`, `type` ("note" unless it says so), `tags`, `permalink`,
  `schema`, and any other key.
- An observation is a line `- [category] text #tag (context)`, a relation a line `- relation_type [[Target]] (context)`.
  Both are found by their form; no heading is needed. A box to tick, `- [ ]` or `- [x]`, and a link, `- [text](url)`,
  are no observations.
- Notes are found by a search that the model asks for: nothing of them is in a prompt by itself. There are no
  conversations, and nobody notes who wrote a line.
- Entries are observations and relations.

A folder counts as one where one of its first notes has a `permalink`, which the program adds to each, or a note with
a title and a type has an observation or a relation. Not verified against files of a person's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from mnemoscope.domain.foreign.foreign_records import ForeignMemory, ForeignMemoryFile, StoreFormat
from mnemoscope.domain.text.fences import outside_code
from mnemoscope.domain.text.front_matter import without_front_matter
from mnemoscope.store.foreign.notes.memory_only import MemoryOnlyStore
from mnemoscope.store.foreign.reading.store_files import StoreFiles
from mnemoscope.store.foreign.reading.yaml_front_matter import FrontMatter, read_front_matter

_OBSERVATION: Final = re.compile(r"\s*[-*+]\s+\[(?![ xX/-]?\])[^\[\]()]+\](?!\()\s+\S")
_RELATION: Final = re.compile(r"\s*[-*+]\s+(?!\[[ xX/-]?\])[^\[]*\[\[[^\[\]]+\]\]")
_LOOKED_AT: Final = 200
"""Notes, and folders, that are looked at to find out whether a folder is one of basic-memory's: it may be any."""


class BasicMemoryStore(MemoryOnlyStore):
    """Reads a folder of notes, and writes nothing."""

    format_name = "basic-memory"

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the notes, in the order of their paths."""
        found = []
        for name in self._files.names("", ".md"):
            text = self._files.text(name)
            if text is None:
                continue
            note = read_front_matter(text)
            if note.fault:
                self._files.problems.append(f"{name}: {note.fault}.")
            found.append(ForeignMemoryFile(name, note.text("type") or "note", text, len(_note_facts(note.body)), 0))
        return found


def _note_facts(body: str) -> list[str]:
    """Returns the observations and relations of a note, each as it stands behind the mark of its list."""
    rows = outside_code(body.split("\n"))
    return [row.strip()[1:].strip() for row in rows if _OBSERVATION.match(row) or _RELATION.match(row)]


def facts_in(file: ForeignMemoryFile) -> Iterator[ForeignMemory]:
    """Yields the observations and relations of a note; its type, which is any word, does not matter."""
    for fact in _note_facts(without_front_matter(file.text)):
        yield ForeignMemory(fact, heading=file.path)


def root_of(folder: Path) -> Path | None:
    """Returns a folder that holds notes of basic-memory, None for any other."""
    if not os.path.isdir(folder):
        return None
    return folder if any(map(_is_own, islice(_notes(folder), _LOOKED_AT))) else None


def _notes(folder: Path) -> Iterator[FrontMatter]:
    files = StoreFiles(folder)
    for parent, folders, names in islice(os.walk(folder), _LOOKED_AT):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(".md") and not name.startswith("."):
                yield read_front_matter(files.text((Path(parent) / name).relative_to(folder).as_posix()) or "")


def _is_own(note: FrontMatter) -> bool:
    permalink = note.text("permalink")
    # Web sites made of Markdown have permalinks too: addresses, which begin with a slash.
    if permalink and not permalink.startswith("/") and "layout" not in note.fields:
        return True
    return bool(note.text("title") and note.text("type") and _note_facts(note.body))


def usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    """Returns where the notes lie on a computer."""
    given = environment.get("BASIC_MEMORY_HOME", "")
    return (Path(given).expanduser() if given else home / "basic-memory",)


FORMAT: Final = StoreFormat("basic-memory", "basic-memory", root_of, usual_roots)
