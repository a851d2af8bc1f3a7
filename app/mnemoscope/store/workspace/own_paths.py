"""Where things are in the program's own folder of a workspace: what no other program reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
    def versions_dir(self) -> Path:
        """Texts MEMORY.md had, by hash."""
        return self.folder / "versions"

    def journal_of(self, path: str) -> Path:
        """Every change of a tracked file (relative to the workspace), and what the person deleted from it."""
        if path == MEMORY_PATH:
            return self.memory_journal
        return self.folder / "changes" / f"{path.replace('%', '%25').replace('/', '%2F')}.jsonl"

    @property
    def memory_journal(self) -> Path:
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
