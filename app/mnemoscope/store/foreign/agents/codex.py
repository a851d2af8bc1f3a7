"""The store of Codex, OpenAI's agent for the command line: `$CODEX_HOME`, else `~/.codex`.

Facts of the format, from the project's public source and documentation in 2026 (no official promise, and it moves):

- **Conversations** are rollouts, `sessions/YYYY/MM/DD/rollout-<time>-<uuid>.jsonl`, put aside in `archived_sessions/`.
  Each line is `{timestamp, type, payload}`. `session_meta` names the conversation's id and folder; a conversation that
  came out of another holds that one's lines too, with its `session_meta` after its own. A name given by the person
  stands in `session_index.jsonl`, the last line of an id.
- **Messages** are the `response_item`s that are a message, a call or the output of a call; each is one. What the person
  and the assistant say stands in an `event_msg` once more, which is not counted. No person's words are the role
  `developer`, and what Codex itself puts into a user's message: the folder and the shell (`<environment_context>`), the
  instructions (`# AGENTS.md instructions`), skills, notices. `reasoning` is no message, its words may be encrypted.
- **A tree** there is none. `thread_rolled_back` in an `event_msg` takes back the last turns; they are a branch.
- **The pointer**: `compacted {message, replacement_history}`. The history says what is still sent word for word; a
  message of it is known again by its words, call or output. What a file says of it from before there was a history is
  not known: nothing before the mark is kept then. The summary is `message`, "" where it is encrypted.
- **Memory**: `AGENTS.md` (or `AGENTS.override.md`), and those of the folders that were worked in, up to the root of
  their repository. `memories/` has `memory_summary.md`, the only file of it that is in each prompt (its first 5,000
  tokens, of four bytes each), `MEMORY.md`, `raw_memories.md`, `rollout_summaries/*.md` (one a conversation) and notes
  in `extensions/ad_hoc/notes/`. `memories_1.sqlite` holds what is to be worked on; it is named and not read.
- **Who wrote a line**: `apply_patch`, a call of its own or a here-document in a shell, and `add_ad_hoc_note`. A patch
  may fail, which its output tells. MEMORY.md itself is mostly written by Codex in the background, in no rollout: such
  lines are from outside; `memories/` is a git repository, whose commits tell when they came. Other commands of a
  shell that write into memory make what they touch unknown.

Rollouts that newer versions have compressed (`.jsonl.zst`) are read from a private copy, which goes when the store is
closed; one that was left beside its plain form counts once. Not verified against files of a person's: all layouts here
come from the source and from generators after it.
"""

from __future__ import annotations

import glob
import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import (
    LONG_AGO,
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    ForeignRole,
    MemoryCommit,
    MemoryEdit,
    StoreFormat,
    newest_first,
)
from mnemoscope.store.files.atomic import open_to_read, storage_errors
from mnemoscope.store.foreign.agents.codex_edits import CodexEdit, CodexEdits, replayable_edits
from mnemoscope.store.foreign.agents.codex_rollout import (
    CodexTranscript,
    is_own_text,
    item_words,
    json_of,
    newest_messages,
    object_of,
)
from mnemoscope.store.foreign.reading.git_commits import GitCommits
from mnemoscope.store.foreign.reading.json_lines import holds_any
from mnemoscope.store.foreign.reading.record_values import bullets_in, stated_moment, text_in, title_from
from mnemoscope.store.foreign.reading.sqlite_copy import SqliteCopies
from mnemoscope.store.foreign.reading.store_files import StoreFiles
from mnemoscope.store.foreign.reading.zstd_bounded import CompressionDamaged, beginning, decompress

_NAME: Final = re.compile(r"rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-(.+?)\.jsonl(?:\.zst)?")
_OWN_INSTRUCTIONS: Final = ("AGENTS.override.md", "AGENTS.md")
_SUMMARY_BYTES: Final = 20_000
_INSTRUCTION_BYTES: Final = 32_768
_LARGEST: Final = 1 << 30
"""In bytes. A compressed rollout that holds more is read as far as this."""
_HEAD_BYTES: Final = 1 << 18
_MOST_FOLDERS: Final = 500
_FOLDERS: Final = ("sessions", "archived_sessions")
_SIGNS: Final = (
    "sessions",
    "archived_sessions",
    "memories",
    *_OWN_INSTRUCTIONS,
    "history.jsonl",
    "session_index.jsonl",
)
_DATABASE: Final = "memories_1.sqlite"
_MEMORIES: Final = "memories"
_SUMMARY_FILE: Final = "memories/memory_summary.md"
_THREAD: Final = re.compile(r"^##\s+Thread\b", re.MULTILINE)


