"""Gives up a comparison of facts, which runs on a thread of its own, while it is at work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

from mnemoscope.domain.disagreement.fact_comparison import read_fact


async def threads_left_by(comparing: Coroutine[Any, Any, object], name: str) -> list[threading.Thread]:
    """Returns the threads of this name that are alive a while after the comparison was given up."""
    known = read_fact.cache_info().misses
    work = asyncio.create_task(comparing)
    # Comparing has begun once a line was read as a fact.
    while read_fact.cache_info().misses == known:  # noqa: ASYNC110 - nothing tells the loop
        await asyncio.sleep(0)
    threads = [each for each in threading.enumerate() if each.name.startswith(name)]
    assert threads
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    for thread in threads:
        thread.join(5)
    return [each for each in threads if each.is_alive()]
