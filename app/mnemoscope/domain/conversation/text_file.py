"""Text files that a person sends with a message: their text stands in its words as quoted text, their names beside it.

A record's `content` stays one string: the person's own words, then of each file a line with its name and a block of
code with its text. `files` lists them as objects with `name`, `start` and `stop`, in characters of the content, and
`quotes` has the same spans as a file's, so that nothing of them counts as the person's words. Other programs read the
content and pass over both fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.text.fences import closes, fenced, opening_mark

MOST_FILES: Final = 8
"""Text files that one message takes."""
_LONGEST_NAME: Final = 120
"""Characters of a file's name that are kept."""
_FIELD: Final = "files"
_LANGUAGE: Final = re.compile(r"\w{1,12}")
_NOT_IN_A_NAME: Final = re.compile(r"[\s`]+")


@dataclass(frozen=True, slots=True)
class TextFile:
    """Holds the name of a file, without its folder, and its text."""

    name: str
    text: str

    @property
    def lines(self) -> int:
        """Returns how many lines the text has."""
        return self.text.rstrip("\n").count("\n") + 1

    def quoted(self) -> str:
        """Returns the file as it stands in a message: a line with its name, and its text as a block of code."""
        return _quoted(self.name, self.text)


@dataclass(frozen=True, slots=True)
class FileSpan:
    """Says where a file stands in a message, [start, stop) in characters of the content, and holds its name."""

    start: int
    stop: int
    name: str

    def moved(self, by: int) -> FileSpan:
        """Returns the span where `by` characters stand before it."""
        return FileSpan(self.start + by, self.stop + by, self.name)


@lru_cache(maxsize=MOST_FILES)
def _quoted(name: str, text: str) -> str:
    """Returns what `TextFile.quoted` does. It is kept: a long text is looked through for fences whenever it is typed
    beside."""
    name = _NOT_IN_A_NAME.sub(" ", name).strip()[:_LONGEST_NAME]
    suffix = name.rpartition(".")[2] if "." in name else ""
    language = suffix.lower() if _LANGUAGE.fullmatch(suffix) else ""
    block = fenced(text.rstrip("\n"), language)
    return f"{name}:\n{block}"


def file_spans_of(message: Mapping[str, Any]) -> tuple[FileSpan, ...]:
    """Returns where the files of a message stand, in order; none for what a record names wrongly."""
    return read_file_spans(message.get(_FIELD), len(text_of(message)))


def read_file_spans(value: object, length: int) -> tuple[FileSpan, ...]:
    """Returns the spans that a list names in a text of that length, in order and apart; what does not fit is left
    out."""
    found: list[FileSpan] = []
    for each in value[:MOST_FILES] if isinstance(value, list) else ():
        if not isinstance(each, Mapping):
            continue
        start, stop, name = each.get("start"), each.get("stop"), each.get("name")
        place = found[-1].stop if found else 0
        if type(start) is int and type(stop) is int and isinstance(name, str) and place <= start < stop <= length:
            found.append(FileSpan(start, stop, name[:_LONGEST_NAME]))
    return tuple(found)


def files_field(spans: Iterable[FileSpan]) -> dict[str, Any]:
    """Returns the field that names these files in a record; nothing where there are none."""
    named = [{"name": each.name, "start": each.start, "stop": each.stop} for each in spans]
    return {_FIELD: named} if named else {}


def file_in(text: str, span: FileSpan) -> TextFile | None:
    """Returns the file that stands in a message's text at a span, or None where no file's text stands there."""
    _, _, block = text[span.start : span.stop].partition("\n")
    lines = block.split("\n")
    mark = opening_mark(lines[0])
    if not mark or len(lines) < 3 or not closes(lines[-1], mark):
        return None
    return TextFile(span.name, "\n".join(lines[1:-1]))
