"""Workspaces of the tour's own: made, copied, and opened in place of the one on show."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.shell.application import Application
from mnemoscope.ui.tour.stage import WIDE, Stage


class Folders:
    """Makes workspaces below `scratch` and brings the stage along to the one that is opened."""

    def __init__(self, stage: Stage, application: Application, scratch: Path) -> None:
        self.application, self.scratch = application, scratch
        self._stage = stage
        self._made = 0

    def place(self) -> Path:
        """Returns where the next workspace may be; nothing is there."""
        self._made += 1
        return self.scratch / f"Studio {self._made}"

    async def make(
        self, root: Path, settings: dict[str, Any], prepare: Callable[[Path], object] = lambda _root: None
    ) -> Path:
        """Returns the sample with a config.json of these settings, in the tour's theme, changed before it is opened."""
        await asyncio.to_thread(create_workspace, root, template=shipped("workspace"))
        own = {"theme": self._stage.theme, **settings.get("mnemoscope", {})}
        (root / "config.json").write_text(json.dumps({**settings, "mnemoscope": own}), "utf-8")
        await asyncio.to_thread(prepare, root)
        return root

    async def copy(self, prepare: Callable[[Path], object]) -> Path:
        """Returns what is on show as a kill would leave it, changed before it is opened."""
        root = self.place()
        ignored = shutil.ignore_patterns("lock", "search*")
        bench = self._stage.current.bench
        # On the disk's thread, where nothing is written meanwhile: a copy of a file that goes is an error.
        await bench.disk.run(partial(shutil.copytree, bench.workspace.root, root, ignore=ignored))
        await asyncio.to_thread(prepare, root)
        return root

    async def open(self, root: Path) -> None:
        """Opens a workspace and waits until its conversation is on show."""
        self._stage.driver.expect(await self.application.open_folder(root), "the folder opened")
        await self.follow()
        await self._stage.ready()

    async def follow(self) -> None:
        """Brings on show what the application has open now."""
        if self.application.current is not None:
            self._stage.follow(self.application.current)
        await self._stage.resize(*WIDE)
