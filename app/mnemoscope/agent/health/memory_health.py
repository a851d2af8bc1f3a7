"""Reads the health of one workspace's memory on a thread of its own, and proposes what a finding asks for.

Nothing is begun before `read` is called. The prompts that were sent are read in slices, so that a reading nobody waits
for ends after one of them. What is proposed waits for the person's review; no file is changed.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Final, TypeVar

from mnemoscope.agent.commits.memory_blame import BlamedLine, MemoryBlame
from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.prompt.sent_prompts import SentPrompt, SentPrompts
from mnemoscope.domain.answer_receipt.likely import likely_lines
from mnemoscope.domain.answer_receipt.memory_use import distinct_passages, memory_in, prompt_id_of
from mnemoscope.domain.cancellation import GoesOn
from mnemoscope.domain.capture.captured_line import is_struck
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.disagreement.memory_check import Disagreement
from mnemoscope.domain.disagreement.settlement import pair_id
from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.domain.health.disagreeing_lines import disagreeing_lines
from mnemoscope.domain.health.examination import LineFault, examined, lines_of_two_files
from mnemoscope.domain.health.line_meanings import LineMeanings, understood_texts
from mnemoscope.domain.health.report import (
    FindingKind,
    Growth,
    HealthFinding,
    HealthReport,
    LineUse,
    MemoryCost,
    without_line,
)
from mnemoscope.domain.llm import Meanings
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_text, numbered_fact_lines
from mnemoscope.domain.memory.file_registry import COMPARED_FILES, FACT_FILES
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.llm.offline.relative_dates import with_absolute_dates
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.shipped import shipped_starter
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import MEMORY_NAME, WorkspacePaths

Result = TypeVar("Result")
_DAYS: Final = 30
"""Days of which prompts are counted."""
_YEAR: Final = 366
_MOST_PROMPTS: Final = 200
"""Prompts of one conversation that are looked at, the newest."""
_NOT_OF_WORDS: Final = frozenset({FindingKind.NOT_SENT, FindingKind.NO_SOURCE})
"""The faults of a line that are none of its words."""
_SLICE: Final = 10
_UNKNOWN: Final = frozenset({"", "outside"})
_MOVED: Final = "This line was changed meanwhile."
_MOVED_STEP: Final = "Read memory's health again."


class MemoryHealth:
    """Reads and proposes; each method may be called on the loop, and none blocks it."""

    def __init__(
        self,
        paths: WorkspacePaths,
        memory: MemoryStore,
        context: ContextBuilder,
        sent: SentPrompts,
        sessions: SessionManager,
        commits: MemoryCommits,
        disk: Disk,
        clock: Callable[[], datetime],
        meanings: Meanings,
    ) -> None:
        """`meanings` returns the vectors of texts, of the embedding model of this computer, or none."""
        self._paths = paths
        self._memory = memory
        self._context = context
        self._sent = sent
        self._sessions = sessions
        self._commits = commits
        self._disk = disk
        self._clock = clock
        self._meanings = meanings

    async def read(self) -> HealthReport:
        """Returns the report of this moment. Raises MnemoscopeError. Once this is cancelled, as when the window closes,
        comparing the lines stops: the end of the program waits for its thread."""
        thread = ThreadPoolExecutor(1, "memory-health")
        ended = threading.Event()

        def goes_on() -> bool:
            return not ended.is_set()

        try:
            compared = {
                path: (await self._disk.run(self._memory.editing.read_text, path)).text for path in COMPARED_FILES
            }
            texts = {path: compared[path] for path in FACT_FILES}
            tokens = sum(map(estimate_tokens, texts.values()))
            meanings = await self._meanings_of(thread, texts)
            findings = [
                each
                for path, text in texts.items()
                for each in await self._findings(thread, path, text, meanings, goes_on)
            ]
            elsewhere = await self._said_elsewhere(thread, texts, findings, meanings, goes_on)
            twice = {(each.path, each.line) for each in elsewhere}
            findings = [each for each in findings if (each.path, each.line) not in twice] + elsewhere
            today = self._clock().date()
            findings += await _on(thread, lambda: disagreeing_lines(compared, today, goes_on))
            tally = await self._tally(thread)
            growth = (*await self._growth(texts), *await _on(thread, tally.growth))
            lines = await _on(thread, lambda: tally.lines(texts))
            return HealthReport(tokens, tuple(findings), growth, tally.cost(), lines)
        finally:
            ended.set()
            thread.shutdown(wait=False, cancel_futures=True)

    async def origins(self, path: str, lines: Collection[str]) -> dict[str, BlamedLine]:
        """Returns where these lines of a memory file come from, of those that stand in it. Raises MnemoscopeError."""
        text = (await self._disk.run(self._memory.editing.read_text, path)).text
        thread = ThreadPoolExecutor(1, "memory-origins")
        try:
            blamed = {each.line: each for each in await _on(thread, lambda: self._blamed(path, text))}
        finally:
            thread.shutdown(wait=False, cancel_futures=True)
        rows = enumerate(text.split("\n"), 1)
        return {row: blamed[number] for number, row in rows if row in lines and number in blamed}

    async def waiting(self, findings: Sequence[HealthFinding]) -> frozenset[HealthFinding]:
        """Returns the findings of which the change waits for review. Raises StorageError."""
        held = await self._disk.run(self._memory.ledger.suggestions)
        texts = {
            path: (await self._disk.run(self._memory.editing.read_text, path)).text
            for path in {finding.path for finding in findings}
        }
        return frozenset(
            finding for finding in findings if any(_asks_for(each, finding, texts[finding.path]) for each in held)
        )

    async def propose(self, finding: HealthFinding) -> None:
        """Has the change that a finding asks for wait for review, unless it does; two lines of one file that disagree
        wait side by side, unless the person settled them before. Raises StorageError, also where the line moved on."""
        if await self.waiting([finding]):
            return
        current = await self._disk.run(self._memory.editing.read_text, finding.path)
        proposed = without_line(current.text, finding)
        if proposed is None:
            raise StorageError(_MOVED, next_step=_MOVED_STEP)
        pair = _pair_of(finding, current.text)
        if pair is not None and await self._memory.editing.propose_pair(pair, finding.path, finding.other):
            return
        rests_on = finding.words if finding.kind in (FindingKind.DUPLICATE, FindingKind.DISAGREEMENT) else ""
        await self._memory.editing.propose(current.text, proposed, finding_reason(finding), finding.path, rests_on)

    async def _meanings_of(self, thread: ThreadPoolExecutor, texts: Mapping[str, str]) -> LineMeanings:
        """Returns what the lines of memory texts mean, as far as the model of this computer knows."""
        rows = [row for text in texts.values() for row in text.split("\n")]
        vectors = await self._meanings(await _on(thread, lambda: understood_texts(rows)))
        return await _on(thread, lambda: LineMeanings(vectors))

    async def _findings(
        self, thread: ThreadPoolExecutor, path: str, text: str, meanings: LineMeanings, goes_on: GoesOn
    ) -> list[HealthFinding]:
        today = self._clock().date()
        rows = text.split("\n")
        faults = {fault.line: fault for fault in await _on(thread, lambda: examined(rows, today, meanings, goes_on))}
        blamed = {each.line: each for each in await _on(thread, lambda: self._blamed(path, text))}
        cut = (await self._disk.run(self._context.sent_of_file, path, text)).cut
        # What a new workspace begins with states nothing about anybody.
        begun_with = await self._disk.run(lambda: frozenset(shipped_starter(path).split("\n")))
        found = []
        for number, row in numbered_fact_lines(rows):
            if row in begun_with:
                continue
            who = blamed.get(number)
            if number in faults:
                found.append(_of_fault(path, row, faults[number], who))
            elif cut is not None and number > cut:
                found.append(HealthFinding(FindingKind.NOT_SENT, path, number, row))
            elif who is not None and who.is_outside and who.author in _UNKNOWN:
                found.append(HealthFinding(FindingKind.NO_SOURCE, path, number, row))
        return found

    async def _said_elsewhere(
        self,
        thread: ThreadPoolExecutor,
        texts: Mapping[str, str],
        found: Sequence[HealthFinding],
        meanings: LineMeanings,
        goes_on: GoesOn,
    ) -> list[HealthFinding]:
        """Returns the lines that say what a line of a file before theirs says, but for those whose words have another
        fault."""
        faulty = {(each.path, each.line) for each in found if each.kind not in _NOT_OF_WORDS}
        begun_with = await self._disk.run(lambda: {row for path in texts for row in shipped_starter(path).split("\n")})
        rows = {
            path: [
                "" if row in begun_with or (path, number) in faulty else row
                for number, row in enumerate(text.split("\n"), 1)
            ]
            for path, text in texts.items()
        }
        return await _on(thread, lambda: lines_of_two_files(rows, meanings, goes_on))

    def _blamed(self, path: str, text: str) -> Sequence[BlamedLine]:
        sessions = SessionManager(self._paths.root, read_only=True)
        memory = MemoryStore(self._paths.root, paths=self._paths, sessions=sessions, read_only=True)
        return MemoryBlame(self._paths, memory, sessions).of_memory_file(path, text)

    async def _growth(self, texts: Mapping[str, str]) -> list[Growth]:
        """Returns the size of each file at the end of each week of the last year in which it was kept, and today."""
        begin = self._clock() - timedelta(_YEAR)
        weeks: dict[tuple[int, int], tuple[datetime, str]] = {}
        with suppress(MnemoscopeError):
            for when, commit in await self._commits.moments():
                week = _week_of(when)
                if when >= begin and (week not in weeks or weeks[week][0] <= when):
                    weeks[week] = when, commit
        found = []
        for path, text in texts.items():
            sizes: list[tuple[date, int]] = []
            for when, commit in sorted(weeks.values()):
                with suppress(MnemoscopeError):
                    then = await self._commits.text_at(commit, path)
                    if then is not None or sizes:
                        sizes.append((when.date(), estimate_tokens(then or "")))
            if sizes:
                found.append(Growth(path, (*sizes, (self._clock().date(), estimate_tokens(text)))))
        return found

    async def _tally(self, thread: ThreadPoolExecutor) -> _Tally:
        tally = _Tally(self._clock())
        for overview in await self._disk.run(self._sessions.overviews):
            with suppress(MnemoscopeError):
                session = await self._disk.run(self._sessions.load, overview.key)
                if session is None:
                    continue
                prompts = (await self._sent.of_session(session))[-_MOST_PROMPTS:]
                messages = session.messages
                for begin in range(0, len(prompts), _SLICE):
                    some = prompts[begin : begin + _SLICE]
                    await _on(thread, lambda some=some, messages=messages: tally.add(some, messages))  # type: ignore[misc]
        return tally


class _Tally:
    """Adds up the memory in prompts of the last `_DAYS`: how often each line was sent, when it was sent last, and how
    many answers likely rest on it. Of each week of the last year it holds the newest prompt."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._since = now - timedelta(_DAYS)
        self._weeks_since = now - timedelta(_YEAR)
        self._tokens: Counter[tuple[str, str]] = Counter()
        self._sent: Counter[tuple[str, str]] = Counter()
        self._last: dict[tuple[str, str], datetime] = {}
        self._used: Counter[tuple[str, str]] = Counter()
        self._weeks: dict[tuple[int, int], tuple[datetime, PromptSnapshot]] = {}
        self._prompts = 0
        self._days = 1
        """Days since the first of these prompts, that day among them."""

    def add(self, prompts: Sequence[SentPrompt], messages: Sequence[Message]) -> None:
        for sent in prompts:
            with suppress(ValueError):
                when = datetime.fromisoformat(sent.when)
                week = _week_of(when)
                if when >= self._weeks_since and (week not in self._weeks or self._weeks[week][0] <= when):
                    self._weeks[week] = when, sent.prompt
                if when >= self._since:
                    self._count(sent, when, messages)

    def _count(self, sent: SentPrompt, when: datetime, messages: Sequence[Message]) -> None:
        parts = distinct_passages(memory_in(sent.prompt))
        keys = [_key_of(part.source, part.text) for part in parts]
        self._prompts += 1
        self._days = max(self._days, min(_DAYS, (self._now.date() - when.date()).days + 1))
        for key in keys:
            self._tokens[key] += estimate_tokens(key[1])
            self._sent[key] += 1
            self._last[key] = max(when, self._last.get(key, when))
        question, answer = _exchange(messages, sent)
        if answer:
            self._used.update({keys[line.place] for line in likely_lines(question, answer, [p.text for p in parts])})

    def cost(self) -> MemoryCost:
        unused = sum(tokens for key, tokens in self._tokens.items() if key not in self._used)
        return MemoryCost(self._days, self._prompts, self._tokens.total(), unused)

    def lines(self, texts: Mapping[str, str]) -> tuple[LineUse, ...]:
        """Returns the lines of memory texts, by path, that stood in these prompts: first those that no answer likely
        rests on, those that cost most before the others."""
        found: dict[tuple[str, str], LineUse] = {}
        for path, text in texts.items():
            for number, row in numbered_fact_lines(text.split("\n")):
                key = _key_of(path, row)
                if key in self._sent and key not in found:
                    tokens, last = self._tokens[key], self._last[key].date()
                    found[key] = LineUse(path, number, row, tokens, self._sent[key], last, self._used[key])
        return tuple(sorted(found.values(), key=lambda each: (each.used > 0, -each.tokens)))

    def growth(self) -> list[Growth]:
        """Returns how much of memory stood in the newest prompt of each week."""
        sizes = tuple(
            (when.date(), sum(estimate_tokens(part.text.strip()) for part in distinct_passages(memory_in(prompt))))
            for when, prompt in sorted(self._weeks.values(), key=itemgetter(0))
        )
        return [Growth("", sizes)] if sizes else []


