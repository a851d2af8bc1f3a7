"""A workspace in which the person had one fact forgotten, and the words in which it comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.agent.workspace.test_workbench import Opened

SAID = "The locker at the harbour gym opens with code 2417."
AGAIN = "- Harbour gym, locker code 2417"
KEPT = "- Likes tea\n"


@asynccontextmanager
async def opened_after_forgetting(root: Path) -> AsyncIterator[Opened]:
    opened = Opened(root)
    await opened.bench.recover()
    opened.bench.tombstones.add([SAID])
    yield opened
    await opened.bench.close()


def write(opened: Opened, path: str, text: str = f"{KEPT}{AGAIN}\n") -> Path:
    """Has another program write a file of the workspace."""
    file = opened.bench.workspace.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file
