"""The store of Claude Code: `$CLAUDE_CONFIG_DIR`, else `~/.claude`, or one project's folder of it.

There is no official schema. What is read here is third-party knowledge of the versions up to 2.1.2xx, from readers of
others and from issue threads; `claude_transcript` says what a transcript holds, `claude_edits` who wrote a line.

- `projects/<folder worked in, every character but letters and digits a hyphen>/` has `<session>.jsonl` for each
  conversation; of its subagents `<session>/subagents/agent-<id>.jsonl`, in older versions beside it as
  `agent-<id>.jsonl`. They are deleted after 30 days, unless `cleanupPeriodDays` says otherwise.
- The title of a conversation is the last `custom-title`, else the last `ai-title`, else a `summary`, else the first
  words of the person. A summary counts only where its `leafUuid` is in the file: most belong to other conversations.
- `projects/<folder>/memory/` is the memory of a project. `MEMORY.md` is its index, one line a memory; a prompt holds
  its first 200 lines or 25,000 bytes, whichever ends first, and no line in part. Each other file is one fact with YAML
  front matter, read on demand. `autoMemoryDirectory` in `settings.json`, and before it
  `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE`, name another folder for it.
- Instructions are whole in every prompt: `/etc/claude-code/CLAUDE.md`, `CLAUDE.md` of the store, and of the folder
  worked in `CLAUDE.md`, `.claude/CLAUDE.md` and `CLAUDE.local.md`; `rules/*.md` too, but for those whose front matter
  names `paths`. `agent-memory/<type>/` (`.claude/agent-memory[-local]/` of the folder worked in) is a subagent's.

Memory is read by its names alone; a link that leads out of the store is not followed. Files of a folder worked in lie
outside: their paths are absolute, and `../../CLAUDE.md` for that of the store a project lies in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.domain.foreign.foreign_records import (
    LONG_AGO,
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    ForeignRole,
    MemoryEdit,
    RecordKind,
    StoreFormat,
    newest_first,
)
from mnemoscope.domain.text.front_matter import split_front_matter
from mnemoscope.store.files.atomic import encode_text, open_to_read, storage_errors
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.agents.claude_edits import MemoryPaths, edits_of
from mnemoscope.store.foreign.agents.claude_transcript import (
    ClaudeTranscript,
    claude_record,
    kinds_of,
    newest_messages,
    transcript_line,
)
from mnemoscope.store.foreign.reading.json_lines import holds_any
from mnemoscope.store.foreign.reading.record_values import bullets_in, json_value, stated_moment, text_in, title_from
from mnemoscope.store.foreign.reading.store_files import StoreFiles

_LOADED_LINES: Final = 200
_LOADED_BYTES: Final = 25_000
_HEAD: Final = 1 << 16
_TAIL: Final = 1 << 16
_KEPT_OPEN: Final = 8
_OVERRIDE: Final = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
_OF_PATHS: Final = re.compile(r"^paths[ \t]*:", re.MULTILINE)
_TITLE_OF: Final = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
"""The first that is there counts."""
_TITLES: Final = tuple(f'"{kind}"'.encode() for kind in _TITLE_OF)
_MARKED: Final = 4096
_SUMMED_UP: Final = (b"compact_boundary", b"isCompactSummary")
"""One of them stands in each transcript with a compaction."""
_INSTRUCTIONS: Final = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
_SIGNS: Final = ("CLAUDE.md", "settings.json", "rules", "agent-memory")
"""Names, any of which shows that a `.claude` is of Claude Code, even before its first conversation."""
_MANAGED: Final = Path("/etc/claude-code/CLAUDE.md")


@dataclass(frozen=True, slots=True)
class _Transcript:
    """Says where a transcript lies. `parent` is the id of the conversation that a subagent worked for, as its path
    says."""

    path: str
    project: str
    role: ForeignRole
    parent: str = ""

    @property
    def own_name(self) -> str:
        return Path(self.path).stem


@dataclass(frozen=True, slots=True)
class _Head:
    """Holds what the first and last bytes of a transcript tell."""

    title: str
    created_at: datetime | None
    updated_at: datetime | None
    session: str
    folder: str


class ClaudeCodeStore:
    """Reads Claude Code's folder or one project of it, and writes nothing."""

    format_name = "claude-code"

    def __init__(
        self, root: Path, private: Path | None = None, *, environment: Mapping[str, str] | None = None
    ) -> None:
        """`private` is not needed: there is no database. `environment` is this process' own where none is given."""
        self._files = StoreFiles(root)
        self._environment = os.environ if environment is None else environment
        self._is_project = not ((root / "projects").is_dir() or _is_whole(root) or _is_settled(root))
        self._heads: dict[str, tuple[tuple[int, int], _Head]] = {}
        self._opened: dict[str, ClaudeTranscript] = {}
        self._known: dict[str, _Transcript] = {}
        """The transcripts as they were listed last."""
        self._problems: dict[str, None] = {}

    @property
    def root(self) -> Path:
        """Returns the folder of the store."""
        return self._files.root

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns what conversations there are, newest first."""
        found = []
        for id_, transcript in self._transcripts().items():
            head, size = self._head(transcript)
            found.append(
                ForeignConversation(
                    id=id_,
                    path=transcript.path,
                    title=head.title,
                    role=transcript.role,
                    parent=transcript.parent or (head.session if transcript.role is ForeignRole.SUBAGENT else ""),
                    created_at=head.created_at,
                    updated_at=head.updated_at,
                    size=size,
                )
            )
        return newest_first(found)

    def open(self, conversation: str) -> ClaudeTranscript:
        """Returns a conversation by its id; one that was opened lately is read on from where it ended. Raises
        StorageError where it is gone or cannot be read at all."""
        return self._read(self._transcript(conversation))

    def may_be_summed_up(self, conversation: str) -> bool:
        """Tells whether the mark of a compaction, or its summary, stands in a transcript. Raises as `open`."""
        return holds_any(self.root / self._transcript(conversation).path, _SUMMED_UP)

    def newest(self, conversation: str, count: int) -> Sequence[ForeignRecord]:
        """Returns the newest messages of the active path, oldest first, from the last bytes of the file."""
        transcript = self._transcript(conversation)
        is_subagent = transcript.role is ForeignRole.SUBAGENT
        return newest_messages(self.root / transcript.path, count, of_subagent=is_subagent)

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files, those that are loaded first."""
        self._files.problems.clear()
        found = [*self._memory_in_store(), *self._memory_around()]
        return sorted({each.path: each for each in found}.values(), key=lambda each: each.loaded_characters == 0)

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Yields the calls of all conversations that wrote to memory files or read them whole, oldest first."""
        found: list[MemoryEdit] = []
        known: set[str] = set()
        heads = {id_: (transcript, self._head(transcript)[0]) for id_, transcript in self._transcripts().items()}
        # A conversation that was resumed holds the calls of the one before it too, which ended earlier.
        for id_, (transcript, head) in sorted(heads.items(), key=lambda each: each[1][1].updated_at or LONG_AGO):
            if not goes_on():
                return
            try:
                opened = self._read(transcript)
                parent = self._parent_of(transcript, head)
                paths = MemoryPaths(self.root, transcript.project, is_project=self._is_project, folder=head.folder)
                found += edits_of(opened, id_, paths, parent, known)
            except StorageError as error:
                self._note_problem(error.sentence)
        yield from sorted(found, key=lambda each: each.when or LONG_AGO)

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read, but for damage in a transcript."""
        return list(dict.fromkeys([*self._files.problems, *self._problems]))

    def close(self) -> None:
        """Clears what was read."""
        self._opened.clear()

    def _note_problem(self, sentence: str) -> None:
        self._problems[sentence] = None

    def _transcripts(self) -> dict[str, _Transcript]:
        """Returns the transcripts by their ids: the name of the file, or its path where two have the same name."""
        found: dict[str, _Transcript] = {}
        for project in self._projects():
            for transcript in self._transcripts_of(project):
                own = transcript.own_name
                found[own if own not in found else transcript.path.removesuffix(".jsonl")] = transcript
        self._known = found
        return found

    def _projects(self) -> list[str]:
        if self._is_project:
            return [""]
        try:
            with os.scandir(self.root / "projects") as entries:
                return sorted(f"projects/{each.name}/" for each in entries if each.is_dir())
        except FileNotFoundError:
            # Before the first conversation there is none.
            return []
        except OSError as error:
            self._note_problem(f"projects could not be read: {error.strerror}.")
            return []

    def _transcripts_of(self, project: str) -> Iterator[_Transcript]:
        folders, names = [], []
        try:
            with os.scandir(self.root / project) as entries:
                for each in entries:
                    if each.name.endswith(".jsonl") and each.is_file():
                        names.append(each.name)
                    elif each.is_dir(follow_symlinks=False):
                        folders.append(each.name)
        except OSError as error:
            self._note_problem(f"{project.rstrip('/') or 'The folder'} could not be read: {error.strerror}.")
            return
        for name in sorted(names):
            role = ForeignRole.SUBAGENT if name.startswith("agent-") else ForeignRole.MAIN
            yield _Transcript(f"{project}{name}", project, role)
        for folder in sorted(folders):
            if os.path.isdir(self.root / project / folder / "subagents"):
                for path in self._files.names(f"{project}{folder}/subagents", ".jsonl"):
                    if Path(path).name.startswith("agent-"):
                        yield _Transcript(path, project, ForeignRole.SUBAGENT, folder)

    def _transcript(self, conversation: str) -> _Transcript:
        found = self._known.get(conversation)
        if found is None or not (self.root / found.path).is_file():
            found = self._transcripts().get(conversation)
        if found is None:
            raise UnreadableFile("This conversation is not here any more.", path=str(self.root))
        return found

    def _read(self, transcript: _Transcript) -> ClaudeTranscript:
        opened = self._opened.pop(transcript.path, None)
        if opened is None or not opened.continues():
            is_subagent = transcript.role is ForeignRole.SUBAGENT
            opened = ClaudeTranscript(self.root / transcript.path, of_subagent=is_subagent)
        opened.read()
        self._opened[transcript.path] = opened
        if len(self._opened) > _KEPT_OPEN:
            del self._opened[next(iter(self._opened))]
        return opened

    def _parent_of(self, transcript: _Transcript, head: _Head) -> tuple[ClaudeTranscript, datetime | None] | None:
        """Returns the conversation that a subagent worked for, and when it began to."""
        if transcript.role is not ForeignRole.SUBAGENT:
            return None
        path = f"{transcript.project}{transcript.parent or head.session}.jsonl"
        if not (self.root / path).is_file():
            return None
        return self._read(_Transcript(path, transcript.project, ForeignRole.MAIN)), head.created_at

    def _head(self, transcript: _Transcript) -> tuple[_Head, int]:
        path = self.root / transcript.path
        try:
            status = path.stat()
            now = (status.st_size, status.st_mtime_ns)
            known = self._heads.get(transcript.path)
            if known is None or known[0] != now:
                changed = stated_moment(status.st_mtime_ns // 1_000_000)
                with storage_errors(path, "read"):
                    known = now, _head_of(path, status.st_size, changed, transcript.role)
                self._heads[transcript.path] = known
            return known[1], status.st_size
        except (OSError, StorageError) as error:
            reason = error.sentence if isinstance(error, StorageError) else f"{transcript.path}: {error.strerror}."
            self._note_problem(reason)
            return _Head("", None, None, "", ""), 0

    def _memory_in_store(self) -> Iterator[ForeignMemoryFile]:
        if not self._is_project:
            yield from self._instructions("CLAUDE.md", "rules")
            yield from self._topics("agent-memory")
        for project in self._projects():
            folder = f"{project}memory"
            if self._files.is_within(self.root / folder):
                yield from self._topics(folder)
            else:
                self._note_problem(f"{folder} is a link out of the store and was not followed.")

    def _instructions(self, own: str, rules: str) -> Iterator[ForeignMemoryFile]:
        for name in [own, *self._files.names(rules, ".md")]:
            if (text := self._files.text(name)) is not None:
                yield _instructions_of(name, text)

    def _topics(self, folder: str) -> Iterator[ForeignMemoryFile]:
        for name in self._files.names(folder, ".md"):
            if (text := self._files.text(name)) is not None:
                yield _memory_of(name, text)

    def _memory_around(self) -> Iterator[ForeignMemoryFile]:
        """Yields what lies outside the store and yet is loaded with it."""
        store = self.root
        if self._is_project:
            store = self.root.parent.parent if self.root.parent.name == "projects" else self.root
            if store != self.root:
                yield from self._outside(store / "CLAUDE.md", "../../CLAUDE.md")
        yield from self._outside(_MANAGED, _MANAGED.as_posix())
        given = self._environment.get(_OVERRIDE, "") or self._settings(store).get("autoMemoryDirectory", "")
        if isinstance(given, str) and given:
            yield from self._outside_folder(Path(given).expanduser())
        for folder in self._folders_worked_in():
            for name in _INSTRUCTIONS:
                yield from self._outside(folder / name, (folder / name).as_posix())
            yield from self._outside_folder(folder / ".claude" / "rules", are_rules=True)
            yield from self._outside_folder(folder / ".claude" / "agent-memory")
            yield from self._outside_folder(folder / ".claude" / "agent-memory-local")

    def _settings(self, store: Path) -> Mapping[str, Any]:
        path = store / "settings.json"
        text = self._files.outside_text(path, path.name) if path.is_file() else None
        found = json_value(text) if text is not None and text.strip() else {}
        if isinstance(found, dict):
            return found
        sentence = "settings.json holds no JSON object; if it names a folder of memory, that is missing here."
        self._files.problems.append(sentence)
        return {}

    def _folders_worked_in(self) -> list[Path]:
        heads = (self._head(each)[0].folder for each in self._transcripts().values())
        found = dict.fromkeys(Path(folder) for folder in heads if folder and "\0" not in folder)
        own = os.path.realpath(self.root)
        # The home folder's own .claude is the store itself.
        return [folder for folder in found if folder.is_absolute() and os.path.realpath(folder / ".claude") != own]

    def _outside(self, path: Path, name: str) -> Iterator[ForeignMemoryFile]:
        if path.is_file() and (text := self._files.outside_text(path, name)) is not None:
            yield _instructions_of(name, text)

    def _outside_folder(self, folder: Path, *, are_rules: bool = False) -> Iterator[ForeignMemoryFile]:
        around = StoreFiles(folder)
        for name in around.names("", ".md"):
            if (text := around.text(name)) is not None:
                path = (folder / name).as_posix()
                yield _instructions_of(path, text) if are_rules else _memory_of(path, text)
        self._problems |= dict.fromkeys(around.problems)


def loaded_of_index(text: str) -> int:
    """Returns how many characters of a `MEMORY.md` a prompt holds: 200 lines or 25,000 bytes of whole lines."""
    loaded, size = 0, 0
    for line in text.splitlines(keepends=True)[:_LOADED_LINES]:
        size += len(line.encode("utf-8", "replace"))
        if size > _LOADED_BYTES:
            # A first line that is longer than all that is loaded is cut.
            return loaded or len(line.encode("utf-8", "replace")[:_LOADED_BYTES].decode("utf-8", "ignore"))
        loaded += len(line)
    return loaded


def _memory_of(name: str, text: str) -> ForeignMemoryFile:
    if Path(name).name != "MEMORY.md":
        return ForeignMemoryFile(name, "topic", text, 1, 0)
    entries = bullets_in(text) or sum(bool(line.strip()) and not line.startswith("#") for line in text.split("\n"))
    return ForeignMemoryFile(name, "index", text, entries, loaded_of_index(text))


def _instructions_of(name: str, text: str) -> ForeignMemoryFile:
    is_on_demand = _OF_PATHS.search(split_front_matter(text)[0]) is not None
    return ForeignMemoryFile(name, "instructions", text, bullets_in(text), 0 if is_on_demand else len(text))


def _head_of(path: Path, size: int, changed: datetime | None, role: ForeignRole) -> _Head:
    with open_to_read(path) as file:
        head = file.read(_HEAD + _TAIL if size <= _HEAD + _TAIL else _HEAD)
        tail = b""
        if size > _HEAD + _TAIL:
            file.seek(size - _TAIL)
            tail = file.read(_TAIL).partition(b"\n")[2]
            head = head.rpartition(b"\n")[0]
    first, created, session, folder = _beginning(head, of_subagent=role is ForeignRole.SUBAGENT)
    title = _title(head, tail) or first
    return _Head(title, created, _last_time(tail or head) or changed, session, folder)


def _beginning(head: bytes, *, of_subagent: bool) -> tuple[str, datetime | None, str, str]:
    """Returns the person's first words, the first time, the conversation's id and the folder worked in."""
    first, created, session, folder = "", None, "", ""
    for line in BytesIO(head):
        try:
            record = decode_object(line)
            kinds = kinds_of(transcript_line(line), of_subagent=of_subagent)
        except RecordDamaged:
            continue
        created = created or stated_moment(record.get("timestamp"))
        session = session or text_in(record.get("sessionId"))
        folder = folder or text_in(record.get("cwd"))
        if RecordKind.PERSON in kinds:
            first = title_from(claude_record(line, RecordKind.PERSON, len(kinds) - 1).text)
        if first and created and session and folder:
            break
    return first, created, session, folder


def _title(head: bytes, tail: bytes) -> str:
    # Most transcripts have none of them, and a list of thousands looks for them.
    there = [mark for mark in _TITLES if mark in head or mark in tail]
    if not there:
        return ""
    found: dict[str, str] = {}
    for line in head.split(b"\n") + tail.split(b"\n"):
        if not any(mark in line[:_MARKED] or mark in line[-_MARKED:] for mark in there):
            continue
        try:
            record = decode_object(line)
        except RecordDamaged:
            continue
        kind = text_in(record.get("type"))
        text = text_in(record.get(_TITLE_OF.get(kind, ""))).strip()
        if text and (kind != "summary" or _holds(head + tail, text_in(record.get("leafUuid")))):
            found[kind] = title_from(text)
    return next((found[kind] for kind in _TITLE_OF if kind in found), "")


def _holds(data: bytes, uuid: str) -> bool:
    return bool(uuid) and re.search(rb'"uuid"\s*:\s*"' + re.escape(encode_text(uuid)) + rb'"', data) is not None


def _last_time(data: bytes) -> datetime | None:
    for line in reversed(data.split(b"\n")):
        if b'"timestamp"' not in line:
            continue
        try:
            when = stated_moment(decode_object(line).get("timestamp"))
        except RecordDamaged:
            continue
        if when is not None:
            return when
    return None


def root_of(folder: Path) -> Path | None:
    """Returns the root of the store that a folder is or lies in: a project's folder by itself, a `.claude`, or any
    folder whose `projects` hold transcripts of Claude Code."""
    for place in (folder, *folder.parents[:4]):
        if place.parent.name == "projects" and _is_project(place) and _is_whole(place.parent.parent):
            return place
        if _is_whole(place):
            return place
    return folder if _is_project(folder) or _is_settled(folder) else None


def _is_whole(folder: Path) -> bool:
    """Tells whether a folder is a store with all of its projects, of which there may be none yet."""
    projects = folder / "projects"
    if folder.name == ".claude" and (projects.is_dir() or any((folder / name).exists() for name in _SIGNS)):
        return True
    try:
        with os.scandir(projects) as entries:
            return any(each.is_dir() and _is_project(Path(each.path)) for each in entries)
    except OSError:
        return False


def _is_settled(folder: Path) -> bool:
    """Tells whether a folder of another name, as `CLAUDE_CONFIG_DIR` gives it, is a store without a conversation."""
    return all((folder / name).is_file() for name in ("CLAUDE.md", "settings.json"))


def _is_project(folder: Path) -> bool:
    """Tells whether a folder holds a transcript of Claude Code, or is named as one of a project and has a memory."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(each.name for each in entries)
    except OSError:
        return False
    if folder.name.startswith("-") and "memory" in names and (folder / "memory").is_dir():
        return True
    return any(_is_transcript(folder / name) for name in names[:50] if name.endswith(".jsonl"))


def _is_transcript(path: Path) -> bool:
    try:
        with open_to_read(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return b'"parentUuid"' in head or (b'"sessionId"' in head and b'"leafUuid"' in head)


def usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    """Returns where the store lies on a computer."""
    given = environment.get("CLAUDE_CONFIG_DIR", "")
    return (Path(given).expanduser(),) if given else (home / ".claude",)


FORMAT: Final = StoreFormat("claude-code", "Claude Code", root_of, usual_roots)