class CodexStore:
    """Reads Codex's folder, and writes nothing."""

    format_name = "codex"

    def __init__(self, root: Path, private: Path | None = None) -> None:
        """`private` is the folder for copies of compressed rollouts; None: a temporary one."""
        self._files = StoreFiles(root)
        self._copies = SqliteCopies(private)
        self._unpacked: dict[str, tuple[tuple[int, int], Path]] = {}
        """The copies of compressed rollouts, each with the size and time of what it is a copy of."""
        self._heads: dict[str, tuple[tuple[int, int], ForeignConversation, str]] = {}
        self._opened: dict[Path, CodexTranscript] = {}
        self._commits = GitCommits(self._files, _MEMORIES)
        self._complaints: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        """The place of each conversation when they were listed last."""

    @property
    def root(self) -> Path:
        """Returns the folder of the store."""
        return self._files.root

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns what conversations there are, newest first."""
        names = self._names()
        found, taken = [], set[str]()
        for path in self._rollouts():
            head = self._head(path)
            if head is not None:
                known = head[0]
                # An id that two files have is the first one's; the other is named by its path.
                own = known.id if known.id not in taken else path
                taken.add(own)
                found.append(replace(known, id=own, title=names.get(known.id, known.title)))
        self._paths = {each.id: each.path for each in found}
        return newest_first(found)

    def open(self, conversation: str) -> CodexTranscript:
        """Returns a conversation by its id. Raises StorageError where it is gone or cannot be read at all."""
        path = self._plain(self._path_of(conversation))
        known = self._opened.get(path)
        if known is not None and known.read_on():
            return known
        if len(self._opened) > 8:
            self._opened.clear()
        opened = self._opened[path] = CodexTranscript(path)
        return opened

    def may_be_summed_up(self, conversation: str) -> bool:
        """Tells whether a record of a compaction may stand in a rollout. Raises as `open`."""
        return holds_any(self._plain(self._path_of(conversation)), (b'"compacted"',))

    def newest(self, conversation: str, count: int) -> Sequence[ForeignRecord]:
        """Returns the newest messages, oldest first, from the last bytes of the file. Raises as `open`."""
        return newest_messages(self._plain(self._path_of(conversation)), count)

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files, those that are loaded first."""
        found = list(filter(None, (self._memory_file(name, role) for name, role in self._memory_names())))
        found += self._instructions()
        if (self.root / _DATABASE).is_file():
            found.append(ForeignMemoryFile(_DATABASE, "staging", "", 0, 0))
        return sorted(found, key=lambda each: not each.loaded_characters)

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Yields the calls that wrote to memory files, oldest first."""
        found: list[CodexEdit] = []
        known: set[str] = set()
        for conversation in reversed(self.conversations()):
            if not goes_on():
                return
            try:
                found += CodexEdits(self._plain(conversation.path), conversation.id, self.memory_path).found(known)
            except StorageError as error:
                self._complaints[conversation.path] = f"{conversation.path}: {error.sentence}"
        by_path = defaultdict[str, list[CodexEdit]](list)
        for each in sorted(found, key=lambda each: each.edit.when or LONG_AGO):
            by_path[each.edit.path].append(each)
        edits = [edit for path, calls in by_path.items() for edit in replayable_edits(calls, self._files.text(path))]
        yield from sorted(edits, key=lambda edit: edit.when or LONG_AGO)

    def commits(self, path: str, goes_on: GoesOn = to_the_end) -> Sequence[MemoryCommit]:
        """Returns the commits in which a memory file came or changed, oldest first."""
        inside = path.removeprefix(f"{_MEMORIES}/")
        return self._commits.of_file(inside, goes_on) if inside != path else ()

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing in the store that could not be read, but for damage in a transcript."""
        return list(dict.fromkeys([*self._files.problems, *self._complaints.values()]))

    def close(self) -> None:
        """Clears what was read, and removes the private copies."""
        self._opened.clear()
        self._unpacked.clear()
        self._commits.close()
        self._copies.close()

    def memory_path(self, named: str, folder: str) -> str | None:
        """Returns a memory file's path relative to the root, as a call in a folder named it; None for any other file.

        Calls name it by where the store lay then, so what stands below any `.codex` counts.
        """
        path = named.strip().strip("'\"").replace("\\", "/")
        for home in ("~/.codex/", "$HOME/.codex/", "${HOME}/.codex/", "$CODEX_HOME/", "${CODEX_HOME}/"):
            path = path.replace(home, f"{self.root.as_posix()}/", 1) if path.startswith(home) else path
        whole = posixpath.normpath(posixpath.join(folder.replace("\\", "/") or "/", path))
        own = f"{posixpath.normpath(self.root.as_posix())}/"
        if whole.startswith(own):
            inside = whole[len(own) :]
        elif "/.codex/" in whole:
            inside = whole.rpartition("/.codex/")[2]
        else:
            # Instructions of a folder that was worked in lie outside of the store.
            is_instructions = posixpath.basename(whole) in _OWN_INSTRUCTIONS
            return posixpath.relpath(whole, self.root.as_posix()) if is_instructions else None
        return inside if inside.startswith("memories/") or inside in _OWN_INSTRUCTIONS else None

    # -- conversations --------------------------------------------------------------------------------------------

    def _rollouts(self) -> Iterator[str]:
        """Yields the paths of the rollouts, those in use first."""
        for folder in _FOLDERS:
            for path in self._files.names(folder, ".jsonl", ".jsonl.zst"):
                is_copy = path.endswith(".zst") and os.path.lexists(self.root / path.removesuffix(".zst"))
                if not is_copy and posixpath.basename(path).startswith("rollout-"):
                    yield path

    def _head(self, path: str) -> tuple[ForeignConversation, str] | None:
        """Returns what the beginning of a rollout tells, and the folder that was worked in."""
        file = self.root / path
        try:
            status = file.stat()
            stamp = (status.st_size, status.st_mtime_ns)
            kept = self._heads.get(path)
            if kept is not None and kept[0] == stamp:
                return kept[1:]
            if not self._files.is_within(file):
                self._complaints[path] = f"{path} is a link out of the store and was not followed."
                return None
            with open_to_read(file) as stream:
                data = beginning(stream, _HEAD_BYTES) if path.endswith(".zst") else stream.read(_HEAD_BYTES)
        except OSError as error:
            self._complaints[path] = f"{path} could not be read: {error.strerror}."
            return None
        conversation, folder = _conversation(path, data.split(b"\n"), status.st_size, status.st_mtime)
        self._heads[path] = stamp, conversation, folder
        return conversation, folder

    def _plain(self, path: str) -> Path:
        """Returns the file of a rollout, or a private copy of what a compressed one holds. Raises StorageError."""
        file = self.root / path
        if not path.endswith(".zst"):
            return file
        with storage_errors(file, "read"):
            status = file.stat()
            stamp = (status.st_size, status.st_mtime_ns)
            known = self._unpacked.get(path)
            if known is not None and known[0] == stamp:
                return known[1]
            target = self._copies.new_file()
            with open_to_read(file) as source, open(target, "xb") as plain:
                os.chmod(target, 0o600)
                try:
                    decompress(source, plain, _LARGEST)
                except CompressionDamaged as damage:
                    self._complaints[path] = f"The rollout {path} {damage}."
        self._unpacked[path] = stamp, target
        return target

    def _path_of(self, conversation: str) -> str:
        known = self._paths.get(conversation)
        if known is None or not (self.root / known).is_file():
            # It may have been put aside meanwhile.
            self.conversations()
            known = self._paths.get(conversation)
        if known is None:
            raise StorageError("This conversation is not here any more.", next_step="", id=conversation)
        return known

    def _names(self) -> dict[str, str]:
        """Returns the names that the person gave conversations."""
        names = {}
        for line in (self._files.text("session_index.jsonl") or "").split("\n"):
            entry = json_of(line)
            if isinstance(entry, dict) and (name := text_in(entry.get("thread_name")).strip()):
                names[text_in(entry.get("id"))] = title_from(name)
        return names

    # -- memory ---------------------------------------------------------------------------------------------------

    def _memory_names(self) -> Iterator[tuple[str, str]]:
        own = next((name for name in _OWN_INSTRUCTIONS if (self.root / name).is_file()), "")
        if own:
            yield own, "instructions"
        for name in self._files.names("memories"):
            yield name, _role_of(name)

    def _memory_file(self, name: str, role: str) -> ForeignMemoryFile | None:
        text = self._files.text(name)
        if text is None:
            return None
        loaded = 0
        if role == "summary" and name == _SUMMARY_FILE:
            loaded = _within_bytes(text, _SUMMARY_BYTES)
        elif role == "instructions" and name in _OWN_INSTRUCTIONS:
            loaded = len(text)
        return ForeignMemoryFile(name, role, text, _entries(role, text), loaded)

    def _instructions(self) -> Iterator[ForeignMemoryFile]:
        """Yields the AGENTS.md of the folders that were worked in, from the root of their repository on."""
        seen = set[str]()
        folders = dict.fromkeys(head[1] for path in self._rollouts() if (head := self._head(path)) and head[1])
        for folder in list(folders)[:_MOST_FOLDERS]:
            for place in _folders_down_to(folder):
                name = next((name for name in _OWN_INSTRUCTIONS if os.path.isfile(os.path.join(place, name))), None)
                whole = os.path.join(place, name) if name else ""
                if not name or whole in seen or self._files.is_within(Path(whole)):
                    continue
                seen.add(whole)
                shown = posixpath.relpath(Path(whole).as_posix(), self.root.as_posix())
                text = self._files.outside_text(Path(whole), shown) or ""
                loaded = _within_bytes(text, _INSTRUCTION_BYTES)
                yield ForeignMemoryFile(shown, "instructions", text, bullets_in(text), loaded)


