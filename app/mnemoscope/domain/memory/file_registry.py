"""The one list of the files that make up a workspace's memory: which a person edits, which Dream, which have commits.

Paths are relative to the workspace. `skills/<name>/*.md`, which Dream may edit too, are told by their form, in
`domain/dream/files`.
"""

from __future__ import annotations

from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH

SOUL_PATH: Final = "SOUL.md"
USER_PATH: Final = "USER.md"
DREAM_GUIDE: Final = "prompts/dream.md"
EDITABLE_FILES: Final = (MEMORY_PATH, SOUL_PATH, USER_PATH, DREAM_GUIDE)
"""The files that the memory pane has a tab for, in order."""
DREAM_FILES: Final = (SOUL_PATH, USER_PATH, MEMORY_PATH)
"""The files that Dream reads with every run, in this order, and may edit."""
TRACKED_FILES: Final = (*DREAM_FILES, "prompts/", "skills/")
"""The files that have commits; a folder, with all that is in it, ends in a slash."""
