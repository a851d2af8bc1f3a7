"""The places of a workspace that may have words: one kind each, with its files and the form they are in.

What none of them names is searched byte by byte and only listed. Everything here blocks on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final, Protocol

from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText, bare_line
from mnemoscope.domain.forgetting.plan import INDEXED, MOST_RELATED, FoundPlace, PlaceKind, RelatedLine
from mnemoscope.domain.memory.file_registry import INSTRUCTION_FILES, STATE_PATH, TRACKED_FILES
from mnemoscope.domain.merge.held_back import fact_hashes
from mnemoscope.store.files.atomic import read_stable, remove_file, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.forgetting.byte_search import SearchedFiles, count_in_file, files_below, is_closed_file
from mnemoscope.store.forgetting.commits_place import CommitsPlace, commit_index_files, found_in_repositories_of_person
from mnemoscope.store.forgetting.place_formats import (
    CaptureLines,
    ChangeLines,
    DamagedBytes,
    DraftTexts,
    Format,
    JsonTexts,
    PlainText,
    PromptLines,
    SealedJson,
    SessionRecords,
    messages_with,
    said_in,
)
from mnemoscope.store.git.git_place import repositories_of_ours
from mnemoscope.store.logs.history_log import DAILY_NOTE
from mnemoscope.store.memory.tracked_files import tracked_paths
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths

_INSTRUCTIONS: Final = tuple(path for path in INSTRUCTION_FILES if path not in TRACKED_FILES)
_RECORDS: Final = ("dream.jsonl", "dream-place.json", "conversations.json")
_OBJECTS: Final = "/.git/objects/"
_BESIDE_INDEX: Final = ("", "-wal", "-shm", "-journal")
_FORMER_INDEX: Final = "index.db"
_MADE_OF_FACTS: Final = frozenset(
    {PlaceKind.MEMORY, PlaceKind.VERSIONS, PlaceKind.CHANGES, PlaceKind.SUGGESTIONS, PlaceKind.LEDGER}
)
"""Kinds that hold texts of memory files, or lines of them."""
_NOT_KNOWN: Final = "Mnemoscope does not change files that it does not know. Change it yourself."
_ELSEWHERE: Final = "It lies outside the workspace."
_OF_COMMITS: Final = "It is the index of the commits and goes when they are made anew."
_KEY: Final = "Its name or a field by which it is found has these words."
_CLOSED: Final = "It is packed or encrypted and cannot be looked into: whether it has the words is not known."
_SAID: Final = (PlaceKind.CONVERSATIONS, PlaceKind.BRANCHES, PlaceKind.ARCHIVE)


class WordPlace(Protocol):
    """Finds words in one kind of place of one workspace, and takes them out."""

    @property
    def kind(self) -> PlaceKind:
        """Returns its kind."""
        ...

    def files(self) -> Iterable[Path]:
        """Returns the files that may have words."""
        ...

    def found_in(self, path: Path, what: ForgottenText) -> tuple[int, tuple[str, ...]]:
        """Returns how often a file has the words, with a few excerpts. Raises StorageError."""
        ...

    def take(self, path: Path, what: ForgottenText) -> None:
        """Takes the words out of a file, durably, once however often it is asked for. Raises StorageError."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """Describes files in one form, each written anew without the words, as compare-and-swap."""

    kind: PlaceKind
    find: Callable[[], Iterable[Path]]
    form: Format
    calls: FileCalls

    def files(self) -> Iterable[Path]:
        """Returns the files that are there."""
        return self.find()

    def found_in(self, path: Path, what: ForgottenText) -> tuple[int, tuple[str, ...]]:
        """Returns how often the texts of a file have the words."""
        count, excerpts = 0, list[str]()
        for text in self.form.texts(read_stable(path) or b"", what):
            if found := what.count(text):
                count += found
                excerpts += what.excerpts(text, max(0, 3 - len(excerpts)))
        return count, tuple(excerpts)

    def take(self, path: Path, what: ForgottenText) -> None:
        """Writes the file without the words."""
        data = read_stable(path)
        if data is None or (clean := self.form.without(data, what)) == data:
            return
        with storage_errors(path, "write"):
            # What another program wrote in this very moment is written without the words, too.
            replace_if_unchanged(
                path, clean, data, lambda _, found, __: self.form.without(found, what), calls=self.calls
            )


@dataclass(frozen=True, slots=True)
class RemovedFiles:
    """Describes files that are searched as bytes and removed together: the search index, which is made anew.

    An index has words in parts too: a long passage is cut where a page of the database ends, and single words and
    vectors stand by themselves. So it is taken wherever something that it is made of has the words.
    """

    kind: PlaceKind
    find: Callable[[], Iterable[Path]]
    calls: FileCalls

    def files(self) -> Iterable[Path]:
        """Returns the files that are there."""
        return self.find()

    def found_in(self, path: Path, what: ForgottenText) -> tuple[int, tuple[str, ...]]:
        """Returns how often the bytes of a file have the words."""
        with storage_errors(path, "read"):
            return count_in_file(path, what), ()

    def take(self, path: Path, what: ForgottenText) -> None:
        """Removes the file, and those that belong to it."""
        for each in list(self.find()):
            remove_file(each, calls=self.calls)


@dataclass(frozen=True, slots=True)
class Attachments:
    """Holds the images of messages that have the words, and of no other message."""

    folder: Path
    conversations: Callable[[], Iterable[Path]]
    calls: FileCalls
    kind: PlaceKind = PlaceKind.ATTACHMENTS

    def files(self) -> Iterable[Path]:
        """Returns all images."""
        return _in(self.folder)

    def _named_by(self, what: ForgottenText) -> set[str]:
        """Returns the names of the images that only messages with the words have. Raises StorageError."""
        names: dict[bool, set[str]] = {True: set(), False: set()}
        for path in self.conversations():
            for message, has_words in messages_with(read_stable(path) or b"", what):
                names[has_words].update(each.sha256 for each in attachments_of(message))
        return names[True] - names[False]

    def found_in(self, path: Path, what: ForgottenText) -> tuple[int, tuple[str, ...]]:
        """Returns 1 for an image that only messages with the words have."""
        return int(path.name in self._named_by(what)), ()

    def take(self, path: Path, what: ForgottenText) -> None:
        """Removes the image."""
        remove_file(path, calls=self.calls)


class ForgettingPlaces:
    """Lists all places of one workspace. `forgetting_id` stands in the marks that messages leave; `outside`: files
    beyond the workspace that hold what is derived of it, and folders of such files: they are only searched."""

    def __init__(
        self,
        paths: WorkspacePaths,
        forgetting_id: str = "",
        *,
        outside: Iterable[Path] = (),
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._outside = tuple(outside)
        self._sessions = SessionFolder(paths.sessions_dir, paths.root, paths.discreet_dir)
        self.all: tuple[WordPlace, ...] = tuple(self._places(SessionRecords(forgetting_id), calls))

    def find(self, what: ForgottenText, searched: SearchedFiles | None = None) -> Iterator[FoundPlace]:
        """Yields the places that have the words, and files that cannot be looked into, with the count 0; `searched`
        counts what was read. A file that cannot be read is passed over by its kind and named by the search of bytes."""
        named: set[Path] = set()
        is_indexed = False
        for place in self.all:
            for path in place.files():
                with suppress(StorageError):
                    count, excerpts = place.found_in(path, what)
                    # The index, which comes last, has in parts what it is made of.
                    count = count or int(place.kind is PlaceKind.INDEX and is_indexed)
                    if count:
                        named.add(path)
                        is_indexed = is_indexed or place.kind in INDEXED
                        yield FoundPlace(place.kind, path_within(path, self._paths.root), count, excerpts)
        yield from self._other(what, named, searched)
        yield from found_in_repositories_of_person(self._paths, what)

    def take(self, kind: str, name: str, what: ForgottenText, *, in_home: bool = False) -> Path | None:
        """Takes the words out of one place; returns its file, None where no place of that kind has such a file. Raises
        StorageError."""
        path = self.path_of(name, in_home=in_home)
        place = next((each for each in self.all if each.kind == kind and path in set(each.files())), None)
        if place is None:
            return None
        place.take(path, what)
        return path

    def path_of(self, name: str, *, in_home: bool = False) -> Path:
        """Returns the file of a place's name; `in_home`: a name in nanobot's own folder."""
        home = nanobot_home(self._paths.root) if in_home else None
        return home.folder / name if home is not None else self._paths.root / name

    def name_of(self, found: FoundPlace) -> tuple[str, bool]:
        """Returns the name of a place by which `take` finds it, and whether it is in nanobot's own folder."""
        home = nanobot_home(self._paths.root)
        in_home = home is not None and home.holds(Path(found.path))
        return (Path(found.path).name, True) if in_home else (found.path, False)

    def marks(self, what: ForgottenText) -> set[str]:
        """Returns the hashes of all facts that have the words, in memory as it is and was and in what is noted of
        it."""
        lines: set[str] = set()
        for place in self.all:
            if isinstance(place, CommitsPlace):
                for path in place.files():
                    with suppress(StorageError):
                        lines |= place.lines_with(path, what)
            elif isinstance(place, WrittenFiles) and place.kind in _MADE_OF_FACTS:
                lines |= {line for _, line in self._lines_of(place, what) if what.count(line)}
        return {mark for line in lines for mark in fact_hashes(line)}

    def commit_ids(self) -> frozenset[str]:
        """Returns the ids of all commits. Raises StorageError."""
        found = ((place, path) for place in self.all if isinstance(place, CommitsPlace) for path in place.files())
        return frozenset(each for place, path in found for each in place.ids(path))

    def conversations(self) -> Iterator[Path]:
        """Yields the files of all conversations and branches, also of those that were closed or deleted."""
        return self._all_conversations()

    def related(self, what: ForgottenText) -> Iterator[RelatedLine]:
        """Yields lines of memory and history, and sentences of conversations, that say the same in other words, without
        those that have the words: of either as many as a person may look through."""
        return chain(islice(self._related_lines(what), MOST_RELATED), islice(self._related_said(what), MOST_RELATED))

    def _related_lines(self, what: ForgottenText) -> Iterator[RelatedLine]:
        for place in self.all:
            if place.kind not in (PlaceKind.MEMORY, PlaceKind.HISTORY, PlaceKind.NOTES, PlaceKind.STATE):
                continue
            for path, line in self._lines_of(place, _ALL):
                if not what.count(line) and what.related(line):
                    yield RelatedLine(path_within(path, self._paths.root), bare_line(line))

    def _related_said(self, what: ForgottenText) -> Iterator[RelatedLine]:
        """Yields sentences of conversations, each once: branches have their beginning in common."""
        known: set[str] = set()
        for place in self.all:
            for path in place.files() if place.kind in _SAID else ():
                with suppress(StorageError):
                    for said in said_in(read_stable(path) or b""):
                        for sentence in what.related_sentences(said):
                            if sentence not in known:
                                known.add(sentence)
                                yield RelatedLine(path_within(path, self._paths.root), sentence)

    def _lines_of(self, place: WordPlace, what: ForgottenText) -> Iterator[tuple[Path, str]]:
        for path in place.files():
            with suppress(StorageError):
                for text in place.form.texts(read_stable(path) or b"", what) if isinstance(place, WrittenFiles) else ():
                    yield from ((path, line) for line in text.splitlines() if line.strip())

    def _other(self, what: ForgottenText, named: set[Path], searched: SearchedFiles | None) -> Iterator[FoundPlace]:
        known = {path for place in self.all for path in place.files()}
        ours = repositories_of_ours(self._paths)
        index = commit_index_files(self._paths)
        for path in (*files_below(self._paths.root), *self._files_outside()):
            if path in (self._paths.own.intent_file, self._paths.own.lock_file):
                continue
            try:
                # Objects of git are read by whoever knows which of them are in use.
                count = count_in_file(path, what, searched, unpack=_OBJECTS not in path.as_posix())
                is_unread = is_closed_file(path)
            except OSError:
                continue
            count = max(count, what.count(path.name))
            if (count or is_unread) and path not in named and not any(map(path.is_relative_to, ours)):
                is_outside = not path.is_relative_to(self._paths.root)
                why_not = _ELSEWHERE if is_outside else _KEY if path in known else _NOT_KNOWN
                why_not = _OF_COMMITS if path in index else why_not if count else _CLOSED
                yield FoundPlace(PlaceKind.OTHER, path_within(path, self._paths.root), count, why_not=why_not)

    def _files_outside(self) -> Iterator[Path]:
        for path in self._outside:
            found = [path] if path.is_file() else files_below(path)
            # On some systems the sample is a workspace within the program's own folder.
            yield from (each for each in found if not each.is_relative_to(self._paths.root))

    def _places(self, sessions: SessionRecords, calls: FileCalls) -> Iterator[WordPlace]:
        paths, own = self._paths, self._paths.own
        text, json, sealed = PlainText(), JsonTexts(), SealedJson()

        def written(kind: PlaceKind, form: Format, find: Callable[[], Iterable[Path]]) -> WordPlace:
            return WrittenFiles(kind, find, form, calls)

        # The texts that memory had come first: what merges later then starts from one without the words.
        yield written(PlaceKind.VERSIONS, text, lambda: _in(own.text_versions_dir))
        yield written(PlaceKind.MEMORY, text, self._memory_files)
        yield written(PlaceKind.INSTRUCTIONS, text, lambda: _there(paths.root / name for name in _INSTRUCTIONS))
        yield written(PlaceKind.HISTORY, text, lambda: _there([paths.history_file]))
        yield written(PlaceKind.HISTORY, json, lambda: _there([paths.history_jsonl]))
        yield written(PlaceKind.NOTES, text, self._notes)
        yield written(PlaceKind.STATE, text, self._states)
        yield written(PlaceKind.SUGGESTIONS, json, self._suggestions)
        yield written(PlaceKind.CAPTURES, CaptureLines(), self._captures)
        yield written(PlaceKind.CHANGES, ChangeLines(), self._change_logs)
        yield written(PlaceKind.LEDGER, sealed, lambda: _in(own.ledger_dir))
        yield written(PlaceKind.PROMPTS, PromptLines(), lambda: _in(own.prompts_dir))
        yield written(PlaceKind.TOOL_RESULTS, text, lambda: _in(own.tool_results_dir))
        yield written(PlaceKind.RECORDS, json, self._records)
        yield Attachments(paths.attachments_dir, self._all_conversations, calls)
        yield written(PlaceKind.CONVERSATIONS, sessions, self._conversations)
        yield written(PlaceKind.BRANCHES, sessions, lambda: _in(paths.branches_dir, ending=SUFFIX))
        yield written(PlaceKind.ARCHIVE, sessions, lambda: _in(paths.archive_dir, ending=SUFFIX))
        yield written(PlaceKind.DRAFTS, DraftTexts(), lambda: _in(own.drafts_dir))
        yield written(PlaceKind.TRASH, sealed, lambda: _in(own.message_trash_dir))
        yield written(PlaceKind.TRASH, sessions, lambda: _in(own.trash_dir, ending=SUFFIX))
        yield written(PlaceKind.TRASH, text, lambda: (path for path in _in(own.trash_dir) if path.suffix != SUFFIX))
        yield written(PlaceKind.QUARANTINE, DamagedBytes(), lambda: _in(own.quarantine_dir))
        yield CommitsPlace(paths)
        yield RemovedFiles(PlaceKind.INDEX, self._index_files, calls)

    def _memory_files(self) -> Iterator[Path]:
        return _there(self._paths.file(path) for path in tracked_paths(self._paths.root))

    def _notes(self) -> Iterator[Path]:
        yield from (path for path in _in(self._paths.memory_dir) if DAILY_NOTE.fullmatch(path.name))
        yield from _there([self._paths.working_buffer])

    def _states(self) -> Iterator[Path]:
        yield from _there([self._paths.session_state])
        yield from _in(self._paths.sessions_dir, self._paths.archive_dir, ending=STATE_PATH)

    def _captures(self) -> Iterator[Path]:
        log = self._paths.own.captures_log
        marks = self._paths.root / "capture" / "marks.jsonl"
        return _there([log, log.with_name(f"{log.name}.1"), marks])

    def _suggestions(self) -> Iterator[Path]:
        own = self._paths.own
        yield from _in(own.suggestions_dir, own.settled_dir, own.inbox_dir)
        yield from _there([own.rejected_facts_file])

    def _change_logs(self) -> Iterator[Path]:
        own = self._paths.own
        yield from _there([own.memory_change_log])
        yield from _in(own.folder / "changes")

    def _records(self) -> Iterator[Path]:
        own = self._paths.own
        yield from _there(own.folder / name for name in _RECORDS)
        yield from _in(own.imports_dir, own.compactions_dir)

    def _conversations(self) -> Iterator[Path]:
        with suppress(StorageError):
            yield from (entry.path for entry in self._sessions.every())

    def _all_conversations(self) -> Iterator[Path]:
        yield from self._conversations()
        yield from _in(self._paths.branches_dir, self._paths.archive_dir, self._paths.own.trash_dir, ending=SUFFIX)

    def _index_files(self) -> Iterator[Path]:
        index = self._paths.own.search_file
        names = [f"{name}{ending}" for name in (index.name, _FORMER_INDEX) for ending in _BESIDE_INDEX]
        return _there(index.with_name(name) for name in names)


_ALL: Final = ForgottenText(())


def _there(paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in paths if path.is_file())


def _in(*folders: Path, ending: str = "") -> Iterator[Path]:
    """Yields the plain files right in folders, by name, but for those on their way."""
    for folder in folders:
        with suppress(OSError):
            found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
            yield from (path for path in found if path.name.endswith(ending) and path.is_file())
