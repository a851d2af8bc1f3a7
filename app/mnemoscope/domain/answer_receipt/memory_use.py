"""Reads from a prompt what of memory stood in it: each line, entry and note, with the place that it has there.

What counts is what a model was sent of MEMORY.md, USER.md and the state of the conversation, of the history log, and of
the daily notes, by the program itself or as the result of a search of memory or of reading one of these files, for
this answer or an earlier one whose messages still went with it; and each whole line of them in what any other tool
gave, also as a row of a string of JSON. SOUL.md and AGENTS.md are instructions and do not count; the lines of SOUL.md,
which Dream may change, are read apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final

from mnemoscope.domain.capture.captured_line import read_line
from mnemoscope.domain.context.prompt_snapshot import (
    BOOTSTRAP_TITLE,
    MEMORY_TITLE,
    RECENT_TITLE,
    STATE_TITLE,
    MemoryQuote,
    PromptSnapshot,
)
from mnemoscope.domain.context.recovery import RECOVERY_KIND
from mnemoscope.domain.conversation.message import (
    NOT_RUN,
    READING_TOOL,
    SEARCH_TOOL,
    Message,
    text_of,
    tool_call_name,
    tool_calls_of,
)
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_lines, fact_text
from mnemoscope.domain.memory.file_registry import (
    HISTORY_PATH,
    JOURNAL_PATH,
    LOG_NAMES,
    SOUL_PATH,
    STATE_PATH,
    USER_PATH,
    is_daily_note,
)
from mnemoscope.domain.text.json_text import parsed_object

_NOTE: Final = re.compile(r"(?:^|/)\d{4}-\d{2}-\d{2}\.md$")
_NO_TEXT: Final = ("Error: ", NOT_RUN, "Stopped while this tool was running.")
"""The beginnings of results that are no text of a file."""
_FILES_OF_LINES: Final = tuple(path.casefold() for path in (MEMORY_PATH, USER_PATH, STATE_PATH))
_PARAGRAPH: Final = re.compile(r"^.*\S.*(?:\n.*\S.*)*", re.MULTILINE)
_RESULT_HEAD: Final = re.compile(r"(?:\A|(?<=\n\n))(?P<source>\S+) \(.*\)\n")
_OURS: Final = re.compile(
    r"\s*(?:\[….*\]|\[\S+ could not be read\.\]|\[lines [\d,]+ to [\d,]+ of [\d,]+\]"
    r"|Write here what every conversation should know about you.*)\s*"
)
"""Lines that are the program's: that some of memory were left out or could not be read, which of a file a tool gave,
and what a new USER.md holds before anybody wrote into it."""


_ROW_HEADS: Final = (
    re.compile(""),
    re.compile(r"\s*\d+ *[:\t|-]"),
    re.compile(r"[^\s:]+\.(?:md|jsonl)[:-](?:\d+[:-])?"),
    re.compile(r"[+-]"),
)
_JSON_STRING: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\Z)')
"""A string of JSON within a row; the last one may be cut off."""
_JSON_ROW: Final = re.compile(r"([^\\]*(?:\\[^nr][^\\]*)*)(?:\\[nr]|\Z)")
"""A row within a string of JSON, with the escape of the line end behind it."""
_JSON_CHARACTER: Final = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[\da-fA-F]{4}|\\.|.")
_LEAST_BYTES: Final = 8
"""Bytes of UTF-8 that a line says at least: a shorter one may stand anywhere by chance."""


class MemoryKind(StrEnum):
    """Names what a part of memory is: a line of a file, an entry of the history log, or one of a daily note; an
    instruction is none, and counts in nothing."""

    LINE = "line"
    ENTRY = "entry"
    NOTE = "note"
    INSTRUCTION = "instruction"


@dataclass(frozen=True, slots=True)
class UsedMemory:
    """Describes one part of memory as it stood in a prompt.

    `source` is its file, relative to the workspace; `message` the place of the message of the request that holds it,
    and [start, stop) its characters there.
    """

    kind: MemoryKind
    source: str
    text: str
    message: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """Counts the parts of memory in one prompt."""

    lines: int = 0
    entries: int = 0
    notes: int = 0

    @classmethod
    def of(cls, used: Sequence[UsedMemory]) -> MemoryCounts:
        """Returns the counts of these parts; what stood in the prompt twice, as where a search found it too, or a line
        of several files, counts once."""
        kinds = [each.kind for each in distinct_facts(used)]
        return cls(kinds.count(MemoryKind.LINE), kinds.count(MemoryKind.ENTRY), kinds.count(MemoryKind.NOTE))

    @property
    def total(self) -> int:
        """Returns how many parts of memory there are."""
        return self.lines + self.entries + self.notes


def distinct_passages(used: Sequence[UsedMemory]) -> list[UsedMemory]:
    """Returns the parts, each passage of a file once, where it stands first."""
    first: dict[tuple[str, str, str], UsedMemory] = {}
    for each in used:
        # Where case does not matter, a tool may have read a file under another name.
        first.setdefault((each.kind, each.source.casefold(), each.text.strip()), each)
    return list(first.values())


def distinct_facts(used: Sequence[UsedMemory]) -> list[UsedMemory]:
    """Returns the passages, and of lines that say the same in several files the one that stands first: what is
    remembered stands in MEMORY.md and with the conversation."""
    first: dict[object, UsedMemory] = {}
    for each in distinct_passages(used):
        key = _said(each.text) if each.kind is MemoryKind.LINE else (each.kind, each.source.casefold(), each.text)
        first.setdefault(key, each)
    return list(first.values())


def repeated_lines(used: Sequence[UsedMemory]) -> int:
    """Returns how many passages say what another file has said."""
    return len(distinct_passages(used)) - len(distinct_facts(used))


def in_each_file(used: Iterable[UsedMemory], part: UsedMemory) -> tuple[UsedMemory, ...]:
    """Returns a part as each file among these parts has it: of a line what says the same, itself first."""
    if part.kind is not MemoryKind.LINE:
        return (part,)
    wanted = _said(part.text)
    found = {part.source.casefold(): part}
    for each in used:
        if each.kind is MemoryKind.LINE and _said(each.text) == wanted:
            found.setdefault(each.source.casefold(), each)
    return tuple(found.values())


def _said(line: str) -> tuple[str, str, str]:
    """Returns what a line says, whose it is and until when it holds: of one that was captured without its time and
    category, which not every file has."""
    captured = read_line(f"- {fact_text(line)}")
    if captured is None or not captured.category:
        return fact_text(line), "", ""
    return captured.text, captured.user, captured.until


_MEMORY_FIELD: Final = "memory"
"""The field of an answer's record that says what of memory its prompt held. Other programs pass over it."""
_REPEATED: Final = "repeated"
"""The field with the number of lines that repeat another file and are not counted. Records of earlier versions count
such lines and lack this field."""


