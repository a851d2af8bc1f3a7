"""The workspace's files as the system prompt takes them: cut with a notice where too long, never a crash."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

BOOTSTRAP_FILES: Final = ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md")
BOOTSTRAP_LIMIT: Final = 24_000
"""Characters of one bootstrap file."""
MEMORY_LIMIT: Final = 60_000
"""Characters of MEMORY.md."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A file's part of the prompt; `notice` tells the person what was cut or could not be read."""

    name: str
    text: str
    notice: str = ""


def read_prompt_file(root: Path, name: str, limit: int) -> PromptFile:
    """The text of a file, at most `limit` characters; an empty text where it is missing."""
    try:
        with (root / name).open("rb") as file:
            # Four bytes hold any character of UTF-8, so this much is enough and never the whole of a huge file.
            data = file.read(limit * 4 + 4)
            size = file.seek(0, 2)
    except FileNotFoundError:
        return PromptFile(name, "")
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        return PromptFile(name, f"[{name} could not be read.]", f"{name} could not be read: {reason}.")
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) <= limit and size <= len(data):
        return PromptFile(name, text)
    marker = f"\n\n[… the rest of {name} ({size:,} bytes in all) was left out: it is longer than {limit:,} characters.]"
    return PromptFile(name, text[:limit] + marker, f"{name}: only the first {limit:,} characters are sent.")
