"""One request to litellm runs inside the model process: retries, fallbacks, a watchdog, and fragments that are joined.

litellm comes as an argument, so that nothing here imports it.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from types import TracebackType
from typing import Any, Final, Self

from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.classification import classify
from mnemoscope.llm.model_process.last_response import LastResponse, watch_response
from mnemoscope.llm.model_process.model_request import Emit, ModelRequest, RequestFailed, wait_before_retry

_WHOLE_ANSWER_SECONDS: Final = 600.0
"""The limit where an answer can only be had whole, so that no piece shows that it is coming."""
_SILENCE_TURNS: Final = 20
_ALTERNATE: Final = re.compile(r"\b(?:must|should) alternate\b")
_OPENAI_SPEAKERS: Final = frozenset(
    {"openai", "hosted_vllm", "lm_studio", "llamafile", "openrouter", "deepseek", "groq", "together_ai", "fireworks_ai"}
)


async def model_traits(litellm: Any, ask: ModelRequest) -> dict[str, Any]:
    """Returns whether a model calls tools, takes a schema and takes images, the tokens that it reads and the prices of
    a token, as litellm's own table says; None where it is not in it. The table is read as data: litellm's functions for
    it ask some servers."""
    name = str(ask["traits"])
    table: Mapping[str, Mapping[str, Any]] = litellm.model_cost
    found = table.get(name) or (table.get(name.partition("/")[2]) if "/" in name else None)
    if found is None:
        return {"tools": None, "schema": None}
    context = found.get("max_input_tokens")
    return {
        "tools": bool(found.get("supports_function_calling")),
        "schema": bool(found.get("supports_response_schema")),
        "images": bool(found.get("supports_vision")),
        "context": context if isinstance(context, int) else 0,
        "input_price": _price(found.get("input_cost_per_token")),
        "output_price": _price(found.get("output_cost_per_token")),
    }


def _price(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


@dataclass
class _OpenCall:
    index: int
    id: str
    name: str
    arguments: str


class ToolCallJoiner:
    """Joins fragments as OpenAI streams them: `{"index", "id", "function": {"name", "arguments"}}`, any part left out.

    Fragments of one index belong together. Servers that give every call the index 0 start each with an id of its own;
    servers that leave the index out mean the last call, unless they bring a new id.
    """

    def __init__(self) -> None:
        self._calls: list[_OpenCall] = []

    def add(self, fragments: Iterable[Mapping[str, Any]]) -> None:
        """Takes the `tool_calls` of one chunk."""
        for fragment in fragments:
            function = fragment.get("function") or {}
            call = self._call_of(fragment.get("index"), str(fragment.get("id") or ""))
            call.name = call.name or str(function.get("name") or "")
            arguments = function.get("arguments")
            if arguments:
                call.arguments += arguments if isinstance(arguments, str) else str(arguments)

    def joined(self) -> list[dict[str, str]]:
        """Returns `{"id", "name", "arguments"}` of each call that has a name, in order; a missing id is made up."""
        return [
            {"id": call.id or f"call_{place}", "name": call.name, "arguments": call.arguments}
            for place, call in enumerate(self._calls)
            if call.name
        ]

    def _call_of(self, index: object, call_id: str) -> _OpenCall:
        place = index if isinstance(index, int) else (self._calls[-1].index if self._calls else 0)
        for call in reversed(self._calls):
            if call.index == place and (not call_id or not call.id or call.id == call_id):
                call.id = call.id or call_id
                return call
        self._calls.append(_OpenCall(place, call_id, "", ""))
        return self._calls[-1]


class SilenceLimit:
    """Ends its with block with TimeoutError after `seconds` without a `heard`, counted in turns of the event loop.

    What a plain timeout would count as the server's silence may be this process's own: the first request imports for a
    while, a busy computer gives it no turn, a lid was closed. Only the time between two turns counts, and each for no
    more than it was meant to take.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds
        self._timeout = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle | None = None

    def heard(self, seconds: float) -> None:
        """Notes that something arrived; from now on the limit is `seconds`."""
        is_other, self._seconds, self._left = seconds != self._seconds, seconds, seconds
        if is_other:
            self._rest()
            self._wait()

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rest()
        await self._timeout.__aexit__(kind, error, trace)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        turn = self._seconds / _SILENCE_TURNS
        self._timer = asyncio.get_running_loop().call_later(turn, self._count, turn)

    def _count(self, turn: float) -> None:
        self._left -= turn
        if self._left > turn / 2:
            self._wait()
        else:
            self._timer = None
            self._timeout.reschedule(asyncio.get_running_loop().time())