def memory_field(used: Sequence[UsedMemory], prompt_id: str) -> dict[str, dict[str, Any]]:
    """Returns the field of an answer whose prompt held these parts, and is kept under this name."""
    counts = asdict(MemoryCounts.of(used))
    return {_MEMORY_FIELD: {**counts, _REPEATED: repeated_lines(used), "prompt": prompt_id}}


def counts_of(message: Mapping[str, Any]) -> MemoryCounts | None:
    """Returns the counts in an answer's record, or None where it does not say."""
    field = message.get(_MEMORY_FIELD)
    if not isinstance(field, Mapping):
        return None
    counts = [field.get(name) for name in ("lines", "entries", "notes")]
    known = [each for each in counts if type(each) is int and each >= 0]
    return MemoryCounts(*known) if len(known) == len(counts) else None


def counts_repeated_lines(message: Mapping[str, Any]) -> bool:
    """Returns whether an answer's record counts lines that stood in several files more than once."""
    field = message.get(_MEMORY_FIELD)
    return isinstance(field, Mapping) and _REPEATED not in field


def prompt_id_of(message: Mapping[str, Any]) -> str:
    """Returns the name under which an answer's prompt is kept, "" where its record names none."""
    field = message.get(_MEMORY_FIELD)
    named = field.get("prompt") if isinstance(field, Mapping) else ""
    return named if isinstance(named, str) else ""


def memory_in(prompt: PromptSnapshot) -> list[UsedMemory]:
    """Returns the parts of memory that stood in a prompt, in their order there."""
    texts = [text_of(message) for message in prompt.request]
    if not texts:
        return []
    found: list[UsedMemory] = []
    begin = 0
    for section in prompt.system:
        begin = texts[0].find(section.text, begin)
        if begin < 0:
            break
        found += _of_section(section.title, section.source, section.text, 0, begin)
        begin += len(section.text)
    for section in prompt.messages:
        if section.kind == "memory":
            # It goes within the newest message of the person.
            places = (place for place in range(len(texts) - 1, 0, -1) if section.text in texts[place])
            place = next(places, -1)
            if place > 0:
                begin = texts[place].index(section.text)
                found += _of_section(section.title, section.source, section.text, place, begin)
        elif section.kind == RECOVERY_KIND and section.text in texts:
            found += _of_recovery(prompt, section.text, texts.index(section.text))
    return [*found, *_of_tools(prompt, texts)]


