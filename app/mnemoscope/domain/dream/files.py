"""Dream edits copies of a few files, with tools that a model calls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup, tidy
from mnemoscope.domain.answers.placeholders import (
    find_placeholder_line,
    find_unfilled_line,
    is_refusal,
    plain_words,
    stray_call,
)
from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.dream.run import FileEdit
from mnemoscope.domain.llm import ToolSchema
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_text, normalised_fact
from mnemoscope.domain.memory.file_registry import DREAM_FILES, USER_PATH
from mnemoscope.domain.text.diff import count_changes, diff_lines
from mnemoscope.domain.text.excerpt import shortened

GUIDE_LIMIT: Final = 32_000
"""Characters of prompts/dream.md that are followed."""
_FILE_LIMIT: Final = 100_000
_SKILL: Final = re.compile(r"skills/[A-Za-z0-9][A-Za-z0-9_-]{0,63}/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.md")


@dataclass(slots=True)
class DreamFiles:
    """Copies of the files as Dream sees and edits them, written nowhere until the run is over and judged.

    Each tool of the model's returns a sentence for it; `succeeded` says whether the last one did what was asked.
    """

    before: Mapping[str, str]
    """Path, relative to the workspace, to text; a file that is missing has none."""
    now: dict[str, str] = field(default_factory=dict)
    succeeded: bool = False
    stood: bool = False
    """Whether the last edit asked for what stands there already."""
    why: str = ""
    """The reason why the last call was refused and changed nothing, in words for a person: without the advice for a
    model. "" if it was not refused."""
    cleaned: list[AnswerCleanup] = field(default_factory=list)
    """The parts that were taken out of the texts that were given, in the order in which they were met."""

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Takes every edit back."""
        self.now = dict(self.before)
        self.cleaned = []

    def begin(self) -> None:
        """Begins a call of which nothing is known yet."""
        self.succeeded = self.stood = False
        self.why = ""

    def read(self, path: str) -> str:
        """Runs the tool `read_file`."""
        self.succeeded, self.why = may_edit(path), ""
        if not self.succeeded:
            return self._refuse_path(path)
        text = self.now.get(path, "")
        return text or f"{path} is empty."

    def edit(self, path: str, old: str, new: str) -> str:
        """Runs the tool `edit_file`: replaces the one place where `old` stands; an empty `old` adds `new` at the
        end."""
        self.begin()
        if not may_edit(path):
            return self._refuse_path(path)
        text = self.now.get(path, "")
        new = self._tidied(new)
        if not old:
            return self._put(path, text if _says_all(text, new) else _with_line(text, new))
        count = text.count(old)
        if count != 1:
            found = "is not in" if count == 0 else f"stands {count} times in"
            return self._refuse(f"this text {found} {path}.", "Give the exact words of one place.")
        return self._put(path, _without_line(text, old) if not new else text.replace(old, new))

    def write(self, path: str, content: str) -> str:
        """Runs the tool `write_file`: writes a new or empty file, or a skill."""
        self.begin()
        if not may_edit(path):
            return self._refuse_path(path)
        if path in DREAM_FILES and self.now.get(path, "").strip():
            return self._refuse(f"{path} is not empty.", "Change the lines that need it with edit_file.")
        return self._put(path, self._tidied(content))

    def changes(self) -> list[FileChange]:
        """Returns the files that differ from what they were, by path."""
        paths = sorted(self.now)
        changes = (FileChange(path, self.before.get(path), self.now[path]) for path in paths)
        return [change for change in changes if (change.before or "") != change.after]

    def _put(self, path: str, text: str) -> str:
        if len(text) > _FILE_LIMIT:
            return self._refuse(f"{path} would have {len(text):,} characters; {_FILE_LIMIT:,} are possible.")
        before = self.now.get(path, "")
        if text == before:
            self.stood = True
            return self._refuse(f"{path} says this already.")
        if before.strip() and not text.strip():
            return self._refuse(f"this would empty {path}.", "Remove single lines, and only what is wrong or over.")
        if words := _no_fact(path, text, before):
            return self._refuse(f"“{words}” stands for words instead of saying them.")
        self.succeeded = True
        self.now[path] = text
        return f"{path} is changed."

    def _refuse(self, why: str, advice: str = "") -> str:
        """Notes why nothing was changed; returns that with what the model is to do instead."""
        self.why = f"Nothing was changed: {why}"
        return f"{self.why} {advice}".rstrip()

    def _refuse_path(self, path: str) -> str:
        open_files = f"These are: {', '.join(DREAM_FILES)} and skills/<name>/*.md."
        return self._refuse(f"{shortened(path, 200)} is not open here.", open_files)

    def _tidied(self, text: str) -> str:
        text, found = tidy(text)
        self.cleaned += [kind for kind in found if kind not in self.cleaned]
        return text


