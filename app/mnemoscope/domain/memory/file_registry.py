"""The one list of the files that make up a workspace's memory: which a person edits, which Dream, which have commits,
which stand in every prompt.

Paths are relative to the workspace. `skills/<name>/*.md`, which Dream may edit too, are told by their form, in
`domain/dream/files`.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH

SOUL_PATH: Final = "SOUL.md"
USER_PATH: Final = "USER.md"
AGENTS_PATH: Final = "AGENTS.md"
IDENTITY_PATH: Final = "IDENTITY.md"
TOOLS_PATH: Final = "TOOLS.md"
HEARTBEAT_PATH: Final = "HEARTBEAT.md"
"""nanobot's list of what it does by itself. Nothing here reads it."""
STATE_PATH: Final = "SESSION-STATE.md"
HISTORY_PATH: Final = "memory/HISTORY.md"
JOURNAL_PATH: Final = "memory/history.jsonl"
LOG_NAMES: Final = tuple(path.rpartition("/")[2] for path in (HISTORY_PATH, JOURNAL_PATH))
DREAM_GUIDE: Final = "prompts/dream.md"
FACT_FILES: Final = (MEMORY_PATH, USER_PATH)
"""The files that say what is known."""
COMPARED_FILES: Final = (*FACT_FILES, SOUL_PATH)
"""The memory files that stand in every prompt, of which no two lines may disagree."""
EDITABLE_FILES: Final = (MEMORY_PATH, SOUL_PATH, USER_PATH, DREAM_GUIDE)
"""The files that the memory pane has a tab for, in order."""
DREAM_FILES: Final = (SOUL_PATH, USER_PATH, MEMORY_PATH)
"""The files that Dream reads with every run, in this order, and may edit."""
TRACKED_FILES: Final = (*DREAM_FILES, "prompts/", "skills/")
"""The files that have commits; a folder, with all that is in it, ends in a slash."""
PROMPT_FILES: Final = (AGENTS_PATH, SOUL_PATH, IDENTITY_PATH, USER_PATH, TOOLS_PATH)
"""The files that stand in every prompt beside MEMORY.md, in this order."""
UNTRACKED_FILES: Final = (AGENTS_PATH, IDENTITY_PATH, TOOLS_PATH, STATE_PATH, JOURNAL_PATH)
"""Those that models are sent and that have no commits; of the journal, what Dream has not read. They, HISTORY.md
and the notes are looked through for what the person had forgotten and that came back."""
_DAILY_NOTE: Final = re.compile(r"memory/\d{4}-\d{2}-\d{2}\.md")
_NOTE: Final = re.compile(r"memory/(?!MEMORY\.md)[^/#]+\.md")
_PAGE: Final = re.compile(r"(?P<file>[^#]+\.(?:md|jsonl))#(?P<number>[1-9]\d{0,8})")
"""A page of a file that has several, the first of which is called as the file."""
INSTRUCTION_FILES: Final = tuple(path for path in PROMPT_FILES if path != USER_PATH)
"""The files of PROMPT_FILES that tell a model what to do, and not what is known: a person agrees to them before they
are sent."""


def is_daily_note(path: str) -> bool:
    """Returns whether a file, by its path in the workspace, has the notes of a day."""
    return _DAILY_NOTE.fullmatch(path) is not None


def is_untracked(path: str) -> bool:
    """Returns whether a file without commits, or a page of it, holds what models are told: UNTRACKED_FILES, HISTORY.md
    and notes."""
    file = file_of_page(path)
    return (path in UNTRACKED_FILES and path == file) or is_paged(file)


def is_paged(path: str) -> bool:
    """Returns whether a file is looked at in pages: the history logs, and the notes in memory/."""
    return path in (JOURNAL_PATH, HISTORY_PATH) or _NOTE.fullmatch(path) is not None


def page_path(path: str, number: int) -> str:
    """Returns the path of a page, counted from 0: `memory/HISTORY.md`, then `memory/HISTORY.md#1`."""
    return f"{path}#{number}" if number else path


def file_of_page(path: str) -> str:
    """Returns the file that a page is of; of a whole file its own path."""
    found = _PAGE.fullmatch(path)
    return path if found is None else found["file"]


def number_of_page(path: str) -> int:
    """Returns which page of its file a path is, counted from 0."""
    found = _PAGE.fullmatch(path)
    return 0 if found is None else int(found["number"])
