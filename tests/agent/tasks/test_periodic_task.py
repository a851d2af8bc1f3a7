"""What is due is looked at every minute at least."""

import asyncio

import pytest

from mnemoscope.agent.tasks.periodic_task import PeriodicTask
from mnemoscope.domain.errors import StorageError
from tests.support.dream_bench import turns


async def test_the_clock_is_looked_at_every_minute_at_least_and_survives_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slept: list[float] = []
    waits = iter([5.0, 3_600.0, 0.0, 90.0])

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(0)

    async def look() -> float:
        wait = next(waits, None)
        if wait is None:
            raise StorageError("The disk is gone.")
        return wait

    minutes = PeriodicTask("test", look, sleep=sleep)
    minutes.start()
    minutes.start()
    await turns(40)
    await minutes.stop()
    assert slept[:7] == [60.0, 5.0, 60.0, 1.0, 60.0, 60.0, 60.0]
    assert "The disk is gone." in caplog.text
