"""Every change of a memory file becomes a commit in git: who, why, and which messages or entries it came from.

Changes are read from the logs of changes, which are durable before this runs. So whatever a crash kept from being
committed is committed the next time, under the name of whoever made it. Best effort: a commit that cannot be made now
is made with the next change, and nothing ever waits for it.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from mnemoscope.domain.commits import (
    CHANGE,
    CONVERSATION,
    ENTRIES,
    FORGETTING_SUBJECT,
    MESSAGES_TRAILER,
    RESTORES,
    SUGGESTION,
    TRANSACTION,
    UNDOES_CHANGE,
    CommitNote,
    author_of,
)
from mnemoscope.domain.conversation.message import message_range
from mnemoscope.domain.errors import RepositoryBroken, RepositoryLocked, StorageError
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.memory.files.memory_changes import MemoryChanges
from mnemoscope.store.files.atomic import digest_of, encode_text, make_directory, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.git.git_place import git_place, is_ours, newest_commit_is_sound
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.memory.tracked_files import present_files
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_LOOKED_BACK: Final = 300
_SUBJECTS: Final[Mapping[str, str]] = {
    "editor": "Edited",
    "outside": "Changed by another program",
    "agent": "Changed by a tool call",
    "capture": "Captured from a message",
    "kept": "Kept after all",
    "restore": "An earlier version restored",
    "undo": "A change undone",
    "review": "A proposal decided",
    "recovered": "Written just before a crash",
    "forgotten": FORGETTING_SUBJECT,
    "dream": "Dream",
}


@dataclass(frozen=True, slots=True)
class _Pending:
    """Describes a change that has no commit yet."""

    path: str
    change: MemoryChange
    is_newest: bool


class Committer:
    """Keeps the commits of one workspace in step. Blocks on the disk; the disk thread owns it."""

    def __init__(
        self,
        paths: WorkspacePaths,
        versions: TextVersions,
        changes: Callable[[], Mapping[str, MemoryChanges]],
        *,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        """`changes`: the changes by the path of their file, relative to the workspace."""
        self._paths = paths
        self._versions = versions
        self._changes = changes
        self._calls = calls
        self._state_file = paths.own.folder / "versions.json"
        self._since = time.time()
        """Since when the workspace is ours."""
        self._looked = False
        """Whether what a crash left has been looked for."""
        self._head = ""
        """The newest commit that was known last, and the changes that had a commit then."""
        self._committed: set[str] = set()

    def is_behind(self) -> bool:
        """Returns whether something changed since the newest commit. Cheap: git is not looked at.

        Commits that never began wait for the next change: opening a workspace is no reason to begin them. Unless a file
        was changed from here already, as in the sample or before a crash: that can be looked at and undone at once.
        """
        state = self._state()
        if not state:
            return is_ours(git_place(self._paths)) or self._was_changed_here()
        return state.get("files") != self._present() or state.get("changes") != self._newest_changes()

    def looks_damaged(self) -> bool:
        """Returns whether the newest commit is not there as it was made, though commits began. Cheap: git is not
        imported."""
        place = git_place(self._paths)
        return bool(self._state()) and is_ours(place) and not newest_commit_is_sound(place)

    def commit_changes(self) -> list[str]:
        """Makes the commits that are missing; sentences where something had to be mended. Never raises."""
        try:
            return self._commit_changes()
        except RepositoryLocked as error:
            self._looked = False
            log.info("commits wait: %s", error)
        except RepositoryBroken as error:
            log.warning("the repository is begun again: %s %s", error, error.context)
            return self._begin_again()
        except (StorageError, OSError) as error:
            log.warning("no commit was made: %s", error)
        return []

    def _commit_changes(self) -> list[str]:
        # git knows nothing of a folder that was moved away, or of another one in its place.
        self._calls.require_root()
        store = GitStore(self._paths)
        if not self._looked:
            store.clear_leftovers(self._since)
            self._looked = True
        if not store.is_initialized():
            store.init(*self._at_first())
        for together in self._pending(store):
            files = {each.path: data for each in together if (data := self._bytes(each)) is not None}
            if files:
                store.commit(note_of({each.path: each.change for each in together if each.path in files}), files)
                self._committed.add(together[0].change.id)
        store.auto_commit("Changed by another program", author="Outside")
        self._head = store.head()
        self._remember()
        return []

    def _begin_again(self) -> list[str]:
        try:
            kept = GitStore(self._paths).set_aside()
            self._remember()
        except (StorageError, OSError) as error:
            log.warning("the repository could not be begun again: %s", error)
            return ["Versions of memory cannot be kept at the moment; the memory files are safe."]
        where = f" The old ones are in {kept.relative_to(self._paths.root).as_posix()}." if kept else ""
        return [f"The versions of memory could not be read and begin again from the files as they are.{where}"]

    def _at_first(self) -> tuple[dict[str, bytes | None], datetime | None]:
        """Returns the files as they were before the first change that is noted, and when that was: where commits
        begin."""
        found: dict[str, bytes | None] = {}
        begun: list[datetime] = []
        for path, changes in self._changes().items():
            oldest = next(iter(changes.changes()), None)
            text = self._versions.text(oldest.before) if oldest else None
            if oldest is not None and text is not None:
                found[path] = encode_text(text) if oldest.before else None
                begun += [when] if (when := _moment(oldest)) else []
        return found, min(begun, default=None)

    def _pending(self, store: Any) -> Iterator[list[_Pending]]:
        """Yields the changes that have no commit, oldest first; those of one transaction are one commit."""
        if store.head() != self._head:
            # Reading hundreds of commits is not for each change: whatever the disk is asked next waits for it.
            found = (info.trailers.get(CHANGE, ()) for info in store.log(_LOOKED_BACK))
            noted = self._state().get("changes")
            # A file that was not changed for long had its commit further back.
            remembered = noted.values() if isinstance(noted, dict) else ()
            self._committed = {*map(str, remembered), *(name for names in found for name in names)}
        committed = self._committed
        waiting: dict[str, deque[_Pending]] = {}
        for path, changes in self._changes().items():
            known = changes.with_forgettings()
            fresh = [_Pending(path, each, each is known[-1]) for each in _after_last(known, committed)]
            waiting |= {path: deque(fresh)} if fresh else {}
        return _in_order(waiting)

    def _bytes(self, pending: _Pending) -> bytes | None:
        """Returns what the file held after a change: as it is on disk where that is still so, in its own style."""
        if pending.is_newest:
            with suppress(OSError):
                data = self._paths.file(pending.path).read_bytes()
                if digest_of(data) == pending.change.after:
                    return data
        text = self._versions.text(pending.change.after)
        return None if text is None else encode_text(text)

    def _present(self) -> dict[str, str]:
        return {path: digest_of(data) for path, data in present_files(self._paths)}

    def _newest_changes(self) -> dict[str, str]:
        newest = {path: changes.newest() for path, changes in self._changes().items()}
        return {path: change.id for path, change in newest.items() if change is not None}

    def _was_changed_here(self) -> bool:
        known = (changes.changes() for changes in self._changes().values())
        return any(change.origin.kind != "outside" for of_file in known for change in of_file)

    def _state(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            state = json.loads(self._state_file.read_bytes())
            return state if isinstance(state, dict) else {}
        return {}

    def _remember(self) -> None:
        state = {"files": self._present(), "changes": self._newest_changes()}
        with suppress(StorageError):
            make_directory(self._state_file.parent, calls=self._calls)
            replace_bytes(self._state_file, encode_text(json.dumps(state)), calls=self._calls)


def _in_order(waiting: dict[str, deque[_Pending]]) -> Iterator[list[_Pending]]:
    """Yields by time, but each file's in the order of its log, whatever the clock did; those of one id together."""
    while waiting:
        path = min(waiting, key=lambda each: waiting[each][0].change.when)
        for _ in waiting:
            name = waiting[path][0].change.id
            # A file in which something else of its own stands before this comes first.
            path = next((each for each, queue in waiting.items() if _is_later(queue, name)), path)
        name = waiting[path][0].change.id
        together = [queue.popleft() for queue in waiting.values() if queue[0].change.id == name]
        waiting = {path: queue for path, queue in waiting.items() if queue}
        yield together