@dataclass
class _Answer:
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: ToolCallJoiner = field(default_factory=ToolCallJoiner)
    finish_reason: str | None = None
    usage: dict[str, int] = field(default_factory=dict)

    @property
    def has_begun(self) -> bool:
        return bool(self.text or self.reasoning)


class Completion:
    """Runs one request. `emit` takes `{"text"}`, `{"reasoning"}` and `{"call"}` pieces, and `{"waiting", "reason"}`
    before another try."""

    def __init__(self, litellm: Any, ask: ModelRequest, emit: Emit) -> None:
        self._litellm = litellm
        self._ask = ask
        self._emit = emit
        self._without: set[str] = set()

    async def run(self) -> dict[str, Any]:
        """Returns the whole answer as `{"content", "reasoning", "calls", "finish_reason", "usage", "cost"}`. Raises
        RequestFailed."""
        tries = 1
        while True:
            answer = _Answer()
            with watch_response() as heard:
                try:
                    return await self._once(answer, heard)
                except RequestFailed as failed:
                    failure = heard.refine(failed.failure, has_ended=True)
                except Exception as error:  # noqa: BLE001 - whatever a provider's adapter raises is a failed request
                    failure = heard.refine(classify(error, secret=str(self._ask.get("api_key") or "")))
            if answer.has_begun:
                kind = failure.kind if failure.kind == "idle" else "cut"
                raise RequestFailed(Failure(kind, failure.status, failure.detail)) from None
            if self._give_up_part(failure) or self._give_up_stream(heard):
                continue
            await wait_before_retry(self._ask, tries, failure, self._emit)
            tries += 1

    def _give_up_part(self, failure: Failure) -> bool:
        """Returns whether the server refuses a part of the request that can be done without; each part is given up
        once."""
        if _ALTERNATE.search(failure.detail) and "runs" not in self._without:
            # What templates of several local models say, with a status of either kind.
            self._without.add("runs")
            return True
        if failure.kind != "request":
            return False
        for part in ("stream_options", "reasoning_content", "temperature", "frequency_penalty", "stream"):
            if part in failure.detail and part not in self._without:
                self._without.add(part)
                return True
        return False

    def _give_up_stream(self, heard: LastResponse) -> bool:
        """Returns whether the server answers in one piece whatever it is asked for; it is asked for that then."""
        if "stream" in self._without or not heard.is_whole_answer:
            return False
        self._without.add("stream")
        return True

    async def _once(self, answer: _Answer, heard: LastResponse) -> dict[str, Any]:
        if "stream" in self._without:
            self._take_whole(await self._litellm.acompletion(**self._arguments()), answer)
        else:
            await self._take_stream(answer, heard)
        return self._result(answer)

    def _arguments(self) -> dict[str, Any]:
        ask, streams = self._ask, "stream" not in self._without
        arguments: dict[str, Any] = {
            "model": ask["model"],
            "messages": self._messages(),
            "max_tokens": ask["max_tokens"],
            "temperature": ask["temperature"],
            "timeout": self._timeout(streams),
            "num_retries": 0,
            "max_retries": 0,
            "stream": streams,
        }
        if streams:
            arguments["stream_options"] = {"include_usage": True}
        if ask.get("tools"):
            arguments["tools"] = ask["tools"]
            if ask.get("tool_choice") is not None:
                arguments["tool_choice"] = ask["tool_choice"]
        if ask.get("response_format"):
            arguments["response_format"] = ask["response_format"]
        if penalty := ask.get("frequency_penalty"):
            # Ollama has a factor of its own under that name, with which 1 changes nothing.
            is_factor = ask["model"].partition("/")[0] in ("ollama", "ollama_chat")
            arguments["frequency_penalty"] = 1 + penalty / 2 if is_factor else penalty
        arguments |= {name: ask[name] for name in ("api_base", "api_key") if ask.get(name)}
        return {name: value for name, value in arguments.items() if name == "stream" or name not in self._without}

    def _messages(self) -> list[dict[str, Any]]:
        messages = [dict(message) for message in self._ask["messages"]]
        if "reasoning_content" in self._without:
            for message in messages:
                message.pop("reasoning_content", None)
        return list(_without_runs(messages)) if "runs" in self._without else messages

    def _timeout(self, streams: bool) -> Any:
        read = max(self._ask["first_seconds"], self._ask["idle_seconds"]) + 5 if streams else _WHOLE_ANSWER_SECONDS
        return time_limit(read, self._ask["connect_seconds"])

    async def _take_stream(self, answer: _Answer, heard: LastResponse) -> None:
        limit = self._ask["first_seconds"]
        response: Any = None
        try:
            async with SilenceLimit(limit) as silence:
                response = await self._litellm.acompletion(**self._arguments())
                async for chunk in response:
                    self._take_chunk(chunk, answer)
                    limit = self._ask["idle_seconds"]
                    silence.heard(limit)
        except TimeoutError:
            raise RequestFailed(Failure("idle", detail=f"nothing in {limit:g} s")) from None
        finally:
            # Closing is what makes the server stop writing.
            if response is not None:
                with contextlib.suppress(Exception):
                    await response.aclose()
        if heard.holds_no_model and not answer.has_begun and not answer.calls.joined():
            raise RequestFailed(Failure("server", detail="no answer of a model came"))
        self._check_end(response)

    def _take_chunk(self, chunk: Any, answer: _Answer) -> None:
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            answer.usage = token_counts(usage)
        for choice in chunk.choices[:1]:
            delta = choice.delta
            if reasoning := getattr(delta, "reasoning_content", None):
                answer.reasoning.append(reasoning)
                self._emit({"reasoning": reasoning})
            if text := getattr(delta, "content", None):
                answer.text.append(text)
                self._emit({"text": text})
            if calls := getattr(delta, "tool_calls", None):
                fragments = [_plain(call) for call in calls]
                answer.calls.add(fragments)
                if arguments := "".join(str((each.get("function") or {}).get("arguments") or "") for each in fragments):
                    self._emit({"call": arguments})
            answer.finish_reason = choice.finish_reason or answer.finish_reason

    def _check_end(self, response: Any) -> None:
        """Raises RequestFailed if the server gave no finish reason, for litellm makes one up; that is an answer cut
        off."""
        given = getattr(response, "received_finish_reason", None) or getattr(
            response, "intermittent_finish_reason", None
        )
        speaker = getattr(response, "custom_llm_provider", None)
        if given is None and speaker in _OPENAI_SPEAKERS:
            raise RequestFailed(Failure("server", detail="the stream ended without a finish reason"))

    def _take_whole(self, response: Any, answer: _Answer) -> None:
        choice = response.choices[0]
        message = choice.message
        answer.usage = token_counts(getattr(response, "usage", None))
        answer.finish_reason = choice.finish_reason
        for name, kept in (("reasoning_content", answer.reasoning), ("content", answer.text)):
            if piece := getattr(message, name, None):
                kept.append(piece)
                self._emit({"text" if name == "content" else "reasoning": piece})
        for index, call in enumerate(getattr(message, "tool_calls", None) or []):
            answer.calls.add([{**_plain(call), "index": index}])

    def _result(self, answer: _Answer) -> dict[str, Any]:
        calls = answer.calls.joined()
        reason = answer.finish_reason or "stop"
        return {
            "content": "".join(answer.text) or None,
            "reasoning": "".join(answer.reasoning) or None,
            "calls": calls,
            "finish_reason": "tool_calls" if calls and reason in ("stop", "function_call") else reason,
            "usage": answer.usage,
            "cost": known_cost(self._litellm, self._ask, answer.usage),
        }


