"""The two strategies of consolidation: `TwoLayerStrategy` asks for an entry of HISTORY.md and a whole MEMORY.md,
`JournalStrategy` for lines of facts, which history.jsonl alone gets.

Each asks a model and judges its answer. The transaction writes what they return.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup
from mnemoscope.domain.answers.repetition import LOOPED
from mnemoscope.domain.capture.captured_line import without_struck
from mnemoscope.domain.consolidation.archiving import SUMMARY_NAME, SUMMARY_TOOL, judge_summary, raw_content
from mnemoscope.domain.consolidation.planning import format_lines, raw_entry
from mnemoscope.domain.consolidation.save_memory import SAVE_MEMORY_OBJECT, Verdict, judge
from mnemoscope.domain.consolidation.save_memory_tool import SAVE_MEMORY_NAME, SAVE_MEMORY_TOOL
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.disagreement.memory_check import checked
from mnemoscope.domain.errors import ContextTooLong, MnemoscopeError, reason_of
from mnemoscope.domain.forgetting.forgotten_lines import results_with_marks, without_forgotten
from mnemoscope.domain.llm import LLMResponse, OutputMode, is_small_context
from mnemoscope.domain.memory.file_registry import JOURNAL_PATH
from mnemoscope.domain.memory.history_entries import dated_entry, message_time
from mnemoscope.domain.memory.journal_entry import FACT_LINE, QUOTED_MARK
from mnemoscope.domain.merge.three_way import merge_memory
from mnemoscope.domain.review.evidence import Evidence
from mnemoscope.domain.review.memory_review import Proposal
from mnemoscope.domain.review.sources import sources_of
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.settings import DREAM, is_built_in
from mnemoscope.memory.consolidation.consolidation_prompt import (
    consolidation_messages,
    instructions_of,
    journal_messages,
    new_fence,
)
from mnemoscope.memory.structured_output.output_modes import JOURNAL_TASK, OutputModes
from mnemoscope.memory.structured_output.structured_request import (
    CUT_OFF,
    AnswerRoom,
    OutputModeRefused,
    RequestedOutput,
    StructuredRequests,
    bounded_schema,
    closed_schema,
    context_window,
    mend,
)
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.history_append import entry_bytes
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import inspect_workspace

log = logging.getLogger(__name__)
_TRIES: Final = 3
_LINE_SHARE: Final = 3
"""Characters of one message shown, per token of the budget: a single message never fills more than the request."""
_SAVE_MEMORY: Final = RequestedOutput(
    (SAVE_MEMORY_TOOL,),
    closed_schema(SAVE_MEMORY_TOOL["function"]["parameters"]),
    SAVE_MEMORY_NAME,
    SAVE_MEMORY_NAME,
)
_LINES: Final = RequestedOutput(
    (SUMMARY_TOOL,), closed_schema(SUMMARY_TOOL["function"]["parameters"]), SUMMARY_NAME, SUMMARY_NAME
)
_ENTRY_SHARE, _GROWTH_SHARE, _LINE_OF_JOURNAL_SHARE = 16, 20, 32
"""Of a small context, one character for so many tokens is what an entry may have, what memory may grow by, and what a
line of the journal may have."""
_JOURNAL_LINES_SHARE: Final = 512

TellsRejections = Callable[..., Sequence[str]]
"""Returns, as `MemoryFiles.rejections_for_prompt`, the facts that a model is told were rejected."""
AsksAgain = Callable[[int, str], None]
"""Is told which try comes, and why the last answer could not be used, a sentence."""


class ConsolidationGivenUp(Exception):
    """Nothing was written for this pass; the message is the reason, for the person. `tries`: answers asked for."""

    def __init__(self, reason: str, tries: int = 0) -> None:
        super().__init__(reason)
        self.tries = tries


class Frozen(Protocol):
    """Shows a strategy what it needs of a pass."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """Returns the messages that are consolidated."""
        ...

    @property
    def earlier(self) -> tuple[Message, ...]:
        """Returns the messages before them, in which quoted text may stand."""
        ...

    @property
    def memory_text(self) -> str:
        """Returns the text of MEMORY.md as it is."""
        ...


class ConsolidationStrategy(Protocol):
    """Consolidates in one way."""

    log: Path
    """The history log."""
    log_path: str
    """The same relative to the workspace, "" for memory/HISTORY.md."""

    async def answer(self, provider: Any, model: str, frozen: Frozen, budget: int, asks_again: AsksAgain) -> Verdict:
        """Asks the model for what is to be written; `budget`: the tokens that the messages may take in the request.
        `asks_again` is told before each further try. Raises ConsolidationGivenUp and what the provider raises."""
        ...

    def entry(self, text: str, session_key: str, messages: Sequence[Message]) -> bytes:
        """Returns the bytes to add to the log for an entry about these messages. Raises StorageError."""
        ...

    def raw(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Returns an entry that holds the messages as they are; "" where none says anything."""
        ...