def soul_in(prompt: PromptSnapshot) -> list[UsedMemory]:
    """Returns the lines of SOUL.md in the system prompt, in their order."""
    whole, begin = text_of(prompt.request[0]) if prompt.request else "", 0
    for section in prompt.system:
        begin = whole.find(section.text, begin)
        if begin < 0:
            break
        if section.title == BOOTSTRAP_TITLE:
            _start, words, stop = _place_of_file(SOUL_PATH, section.source, section.text)
            lines = _lines_of(SOUL_PATH, section.text[words:stop], 0, begin + words, MemoryKind.INSTRUCTION)
            return list(lines)
        begin += len(section.text)
    return []


def saying_the_same(parts: Iterable[UsedMemory], part: UsedMemory) -> list[UsedMemory]:
    """Returns the parts of memory that say the same to the letter, whichever file they stand in, and the lines that do
    so within longer ones: without all of them the model has not read it. The time and the category of what was captured
    are no words of it."""
    wanted = _said(part.text)
    same: list[UsedMemory] = []
    for each in parts:
        if _said(each.text) == wanted:
            same.append(each)
            continue
        start = each.start
        for row in each.text.split("\n"):
            if _said(row) == wanted:
                same.append(replace(each, text=row, start=start, stop=start + len(row)))
            start += len(row) + 1
    return same


def of_tools(prompt: PromptSnapshot) -> list[UsedMemory]:
    """Returns the parts of memory that stood in the results of tools."""
    return list(_of_tools(prompt, [text_of(message) for message in prompt.request]))


def quotable_lines(request: Sequence[Message]) -> set[str]:
    """Returns what stands in the lines of results of tools, as far as it may be a whole line of memory: of results that
    no search of memory and no reading of its files gave."""
    texts = [text_of(message) for message in request]
    return {
        words
        for place, path in _results(request, texts)
        if path is not None and not _is_file_of_memory(path)
        for _start, _stop, words in _rows_of(texts[place])
    }


def without_memory(messages: Sequence[Message], parts: Iterable[UsedMemory]) -> tuple[Message, ...]:
    """Returns the messages of a request without these parts of memory; all else in them stays to the letter."""
    spans: dict[int, list[UsedMemory]] = {}
    for part in parts:
        spans.setdefault(part.message, []).append(part)
    changed = list(messages)
    for place, within in spans.items():
        text = text_of(messages[place])
        for part in sorted(within, key=lambda each: -each.start):
            stop = part.stop + (text[part.stop : part.stop + 1] == "\n")
            text = text[: part.start] + text[stop:]
        changed[place] = {**messages[place], "content": text}
    return tuple(changed)


def without_all_memory(prompt: PromptSnapshot) -> tuple[Message, ...]:
    """Returns the request of a prompt without anything of memory: also without the headings that it stood under."""
    texts = [text_of(message) for message in prompt.request]
    whole: list[UsedMemory] = []
    begin = 0
    for section in prompt.system:
        begin = texts[0].find(section.text, begin) if texts else -1
        if begin < 0:
            break
        if section.kind == "memory":
            whole.append(UsedMemory(MemoryKind.LINE, section.source, "", 0, begin, begin + len(section.text)))
        elif section.title == BOOTSTRAP_TITLE:
            start, _words, stop = _place_of_file(USER_PATH, section.source, section.text)
            whole.append(UsedMemory(MemoryKind.LINE, USER_PATH, "", 0, begin + start, begin + stop))
        begin += len(section.text)
    for place, path in _results(prompt.request, texts):
        if path and _is_file_of_memory(path):
            whole.append(UsedMemory(MemoryKind.LINE, path, "", place, 0, len(texts[place])))
    recovered: set[int] = set()
    for section in prompt.messages:
        places = [place for place, text in enumerate(texts) if place and section.text and section.text in text]
        if places and section.kind == "memory":
            begin = texts[places[-1]].index(section.text)
            whole.append(UsedMemory(MemoryKind.LINE, "", "", places[-1], begin, begin + len(section.text)))
        elif places and section.kind == RECOVERY_KIND:
            recovered.add(places[0])
    single = [
        part
        for part in memory_in(prompt)
        if not any(each.message == part.message and each.start <= part.start < each.stop for each in whole)
    ]
    left = without_memory(prompt.request, [*whole, *single])
    return tuple(message for place, message in enumerate(left) if place not in recovered)