def plain_path(path: str) -> str:
    """Returns a path as it is written here, where a model writes it in another way: from the workspace on, or without
    the folder of the one MEMORY.md that there is."""
    path = path.strip().removeprefix("./").removeprefix("workspace/")
    return MEMORY_PATH if path == MEMORY_PATH.rpartition("/")[2] else path


def may_edit(path: str) -> bool:
    """Returns whether Dream may look at and edit a file: DREAM_FILES, and Markdown files of skills."""
    return path in DREAM_FILES or _SKILL.fullmatch(path) is not None


def file_edit(change: FileChange, *, held: bool) -> FileEdit:
    """Returns how much one change adds and removes."""
    added, removed = count_changes(diff_lines(change.before or "", change.after or "", context=0))
    return FileEdit(change.path, added, removed, held)


def _with_line(text: str, new: str) -> str:
    gap = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{gap}{new}" if new.endswith("\n") else f"{text}{gap}{new}\n"


def _without_line(text: str, old: str) -> str:
    """Returns the text without `old`, and without the empty line that would be left of a whole one."""
    whole = f"{old}\n"
    place = text.find(whole)
    is_line = place == 0 or (place > 0 and text[place - 1] == "\n")
    return text.replace(whole if is_line and not old.endswith("\n") else old, "")


def _says_all(text: str, new: str) -> bool:
    """Returns whether each line of `new` stands in the text already."""
    stood = set(map(normalised_fact, text.split("\n")))
    fresh = [normalised_fact(line) for line in new.split("\n") if line.strip()]
    return bool(fresh) and all(fact and fact in stood for fact in fresh)


def _no_fact(path: str, text: str, before: str) -> str:
    """Returns a new line that stands for words instead of saying them, or ""; of facts about the person also one that
    speaks to the one who asked, or holds a call written as text."""
    if words := find_unfilled_line(text, before, _ASKED) or find_placeholder_line(text, before):
        return words
    if path not in _OF_FACTS:
        return ""
    stood = set(before.split("\n"))
    fresh = [fact_text(line) for line in text.split("\n") if line.strip() and line not in stood]
    return next((line for line in fresh if is_refusal(line, is_fact=True) or stray_call(line, before)), "")


_OF_FACTS: Final = frozenset({MEMORY_PATH, USER_PATH})


def _tool(name: str, description: str, **parameters: str) -> ToolSchema:
    properties = {key: {"type": "string", "description": words} for key, words in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


FINISH: Final = "finish"
"""The tool by which a model says that it is done. One that only writes so may be one that calls no tools."""
_PATH: Final = f"One of {', '.join(DREAM_FILES)}, or skills/<name>/<file>.md"
DREAM_TOOLS: Final[tuple[ToolSchema, ...]] = (
    _tool("read_file", "Read one of the open files as it stands now.", path=_PATH),
    _tool(
        "edit_file",
        "Replace one passage of a file. old_text must stand there exactly once; empty adds a line at the end.",
        path=_PATH,
        old_text="The exact words to replace",
        new_text="What stands there afterwards; empty to remove them",
    ),
    _tool("write_file", "Write a file that is empty or missing, or a skill.", path=_PATH, content="The whole text"),
    _tool(
        FINISH,
        "Say that you are done, also where nothing is worth keeping and nothing was edited.",
        summary="What you changed and why, in one or two sentences",
    ),
)
_ASKED: Final = frozenset(
    plain_words(each["description"])
    for tool in DREAM_TOOLS
    for each in tool["function"]["parameters"]["properties"].values()
)
