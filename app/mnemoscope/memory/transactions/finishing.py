"""Finishing what was begun, also when whoever waits for it is gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

log = logging.getLogger(__name__)
Result = TypeVar("Result")


async def finish_despite_cancellation(work: Coroutine[Any, Any, Result]) -> Result:
    """What has been begun is finished, also when whoever waits is cancelled; the cancellation comes afterwards."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        if not task.cancelled() and (error := task.exception()):
            log.warning("a consolidation that was cancelled also failed: %s", error)
        raise