def _of_section(title: str, source: str, text: str, message: int, begin: int) -> Iterator[UsedMemory]:
    if title in (MEMORY_TITLE, STATE_TITLE):
        yield from _lines_of(source, text, message, begin)
    elif title == RECENT_TITLE:
        yield from _entries_of(source, text, message, begin)
    elif title == BOOTSTRAP_TITLE:
        _start, words, stop = _place_of_file(USER_PATH, source, text)
        yield from _lines_of(USER_PATH, text[words:stop], message, begin + words)


def _place_of_file(wanted: str, source: str, text: str) -> tuple[int, int, int]:
    """Returns where the heading of a file begins among the files, where its words do, and where they stop; all the
    same where it is not among them. `source` has the names of the files in their order.

    Any of them may have a heading that names another; so the last file is looked for first, from the end.
    """
    stop = len(text)
    for name in reversed(source.split(", ")):
        head = f"## {name}\n\n"
        start = 0 if text.startswith(head) else -1
        start = max(start, text.rfind(f"\n\n{head}", 0, stop))
        if start < 0:
            continue
        if name == wanted:
            heading = text.index(head, start)
            return heading, heading + len(head), stop
        stop = start
    return 0, 0, 0


def _lines_of(
    source: str, text: str, message: int, begin: int, kind: MemoryKind = MemoryKind.LINE
) -> Iterator[UsedMemory]:
    """Yields the lines of a text that state something."""
    states = iter(fact_lines(text))
    wanted = next(states, None)
    for row in text.split("\n"):
        if row == wanted:
            wanted = next(states, None)
            if not _OURS.fullmatch(row):
                yield UsedMemory(kind, source, row, message, begin, begin + len(row))
        begin += len(row) + 1


def _entries_of(source: str, text: str, message: int, begin: int) -> Iterator[UsedMemory]:
    """Yields the entries of a list, each with the lines that are set in below it."""
    for entry in re.finditer(r"^- .*(?:\n(?!- ).*)*", text, re.MULTILINE):
        words = entry[0].rstrip()
        start = begin + entry.start()
        yield UsedMemory(MemoryKind.ENTRY, source, words, message, start, start + len(words))


def _of_recovery(prompt: PromptSnapshot, text: str, message: int) -> Iterator[UsedMemory]:
    for recalled in prompt.guard.told if prompt.guard is not None else ():
        begin = text.find(recalled.text)
        if begin < 0:
            continue
        if recalled.source.endswith(STATE_PATH):
            yield from _lines_of(recalled.source, recalled.text, message, begin)
            continue
        place = begin + len(recalled.text.partition("\n\n")[0])
        for entry in recalled.text.split("\n\n")[1:]:
            place = text.index(entry, place)
            yield UsedMemory(_kind_of(recalled.source), recalled.source, entry, message, place, place + len(entry))
            place += len(entry)


def _of_tools(prompt: PromptSnapshot, texts: Sequence[str]) -> Iterator[UsedMemory]:
    """Yields what searches of memory found, what was read of its files, and its lines in what other tools gave, in the
    order of the results."""
    quotes = {quote.line: quote for quote in prompt.quotes}
    for place, path in _results(prompt.request, texts):
        if path is None:
            yield from _of_search(texts[place], place)
        elif _is_file_of_memory(path):
            yield from _of_file(path, texts[place], place)
        elif quotes:
            yield from _of_quotes(quotes, texts[place], place)


def _results(request: Sequence[Message], texts: Sequence[str]) -> Iterator[tuple[int, str | None]]:
    """Yields the places of the results of tools: of a search of memory with None, of a file that was read with its
    path, and of every other tool with ""."""
    read: dict[str, str] = {}
    for place, message in enumerate(request):
        read |= {str(call.get("id")): _path_of(call) for call in tool_calls_of(message)}
        if message.get("role") != "tool" or texts[place].startswith(_NO_TEXT):
            continue
        is_search = message.get("name") == SEARCH_TOOL
        yield place, None if is_search else read.get(str(message.get("tool_call_id")), "")


