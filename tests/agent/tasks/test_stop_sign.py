"""What a person began ends where nothing is half done."""

import asyncio

import pytest

from mnemoscope.agent.tasks.stop_sign import Stopped, StopSign


async def forever() -> None:
    await asyncio.Event().wait()


async def seven() -> int:
    return 7


async def test_work_that_is_not_stopped_gives_its_result() -> None:
    assert await StopSign().run(seven()) == 7


async def test_a_stop_before_the_work_lets_none_of_it_begin() -> None:
    sign = StopSign()
    sign.stop()
    with pytest.raises(Stopped):
        await sign.run(forever())


async def test_a_stop_ends_the_stage_that_runs_and_no_other_begins() -> None:
    sign = StopSign()
    running = asyncio.ensure_future(sign.run(forever()))
    await asyncio.sleep(0)
    sign.stop()
    with pytest.raises(Stopped):
        await running
    with pytest.raises(Stopped):
        await sign.run(seven())


async def test_who_cancels_the_turn_itself_is_not_told_that_the_person_stopped_it() -> None:
    running = asyncio.ensure_future(StopSign().run(forever()))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
