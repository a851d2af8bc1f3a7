"""Where things are in a workspace: the files other programs read too, and the folder that is ours."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.store.workspace.own_paths import OwnPaths

OWN_NAME: Final = ".mnemoscope"
MEMORY_NAME: Final = "MEMORY.md"


@dataclass(frozen=True, slots=True)
class WorkspacePaths:
    """Where everything in a workspace is. Nothing but `found` touches the disk."""

    root: Path
    memory_at_root: bool = False
    """MEMORY.md is in the root, where qanot 2.0 has it; else in memory/."""

    @classmethod
    def found(cls, root: Path) -> WorkspacePaths:
        """As the files lie: MEMORY.md is in the root where it is there and not in memory/."""
        usual = cls(root)
        if os.path.lexists(usual.memory_file) or not os.path.lexists(root / MEMORY_NAME):
            return usual
        return cls(root, memory_at_root=True)

    @property
    def memory_dir(self) -> Path:
        """Long-term memory and the history logs."""
        return self.root / "memory"

    @property
    def memory_file(self) -> Path:
        """Facts, loaded into every prompt."""
        return self.file(MEMORY_PATH)

    @property
    def session_state(self) -> Path:
        """What was captured in the conversation that was last in hand."""
        return self.root / "SESSION-STATE.md"

    @property
    def working_buffer(self) -> Path:
        """What was said while the context was filling up (three-tier)."""
        return self.memory_dir / "working-buffer.md"

    @property
    def history_file(self) -> Path:
        """Events as paragraphs (two-layer)."""
        return self.memory_dir / "HISTORY.md"

    @property
    def history_jsonl(self) -> Path:
        """Events as JSON lines (dream)."""
        return self.memory_dir / "history.jsonl"

    @property
    def sessions_dir(self) -> Path:
        """One file a conversation."""
        return self.root / "sessions"

    @property
    def archive_dir(self) -> Path:
        """Transcripts that /new closed."""
        return self.sessions_dir / "archive"

    @property
    def skills_dir(self) -> Path:
        """skills/<name>/SKILL.md."""
        return self.root / "skills"

    @property
    def dream_guide(self) -> Path:
        """How Dream is guided in this workspace; empty or missing for Mnemoscope's own guide."""
        return self.root / "prompts" / "dream.md"

    @property
    def config_file(self) -> Path:
        """Settings."""
        return self.root / "config.json"

    def file(self, path: str) -> Path:
        """Where a memory file is: `path` is relative to the workspace, and MEMORY_PATH wherever MEMORY.md lies."""
        return self.root / self.name_on_disk(path)

    def name_on_disk(self, path: str) -> str:
        """A memory file's path in the folder, relative to the workspace."""
        return MEMORY_NAME if path == MEMORY_PATH and self.memory_at_root else path

    @property
    def begun_file(self) -> Path:
        """There while a workspace is being made in a folder that was there before."""
        return self.root / f"{OWN_NAME}-begun"

    @property
    def own(self) -> OwnPaths:
        """What only Mnemoscope reads."""
        return OwnPaths(self.root / OWN_NAME)
