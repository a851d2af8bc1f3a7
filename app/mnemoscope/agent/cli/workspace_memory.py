"""Counts the memory files of a workspace of ours, of nanobot's or of Qanot's for the audit, and tells these apart.

How much of a file is loaded: of ours as the prompt's builder has it; nanobot 0.3.5 sends MEMORY.md, AGENTS.md, SOUL.md
and USER.md whole; Qanot 2.0 sends the first 20,000 characters of each of its files. History logs and daily notes are
read on demand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final

from mnemoscope.agent.cli.audit_report import AuditedLine, AuditedMemoryFile
from mnemoscope.agent.cli.peer_edits import peer_edits
from mnemoscope.agent.commits.memory_blame import BlamedLine, MemoryBlame
from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.prompt.workspace_files import PROMPT_FILE_LIMIT
from mnemoscope.domain.errors import MnemoscopeError, UnreadableFile
from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.foreign_records import LineSource
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_lines
from mnemoscope.domain.memory.file_registry import (
    AGENTS_PATH,
    DREAM_GUIDE,
    HISTORY_PATH,
    INSTRUCTION_FILES,
    JOURNAL_PATH,
    PROMPT_FILES,
    SOUL_PATH,
    STATE_PATH,
    USER_PATH,
)
from mnemoscope.domain.memory.history_entries import HistoryLog
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.text.characters import decoded, with_plain_line_ends
from mnemoscope.domain.text.diff import split_lines
from mnemoscope.store.files.text_encoding import decoded_text
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.sessions.file_format.qanot_messages import is_qanots
from mnemoscope.store.sessions.file_format.record_line import TYPE_MARK, session_record
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.nanobot_home import nanobot_home, workspace_id
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import WorkspaceReport, inspect_workspace

_ROLES: Final[Mapping[str, str]] = {
    MEMORY_PATH: "memory",
    USER_PATH: "user",
    SOUL_PATH: "soul",
    **{path: "instructions" for path in INSTRUCTION_FILES if path != SOUL_PATH},
    STATE_PATH: "session state",
    HISTORY_PATH: "history",
    JOURNAL_PATH: "history",
    DREAM_GUIDE: "instructions",
}
_LOGS: Final = frozenset({HISTORY_PATH, JOURNAL_PATH})
_NANOBOT_LOADS: Final = frozenset({MEMORY_PATH, USER_PATH, SOUL_PATH, AGENTS_PATH})
_QANOT_LOADS: Final = frozenset({MEMORY_PATH, USER_PATH, SOUL_PATH, *PROMPT_FILES, STATE_PATH})
_QANOT_LIMIT: Final = 20_000
_KNOWN_RECORDS: Final = frozenset({"metadata", "provider_state"})
_MOST_BYTES: Final = 50_000_000
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d[^/]*\.md")
_HEAD: Final = 200
_METADATA: Final = re.compile(rb'\s*\{\s*"_type"\s*:\s*"metadata"')


class WorkspaceMemory:
    """Reads the memory files of one workspace. What cannot be read stands in `problems`, once `files` was asked for."""

    def __init__(self, paths: WorkspacePaths, settings: Settings, *, is_own: bool) -> None:
        self._paths = paths
        self._builder = ContextBuilder(paths.root, settings=lambda: settings)
        self._is_own = is_own
        self._is_qanots = paths.memory_at_root
        self.problems: list[str] = []

    @cached_property
    def files(self) -> tuple[AuditedMemoryFile, ...]:
        """Returns the files that are there, those that are loaded first."""
        found = [
            AuditedMemoryFile(
                self._paths.name_on_disk(path),
                _ROLES.get(path, "daily note"),
                self._entries(path, text),
                len(text),
                self._loaded(path, text),
            )
            for path, text in self._texts.items()
        ]
        return tuple(sorted(found, key=lambda each: not each.loaded_characters))

    def lines(self, origins: MemoryBlame, sessions: SessionManager) -> tuple[AuditedLine, ...]:
        """Returns each line of these files with the message it rests on."""
        found = []
        edits = [] if self._is_own else peer_edits(self._paths, sessions)
        written = {edit.path for edit in edits}
        for path, text in self._texts.items():
            name = self._paths.name_on_disk(path)
            if name in written:
                found += [_of_call(each) for each in line_sources(name, text, edits)]
                continue
            for each in self._origins(origins, path)(text):
                source = (each.session_key, each.message_text, each.is_outside)
                by_person = each.author == "editor"
                found.append(AuditedLine(name, each.line, each.text, *source, by_person=by_person))
        return tuple(found)

    def _origins(self, origins: MemoryBlame, path: str) -> Callable[[str], list[BlamedLine]]:
        if path == HISTORY_PATH:
            return origins.of_history
        if path == JOURNAL_PATH:
            return origins.of_journal
        if path == STATE_PATH:
            return origins.of_session_state
        if path in (MEMORY_PATH, USER_PATH, SOUL_PATH, DREAM_GUIDE):
            return lambda text: origins.of_memory_file(path, text)
        return origins.unknown

    @cached_property
    def _texts(self) -> dict[str, str]:
        found = {}
        for path in (*_ROLES, *self._notes()):
            file = self._paths.file(path)
            try:
                if file.is_file() and file.stat().st_size <= _MOST_BYTES:
                    data = file.read_bytes()
                    found[path] = (
                        decoded(data) if path in _LOGS else with_plain_line_ends(decoded_text(data, file.name))
                    )
            except OSError as error:
                self.problems.append(f"{path} could not be read: {error.strerror or error}.")
            except UnreadableFile as error:
                self.problems.append(str(error))
        return found

    def _notes(self) -> Iterator[str]:
        with suppress(OSError):
            names = sorted(each.name for each in self._paths.memory_dir.iterdir())
            yield from (f"memory/{name}" for name in names if _DAY.fullmatch(name))

    def _entries(self, path: str, text: str) -> int:
        if path == HISTORY_PATH:
            return len(HistoryLog(text.encode("utf-8", "replace"), Ledger(self._paths).undated_entries()))
        if path == JOURNAL_PATH:
            with suppress(MnemoscopeError):
                return Journal(self._paths).count()
        return len(fact_lines(text))

    def _loaded(self, path: str, text: str) -> int:
        if not self._is_own:
            if self._is_qanots:
                return min(len(text), _QANOT_LIMIT) if path in _QANOT_LOADS else 0
            return len(text) if path in _NANOBOT_LOADS else 0
        if path == MEMORY_PATH:
            cut = self._builder.sent_of_file(path, text).cut
            return len(text) if cut is None else sum(len(line) + 1 for line in split_lines(text)[:cut])
        return min(len(text), PROMPT_FILE_LIMIT) if path in PROMPT_FILES else 0


def _of_call(source: LineSource) -> AuditedLine:
    edit = source.edit
    session, said = (edit.conversation, edit.message_text) if edit else ("", "")
    return AuditedLine(
        source.path, source.line, source.text, session, said, outside=source.is_outside, unknown=source.is_unknown
    )


def program_of(report: WorkspaceReport) -> str:
    """Returns the program that made a workspace: mnemoscope, nanobot or qanot."""
    paths = WorkspacePaths.found(report.root)
    if report.kind == "workspace":
        return "mnemoscope"
    return "qanot" if paths.memory_at_root or any(map(is_qanots, _heads(paths))) else "nanobot"


def is_of_peer(root: Path) -> bool:
    """Tells whether a folder holds what nanobot or Qanot alone write: their conversations, a history log, an id. Other
    agents have MEMORY.md, AGENTS.md and SOUL.md too."""
    paths = WorkspacePaths.found(root)
    if any(file.exists() for file in (paths.history_file, paths.history_jsonl)) or workspace_id(root):
        return True
    return nanobot_home(root) is not None or any(is_qanots(head) or _METADATA.match(head) for head in _heads(paths))


def workspace_of_home(root: Path) -> Path | None:
    """Returns the workspace in nanobot's own folder, `~/.nanobot`, None for any other folder."""
    inside = root / "workspace"
    is_home = root.name == ".nanobot" or (root / "config.json").is_file()
    return inside if is_home and inspect_workspace(inside).kind == "peer" and is_of_peer(inside) else None


def unknown_records(file: Path) -> int:
    """Returns how many records about its session a file holds that are of no known type."""
    count = 0
    with suppress(OSError), file.open("rb") as lines:
        for line in lines:
            record = session_record(line) if TYPE_MARK in line else None
            count += record is not None and record["_type"] not in _KNOWN_RECORDS
    return count


def _heads(paths: WorkspacePaths) -> Iterator[bytes]:
    """Yields how the conversations begin."""
    with suppress(OSError):
        for path in sorted(paths.sessions_dir.glob("*.jsonl")):
            with suppress(OSError), path.open("rb") as file:
                yield file.read(_HEAD)
