"""Finds earlier words: a plain search over the history log and the memory files, the best and newest first."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.forgetting.forgotten_lines import without_forgotten
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.domain.memory.history_entries import NONE_UNDATED, Decoded, HistoryLog
from mnemoscope.domain.text.characters import APOSTROPHE, decoded
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges, words_of_entry
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.logs.history_log import DAILY_NOTE, NotesFormat
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

_READ_LIMIT: Final = 20_000_000
"""Bytes searched of one file, counted from its end."""
TEXT_LIMIT: Final = 1_200
"""Characters of one hit."""
_WORD: Final = re.compile(r"\w+")
_ENDINGS: Final = (("ies", "y"), ("lves", "lf"), ("ing", ""), ("ed", ""), ("ches", "ch"), ("xes", "x"), ("s", ""))
_SHORTEST_STEM: Final = 3
"""Letters that have to be left of a word: fewer stand in too many others."""
_COMMON: Final = frozenset((
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "can", "did", "do", "does", "for", "from",
    "had", "has", "have", "how", "i", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our", "s", "so", "t",
    "tell", "that", "the", "their", "there", "they", "this", "to", "us", "was", "we", "were", "what", "when",
    "where", "which", "who", "why", "will", "with", "you", "your",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecalledPassage:
    """Describes a passage found. `source` is relative to the workspace; `where` is a time, or a line and its heading;
    `line` is the one it begins on, counted from 1, 0 where that is not known."""

    source: str
    where: str
    text: str
    line: int = field(default=0, compare=False)


def passages_without_forgotten(
    passages: Iterable[RecalledPassage], is_forgotten: Callable[[str], bool]
) -> Iterator[RecalledPassage]:
    """Yields the passages without the lines that the person had forgotten and that came back, and without a heading
    that is one; those that have no other lines are left out."""
    for each in passages:
        text, count = without_forgotten(each.text, is_forgotten)
        line, _, heading = each.where.partition(", ")
        where = line if heading and is_forgotten(heading) else each.where
        if text.strip():
            yield replace(each, text=text, where=where) if count or where != each.where else each


InactiveLinesOf = Callable[[Collection[str]], Mapping[str, Collection[str]]]
"""Returns the lines of files that only messages said which are deleted or on other branches, by the paths of the
files."""


def found_in_files(paths: WorkspacePaths, query: str, inactive_lines: InactiveLinesOf) -> list[RecalledPassage]:
    """Returns what is found by reading the files, where there is no index, without the lines that a conversation has
    left."""
    found = search_memory(paths, query)
    left = inactive_lines({each.source for each in found})
    gone = {file: {line[:TEXT_LIMIT] for line in lines} for file, lines in left.items()}
    return [each for each in found if each.text not in gone.get(each.source, ())]


def search_memory(paths: WorkspacePaths, query: str) -> list[RecalledPassage]:
    """Returns the passages that hold the query as a phrase, then those with all of its words, then with most."""
    words = [_forms(word) for word in _content_words(query)]
    if not words:
        return []
    phrase = " ".join(_fold(query).split())
    found: list[tuple[float, int, RecalledPassage]] = []
    for order, hit in enumerate(_passages(paths)):
        score = _score(_fold(hit.text), phrase, words)
        if score > 0:
            found.append((score, order, hit))
    found.sort(key=lambda item: (-item[0], -item[1]))
    return [hit for _, _, hit in found]


def read_history(paths: WorkspacePaths) -> HistoryLog:
    """Returns the entries of HISTORY.md, none where there is no such file; those without a date as the ledger tells
    them apart. Raises UnreadableFile."""
    data = b""
    with storage_errors(paths.history_file, "read"), suppress(FileNotFoundError):
        data = paths.history_file.read_bytes()
    return HistoryLog(data, Ledger(paths).undated_entries() if data else NONE_UNDATED)


def newest_exchanges(paths: WorkspacePaths, count: int, left: InactiveExchanges) -> list[Decoded]:
    """Returns the last so many sections of the daily notes, oldest first, without those that are `left`. Raises
    UnreadableFile."""
    found: list[Decoded] = []
    names: list[str] = []
    with storage_errors(paths.memory_dir, "read"), suppress(FileNotFoundError):
        names = sorted(name for name in os.listdir(paths.memory_dir) if DAILY_NOTE.fullmatch(name))
    while names and len(found) < count:
        note = paths.memory_dir / names.pop()
        with storage_errors(note, "read"):
            sections = _sections(note.name, note.read_bytes())
        file = f"{paths.memory_dir.name}/{note.name}"
        gone = left.texts([file]).get(file, frozenset())
        found = [*(each for each in sections if words_of_entry(each.text) not in gone), *found]
    return found[-count:]


def _sections(name: str, data: bytes) -> list[Decoded]:
    reader, starts = NotesFormat(), list[int]()
    reader.begin(name, stamped=False)
    reader.feed(data, 0, lambda start, _day: starts.append(start))
    return [reader.decode(data[start:stop], name) for start, stop in pairwise([*starts, len(data)])]


def known_history(paths: WorkspacePaths) -> HistoryLog:
    """Returns the entries of HISTORY.md, and none where it cannot be read: for who looks for something in it."""
    with suppress(UnreadableFile):
        return read_history(paths)
    return HistoryLog(b"")


def _read_tail_text(path: Path) -> str:
    """Returns the last `_READ_LIMIT` bytes of a file as text; bad bytes become U+FFFD.

    "" where it cannot be read or is no text: it has NUL bytes, as UTF-16 has, and not only at its end, as after a power
    cut.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _READ_LIMIT))
            data = file.read(_READ_LIMIT)
    except OSError:
        return ""
    data = data.rstrip(b"\0")
    return "" if b"\0" in data else decoded(data)


