"""Names the paths in a workspace: the files other programs read too, and the folder that is ours."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import STATE_PATH, file_of_page
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.store.files.display_names import OWN_FOLDER


@dataclass(frozen=True, slots=True)
class OwnPaths:
    """Names the paths in `.mnemoscope/`. Nothing here touches the disk."""

    folder: Path

    @property
    def session_state_owner(self) -> Path:
        """Returns the file that names the conversation which SESSION-STATE.md in the root belongs to."""
        return self.folder / "session-state"

    @property
    def captures_log(self) -> Path:
        """Returns the log of what was captured, what was not, and why; one JSON object a line."""
        return self.folder / "captures.jsonl"

    def exchange_log_of(self, path: str) -> Path:
        """Returns the log of which messages a daily note or the working buffer tells, `path` relative to the workspace;
        one JSON object a line."""
        return self.folder / "exchanges" / f"{PurePosixPath(path).name}.jsonl"

    @property
    def tool_results_dir(self) -> Path:
        """Returns the folder of whole texts of tool results that were cut for the conversation."""
        return self.folder / "tool-results"

    @property
    def prompts_dir(self) -> Path:
        """Returns the folder of what was sent with each turn, one file a conversation."""
        return self.folder / "prompts"

    @property
    def compactions_dir(self) -> Path:
        """Returns the folder that notes which messages of a conversation are not sent, because its context was full."""
        return self.folder / "compactions"

    @property
    def dream_runs(self) -> Path:
        """Returns the file with the records of Dream's runs, one JSON object a line."""
        return self.folder / "dream.jsonl"

    @property
    def dream_place(self) -> Path:
        """Returns the file that notes what Dream is to read again, and how far into a long entry it is; its cursor says
        the rest."""
        return self.folder / "dream-place.json"

    @property
    def model_modes_file(self) -> Path:
        """Returns the file that notes in which way each model gives its answers to consolidations."""
        return self.folder / "model-ways.json"

    @property
    def imports_dir(self) -> Path:
        """Returns the folder of the records of imports, by which each can be taken back; one file an import."""
        return self.folder / "imports"

    @property
    def spending_file(self) -> Path:
        """Returns the file of what models took and cost on each day."""
        return self.folder / "spending.json"

    @property
    def memory_check_file(self) -> Path:
        """Returns the file that notes when all facts of memory were last compared with each other."""
        return self.folder / "memory-check.json"

    @property
    def tombstones_file(self) -> Path:
        """Returns the file of keyed hashes of what the person had forgotten."""
        return self.folder / "tombstones.json"

    @property
    def scan_checkpoint_file(self) -> Path:
        """Returns the file that notes which files were looked through for what the person had forgotten, as they
        were."""
        return self.folder / "looked-at.json"

    @property
    def rejected_file(self) -> Path:
        """Returns the file of keyed hashes of what the person would not have added to memory."""
        return self.folder / "rejected.json"

    @property
    def rejected_removals_file(self) -> Path:
        """Returns the file of keyed hashes of what the person would not have taken out of memory."""
        return self.folder / "rejected-removals.json"

    @property
    def rejected_facts_file(self) -> Path:
        """Returns the file of the words of what the person would not have added to memory."""
        return self.folder / "rejected-facts.jsonl"

    @property
    def known_conversations_file(self) -> Path:
        """Returns the file that lists the conversations there are to be, so that an audit misses one that is gone."""
        return self.folder / "conversations.json"

    @property
    def intent_file(self) -> Path:
        """Returns the file of the consolidation that is committed and not yet finished."""
        return self.folder / "intent.json"

    @property
    def ledger_dir(self) -> Path:
        """Returns the folder of finished consolidations: the audit trail."""
        return self.folder / "ledger"

    @property
    def text_versions_dir(self) -> Path:
        """Returns the folder of the texts MEMORY.md had, by hash."""
        return self.folder / "versions"

    def change_log_of(self, path: str) -> Path:
        """Returns the log of every change of a tracked file (`path` relative to the workspace), and of what the person
        deleted from it."""
        if path == MEMORY_PATH:
            return self.memory_change_log
        return self.folder / "changes" / f"{path.replace('%', '%25').replace('/', '%2F')}.jsonl"

    @property
    def memory_change_log(self) -> Path:
        """Returns the log of every change of MEMORY.md, and of what the person deleted from it."""
        return self.folder / "memory-changes.jsonl"

    @property
    def suggestions_dir(self) -> Path:
        """Returns the folder of suggestions: memory texts a person has to decide on."""
        return self.folder / "suggestions"

    @property
    def inbox_dir(self) -> Path:
        """Returns the folder of proposals that programs outside sent in and nobody took out yet."""
        return self.folder / "inbox"

    @property
    def settled_dir(self) -> Path:
        """Returns the folder of suggestions that were decided on, with the outcome."""
        return self.suggestions_dir / "settled"

    @property
    def drafts_dir(self) -> Path:
        """Returns the folder of unsent messages and unsaved edits."""
        return self.folder / "drafts"

    @property
    def trash_dir(self) -> Path:
        """Returns the folder of deleted sessions, until they are restored or the trash is emptied."""
        return self.folder / "trash"

    @property
    def message_trash_dir(self) -> Path:
        """Returns the folder of deletions of messages: each file holds the records and where they stood."""
        return self.trash_dir / "messages"

    @property
    def quarantine_dir(self) -> Path:
        """Returns the folder of bytes that could not be read, kept for the person."""
        return self.folder / "quarantine"

    @property
    def forgetting_receipts_dir(self) -> Path:
        """Returns the folder of the receipts of forgettings, which hold none of the words; one file each."""
        return self.folder / "forgotten"

    @property
    def reserve_file(self) -> Path:
        """Returns the file that is room given back on a full disk: messages and drafts can still be written."""
        return self.folder / "reserve"

    @property
    def lock_file(self) -> Path:
        """Returns the lock that is held by the process that owns the workspace."""
        return self.folder / "lock"

    @property
    def search_file(self) -> Path:
        """Returns the file of the search index, which is derived."""
        return self.folder / "search.db"

    @property
    def identity_file(self) -> Path:
        """Returns the file with a random name that tells one workspace from another."""
        return self.folder / "workspace-id"


