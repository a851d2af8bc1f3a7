"""Background work of the window: once it is closed, nothing is begun any more."""

import asyncio

from mnemoscope.ui.support.tasks import Tasks


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
