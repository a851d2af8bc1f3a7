"""Reads the state of OpenClaw: `$OPENCLAW_STATE_DIR`, else `~/.openclaw`, and `~/.clawdbot` as it was called before.

**Conversations** belong to agents, each in `agents/<id>`. Up to 2026.7.1 they are files: `sessions/<session>.jsonl`,
with `-topic-<thread>` for a thread of a channel, archives `<session>.jsonl.<reset|bak|deleted>.<time>[.zst]`, and the
index `sessions.json`, an object of session keys, which names some of them. From 2026.8.1 on they are rows of a
database (see `openclaw_database`); a file of the same session that was left behind is the same conversation, and
counts once. A key with `:subagent:` is a subagent's. What the records mean is told in `openclaw_transcript`.

**Memory** lies in the workspace of each agent, which `openclaw.json` names (`agents.defaults.workspace`, and one for
each of `agents.list`), else `workspace` and `workspace-<agent>`: `AGENTS.md`, `SOUL.md`, `TOOLS.md`, `IDENTITY.md`,
`USER.md` and `MEMORY.md` (older: `memory.md` beside it or instead) are loaded, each as far as 20,000 characters
(`bootstrapMaxChars`); of the daily notes `memory/YYYY-MM-DD[-<slug>].md` those of today and yesterday. `DREAMS.md`,
other files of `memory/`, and suggestions in `memory/audit/suggestions.jsonl` are not.

**Who wrote it**: the agent writes with the tools `write` (`path`, `content`), `edit` (`path`, `oldText`, `newText`, or
a list of `edits`, each of which fits the text before the call once) and `apply_patch` (`input`). Claude Code's names
of the arguments (`file_path`, `old_string`, `new_string`) are taken too. Paths are relative to the agent's folder.

From the public documents and source up to 2026.9; `suggestions.jsonl` and its release are third-party knowledge.
"""

from __future__ import annotations

import os
import posixpath
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.errors import StorageError, reason_of
from mnemoscope.domain.foreign.apply_patch import FilePatch, PatchMalformed, parse_patch
from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    LONG_AGO,
    ForeignCall,
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    ForeignRole,
    MemoryEdit,
    RecordKind,
    StoreFormat,
    TextReplacement,
    newest_first,
)
from mnemoscope.store.files.atomic import open_to_read
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.agents.database_store import DatabaseStore
from mnemoscope.store.foreign.agents.openclaw_database import (
    NEWEST_SCHEMA,
    TABLES,
    AgentDatabase,
    DatabaseSession,
    EventRows,
    FileRecords,
    archive_records,
    cold_source,
)
from mnemoscope.store.foreign.agents.openclaw_transcript import (
    OpenClawTranscript,
    PiLine,
    RecordLines,
    TranscriptScan,
    pi_line,
    record_kind,
    shown_record,
)
from mnemoscope.store.foreign.reading.json_lines import newest_lines
from mnemoscope.store.foreign.reading.record_values import bullets_in, json_value, object_in, stated_moment, title_from
from mnemoscope.store.foreign.reading.sqlite_copy import SQLITE_ERRORS
from mnemoscope.store.foreign.reading.store_files import StoreFiles

_HOMES: Final = (".openclaw", ".clawdbot")
_CONFIGS: Final = ("openclaw.json", "clawdbot.json")
_FILE: Final = re.compile(r"(?P<id>.+?)\.jsonl(?:\.(?P<reason>reset|bak|deleted)[.-](?P<time>.+?))?(?P<zst>\.zst)?")
_NO_TRANSCRIPT: Final = re.compile(r"\.trajectory\.jsonl|\.checkpoint\.[^/]*\.jsonl|(^|/)\.")
_DAY: Final = re.compile(r"memory/(\d{4}-\d\d-\d\d)(?:-[^/]*)?\.md")
_ROLES: Final[Mapping[str, str]] = {
    "MEMORY.md": "memory",
    "memory.md": "memory",
    "USER.md": "user",
    "SOUL.md": "soul",
    "IDENTITY.md": "soul",
    "AGENTS.md": "instructions",
    "TOOLS.md": "instructions",
    "DREAMS.md": "summary",
}
_OWN: Final = ("SOUL.md", "IDENTITY.md")
_NOT_LOADED: Final = frozenset({"DREAMS.md"})
_SUGGESTIONS: Final = "memory/audit/suggestions.jsonl"
_LOADED: Final = 20_000
_WORKSPACE: Final = re.compile(r"""["']?workspace["']?\s*:\s*["']([^"'\n]+)["']""")
_DRIVE: Final = re.compile(r"[A-Za-z]:/")
_HEAD: Final = 1 << 15
_FIRST_TAIL: Final = 1 << 18
_LONGEST_TAIL: Final = 1 << 25
_FIRST_ROWS: Final = 64


