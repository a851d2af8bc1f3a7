"""How long a server has said nothing, counted in turns of the event loop.

What a plain timeout would count as the server's silence may be this process's own: the first request imports for a
while, a busy computer gives it no turn, a lid was closed. Only the time between two turns counts, and each for no more
than it was meant to take.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final, Self

_TURNS: Final = 20


class Silence:
    """A with block that ends with TimeoutError after `seconds` without a `heard`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds
        self._timeout = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle | None = None

    def heard(self, seconds: float) -> None:
        """Something arrived: from now on, wait so long."""
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
        turn = self._seconds / _TURNS
        self._timer = asyncio.get_running_loop().call_later(turn, self._count, turn)

    def _count(self, turn: float) -> None:
        self._left -= turn
        if self._left > turn / 2:
            self._wait()
        else:
            self._timer = None
            self._timeout.reschedule(asyncio.get_running_loop().time())
