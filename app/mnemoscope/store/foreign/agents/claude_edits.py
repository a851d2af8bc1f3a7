"""The calls of a transcript of Claude Code that wrote to memory files. See `claude_code`.

- Memory is written with the ordinary tools: `Write {file_path, content}`, `Edit {file_path, old_string, new_string,
  replace_all?}` and `MultiEdit {file_path, edits: [...]}`, on any branch, in sidechains and in subagents' files.
- A call did something only where its result is there and no error. The result's record tells more in `toolUseResult`:
  `originalFile` is the text before, `type: "create"` says that there was none; after `userModified`, `oldString`,
  `newString` and `content` are what was done in fact. `Read` of a whole file tells the text of that moment.
- A command of a shell that names a memory file and may write says nothing of what it did.
- A conversation that was resumed repeats the calls of the one before it: a call counts once, by its id, time and
  arguments.
- A subagent's calls go back to the person's last message before it was put to work.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.foreign.foreign_records import KINDS, ForeignCall, MemoryEdit, RecordKind, TextReplacement
from mnemoscope.domain.foreign.message_tree import NO_PARENT
from mnemoscope.store.foreign.agents.claude_transcript import ClaudeTranscript
from mnemoscope.store.foreign.reading.record_values import stated_moment

_MEMORY: Final = re.compile(r"(?:^|/)projects/([^/]+)/memory/(.+\.md)$")
_OF_STORE: Final = re.compile(r"^(.*)/\.claude/(CLAUDE\.md|(?:rules|agent-memory)/.+\.md)$")
_WRITES: Final = re.compile(r">|\b(?:tee|sed\s+-i|mv|cp|rm|truncate|perl\s+-p?i|python3?|patch|git)\b")
_IN_COMMAND: Final = re.compile(r"[^\s'\"<>|;&()]*(?:memory/[^\s'\"<>|;&()]+\.md|CLAUDE(?:\.local)?\.md)")
_NUMBERED: Final = re.compile(r"\s*(\d+)(?:\u2192|\t)(.*)")
_LINES_READ: Final = 2_000


@dataclass(frozen=True, slots=True)
class MemoryPaths:
    """Knows a memory file by the path that a call names. `project` is the folder of the transcript, "" or with a `/` at
    its end, and `folder` the one that was worked in."""

    root: Path
    project: str
    is_project: bool
    folder: str

    def of(self, named: str) -> str | None:
        """Returns the path as the store's list of memory files has it, None for any other file."""
        if not named or "\0" in named:
            return None
        path = named.replace("\\", "/")
        if not path.startswith(("/", "~")) and path[1:3] != ":/":
            path = posixpath.join(self.folder.replace("\\", "/"), path)
        path = posixpath.normpath(path)
        if found := _MEMORY.search(path):
            return self._of_project(found[1], found[2])
        root = self.root.as_posix().rstrip("/") + "/"
        if path.startswith(root):
            return path.removeprefix(root) if path.endswith(".md") else None
        if (found := _OF_STORE.match(path)) and found[1] != self.folder.replace("\\", "/"):
            return f"../../{found[2]}" if self.is_project else found[2]
        if path.endswith((".md",)) and (
            posixpath.basename(path) in ("CLAUDE.md", "CLAUDE.local.md", "MEMORY.md") or "/.claude/" in path
        ):
            return path
        return None

    def _of_project(self, project: str, name: str) -> str | None:
        if not self.is_project:
            return f"projects/{project}/memory/{name}"
        own = self.root.name
        return f"memory/{name}" if project == own or not own.startswith("-") else None


def edits_of(
    transcript: ClaudeTranscript,
    conversation: str,
    paths: MemoryPaths,
    parent: tuple[ClaudeTranscript, datetime | None] | None,
    known: set[str],
) -> Iterator[MemoryEdit]:
    """Yields the calls of one conversation that wrote to memory or read it whole. `parent`: of a subagent, the
    conversation that it worked for and when it began. `known` are the calls that were met, and takes up those of
    this one."""
    places = transcript.touching
    if not places:
        return
    words = _PersonsWords(transcript, parent)
    results = transcript.tree.results()
    for place in places:
        for call in transcript.record(place).calls:
            named = list(_paths_of(call, paths))
            result = results.get((place, hash(call.id))) if call.id else None
            if not named or result is None:
                continue
            outcome = _Outcome.of(transcript.raw(result), call.id)
            own = f"{call.id} {outcome.when if outcome else None} {call.arguments!r}"
            if outcome is None or own in known:
                continue
            known.add(own)
            for path in named:
                edit = _edit(call, outcome)
                if edit is not None:
                    yield MemoryEdit(
                        path=path,
                        when=outcome.when or transcript.record(place).when,
                        conversation=conversation,
                        place=place,
                        message_text=words.before(place),
                        apply=edit.apply,
                        before=edit.before,
                        after=edit.after,
                        tool=call.name,
                        replacements=edit.replacements,
                    )


