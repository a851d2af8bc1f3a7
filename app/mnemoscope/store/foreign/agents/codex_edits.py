"""The calls of a rollout of Codex that wrote to memory files. See `codex`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.foreign.apply_patch import FilePatch, PatchChunk, PatchMalformed, parse_patch, patch_in_shell
from mnemoscope.domain.foreign.foreign_records import MemoryEdit, TextReplacement
from mnemoscope.store.foreign.agents.codex_rollout import (
    CALLS,
    OUTPUTS,
    has_failed,
    is_own_text,
    item_arguments,
    item_words,
    object_of,
)
from mnemoscope.store.foreign.reading.json_lines import JsonLines
from mnemoscope.store.foreign.reading.record_values import stated_moment, text_in

_WRITES: Final = re.compile(r">|\b(?:tee|sed\s+-i|mv|cp|rm|truncate|perl\s+-p?i|python3?|apply_?patch)\b")
_LOOKED_AT: Final = 400
"""In bytes: a line says within so many of what type it is."""
_NAMES: Final = (b"memor", b"AGENTS", b"ad_hoc")
_PATH_IN_SCRIPT: Final = re.compile(r"[^\s'\"<>|;&()]*(?:memories/[^\s'\"<>|;&()]+|AGENTS(?:\.override)?\.md)")


@dataclass(frozen=True, slots=True)
class _Write:
    """Describes what a call does to one file: its path as the call names it, and the part of a patch; None where what
    it does is not certain."""

    path: str
    folder: str
    part: FilePatch | None


@dataclass(frozen=True, slots=True)
class CodexEdit:
    """Describes a call that wrote to a memory file, and its part of a patch; None where what it did is not certain."""

    edit: MemoryEdit
    part: FilePatch | None


class CodexEdits:
    """Finds the calls of one conversation that wrote to memory, and that did not fail."""

    def __init__(self, file: Path, conversation: str, memory_path: Callable[[str, str], str | None]) -> None:
        """`memory_path` gives a memory file's path for one that a call names in a folder, None for any other file."""
        self._file = file
        self._conversation = conversation
        self._memory_path = memory_path
        self._said: list[str] = []
        self._folder = ""
        self._calls: list[tuple[int, Mapping[str, Any], str, str, str]] = []
        """Calls that may write: place, item, the person's last text, the folder, and when."""
        self._metas = 0
        self._failed: set[str] = set()

    def found(self, known: set[str]) -> Iterator[CodexEdit]:
        """Yields them in order. `known` are the calls of the conversations before this one, and takes up those of this
        one: where it came out of another, it holds that one's calls once more. Raises UnreadableFile."""
        lines = JsonLines(self._file, _looked_at)
        for place, line in lines.read():
            if line is not None:
                self._take(place, line)
        for place, item, said, folder, when in self._calls:
            own = repr(item)
            is_again = self._metas > 1 and own in known and bool(text_in(item.get("call_id")))
            known.add(own)
            if is_again or text_in(item.get("call_id")) in self._failed:
                continue
            for write in _writes(item, folder):
                yield from self._edits_of(write, place, said, when, text_in(item.get("name")) or "shell")

    def _take(self, place: int, line: Mapping[str, Any]) -> None:
        payload = line.get("payload")
        if not isinstance(payload, Mapping):
            return
        kind = text_in(payload.get("type"))
        if text_in(line.get("type")) in ("session_meta", "turn_context"):
            self._metas += line.get("type") == "session_meta"
            self._folder = text_in(payload.get("cwd")) or self._folder
        elif kind == "message" and payload.get("role") == "user":
            text, images = item_words(payload)
            if images or is_own_text(text):
                self._said.append(text)
        elif kind == "thread_rolled_back" and type(turns := payload.get("num_turns")) is int and turns > 0:
            del self._said[max(0, len(self._said) - turns) :]
        elif kind in CALLS:
            said = self._said[-1] if self._said else ""
            self._calls.append((place, payload, said, self._folder, text_in(line.get("timestamp"))))
        elif (kind in OUTPUTS and has_failed(payload.get("output"))) or (
            kind == "patch_apply_end" and payload.get("success") is False
        ):
            self._failed.add(text_in(payload.get("call_id")))

    def _edits_of(self, write: _Write, place: int, said: str, when: str, tool: str) -> Iterator[CodexEdit]:
        part = write.part
        targets = [write.path] if part is None or not part.moved_to else [write.path, part.moved_to]
        for at, target in enumerate(targets):
            path = self._memory_path(target, write.folder)
            if path is None:
                continue
            is_whole = part is not None and part.kind != "update"
            apply: Callable[[str], str | None] = part.apply if part is not None else _cannot_tell
            if len(targets) > 1:
                # A file that was moved away is gone; what stands at the other place came out of it.
                apply = _gone if at == 0 else _cannot_tell
            edit = MemoryEdit(
                path=path,
                when=stated_moment(when),
                conversation=self._conversation,
                place=place,
                message_text=said,
                apply=apply,
                after=part.added if part is not None and is_whole else None,
                tool=tool,
            )
            yield CodexEdit(edit, part if len(targets) == 1 else None)


