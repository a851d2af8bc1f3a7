"""The middle of a conversation summed up by a model, for the prompt alone: nothing of it is kept as memory."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from mnemoscope.domain.consolidation.planning import format_lines
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.store.files.shipped import shipped_prompt

log = logging.getLogger(__name__)

_SHORTEST: Final = 20
_LONGEST: Final = 6_000
"""Characters of a summary."""
_ANSWER: Final = 1_024
_SHARE: Final = 0.4
"""Of the window that the lines to sum up may take."""
_MARGIN: Final = 2_000


async def sum_up(provider: LLMProvider, model: str, messages: Sequence[Message], window: int, before: str = "") -> str:
    """Returns a summary of the messages, "" where the model gives none. `before`: that of what came before them.

    Never raises ModelError: a marker does in the place of a summary.
    """
    lines = format_lines(messages)
    told = _fitting(lines, max(_MARGIN, int(window * _SHARE) - _MARGIN - _ANSWER))
    earlier = f"Summary of what came before:\n{before}\n\n" if before else ""
    asked: list[Message] = [
        {"role": "system", "content": shipped_prompt("summary")},
        {"role": "user", "content": f"{earlier}Messages:\n{told}"},
    ]
    try:
        response = await provider.chat(asked, None, model, max_tokens=_ANSWER)
    except ModelError as error:
        log.warning("what was compacted could not be summed up: %s", error)
        return ""
    summary = (response.content or "").strip()
    if response.finish_reason == "error" or len(summary) < _SHORTEST:
        return ""
    return summary if len(summary) <= _LONGEST else summary[:_LONGEST].rstrip() + " …"


def _fitting(lines: Sequence[str], room: int) -> str:
    """Returns the lines, each cut to its share where all of them are too long together."""
    if sum(map(estimate_tokens, lines)) <= room:
        return "\n".join(lines)
    most = max(80, room * 3 // max(1, len(lines)))
    kept: list[str] = []
    for line in reversed(lines):
        kept.append(line if len(line) <= most else f"{line[:most]} […]")
        room -= estimate_tokens(kept[-1]) + 1
        if room < 0:
            break
    return "\n".join(reversed(kept))
