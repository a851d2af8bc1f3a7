"""What a person began ends where nothing is half done."""

import asyncio

import pytest

from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal


async def forever() -> None:
    await asyncio.Event().wait()


async def seven() -> int:
    return 7


async def test_work_that_is_not_stopped_gives_its_result() -> None:
    assert await StopSignal().run(seven()) == 7


async def test_a_stop_before_the_work_lets_none_of_it_begin() -> None:
    signal = StopSignal()
    signal.stop()
    with pytest.raises(Stopped):
        await signal.run(forever())


async def test_a_stop_ends_the_stage_that_runs_and_no_other_begins() -> None:
    signal = StopSignal()
    running = asyncio.ensure_future(signal.run(forever()))
    await asyncio.sleep(0)
    signal.stop()
    with pytest.raises(Stopped):
        await running
    with pytest.raises(Stopped):
        await signal.run(seven())


async def test_who_cancels_the_turn_itself_is_not_told_that_the_person_stopped_it() -> None:
    running = asyncio.ensure_future(StopSignal().run(forever()))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_work_begins_at_once_in_the_task_of_its_caller() -> None:
    begun: list[asyncio.Task[None] | None] = []

    async def note() -> None:
        begun.append(asyncio.current_task())

    turned: list[int] = []
    asyncio.get_running_loop().call_soon(turned.append, 1)
    await StopSignal().run(note())
    assert (begun, turned) == ([asyncio.current_task()], [])


@pytest.mark.parametrize("times", [1, 2])
async def test_a_stop_that_comes_as_the_work_ends_ends_nothing_that_follows(times: int) -> None:
    signal = StopSignal()

    async def stopping() -> int:
        for _ in range(times):
            signal.stop()
        return 7

    with pytest.raises(Stopped):
        await signal.run(stopping())
    await asyncio.sleep(0)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_a_stage_that_was_stopped_leaves_a_time_limit_around_it_as_it_was() -> None:
    signal = StopSignal()
    asyncio.get_running_loop().call_soon(signal.stop)

    async def limited() -> None:
        async with asyncio.timeout(0.01):
            with pytest.raises(Stopped):
                await signal.run(forever())
            await forever()

    with pytest.raises(TimeoutError):
        await limited()


async def test_work_that_goes_on_after_a_stop_keeps_its_result() -> None:
    signal = StopSignal()

    async def closing() -> int:
        try:
            await forever()
        except asyncio.CancelledError:
            return 7
        return 0

    asyncio.get_running_loop().call_soon(signal.stop)
    assert await signal.run(closing()) == 7


async def test_two_stages_that_run_beside_each_other_are_both_stopped() -> None:
    signal = StopSignal()
    both = [asyncio.ensure_future(signal.run(forever())) for _ in range(2)]
    await asyncio.sleep(0)
    signal.stop()
    ended = await asyncio.gather(*both, return_exceptions=True)
    assert [type(each) for each in ended] == [Stopped, Stopped]
