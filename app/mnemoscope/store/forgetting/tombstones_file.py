"""The tombstones of one workspace, at `.mnemoscope/tombstones.json`: keyed hashes of what the person had forgotten.

The key lies outside the workspace. The file is a list of rings: each belongs to one key, which its `check` tells, and
has a salt of its own. A ring whose key is not here can hold nothing back and is kept as it is.
"""

from __future__ import annotations

import hmac
import json
import logging
import os
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.tombstone import (
    HashedTerm,
    Recall,
    Seal,
    TermWeight,
    Tombstone,
    hashed_parts,
    is_said_again,
    tombstones_of,
)
from mnemoscope.store.files.atomic import make_folder, read_at_most, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.program_folders import ProgramFolders

log = logging.getLogger(__name__)
NO_KEY: Final = (
    "The key to what you chose to forget in this workspace is not here, so it cannot be told from what is new. Until"
    " the key is here, everything that would be added to memory waits for your review."
)
_FORMAT: Final = 1
_SIZE_LIMIT: Final = 64_000_000
"""Bytes."""
_HASH_BYTES: Final = 12
_SALT_BYTES: Final = 16
_NAME_BYTES: Final = 8
_LINES_KNOWN: Final = 20_000
"""The most lines for which it is remembered whether they are forgotten."""
_MOST_LIFTED: Final = 500
"""Tombstones of a ring that are kept for the undo of what lifted them, the newest."""


@dataclass(frozen=True, slots=True)
class _Ring:
    """Holds the tombstones made with one key. `stones` is None where that key is not here: then `raw` is all there
    is."""

    raw: dict[str, Any]
    key: bytes = b""
    stones: tuple[Tombstone, ...] | None = None
    index: Mapping[str, list[int]] = field(default_factory=dict)
    """The places of the tombstones that each hash finds."""
    lifted: tuple[tuple[str, Tombstone], ...] = ()
    """Tombstones that hold nothing as long as what lifted them stands, each with the keyed hash of its name."""

    @property
    def salt(self) -> str:
        """Returns what makes its hashes differ from those of other workspaces, as hexadecimal digits."""
        return str(self.raw["salt"])

    @property
    def seal(self) -> Seal:
        """Returns what hashes a term for this ring."""
        return partial(_hash, self.key, self.salt)


@dataclass(frozen=True, slots=True)
class Lifted:
    """Tombstones that were taken away for something that may be refused, by the salt of their ring."""

    owner: Tombstones
    stones: Mapping[str, frozenset[Tombstone]]

    def put_back(self) -> None:
        """Has what they hold be forgotten again. Raises StorageError."""
        self.owner.put_back(self.stones)