def _root_of(folder: Path) -> Path | None:
    for place in (folder, *folder.parents):
        if place.name in _HOMES and (
            any((place / name).exists() for name in ("agents", *_CONFIGS)) or _workspaces_in(place)
        ):
            return place
    is_home = (
        any((folder / name).is_file() for name in _CONFIGS)
        or any(
            (agent / "sessions").is_dir() or (agent / "agent" / "openclaw-agent.sqlite").is_file()
            for agent in _folders(folder / "agents")
        )
        # Before the first conversation. Other programs have a workspace with an AGENTS.md too, nanobot with a SOUL.md.
        or (
            not (folder / "config.json").is_file()
            and any((workspace / name).is_file() for workspace in _workspaces_in(folder) for name in _OWN)
        )
    )
    return folder if is_home else None


def _workspaces_in(folder: Path) -> list[Path]:
    """Returns the workspaces that lie in a state by their usual names."""
    return [each for each in _folders(folder) if each.name == "workspace" or each.name.startswith("workspace-")]


def _usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    named = environment.get("OPENCLAW_STATE_DIR")
    return [Path(named)] if named else [home / name for name in _HOMES]


FORMAT: Final = StoreFormat("openclaw", "OpenClaw", _root_of, _usual_roots)


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(entry for entry in parent.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    except OSError:
        return []


@dataclass(frozen=True, slots=True)
class _Source:
    """Describes a conversation in the list, and where its records are."""

    shown: ForeignConversation
    agent: str
    path: Path
    session: DatabaseSession | None = None
    """Its rows, None for a file."""
    is_compressed: bool = False


@dataclass(slots=True)
class _Agent:
    """Holds what is known of an agent's sessions by key and by name of the file, from `sessions.json`."""

    name: str
    folder: Path
    keys: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)