def _is_later(queue: deque[_Pending], name: str) -> bool:
    return any(each.change.id == name for each in islice(queue, 1, None))


def note_of(changes: Mapping[str, MemoryChange]) -> CommitNote:
    """Returns what a commit says of a change of one file, or of what one transaction changed in several, by path."""
    change = next(iter(changes.values()))
    origin = change.origin
    author = author_of(origin.kind)
    subject = _SUBJECTS.get(origin.kind, "Changed")
    if origin.kind == "consolidation":
        subject = f"Consolidated {message_range(origin.start, origin.stop)}"
    elif origin.kind == "dream":
        one = origin.start == origin.stop
        subject = f"Dreamed entry {origin.start}" if one else f"Dreamed entries {origin.start} to {origin.stop}"
    bodies = [f"{path}:\n{body}" if len(changes) > 1 else body for path, body in _bodies(changes) if body]
    trailers = tuple(_trailers(change))
    return CommitNote(author, f"{', '.join(changes)}: {subject}", "\n\n".join(bodies), trailers, _moment(change))


def _moment(change: MemoryChange) -> datetime | None:
    """Returns when a change was made, naive local time; None where its log of changes does not say."""
    with suppress(ValueError):
        when = datetime.fromisoformat(change.when)
        # git has no time before 1970.
        return when.replace(tzinfo=None) if when.year > 1970 else None
    return None


def _bodies(changes: Mapping[str, MemoryChange]) -> Iterator[tuple[str, str]]:
    return ((path, "\n".join(_body(change))) for path, change in changes.items())


def _body(change: MemoryChange) -> Iterator[str]:
    yield from (f"+ {fact}" for fact in change.added)
    yield from (f"- {fact}" for fact in change.removed)
    unsaid = change.count_added + change.count_removed - len(change.added) - len(change.removed)
    if unsaid > 0:
        yield f"and {unsaid:,} more"


def _trailers(change: MemoryChange) -> Iterator[tuple[str, str]]:
    origin = change.origin
    if origin.kind == "dream":
        yield ENTRIES, f"{origin.start}-{origin.stop}"
    elif origin.session_key:
        yield CONVERSATION, origin.session_key
        if origin.stop:
            yield MESSAGES_TRAILER, f"{origin.start}-{origin.stop}"
    yield from ((UNDOES_CHANGE, undone) for undone in origin.undone)
    names = {"restore": RESTORES, "review": SUGGESTION}
    if origin.detail and origin.kind != "undo":
        yield names.get(origin.kind, TRANSACTION), origin.detail
    yield CHANGE, change.id


def _after_last(changes: Iterable[MemoryChange], committed: set[str]) -> Iterator[MemoryChange]:
    """Yields the changes after the newest that has a commit; one in between that lacks its own was made before
    commits."""
    known = list(changes)
    last = max((place for place, change in enumerate(known) if change.id in committed), default=-1)
    yield from known[last + 1 :]
