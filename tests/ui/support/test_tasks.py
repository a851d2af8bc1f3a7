"""Background work of the window: once it is closed, nothing is begun any more."""

import asyncio
from functools import partial

from mnemoscope.ui.support.tasks import Tasks
from tests.ui.window_fixture import until


async def test_what_is_started_after_all_was_cancelled_never_begins() -> None:
    tasks = Tasks()
    begun: list[str] = []

    async def work(name: str) -> None:
        begun.append(name)
        await asyncio.Event().wait()

    running = tasks.spawn(work("before"))
    await asyncio.sleep(0)
    await tasks.cancel_all()
    late = tasks.spawn(work("after"))
    await asyncio.wait([late])
    assert begun == ["before"]
    assert running.cancelled()
    assert late.cancelled()


async def test_what_is_asked_for_twice_is_begun_once_until_it_has_ended() -> None:
    tasks = Tasks()
    begun: list[str] = []
    may_end = asyncio.Event()

    async def work(name: str) -> None:
        begun.append(name)
        await may_end.wait()

    tasks.spawn_once(partial(work, "first"), "a dialog")
    tasks.spawn_once(partial(work, "second"), "a dialog")
    tasks.spawn_once(partial(work, "other"), "another dialog")
    await asyncio.sleep(0)
    assert begun == ["first", "other"]
    may_end.set()
    await until(lambda: not tasks._running, "the end of both")
    tasks.spawn_once(partial(work, "third"), "a dialog")
    await asyncio.sleep(0)
    assert begun == ["first", "other", "third"]
