"""The search index of a workspace: which files hold which passages, and which passages hold which words.

Words come cut by `domain.search.words`, so that every script and language is treated alike at both ends; SQLite only
keeps the lists of which passage holds which. Used from one thread at a time.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Final

from mnemoscope.domain.search.days import day_token
from mnemoscope.domain.search.words import is_spaceless, language, tokens_of
from mnemoscope.store.search.database import SearchDatabase
from mnemoscope.store.search.passages import Passage, ReadPosition
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.search.trigrams import trigrams_of

KIND_BITS: Final = 48
"""A passage's number begins with its kind, so that the lists can be asked for one kind alone."""
_TALK: Final = frozenset({SearchKind.SESSION, SearchKind.ARCHIVE, SearchKind.BRANCH, SearchKind.NOTES})
_VOCABULARY_KEPT: Final = 20_000
_HOLDERS_READ: Final = 2_000
"""Words looked at for those that hold another: of what stands in more, a sample is enough."""
_FETCHED: Final = 500
"""Passages that are asked for at once."""
_SHORTEST_HOLDER: Final = 4
"""Letters of a word in which another one is looked for."""
LISTED: Final = "(SELECT value FROM json_each(?))"
"""Stands after IN for the numbers of `listed`. SQLite keeps each statement, so there is one for any count of them."""


@dataclass(slots=True)
class FileState:
    """Holds what the index knows of one file. `size` -1: it was not read to its end yet."""

    id: int
    name: str
    kind: SearchKind
    inode: int = 0
    size: int = -1
    modified: int = 0
    place: ReadPosition = field(default_factory=ReadPosition)
    checksum: int = 0
    """CRC-32 of everything before `place`."""
    tail: int = 0
    """CRC-32 of the last bytes before `place`."""
    first: int = 0
    """The first message that is kept."""


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """Describes a passage as it is kept."""

    id: int
    file: int
    line: int
    message_index: int
    role: str
    when: str
    text: str
    beside: str
    language: str

    @property
    def kind(self) -> SearchKind:
        """Returns what kind of place it stands in."""
        return SearchKind(self.id >> KIND_BITS)