class OpenClawStore(DatabaseStore):
    """Reads the state of OpenClaw, and writes nothing."""

    format_name = FORMAT.name

    def __init__(
        self,
        root: Path,
        private: Path | None = None,
        *,
        today: Callable[[], date] = date.today,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`private` is the folder for copies, `today` tells which daily notes are loaded, and `clock`, in seconds, when
        to copy a database again."""
        super().__init__(root, private, clock=clock)
        self._today = today
        self._sources: dict[str, _Source] = {}

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns the conversations of all agents, newest first."""
        self._problems["conversations"] = []
        found: list[_Source] = []
        for folder in _folders(self.root / "agents"):
            found += self._sources_of(folder)
        counts = Counter(source.shown.id for source in found)
        self._sources = {}
        for source in found:
            # The same id in two agents is told apart by the agent.
            name = f"{source.agent}/{source.shown.id}" if counts[source.shown.id] > 1 else source.shown.id
            self._sources.setdefault(name, replace(source, shown=replace(source.shown, id=name)))
        return newest_first(source.shown for source in self._sources.values())

    def open(self, conversation: str) -> OpenClawTranscript:
        """Returns a conversation by its id. Raises StorageError where it is gone or cannot be read at all."""
        return OpenClawTranscript(self._lines_of(self._source(conversation)))

    def newest(self, conversation: str, count: int) -> Sequence[ForeignRecord]:
        """Returns the newest messages of the active path, oldest first."""
        source = self._source(conversation)
        most = _FIRST_TAIL
        while True:
            lines, is_all = self._last_lines(source, most)
            found = _shown_of(lines)
            if is_all or len(found) >= count or most >= _LONGEST_TAIL:
                return found
            most *= 8

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files of all workspaces, those that are loaded first."""
        files = StoreFiles(self.root)
        found: list[ForeignMemoryFile] = []
        for workspace in dict.fromkeys(self._workspaces(files).values()):
            found += self._memory_of(workspace, files)
        self._problems["memory"] = files.problems
        return sorted(found, key=lambda one: one.loaded_characters == 0)

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Yields the calls that wrote to memory files and did not fail, oldest first."""
        self.conversations()
        workspaces = self._workspaces(StoreFiles(self.root))
        seen: set[tuple[str, str]] = set()
        found: list[MemoryEdit] = []
        for name, source in sorted(self._sources.items(), key=lambda one: _age(one[1].shown)):
            if not goes_on():
                return
            with suppress(StorageError), closing(self.open(name)) as transcript:
                for place, call in _writing_calls(transcript):
                    record = transcript.record(place)
                    # An archive, and a conversation that began as a copy of another, hold its records once more.
                    if (record.id, call.id) not in seen:
                        said = transcript.last_text_before(place)
                        text = "" if said is None else transcript.record(said).text
                        for path, change in self._changes_of(call, source.agent, transcript.cwd, workspaces):
                            found.append(change.edit(path, record, name, place, text, call.name))
                    if record.id:
                        seen.add((record.id, call.id))
        yield from sorted(found, key=lambda edit: edit.when or LONG_AGO)

    # Conversations

    def _source(self, conversation: str) -> _Source:
        source = self._sources.get(conversation)
        if source is None or not os.path.lexists(source.path):
            self.conversations()
            source = self._sources.get(conversation)
        if source is None:
            raise StorageError("This conversation is not here any more.", next_step="")
        return source

    def _sources_of(self, folder: Path) -> list[_Source]:
        """Returns the conversations of one agent: those of its database, and the files that are not in it."""
        agent = _Agent(folder.name, folder, self._keys_in(folder / "sessions" / "sessions.json"))
        found = self._rows_of(agent)
        known = {source.session.id for source in found if source.session is not None}
        known |= {source.session.archive for source in found if source.session is not None}
        files = StoreFiles(self.root)
        is_here = files.is_within(folder / "sessions")
        for path in _files_in(folder / "sessions"):
            match = _FILE.fullmatch(path.name)
            if match is None or _NO_TRANSCRIPT.search(path.name):
                continue
            is_live = match["reason"] is None
            if not ((is_live and match["id"] in known) or path.name in known):
                if not is_here or (path.is_symlink() and not files.is_within(path)):
                    self._problems["conversations"].append(
                        f"{path.name} is a link out of the store and was not followed."
                    )
                else:
                    found.append(
                        self._file(agent, path, match["id"], is_live=is_live, is_compressed=bool(match["zst"]))
                    )
        return found

    def _keys_in(self, index: Path) -> dict[str, tuple[str, Mapping[str, Any]]]:
        """Returns the entries of `sessions.json` with their keys, by session and by the name of the file."""
        files = StoreFiles(self.root)
        text = files.text(index.relative_to(self.root).as_posix())
        self._problems["conversations"] += files.problems
        entries = json_value(text) if text is not None else {}
        if not isinstance(entries, dict):
            self._problems["conversations"].append(
                f"{index.parent.parent.name}/sessions/sessions.json holds no JSON object."
            )
            return {}
        found: dict[str, tuple[str, Mapping[str, Any]]] = {}
        for key, entry in entries.items():
            if isinstance(entry, dict):
                for name in (entry.get("sessionId"), entry.get("sessionFile")):
                    if isinstance(name, str):
                        found[posixpath.basename(name.replace("\\", "/")).removesuffix(".jsonl")] = (key, entry)
        return found

    def _file(self, agent: _Agent, path: Path, session: str, *, is_live: bool, is_compressed: bool) -> _Source:
        key, entry = agent.keys.get(session, ("", {}))
        size, changed, head = _looked_at(path)
        started, title = _head_of([] if is_compressed else head)
        names = (entry.get("displayName"), entry.get("label"), entry.get("subject"))
        label = next((name.strip() for name in names if isinstance(name, str) and name.strip()), "")
        shown = ForeignConversation(
            id=session if is_live else path.name,
            path=path.relative_to(self.root).as_posix(),
            title=label or title,
            role=_role(key, entry.get("spawnedBy"), is_put_away=not is_live),
            parent=entry["spawnedBy"] if isinstance(entry.get("spawnedBy"), str) else "",
            created_at=stated_moment(entry.get("sessionStartedAt")) or started,
            updated_at=stated_moment(entry.get("lastInteractionAt"))
            or stated_moment(entry.get("updatedAt"))
            or stated_moment(changed),
            size=size,
        )
        return _Source(shown, agent.name, path, is_compressed=is_compressed)

    def _rows_of(self, agent: _Agent) -> list[_Source]:
        path = agent.folder / "agent" / "openclaw-agent.sqlite"
        if not os.path.lexists(path):
            return []
        name = path.relative_to(self.root).as_posix()
        problems = self._problems["conversations"]
        if not StoreFiles(self.root).is_within(path):
            problems.append(f"{name} is a link out of the store and was not followed.")
            return []
        try:
            copy = self._copies.copy_of(path, TABLES)
            with closing(copy.connect()) as connection:
                problems.extend([f"{name}: {copy.damage}"] if copy.damage else [])
                database = AgentDatabase(connection)
                if not database.has_sessions:
                    return []
                if (schema := database.schema()) > NEWEST_SCHEMA:
                    problems.append(f"{name} has version {schema} of its schema, which this reader does not know.")
                return [self._row(agent, path, session, database) for session in database.sessions()]
        except StorageError as error:
            problems.append(f"{name}: {error.sentence}")
        except SQLITE_ERRORS as error:
            problems.append(f"{name} cannot be read: {reason_of(error)}")
        return []

    def _row(self, agent: _Agent, path: Path, session: DatabaseSession, database: AgentDatabase) -> _Source:
        key, entry = agent.keys.get(session.id, (session.key, {}))
        started, title = (None, "") if session.kind != "events" else _head_of(database.head(session.id))
        shown = ForeignConversation(
            id=session.id,
            path=path.relative_to(self.root).as_posix(),
            title=session.title or title,
            role=_role(
                session.key or key, session.spawned_by or entry.get("spawnedBy"), is_put_away=session.is_put_away
            ),
            parent=session.spawned_by,
            created_at=stated_moment(session.created_at) or started,
            updated_at=stated_moment(session.updated_at) or stated_moment(session.created_at) or started,
        )
        return _Source(shown, agent.name, path, session)

    def _lines_of(self, source: _Source) -> RecordLines:
        if source.session is None:
            if not source.is_compressed:
                return FileRecords(source.path)
            return archive_records(lambda: open_to_read(source.path), self._copies.new_file())
        copy = self._copies.copy_of(source.path, TABLES)
        connection = copy.connect()
        if source.session.kind == "events":
            return EventRows(connection, source.session.id)
        with closing(connection):
            folder = source.path.parent.parent / "sessions" / "cold"
            data, is_compressed, fault = cold_source(
                connection, source.session, folder, StoreFiles(self.root).is_within
            )
        lines = archive_records(lambda: data, self._copies.new_file(), is_compressed=is_compressed)
        lines.damage += [fault] if fault else []
        return lines

    def _last_lines(self, source: _Source, most: int) -> tuple[list[bytes], bool]:
        """Returns the last records of a conversation, oldest first, and whether these are all it has."""
        if source.session is None and not source.is_compressed:
            return newest_lines(source.path, most)
        with closing(self._lines_of(source)) as lines:
            if isinstance(lines, EventRows):
                count = most // _FIRST_TAIL * _FIRST_ROWS
                found = lines.last(count)
                return found, len(found) < count
            return [line for place, _ in lines.read() for line in _line_or_none(lines, place)], True

    # Memory

    def _workspaces(self, files: StoreFiles) -> dict[str, str]:
        """Returns the workspaces of the agents, relative to the root, "" for the agent that is not named."""
        found = {"": "workspace"}
        for name in _CONFIGS:
            text = files.text(name)
            if text is not None:
                found.update(self._configured(text))
        for folder in _workspaces_in(self.root):
            if folder.name != "workspace":
                found.setdefault(folder.name.removeprefix("workspace-"), folder.name)
        return found

    def _configured(self, text: str) -> dict[str, str]:
        """Returns the workspaces that the settings name. They are JSON5: where they are no JSON, each `workspace` in
        them is taken by itself."""
        config = json_value(text)
        if not isinstance(config, dict):
            return {
                "" if not number else f"?{number}": self._local(path)
                for number, path in enumerate(_WORKSPACE.findall(text))
            }
        agents = object_in(config.get("agents"))
        usual = object_in(agents.get("defaults")).get("workspace") or object_in(config.get("agent")).get("workspace")
        found = {"": self._local(usual)} if isinstance(usual, str) else {}
        listed = agents.get("list")
        for agent in listed if isinstance(listed, list) else []:
            if isinstance(agent, dict) and isinstance(agent.get("workspace"), str):
                found[str(agent.get("id"))] = self._local(agent["workspace"])
        return found

    def _local(self, path: str) -> str:
        """Returns a path of the computer as one relative to the root, however the root is called there now."""
        plain = path.replace("\\", "/").replace("\0", "")
        for home in _HOMES:
            if f"/{home}/" in plain:
                return posixpath.normpath(plain.rpartition(f"/{home}/")[2])
        if plain.startswith("~/"):
            plain = self.root.parent.as_posix() + plain[1:]
        root = self.root.as_posix()
        return plain if _DRIVE.match(plain) else posixpath.relpath(posixpath.join(root, plain), root)

    def _memory_of(self, workspace: str, files: StoreFiles) -> Iterator[ForeignMemoryFile]:
        days = {self._today().isoformat(), (self._today() - timedelta(days=1)).isoformat()}
        is_within = not workspace.startswith("..") and not os.path.isabs(workspace)
        base = self.root / workspace
        below = StoreFiles(base)
        there = {entry.name for entry in _files_in(base)}
        names = [name for name in _ROLES if name in there]
        names += [
            name for name in below.names("memory", ".md", ".jsonl") if name.endswith(".md") or name == _SUGGESTIONS
        ]
        for name in names:
            shown = posixpath.normpath(posixpath.join(workspace, name))
            text = files.text(shown) if is_within else below.text(name)
            if text is None:
                continue
            day = _DAY.fullmatch(name)
            is_loaded = day[1] in days if day else name in _ROLES and name not in _NOT_LOADED
            role = "daily note" if day else _ROLES.get(name, "waiting" if name == _SUGGESTIONS else "topic")
            entries = len(_suggestions(text)) if name == _SUGGESTIONS else bullets_in(text)
            yield ForeignMemoryFile(shown, role, text, entries, min(len(text), _LOADED) if is_loaded else 0)
        files.problems += below.problems

    # Who wrote it

    def _changes_of(
        self, call: ForeignCall, agent: str, cwd: str, workspaces: Mapping[str, str]
    ) -> Iterator[tuple[str, _Change]]:
        """Yields what a call does to memory files."""
        workspace = workspaces.get(agent, workspaces[""])
        for path, change in _file_changes(call):
            shown = self._memory_path(path, cwd, workspace, workspaces.values())
            if shown:
                yield shown, change

    def _memory_path(self, path: str, cwd: str, workspace: str, workspaces: Sequence[str] | Any) -> str:
        """Returns the path of a memory file as it is shown, "" for another file."""
        plain = path.replace("\\", "/")
        if posixpath.isabs(plain) or plain.startswith("~") or _DRIVE.match(plain):
            shown = self._local(plain)
            base = cwd.replace("\\", "/").rstrip("/")
            if base and plain.startswith(f"{base}/") and not any(f"/{home}/" in plain for home in _HOMES):
                # The agent worked in its workspace, wherever that lay then.
                shown = posixpath.join(workspace, plain.removeprefix(f"{base}/"))
        else:
            shown = posixpath.join(workspace, plain)
        shown = posixpath.normpath(shown)
        for place in workspaces:
            name = shown.removeprefix(f"{place}/")
            if name != shown and (name in _ROLES or (name.startswith("memory/") and name.endswith(".md"))):
                return shown
        return ""


@dataclass(frozen=True, slots=True)
class _Change:
    """Describes what a call does to one file."""

    apply: Callable[[str], str | None]
    after: str | None = None
    replacements: tuple[TextReplacement, ...] = ()

    def edit(self, path: str, record: ForeignRecord, conversation: str, place: int, said: str, tool: str) -> MemoryEdit:
        """Returns the call as an edit of the file at `path`."""
        return MemoryEdit(
            path, record.when, conversation, place, said, self.apply, after=self.after, tool=tool,
            replacements=self.replacements,
        )  # fmt: skip


def _writing_calls(transcript: OpenClawTranscript) -> Iterator[tuple[int, ForeignCall]]:
    """Yields the calls that wrote a file, with the places of their answers."""
    for place in sorted({place for place, _ in transcript.writes}):
        for call in transcript.record(place).calls:
            if (place, call.id) in transcript.writes:
                yield place, call


def _file_changes(call: ForeignCall) -> Iterator[tuple[str, _Change]]:
    """Yields the files that a call changes, as it names them, and how."""
    arguments = call.arguments
    path = _argument(arguments, "path", "file_path", "filePath", "file")
    if call.name == "apply_patch":
        with suppress(PatchMalformed):
            for part in parse_patch(_argument(arguments, "input", "patch") or ""):
                yield part.path, _patch(part)
    elif path is not None and call.name == "write":
        content = _argument(arguments, "content")
        if content is not None:
            yield path, _Change(lambda _: content, after=content)
    elif path is not None and call.name == "edit":
        replacements = _replacements(arguments)
        if replacements:
            yield path, _Change(lambda text: _replaced(text, replacements), replacements=replacements)


def _patch(part: FilePatch) -> _Change:
    return _Change(part.apply, after=None if part.kind == "update" else part.added)


def _argument(arguments: Mapping[str, Any], *names: str) -> str | None:
    return next((arguments[name] for name in names if isinstance(arguments.get(name), str)), None)


def _replacements(arguments: Mapping[str, Any]) -> tuple[TextReplacement, ...]:
    edits = arguments.get("edits")
    if isinstance(edits, str):
        edits = json_value(edits)
    several = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    found = []
    parts: Sequence[Mapping[str, Any]] = several or [arguments]
    for edit in parts:
        old = _argument(edit, "oldText", "old_string", "old_text", "oldString")
        new = _argument(edit, "newText", "new_string", "new_text", "newString")
        if old and new is not None:
            found.append(TextReplacement(old, new))
    return tuple(found)


def _replaced(text: str, replacements: Sequence[TextReplacement]) -> str | None:
    """Returns a text with each part replaced, None where one of them does not stand in it once or two overlap."""
    spans = []
    for each in replacements:
        if text.count(each.old) != 1:
            return None
        start = text.index(each.old)
        spans.append((start, start + len(each.old), each.new))
    spans.sort()
    if any(first[1] > second[0] for first, second in pairwise(spans)):
        return None
    for start, end, new in reversed(spans):
        text = text[:start] + new + text[end:]
    return text


def _age(shown: ForeignConversation) -> tuple[bool, float]:
    """Orders live conversations before archives, and older ones before those that may have begun as their copy."""
    return shown.role is ForeignRole.ARCHIVE, shown.created_at.timestamp() if shown.created_at else float("inf")


def _role(key: str, spawned_by: object, *, is_put_away: bool) -> ForeignRole:
    if is_put_away:
        return ForeignRole.ARCHIVE
    return ForeignRole.SUBAGENT if ":subagent:" in key or spawned_by else ForeignRole.MAIN


def _files_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries if entry.is_file())
    except OSError:
        return []


