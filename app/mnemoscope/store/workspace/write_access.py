"""Knows whether a workspace may be written, and refuses with an error where it may not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mnemoscope.domain.errors import WorkspaceReadOnly


@dataclass(frozen=True, slots=True)
class WriteAccess:
    """Knows whether a workspace was opened for writing."""

    root: Path
    read_only: bool

    def require(self) -> None:
        """Raises WorkspaceReadOnly where nothing may be written."""
        if self.read_only:
            raise WorkspaceReadOnly("The workspace is open for reading only.", path=str(self.root))