def time_limit(read_seconds: float, connect_seconds: float) -> Any:
    """Returns for how long the libraries wait for a piece of an answer, and for the connection, as they take it."""
    import httpx

    return httpx.Timeout(read_seconds, connect=connect_seconds)


def known_cost(litellm: Any, ask: ModelRequest, usage: Mapping[str, int]) -> float | None:
    """Returns the cost in US dollars, or None if litellm has no price or the server is one of the person's own."""
    if ask.get("api_base") or not usage:
        return None
    try:
        prompt, completion = litellm.cost_per_token(
            model=ask["model"],
            prompt_tokens=usage.get("prompt_tokens", 0),
            completion_tokens=usage.get("completion_tokens", 0),
        )
    except Exception:  # noqa: BLE001 - it raises a bare Exception for every model it does not know
        return None
    return float(prompt) + float(completion)


def _without_runs(messages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields the messages with those of the user that follow each other as one; their texts stay apart by a blank
    line."""
    for is_user, run in groupby(messages, lambda message: message.get("role") == "user"):
        if is_user:
            yield {"role": "user", "content": "\n\n".join(str(message["content"]) for message in run)}
        else:
            yield from run


def token_counts(usage: Any) -> dict[str, int]:
    """Returns the counts of tokens that a server told, by their names; those it left out are missing."""
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    found = {name: getattr(usage, name, None) for name in names}
    return {name: value for name, value in found.items() if isinstance(value, int)}


def _plain(call: Any) -> dict[str, Any]:
    if isinstance(call, Mapping):
        return dict(call)
    function = getattr(call, "function", None)
    return {
        "index": getattr(call, "index", None),
        "id": getattr(call, "id", None),
        "function": {"name": getattr(function, "name", None), "arguments": getattr(function, "arguments", None)},
    }
