"""Knows what of an open folder the person agreed to, and lets nothing out before that.

It looks at the folder anew before every request, so what was changed from outside a moment ago counts already. A look
costs a few calls of `stat`: a file is read again only where its size, times or inode are others.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from mnemoscope.agent.prompt.skills import SKILL_FILE
from mnemoscope.domain.errors import FolderNotTrusted, MnemoscopeError
from mnemoscope.domain.events import EventBus, MemoryFileChanged, TrustChanged
from mnemoscope.domain.memory.change import MEMORY_PATH, OUTSIDE_KINDS, MemoryChange
from mnemoscope.domain.memory.file_registry import INSTRUCTION_FILES, JOURNAL_PATH
from mnemoscope.domain.settings import Settings, is_built_in
from mnemoscope.domain.text.characters import decoded
from mnemoscope.domain.trust import (
    INSTRUCTION_FOLDERS,
    FolderIdentity,
    Terms,
    TrustState,
    Use,
    agreed_by_setting,
    changes_of,
    chosen_in,
    is_instructing,
    kept_beside,
    models_of,
    terms_of,
    uses_of,
    with_chosen,
)
from mnemoscope.store.files.atomic import digest_of, open_to_read, read_at_most
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.links_out import shared_links_out
from mnemoscope.store.workspace.trust_store import TrustStore, identity_of

log = logging.getLogger(__name__)

_READ_LIMIT: Final = 4_000_000
"""Bytes of one file of instructions that are looked at: far more than a model is ever sent of it."""
_MOST_NAMES: Final = 1_000
"""Names of one folder that are shown."""


@dataclass(frozen=True, slots=True)
class _FileMark:
    inode: int
    size: int
    changed: tuple[int, int]

    @classmethod
    def of(cls, status: os.stat_result) -> _FileMark:
        return cls(status.st_ino, status.st_size, (status.st_mtime_ns, status.st_ctime_ns))


class FolderTrust:
    """Keeps the trust gate of one open folder. `bus` hears `TrustChanged` whenever things stand otherwise."""

    def __init__(
        self,
        root: Path,
        settings: Callable[[], Settings],
        store: TrustStore,
        disk: Disk,
        bus: EventBus,
        *,
        is_given: bool = False,
    ) -> None:
        """`is_given`: whoever opened the folder gave their word for it, so nothing is asked."""
        self._root = root
        self._settings = settings
        self._store = store
        self._disk = disk
        self._bus = bus
        self._is_given = is_given
        self._digests: dict[str, tuple[_FileMark, str]] = {}
        self._state = TrustState(is_new=False)
        self._noted: Callable[[str], Sequence[MemoryChange]] = lambda _path: ()
        self.close: Callable[[], None] = bus.on(MemoryFileChanged, self._on_file_changed)

    def follow(self, noted: Callable[[str], Sequence[MemoryChange]]) -> None:
        """Lets what this program writes into instructions stand, where what stood there before was agreed to.

        `noted` gives the changes of a file, oldest first; it is asked on the disk's thread.
        """
        self._noted = noted

    @property
    def state(self) -> TrustState:
        """Returns how things stood at the last look."""
        return self._state

    @property
    def is_waiting(self) -> bool:
        """Returns whether the last look found something that waits for the person."""
        return self._state.is_waiting

    async def look(self) -> TrustState:
        """Looks at the folder as it is now, and announces it if things stand otherwise than before."""
        seen = await self._disk.run_briefly(self._seen, self._settings())
        before, self._state = self._state, seen
        if seen != before:
            self._bus.publish(TrustChanged())
        return seen

    def waits(self, use: Use) -> bool:
        """Returns whether this waits for the person, as of the last look."""
        return self._state.waits(use)

    async def require(self, use: Use = Use.ANSWERS) -> None:
        """Looks at the folder as it is now. Raises FolderNotTrusted while this use waits for the person."""
        if (state := await self.look()).waits(use):
            raise _refusal(state)

    async def require_model(self, model: str, address: str) -> None:
        """Looks at the folder as it is now, before a request to `model` at `address`. Raises FolderNotTrusted while it
        waits for the person, and for others than are set."""
        state = await self.look()
        if state.is_waiting:
            raise _refusal(state)
        chosen = bool(state.models) and (model.strip(), address.strip()) in state.chosen
        is_set = (model.strip() in state.models or chosen) and address.strip() == state.address
        if not self._is_given and not is_set:
            raise FolderNotTrusted(
                f"The model “{model}” is not set in this window, so it was not asked.",
                next_step="Choose it under “Choose model…” first.",
            )

    async def require_typed(self, model: str, address: str) -> None:
        """Looks before a model or an address is asked that the person typed. Raises FolderNotTrusted for what the
        folder itself says, while that waits."""
        state = await self.look()
        of_folder = model.strip() in state.models or (bool(address.strip()) and address.strip() == state.address)
        if state.is_waiting and of_folder:
            raise _refusal(state)

    async def agree(self, fingerprint: str) -> bool:
        """Keeps that the person agrees to what was shown to them; False if it is not so any more.

        Raises StorageError if that cannot be kept; then nothing is agreed to.
        """
        agreed = await self._disk.run(self._agree, fingerprint, self._settings())
        await self.look()
        return agreed

    async def agree_by_setting(self, before: Settings, after: Settings, names: frozenset[str]) -> None:
        """Keeps that a person set these settings here. What cannot be kept is asked about."""
        if not self._is_given:
            try:
                await self._disk.run(self._agree_by_setting, before, after, names)
            except (MnemoscopeError, OSError) as error:
                log.warning("what was set cannot be noted as agreed to: %s", error)
        await self.look()

    async def agree_to_model(self, model: str) -> None:
        """Keeps that a person chose a model here for one conversation or one answer, at the address in force. What
        cannot be kept is asked about again."""
        if not self._is_given and not is_built_in(model):
            try:
                await self._disk.run(self._agree_to_model, model.strip(), self._settings().api_base.strip())
            except (MnemoscopeError, OSError) as error:
                log.warning("the model that was chosen cannot be noted as agreed to: %s", error)
        await self.look()

    async def texts(self) -> dict[str, str]:
        """Returns the instructions that wait for the person, by path, as they are now."""
        waiting = [change.name for change in self._state.changes if change.is_file]
        return await self._disk.run(self._texts, waiting)

    # -- on the disk's thread -----------------------------------------------------------------------------------------

    def _seen(self, settings: Settings) -> TrustState:
        models = frozenset(model.strip() for model in models_of(settings).values())
        if self._is_given or not models:
            return TrustState(is_new=False, models=models, address=settings.api_base.strip())
        terms = terms_of(settings, self._instructions())
        try:
            identity = identity_of(self._root)
        except OSError:
            # It is gone: nothing that was agreed to is about what may come in its place.
            identity = FolderIdentity("", 0, 0)
        agreed = self._store.load(identity)
        return TrustState(
            terms=terms,
            changes=changes_of(terms, agreed, _shipped_files()),
            fingerprint=terms.fingerprint(identity),
            is_new=not agreed or (not agreed.files and len(kept_beside(agreed)) == len(agreed.settings)),
            models=models,
            address=settings.api_base.strip(),
            uses=uses_of(settings),
            chosen=chosen_in(agreed),
        )

    def _agree(self, fingerprint: str, settings: Settings) -> bool:
        state, identity = self._seen(settings), identity_of(self._root)
        if state.terms.fingerprint(identity) != fingerprint:
            return False
        beside = kept_beside(self._store.load(identity))
        self._store.save(identity, Terms({**state.terms.settings, **beside}, state.terms.files))
        return True

    def _agree_to_model(self, model: str, address: str) -> None:
        identity = identity_of(self._root)
        known = self._store.load(identity)
        if (agreed := with_chosen(known, model, address)) != known:
            self._store.save(identity, agreed)

    def _agree_by_setting(self, before: Settings, after: Settings, names: frozenset[str]) -> None:
        identity = identity_of(self._root)
        known = self._store.load(identity)
        agreed = agreed_by_setting(known, before, after, names)
        if agreed != (known or Terms()):
            self._store.save(identity, agreed)

    def _agree_to_own_text(self, path: str, digest: str) -> None:
        """Follows a file that this program wrote."""
        try:
            identity = identity_of(self._root)
            known = self._store.load(identity) or Terms()
            change = next((each for each in reversed(self._noted(path)) if each.after == digest), None)
            if change is None or known.files.get(path) == digest:
                return
            if change.before and change.before != known.files.get(path) and change.before not in _shipped_files():
                return
            self._store.save(identity, Terms(known.settings, {**known.files, path: digest}))
        except (MnemoscopeError, OSError) as error:
            log.warning("%s was written and is asked about again: %s", path, error)

    def _instructions(self) -> dict[str, str]:
        found = {}
        for path in self._instruction_paths():
            if (known := self._digest(path)) is not None:
                found[path] = known
        return found | self._links_out()

    def _links_out(self) -> dict[str, str]:
        """Returns the notes and conversations that lie outside the folder, behind a link, by a hash of where they lie.

        A folder from elsewhere could so have any file of the person's sent along. What such a file says may change.
        """
        found = shared_links_out(self._root)
        if (folder := found.get("memory")) is not None:
            # What is read of it with every message stands for the folder.
            inside = [path for path in (MEMORY_PATH, JOURNAL_PATH) if (self._root / path).exists()]
            found.update((path, os.path.join(folder, path.partition("/")[2])) for path in inside)
            if inside:
                del found["memory"]
        return {path: digest_of(real.encode()) for path, real in found.items() if (self._root / path).exists()}

    def _instruction_paths(self) -> Iterator[str]:
        yield from INSTRUCTION_FILES
        prompts, skills = (self._root / name for name in INSTRUCTION_FOLDERS)
        yield from self._files_in(prompts)
        with suppress(OSError):
            for home in sorted(skills.iterdir()):
                # It is read behind any link; what lies beside it there only if the tools may reach it.
                yield (home / SKILL_FILE).relative_to(self._root).as_posix()
                real = os.path.realpath(home)
                if home.is_file():
                    yield home.relative_to(self._root).as_posix()
                elif _holds(self._root, real) and not _holds(real, skills):
                    yield from self._files_in(home)

    def _files_in(self, folder: Path) -> Iterator[str]:
        """Yields the files in a folder and below it, in order. Links in it are not followed to other folders: what is
        an instruction there lies in a folder that is looked at itself."""
        for parent, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                yield (Path(parent) / name).relative_to(self._root).as_posix()

    def _digest(self, path: str) -> str | None:
        """Returns the SHA-256 of a file; None where there is none, or nothing in it."""
        try:
            status = (self._root / path).stat()
        except (OSError, ValueError):
            return None
        mark = _FileMark.of(status)
        known = self._digests.get(path)
        if known is None or known[0] != mark:
            data = self._read(path)
            # What cannot be read is sent to nobody.
            value = digest_of(data) if data and data.strip() else ""
            if value and mark.size > _READ_LIMIT:
                # What is behind the limit counts by when it was written.
                value = digest_of(f"{value} {mark}".encode())
            known = self._digests[path] = (mark, value)
        return known[1] or None

    def _read(self, path: str) -> bytes | None:
        try:
            with open_to_read(self._root / path) as file:
                return read_at_most(file, _READ_LIMIT)
        except OSError:
            return None

    def _texts(self, paths: list[str]) -> dict[str, str]:
        return {path: self._text(path) for path in paths}

    def _text(self, path: str) -> str:
        """Returns what a file says, or what lies in a folder."""
        place = self._root / path
        if place.is_dir():
            with suppress(OSError):
                return "\n".join(sorted(os.listdir(place))[:_MOST_NAMES])
        return decoded(self._read(path) or b"")

    # -- inside -------------------------------------------------------------------------------------------------------

    def _on_file_changed(self, event: MemoryFileChanged) -> None:
        if self._is_given or not event.digest:
            return
        if event.origin not in OUTSIDE_KINDS and is_instructing(event.path):
            # The disk's thread does one thing after the other: whoever looks next finds it done.
            self._disk.submit(self._agree_to_own_text, event.path, event.digest)


def _holds(folder: str | Path, path: str | Path) -> bool:
    """Returns whether a path lies in a folder or is it, once all links are followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _refusal(state: TrustState) -> FolderNotTrusted:
    if state.is_new:
        sentence = "This folder says where words go, and nobody on this computer has agreed to that yet."
    elif all(change.is_file for change in state.changes):
        sentence = "The instructions in this folder were changed from outside, and nobody has agreed to them yet."
    else:
        sentence = "What this folder says of where words go was changed from outside, and nobody has agreed to it yet."
    return FolderNotTrusted(f"{sentence} Nothing was sent.")


@cache
def _shipped_files() -> frozenset[str]:
    """Returns the hashes of the instructions that a new workspace and the sample begin with: they come from nobody
    else."""
    found = set()
    for template in (shipped("resources", "blank"), shipped("workspace")):
        for file in template.rglob("*"):
            if file.is_file() and is_instructing(file.relative_to(template).as_posix()):
                found.add(digest_of(file.read_bytes()))
    return frozenset(found)
