"""The tools for files: read_file, write_file, edit_file and list_files, over the workspace and nothing beyond."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.agent.tools.path_rules import path_components, refuse_writing, refused, shown
from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.agent.tools.tool import (
    Arguments,
    LongTermMemory,
    ToolContext,
    function_schema,
    is_memory_file,
    workspace_path,
)
from mnemoscope.domain.conversation.message import NOT_WRITTEN
from mnemoscope.domain.errors import ToolError
from mnemoscope.domain.forgetting.forgotten_lines import Forgotten, nothing_forgotten, with_lines_back, with_marks
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import PROMPT_FILES
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.paths import WorkspacePaths

_WHOLE_NUMBER: Final = {"type": "integer", "minimum": 1}
_HELD: Final = f"{NOT_WRITTEN}MEMORY.md stays as it is until the person has looked at this change in the window."


class ReadFile:
    """Reads a text file, whole or some of its lines."""

    schema: Final = function_schema(
        "read_file",
        "Read a text file of the workspace. Long files come back with the middle left out; ask for a range of lines.",
        {"path": workspace_path("The file")},
        first_line=_WHOLE_NUMBER,
        line_count=_WHOLE_NUMBER,
    )

    def __init__(self, files: SandboxedFiles, memory: LongTermMemory, disk: Disk) -> None:
        self.files = files
        self.memory = memory
        self.disk = disk

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns the text of the file, or of the lines asked for."""
        path = arguments["path"]
        place = path
        if await self.disk.run(is_memory_file, path_components(path), self.files.root):
            context.memory_digest = (await self.disk.run(self.memory.read_text)).digest
            place = await self.disk.run(_memory_name, self.files.root)
        context.seen.pop(_name(path), None)
        data = await self.disk.run(self.files.read, place)
        text = _decode(data, path)
        context.seen[_name(path)] = digest_of(data)
        first, count = arguments.get("first_line"), arguments.get("line_count")
        if first is None and count is None:
            return text or "(the file is empty)"
        return _lines(text, first or 1, count)


class ListFiles:
    """Lists the names in one folder."""

    schema: Final = function_schema(
        "list_files",
        "List the names in one folder of the workspace. Without a folder: the workspace itself.",
        {},
        folder=workspace_path("The folder"),
    )

    def __init__(self, files: SandboxedFiles, disk: Disk) -> None:
        self.files = files
        self.disk = disk

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns one name a line; folders end with a slash."""
        listing = await self.disk.run(self.files.listing, arguments.get("folder", ""))
        names = list(listing.names)
        if listing.more:
            names.append(f"(and {listing.more:,} more)")
        return "\n".join(names) or "(the folder is empty)"


class WriteFile:
    """Writes a whole file; MEMORY.md goes through the memory store."""

    schema: Final = function_schema(
        "write_file",
        "Create a text file of the workspace, or replace all of it.",
        {"path": workspace_path("The file"), "content": {"type": "string"}},
    )

    def __init__(
        self, files: SandboxedFiles, memory: LongTermMemory, disk: Disk, forgotten: Forgotten = nothing_forgotten
    ) -> None:
        """`forgotten`: of what it knows the model was shown a mark in the place of the line, which stays."""
        self.files = files
        self.memory = memory
        self.disk = disk
        self.forgotten = forgotten

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns a sentence that says what was written."""
        path, content = arguments["path"], arguments["content"]
        if await self.disk.run(_is_memory, self.files, path):
            content = await self.disk.run(self._whole, content, lambda: self.memory.read_text().text, path)
            return await save_memory(self.memory, content, context.memory_digest, context)
        seen = context.seen.get(_name(path))
        data = encode_text(await self.disk.run(self._whole, content, lambda: self._present(path), path))
        is_new = await self.disk.run(self.files.write, path, data, seen=seen)
        context.seen[_name(path)] = digest_of(data)
        return f"{'Created' if is_new else 'Replaced'} {path} ({len(content):,} characters)."

    def _whole(self, content: str, present: Callable[[], str], path: str) -> str:
        return _with_lines_back(content, present(), self.forgotten(), path)

    def _present(self, path: str) -> str:
        """Returns what a file says that is to be replaced, "" where there is none that could be shown."""
        with suppress(ToolError):
            return _decode(self.files.read(path), path)
        return ""