MEMORY_NAME: Final = "MEMORY.md"
_LONGEST_CONFIG: Final = 1_000_000
"""In bytes."""


@dataclass(frozen=True, slots=True)
class WorkspacePaths:
    """Names the paths of everything in a workspace. Nothing but `found` touches the disk."""

    root: Path
    memory_at_root: bool = False
    """MEMORY.md is in the root, where qanot 2.0 has it; else in memory/."""

    @classmethod
    def found(cls, root: Path) -> WorkspacePaths:
        """Returns the paths as the files lie: MEMORY.md is in the root where it is there and not in memory/.

        Where there is none yet, it will be in the root in the three-tier profile, as Qanot reads it, unless a history
        log tells of a program that looks for it in memory/.
        """
        usual = cls(root)
        if os.path.lexists(usual.memory_file):
            return usual
        at_root = os.path.lexists(root / MEMORY_NAME) or (
            not any(map(os.path.lexists, (usual.history_file, usual.history_jsonl))) and _is_three_tier(usual)
        )
        return cls(root, memory_at_root=at_root)

    @property
    def memory_dir(self) -> Path:
        """Returns the folder of long-term memory and the history logs."""
        return self.root / "memory"

    @property
    def memory_file(self) -> Path:
        """Returns MEMORY.md: facts, loaded into every prompt."""
        return self.file(MEMORY_PATH)

    @property
    def session_state(self) -> Path:
        """Returns the file of what was captured in the conversation used last."""
        return self.root / STATE_PATH

    @property
    def working_buffer(self) -> Path:
        """Returns the file that keeps what was said while the context was filling up (three-tier)."""
        return self.memory_dir / "working-buffer.md"

    @property
    def history_file(self) -> Path:
        """Returns the log of events as paragraphs (two-layer)."""
        return self.memory_dir / "HISTORY.md"

    @property
    def history_jsonl(self) -> Path:
        """Returns the log of events as JSON lines (dream)."""
        return self.memory_dir / "history.jsonl"

    @property
    def sessions_dir(self) -> Path:
        """Returns the folder of conversations, one file each."""
        return self.root / "sessions"

    @property
    def attachments_dir(self) -> Path:
        """Returns the folder of the images that messages name."""
        return self.sessions_dir / "attachments"

    @property
    def archive_dir(self) -> Path:
        """Returns the folder of transcripts that /new closed."""
        return self.sessions_dir / "archive"

    @property
    def branches_dir(self) -> Path:
        """Returns the folder of branches of conversations that are not active, one file each."""
        return self.sessions_dir / "branches"

    @property
    def discreet_dir(self) -> Path:
        """Returns the folder of conversations that read memory and write none, one file each: no peer looks there."""
        return self.sessions_dir / "discreet"

    @property
    def skills_dir(self) -> Path:
        """Returns the folder of skills, each in <name>/SKILL.md."""
        return self.root / "skills"

    @property
    def dream_guide(self) -> Path:
        """Returns the guide of Dream in this workspace; empty or missing for Mnemoscope's own guide."""
        return self.root / "prompts" / "dream.md"

    @property
    def config_file(self) -> Path:
        """Returns the file of settings."""
        return self.root / "config.json"

    def file(self, path: str) -> Path:
        """Returns where a memory file is: `path` is relative to the workspace, and MEMORY_PATH wherever MEMORY.md
        lies."""
        return self.root / self.name_on_disk(path)

    def name_on_disk(self, path: str) -> str:
        """Returns a memory file's path in the folder, relative to the workspace; of a page that of its file."""
        return MEMORY_NAME if path == MEMORY_PATH and self.memory_at_root else file_of_page(path)

    @property
    def begun_file(self) -> Path:
        """Returns the file that is there while a workspace is being made in a folder that was there before."""
        return self.root / f"{OWN_FOLDER}-begun"

    @property
    def own(self) -> OwnPaths:
        """Returns the paths of what only Mnemoscope reads."""
        return OwnPaths(self.root / OWN_FOLDER)


def _is_three_tier(paths: WorkspacePaths) -> bool:
    """Returns whether config.json names the three-tier profile. What cannot be read or followed names none."""
    file = paths.config_file
    with suppress(OSError, ValueError, RecursionError):
        # A pipe of that name would not be read to its end.
        if file.is_file() and file.stat().st_size <= _LONGEST_CONFIG:
            document = json.loads(file.read_bytes())
            own = document.get("mnemoscope") if isinstance(document, dict) else None
            return isinstance(own, dict) and own.get("profile") == THREE_TIER
    return False