class TwoLayerStrategy:
    """Consolidates the two-layer way: `save_memory`. Three answers that cannot be used, and the messages wait.

    An answer in another form than asked for is not asked for so again: the next way is tried.
    """

    def __init__(
        self,
        history_file: Path,
        keys: Callable[[], Collection[str]],
        clock: Callable[[], datetime],
        modes: OutputModes,
        disk: Disk,
        is_forgotten: Callable[[str], bool] = lambda _: False,
        others: Callable[[], Mapping[str, str]] = dict,
        rejected: TellsRejections = lambda *_, **__: (),
        compare: Callable[[str, str], Awaitable[None]] | None = None,
    ) -> None:
        """`disk`: answers are judged on its thread, as that may take longer than a window may pause. `is_forgotten`:
        whether the person had a line forgotten, which then came back. `others` gives the memory texts, by path, that
        no line of MEMORY.md may disagree with; `rejected` what is told of facts that the person rejected; `compare`
        is given memory before and after, to know rejected facts in it by their meaning."""
        self.log = history_file
        self.log_path = ""
        self._requests = StructuredRequests()
        self._modes = modes
        self._keys = keys
        self._clock = clock
        self._disk = disk
        self._is_forgotten = is_forgotten
        self._others = others
        self._rejected = rejected
        self._compare = compare

    async def answer(self, provider: Any, model: str, frozen: Frozen, budget: int, asks_again: AsksAgain) -> Verdict:
        # What no longer holds, and what was forgotten, is shown to no model, and kept all the same.
        memory = await self._disk.run(self._shown, frozen.memory_text)
        messages = await self._disk.run(results_with_marks, frozen.messages, self._is_forgotten)
        window, fence = context_window(provider, model), new_fence()
        brief = is_small_context(window)
        read = "\n".join(format_lines(frozen.messages))
        rejected = await self._disk.run(partial(self._rejected, read, self._keys(), brief=brief))
        modes = list(await self._modes.order(provider, model))
        problem = complaint = ""
        tries = cuts = 0
        looped = False
        tried: list[OutputMode] = []
        while tries < _TRIES and modes:
            keys, mode = self._keys(), modes[0]
            asked = consolidation_messages(
                memory,
                messages,
                line_limit=budget * _LINE_SHARE,
                fence=fence,
                problem=complaint,
                known=keys,
                mode=mode,
                brief=brief,
                rejected=rejected,
            )
            if tries:
                asks_again(tries + 1, problem)
            wanted = replace(_bounded_save_memory(window, memory), known=memory)
            room = AnswerRoom.of(window, asked, memory)
            try:
                response = await self._requests.ask(
                    provider, model, asked, wanted, mode, room=room, cuts=cuts, after_loop=looped
                )
            except OutputModeRefused as refused:
                problem = problem or f"The provider does not take this way of asking: {refused}"
                complaint = ""
                modes.pop(0)
                continue
            tries += 1
            tried.append(mode)
            verdict = await self._disk.run(
                judge,
                response,
                memory,
                sources=sources_of(frozen.messages, frozen.earlier),
                known=keys,
                instructions=instructions_of(asked),
                mend=mend,
            )
            if verdict.kind != "retry":
                if self._compare is not None:
                    await self._compare(memory, verdict.memory_update)
                verdict = await self._disk.run(
                    self._with_disagreements, verdict, memory, sources_of(frozen.messages).spoken
                )
                await self._modes.remember(provider, model, mode)
                return _with_modes(_with_unshown(verdict, memory, frozen.memory_text), response, model, tried)
            problem = complaint = " ".join(verdict.reasons)
            looped = response.finish_reason == LOOPED
            cuts += response.finish_reason in CUT_OFF
            log.warning("consolidation answer %d (%s) could not be used: %s", tries, mode.value, problem)
            if len(modes) > 1 and (verdict.misses_form or tried.count(mode) > 1):
                # What was no answer twice, though it was told why, is asked for in another way too.
                # Asked in another way it is not its own mistake any more.
                complaint = ""
                modes.pop(0)
        raise ConsolidationGivenUp(problem, tries)

    def _with_disagreements(self, verdict: Verdict, memory: str, spoken: str) -> Verdict:
        """Returns the verdict, which has the person decide where the update disagrees with what stands."""
        if verdict.kind == "nochange":
            return verdict
        proposal = Proposal(verdict.memory_update, verdict.reasons)
        proposal = checked(memory, proposal, self._clock().date(), spoken, self._others())
        kind = "review" if proposal.reasons else "ok"
        return replace(verdict, kind=kind, memory_update=proposal.text, reasons=proposal.reasons)

    def _shown(self, memory: str) -> str:
        return without_forgotten(without_struck(memory), self._is_forgotten)[0]

    def entry(self, text: str, session_key: str, messages: Sequence[Message]) -> bytes:
        times = [message_time(message.get("timestamp")) for message in messages]
        return entry_bytes(dated_entry(text, times, self._clock()), self.log)

    def raw(self, messages: Sequence[Mapping[str, Any]]) -> str:
        return mask_secrets(raw_entry(messages), self._keys())