def _of_quotes(quotes: Mapping[str, MemoryQuote], text: str, message: int) -> Iterator[UsedMemory]:
    """Yields the lines of memory that stand in a result, each row of it once."""
    end = 0
    for start, stop, words in _rows_of(text):
        quote = quotes.get(words)
        if quote is not None and start >= end:
            end = stop
            yield UsedMemory(_kind_of(quote.source), quote.source, words, message, start, stop)


def _rows_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields what each row of a result says, with its place [start, stop): rows of the text and rows of the strings of
    JSON in it. Each counts whole, and without the name of a file, the number of a line or the sign of a change, which
    commands put before it. What says too little to be known again is left out."""
    begin = 0
    for row in text.split("\n"):
        yield from _words_of(row, row, begin)
        if '"' in row:
            for string in _JSON_STRING.finditer(row):
                # A character has four bytes at most.
                is_long = len(string[1]) >= _LEAST_BYTES // 4
                for piece in _JSON_ROW.finditer(string[1]) if is_long else ():
                    yield from _words_of(_unescaped(piece[1]), piece[1], begin + string.start(1) + piece.start())
        begin += len(row) + 1


def _words_of(row: str, written: str, begin: int) -> Iterator[tuple[int, int, str]]:
    """Yields what a row says, with the place of that. `written`: how it stands in the text, from `begin` on."""
    for head in _ROW_HEADS:
        if (found := head.match(row)) is None:
            continue
        words = row[found.end() :].strip()
        is_telling = len(fact_text(words).encode()) >= _LEAST_BYTES and fact_lines(words) == [words]
        if is_telling and not _OURS.fullmatch(words):
            start = row.index(words, found.end())
            stop = start + len(words)
            if row != written:
                places = [0, *(each.end() for each in _JSON_CHARACTER.finditer(written))]
                start, stop = places[start], places[stop]
            yield begin + start, begin + stop, words


def _unescaped(text: str) -> str:
    """Returns a piece of a string of JSON as it reads; one that is none as it is."""
    try:
        return str(json.loads(f'"{text}"')) if "\\" in text else text
    except ValueError:
        return text


def _path_of(call: Mapping[str, Any]) -> str:
    """Returns the path that a call reads, "" where it reads none."""
    if tool_call_name(call) != READING_TOOL:
        return ""
    function = call.get("function")
    given = function.get("arguments") if isinstance(function, Mapping) else None
    arguments = parsed_object(given) if isinstance(given, str) else given
    path = arguments.get("path") if isinstance(arguments, Mapping) else ""
    return path if isinstance(path, str) else ""


def _of_file(path: str, text: str, message: int) -> Iterator[UsedMemory]:
    """Yields what a file of memory says, nothing of another file."""
    name = path.casefold()
    if name in _FILES_OF_LINES:
        yield from _lines_of(path, text, message, 0)
    elif name == JOURNAL_PATH:
        yield from _lines_of(path, text, message, 0, MemoryKind.ENTRY)
    elif _is_file_of_memory(path):
        for paragraph in _PARAGRAPH.finditer(text):
            if any(not _OURS.fullmatch(row) for row in fact_lines(paragraph[0])):
                yield UsedMemory(_kind_of(path), path, paragraph[0], message, paragraph.start(), paragraph.end())


def _is_file_of_memory(path: str) -> bool:
    name = path.casefold()
    return name in (*_FILES_OF_LINES, HISTORY_PATH.casefold(), JOURNAL_PATH) or is_daily_note(name)


def _of_search(text: str, message: int) -> Iterator[UsedMemory]:
    heads = list(_RESULT_HEAD.finditer(text))
    for head, after in zip(heads, [*heads[1:], None], strict=False):
        stop = len(text) if after is None else after.start()
        words = text[head.end() : stop].rstrip("\n")
        if _is_memory(head["source"]):
            start = head.end()
            yield UsedMemory(_kind_of(head["source"]), head["source"], words, message, start, start + len(words))


def _is_memory(source: str) -> bool:
    return source.rpartition("/")[2] in (MEMORY_PATH.rpartition("/")[2], USER_PATH, STATE_PATH, *LOG_NAMES) or bool(
        _NOTE.search(source)
    )


def _kind_of(source: str) -> MemoryKind:
    if source.endswith(LOG_NAMES):
        return MemoryKind.ENTRY
    return MemoryKind.LINE if _is_memory(source) and not _NOTE.search(source) else MemoryKind.NOTE
