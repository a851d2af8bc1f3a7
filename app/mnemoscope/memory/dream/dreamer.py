"""One run of Dream: read what waits, ask the model, judge its edits, and write all that may be written at once.

The edits, what is held for the person and the cursor are one transaction: either all of it happened or none.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from typing import Final

from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.dream.files import DreamFiles, file_edit
from mnemoscope.domain.dream.position import BATCH_ENTRIES, PART_CHARACTERS, Batch
from mnemoscope.domain.dream.run import DreamRun, FileEdit, RunOutcome, Spend
from mnemoscope.domain.errors import ContextTooLong, MnemoscopeError, StorageError
from mnemoscope.domain.forgetting.forgotten_lines import (
    with_lines_at_end,
    with_lines_back,
    with_marks,
    without_forgotten,
)
from mnemoscope.domain.llm import LLMProvider, OutputMode, is_small_context
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.file_registry import DREAM_FILES
from mnemoscope.domain.memory.journal_entry import JournalEntry
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import changed_passages
from mnemoscope.memory.dream.dream_gate import HeldEdit, JudgedEdits, judge_edits
from mnemoscope.memory.dream.dream_prompt import Guide, dream_messages, guide_of
from mnemoscope.memory.dream.dream_session import STOPPED, DreamAnswer, DreamLimits, DreamProgress, DreamSession
from mnemoscope.memory.dream.entry_sources import EntrySources
from mnemoscope.memory.dream.unread_entries import UnreadEntries
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.structured_output.output_modes import OutputModes
from mnemoscope.memory.structured_output.structured_request import StructuredRequests, context_window
from mnemoscope.memory.transactions.transactions import Transactions, finish_despite_cancellation
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.dream_runs import DreamRuns
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.memory.suggestion_file import decode_suggestion, encode_suggestion
from mnemoscope.store.memory.tracked_files import present_files
from mnemoscope.store.transactions.intent import DREAM_RUN, Intent, TextEdit
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_FINISHED: Final = "It was interrupted while it was written, and finished afterwards."
_RECORDS: Final = 500
_SHORTEST_PART: Final = 2_000
"""Characters of a long entry that are tried at last where a model's context is small."""
_DREAM_TASK: Final = "Dream"
"""The name under which it is remembered in which way a model gives its edits."""
_CLOSED: Final = "Mnemoscope was closed; nothing was changed, and the entries still wait."


@dataclass(frozen=True, slots=True)
class DreamRequest:
    """Says which model is asked, how much it may take, and who began the run: `manual` or `schedule`."""

    provider: LLMProvider
    model: str
    trigger: str = "manual"
    limits: DreamLimits = field(default_factory=DreamLimits)
    batch: int = BATCH_ENTRIES


@dataclass(frozen=True, slots=True)
class DreamInput:
    """Holds what a run takes, fixed before the model is asked."""

    batch: Batch
    texts: dict[str, MemoryText]
    guide: Guide


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """Holds a run's record, and the files it changed as they are now."""

    run: DreamRun
    changed: tuple[tuple[str, MemoryText], ...] = ()