def _conversation(path: str, lines: Sequence[bytes], size: int, modified: float) -> tuple[ForeignConversation, str]:
    """Returns what the first lines of a rollout tell of it, and the folder that was worked in."""
    named = _NAME.fullmatch(posixpath.basename(path))
    meta: Mapping[str, Any] = {}
    title = ""
    for raw in lines:
        line = object_of(raw)
        payload = line.get("payload")
        if not isinstance(payload, Mapping):
            continue
        if line.get("type") == "session_meta" and not meta:
            meta = {"timestamp": line.get("timestamp"), **payload}
        is_message = payload.get("type") == "message" and payload.get("role") == "user"
        if is_message or payload.get("type") == "user_message":
            words = item_words(payload)[0]
            if is_own_text(words):
                title = title_from(words)
                break
    source = meta.get("source")
    parent = _parent_of(source) or text_in(meta.get("forked_from_id"))
    role = ForeignRole.SUBAGENT if isinstance(source, Mapping) and "subagent" in source else ForeignRole.MAIN
    if path.startswith("archived_sessions/"):
        role = ForeignRole.ARCHIVE
    conversation = ForeignConversation(
        id=text_in(meta.get("id")) or (named[2] if named else path),
        path=path,
        title=title,
        role=role,
        parent=parent,
        created_at=stated_moment(meta.get("timestamp")),
        updated_at=stated_moment(modified),
        size=size,
    )
    return conversation, text_in(meta.get("cwd"))