def _bounded_save_memory(window: int, memory: str) -> RequestedOutput:
    """Returns what is asked for, its texts no longer than a small context has room for."""
    if not is_small_context(window):
        return _SAVE_MEMORY
    most = {"history_entry": window // _ENTRY_SHARE, "memory_update": len(memory) + window // _GROWTH_SHARE}
    return replace(_SAVE_MEMORY, schema=bounded_schema(_SAVE_MEMORY.schema, most))


def _bounded_lines(window: int) -> RequestedOutput:
    """Returns the lines that are asked for, as many and as long as a small context has room for."""
    if not is_small_context(window):
        return _LINES
    most = {"lines": max(2, window // _JOURNAL_LINES_SHARE), "lines.": window // _LINE_OF_JOURNAL_SHARE}
    return replace(_LINES, schema=bounded_schema(_LINES.schema, most))


def _with_modes(verdict: Verdict, response: LLMResponse, model: str, tried: Sequence[OutputMode]) -> Verdict:
    """Returns the verdict with the ways in which the model was asked, the last of them for this response."""
    if is_built_in(model):
        return verdict
    is_called = any(SAVE_MEMORY_OBJECT.is_called(call.name) for call in response.tool_calls or ())
    as_text = [AnswerCleanup.AS_TEXT] if tried[-1] is OutputMode.TOOL and not is_called else []
    return replace(verdict, asked=_in_order(tried), cleaned=(*as_text, *verdict.cleaned))


def _in_order(tried: Sequence[OutputMode]) -> tuple[str, ...]:
    """Returns each way once, in the order in which it was tried last."""
    return tuple(reversed(dict.fromkeys(mode.value for mode in reversed(tried))))


def _with_unshown(verdict: Verdict, shown: str, memory: str) -> Verdict:
    """Returns the verdict on a text that was `shown` without the struck and the forgotten lines of `memory`, with these
    in their places."""
    if shown == memory:
        return verdict
    merge = merge_memory(shown, memory, verdict.memory_update, rewrites=True)
    seen = set(shown.split("\n"))
    unshown = [line for line in memory.split("\n") if line not in seen]
    apart = "\n".join([verdict.memory_update.rstrip("\n"), *unshown]) + "\n"
    return replace(verdict, memory_update=apart if merge.conflicts else merge.text)


class JournalStrategy:
    """Consolidates Dream's way: fact lines. Three answers that cannot be used, and the messages themselves are kept, in
    full."""

    def __init__(
        self,
        journal: Journal,
        keys: Callable[[], Collection[str]],
        modes: OutputModes,
        disk: Disk,
        is_forgotten: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`is_forgotten`: whether the person had a line forgotten: of what tools gave, a model is not shown it."""
        self._is_forgotten = is_forgotten
        self._requests = StructuredRequests()
        self._modes = modes
        self.log = journal.file
        self.log_path = JOURNAL_PATH
        self._journal = journal
        self._keys = keys
        self._disk = disk

    async def answer(self, provider: Any, model: str, frozen: Frozen, budget: int, asks_again: AsksAgain) -> Verdict:
        """Answers as the protocol says; raises ContextTooLong only."""
        window, fence = context_window(provider, model), new_fence()
        messages = await self._disk.run(results_with_marks, frozen.messages, self._is_forgotten)
        modes = list(await self._modes.order(provider, model, JOURNAL_TASK))
        wanted = _bounded_lines(window)
        problem = ""
        looped = False
        cuts = 0
        tried: list[OutputMode] = []
        for number in range(1, _TRIES + 1):
            mode = modes[0]
            if number > 1:
                asks_again(number, problem)
            asked = journal_messages(
                messages,
                line_limit=budget * _LINE_SHARE,
                fence=fence,
                problem=problem,
                known=self._keys(),
                mode=mode,
                brief=is_small_context(window),
            )
            room = AnswerRoom.of(window, asked)
            try:
                response = await self._requests.ask(
                    provider, model, asked, wanted, mode, room=room, cuts=cuts, after_loop=looped
                )
                tried.append(mode)
                verdict = await self._disk.run(
                    judge_summary, response, instructions=instructions_of(asked), spoken=_spoken(frozen), mend=mend
                )
            except ContextTooLong:
                raise
            except OutputModeRefused as refused:
                problem = str(refused)
                modes = modes[1:] or [OutputMode.TEXT]
            except MnemoscopeError as error:
                problem = error.sentence
            except Exception as error:  # noqa: BLE001 - whatever a provider does, the chat goes on
                problem = f"The model could not be asked: {reason_of(error)}"
            else:
                if verdict.kind != "retry":
                    if verdict.kind == "ok":
                        await self._modes.remember(provider, model, mode, JOURNAL_TASK)
                    asked_in = () if is_built_in(model) else _in_order(tried)
                    summary = await self._disk.run(self._marked_summary, verdict.summary, frozen)
                    return Verdict("nochange", summary, asked=asked_in, cleaned=verdict.cleaned)
                problem = verdict.reason
                looped = response.finish_reason == LOOPED
                cuts += response.finish_reason in CUT_OFF
                # What was no summary is asked for in another way, and in each before one is tried again.
                modes = [*modes[1:], mode]
            log.warning("summary %d of %d could not be used: %s", number, _TRIES, problem)
        return Verdict("nochange", self.raw(frozen.messages), reasons=(problem,))

    def entry(self, text: str, session_key: str, messages: Sequence[Message]) -> bytes:
        return self._journal.line(self._journal.next_entry(text, session_key=session_key))

    def raw(self, messages: Sequence[Mapping[str, Any]]) -> str:
        return mask_secrets(raw_content(messages), self._keys())

    def _marked_summary(self, summary: str, frozen: Frozen) -> str:
        """Returns the summary without keys; a line that only a tool or file supports says so, for Dream's gate."""
        evidence = Evidence(sources_of(frozen.messages, frozen.earlier), "")
        lines = mask_secrets(summary, self._keys()).split("\n")
        if evidence.is_needed:
            lines = [f"{line.rstrip()} {QUOTED_MARK}" if _is_quoted(line, evidence) else line for line in lines]
        return "\n".join(lines)


def _spoken(frozen: Frozen) -> str:
    return "\n".join(format_lines(frozen.messages))


def _is_quoted(line: str, evidence: Evidence) -> bool:
    match = FACT_LINE.match(line.strip())
    # A model may leave the form of fact lines; what it says then needs the person's word no less.
    fact = match[2] if match else line.strip()
    return bool(fact) and evidence.missing(fact) != ""


class StrategyChoice:
    """Chooses between the two ways of consolidating: as `use_journal` said last or, until it is called, as the profile
    of the workspace says."""

    def __init__(self, paths: WorkspacePaths, two_layer: TwoLayerStrategy, journal: JournalStrategy) -> None:
        self._paths = paths
        self._two_layer = two_layer
        self._journal = journal
        self._wanted: bool | None = None

    def use_journal(self, wanted: bool) -> None:
        """Consolidates into history.jsonl from now on, as Dream wants it, or into HISTORY.md and MEMORY.md."""
        self._wanted = wanted

    def is_journal(self) -> bool:
        """Returns whether history.jsonl is written. Reads config.json where nobody said it."""
        if self._wanted is None:
            profile = inspect_workspace(self._paths.root).profile
            settings = SettingsStore(self._paths, profile=profile, read_only=True).load()
            self._wanted = settings.profile == DREAM
        return self._wanted

    def current(self) -> ConsolidationStrategy:
        """Returns the strategy that is in force."""
        return self._journal if self.is_journal() else self._two_layer
