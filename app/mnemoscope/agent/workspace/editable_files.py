"""The memory files that a person edits in the window, and what each begins with."""

from __future__ import annotations

from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.memory.dream.prompt import shipped_guide
from mnemoscope.store.files.shipped import shipped

DREAM_GUIDE: Final = "prompts/dream.md"
EDITABLE_FILES: Final = (MEMORY_PATH, "SOUL.md", "USER.md", DREAM_GUIDE)


def starter_text(path: str) -> str:
    """Returns what a memory file begins with: Mnemoscope's own guide for Dream's, else as in a new workspace."""
    if path == DREAM_GUIDE:
        return shipped_guide()
    file = shipped("resources", "blank", *path.split("/"))
    return file.read_text(encoding="utf-8") if file.is_file() else ""