def _key_of(path: str, row: str) -> tuple[str, str]:
    """Returns by what a line is known again: MEMORY.md lies in one of two folders, in any capitals."""
    name = path.casefold()
    return MEMORY_PATH.casefold() if name == MEMORY_NAME.casefold() else name, row.strip()


def _week_of(when: datetime) -> tuple[int, int]:
    return when.isocalendar()[:2]


def _exchange(messages: Sequence[Message], sent: SentPrompt) -> tuple[str, str]:
    """Returns the question of a prompt and the answer that names it, "" for either that is not there."""
    if not 0 <= sent.index < len(messages):
        return "", ""
    for place in range(sent.index + 1, len(messages)):
        message = messages[place]
        if message.get("role") == "user":
            break
        if sent.id and prompt_id_of(message) == sent.id:
            return text_of(messages[sent.index]), text_of(message)
    return text_of(messages[sent.index]), ""


def finding_reason(finding: HealthFinding) -> str:
    """Returns the sentence with which a proposal waits."""
    words = " ".join(finding.words.split())
    return {
        FindingKind.DISAGREEMENT: f"Memory's health: another line says otherwise: “{words}”",
        FindingKind.DUPLICATE: f"Memory's health: another line says it too: “{words}”",
        FindingKind.ROTTING_DATE: f"Memory's health: “{words}” held only near the day it was written.",
        FindingKind.TASK_RESIDUE: "Memory's health: it is left over from a task.",
        FindingKind.NOT_SENT: "Memory's health: nothing of this line is sent, since memory is over its budget.",
        FindingKind.UNUSED: f"Memory's health: no answer of {_DAYS} days likely rests on it, though it was sent.",
        FindingKind.NO_SOURCE: "Memory's health: it is not known where this line comes from.",
    }[finding.kind]


