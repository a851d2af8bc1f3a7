"""The person's own files of capture: rules in `capture/*.toml`, and what was marked right or wrong, `marks.jsonl`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.capture.judgements import Judgement, decode_judgement, encode_judgement
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.capture.rule_files import FOLDER, SWITCHED_OFF
from mnemoscope.store.files.atomic import make_directory, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved, MemoryText

_OWN_RULES: Final = "my-rules.toml"
"""The file to which a person's first rule goes."""
MARKS: Final = "marks.jsonl"
_NAME: Final = re.compile(r"[\w][\w.-]{0,80}\.toml")
_HEADER: Final = "# Rules of capture that are switched off; written by the capture workbench.\n"


@dataclass(frozen=True, slots=True)
class RuleFile:
    """Describes one of the person's files of rules; `digest` is what a change of it is based on."""

    name: str
    text: str
    digest: str


class UserCaptureRules:
    """Reads and writes the files of rules and the marks of one workspace. Blocks; the disk thread owns it."""

    def __init__(self, root: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.folder = root / FOLDER
        self._calls = calls

    def files(self) -> list[RuleFile]:
        """Returns the files of rules by name, without the one that only switches off; one that cannot be read is left
        out."""
        names = sorted({_OWN_RULES, *(path.name for path in self.folder.glob("*.toml"))} - {SWITCHED_OFF})
        return [
            RuleFile(name, found.text, found.digest)
            for name in names
            if (found := self._read_or_none(name)) is not None
        ]

    def write(self, name: str, text: str, based_on: str) -> RuleFile:
        """Saves a file of rules. Raises StorageError, with nothing written, where another program changed it since."""
        if not _NAME.fullmatch(name):
            raise StorageError(f"“{name}” is no name for a file of rules.", next_step="Name it like my-rules.toml.")
        try:
            saved = self._file(name).write(text, based_on=based_on)
        except MemoryMoved as error:
            raise StorageError(
                f"{name} was changed by another program meanwhile.", next_step="Look at it again; nothing was written."
            ) from error
        return RuleFile(name, saved.text, saved.digest)

    def switched_off(self) -> frozenset[str]:
        """Returns the ids of the rules that the workbench switched off."""
        found = self._read_or_none(SWITCHED_OFF)
        try:
            named = tomllib.loads(found.text).get("off") if found else None
        except (ValueError, RecursionError):
            return frozenset()
        return frozenset(map(str, named)) if isinstance(named, list) else frozenset()

    def switch_off(self, rules: Collection[str]) -> None:
        """Switches exactly these rules off. Raises StorageError."""
        rows = "".join(f"  {json.dumps(each, ensure_ascii=False)},\n" for each in sorted(rules))
        self._file(SWITCHED_OFF).write(f"{_HEADER}off = [\n{rows}]\n", based_on=None)

    def marks(self) -> list[Judgement]:
        """Returns what was marked, in order; lines that are no marks are passed over, and kept."""
        return [mark for line in self._lines() if (mark := decode_judgement(line)) is not None]

    def write_marks(self, marks: Sequence[Judgement]) -> None:
        """Writes these marks, and keeps every line that is none. Raises StorageError."""
        before = self._bytes()
        kept = [line for line in self._lines() if line.strip() and decode_judgement(line) is None]
        data = "".join(f"{line}\n" for line in [*kept, *map(encode_judgement, marks)]).encode()
        make_directory(self.folder, calls=self._calls)
        with storage_errors(self.folder / MARKS, "write"):
            replace_if_unchanged(self.folder / MARKS, data, before, _both, calls=self._calls)

    def _lines(self) -> list[str]:
        return (self._bytes() or b"").decode("utf-8", "replace").split("\n")

    def _bytes(self) -> bytes | None:
        return MemoryFile(self.folder / MARKS).read_bytes()

    def _read_or_none(self, name: str) -> MemoryText | None:
        try:
            return self._file(name).read()
        except StorageError:
            return None

    def _file(self, name: str) -> MemoryFile:
        return MemoryFile(self.folder / name, calls=self._calls)


def _both(expected: bytes | None, found: bytes, mine: bytes) -> bytes:
    """Puts the lines that another program added in the moment of the exchange behind ours."""
    known = {*(expected or b"").split(b"\n"), *mine.split(b"\n")}
    return mine + b"".join(line + b"\n" for line in found.split(b"\n") if line not in known)
