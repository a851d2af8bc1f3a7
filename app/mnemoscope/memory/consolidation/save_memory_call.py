"""Asking a model to call save_memory: forced where it can be, free where the provider refuses to force."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.consolidation.planning import FORCE_SAVE_MEMORY, SAVE_MEMORY_TOOL
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.llm import LLMResponse

log = logging.getLogger(__name__)
DEFAULT_WINDOW: Final = 65_536
_MIN_BUDGET: Final = 512
_INSTRUCTIONS: Final = 1_024
_ANSWER: Final = 2_048
_REFUSALS: Final = ("tool_choice", "toolchoice", "tool choice", "does not support", 'should be ["none", "auto"]')


class SaveMemoryCall:
    """Asks one provider; remembers which of its models take no forced tool choice."""

    def __init__(self) -> None:
        self._free: set[tuple[int, str | None]] = set()

    async def ask(self, provider: Any, model: str | None, messages: Sequence[Message], memory: str) -> LLMResponse:
        """Returns one answer, whatever it is. Raises what the provider raises."""
        wanted: dict[str, Any] = {"max_tokens": _answer_room(memory), "tool_choice": FORCE_SAVE_MEMORY}
        if (id(provider), model) in self._free:
            wanted["tool_choice"] = "auto"
        asked = {"messages": messages, "tools": [SAVE_MEMORY_TOOL], "model": model}
        accepted = _accepted(provider.chat, wanted)
        try:
            response = await _chat(provider, asked, accepted)
        except Exception as error:
            if "tool_choice" not in accepted or not _refuses(_error_text(error)):
                raise
        else:
            failed = getattr(response, "finish_reason", "") == "error"
            if "tool_choice" not in accepted or not (failed and _refuses(str(response.content))):
                return response
        log.info("%s takes no forced tool choice; it is asked freely", model)
        self._free.add((id(provider), model))
        return await _chat(provider, asked, {**accepted, "tool_choice": "auto"})


async def _chat(provider: Any, asked: Mapping[str, Any], extra: Mapping[str, Any]) -> LLMResponse:
    try:
        response: LLMResponse = await provider.chat(**asked, **extra)
    except TypeError as error:
        # A provider that passes everything on to one that takes less.
        if not extra or "unexpected keyword argument" not in str(error):
            raise
        response = await provider.chat(**asked)
    return response


def slice_budget(provider: Any, model: str | None, memory: str) -> int:
    """Tokens of conversation that fit in one request, beside the memory, the instructions and the answer."""
    window = _context_window(provider, model)
    # Memory stands in the request and once more in the answer.
    return max(_MIN_BUDGET, window - 2 * estimate_tokens(memory) - _INSTRUCTIONS - _ANSWER)


def _context_window(provider: Any, model: str | None) -> int:
    ask = getattr(provider, "context_window", None)
    try:
        window = ask(model) if callable(ask) else DEFAULT_WINDOW
    except Exception:
        log.exception("the context window of %s could not be learned", model)
        return DEFAULT_WINDOW
    return window if isinstance(window, int) and window > 0 else DEFAULT_WINDOW


def _answer_room(memory: str) -> int:
    return max(4_096, _ANSWER + int(1.5 * estimate_tokens(memory)))


def _accepted(chat: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what of `wanted` a provider's `chat` takes: other people's may know only messages, tools and model."""
    try:
        parameters = inspect.signature(chat).parameters.values()
    except (TypeError, ValueError):
        return dict(wanted)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(wanted)
    names = {parameter.name for parameter in parameters}
    return {name: value for name, value in wanted.items() if name in names}


def _error_text(error: BaseException) -> str:
    detail = error.context.get("detail", "") if isinstance(error, MnemoscopeError) else ""
    return f"{error} {detail}"


def _refuses(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _REFUSALS)