def _looked_at(path: Path) -> tuple[int, float | None, list[bytes]]:
    """Returns the size of a file, when it changed, and its first lines; nothing where it cannot be read."""
    try:
        with open_to_read(path) as file:
            status = os.fstat(file.fileno())
            return status.st_size, status.st_mtime, file.read(_HEAD).split(b"\n")
    except OSError:
        return 0, None, []


def _head_of(head: Sequence[bytes]) -> tuple[datetime | None, str]:
    """Returns when a conversation began and what it is called, as its first records tell."""
    started, title, said = None, "", ""
    for line in head:
        if said and b"session_info" not in line:
            continue
        try:
            entry = pi_line(line)
            if entry.type == "session" and started is None:
                started = stated_moment(decode_object(line).get("timestamp"))
            elif entry.type == "session_info":
                name = decode_object(line).get("name")
                title = name.strip() if isinstance(name, str) else title
            elif not said and record_kind(entry) is RecordKind.PERSON:
                said = title_from(shown_record(line, RecordKind.PERSON).text)
        except RecordDamaged:
            continue
    return started, title or said


def _shown_of(lines: Sequence[bytes]) -> list[ForeignRecord]:
    """Returns the messages of the active path among the last records of a conversation."""
    scan = TranscriptScan()
    for line in lines:
        entry: PiLine | None = None
        with suppress(RecordDamaged):
            entry = pi_line(line)
        scan.take(entry)
    shape = scan.shape(())
    return [shown_record(lines[place], KINDS[shape.kinds[place]]) for place in shape.active]


def _line_or_none(lines: RecordLines, place: int) -> Iterator[bytes]:
    with suppress(RecordDamaged):
        yield lines.line(place)


def _suggestions(text: str) -> set[str]:
    """Returns the ids of the suggestions in a file of which the last record of an id is its state."""
    found = (json_value(line) for line in text.splitlines() if line.strip())
    return {str(each.get("id")) for each in found if isinstance(each, dict)}
