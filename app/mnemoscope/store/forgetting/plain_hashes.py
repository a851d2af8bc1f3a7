"""Takes out of the records of a workspace each plain hash of a text that is not there any more.

Who has the text of today and guesses what was taken out of it could tell by the hash of the former one whether the
guess is right. A former text that is kept without the words goes by its own hash afterwards, and all records with it.
Any other hash becomes one that is made with a key which nobody has afterwards; it is the same wherever the hash stood.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.store.files.atomic import digest_of, fsync_directory, read_stable, remove_file, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.json_record import RecordDamaged, bare
from mnemoscope.store.forgetting.place_formats import decoded_json
from mnemoscope.store.memory.tracked_files import present_files
from mnemoscope.store.sessions.file_format.record_line import decode_message, session_record
from mnemoscope.store.workspace.paths import WorkspacePaths

_HASH: Final = re.compile(r"[0-9a-f]{64}\Z")
_HASHES: Final = frozenset(
    {"before", "after", "based_on", "before_version", "history_tail", "memory_before_version", "memory_merged"}
    | {"merged", "tail"}
)
"""Fields of records that may be the hash of a text."""
_OF_MESSAGES: Final = ("range_hash", "key")
"""Fields of a consolidation that are made of its messages."""
_NAMES: Final = frozenset({"id", "detail", "origin_detail", "settles", "suggestions"})
"""Fields of records that may name a suggestion."""
_MARKS: Final = frozenset({"deleted", "restored", "deletions"})
"""Fields of records that list hashes of facts."""
FIELDS_LOOKED_AT: Final = _HASHES | {*_OF_MESSAGES} | _NAMES | _MARKS | {"path", "digest", "commit"}
_HALF: Final = 32


@dataclass(frozen=True, slots=True)
class _Talk:
    """Describes a conversation in one file: for each of its messages, whether it was deleted."""

    key: str
    deleted: tuple[bool, ...]


class PlainHashes:
    """Rewrites the hashes in the records of one workspace. `secret`: the key of those that take the place of others,
    which is kept until all are written; `suggestions`: ids that are made of words, each with the one that takes its
    place; `marks`: the hashes of facts that are forgotten; `taken`: the files that words were taken out of, relative to
    the workspace; `commits`: the ids of all commits, None where they are as they were."""

    def __init__(
        self,
        paths: WorkspacePaths,
        secret: str,
        conversations: Callable[[], Iterable[Path]],
        *,
        suggestions: Mapping[str, str],
        marks: Collection[str] = (),
        taken: Collection[str] = (),
        commits: Collection[str] | None = None,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._secret = bytes.fromhex(secret)
        self._suggestions = suggestions
        self._conversations = conversations
        self._marks = frozenset(marks)
        self._taken = frozenset(taken)
        self._commits = commits
        self._calls = calls

    def replace(self, before: dict[Path, bytes | None]) -> None:
        """Writes every record anew that has such a hash, then gives the files that go by one their new names; once
        however often it is asked for, with the same secret. Adds to `before` what each file held, None where there was
        none, unless it is there. Raises StorageError."""
        own = self._paths.own
        renamed = {path: own.text_versions_dir / name for path, name in self._versions.items() if path.name != name}
        for path in self._records():
            self._rewrite(path, before)
        for old, new in self._suggestions.items():
            for folder in (own.suggestions_dir, own.settled_dir):
                if (folder / f"{old}.json").is_file():
                    renamed[folder / f"{old}.json"] = folder / f"{new}.json"
        for source, target in renamed.items():
            before.setdefault(source, read_stable(source))
            before.setdefault(target, read_stable(target))
            self._rename(source, target)

    def name_of(self, path: str) -> str:
        """Returns the name that a file of the workspace has afterwards, relative to it with slashes."""
        folder, _, name = path.rpartition("/")
        stem, dot, ending = name.partition(".")
        if _HASH.match(name) and self._paths.root / folder == self._paths.own.text_versions_dir:
            return f"{folder}/{self._fresh(name)}"
        return f"{folder}/{self._suggestions[stem]}{dot}{ending}" if folder and stem in self._suggestions else path

    @cached_property
    def _versions(self) -> dict[Path, str]:
        """Returns the former texts, each with the hash of what it says now."""
        found: dict[Path, str] = {}
        with suppress(OSError):
            for path in sorted(self._paths.own.text_versions_dir.iterdir()):
                if _HASH.match(path.name) and (data := read_stable(path)) is not None:
                    found[path] = digest_of(data)
        return found

    @cached_property
    def _new_names(self) -> dict[str, str]:
        return {path.name: name for path, name in self._versions.items()}

    @cached_property
    def _known(self) -> frozenset[str]:
        """Returns the hashes of texts that are there."""
        return frozenset(self._versions.values()) | {digest_of(data) for _, data in present_files(self._paths)}

    @cached_property
    def _talks(self) -> list[_Talk]:
        return [talk for path in self._conversations() if (talk := _talk(read_stable(path) or b"")) is not None]

    def _records(self) -> Iterator[Path]:
        own = self._paths.own
        folders = (own.ledger_dir, own.suggestions_dir, own.settled_dir, own.drafts_dir, own.message_trash_dir)
        for path in (own.memory_change_log, own.captures_log, own.dream_runs, *_plain_files(own.folder / "changes")):
            if path.is_file():
                yield path
        for folder in (*folders, own.imports_dir, own.forgetting_receipts_dir):
            yield from _plain_files(folder)

    def _rewrite(self, path: Path, before: dict[Path, bytes | None]) -> None:
        data = read_stable(path)
        if data is None:
            return
        is_sealed = path.parent in (self._paths.own.ledger_dir, self._paths.own.message_trash_dir)
        clean = (
            self._sealed(data)
            if is_sealed
            else self._lines(data, whole=path.parent == self._paths.own.forgetting_receipts_dir)
        )
        if clean != data:
            before.setdefault(path, data)
            replace_bytes(path, clean, calls=self._calls)

    def _sealed(self, data: bytes) -> bytes:
        line, _, seal = data.partition(b"\n")
        clean = self._lines(line)
        if clean == line or seal.strip() != digest_of(line).encode():
            return data
        return clean + b"\n" + digest_of(clean).encode() + b"\n"

    def _lines(self, data: bytes, *, whole: bool = False) -> bytes:
        if whole:
            value = decoded_json(data)
            fresh = self._value(value, "")
            return data if fresh == value else json.dumps(fresh, ensure_ascii=False, indent=1).encode() + b"\n"
        lines = data.split(b"\n")
        for number, line in enumerate(lines):
            value = decoded_json(line)
            if value is not None and (fresh := self._value(value, "")) != value:
                lines[number] = json.dumps(fresh, ensure_ascii=line.isascii()).encode("utf-8", "surrogatepass")
        return b"\n".join(lines)

    def _value(self, value: Any, field: str) -> Any:
        if isinstance(value, str):
            return self._text(value, field)
        if isinstance(value, list):
            return self._list(value, field)
        if isinstance(value, dict):
            fresh = {name: self._value(each, name) for name, each in value.items()}
            if value.get("path") in self._taken and "digest" in value:
                # An earlier receipt: the file had these words still.
                fresh["digest"] = ""
            return fresh if not isinstance(value.get("range_hash"), str) else self._consolidation(fresh)
        return value

    def _list(self, values: list[Any], field: str) -> list[Any]:
        if field in _MARKS:
            return [each for each in values if not self._is_forgotten(each)]
        return [self._value(each, field) for each in values]

    def _is_forgotten(self, mark: Any) -> bool:
        """Returns whether a hash of a fact, alone or with a time behind it, is one of a forgotten fact."""
        name = mark[0] if isinstance(mark, list) and mark else mark
        return isinstance(name, str) and name in self._marks

    def _text(self, value: str, field: str) -> str:
        if field in _HASHES and _HASH.match(value):
            return self._fresh(value)
        if field == "commit" and self._commits is not None:
            return value if value in self._commits else ""
        if field in _NAMES:
            return self._suggestions.get(value, value)
        return self.name_of(value) if field == "path" and value.startswith(".mnemoscope/") else value

    def _consolidation(self, record: dict[str, Any]) -> dict[str, Any]:
        """Returns a consolidation without hashes of messages that are not there as they were."""
        start, stop = record.get("start"), record.get("stop")
        if not isinstance(start, int) or not isinstance(stop, int):
            return record
        same = [talk for talk in self._talks if talk.key == record.get("session_key")]
        if same and not any(any(talk.deleted[start:stop]) for talk in same):
            return record
        hashes = {name: record[name] for name in _OF_MESSAGES if _is_hash(record.get(name))}
        return record | {name: self._keyed(value) for name, value in hashes.items()}

    def _fresh(self, value: str) -> str:
        if value in self._new_names:
            return self._new_names[value]
        return value if value in self._known else self._keyed(value)

    def _keyed(self, value: str) -> str:
        """Returns what takes the place of a hash; of what took one's place already, itself."""
        if value[_HALF:] == self._half(value[:_HALF]):
            return value
        first = self._half(value)
        return first + self._half(first)

    def _half(self, value: str) -> str:
        return hmac.digest(self._secret, value.encode(), "sha256").hex()[:_HALF]

    def _rename(self, source: Path, target: Path) -> None:
        if target.exists():
            remove_file(source, calls=self._calls)
        else:
            self._calls.replace(str(source), str(target))
            fsync_directory(target.parent, calls=self._calls)


def new_suggestion_id(secret: str, former: str) -> str:
    """Returns the id that takes the place of one which is made of words."""
    return hmac.digest(bytes.fromhex(secret), former.encode(), "sha256").hex()[: len(former)]


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and _HASH.match(value) is not None


def _plain_files(folder: Path) -> Sequence[Path]:
    with suppress(OSError):
        return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    return ()


def _talk(data: bytes) -> _Talk | None:
    key, deleted = "", list[bool]()
    for line in data.split(b"\n"):
        if not bare(line):
            continue
        if (record := session_record(line)) is not None:
            key = key or str(record.get("key") or "")
            continue
        try:
            deleted.append(is_deleted(decode_message(line)))
        except RecordDamaged:
            deleted.append(False)
    return _Talk(key, tuple(deleted)) if key else None
