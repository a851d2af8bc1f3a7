"""Plants a canary, words that stand nowhere else, in every store of a workspace."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.commits import CommitNote
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.held_back import fact_hashes
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.logs.prompt_log import PromptLog
from mnemoscope.store.memory.change_log import ChangeLog, LoggedChange
from mnemoscope.store.memory.suggestion_file import encode_suggestion
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.sessions.file_format.record_line import encode_record
from mnemoscope.store.transactions.intent import CONSOLIDATION, DELETE, Intent, RecordChange, encode_intent
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths

CANARY = "My sister keeps a Grünzweig canary"
LINE = f"- {CANARY}"
PICTURE = "ab" * 32
"""The hash of an image that only the message with the canary names."""
WHEN = "2026-11-20T10:00:00"
EVERY_KIND = frozenset(PlaceKind) - {PlaceKind.OTHER_AGENTS, PlaceKind.TEMPORARY}


def plant(root: Path, said: str = CANARY) -> WorkspacePaths:
    """Makes a workspace in an empty folder, with the canary, as it is `said`, in every store and something else beside
    it."""
    paths = WorkspacePaths(root)
    own = paths.own
    for folder in (paths.memory_dir, own.folder, own.quarantine_dir, own.trash_dir, own.message_trash_dir):
        folder.mkdir(parents=True, exist_ok=True)
    _memory(paths, said)
    _conversations(paths, said)
    _own_records(paths, said)
    return paths


def message(content: str, **more: object) -> bytes:
    """Returns the record of a message of the person."""
    return encode_record({"role": "user", "content": content, "timestamp": WHEN, **more})


def session(key: str, *messages: bytes) -> bytes:
    """Returns a session file."""
    metadata = {"_type": "metadata", "key": key, "created_at": WHEN, "metadata": {}, "last_consolidated": 0}
    return encode_record(metadata) + b"".join(messages)


def _write(path: Path, data: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def _memory(paths: WorkspacePaths, canary: str) -> None:
    before, text = "# Notes\n\n- Known before\n", f"# Notes\n\n- Known before\n- {canary}\n"
    _write(paths.memory_file, text)
    _write(paths.root / "AGENTS.md", f"Be kind.\n- {canary}\n")
    _write(paths.history_file, f"[2026-11-19 09:00] Something else.\n\n[2026-11-20 10:00] {canary}\n\n")
    _write(paths.history_jsonl, json.dumps({"cursor": 1, "timestamp": WHEN, "content": f"She said: {canary}"}) + "\n")
    _write(paths.memory_dir / "2026-11-20.md", f"# A day\n\n**USER**: {canary}\n")
    _write(paths.session_state, f"# Session state\n\n- **fact**: {canary}\n")
    versions = TextVersions(paths.own.text_versions_dir)
    first, second = versions.keep_text(before), versions.keep_text(text)
    log = ChangeLog(paths.own.memory_change_log)
    change = MemoryChange("c1", WHEN, MemoryOrigin("editor", WHEN), first, second, added=(canary,), count_added=1)
    log.add(LoggedChange(change, deleted=tuple(fact_hashes(canary))))
    _write(paths.own.folder / "changes" / "USER.md.jsonl", json.dumps({"deletions": [[*fact_hashes(canary), WHEN]]}))
    git = GitStore(paths, clock=lambda: datetime(2026, 11, 20, 10, 1))
    git.init()
    git.commit(
        CommitNote("You", "memory/MEMORY.md: Edited", f"+ {canary}"), {MEMORY_PATH: (text + "- More\n").encode()}
    )


def _conversations(paths: WorkspacePaths, canary: str) -> None:
    said = message(canary, attachments=[{"sha256": PICTURE, "type": "image/png", "width": 1, "height": 1, "bytes": 4}])
    whole = session("desktop:one", message("Hello"), said, message("Goodbye"))
    for folder in (paths.sessions_dir, paths.branches_dir, paths.archive_dir, paths.own.trash_dir):
        _write(folder / "desktop_one.jsonl", whole)
    _write(paths.attachments_dir / PICTURE, b"\x89PNG")
    _write(paths.attachments_dir / ("cd" * 32), b"\x89PNG")
    _write(paths.own.trash_dir / "desktop_one.SESSION-STATE.md", f"- {canary}\n- Other\n")
    record = RecordChange("desktop:one", "sessions/two.jsonl", 0, said.decode().strip(), "{}")
    deleted = replace(Intent.of_kind(DELETE, workspace_id="w", when=WHEN), records=(record,))
    _write(paths.own.message_trash_dir / f"{deleted.id}.json", encode_intent(deleted))


def _own_records(paths: WorkspacePaths, canary: str) -> None:
    own = paths.own
    held = Suggestion("aa", WHEN, "# Notes\n", f"# Notes\n- {canary}\n", ("It is new.",), "desktop:one", 0, 2)
    _write(own.suggestions_dir / "aa.json", encode_suggestion(held))
    _write(own.rejected_facts_file, f'{{"fact": "Something else"}}\n{json.dumps({"fact": canary})}\n')
    CaptureLog(paths).add(
        [CaptureRecord("k1", WHEN, "desktop:one", WHEN, 1, "fact", canary, memory_line=f"- {canary}")]
    )
    intent = Intent.of_kind(
        CONSOLIDATION, workspace_id="w", when=WHEN, history_entry=f"[2026-11-20 10:00] {canary}", facts_added=(canary,)
    )
    _write(own.ledger_dir / f"20261120100000000000-{intent.id}.json", encode_intent(intent))
    PromptLog(own.prompts_dir).append(
        "desktop:one", {"when": WHEN, "system": "t1"}, {"t1": f"Memory:\n- {canary}\n- Known before"}
    )
    _write(own.tool_results_dir / "20261120-100000-read_file.txt", f"1: {canary}\n2: else\n")
    _write(own.dream_runs, json.dumps({"id": "r1", "when": WHEN, "said": canary}) + "\n")
    DraftStore(own.drafts_dir).save("desktop:one", {"text": f"I said: {canary}!"})
    _write(own.quarantine_dir / "0a-line", b"\xff\xfe " + canary.encode())
    with sqlite3.connect(own.search_file) as index:
        index.execute("CREATE TABLE passages(body TEXT)")
        index.execute("INSERT INTO passages VALUES (?)", (canary,))
    index.close()
    _write(paths.root / "notes" / "family.txt", f"{canary}.\n")
