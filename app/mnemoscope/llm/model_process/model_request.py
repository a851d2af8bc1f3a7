"""A request as the model process is sent it, what it fails with for good, and the wait before it is retried.

How often it is retried, and how long a server may ask to wait, comes with it: from `RequestLimits` in `llm/remote`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from mnemoscope.llm.failures import Failure

ModelRequest = Mapping[str, Any]
"""`model messages tools tool_choice max_tokens temperature response_format frequency_penalty api_base api_key` as
litellm takes them, and `first_seconds idle_seconds connect_seconds tries longest_wait`."""
Emit = Callable[[Mapping[str, Any]], None]

_FIRST_WAIT: Final = 0.5
"""Seconds before the second try where the server does not say; doubled each time."""


class RequestFailed(Exception):
    """A request that failed for good: of a model, or of what its server knows."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


async def wait_before_retry(ask: ModelRequest, tries: int, failure: Failure, emit: Emit) -> None:
    """Waits after so many tries as long as the server asks, or longer each time; `emit` is told of it. Raises
    RequestFailed if there is no next try."""
    wait = failure.retry_after if failure.retry_after is not None else _FIRST_WAIT * 2 ** (tries - 1)
    if not failure.is_transient or tries >= ask["tries"] or wait > ask["longest_wait"]:
        raise RequestFailed(failure)
    emit({"waiting": wait, "reason": failure.kind})
    await asyncio.sleep(wait)