class Dreamer:
    """Runs Dream over one workspace. Whoever calls sees to it that only one runs at a time."""

    def __init__(
        self,
        paths: WorkspacePaths,
        journal: Journal,
        ledger: Ledger,
        files: MemoryFiles,
        transactions: Transactions,
        runs: DreamRuns,
        *,
        disk: Disk,
        modes: OutputModes,
        clock: Callable[[], datetime] = datetime.now,
        keys: Callable[[], Collection[str]] = frozenset,
        said: EntrySources | None = None,
        compare: Callable[[str, str], Awaitable[None]] | None = None,
    ) -> None:
        """`said`: finds who said what in the messages behind the journal; None where that is not known. `compare`: is
        given each text before and after a run, to know rejected facts in it by their meaning."""
        self._paths = paths
        self._ledger = ledger
        self._files = files
        self._transactions = transactions
        self._runs = runs
        self._disk = disk
        self._modes = modes
        self._requests = StructuredRequests()
        self._clock = clock
        self._keys = keys
        self._said = said
        self._compare = compare
        self._unread = UnreadEntries(paths, journal)

    async def run(
        self,
        asked: DreamRequest,
        *,
        on_begin: Callable[[int, int, int], None] = lambda *_: None,
        on_progress: Callable[[DreamProgress], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> FinishedRun | None:
        """Reads the next batch and sees it through; None where nothing waits. Raises StorageError before the model is
        asked, and CancelledError: with nothing written, or, after the commit point, with everything.

        `on_begin` gets the first and last entry's number and how many there are.
        """
        count, part = asked.batch, PART_CHARACTERS
        while True:
            begun = await self._disk.run(self._begin, count, part)
            if begun is None:
                return None
            on_begin(begun.batch.entries[0].cursor, begun.batch.entries[-1].cursor, len(begun.batch.entries))
            try:
                return await self._run_to_end(asked, begun, on_progress, stopped)
            except ContextTooLong as error:
                if count > 1 and len(begun.batch.entries) > 1:
                    count = len(begun.batch.entries) // 2
                elif part > _SHORTEST_PART and max(map(len, begun.batch.texts)) > part // 2:
                    part //= 2
                else:
                    return await self._keep(self._failed(asked, begun, error, DreamAnswer("failed", 0, Spend()), 0.0))

    async def _run_to_end(
        self,
        asked: DreamRequest,
        begun: DreamInput,
        on_progress: Callable[[DreamProgress], None],
        stopped: Callable[[], bool],
    ) -> FinishedRun:
        started = time.monotonic()
        texts = {path: text.text for path, text in begun.texts.items()}
        # A model that reads a file sees a mark where a line of it is forgotten.
        files = DreamFiles(await self._disk.run(self._with_marks, texts))
        session = DreamSession(
            asked.provider,
            asked.model,
            files,
            asked.limits,
            modes=await self._modes.order(asked.provider, asked.model, _DREAM_TASK),
            requests=self._requests,
            facts=sum(bool(line.strip()) for text in begun.batch.texts for line in text.split("\n")),
            on_progress=on_progress,
            stopped=stopped,
        )

        def remembered(text: str) -> str:
            return without_forgotten(text, self._files.is_forgotten)[0]

        shown = await self._disk.run(lambda: {path: remembered(text) for path, text in texts.items()})
        readable = await self._disk.run(lambda: [words for text in begun.batch.texts if (words := remembered(text))])
        is_small = is_small_context(context_window(asked.provider, asked.model))
        choose = partial(self._files.rejections_for_prompt, "\n".join(readable), self._keys(), brief=is_small)
        rejected = await self._disk.run(choose)
        guide = await self._disk.run(lambda: replace(begun.guide, text=remembered(begun.guide.text)))

        def ask(mode: OutputMode, problem: str, brief: bool) -> list[Message]:
            return dream_messages(guide, shown, readable, mode=mode, problem=problem, brief=brief, rejected=rejected)

        try:
            ended = await session.run(ask)
        except asyncio.CancelledError:
            ended = session.broken_off("stopped", STOPPED if stopped() else _CLOSED)
            # Not waited for: who cancels is in a hurry. The disk's thread writes what is queued before it ends.
            self._disk.submit(self._runs.add, self._record(asked, begun, ended, time.monotonic() - started))
            raise
        except ContextTooLong:
            raise
        except MnemoscopeError as error:
            ended = session.broken_off("failed", str(error))
            return await self._keep(self._failed(asked, begun, error, ended, time.monotonic() - started))
        if ended.worked is not None:
            await self._modes.remember(asked.provider, asked.model, ended.worked, _DREAM_TASK)
        run = self._record(asked, begun, ended, time.monotonic() - started)
        if ended.outcome != "nothing":
            return await self._keep(run)
        changes = await self._disk.run(self._whole_changes, files, texts)
        if self._compare is not None:
            for change in changes:
                await self._compare(change.before or "", change.after or "")
        # On the disk's thread: comparing a long file takes a moment in which a window would stand still.
        known = frozenset(self._keys())
        today = self._clock().date()
        judged = await self._disk.run(self._judge, changes, begun.batch.entries, today, known)
        return await finish_despite_cancellation(self._disk.run(partial(self._commit, run, begun, judged)))

    def _with_marks(self, texts: Mapping[str, str]) -> dict[str, str]:
        is_forgotten = self._files.forgotten_now()
        return {path: with_marks(text, is_forgotten)[0] for path, text in texts.items()}

    def _whole_changes(self, files: DreamFiles, texts: Mapping[str, str]) -> list[FileChange]:
        """Returns what a run made of the texts, with the lines that it was shown marks for: those whose marks it took
        out stand at the end."""
        is_forgotten = self._files.forgotten_now()
        found = []
        for change in files.changes():
            before, after = texts.get(change.path), change.after or ""
            whole = with_lines_back(after, before or "", is_forgotten)
            if whole is None:
                whole = with_lines_at_end(after, before or "", is_forgotten)
            if whole != before:
                found.append(FileChange(change.path, before, whole))
        return found

    def _judge(
        self, changes: Sequence[FileChange], entries: Sequence[JournalEntry], today: date, known: Collection[str]
    ) -> JudgedEdits:
        said = self._said.of(entries) if self._said is not None else {}
        facts = self._files.facts()
        return judge_edits(changes, entries, today=today, known=known, said=said, facts=facts)

    def _begin(self, count: int, part: int) -> DreamInput | None:
        self._transactions.recover()
        with suppress(StorageError):
            add_missing_record(self._runs, self._ledger)
        batch = self._unread.batch(count, part)
        if batch is None:
            return None
        skills = [path for path, _ in present_files(self._paths, ("skills/",)) if path.endswith(".md")]
        texts = {path: self._files.of(path).file.read() for path in (*DREAM_FILES, *skills)}
        present = {path: text for path, text in texts.items() if text.exists}
        return DreamInput(batch, present, guide_of(self._paths))

    def _commit(self, run: DreamRun, begun: DreamInput, judged: JudgedEdits) -> FinishedRun:
        """Writes all of it in one transaction. Raises StorageError."""
        self._transactions.recover()
        edits = tuple(self._edit(begun, change.path, change.after or "") for change in judged.written)
        holds = tuple(self._suggestion(run, edit) for edit in judged.held)
        outcome = "changed" if edits else "held" if holds else "nothing"
        written = tuple(file_edit(change, held=False) for change in judged.written)
        kept: tuple[FileEdit, ...] = tuple(file_edit(edit.change, held=True) for edit in judged.held)
        run = replace(run, outcome=outcome, edits=(*written, *kept))  # type: ignore[arg-type]  # one of the outcomes
        intent = Intent.of_kind(
            DREAM_RUN,
            workspace_id=self._ledger.workspace_id(),
            when=run.when,
            id=run.id,
            model=run.model,
            start=run.first,
            stop=run.last,
            edits=edits,
            holds=tuple(encode_suggestion(each).decode("utf-8") for each in holds),
            sets=self._unread.noted(begun.batch),
        )
        self._transactions.run(intent)
        now = {edit.path: self._files.of(edit.path).file.read() for edit in edits}
        changed = tuple((edit.path, now[edit.path]) for edit in edits if now[edit.path].text != edit.before)
        run = _as_written(run, {path for path, _ in changed}, set(now))
        with suppress(StorageError):
            # Only a record: what was done stands.
            self._runs.add(run)
        return FinishedRun(run, changed)

    def _edit(self, begun: DreamInput, path: str, after: str) -> TextEdit:
        before = begun.texts.get(path)
        return TextEdit(path, before.text if before else "", before.digest if before else "", after)

    def _suggestion(self, run: DreamRun, edit: HeldEdit) -> Suggestion:
        change = edit.change
        changes = self._files.of(change.path).changes
        origin = MemoryOrigin("dream", run.when, "", run.first, run.last, run.id)
        before, proposed = change.before or "", change.after or ""
        conflicts = changes.attributed(changed_passages(before, proposed), None, origin)
        reasons = (*edit.reasons, *changes.hold_back(before, proposed).reasons)
        return Suggestion(
            id=secrets.token_hex(8),
            when=run.when,
            before=before,
            proposed=proposed,
            reasons=reasons,
            session_key="",
            start=run.first,
            stop=run.last,
            conflicts=conflicts,
            path=change.path,
        )

    async def _keep(self, run: DreamRun) -> FinishedRun:
        await self._disk.run(self._runs.add, run)
        return FinishedRun(run)

    def _failed(
        self, asked: DreamRequest, begun: DreamInput, error: MnemoscopeError, ended: DreamAnswer, seconds: float
    ) -> DreamRun:
        log.warning("Dream failed: %s %s", error, error.context)
        return self._record(asked, begun, replace(ended, reason=str(error)), seconds)

    def _record(self, asked: DreamRequest, begun: DreamInput, ended: DreamAnswer, seconds: float) -> DreamRun:
        entries: Sequence[JournalEntry] = begun.batch.entries
        return DreamRun(
            id=secrets.token_hex(8),
            when=self._clock().isoformat(),
            seconds=round(seconds, 3),
            trigger=asked.trigger,
            model=asked.model,
            first=entries[0].cursor,
            last=entries[-1].cursor,
            entries=len(entries),
            rounds=ended.rounds,
            spend=ended.spend,
            outcome=ended.outcome,
            reason=ended.reason,
            words=ended.words[:2_000],
            begun=begun.batch.begun,
            rest=begun.batch.rest,
            asked=tuple(mode.value for mode in ended.asked),
            cleaned=tuple(kind.value for kind in ended.cleaned),
        )


def _as_written(run: DreamRun, changed: Collection[str], meant: Collection[str]) -> DreamRun:
    """Returns the record once it is written: an edit of which nothing came, such as what the person took out, is
    held."""
    edits = tuple(
        replace(edit, held=edit.held or (edit.path in meant and edit.path not in changed)) for edit in run.edits
    )
    return replace(run, edits=edits, outcome="held" if edits and all(edit.held for edit in edits) else run.outcome)


def add_missing_record(runs: DreamRuns, ledger: Ledger) -> None:
    """Adds the record of the newest finished run where a crash or a full disk left it without one: it is made from its
    transaction. Raises StorageError."""
    newest = ledger.newest(DREAM_RUN)
    if newest is None or any(run.id == newest.id for run in runs.newest(_RECORDS)):
        return
    intent = ledger.intent(newest.id) or newest
    written = [file_edit(FileChange(each.path, each.before, each.after), held=False) for each in intent.edits]
    held = [edit for text in intent.holds if (edit := _held(text)) is not None]
    outcome: RunOutcome = "changed" if written else "held" if held else "nothing"
    runs.add(
        DreamRun(
            id=intent.id,
            when=intent.when,
            seconds=0.0,
            trigger="manual",
            model=intent.model,
            first=intent.start,
            last=intent.stop,
            entries=intent.stop - intent.start + 1,
            rounds=0,
            spend=Spend(money=None),
            outcome=outcome,
            reason=_FINISHED,
            edits=(*written, *held),
        )
    )


def _held(text: str) -> FileEdit | None:
    suggestion = decode_suggestion(text.encode("utf-8"))
    if suggestion is None:
        return None
    return file_edit(FileChange(suggestion.path, suggestion.before, suggestion.proposed), held=True)
