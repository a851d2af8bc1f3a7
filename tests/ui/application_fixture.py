"""The application before it has a window (fixture `driver`), and folders that it is asked to open."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from mnemoscope.bootstrap import open_core
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.shell.application import Application, ApplicationSetup
from mnemoscope.ui.shell.main_window import MainWindow
from tests.ui.window_fixture import Opened, button, click, question, until


class AppDriver:
    """The application before its first window, and what it asks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.settings_file = folder, folder / "window.ini"
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.application = Application(app, ApplicationSetup(open_core, self.sample, self.settings_file))
        self.opening: asyncio.Task[bool] | None = None

    def sample(self) -> Path:
        root = self.folder / "sample"
        if not root.exists():
            create_workspace(root, template=shipped("resources", "blank"))
        return root

    def ask_to_open(self, root: Path) -> None:
        """Ask for a folder to be opened."""
        self.opening = asyncio.create_task(self.application.open_folder(root))

    async def asked(self) -> QDialog:
        """The question on the screen."""
        await until(question, "a question")
        sheet = question()
        assert sheet is not None
        return sheet

    async def answer(self, words: str) -> None:
        """Click one of the answers."""
        sheet = await self.asked()
        found = button(sheet, words)
        assert found is not None, f"no answer “{words}”"
        click(found)

    def is_alone(self) -> bool:
        """Returns whether no window is left but the one in front."""
        current = self.application.current
        windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
        return windows == ([current.window] if current else [])

    async def opened(self) -> bool:
        assert self.opening is not None
        return await self.opening

    @property
    def window(self) -> Opened:
        assert self.application.current is not None
        return Opened(self.application.current)


@pytest.fixture
async def driver(tmp_path: Path) -> AsyncIterator[AppDriver]:
    made = AppDriver(tmp_path)
    yield made
    while made.application.current is not None:
        await until(lambda: not made.application.switching, "the window that is being opened")
        await made.window.close()
    await until(made.is_alone, "the end of every window")
    if made.opening is not None and not made.opening.done():
        made.opening.cancel()
        await asyncio.gather(made.opening, return_exceptions=True)
    made.application.deleteLater()


def peer_workspace(root: Path) -> Path:
    """Makes a workspace as nanobot leaves it behind: no folder of ours."""
    (root / "memory").mkdir(parents=True)
    (root / "sessions").mkdir()
    (root / "memory" / "MEMORY.md").write_text("# Facts\n\n- Likes tea\n", "utf-8")
    (root / "memory" / "HISTORY.md").write_text("[2026-01-01 10:00] Spoke about tea.\n\n", "utf-8")
    lines = [
        {"_type": "metadata", "key": "cli:direct", "created_at": "2026-01-01T09:00:00", "last_consolidated": 1},
        {"role": "user", "content": "Tea?", "timestamp": "2026-01-01T09:00:00"},
        {"role": "assistant", "content": "Yes.", "timestamp": "2026-01-01T09:00:01"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (root / "sessions" / "cli_direct.jsonl").write_text(text, "utf-8")
    return root


def foreign_folder(root: Path) -> Path:
    root.mkdir()
    (root / "notes.txt").write_text("not yours", "utf-8")
    return root


HOLDER = """
import sys
from pathlib import Path
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.workspace import open_workspace
root = Path(sys.argv[1])
with open_workspace(root):
    print("held", flush=True)
    for line in sys.stdin:
        manager = SessionManager(root)
        session = manager.get_or_create("desktop:test")
        session.add_message("user", line.strip())
        manager.append(session)
        print("said", flush=True)
"""


def holder_of(root: Path) -> subprocess.Popen[str]:
    """Another process that owns the workspace, and writes what it is told line by line."""
    command = [sys.executable, "-c", HOLDER, str(root)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
