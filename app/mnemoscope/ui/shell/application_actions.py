"""Declares what a window asks of the application around it, as a protocol: windows do not know who makes them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class ApplicationActions(Protocol):
    """Opens other folders for a window that asks the application around it."""

    async def choose_folder(self, *, read_only: bool = False) -> bool:
        """Lets the person choose a folder to open."""
        ...

    async def create_folder(self) -> bool:
        """Lets the person choose a folder to make a workspace in."""
        ...

    async def open_sample(self) -> bool:
        """Opens the sample workspace."""
        ...

    async def open_folder(self, folder: Path, *, read_only: bool = False) -> bool:
        """Opens a folder in place of the one on show; with `read_only`, this once only to be looked at."""
        ...

    async def open_again(self, folder: Path) -> bool:
        """Opens a folder as the person chose the last time: to write, or only to be looked at."""
        ...

    def recent(self) -> list[Path]:
        """Returns the folders opened before, newest first."""
        ...