class PassageIndex:
    """Keeps the tables of one workspace's index, in `database`."""

    def __init__(self, database: SearchDatabase) -> None:
        self.database = database
        self._next: dict[SearchKind, int] = {}
        self.files: dict[str, FileState] = {}
        self._vocabulary: set[str] = set()
        """Words that stand in the vocabulary, of those met lately."""
        self.generation = 0
        """Changes when the database was opened or thrown away: what was known of `files` is known no more."""
        database.add_tenant(self)

    @property
    def db(self) -> sqlite3.Connection:
        """Returns the open database. Raises sqlite3.Error, OSError or FullTextMissing."""
        return self.database.connection

    def on_opened(self, db: sqlite3.Connection) -> None:
        """Takes over what stands in a database that was just opened."""
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places_of_words USING fts5vocab(main, words, instance)")
        self.generation += 1
        self._vocabulary.clear()
        self.files = {state.name: state for state in _states(db)}
        for kind in SearchKind:
            low, high = kind << KIND_BITS, (kind + 1) << KIND_BITS
            last = db.execute("SELECT max(id) FROM passages WHERE id BETWEEN ? AND ?", (low, high)).fetchone()[0]
            self._next[kind] = last or low

    def before_commit(self, db: sqlite3.Connection) -> None:
        """Does nothing: nothing is held back."""

    def on_discarded(self) -> None:
        """Forgets all files and passages."""
        self.generation += 1
        self.files = {}
        self._next = {}
        self._vocabulary.clear()

    def count(self) -> int:
        """Returns how many passages there are, roughly: numbers given out, of which some are deleted."""
        return sum(number - (kind << KIND_BITS) for kind, number in self._next.items())

    # -- writing ------------------------------------------------------------------------------------------------------

    def file(self, name: str, kind: SearchKind) -> FileState:
        """Returns what is known of a file; a new one where nothing is."""
        known = self.files.get(name)
        if known is None:
            cursor = self.db.execute("INSERT INTO files(name, kind) VALUES (?, ?)", (name, kind))
            known = self.files[name] = FileState(cursor.lastrowid or 0, name, kind)
        return known

    def file_of(self, number: int) -> FileState:
        """Returns the file of that number."""
        return next(state for state in self.files.values() if state.id == number)

    def save(self, state: FileState) -> None:
        """Keeps how far a file was read."""
        at = state.place
        self.db.execute(
            "UPDATE files SET inode = ?, size = ?, modified = ?, end = ?, line = ?, message_index = ?, beside = ?,"
            " key = ?, checksum = ?, tail = ?, first = ? WHERE id = ?",
            (state.inode, state.size, state.modified, *astuple(at), state.checksum, state.tail, state.first, state.id),
        )

    def forget(self, state: FileState) -> None:
        """Forgets a file that is gone; its passages were dropped before."""
        self.db.execute("DELETE FROM files WHERE id = ?", (state.id,))
        self.files.pop(state.name, None)

    def add(self, state: FileState, pieces: Sequence[Passage]) -> None:
        """Keeps passages of a file."""
        first = self._next.get(state.kind, state.kind << KIND_BITS) + 1
        rows, tokens = [], []
        words: set[str] = set()
        for number, piece in enumerate(pieces, first):
            said = (piece.start, piece.line, piece.message_index, piece.role, piece.when, piece.text, piece.beside)
            spoken = language(piece.text)
            rows.append((number, state.id, *said, spoken))
            row = _tokens(piece.text, piece.beside, spoken, piece.when)
            tokens.append((number, *row))
            words.update(_holders(row))
        self._next[state.kind] = first + len(pieces) - 1
        self.db.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self.db.executemany("INSERT INTO words(rowid, stems, forms, near) VALUES (?, ?, ?, ?)", tokens)
        new = sorted(words - self._vocabulary)
        self.db.executemany("INSERT OR IGNORE INTO vocabulary(word) VALUES (?)", [(word,) for word in new])
        if len(self._vocabulary) > _VOCABULARY_KEPT:
            self._vocabulary.clear()
        self._vocabulary.update(new)

    def drop(self, passages: Iterable[StoredPassage]) -> None:
        """Takes passages out, and every word of them."""
        gone = [(each.id, *_tokens(each.text, each.beside, each.language, each.when)) for each in passages]
        self.db.executemany("INSERT INTO words(words, rowid, stems, forms, near) VALUES ('delete', ?, ?, ?, ?)", gone)
        self.db.executemany("DELETE FROM passages WHERE id = ?", [(row[0],) for row in gone])
        query = "DELETE FROM vocabulary WHERE word = ? AND NOT EXISTS (SELECT 1 FROM places_of_words WHERE term = ?)"
        words = set().union(*(_holders(row[1:]) for row in gone))
        self._vocabulary -= words
        self.db.executemany(query, [(word, word) for word in sorted(words)])

    def tidy(self) -> None:
        """Takes the words of deleted passages out of the file. Some milliseconds for every thousand passages."""
        self.db.execute("INSERT INTO words(words) VALUES ('optimize')")
        self.db.execute("INSERT INTO word_trigrams(word_trigrams) VALUES ('optimize')")

    def place(self, moved: Iterable[tuple[int, int, str, int]]) -> None:
        """Moves passages that say the same at another place: (start, line, when, number)."""
        self.db.executemany("UPDATE passages SET start = ?, line = ?, said = ? WHERE id = ?", moved)

    # -- reading ------------------------------------------------------------------------------------------------------

    def passages(self, file: int, start: int = 0, limit: int = -1) -> list[StoredPassage]:
        """Returns the passages of a file from a byte on, in order."""
        return self._stored("WHERE file = ? AND start >= ? ORDER BY start, id LIMIT ?", (file, start, limit))

    def messages(self, file: int) -> tuple[array[int], array[int]]:
        """Returns of each passage of a conversation's file which message it is of, and its number, in their order."""
        query = "SELECT message_index, id FROM passages WHERE file = ? ORDER BY message_index, id"
        messages, numbers = array("q"), array("q")
        for message, number in self.db.execute(query, (file,)):
            messages.append(message)
            numbers.append(number)
        return messages, numbers

    def newest_question(self, session_key: str) -> int:
        """Returns the number of the person's newest message in a conversation that is not archived; 0 without one."""
        query = (
            "SELECT max(passages.message_index) FROM passages, files"
            " WHERE file = files.id AND key = ? AND kind = ? AND role = 'user'"
        )
        found = self.db.execute(query, (session_key, SearchKind.SESSION)).fetchone()[0]
        return int(found or 0)

    def fetch(self, numbers: Sequence[int]) -> dict[int, StoredPassage]:
        """Returns passages by number; one that is gone is left out."""
        return {each.id: each for each in self._stored(f"WHERE id IN {LISTED}", (listed(numbers),))}

    def ordered(self, numbers: Sequence[int]) -> list[StoredPassage]:
        """Returns passages in the order of their numbers here; one that is gone is left out."""
        parts = (numbers[at : at + _FETCHED] for at in range(0, len(numbers), _FETCHED))
        found = {number: each for part in parts for number, each in self.fetch(part).items()}
        return [found[number] for number in numbers if number in found]

    def holding(self, expression: str, limit: int) -> list[int]:
        """Returns numbers of the passages that match, the highest first."""
        query = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?"
        return [row[0] for row in self.db.execute(query, (expression, limit))]

    def how_many(self, expression: str) -> int:
        """Returns how many passages match."""
        return int(self.db.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone()[0])

    def words_with(self, part: str, limit: int) -> list[str]:
        """Returns indexed words that hold a folded text of three letters or more, the shortest first."""
        query = (
            "SELECT word FROM vocabulary WHERE id IN"
            " (SELECT rowid FROM word_trigrams WHERE word_trigrams MATCH ? LIMIT ?)"
            " AND instr(word, ?) ORDER BY length(word), word LIMIT ?"
        )
        return [row[0] for row in self.db.execute(query, (trigrams_of(part), _HOLDERS_READ, part, limit))]

    def newest_first(self, numbers: Sequence[int]) -> list[int]:
        """Returns numbers of passages ordered by their time, the newest first; memory, which has none, before all."""
        query = f"SELECT id FROM passages WHERE id IN {LISTED} ORDER BY said = '' AND id >= ? DESC, said DESC, id DESC"
        return [row[0] for row in self.db.execute(query, (listed(numbers), SearchKind.NOTES << KIND_BITS))]

    def _stored(self, condition: str, values: Sequence[Any]) -> list[StoredPassage]:
        query = f"SELECT id, file, line, message_index, role, said, body, beside, language FROM passages {condition}"
        return [StoredPassage(*row) for row in self.db.execute(query, values)]


