"""Closes a conversation as archiving it from the list does."""

from __future__ import annotations

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.errors import MnemoscopeError


async def closed(loop: AgentLoop, key: str) -> bool:
    """Returns whether a conversation was closed: its rest is consolidated, its transcript kept, and it begins anew."""
    try:
        outcome = await loop.close_conversation(key)
    except MnemoscopeError:
        return False
    return outcome is not None and outcome.done
