"""Takes conversations and memories of another assistant into a workspace.

Conversations are written as files at rest: nothing is captured, consolidated or dreamed of them, and no model is asked
for a title, until somebody talks on in them. Memories wait for review, as suggestions of MEMORY.md. What was imported
before is known by its key and its state, so a second import brings only what is new; a conversation that went on where
it came from is replaced, unless it went on here. An undo moves what was brought to the trash.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Final, Protocol, TypeVar

import msgspec

from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.domain.foreign.foreign_export import ForeignExport, TracesMemories
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemory, ForeignRole
from mnemoscope.domain.foreign.imported_conversation import (
    ImportedConversation,
    imported_key,
    is_at_rest,
    local_time,
    messages_on,
    record_indices,
    remembered_lines,
)
from mnemoscope.domain.memory.facts import fact_lines, normalised_fact
from mnemoscope.domain.memory.suggestion import FactSource, Suggestion
from mnemoscope.domain.review.prompt_injection import is_prompt_injection
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.import_records import ImportedKey, ImportRecord, ImportRecords

_LONGEST_MEMORY: Final = 2_000
_SHOWN: Final = 120
"""Characters of a forgotten line that its reason quotes."""
_BATCH: Final = 20
"""Conversations that are named in the record of an import at once, before they are written."""
Result = TypeVar("Result")
Progress = Callable[[int, int], bool]
"""Is given how many conversations of how many were looked at, and returns whether to go on."""
Compare = Callable[[str, str], None]
"""Is given a text of memory before and after what is proposed, before that waits; returns once rejected facts in it
are known by their meaning."""


class RunOnDisk(Protocol):
    """Does a piece of work on the thread of the disk, and returns its result."""

    def __call__(self, work: Callable[[], Result], /) -> Result:
        """Does the work, and returns its result."""


def _here(work: Callable[[], Result]) -> Result:
    return work()


def _compare_nothing(_before: str, _after: str) -> None:
    """Knows nothing by its meaning."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Tells the outcome of an import, or of its preview. `id` names it for the undo, "" where there is nothing to undo.

    `conversations` are new ones and `grown` those that had more to say than before, `messages` what came with both, and
    `memories` the texts that now wait for review. `skipped` went on here and were left alone, and `left_out` are those
    of subagents and of an agent's archive, which are not imported. `problems` are sentences. `newest` is the key of
    the conversation that went on last of those that came in, "" where none did.
    """

    id: str = ""
    conversations: int = 0
    grown: int = 0
    messages: int = 0
    memories: tuple[str, ...] = ()
    skipped: int = 0
    left_out: int = 0
    problems: tuple[str, ...] = ()
    is_whole: bool = True
    newest: str = ""


@dataclass(frozen=True, slots=True)
class ImportUndone:
    """Tells the outcome of taking an import back: `conversations` went to the trash, `kept` had gone on here and
    stay."""

    conversations: int
    kept: int
    memories: int


@dataclass(frozen=True, slots=True)
class _Part:
    """Describes one conversation that is to be written; `earlier` where an import had brought less of it before."""

    listed: ForeignConversation
    imported: ImportedConversation
    state: str
    earlier: int = -1


class Importer:
    """Imports into one workspace. Blocks on the disk; `sessions` is the manager that the workspace is open with."""

    def __init__(
        self,
        sessions: SessionManager,
        ledger: Ledger,
        records: ImportRecords,
        read_memory: Callable[[], str],
        *,
        clock: Callable[[], datetime] = datetime.now,
        on_disk: RunOnDisk = _here,
        objection: Callable[[str], str] = lambda _: "",
        rejections: Rejections | None = None,
        compare: Compare = _compare_nothing,
    ) -> None:
        """`on_disk` does a piece of work where the files of the workspace are written. `objection` gives why a line may
        not come into memory by itself, as the beginning of a sentence, "" where it may; `rejections` know what the
        person rejected, and `compare` is as Imports has it, where `run` is given none."""
        self.sessions = sessions
        self.ledger = ledger
        self.records = records
        self.read_memory = read_memory
        self.clock = clock
        self.on_disk = on_disk
        self.objection = objection
        self.rejections = rejections
        self.compare = compare

    def preview(self, source: ForeignExport, progress: Progress = lambda done, total: True) -> ImportResult:
        """Returns what an import would bring. Nothing is written."""
        return _Run(self, source, progress).preview()

    def run(
        self,
        source: ForeignExport,
        progress: Progress = lambda done, total: True,
        compare: Compare | None = None,
    ) -> ImportResult:
        """Imports what is new. Where `progress` says no, or the disk refuses, what was brought until then stays and can
        be undone; the next import brings the rest. Raises StorageError where nothing could be written at all."""
        return _Run(self, source, progress).write(compare or self.compare)

    def imports(self) -> list[ImportRecord]:
        """Returns the imports that were not taken back, the newest first."""
        return [each for each in reversed(self.records.all()) if not each.is_undone]

    def undo(self, import_id: str) -> ImportUndone:
        """Takes an import back: its conversations go to the trash, as they came or as an earlier import had brought
        them, and its suggestions that still wait are dropped. A conversation that went on here stays.

        Raises StorageError where there is no such import, or the disk refuses: a second try goes on.
        """
        return self.on_disk(lambda: self._undo(import_id))

    def _undo(self, import_id: str) -> ImportUndone:
        standing = [each for each in self.records.all() if not each.is_undone]
        record = next((each for each in standing if each.id == import_id), None)
        if record is None:
            raise StorageError("This import was taken back already.", next_step="", id=import_id)
        gone = kept = 0
        here = {each.key for each in self.sessions.overviews()}
        # What a later import brought, or brought more of, is that one's.
        later = {key for each in standing[standing.index(record) + 1 :] for key in each.conversations}
        for key, brought in record.conversations.items():
            if key not in here or key in later:
                continue
            session = self.sessions.load(key)
            if session is not None and is_at_rest(session.metadata, len(session.messages)):
                self.sessions.trash(key)
                self._bring_back(key, brought)
                gone += 1
            else:
                kept += 1
        waiting = {each.id for each in self.ledger.suggestions()}
        dropped = [each for each in record.suggestions if each in waiting]
        for each in dropped:
            self.ledger.settle(each, "reject")
        self.records.keep(msgspec.structs.replace(record, is_undone=True))
        return ImportUndone(gone, kept, len(record.memories) if dropped else 0)

    def _bring_back(self, key: str, brought: ImportedKey) -> None:
        if not brought.replaced:
            return
        for each in self.sessions.moves.trashed():
            if each.trashed.key == key and each.trashed.kept is not None and each.trashed.kept.name == brought.replaced:
                self.sessions.restore(each.trashed)


class _Run:
    """Carries out one import, or its preview."""

    def __init__(self, importer: Importer, source: ForeignExport, progress: Progress) -> None:
        self._importer = importer
        self._sessions = importer.sessions
        self._source = source
        self._progress = progress
        self._here: set[str] = set()
        self._put_aside: set[str] = set()
        self._known: dict[str, ImportedKey] = {}
        self._remembered: set[str] = set()
        self._problems: list[str] = []
        self._skipped = 0
        self._left_out = 0
        self._newest: ImportedConversation | None = None
        """The conversation that went on last of those that were written."""
        importer.on_disk(self._look)

    def _look(self) -> None:
        """Looks at what there is."""
        self._here = {each.key for each in self._sessions.overviews() if not each.problem}
        self._put_aside = self._sessions.keys_put_aside()
        for record in self._importer.records.all():
            if not record.is_undone:
                self._known |= dict(record.conversations)
                self._remembered |= set(map(normalised_fact, self._held(record)))

    def _held(self, record: ImportRecord) -> Sequence[str]:
        """Returns the memories that came to wait with an import; a crash may have come before some of them did."""
        ledger = self._importer.ledger
        if all(map(ledger.knows_suggestion, record.suggestions)):
            return record.memories
        waiting = (each for each in ledger.suggestions() if each.id in record.suggestions)
        return [line for each in waiting for line in fact_lines(each.proposed)]

    def preview(self) -> ImportResult:
        """Counts, and writes nothing."""
        new = grown = messages = 0
        for part in self._parts():
            new, grown = new + (part.earlier < 0), grown + (part.earlier >= 0)
            messages += part.imported.messages - max(0, part.earlier)
        return self._result("", new, grown, messages, self._new_memories(), is_whole=True)

    def write(self, compare: Compare) -> ImportResult:
        """Writes what is new."""
        written: dict[str, ImportedKey] = {}
        record = ImportRecord(
            id=f"{self._importer.clock():%Y%m%d%H%M%S}{secrets.token_hex(4)}",
            when=self._importer.clock().isoformat(),
            source=self._source.format_name,
            title=self._source.title,
            conversations=written,
        )
        new = grown = messages = 0
        is_whole = True
        try:
            for parts in _batches(self._parts()):
                self._importer.on_disk(partial(self._name_ahead, record, written, parts))
                for part in parts:
                    self._importer.on_disk(partial(self._sessions.write_imported, part.imported))
                    if self._newest is None or part.imported.updated_at > self._newest.updated_at:
                        self._newest = part.imported
                    new, grown = new + (part.earlier < 0), grown + (part.earlier >= 0)
                    messages += part.imported.messages - max(0, part.earlier)
        except StorageError as error:
            if not new + grown:
                raise
            self._problems.append(str(error))
            is_whole = False
        memories = self._new_memories() if is_whole else []
        if memories:
            sources = self._fact_sources(memories)
            before = self._importer.on_disk(self._importer.read_memory)
            compare(before, self._proposed(before, memories))
            suggestions = self._importer.on_disk(partial(self._suggestions, memories, sources))
            texts = tuple(each.text for each in memories)
            record = msgspec.structs.replace(record, memories=texts, suggestions=tuple(each.id for each in suggestions))
            self._importer.on_disk(partial(self._hold, record, suggestions))
        return self._result(record.id if written or memories else "", new, grown, messages, memories, is_whole=is_whole)

    def _hold(self, record: ImportRecord, suggestions: Sequence[Suggestion]) -> None:
        self._importer.records.keep(record)
        for each in suggestions:
            self._importer.ledger.add_suggestion(each)

    def _parts(self) -> Iterable[_Part]:
        """Yields what is to be written, until `progress` says no."""
        found = self._source.conversations()
        listed = [each for each in found if each.role is ForeignRole.MAIN]
        self._left_out = len(found) - len(listed)
        for number, each in enumerate(listed):
            if not self._progress(number, len(listed)):
                self._problems.append("The import was stopped; another one brings the rest.")
                return
            key = imported_key(self._source.format_name, each.id)
            state = f"{each.updated_at.isoformat() if each.updated_at else ''} {each.size}"
            known = self._known.get(key)
            if known is not None and known.state == state and (key in self._here or key in self._put_aside):
                continue
            try:
                part = self._part(each, key, state, known)
            except MnemoscopeError as error:
                self._problems.append(f"{each.title or each.id}: {error.sentence}")
                continue
            if part is not None:
                yield part
        self._progress(len(listed), len(listed))

    def _part(self, listed: ForeignConversation, key: str, state: str, known: ImportedKey | None) -> _Part | None:
        if known is None and key in self._here:
            self._skipped += 1
            return None
        if known is not None and key not in self._here:
            if key in self._put_aside:
                # It was deleted or closed here: it does not come again by itself.
                self._skipped += 1
                return None
            # An import that was cut off named it, and did not come to write it.
            known = None
        imported = self._read(listed, key)
        if not imported.messages:
            return None
        if known is None:
            return _Part(listed, imported, state)
        if not self._importer.on_disk(partial(self._rests, key)):
            self._skipped += 1
            return None
        if imported.messages <= known.messages:
            return None
        return _Part(listed, imported, state, known.messages)

    def _rests(self, key: str) -> bool:
        session = self._sessions.load(key)
        return session is not None and is_at_rest(session.metadata, len(session.messages))

    def _read(self, listed: ForeignConversation, key: str) -> ImportedConversation:
        transcript = self._source.open(listed.id)
        try:
            shape = transcript.shape
            paths = [shape.active, *(transcript.path_to(leaf) for leaf in shape.branches)]
            ways = tuple(tuple(messages_on(transcript, path)) for path in paths)
        finally:
            transcript.close()
        times = [str(each["timestamp"]) for way in ways for each in way if "timestamp" in each]
        now = self._importer.clock()
        created = local_time(listed.created_at) if listed.created_at else _time(min(times, default=""), now)
        updated = local_time(listed.updated_at) if listed.updated_at else _time(max(times, default=""), created)
        source = self._source.format_name
        return ImportedConversation(
            key=key,
            source=source,
            id=listed.id,
            title=listed.title,
            ways=ways,
            created_at=created,
            updated_at=updated,
            is_discreet=listed.is_discreet,
        )

    def _name_ahead(self, record: ImportRecord, written: dict[str, ImportedKey], parts: Sequence[_Part]) -> None:
        """Notes what is about to be written: whatever a crash leaves of it is known, and can be taken back."""
        for part in parts:
            kept = self._sessions.trash(part.imported.key).kept if part.earlier >= 0 else None
            written[part.imported.key] = ImportedKey(part.imported.messages, part.state, kept.name if kept else "")
        self._importer.records.keep(record)

    def _new_memories(self) -> list[ForeignMemory]:
        """Returns what is neither in MEMORY.md nor was imported before, each once."""
        memory = self._importer.on_disk(self._importer.read_memory)
        known = set(map(normalised_fact, fact_lines(memory))) | self._remembered
        found: dict[str, ForeignMemory] = {}
        for each in self._source.memories():
            text = mask_secrets(" ".join(each.text.split()))[:_LONGEST_MEMORY]
            key = normalised_fact(text)
            if key and key not in known:
                found.setdefault(key, ForeignMemory(text, each.when, each.conversation, each.place, each.heading))
        return list(found.values())

    def _fact_sources(self, memories: Sequence[ForeignMemory]) -> dict[str, FactSource]:
        """Returns by its text where a fact was noted, of those noted in a conversation that is here: the messages from
        the person's last words up to the one that noted it."""
        with suppress(MnemoscopeError):
            if isinstance(self._source, TracesMemories):
                memories = self._source.traced(memories)
        noted: dict[str, list[ForeignMemory]] = {}
        for each in memories:
            if each.conversation and each.place >= 0:
                noted.setdefault(each.conversation, []).append(each)
        found: dict[str, FactSource] = {}
        for conversation, facts in noted.items():
            with suppress(MnemoscopeError):
                key = imported_key(self._source.format_name, conversation)
                session = self._sessions.load(key)
                with closing(self._source.open(conversation)) as transcript:
                    shape = transcript.shape
                    said = messages_on(transcript, shape.active)
                    indices = record_indices(shape.kinds, shape.active, said, 0, shape.parts)
                for each in facts:
                    at = indices.get(each.place)
                    if at is not None and session is not None and at < len(session.messages):
                        persons = [index for index in range(at + 1) if said[index]["role"] == "user"]
                        found[each.text] = FactSource(each.text, key, persons[-1] if persons else at, at + 1)
        return found

    def _suggestions(self, memories: Sequence[ForeignMemory], sources: Mapping[str, FactSource]) -> list[Suggestion]:
        """Returns one suggestion of all of them, one of those that the person had forgotten, one of those that they
        rejected and one of those that resemble these, and one of those that read like instructions, so that nobody
        accepts these along with the others."""
        suspect = [each for each in memories if is_prompt_injection(each.text)]
        objections = {each.text: self._importer.objection(each.text) for each in memories if each not in suspect}
        back = [each for each in memories if objections.get(each.text)]
        plain = [each for each in memories if each not in suspect and each not in back]
        rejected, resembling = self._rejected(plain)
        plain = [each for each in plain if each not in rejected and each not in resembling]
        reason = f"{self._source.title} remembered this; it came with an import."
        forgotten = [f"{objections[each.text]}: “{each.text[:_SHOWN]}”." for each in back]
        reasons = (
            (plain, (reason,)),
            (back, (*forgotten, reason)),
            (rejected, (reason,)),
            (resembling, (reason,)),
            (suspect, (reason, "It reads like instructions to an assistant.")),
        )
        return [self._suggestion(part, words, sources) for part, words in reasons if part]

    def _rejected(self, memories: Sequence[ForeignMemory]) -> tuple[list[ForeignMemory], list[ForeignMemory]]:
        """Returns what the person surely rejected before, and what only resembles that."""
        rejections = self._importer.rejections
        if rejections is None:
            return [], []
        surely = [each for each in memories if rejections.since(each.text) is not None]
        return surely, [each for each in memories if each not in surely and rejections.objection(each.text)]

    def _proposed(self, before: str, memories: Sequence[ForeignMemory]) -> str:
        return with_section(before, f"## From {self._source.title}", remembered_lines(memories))

    def _suggestion(
        self, memories: Sequence[ForeignMemory], reasons: tuple[str, ...], sources: Mapping[str, FactSource]
    ) -> Suggestion:
        before = self._importer.read_memory()
        proposed = self._proposed(before, memories)
        when = self._importer.clock().isoformat()
        return Suggestion(
            *(secrets.token_hex(8), when, before, proposed, reasons, "", 0, 0),
            brought_from=self._source.title,
            sources=tuple(sources[each.text] for each in memories if each.text in sources),
        )

    def _result(
        self, id_: str, new: int, grown: int, messages: int, memories: Sequence[ForeignMemory], *, is_whole: bool
    ) -> ImportResult:
        problems = (*self._source.problems(), *self._problems)
        texts = tuple(each.text for each in memories)
        newest = self._newest.key if self._newest else ""
        return ImportResult(
            id=id_,
            conversations=new,
            grown=grown,
            messages=messages,
            memories=texts,
            skipped=self._skipped,
            left_out=self._left_out,
            problems=problems,
            is_whole=is_whole,
            newest=newest,
        )


def with_section(text: str, heading: str, lines: Sequence[str]) -> str:
    """Returns a memory text with lines at the end of the section of that heading, which is made where there is none."""
    rows = text.rstrip("\n").split("\n") if text.strip() else []
    if heading not in rows:
        return "\n".join([*rows, *([""] if rows else []), heading, "", *lines]) + "\n"
    start = rows.index(heading) + 1
    stop = next((place for place in range(start, len(rows)) if rows[place].startswith(("# ", "## "))), len(rows))
    while stop > start and not rows[stop - 1].strip():
        stop -= 1
    return "\n".join([*rows[:stop], *lines, *rows[stop:]]) + "\n"


def _batches(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    parts = iter(parts)
    while batch := list(islice(parts, _BATCH)):
        yield batch


def _time(text: str, otherwise: datetime) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return otherwise