def _passages(paths: WorkspacePaths) -> Iterator[RecalledPassage]:
    """Returns every passage, the newest history last, so that ties go to what is newer."""
    for file in _note_files(paths):
        yield from _lines_of(file, paths.root)
    history = known_history(paths)
    name = path_within(paths.history_file, paths.root)
    for place, first in enumerate(history.first_lines()):
        entry = history.entry(place)
        yield RecalledPassage(name, entry.when or "no date", _beginning(entry.text), first + 1)
    yield from _lines_of(paths.memory_file, paths.root)


def _beginning(text: str) -> str:
    """Returns as many whole lines of an entry as there is room for: half of one would not be known as forgotten."""
    if len(text) <= TEXT_LIMIT:
        return text
    return text[: TEXT_LIMIT + 1].rpartition("\n")[0] or text[:TEXT_LIMIT]


def _note_files(paths: WorkspacePaths) -> list[Path]:
    skipped = {paths.memory_file.name, paths.history_file.name}
    try:
        inside = [file for file in paths.memory_dir.iterdir() if file.suffix == ".md" and file.name not in skipped]
    except OSError:
        inside = []
    inside.sort(key=lambda file: (bool(DAILY_NOTE.fullmatch(file.name)), file.name))
    return [file for file in (paths.file(USER_PATH), *inside) if file.is_file() and not file.is_symlink()]


def _lines_of(file: Path, root: Path) -> Iterator[RecalledPassage]:
    heading = ""
    for number, line in enumerate(_read_tail_text(file).split("\n"), 1):
        text = line.strip()
        if text.startswith("#"):
            heading = text.lstrip("# ")
        elif text:
            where = f"line {number}, {heading}" if heading else f"line {number}"
            yield RecalledPassage(path_within(file, root), where, text[:TEXT_LIMIT], number)


def _content_words(query: str) -> list[str]:
    words = list(dict.fromkeys(_WORD.findall(_fold(query))))
    return [word for word in words if word not in _COMMON] or words


def _forms(word: str) -> tuple[str, ...]:
    """Returns the word, and what is left of it without a common English ending: `markets` finds `market`."""
    for ending, put in _ENDINGS:
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            short = word.removesuffix(ending) + put
            return (word, short) if len(short) >= _SHORTEST_STEM else (word,)
    return (word,)


def _score(text: str, phrase: str, words: list[tuple[str, ...]]) -> float:
    matched = sum(1 for forms in words if any(form in text for form in forms))
    if phrase in text:
        return len(words) + 2
    if matched == len(words):
        return matched + 1
    return matched if matched * 2 >= len(words) else 0


def _fold(text: str) -> str:
    """Returns a text without case, accents and typographic apostrophes."""
    plain = unicodedata.normalize("NFKD", APOSTROPHE.sub("'", text))
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()
