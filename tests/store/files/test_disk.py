"""Who writes."""

import asyncio
import gc
import threading
from concurrent.futures import Future
from pathlib import Path

import pytest

from mnemoscope.store.files.disk import Disk, DiskThread, InlineDisk, result_of


def fail() -> None:
    raise ValueError("no")


def added(first: int, *, second: int) -> int:
    return first + second


@pytest.mark.parametrize("kind", [DiskThread, InlineDisk])
async def test_work_is_done_in_order_and_its_result_or_failure_comes_back(kind: type[Disk]) -> None:
    disk = kind()
    done: list[int] = []
    futures = [disk.submit(done.append, number) for number in range(5)]
    assert await disk.run(added, 1, second=2) == 3
    assert done == [0, 1, 2, 3, 4]
    assert all(future.done() for future in futures)
    with pytest.raises(ValueError, match="no"):
        await disk.run(fail)
    disk.close()


async def test_the_thread_is_another_one() -> None:
    disk = DiskThread()
    assert await disk.run(threading.get_ident) != threading.get_ident()
    disk.close()


async def test_work_whose_caller_was_cancelled_is_still_done() -> None:
    disk = DiskThread()
    gate = threading.Event()
    done: list[int] = []
    disk.submit(gate.wait)
    task = asyncio.create_task(disk.run(done.append, 1))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gate.set()
    disk.close()
    assert done == [1]


@pytest.mark.parametrize("kind", [DiskThread, InlineDisk])
async def test_brief_work_is_done_before_the_loop_turns(kind: type[Disk]) -> None:
    disk = kind()
    turned = Future[None]()
    asyncio.get_running_loop().call_soon(turned.set_result, None)
    assert await disk.run_briefly(added, 1, second=2) == 3
    with pytest.raises(ValueError, match="no"):
        await disk.run_briefly(fail)
    assert not turned.done()
    disk.close()


async def test_work_that_turns_out_long_keeps_the_loop_for_a_moment_only() -> None:
    disk = DiskThread()
    gate = threading.Event()
    # Only a loop that turns opens the gate.
    asyncio.get_running_loop().call_soon(gate.set)
    assert await disk.run_briefly(gate.wait, 60)
    disk.close()


@pytest.mark.slow
async def test_work_that_fails_once_nobody_waits_is_a_warning_and_no_error(caplog: pytest.LogCaptureFixture) -> None:
    failing, dropped = Future[None](), Future[None]()
    waiting = {asyncio.create_task(result_of(work)) for work in (failing, dropped)}
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await asyncio.wait(waiting)
    failing.set_exception(ValueError("no room"))
    dropped.cancel()
    for _ in range(3):
        await asyncio.sleep(0)
    gc.collect()
    (record,) = caplog.records
    assert (record.levelname, "no room" in record.getMessage()) == ("WARNING", True)


async def test_work_that_is_called_off_is_called_off_for_who_waits_too() -> None:
    work = Future[None]()
    waiting = asyncio.create_task(result_of(work))
    await asyncio.sleep(0)
    work.cancel()
    await asyncio.wait({waiting})
    assert waiting.cancelled()


async def test_a_result_is_there_two_turns_of_the_loop_after_the_work_is_done() -> None:
    work = Future[int]()
    waiting = asyncio.create_task(result_of(work))
    await asyncio.sleep(0)
    work.set_result(1)
    for _ in range(2):
        await asyncio.sleep(0)
    assert waiting.done()
    assert await waiting == 1


def test_work_that_ends_after_its_loop_was_closed_disturbs_nobody() -> None:
    work = Future[int]()

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(result_of(work), 0.01)

    asyncio.run(give_up())
    work.set_result(1)


def test_an_error_waits_in_the_future(tmp_path: Path) -> None:
    future = InlineDisk().submit((tmp_path / "none").read_bytes)
    with pytest.raises(FileNotFoundError):
        future.result()
