"""Tells which entries of the daily notes and of the working buffer a conversation has left: those whose messages are
deleted, or lie on another branch alone. The files keep them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial

from mnemoscope.domain.context.daily_note import read_notes
from mnemoscope.domain.context.exchange_reference import NotedExchange, left_entries
from mnemoscope.domain.conversation.inactive_messages import MessagePlace, inactive_on
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.memory.file_registry import is_daily_note
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK
from mnemoscope.store.files.atomic import read_stable
from mnemoscope.store.files.file_stamp import FileStamp, stamp_of
from mnemoscope.store.logs.exchange_log import ExchangeLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths

_Folders = tuple[FileStamp | None, ...]


class InactiveExchanges:
    """Looks through the exchanges of one workspace. Blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, session_of: Callable[[str, str], Session | None]) -> None:
        """`session_of`: the conversation under a key, open or closed, that has the branch of a name; None where there
        is none."""
        self._paths = paths
        self._log = ExchangeLog(paths)
        self._session_of = session_of
        self._gone: dict[tuple[str, str], _Folders] = {}
        """The folders of conversations as they were when none with a branch was there, by its key and the branch: every
        file is asked for its key then, which is too long for each key that is typed in a search."""

    def among(self, file: str, stamps: Sequence[str]) -> list[bool]:
        """Returns of each entry of a file, by the times in their headings, whether it is left. Raises
        UnreadableFile."""
        return left_entries(stamps, self._log.of(file), self._is_left())

    def lines(self, files: Iterable[str]) -> dict[str, frozenset[str]]:
        """Returns the lines that only entries which are left say, of each daily note among these files. Raises
        UnreadableFile."""
        parted = self._parted(files)
        return {file: _lines_in(left) - _lines_in(stay) for file, (left, stay) in parted.items()}

    def texts(self, files: Iterable[str]) -> dict[str, frozenset[str]]:
        """Returns the words of entries that are left, as `words_of_entry` has them, of each daily note among these
        files. Raises UnreadableFile."""
        return {
            file: frozenset(map(words_of_entry, left)) - set(map(words_of_entry, stay))
            for file, (left, stay) in self._parted(files).items()
        }

    def _parted(self, files: Iterable[str]) -> dict[str, tuple[list[str], list[str]]]:
        """Returns the texts of the entries that are left, and of those that stay, of each daily note that has any of
        the former."""
        is_left = self._is_left()
        found = dict[str, tuple[list[str], list[str]]]()
        for name in filter(is_daily_note, files):
            references = self._log.of(name)
            notes = read_notes(self._text(name)) if references else []
            are_left = left_entries([note.time for note in notes], references, is_left)
            parted = list[str](), list[str]()
            for note, is_gone in zip(notes, are_left, strict=True):
                parted[0 if is_gone else 1].append(note.text)
            if parted[0]:
                found[name] = parted
        return found

    def _is_left(self) -> Callable[[NotedExchange], bool]:
        folders = tuple(map(stamp_of, (self._paths.sessions_dir, self._paths.discreet_dir, self._paths.archive_dir)))
        left_in = cache(partial(self._left_in, folders))

        def is_left(exchange: NotedExchange) -> bool:
            return any(left_in(exchange.session_key, each.session_created_at)(each) for each in exchange.messages)

        return is_left

    def _left_in(self, folders: _Folders, session_key: str, began: str) -> Callable[[MessagePlace], bool]:
        # Of a conversation that is gone or cannot be read, nothing is known to be left.
        with suppress(UnreadableFile):
            is_gone = self._gone.get((session_key, began)) == folders
            session = None if is_gone else self._session_of(session_key, began)
            if session is not None:
                return inactive_on(session.branch, session.other_branches, session.messages)
            self._gone[session_key, began] = folders
        return lambda _: False

    def _text(self, file: str) -> str:
        data = read_stable(self._paths.root / file)
        return "" if data is None else data.rstrip(b"\0").decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK)


def words_of_entry(text: str) -> str:
    """Returns the text of an entry as it is compared, whatever stands between its lines."""
    return "\n".join(filter(None, (line.strip() for line in text.split("\n"))))


def _lines_in(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(line for text in texts for line in words_of_entry(text).split("\n") if line)
