"""Reads the workspace's files as the system prompt takes them: cut with a notice where too long, never a crash.

Each as it stood at one moment: another program may be rewriting it while the prompt is built.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.store.files.atomic import see_stable
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.files.text_encoding import decoded_text

PROMPT_FILE_LIMIT: Final = 24_000
"""Characters of one of PROMPT_FILES."""
MEMORY_LIMIT: Final = 2_000_000
"""Characters of MEMORY.md that are read; what is sent of them, the budget of memory says."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """Describes a file's part of the prompt; `notice` tells the person what was cut or could not be read."""

    name: str
    text: str
    notice: str = ""
    rest: str = ""
    """The beginning of what was cut off."""
    is_rest_whole: bool = True
    """Whether that is all of it."""
    marker: str = ""
    """The note at the end of `text` that takes the place of the rest."""


def read_prompt_file(root: Path, name: str, limit: int) -> PromptFile:
    """Returns the text of a file, at most `limit` characters; an empty text if it is missing."""
    try:
        # Four bytes hold any character of UTF-8, so this much is enough and never the whole of a huge file.
        seen = see_stable(root / name, limit * 4 + 4)
        if seen is None:
            return PromptFile(name, "")
        data, size = seen.data, seen.size
        text = with_plain_line_ends(decoded_text(data, name, whole=size <= len(data)))
    except UnreadableFile as error:
        return PromptFile(name, shipped_prompt("file-unreadable").format(name=name), error.sentence)
    if len(text) <= limit and size <= len(data):
        return PromptFile(name, text)
    marker = f"\n\n{shipped_prompt('file-cut').format(name=name, size=size, limit=limit)}"
    notice = f"{name}: only the first {limit:,} characters are read."
    return PromptFile(name, text[:limit] + marker, notice, text[limit:], size <= len(data), marker)