def _pair_of(finding: HealthFinding, text: str) -> Disagreement | None:
    """Returns the two lines of a finding that disagree, that of this memory text as it stands there; None where it does
    not any more."""
    rows = text.split("\n")
    if finding.kind is not FindingKind.DISAGREEMENT or finding.row not in rows:
        return None
    if finding.other not in ("", finding.path):
        return Disagreement(finding.row, finding.words)
    others = (row for row in rows if row != finding.row and fact_text(row) == finding.words and not is_struck(row))
    return next((Disagreement(finding.row, row) for row in others), None)


def _asks_for(held: Suggestion, finding: HealthFinding, text: str) -> bool:
    """Returns whether what waits is the change that a finding asks for: the same reason, and its line would go."""
    pair = _pair_of(finding, text)
    if pair is not None and held.id == pair_id(finding.path, pair, finding.other):
        return True
    if held.path != finding.path:
        return False
    before, proposed = (each.split("\n") for each in (held.before, held.proposed))
    return finding_reason(finding) in held.reasons and proposed.count(finding.row) < before.count(finding.row)


def _of_fault(path: str, row: str, fault: LineFault, who: BlamedLine | None) -> HealthFinding:
    instead = ""
    if fault.kind is FindingKind.ROTTING_DATE and who is not None and who.when:
        dated = with_absolute_dates(row, who.when)
        instead = dated if dated is not None and dated != row else ""
    return HealthFinding(fault.kind, path, fault.line, row, fault.words, instead)


async def _on(thread: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
    return await asyncio.get_running_loop().run_in_executor(thread, work)