def replayable_edits(edits: Sequence[CodexEdit], present: str | None) -> list[MemoryEdit]:
    """Returns the calls that wrote to one file, oldest first, so that they can be replayed. `present` is its text.

    Where the first call made the file, or its text before the first call can be told, the calls are followed. One that
    does not fit what the one before it left tells of lines that somebody else put there: those it was made beside, and
    then says the whole text it found. From where that cannot be told each call says which words it replaced.
    """
    found = []
    text = begun = _text_before(edits, present)
    for each in edits:
        edit, part = each.edit, each.part
        before, after = text, part.apply(text) if part is not None and text is not None else None
        if after is None and part is not None and text is not None:
            before = _with_lines_beside(text, part.chunks)
            after = part.apply(before)
        if after is None:
            edit = replace(edit, replacements=_replacements(part))
        elif before != text or (each is edits[0] and begun is not None):
            edit = replace(edit, before=before)
        text = after
        found.append(edit)
    return found


def _with_lines_beside(text: str, chunks: Sequence[PatchChunk]) -> str:
    """Returns a text with the lines that chunks were made beside and that are not in it, as far as the lines around
    them say where they stood: the old lines of a chunk followed each other."""
    lines = text.split("\n")
    for chunk in chunks:
        known = [line for line in chunk.old if lines.count(line) == 1]
        places = [lines.index(line) for line in known]
        if known and places == sorted(places):
            lines[places[0] : places[-1] + 1] = chunk.old
    return "\n".join(lines)


def _text_before(edits: Sequence[CodexEdit], present: str | None) -> str | None:
    """Returns the text of a file before the first of the calls, None where it cannot be told."""
    first = edits[0].part
    if first is not None and first.kind == "add":
        return ""
    text = present
    for each in reversed(edits):
        if text is None or each.part is None or each.part.kind != "update":
            return None
        text = _undone(text, each.part)
    return text


def _undone(text: str, part: FilePatch) -> str | None:
    """Returns a text without a patch: each chunk's new lines stand in it once, or it cannot be told."""
    for chunk in reversed(part.chunks):
        old, new = (f"\n{_lines(lines)}" for lines in (chunk.old, chunk.new))
        whole = f"\n{text}"
        if not chunk.new or whole.count(new) != 1:
            return None
        text = whole.replace(new, old)[1:]
    return text


def _replacements(part: FilePatch | None) -> tuple[TextReplacement, ...]:
    """Returns what a patch replaces; nothing where it says only what it adds at the end."""
    chunks = part.chunks if part is not None else ()
    if not all(chunk.old for chunk in chunks):
        return ()
    return tuple(TextReplacement(_lines(chunk.old), _lines(chunk.new)) for chunk in chunks)


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _cannot_tell(_text: str) -> str | None:
    return None


def _gone(_text: str) -> str | None:
    return ""


def _looked_at(line: bytes) -> Mapping[str, Any]:
    """Returns a line where it may tell of a call that writes, {} for any other: most are long and of no use here."""
    head = line[:_LOOKED_AT]
    if b'"message"' in head or b"session_meta" in head or b"turn_context" in head or b"thread_rolled_back" in head:
        return object_of(line)
    if b"_output" in head or b"patch_apply_end" in head:
        return object_of(line)
    if b"_call" in head and any(name in line for name in _NAMES):
        return object_of(line)
    return {}


def _writes(item: Mapping[str, Any], folder: str) -> Iterator[_Write]:
    name, arguments = text_in(item.get("name")), item_arguments(item)
    folder = text_in(arguments.get("workdir")) or text_in(arguments.get("working_directory")) or folder
    if name == "add_ad_hoc_note":
        note = text_in(arguments.get("note"))
        path = f"$CODEX_HOME/memories/extensions/ad_hoc/notes/{text_in(arguments.get('filename'))}"
        yield _Write(path, folder, FilePatch("add", path, note if note.endswith("\n") else f"{note}\n"))
        return
    if name in ("apply_patch", "applypatch"):
        yield from _of_patch(text_in(arguments.get("input")) or text_in(arguments.get("patch")), folder)
        return
    command = arguments.get("command", arguments.get("cmd"))
    words = [each for each in command if isinstance(each, str)] if isinstance(command, list) else []
    if len(words) == 2 and words[0] in ("apply_patch", "applypatch"):
        yield from _of_patch(words[1], folder)
        return
    script = words[-1] if words else text_in(command)
    found = patch_in_shell(script)
    if found is not None:
        yield from _of_patch(found.patch, posixpath.join(folder, found.folder) if found.folder else folder)
    elif _WRITES.search(script):
        for path in dict.fromkeys(_PATH_IN_SCRIPT.findall(script)):
            yield _Write(path, folder, None)


def _of_patch(text: str, folder: str) -> Iterator[_Write]:
    try:
        parts = parse_patch(text)
    except PatchMalformed:
        return
    yield from (_Write(part.path, folder, part) for part in parts)