def tombstones_of_this_person(paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> Tombstones:
    """Returns the tombstones of a workspace with the key that this person has on this computer."""
    key = TombstoneKey(Keychain(), ProgramFolders.of_this_person().state)
    return Tombstones(paths.own.tombstones_file, key, calls=calls)


@contextmanager
def put_back_if_refused(lifted: Iterable[Lifted]) -> Iterator[None]:
    """Has what was lifted for something be held again where that is refused."""
    try:
        yield
    except StorageError:
        for each in lifted:
            each.put_back()
        raise


class Tombstones:
    """Holds what the person had forgotten in one workspace. Safe from any thread; it blocks on the disk, and on the
    keychain the first time there is anything to compare with.

    Reading never raises. A file that cannot be read, or whose key is not here, makes `match` say so of every text.
    """

    def __init__(self, path: Path, key: TombstoneKey, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._key = key
        self._calls = calls
        self._lock = threading.RLock()
        self._seen: tuple[int, int, int] | None = None
        """Inode, size and time of change of the file that the rings were read from."""
        self._rings: tuple[_Ring, ...] = ()
        self._known: dict[str, Recall | None] = {}

    def beside(self, path: Path) -> Tombstones:
        """Returns the tombstones of another file, with the same key."""
        return Tombstones(path, self._key, calls=self._calls)

    @property
    def count(self) -> int:
        """Returns how many facts are held, those whose key is not here among them."""
        with self._lock:
            self._refresh()
            return sum(len(ring.raw["tombstones"]) for ring in self._rings)

    @property
    def owners(self) -> frozenset[str]:
        """Returns the ids of the forgettings that made what is held, or would be again, those whose key is not here
        left out."""
        with self._lock:
            self._refresh()
            return frozenset(owner for ring in self._rings for stone in _all_of(ring) for owner in stone.owners)

    @property
    def held(self) -> frozenset[str]:
        """Returns the keyed hash of each line that is held, those whose key is not here left out."""
        with self._lock:
            self._refresh()
            return frozenset(stone.whole for ring in self._rings for stone in ring.stones or ())

    def owners_of(self, text: str) -> frozenset[str]:
        """Returns the ids of the forgettings by which a text is known to be forgotten."""
        with self._lock:
            self._refresh()
            return frozenset(
                owner for ring in self._rings for stone in _said_again(ring, text) for owner in stone.owners
            )

    def add(self, texts: Sequence[str], when: str = "", owner: str = "") -> None:
        """Has these texts stay forgotten, line by line and sentence by sentence, as of `when` (ISO 8601), by the
        forgetting `owner`. Raises StorageError."""
        with self._lock:
            rings, own = self._with_own()
            made = [stone for text in texts for stone in tombstones_of(text, own.seal)]
            fresh = [replace(stone, when=when, owners=(owner,)) for stone in made]
            self._write([*rings, _with_stones(own, [*(own.stones or ()), *fresh])])

    def remove(self, *owners: str) -> None:
        """Takes away the tombstones that these forgettings made; one that another made, too, stays. Raises
        StorageError."""
        with self._lock:
            self._refresh()
            rings = [_disowned(ring, owners) for ring in self._rings]
            if any(left is not ring for left, ring in zip(rings, self._rings, strict=True)):
                self._write(rings)

    def lift(self, texts: Sequence[str], by: str = "") -> Lifted:
        """Takes away every tombstone that holds one of these texts: the person said it again. Returns what was taken
        away. `by` names the change or decision that did it: `reinstate` puts back what it took. Raises
        StorageError."""
        with self._lock:
            return Lifted(self, self._without(lambda ring: {s for text in texts for s in _said_again(ring, text)}, by))

    def reinstate(self, *names: str, texts: Collection[str] | None = None) -> None:
        """Puts back what these changes or decisions lifted, as they were undone; where `texts` are given, what holds
        one of them alone. Raises StorageError."""
        with self._lock:
            self._refresh()
            rings = [_held_again(ring, names, texts) for ring in self._rings]
            if any(now is not ring for now, ring in zip(rings, self._rings, strict=True)):
                self._write(rings)

    def put_back(self, stones: Mapping[str, frozenset[Tombstone]]) -> None:
        """Holds tombstones again that were lifted, in the rings they were of. Raises StorageError."""
        with self._lock:
            self._refresh()
            rings = [
                _with_stones(ring, [*(ring.stones or ()), *stones[ring.salt]]) if ring.salt in stones else ring
                for ring in self._rings
            ]
            if stones:
                self._write(rings)

    def name_of(self, text: str) -> str:
        """Returns a name for what is asked about a text, 16 hexadecimal digits: the same each time, and it tells nobody
        without the key what the text says. Where the key is not here it is made by chance."""
        with self._lock:
            self._refresh()
            own = next((ring for ring in self._rings if ring.stones is not None), None)
        return secrets.token_hex(_NAME_BYTES) if own is None else own.seal(f"asked {text}")[: 2 * _NAME_BYTES]

    def match(self, text: str) -> Recall | None:
        """Returns whether a text says something forgotten again; None for what is new."""
        return self.as_of_now()(text)

    def as_of_now(self) -> Callable[[str], Recall | None]:
        """Returns what `match` does for many texts: the file is looked at now, and not for each of them."""
        with self._lock:
            self._refresh()
            return partial(_recall, self._rings, self._known)

    def forgotten_now(self, *, apart: bool = False) -> Callable[[str], bool]:
        """Returns what tells of a line whether it says something forgotten again; it looks at the disk once. `apart`:
        for very many lines that hardly anyone asks about again, so that those are remembered which prompts have."""
        with self._lock:
            self._refresh()
            match = partial(_recall, self._rings, {} if apart else self._known)
        return lambda line: match(line) is Recall.FORGOTTEN

    def since(self, text: str) -> str | None:
        """Returns when what a text says again was added, "" where that is not kept; None for what is new, or cannot be
        told."""
        with self._lock:
            if self.match(text) is not Recall.FORGOTTEN:
                return None
            return max((stone.when for ring in self._rings for stone in _said_again(ring, text)), default="")

    def are_held_by_one(self, one: str, other: str) -> bool:
        """Returns whether a tombstone holds both texts."""
        with self._lock:
            self._refresh()
            return any(set(_said_again(ring, one)) & set(_said_again(ring, other)) for ring in self._rings)

    def problem(self) -> str:
        """Returns, as a sentence, that some tombstones cannot be read for want of their key; "" where all can.

        A key that was not there before is looked for again.
        """
        with self._lock:
            self._refresh()
            if any(ring.stones is None for ring in self._rings):
                self._forget_read()
                self._refresh()
            return NO_KEY if any(ring.stones is None for ring in self._rings) else ""

    def _refresh(self) -> None:
        """Reads the file where it is another one than before."""
        if (seen := self._look()) == self._seen:
            return
        self._rings = self._read() if seen is not None else ()
        self._seen = seen
        self._known = {}

    def _look(self) -> tuple[int, int, int] | None:
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _read(self) -> tuple[_Ring, ...]:
        try:
            with self._path.open("rb") as file:
                document = json.loads(read_at_most(file, _SIZE_LIMIT))
            if document["format"] != _FORMAT:
                raise ValueError("it is of another version")
            keys = list(self._key.known())
            return tuple(_ring(raw, keys) for raw in document["rings"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            log.warning("what was forgotten cannot be read: %s: %s", self._path, error)
            return (_Ring({"salt": "", "check": "", "tombstones": []}),)

    def _with_own(self) -> tuple[list[_Ring], _Ring]:
        """Returns the other rings and that of the key that is here, which is made where there is none."""
        self._refresh()
        key = self._key.make()
        own = next((ring for ring in self._rings if ring.stones is not None), None)
        if own is None:
            salt = secrets.token_hex(_SALT_BYTES)
            own = _Ring({"salt": salt, "check": _hash(key, salt, "check"), "tombstones": []}, key, ())
        others = [ring for ring in self._rings if ring is not own]
        if any(not ring.salt for ring in others):
            # The file could not be read, so what it holds would be lost.
            raise StorageError(
                f"{self._path.name} cannot be read, so nothing can be added to it.",
                next_step="Move it to another place, then try again.",
            )
        return others, own

    def _without(self, gone: Callable[[_Ring], set[Tombstone]], by: str) -> dict[str, frozenset[Tombstone]]:
        """Returns what was taken away, by the salt of its ring; with a name for it, that is kept aside."""
        self._refresh()
        rings: list[_Ring] = []
        taken: dict[str, frozenset[Tombstone]] = {}
        for ring in self._rings:
            out = gone(ring) if ring.stones else set()
            if out:
                aside = [(_lifter(ring, by), each) for each in ring.stones or () if by and each in out]
                left = _with_stones(ring, [each for each in ring.stones or () if each not in out])
                rings.append(_with_lifted(left, [*ring.lifted, *aside]))
                taken[ring.salt] = frozenset(out)
            else:
                rings.append(ring)
        if taken:
            self._write(rings)
        return taken

    def _write(self, rings: Iterable[_Ring]) -> None:
        document = {"format": _FORMAT, "rings": [ring.raw for ring in rings]}
        make_folder(self._path.parent, calls=self._calls)
        with storage_errors(self._path, "write"):
            replace_bytes(self._path, json.dumps(document).encode("ascii") + b"\n", calls=self._calls)
        self._forget_read()

    def _forget_read(self) -> None:
        self._seen = None
        self._rings = ()
        self._known = {}


def _recall(rings: Sequence[_Ring], known: dict[str, Recall | None], text: str) -> Recall | None:
    """Returns whether a text says something of these rings again; `known` has what was found before."""
    if not rings:
        return None
    try:
        return known[text]
    except KeyError:
        if len(known) >= _LINES_KNOWN:
            known.clear()
        found = known[text] = _find(rings, text)
        return found


def _find(rings: Sequence[_Ring], text: str) -> Recall | None:
    if any(_said_again(ring, text) for ring in rings):
        return Recall.FORGOTTEN
    return Recall.UNCHECKED if any(ring.stones is None for ring in rings) else None


def _said_again(ring: _Ring, text: str) -> list[Tombstone]:
    if not ring.stones:
        return []
    parts = hashed_parts(text, ring.seal)
    marks = {mark for part in parts for mark in (part.whole, *part.marks)}
    places = sorted({place for mark in marks for place in ring.index.get(mark, ())})
    return is_said_again((ring.stones[place] for place in places), parts)


def _with_stones(ring: _Ring, stones: Iterable[Tombstone]) -> _Ring:
    kept: dict[Tombstone, Tombstone] = {}
    for stone in stones:
        # A fact that was forgotten twice is held by both.
        known = kept.get(stone, stone)
        kept[stone] = replace(known, owners=tuple(dict.fromkeys((*known.owners, *stone.owners))))
    raw = ring.raw | {"tombstones": [_as_json(each) for each in kept.values()]}
    return replace(ring, raw=raw, stones=tuple(kept.values()))


def _with_lifted(ring: _Ring, lifted: Iterable[tuple[str, Tombstone]]) -> _Ring:
    kept = tuple(lifted)[-_MOST_LIFTED:]
    raw = {name: value for name, value in ring.raw.items() if name != "lifted"}
    aside = {"lifted": [[name, _as_json(stone)] for name, stone in kept]} if kept else {}
    return replace(ring, raw=raw | aside, lifted=kept)


def _all_of(ring: _Ring) -> Iterator[Tombstone]:
    """Yields what a ring holds, and what it would hold again."""
    yield from ring.stones or ()
    yield from (stone for _, stone in ring.lifted)


def _lifter(ring: _Ring, name: str) -> str:
    """Returns what stands for the name of a change or decision: some are made of words."""
    return ring.seal(f"lifted by {name}")


def _held_again(ring: _Ring, names: Collection[str], texts: Collection[str] | None) -> _Ring:
    """Returns a ring that holds what these changes or decisions lifted, of what holds one of the texts, if given."""
    marks = {_lifter(ring, name) for name in names} if ring.lifted else set()
    meant = {stone for mark, stone in ring.lifted if mark in marks}
    if texts is not None and meant:
        meant = {stone for text in texts for stone in is_said_again(meant, hashed_parts(text, ring.seal))}
    back = [stone for mark, stone in ring.lifted if mark in marks and stone in meant]
    if not back:
        return ring
    left = [(mark, stone) for mark, stone in ring.lifted if not (mark in marks and stone in meant)]
    return _with_lifted(_with_stones(ring, [*(ring.stones or ()), *back]), left)


def _disowned(ring: _Ring, owners: Collection[str]) -> _Ring:
    """Returns a ring without what these forgettings alone made."""
    if not any(owner in owners for stone in _all_of(ring) for owner in stone.owners):
        return ring

    def left(stone: Tombstone) -> Tombstone:
        return replace(stone, owners=tuple(each for each in stone.owners if each not in owners))

    lifted = [(name, left(stone)) for name, stone in ring.lifted]
    held = _with_stones(ring, [stone for stone in map(left, ring.stones or ()) if stone.owners])
    return _with_lifted(held, [(name, stone) for name, stone in lifted if stone.owners])


def _hash(key: bytes, salt: str, term: str) -> str:
    data = f"{salt} {term}".encode("utf-8", "surrogatepass")
    return hmac.digest(key, data, "sha256")[:_HASH_BYTES].hex()


def _opens(key: bytes, raw: dict[str, Any]) -> bool:
    return hmac.compare_digest(_hash(key, str(raw["salt"]), "check"), str(raw["check"]))


def _ring(raw: dict[str, Any], keys: Sequence[bytes]) -> _Ring:
    found = next((key for key in keys if _opens(key, raw)), None)
    if found is None:
        needed = {name: raw[name] for name in ("salt", "check", "tombstones")}
        return _Ring({"lifted": raw["lifted"], **needed} if "lifted" in raw else needed)
    stones = tuple(_from_json(each) for each in raw["tombstones"])
    lifted = tuple((str(name), _from_json(stone)) for name, stone in raw.get("lifted", ()))
    index: dict[str, list[int]] = {}
    for place, stone in enumerate(stones):
        for mark in (stone.whole, *stone.marks()):
            index.setdefault(mark, []).append(place)
    return _Ring(raw, found, stones, index, lifted)


def _as_json(stone: Tombstone) -> dict[str, Any]:
    when = {"when": stone.when} if stone.when else {}
    owners = {"of": stone.owners} if stone.owners != ("",) else {}
    terms = [[str(each.weight), each.forms, each.signs] for each in stone.terms]
    return {"whole": stone.whole, "terms": terms, **when, **owners}


def _from_json(raw: dict[str, Any]) -> Tombstone:
    terms = (HashedTerm(TermWeight(weight), tuple(forms), tuple(signs)) for weight, forms, signs in raw["terms"])
    owners = tuple(map(str, raw.get("of", ("",))))
    return Tombstone(str(raw["whole"]), tuple(terms), str(raw.get("when", "")), owners)
