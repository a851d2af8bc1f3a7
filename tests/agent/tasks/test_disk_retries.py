"""What the disk refused is tried again when it takes what is written, until it is done."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mnemoscope.agent.tasks.disk_retries import DiskRetries
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import DiskTakes, EventBus
from mnemoscope.store.files.disk import InlineDisk


class Work:
    """Something that is refused so many times before it is done."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.tries = 0

    async def is_left(self) -> bool:
        if self.tries == 1:
            raise StorageError("It cannot be told.")
        return self.tries <= self.refusals

    async def go_on(self) -> None:
        self.tries += 1
        if self.tries <= self.refusals:
            raise StorageError("There is no room.")


def retries_of(work: Work, bus: EventBus, folder: Path) -> DiskRetries:
    return DiskRetries(
        "work", folder, bus, InlineDisk(), is_left=work.is_left, go_on=work.go_on, is_at_work=lambda: False
    )


async def until_tried(work: Work, times: int) -> None:
    async with asyncio.timeout(30):
        while work.tries < times:  # noqa: ASYNC110 - a count, and nothing that is set
            await asyncio.sleep(0.01)


async def test_each_time_the_disk_takes_something_it_is_tried_until_it_is_done(tmp_path: Path) -> None:
    work, bus = Work(2), EventBus()
    retries = retries_of(work, bus, tmp_path / "gone")
    retries.begin()
    retries.begin()
    await asyncio.sleep(0.05)
    assert work.tries == 0
    for times in (1, 2, 3):
        bus.publish(DiskTakes())
        await until_tried(work, times)
        await asyncio.sleep(0.05)
    bus.publish(DiskTakes())
    await asyncio.sleep(0.05)
    assert work.tries == 3
    await retries.close()


async def test_nothing_is_begun_once_it_is_closed(tmp_path: Path) -> None:
    work, bus = Work(1), EventBus()
    retries = retries_of(work, bus, tmp_path)
    await retries.close()
    retries.begin()
    await asyncio.sleep(0.05)
    bus.publish(DiskTakes())
    await asyncio.sleep(0.05)
    assert work.tries == 0
