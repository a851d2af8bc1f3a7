"""One conversation between Dream and a model: it asks, the tools edit copies, and nothing is written here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.dream.files import DREAM_TOOLS, DreamFiles
from mnemoscope.domain.dream.run import IDLE_ROUNDS, Outcome, Spend
from mnemoscope.domain.llm import LLMProvider, LLMResponse, ToolCallRequest
from mnemoscope.domain.settings import is_built_in

ANSWER_TOKENS: Final = 4_096
STOPPED: Final = "Stopped by you."
_REASONS: Final[Mapping[str, str]] = {
    "length": "The answer was cut off at its length limit.",
    "content_filter": "The provider withheld the answer.",
    "error": "The provider answered with an error.",
}


@dataclass(frozen=True, slots=True)
class DreamLimits:
    """Limits what one run may take: rounds of asking, and tokens both ways (0: no limit)."""

    rounds: int = 10
    tokens: int = 0
    reached: str = ""
    """What is said where the tokens are spent, a sentence; "" for that of one run."""


@dataclass(frozen=True, slots=True)
class DreamProgress:
    """Progress: how many rounds were asked, what they cost, what was done last."""

    rounds: int
    spend: Spend
    last: str


@dataclass(frozen=True, slots=True)
class DreamAnswer:
    """Says how the conversation ended. `outcome` is `nothing` if it came to a good end: the files say what changed."""

    outcome: Outcome
    rounds: int
    spend: Spend
    words: str = ""
    reason: str = ""


class DreamSession:
    """Asks until the model has nothing more to do, or a limit is reached."""

    def __init__(
        self,
        provider: LLMProvider,
        model: str,
        files: DreamFiles,
        limits: DreamLimits,
        *,
        on_progress: Callable[[DreamProgress], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._provider = provider
        self._model = model
        self._files = files
        self._limits = limits
        self._on_progress = on_progress
        self._stopped = stopped
        self._spend = Spend()
        self._rounds = self._idle = 0

    async def run(self, messages: Sequence[Message]) -> DreamAnswer:
        """See it through. Raises what the provider raises."""
        asked = list(messages)
        while True:
            if ended := self._limit():
                return ended
            response = await self._provider.chat(asked, DREAM_TOOLS, self._model, max_tokens=ANSWER_TOKENS)
            self._rounds += 1
            self._spend = self._spend.plus(self._usage(asked, response), response.cost)
            if response.finish_reason in _REASONS:
                return self._end("cut", reason=_REASONS[response.finish_reason])
            if not response.has_tool_calls:
                words = (response.content or "").strip()
                if not words and self._rounds == 1:
                    return self._end("cut", reason="The answer was empty.")
                return self._end("nothing", words=words)
            asked += self._round(response)

    def _usage(self, asked: Sequence[Message], response: LLMResponse) -> Mapping[str, int]:
        """Returns what an answer took; about that where a server does not say, or no limit would ever be reached."""
        if response.usage or is_built_in(self._model):
            return response.usage
        said = estimate_tokens(response.content or "") + sum(estimate_tokens(str(c)) for c in response.tool_calls)
        return {"prompt_tokens": sum(map(estimate_message, asked)), "completion_tokens": said}

    def broken_off(self, outcome: Outcome, reason: str) -> DreamAnswer:
        """Returns how it ended where it was not seen through, with what it cost until then."""
        return self._end(outcome, reason=reason)

    def _limit(self) -> DreamAnswer | None:
        if self._stopped():
            return self._end("stopped", reason=STOPPED)
        if self._idle >= IDLE_ROUNDS:
            return self._end("stuck", reason=f"{IDLE_ROUNDS} rounds in a row changed nothing.")
        if self._rounds >= self._limits.rounds:
            return self._end("stuck", reason=f"It was not done after {self._rounds} rounds.")
        if 0 < self._limits.tokens <= self._spend.tokens:
            reason = self._limits.reached or f"The limit of {self._limits.tokens:,} tokens a run was reached."
            return self._end("capped", reason=reason)
        return None

    def _round(self, response: LLMResponse) -> list[Message]:
        """Do what the model asked for; the messages that tell it so."""
        asking: Message = {
            "role": "assistant",
            "content": response.content or "",
            "tool_calls": [_as_message(call) for call in response.tool_calls],
        }
        results: list[Message] = []
        moved = False
        for call in response.tool_calls:
            said = self._do(call)
            # Reading is no progress: a model that only reads goes round in circles.
            moved = moved or (self._files.succeeded and call.name != "read_file")
            results.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": said})
            self._on_progress(DreamProgress(self._rounds, self._spend, said.partition("\n")[0][:200]))
        self._idle = 0 if moved else self._idle + 1
        return [asking, *results]

    def _do(self, call: ToolCallRequest) -> str:
        arguments = _arguments(call.arguments)
        self._files.succeeded = False
        if arguments is None:
            return "Nothing was changed: the arguments are no object of texts."
        given = {name: arguments.get(name, "") for name in ("path", "old_text", "new_text", "content")}
        if not all(isinstance(value, str) for value in given.values()):
            return "Nothing was changed: every argument has to be text."
        path = given["path"].removeprefix("./")
        if call.name == "read_file":
            return self._files.read(path)
        if call.name == "edit_file":
            return self._files.edit(path, given["old_text"], given["new_text"])
        if call.name == "write_file":
            return self._files.write(path, given["content"])
        return f"There is no tool {call.name[:80]}. There are read_file, edit_file and write_file."

    def _end(self, outcome: Outcome, *, words: str = "", reason: str = "") -> DreamAnswer:
        return DreamAnswer(outcome, self._rounds, self._spend, words, reason)


def _as_message(call: ToolCallRequest) -> dict[str, Any]:
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _arguments(given: Any) -> Mapping[str, Any] | None:
    """Returns a tool call's arguments: a dict, JSON text, or a list of one dict."""
    if isinstance(given, str):
        try:
            given = json.loads(given or "{}")
        except (ValueError, RecursionError):
            return None
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    return given if isinstance(given, Mapping) else None