def listed(numbers: Iterable[int]) -> str:
    """Returns numbers as the one parameter of `LISTED`."""
    return json.dumps(list(numbers))


def is_talk(number: int) -> bool:
    """Returns whether a passage of that number is a part of a talk, whose parts answer each other."""
    return number >> KIND_BITS in _TALK


def _states(db: sqlite3.Connection) -> Iterator[FileState]:
    columns = "id, name, kind, inode, size, modified, end, line, message_index, beside, key, checksum, tail, first"
    for number, name, kind, inode, size, modified, *place, checksum, tail, first in db.execute(
        f"SELECT {columns} FROM files"
    ):
        at = ReadPosition(*place) if place[0] is not None else ReadPosition()
        stat = (inode or 0, -1 if size is None else size, modified or 0)
        yield FileState(number, name, SearchKind(kind), *stat, at, checksum or 0, tail or 0, first or 0)


def _tokens(text: str, beside: str, spoken: str, when: str) -> tuple[str, str, str]:
    """Returns the columns of a passage: stems, words where they differ from these, stems of what stands beside it and
    its day."""
    stems, forms = [], []
    for folded, stem in tokens_of(text, spoken):
        stems.append(stem)
        if folded != stem:
            forms.append(folded)
    near = [stem for _, stem in tokens_of(beside)]
    if day := day_token(when):
        near.append(day)
    return " ".join(stems), " ".join(forms), " ".join(near)


def _holders(columns: Sequence[str]) -> set[str]:
    """Returns the words of a passage in which another word may stand: not numbers, nor pairs of characters."""
    stems, forms, _near = columns
    words = {*stems.split(), *forms.split()}
    return {word for word in words if len(word) >= _SHORTEST_HOLDER and not word.isdigit() and not is_spaceless(word)}
