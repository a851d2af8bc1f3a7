"""Shortens results of tools in the turn at hand that would fill the context alone. What is stored stays whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mnemoscope.domain.conversation.message import Message, text_of, tool_calls_of
from mnemoscope.domain.conversation.token_estimate import estimate_tokens

_HEAD: Final = 400
"""Characters that stay of a result whatever room there is."""
_MARKER: Final = (
    "\n\n[… {count:,} characters of this result are left out, to free context space. Call the tool again for them.]"
)


def shorter_results(messages: Sequence[Message], spare: int) -> list[Message]:
    """Returns the messages of a turn with results shortened until `spare` tokens are saved, the oldest first.

    Those of the newest calls, which the model has not read yet, come last. Calls and answers stay as they are.
    """
    shown = list(messages)
    for place, message in enumerate(messages):
        if spare <= 0:
            break
        if message.get("role") != "tool":
            continue
        text = text_of(message)
        kept = _kept(text, spare, is_unread=place > _newest_call(messages))
        if len(kept) < len(text):
            missing = message["cut"] if isinstance(message.get("cut"), int) else 0
            shown[place] = {**message, "content": kept, "cut": missing + len(text) - len(kept)}
            spare -= estimate_tokens(text) - estimate_tokens(kept)
    return shown


def _kept(text: str, spare: int, *, is_unread: bool) -> str:
    """Returns what is left of one result: its beginning, and of one that is not read yet no less than has to be
    saved.
    """
    tokens = estimate_tokens(text)
    most = len(text) * max(0, tokens - spare) // max(1, tokens) - len(_MARKER) if is_unread else 0
    head = text[: max(_HEAD, most)]
    return min(head + _MARKER.format(count=len(text) - len(head)), text, key=len)


def _newest_call(messages: Sequence[Message]) -> int:
    calls = [place for place, message in enumerate(messages) if tool_calls_of(message)]
    return calls[-1] if calls else -1