def _paths_of(call: ForeignCall, paths: MemoryPaths) -> Iterator[str]:
    if call.name in ("Write", "Edit", "MultiEdit", "Read"):
        named = call.arguments.get("file_path")
        path = paths.of(named) if isinstance(named, str) else None
        if path is not None:
            yield path
    elif call.name == "Bash":
        command = call.arguments.get("command")
        if isinstance(command, str) and _WRITES.search(command):
            found = (paths.of(named) for named in _IN_COMMAND.findall(command))
            yield from dict.fromkeys(path for path in found if path is not None)


class _PersonsWords:
    """Finds the person's last text before a call."""

    def __init__(self, transcript: ClaudeTranscript, parent: tuple[ClaudeTranscript, datetime | None] | None) -> None:
        self._transcript = transcript
        self._above = transcript.tree.person_before()
        self._of_parent = _last_before(*parent) if parent is not None else ""

    def before(self, place: int) -> str:
        """Returns it, "" where there is none."""
        if self._of_parent:
            return self._of_parent
        said = self._above[place]
        if said == NO_PARENT and self._transcript.shape.kinds[place] == KINDS.index(RecordKind.SUBAGENT):
            # A sidechain in the conversation's own file hangs on nothing: it stands behind the message that led to it.
            said = self._transcript.shape.kinds.rfind(KINDS.index(RecordKind.PERSON), 0, place)
        return self._transcript.record(said).text if said >= 0 else ""


def _last_before(parent: ClaudeTranscript, when: datetime | None) -> str:
    """Returns the person's last text before a time, on whichever branch: it was the live one then."""
    text, person = "", KINDS.index(RecordKind.PERSON)
    for place, kind in enumerate(parent.shape.kinds):
        if kind == person:
            record = parent.record(place)
            if text and when is not None and record.when is not None and record.when > when:
                break
            text = record.text
    return text


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Holds what the result of a call tells."""

    when: datetime | None
    text: str
    result: Mapping[str, Any]

    @classmethod
    def of(cls, record: Mapping[str, Any], call: str) -> _Outcome | None:
        """Reads it; None where the call failed."""
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("tool_use_id") == call:
                text = _words(block.get("content"))
                if block.get("is_error") is True or text.startswith("<tool_use_error>"):
                    return None
                result = record.get("toolUseResult")
                result = result if isinstance(result, dict) and len(content or ()) == 1 else {}
                return cls(stated_moment(record.get("timestamp")), text, result)
        return None


@dataclass(frozen=True, slots=True)
class _Edit:
    before: str | None = None
    after: str | None = None
    replacements: tuple[TextReplacement, ...] = ()

    def apply(self, text: str) -> str | None:
        """Returns the text after it, None where it does not fit or is not known."""
        if self.after is not None:
            return self.after
        if not self.replacements:
            return None
        for each in self.replacements:
            if each.old and text.count(each.old) != 1 and not (each.is_all and each.old in text):
                return None
            text = text.replace(each.old, each.new) if each.old else each.new
        return text


def _edit(call: ForeignCall, outcome: _Outcome) -> _Edit | None:
    result = outcome.result
    before = result.get("originalFile")
    before = before if isinstance(before, str) else None
    if result.get("type") == "create" or (before is None and call.name == "Write" and "created" in outcome.text[:200]):
        before = ""
    if call.name == "Write":
        content = result.get("content", call.arguments.get("content"))
        return _Edit(before, content) if isinstance(content, str) else None
    if call.name == "Read":
        seen = _text_read(call, outcome)
        return None if seen is None else _Edit(seen, seen)
    if call.name == "Bash":
        return _Edit()
    given = call.arguments.get("edits") if call.name == "MultiEdit" else [call.arguments]
    replacements = tuple(_replacements(given if isinstance(given, list) else []))
    if call.name == "Edit" and isinstance(result.get("oldString"), str) and isinstance(result.get("newString"), str):
        is_all = result.get("replaceAll", call.arguments.get("replace_all")) is True
        replacements = (TextReplacement(result["oldString"], result["newString"], is_all),)
    return _Edit(before, None, replacements) if replacements else None


def _replacements(given: Sequence[Any]) -> Iterator[TextReplacement]:
    for each in given:
        if (
            isinstance(each, dict)
            and isinstance(each.get("old_string"), str)
            and isinstance(each.get("new_string"), str)
        ):
            yield TextReplacement(each["old_string"], each["new_string"], each.get("replace_all") is True)


def _text_read(call: ForeignCall, outcome: _Outcome) -> str | None:
    """Returns the text of a file that was read whole."""
    file = outcome.result.get("file")
    if isinstance(file, dict) and isinstance(file.get("content"), str):
        is_whole = file.get("startLine") == 1 and file.get("numLines") == file.get("totalLines")
        return file["content"] if is_whole else None
    if call.arguments.get("offset") or call.arguments.get("limit"):
        return None
    lines: list[str] = []
    for line in outcome.text.split("\n"):
        found = _NUMBERED.fullmatch(line)
        if found is None or int(found[1]) != len(lines) + 1:
            break
        lines.append(found[2])
    return "\n".join(lines) + "\n" if 0 < len(lines) < _LINES_READ else None


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