class EditFile:
    """Edits one place in a file, named by the text that stands there."""

    schema: Final = function_schema(
        "edit_file",
        "Replace one passage of a text file. `old_text` has to occur exactly once; quote enough around it.",
        {"path": workspace_path("The file"), "old_text": {"type": "string"}, "new_text": {"type": "string"}},
    )

    def __init__(
        self, files: SandboxedFiles, memory: LongTermMemory, disk: Disk, forgotten: Forgotten = nothing_forgotten
    ) -> None:
        """`forgotten`: of what it knows the model was shown a mark in the place of the line, which stays."""
        self.files = files
        self.memory = memory
        self.disk = disk
        self.forgotten = forgotten

    async def run(self, arguments: Arguments, context: ToolContext) -> str:
        """Returns a sentence that says what was changed."""
        path = arguments["path"]
        old, new = arguments["old_text"], arguments["new_text"]
        if await self.disk.run(_is_memory, self.files, path):
            now = await self.disk.run(self.memory.read_text)
            edited = await self.disk.run(self._replaced, now.text, old, new, path)
            return await save_memory(self.memory, edited, now.digest, context)
        context.seen[_name(path)] = await self.disk.run(self._edit, path, old, new)
        return f"Edited {path}."

    def _edit(self, path: str, old: str, new: str) -> str:
        data = self.files.read(path)
        edited = encode_text(self._replaced(_decode(data, path), old, new, path))
        self.files.write(path, edited, seen=digest_of(data))
        return digest_of(edited)

    def _replaced(self, text: str, old: str, new: str, path: str) -> str:
        is_forgotten = self.forgotten()
        edited = _replace_once(with_marks(text, is_forgotten)[0], old, new, path)
        return _with_lines_back(edited, text, is_forgotten, path)


def _name(path: str) -> str:
    """Returns one name for a file, however its path is written."""
    return "/".join(path_components(path))


def _is_memory(files: SandboxedFiles, path: str) -> bool:
    """Returns whether a path names MEMORY.md, or the file it is a link to. Raises PathRefused where a link makes it a
    file that stands in every prompt, it is another MEMORY.md than ours, or the path is none that may be named."""
    parts = path_components(path)
    if is_memory_file(parts, files.root):
        return True
    if is_memory_file(("memory", *parts), files.root):
        raise refused(path, "other programs take it for their memory; what is kept here is memory/MEMORY.md")
    refuse_writing(path, parts)
    if any(_is_same(files.root, path, name) for name in PROMPT_FILES):
        raise refused(path, "it is part of what models are told, by a link; only the person changes it")
    return _is_same(files.root, path, _memory_name(files.root))


def _memory_name(root: Path) -> str:
    return WorkspacePaths.found(root).name_on_disk(MEMORY_PATH)


def _is_same(root: Path, path: str, name: str) -> bool:
    with suppress(OSError):
        return os.path.samefile(root / path, root / name)
    return False


async def save_memory(memory: LongTermMemory, text: str, based_on: str, context: ToolContext) -> str:
    """Writes MEMORY.md as the agent, and notes the digest of the text it now knows."""
    sources, key = context.sources(), context.session_key
    saved = await memory.save_text(text, based_on, origin="agent", sources=sources, session_key=key)
    context.memory_digest, context.memory_change = saved.digest, saved.change_id
    context.memory_suggestion = saved.suggestion_id
    if saved.held:
        return f"{_HELD} {' '.join(saved.held)}"
    if saved.merged:
        return "Saved MEMORY.md, merged with what had changed there meanwhile; read it before writing again."
    return "Saved MEMORY.md."


def _replace_once(text: str, old: str, new: str, path: str) -> str:
    if not old:
        raise ToolError("`old_text` is empty.", next_step="Quote the passage to replace.", path=path)
    old, new = _in_line_ends_of(text, old), _in_line_ends_of(text, new)
    count = text.count(old)
    if count == 0:
        raise ToolError(f"The passage is not in “{shown(path)}”.", next_step="Read the file and quote it exactly.")
    if count > 1:
        sentence = f"The passage is in “{shown(path)}” {count} times."
        raise ToolError(sentence, next_step="Quote more of what is around it.")
    return text.replace(old, new)


def _with_lines_back(edited: str, before: str, is_forgotten: Callable[[str], bool], path: str) -> str:
    """Returns a model's text with the lines that it was shown a mark for. Raises ToolError where it left marks out."""
    whole = with_lines_back(edited, before, is_forgotten)
    if whole is None:
        raise ToolError(
            f"“{shown(path)}” has lines that the person had forgotten and that only they may take out.",
            next_step="Read the file, and leave the marks in the place of these lines as they are.",
        )
    return whole


def _in_line_ends_of(text: str, passage: str) -> str:
    """Models write plain newlines; a file with CRLF keeps its own."""
    if "\r\n" not in text or "\r\n" in passage:
        return passage
    return passage.replace("\n", "\r\n")


def _lines(text: str, first: int, count: int | None) -> str:
    lines = text.split("\n")
    last = len(lines) if count is None else min(len(lines), first - 1 + count)
    if first > len(lines):
        raise ToolError(f"The file has {len(lines):,} lines; line {first:,} is beyond its end.")
    return "\n".join(lines[first - 1 : last]) + f"\n[lines {first:,} to {last:,} of {len(lines):,}]"


def _decode(data: bytes, path: str) -> str:
    if b"\0" in data:
        raise ToolError(f"“{shown(path)}” is not a text file.", path=path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ToolError(f"“{shown(path)}” is not text in UTF-8.", path=path) from error