def _parent_of(source: object) -> str:
    """Returns the conversation that put this one to work, "" where there is none."""
    spawned = source.get("subagent") if isinstance(source, Mapping) else None
    inner = spawned.get("thread_spawn") if isinstance(spawned, Mapping) else None
    return text_in(inner.get("parent_thread_id")) if isinstance(inner, Mapping) else ""


def _folders_down_to(folder: str) -> list[str]:
    """Returns the folders from the root of a repository down to one in it; that one alone where it is in none."""
    if not os.path.isabs(folder) or "\0" in folder or not os.path.isdir(folder):
        return []
    places = [folder, *map(str, Path(folder).parents)]
    top = next((at for at, place in enumerate(places) if os.path.exists(os.path.join(place, ".git"))), 0)
    return places[: top + 1][::-1]


def _role_of(name: str) -> str:
    if name == _SUMMARY_FILE:
        return "summary"
    if name == "memories/MEMORY.md":
        return "memory"
    if name == "memories/raw_memories.md":
        return "raw memory"
    if name.startswith("memories/rollout_summaries/"):
        return "rollout summary"
    if name.endswith("/instructions.md") or name.startswith("memories/skills/"):
        return "instructions"
    return "note" if name.startswith("memories/extensions/") else "topic"


def _entries(role: str, text: str) -> int:
    """Returns how many entries a memory file has: one a file for summaries of rollouts and notes, one a conversation
    in the raw memories, else its bullets."""
    if role in ("rollout summary", "note"):
        return int(bool(text.strip()))
    if role == "raw memory" and (threads := len(_THREAD.findall(text))):
        return threads
    return bullets_in(text)


def _within_bytes(text: str, most: int) -> int:
    """Returns how many characters of a text are within so many bytes."""
    data = text.encode("utf-8", "replace")
    return len(text) if len(data) <= most else len(data[:most].decode("utf-8", "ignore"))


def root_of(folder: Path) -> Path | None:
    """Returns the root of the store that a folder is or lies in: a `.codex` with conversations or memory in it, or any
    folder that holds rollouts as Codex lays them, or the summary of its memory."""
    for place in (folder, *folder.parents):
        if place.name == ".codex" and any(os.path.exists(place / name) for name in _SIGNS):
            return place
        rollouts = glob.escape(str(place / "sessions")) + "/[0-9]*/[0-9]*/[0-9]*/rollout-*.jsonl*"
        if glob.glob(rollouts) or (place / _SUMMARY_FILE).is_file():
            return place
    return None


def usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    """Returns where the store lies on a computer."""
    given = environment.get("CODEX_HOME", "")
    return (Path(given).expanduser(),) if given else (home / ".codex",)


FORMAT: Final = StoreFormat("codex", "Codex", root_of, usual_roots)
