"""The memory of the reference server of the Model Context Protocol, `server-memory`: one file of JSON lines.

Facts of the format, from the server's source in 2026:

- Each line is `{"type": "entity", "name", "entityType", "observations": [text]}` or `{"type": "relation", "from", "to",
  "relationType"}`. The file is `MEMORY_FILE_PATH`, else `memory.jsonl` beside the server; of older versions it ends in
  `.json`.
- The server writes the whole file anew with each change, so nothing in it tells who wrote a line. It has no
  conversations, and nothing of it is in a prompt by itself: a model asks for it.
- Entries are the observations and the relations. A line of another type is kept and counted.
- Where everything was deleted the file is empty, and known by its usual name alone. Damage in some lines leaves it
  known by the others, and a line that is cut off by how the server begins one.

Not verified against files of a person's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.foreign.foreign_records import ForeignMemory, ForeignMemoryFile, StoreFormat
from mnemoscope.store.files.atomic import open_to_read
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.notes.memory_only import MemoryOnlyStore
from mnemoscope.store.foreign.reading.record_values import text_in

_NAMES: Final = ("memory.jsonl", "memory.json")
_RELATION: Final = ("from", "relationType", "to")
_LOOKED_AT: Final = 1 << 16
_BEGINNING: Final = re.compile(rb'\s*\{\s*"type"\s*:\s*"(?:entity|relation)"\s*,')
_MOST_FILES: Final = 50
_MOST_PROBLEMS: Final = 20


class McpMemoryStore(MemoryOnlyStore):
    """Reads the file of one server, and writes nothing."""

    format_name = "mcp-memory"

    def __init__(self, root: Path, private: Path | None = None) -> None:
        """`root` is the folder of the file, or the file itself."""
        super().__init__(root.parent if root.is_file() else root, private)
        self._name = root.name if root.is_file() else next(iter(_files_in(root)), _NAMES[0])
        self._unknown = 0

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the file."""
        text = self._files.text(self._name)
        if text is None:
            return ()
        entries, self._unknown, damaged = 0, 0, []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                found = _entries(decode_object(line.encode("utf-8", "replace")))
            except RecordDamaged as damage:
                damaged.append(f"{self._name}: line {number:,} {damage}.")
                continue
            if found is None:
                self._unknown += 1
            else:
                entries += found
        self._files.problems += damaged[:_MOST_PROBLEMS]
        return (ForeignMemoryFile(self._name, "memory", text, entries, 0),)

    def unknown_entries(self) -> int:
        """Returns how many lines are of a type that this reader does not know."""
        return self._unknown


def facts_in(file: ForeignMemoryFile) -> Iterator[ForeignMemory]:
    """Yields the observations and the relations of the file, as sentences without a verb of their own."""
    for line in file.text.split("\n"):
        try:
            record = decode_object(line.encode("utf-8", "replace"))
        except RecordDamaged:
            continue
        observations = record.get("observations")
        name, kind, *relation = (text_in(record.get(key)) for key in ("name", "entityType", *_RELATION))
        for each in observations if isinstance(observations, list) else ():
            if text := text_in(each).strip():
                yield ForeignMemory(f"{name}: {text}" if name else text, heading=kind)
        if record.get("type") == "relation" and all(relation):
            yield ForeignMemory(" ".join(relation))


def _entries(line: Mapping[str, Any]) -> int | None:
    """Returns how many entries a line holds, None for one of no known type."""
    if line.get("type") == "entity":
        observations = line.get("observations")
        return len([each for each in observations if isinstance(each, str)]) if isinstance(observations, list) else 0
    return 1 if line.get("type") == "relation" else None


def _is_memory(path: Path) -> bool:
    """Tells whether a file has an entity or a relation among its first lines; an empty one has the usual name."""
    with suppress(OSError), open_to_read(path) as file:
        lines = [line for line in file.read(_LOOKED_AT).split(b"\n") if line.strip()]
        return any(map(_is_own, lines)) if lines else path.name in _NAMES
    return False


def _is_own(line: bytes) -> bool:
    try:
        found = decode_object(line)
    except RecordDamaged:
        # It is cut off, damaged, or longer than what is looked at.
        return _BEGINNING.match(line) is not None
    return _entries(found) is not None and ("name" in found or "relationType" in found)


def _files_in(folder: Path) -> Iterator[str]:
    """Yields the names of the files in a folder that are such a memory, the usual ones first."""
    with suppress(OSError):
        others = sorted(each.name for each in folder.glob("*.jsonl") if each.name not in _NAMES)
        yield from (name for name in (*_NAMES, *others[:_MOST_FILES]) if _is_memory(folder / name))


def root_of(folder: Path) -> Path | None:
    """Returns a folder with such a file, or the file itself, None for any other."""
    if folder.is_file():
        return folder if _is_memory(folder) else None
    return folder if next(iter(_files_in(folder)), None) is not None else None


def usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    """Returns where the memory lies on a computer: nowhere by itself, where it was told to."""
    given = environment.get("MEMORY_FILE_PATH", "")
    return (Path(given).expanduser(),) if given else ()


FORMAT: Final = StoreFormat("mcp-memory", "MCP memory", root_of, usual_roots)
