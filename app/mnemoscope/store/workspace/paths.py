"""Where things are in a workspace: the files other programs read too, and the folder that is ours."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH


@dataclass(frozen=True, slots=True)
class OwnPaths:
    """What is in `.mnemoscope/`. Nothing here touches the disk."""

    folder: Path

    @property
    def session_state_owner(self) -> Path:
        """Which conversation the state in the root is of."""
        return self.folder / "session-state"

    @property
    def captures_log(self) -> Path:
        """What was captured, what was not, and why; one JSON object a line."""
        return self.folder / "captures.jsonl"

    @property
    def tool_results_dir(self) -> Path:
        """Whole texts of tool results that were cut for the conversation."""
        return self.folder / "tool-results"

    @property
    def prompts_dir(self) -> Path:
        """What was sent with each turn, one file a conversation."""
        return self.folder / "prompts"

    @property
    def compactions_dir(self) -> Path:
        """Which messages of a conversation are not sent, because its context was full."""
        return self.folder / "compactions"

    @property
    def dream_runs(self) -> Path:
        """Records of Dream's runs, one JSON object a line."""
        return self.folder / "dream.jsonl"

    @property
    def dream_place(self) -> Path:
        """What Dream is to read again, and how far into a long entry it is; its cursor says the rest."""
        return self.folder / "dream-place.json"

    @property
    def intent_file(self) -> Path:
        """The consolidation that is committed and not yet finished."""
        return self.folder / "intent.json"

    @property
    def ledger_dir(self) -> Path:
        """Finished consolidations: the audit trail."""
        return self.folder / "ledger"

    @property
    def text_versions_dir(self) -> Path:
        """Texts MEMORY.md had, by hash."""
        return self.folder / "versions"

    def change_log_of(self, path: str) -> Path:
        """Returns every change of a tracked file (relative to the workspace), and what the person deleted from it."""
        if path == MEMORY_PATH:
            return self.memory_change_log
        return self.folder / "changes" / f"{path.replace('%', '%25').replace('/', '%2F')}.jsonl"

    @property
    def memory_change_log(self) -> Path:
        """Every change of MEMORY.md, and what the person deleted from it."""
        return self.folder / "memory-changes.jsonl"

    @property
    def suggestions_dir(self) -> Path:
        """Memory texts a person has to settle."""
        return self.folder / "suggestions"

    @property
    def settled_dir(self) -> Path:
        """Suggestions a person has settled, with the outcome."""
        return self.suggestions_dir / "settled"

    @property
    def drafts_dir(self) -> Path:
        """Unsent messages and unsaved edits."""
        return self.folder / "drafts"

    @property
    def trash_dir(self) -> Path:
        """Deleted sessions, until they are restored or the trash is emptied."""
        return self.folder / "trash"

    @property
    def quarantine_dir(self) -> Path:
        """Bytes that could not be read, kept for the person."""
        return self.folder / "quarantine"

    @property
    def reserve_file(self) -> Path:
        """Room given back on a full disk, so that messages and drafts can still be written."""
        return self.folder / "reserve"

    @property
    def lock_file(self) -> Path:
        """Held by the process that owns the workspace."""
        return self.folder / "lock"

    @property
    def search_file(self) -> Path:
        """Index of the search, derived."""
        return self.folder / "search.db"

    @property
    def identity_file(self) -> Path:
        """A random name that tells one workspace from another."""
        return self.folder / "workspace-id"


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
        """Returns the paths as the files lie: MEMORY.md is in the root where it is there and not in memory/."""
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
        """Returns where a memory file is: `path` is relative to the workspace, and MEMORY_PATH wherever MEMORY.md
        lies."""
        return self.root / self.name_on_disk(path)

    def name_on_disk(self, path: str) -> str:
        """Returns a memory file's path in the folder, relative to the workspace."""
        return MEMORY_NAME if path == MEMORY_PATH and self.memory_at_root else path

    @property
    def begun_file(self) -> Path:
        """There while a workspace is being made in a folder that was there before."""
        return self.root / f"{OWN_NAME}-begun"

    @property
    def own(self) -> OwnPaths:
        """What only Mnemoscope reads."""
        return OwnPaths(self.root / OWN_NAME)
