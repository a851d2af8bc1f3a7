"""The memory of an agent of Letta: MemFS, a git repository of Markdown files, `~/.letta/agents/<agent>/memory/`.

Facts of the format, from docs.letta.com and the source of letta-code in 2026 (no official promise, and it moves):

- Each file is a block of memory. `system/**.md` is in every prompt, whole; all others are read by need: `reference/`,
  `skills/<name>/SKILL.md`, what lies beside them. At the top stands YAML with a `description`, in older ones `limit`
  and `read_only`.
- Files that are no Markdown are memory too, and the viewer of Letta's own hides them: all are listed here. Text of them
  is shown, other bytes are not. Hidden files, `.git` and `.sync-state.json`, are the program's own.
- Conversations lie on a server, in no file, so that no line leads to a message. Each change of memory is a commit of
  the repository, whose author and subject say where its lines came from.
- Entries are the bullets of a file, or the one text where it has none.

Not verified against files of a person's: all layouts here come from the documentation and the source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile, MemoryCommit, StoreFormat
from mnemoscope.store.files.atomic import open_to_read
from mnemoscope.store.foreign.notes.memory_only import MemoryOnlyStore
from mnemoscope.store.foreign.reading.git_commits import GitCommits
from mnemoscope.store.foreign.reading.record_values import bullets_in
from mnemoscope.store.foreign.reading.yaml_front_matter import read_front_matter

_LOOKED_AT: Final = 8_192
_MARKDOWN: Final = (".md", ".mdx", ".markdown")


class LettaStore(MemoryOnlyStore):
    """Reads the memory of one agent, or of all that lie in `~/.letta`, and writes nothing."""

    format_name = "letta"

    def __init__(self, root: Path, private: Path | None = None) -> None:
        """`private` is not needed: no database is read."""
        super().__init__(root, private)
        self._commits: dict[str, GitCommits] = {}

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files, those that are loaded first."""
        found = []
        for folder in _memories(self.root):
            place = folder.relative_to(self.root).as_posix().removeprefix(".")
            for name in self._files.names(place):
                inside = name.removeprefix(f"{place}/") if place else name
                found.append(self._memory_file(name, inside))
        return sorted((each for each in found if each is not None), key=lambda each: not each.loaded_characters)

    def commits(self, path: str, goes_on: GoesOn = to_the_end) -> Sequence[MemoryCommit]:
        """Returns the commits in which a memory file came or changed, oldest first."""
        for folder in _memories(self.root):
            place = folder.relative_to(self.root).as_posix().removeprefix(".")
            if not place or path.startswith(f"{place}/"):
                repository = self._commits.setdefault(place, GitCommits(self._files, place))
                return repository.of_file(path.removeprefix(f"{place}/") if place else path, goes_on)
        return ()

    def close(self) -> None:
        """Closes the commits, and clears what could not be read."""
        for each in self._commits.values():
            each.close()
        self._commits.clear()
        super().close()

    def _memory_file(self, name: str, inside: str) -> ForeignMemoryFile | None:
        if not name.endswith(_MARKDOWN) and self._is_binary(name):
            return ForeignMemoryFile(name, "file", "", 0, 0)
        text = self._files.text(name)
        if text is None:
            return None
        if not name.endswith(_MARKDOWN):
            return ForeignMemoryFile(name, "file", text, int(bool(text.strip())), 0)
        read = read_front_matter(text)
        if read.fault:
            self._files.problems.append(f"{name}: {read.fault}.")
        entries = bullets_in(read.body) or int(bool(read.body.strip()))
        return ForeignMemoryFile(name, _role(inside), text, entries, len(text) if inside.startswith("system/") else 0)

    def _is_binary(self, name: str) -> bool:
        path = self.root / name
        with suppress(OSError):
            if self._files.is_within(path):
                with open_to_read(path) as file:
                    return b"\0" in file.read(_LOOKED_AT)
        return False


def _role(inside: str) -> str:
    if inside.startswith("system/"):
        return "memory"
    if inside.startswith("skills/"):
        return "instructions"
    return "reference" if inside.startswith("reference/") else "topic"


def _memories(root: Path) -> list[Path]:
    """Returns the memory folders that a root holds: itself, or those of its agents."""
    return [root] if _is_memory(root) else sorted(filter(_is_memory, root.glob("agents/*/memory")))


def _is_memory(folder: Path) -> bool:
    """Tells whether a folder is MemFS: it has `system/` with Markdown, and is a repository or lies with Letta."""
    with suppress(OSError):
        if (folder / ".git").exists() or ".letta" in folder.parts:
            return next((folder / "system").rglob("*.md"), None) is not None
    return False


def root_of(folder: Path) -> Path | None:
    """Returns the memory folder that a folder is, lies in or holds, or the `.letta` of several agents."""
    if folder.name == ".letta" and _memories(folder):
        return folder
    if _is_memory(folder / "memory"):
        return folder / "memory"
    return next((place for place in (folder, *folder.parents) if _is_memory(place)), None)


def usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    """Returns where the memory lies on a computer."""
    given = environment.get("MEMORY_DIR", "")
    return (Path(given).expanduser(), home / ".letta") if given else (home / ".letta",)


FORMAT: Final = StoreFormat("letta", "Letta", root_of, usual_roots)
