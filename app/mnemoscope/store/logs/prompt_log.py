"""Keeps exactly what was sent with each turn: .mnemoscope/prompts/, one file a conversation, added to and bounded.

A line is one request: JSON, compressed, in base64. Texts stand in the file under their hash, with the first request
that has them and again only after many others; `check` is the hash of the record that names them, with model, options
and time, which versions before it did not write. A file that grows too long is put aside whole and the next one stands
by itself. Derived from nothing and needed by nothing: what cannot be read is left out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import logging
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from mnemoscope.domain.context.prompt_snapshot import ALTERED, UNCHECKED
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.append import append_bytes, ends_whole
from mnemoscope.store.files.atomic import make_folder, read_stable, remove_file, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

log = logging.getLogger(__name__)

_MOST_BYTES: Final = 4_000_000
_MOST_FILES: Final = 60
_MOST_NAMES: Final = 512
"""The names of texts that are known of a file, those used last: a text from before is written once more."""
_LONGEST_LINE: Final = 64_000_000
"""Bytes of a line once decompressed, beyond which it is none of ours."""


@dataclass(frozen=True, slots=True)
class KeptPrompts:
    """Holds the requests of a conversation, oldest first, and the texts they name by hash."""

    records: tuple[Mapping[str, Any], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    doubts: Mapping[int, str] = field(default_factory=dict)
    """By the place of a record, why it may not be as it was written: ALTERED or UNCHECKED."""


class KeptRequest(NamedTuple):
    """Describes one request, and the texts that are new with it. `check` is the hash of its record as it was written,
    "" in files of earlier versions."""

    record: Mapping[str, Any]
    texts: Mapping[str, str]
    check: str = ""

    @property
    def doubt(self) -> str:
        """Returns why the record may not be as it was written, as a sentence; "" where its hash says that it is."""
        if not self.check:
            return UNCHECKED
        return "" if self.check == _check_of(self.record) else ALTERED


def prompt_files(folder: Path, conversation: str) -> tuple[Path, Path]:
    """Returns the files in which the requests of a conversation are kept, whether they are there or not: the one that
    was put aside, and the one that is added to."""
    path = folder / f"{text_hash(conversation)}.log"
    return _older(path), path


def text_hash(text: str) -> str:
    """Returns the name a text goes by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class PromptLog:
    """Keeps the requests of one workspace's conversations."""

    def __init__(
        self,
        folder: Path,
        *,
        most_bytes: int = _MOST_BYTES,
        most_files: int = _MOST_FILES,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self.folder = folder
        self._most_bytes = most_bytes
        self._most_files = most_files
        self._calls = calls
        self._known: dict[Path, tuple[int, dict[str, None]]] = {}
        """The names of texts that a file holds, the one used last at the end, with the file's inode: one that was
        written anew, such as by a forgetting, holds others."""

    def append(self, conversation: str, record: Mapping[str, Any], texts: Mapping[str, str]) -> None:
        """Keeps one request, which names `texts` by hash. Raises DiskFull or StorageError."""
        make_folder(self.folder, calls=self._calls)
        path = self._path(conversation)
        with storage_errors(path, "write"):
            size = path.stat().st_size if path.exists() else 0
            if size > self._most_bytes:
                self._calls.replace(str(path), str(_older(path)))
            if size > self._most_bytes or not size:
                self._known.pop(path, None)
                self._drop_the_oldest(path)
            before = b"" if not size or size > self._most_bytes or ends_whole(path) else b"\n"
        known = self._known_in(path)
        line = encode_request(
            {"record": dict(record), "texts": {name: texts[name] for name in texts if name not in known}}
        )
        append_bytes(path, before + line, calls=self._calls)
        used_last = [*(name for name in known if name not in texts), *texts]
        self._known[path] = _inode(path), dict.fromkeys(used_last[-max(_MOST_NAMES, len(texts)) :])

    def read(self, conversation: str) -> KeptPrompts:
        """Returns every request that is kept. Raises UnreadableFile."""
        found = [request for file in prompt_files(self.folder, conversation) for request in _requests(file)]
        texts = {name: text for request in found for name, text in request.texts.items()}
        doubts = {place: request.doubt for place, request in enumerate(found) if request.doubt}
        return KeptPrompts(tuple(request.record for request in found), texts, doubts)

    def newest_texts(self) -> Iterator[tuple[str, list[str]]]:
        """Yields when the newest request of each conversation that brought new texts was made, "" where it does not
        say, and these texts. Raises UnreadableFile."""
        for file in sorted(self.folder.glob("*.log")):
            found = [each for each in _requests(file) if each.texts]
            new = [(str(each.record.get("when") or ""), list(each.texts.values())) for each in found]
            yield from new[-1:]

    def forget(self, conversation: str) -> None:
        """Drops what is kept of a conversation. Raises StorageError."""
        self._known.pop(self._path(conversation), None)
        for file in prompt_files(self.folder, conversation):
            if file.exists():
                remove_file(file, calls=self._calls)

    def _known_in(self, path: Path) -> dict[str, None]:
        before, known = self._known.get(path, (0, dict[str, None]()))
        inode = _inode(path)
        if not inode or inode != before:
            known = dict.fromkeys(name for request in _requests(path) for name in request.texts)
        return known

    def _drop_the_oldest(self, path: Path) -> None:
        """Removes the oldest files before a new one is begun: those of conversations nobody has talked in for long."""
        others = [file for file in self.folder.glob("*.log") if file not in (path, _older(path))]
        others.sort(key=lambda file: (file.stat().st_mtime_ns, file.name))
        for file in others[: max(0, len(others) - self._most_files + 1)]:
            try:
                remove_file(file, calls=self._calls)
            except StorageError as error:
                log.warning("an old record of prompts could not be removed: %s", error)

    def _path(self, conversation: str) -> Path:
        return prompt_files(self.folder, conversation)[1]


def _inode(path: Path) -> int:
    """Returns the inode of a file, 0 where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _older(path: Path) -> Path:
    return path.with_suffix(".1.log")


def encode_request(document: Mapping[str, Any]) -> bytes:
    """Returns the line of one request: `record`, the `texts` that are new with it, and the record's `check`, which is
    made where it is not given."""
    data = _as_json({"check": _check_of(document["record"]), **document}).encode("ascii")
    return base64.b64encode(zlib.compress(data, 6)) + b"\n"


def _check_of(record: Mapping[str, Any]) -> str:
    return text_hash(_as_json(record))


def _as_json(value: Mapping[str, Any]) -> str:
    """Returns JSON that is the same once more when it was read and is written again."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), default=str)


def _requests(path: Path) -> Iterator[KeptRequest]:
    """Yields the requests of one file; a line that a crash or a hand damaged costs only itself, and a text that was
    changed from outside is left out, since it is not the one that was sent."""
    data = read_stable(path)
    for line in (data or b"").split(b"\n"):
        request = decode_request(line) if line else None
        if request is not None:
            sound = {name: text for name, text in request.texts.items() if text_hash(text) == name}
            yield request._replace(texts=sound)


def decode_request(line: bytes) -> KeptRequest | None:
    """Returns the request of a line, None where the line holds none."""
    try:
        unpacked = zlib.decompressobj().decompress(base64.b64decode(line, validate=True), _LONGEST_LINE)
        document = json.loads(unpacked)
        record, texts, check = document["record"], document["texts"], document.get("check", "")
    except (binascii.Error, zlib.error, ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(texts, dict):
        return None
    return KeptRequest(record, {name: text for name, text in texts.items() if isinstance(text, str)}, str(check))
