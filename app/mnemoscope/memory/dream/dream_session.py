"""Asks a model for the edits of one run of Dream, in an output mode that the model supports. It writes no file.

By tool calls the model edits copies of the files one by one; by a schema, or in its text, it answers with one object
that has all edits. Where an answer has another form than asked for, the next mode is tried.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup
from mnemoscope.domain.answers.answer_reading import (
    JsonRepair,
    Mend,
    NoStructuredAnswer,
    no_mending,
    note_taken,
    strict_or_mended,
)
from mnemoscope.domain.answers.repetition import LOOPED
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.dream.edits import EDITS_NAME, MOST_EDITS, GivenEdits, edits_schema, make_edits, read_edits
from mnemoscope.domain.dream.files import DREAM_TOOLS, FINISH, DreamFiles, plain_path
from mnemoscope.domain.dream.run import IDLE_ROUNDS, RunOutcome, Spend
from mnemoscope.domain.llm import LLMProvider, LLMResponse, OutputMode, ToolCallRequest, is_small_context
from mnemoscope.domain.settings import is_built_in
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

log = logging.getLogger(__name__)
_EDIT_SHARE: Final = 1_024
"""Of a small context, so many tokens have room for one edit, and one character of its texts each for:"""
_OLD_SHARE, _NEW_SHARE, _SUMMARY_SHARE = 32, 20, 40
_TRIES: Final = 3
"""Answers that could not be used, in whichever way, after which a run ends."""
STOPPED: Final = "Stopped by you."
_WITHHELD: Final[Mapping[str, str]] = {
    "content_filter": "The provider withheld the answer.",
    "error": "The provider answered with an error.",
}
_CUT: Final[Mapping[str, str]] = {
    "length": "The answer was cut off at its length limit.",
    LOOPED: "The answer said the same again and again, and was stopped.",
}
_TOOL_NAMES: Final = frozenset(tool["function"]["name"] for tool in DREAM_TOOLS)
_QUIET: Final = frozenset({"read_file", FINISH})
"""Tools that change nothing."""
AskFor = Callable[[OutputMode, str, bool], Sequence[Message]]
"""Returns what is asked in a way, with why the last answer could not be used, and whether in few words."""


@dataclass(frozen=True, slots=True)
class DreamLimits:
    """Limits what one run may take: rounds of asking, and tokens both ways (0: no limit)."""

    rounds: int = 10
    tokens: int = 0
    reached: str = ""
    """The sentence for where the tokens are spent; "" for that of one run."""


@dataclass(frozen=True, slots=True)
class DreamProgress:
    """Progress: how many rounds were asked, what they cost, what was done last."""

    rounds: int
    spend: Spend
    last: str


@dataclass(frozen=True, slots=True)
class DreamAnswer:
    """Says how the conversation ended. `outcome` is `nothing` if it came to a good end: the files say what changed.

    `asked` are the ways in which the model was asked, the one that was answered last; `worked` is that way if the
    answer shows that the model can take it. `cleaned` is what was done to the answers.
    """

    outcome: RunOutcome
    rounds: int
    spend: Spend
    words: str = ""
    reason: str = ""
    asked: tuple[OutputMode, ...] = ()
    cleaned: tuple[AnswerCleanup, ...] = ()
    worked: OutputMode | None = None


class _NotUsed(Exception):
    """An answer, or all of a round, could not be used; the message says why, as a sentence for a person, and
    `complaint` to the model, "" for in the same words.

    `is_form`: another way of asking may help. `outcome` is how the run ends if it was the last.
    """

    def __init__(
        self,
        problem: str,
        *,
        complaint: str = "",
        is_form: bool = True,
        outcome: RunOutcome = "unusable",
        looped: bool = False,
    ):
        super().__init__(problem)
        self.complaint = complaint or problem
        self.is_form = is_form
        self.outcome = outcome
        self.looped = looped


class DreamSession:
    """Asks until the model has nothing more to do, its answer can be used in no way, or a limit is reached."""

    def __init__(
        self,
        provider: LLMProvider,
        model: str,
        files: DreamFiles,
        limits: DreamLimits,
        *,
        modes: Sequence[OutputMode] = tuple(OutputMode),
        requests: StructuredRequests | None = None,
        facts: int = 0,
        on_progress: Callable[[DreamProgress], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """`modes`: those of an answer, in the order of trying. `facts`: how many there are to read, 0 where
        unknown."""
        self._provider = provider
        self._model = model
        self._files = files
        self._limits = limits
        self._modes = list(modes)
        self._requests = requests or StructuredRequests()
        self._facts = facts
        self._on_progress = on_progress
        self._stopped = stopped
        self._spend = Spend()
        self._rounds = 0
        self._idle = 0
        self._cuts = 0
        self._tried: list[OutputMode] = []
        self._as_text = False
        self._looped = False
        self._is_mended = False
        self._refused = ""
        """The reason that the last edit was refused; "" if none was refused, or another succeeded since."""
        self._window = context_window(provider, model)

    async def run(self, ask: AskFor) -> DreamAnswer:
        """Takes the run to its end. Raises what the provider raises."""
        problem = complaint = ""
        outcome: RunOutcome = "unusable"
        unused = 0
        while self._modes and unused < _TRIES:
            mode = self._modes[0]
            asked = ask(mode, complaint, is_small_context(self._window))
            self._tried = [*(each for each in self._tried if each is not mode), mode]
            try:
                return await (self._by_tools(asked) if mode is OutputMode.TOOL else self._by_object(asked, mode))
            except OutputModeRefused as refused:
                problem = problem or f"The provider does not take this way of asking: {refused}"
                complaint = ""
                self._tried.remove(mode)
                self._modes.pop(0)
            except _NotUsed as unusable:
                unused += 1
                problem, complaint = str(unusable), unusable.complaint
                outcome, self._looped = unusable.outcome, unusable.looped
                log.warning("an answer to Dream (%s) could not be used: %s", mode.value, problem)
                self._files.reset()
                self._idle = 0
                if mode is OutputMode.TOOL or (unusable.is_form and len(self._modes) > 1):
                    # Asked in another way it is not its own mistake any more.
                    complaint = ""
                    self._modes.pop(0)
        return self._end(outcome, reason=problem)

    async def _by_tools(self, messages: Sequence[Message]) -> DreamAnswer:
        """Asks round by round, the model calling tools. Raises _NotUsed where it calls none that changes anything."""
        asked = list(messages)
        wanted = RequestedOutput(DREAM_TOOLS, {}, EDITS_NAME, known=self._known)
        has_called = False
        while True:
            if ended := self._limit():
                return ended
            if self._idle >= IDLE_ROUNDS:
                reason = f"{IDLE_ROUNDS} rounds in a row changed nothing."
                if self._files.changes():
                    return self._end("stuck", reason=reason)
                raise _NotUsed(reason, outcome="stuck")
            response = await self._asked(asked, wanted, OutputMode.TOOL)
            if response.finish_reason in _WITHHELD:
                return self._end("cut", reason=_WITHHELD[response.finish_reason])
            if response.finish_reason in _CUT:
                reason = _CUT[response.finish_reason]
                if has_called:
                    return self._end("cut", reason=reason)
                raise _NotUsed(reason, outcome="cut", looped=response.finish_reason == LOOPED)
            if not response.has_tool_calls:
                return self._without_calls(response, has_called)
            asked += self._round(response)
            has_called = has_called or any(call.name in _TOOL_NAMES for call in response.tool_calls)
            is_quiet = all(call.name in _QUIET for call in response.tool_calls)
            if (summary := _finished(response)) is not None and (is_quiet or not self._refused):
                return self._end("nothing", words=summary, worked=OutputMode.TOOL)

    def _without_calls(self, response: LLMResponse, has_called: bool) -> DreamAnswer:
        """Returns the end of a conversation in which the model calls no tool any more.

        One that never called one may be one that cannot: its words are no answer, but for calls that stand in them.
        """
        words = (response.content or "").strip()
        if has_called and self._refused and not self._files.changes():
            raise _NotUsed(self._refused)
        if has_called or (is_built_in(self._model) and words):
            return self._end("nothing", words=words, worked=OutputMode.TOOL)
        if not words:
            raise _NotUsed("The answer was empty.")
        return self._taken(response, OutputMode.TOOL)

    async def _by_object(self, messages: Sequence[Message], mode: OutputMode) -> DreamAnswer:
        """Asks once for all edits. Raises _NotUsed."""
        if ended := self._limit():
            return ended
        schema = self._schema()
        response = await self._asked(messages, RequestedOutput((), schema, EDITS_NAME, known=self._known), mode)
        if response.finish_reason in _WITHHELD:
            return self._end("cut", reason=_WITHHELD[response.finish_reason])
        if response.finish_reason in _CUT:
            looped = response.finish_reason == LOOPED
            raise _NotUsed(_CUT[response.finish_reason], is_form=not looped, outcome="cut", looped=looped)
        return self._taken(response, mode)

    def _schema(self) -> Mapping[str, Any]:
        """Returns the schema of all edits; in a small context bounded, so that an answer ends within its room."""
        schema = closed_schema(edits_schema(tuple(self._files.before)))
        if not is_small_context(self._window):
            return schema
        most = {
            "edits": max(1, min(self._facts or MOST_EDITS, self._window // _EDIT_SHARE)),
            "old": self._window // _OLD_SHARE,
            "new": self._window // _NEW_SHARE,
            "summary": self._window // _SUMMARY_SHARE,
        }
        return bounded_schema(schema, most)

    def _taken(self, response: LLMResponse, mode: OutputMode) -> DreamAnswer:
        """Makes the edits that an answer holds. Raises _NotUsed where it holds none, or none could be made."""
        try:
            given: GivenEdits = read_edits(response, mend)
        except NoStructuredAnswer as problem:
            raise _NotUsed(str(problem), is_form=problem.is_form) from None
        made = make_edits(self._files, given)
        if made.refused and not made.made:
            raise _NotUsed(made.problem(), complaint=made.complaint(), is_form=False)
        self._as_text, self._is_mended = given.as_text, self._is_mended or given.is_mended
        progress = made.problem() or f"{made.made} edits"
        self._on_progress(DreamProgress(self._rounds, self._spend, progress[:200]))
        # That nothing is worth keeping shows no more than that the model was right to say so before.
        worked = mode if made.made or self._tried == [mode] else None
        return self._end("nothing", words=given.words, reason=made.problem(), worked=worked)

    async def _asked(self, asked: Sequence[Message], wanted: RequestedOutput, mode: OutputMode) -> LLMResponse:
        room = AnswerRoom.of(self._window, asked)
        response = await self._requests.ask(
            self._provider, self._model, asked, wanted, mode, room=room, cuts=self._cuts, after_loop=self._looped
        )
        self._cuts += response.finish_reason in CUT_OFF
        self._rounds += 1
        self._spend = self._spend.plus(self._usage(asked, response), response.cost)
        return response

    @property
    def _known(self) -> str:
        return "\n".join(self._files.before.values())

    def _usage(self, asked: Sequence[Message], response: LLMResponse) -> Mapping[str, int]:
        """Returns what an answer took; about that where a server does not say, or no limit would ever be reached."""
        if response.usage or is_built_in(self._model):
            return response.usage
        said = estimate_tokens(response.content or "") + sum(estimate_tokens(str(c)) for c in response.tool_calls)
        return {"prompt_tokens": sum(map(estimate_message, asked)), "completion_tokens": said}

    def broken_off(self, outcome: RunOutcome, reason: str) -> DreamAnswer:
        """Returns how it ended where it was not seen through, with what it cost until then."""
        return self._end(outcome, reason=reason)

    def _limit(self) -> DreamAnswer | None:
        if self._stopped():
            return self._end("stopped", reason=STOPPED)
        if self._rounds >= self._limits.rounds:
            return self._end("stuck", reason=f"It was not done after {self._rounds} rounds.")
        if 0 < self._limits.tokens <= self._spend.tokens:
            reason = self._limits.reached or f"The limit of {self._limits.tokens:,} tokens a run was reached."
            return self._end("capped", reason=reason)
        return None

    def _round(self, response: LLMResponse) -> list[Message]:
        """Does what the model asked for; returns the messages that tell it so."""
        answer: Message = {
            "role": "assistant",
            "content": response.content or "",
            "tool_calls": [_as_message(call) for call in response.tool_calls],
        }
        results: list[Message] = []
        moved = False
        for call in response.tool_calls:
            said = self._do(call)
            # Reading is no progress: a model that only reads goes round in circles.
            if call.name not in _QUIET:
                moved = moved or self._files.succeeded
                self._refused = "" if self._files.succeeded or self._files.stood else self._files.why or said
            results.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": said})
            shown = (self._files.why or said).partition("\n")[0]
            self._on_progress(DreamProgress(self._rounds, self._spend, shown[:200]))
        self._idle = 0 if moved else self._idle + 1
        return [answer, *results]

    def _do(self, call: ToolCallRequest) -> str:
        mending = JsonRepair(mend)
        arguments = _arguments(call.arguments, mending)
        self._is_mended = self._is_mended or mending.was_needed
        self._files.begin()
        if arguments is None:
            return "Nothing was changed: the arguments are no object of texts."
        given = {name: arguments.get(name, "") for name in ("path", "old_text", "new_text", "content")}
        if not all(isinstance(value, str) for value in given.values()):
            return "Nothing was changed: every argument has to be text."
        if call.name == FINISH:
            return "Noted."
        path = plain_path(given["path"])
        if call.name == "read_file":
            return self._files.read(path)
        if call.name == "edit_file":
            return self._files.edit(path, given["old_text"], given["new_text"])
        if call.name == "write_file":
            return self._files.write(path, given["content"])
        return f"There is no tool {call.name[:80]}. There are read_file, edit_file, write_file and finish."

    def _end(
        self, outcome: RunOutcome, *, words: str = "", reason: str = "", worked: OutputMode | None = None
    ) -> DreamAnswer:
        how = [(AnswerCleanup.AS_TEXT, self._as_text), (AnswerCleanup.MENDED, self._is_mended)]
        cleaned = (*self._files.cleaned, *(kind for kind, was_so in how if was_so))
        asked = () if is_built_in(self._model) else tuple(self._tried)
        return DreamAnswer(
            outcome=outcome,
            rounds=self._rounds,
            spend=self._spend,
            words=words,
            reason=reason,
            asked=asked,
            cleaned=cleaned,
            worked=worked,
        )


def _finished(response: LLMResponse) -> str | None:
    """Returns the words with which a model says that it is done, or None if it does not."""
    for call in response.tool_calls:
        if call.name == FINISH:
            summary = (_arguments(call.arguments) or {}).get("summary")
            return summary.strip() if isinstance(summary, str) else ""
    return None


def _as_message(call: ToolCallRequest) -> dict[str, Any]:
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _arguments(given: Any, mend: Mend = no_mending) -> Mapping[str, Any] | None:
    """Returns a tool call's arguments: a dict, JSON text, mended where it has to be, or a list of one dict."""
    if isinstance(given, str):
        text = given.strip() or "{}"
        try:
            given = strict_or_mended(text, mend)
        except (ValueError, RecursionError):
            return None
        note_taken(text, mend)
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    return given if isinstance(given, Mapping) else None
