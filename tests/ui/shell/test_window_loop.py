"""The loop of the window between two runs, a test's end or the window's, and where a callback has events processed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.shell.window_loop import WindowLoop


@pytest.fixture
def loop() -> Iterator[WindowLoop]:
    made = WindowLoop(QApplication.instance() or QApplication(["mnemoscope-tests"]))
    yield made
    made.close()


async def ask(found: list[object]) -> None:
    found.append(asyncio.get_running_loop())


async def once(something: list[Any]) -> None:
    while not something:  # noqa: ASYNC110 - of the loop that is tested
        await asyncio.sleep(0)


def test_work_whose_turn_comes_as_a_run_ends_waits_for_the_next_run(loop: WindowLoop) -> None:
    begun, found = list[asyncio.Task[None]](), list[object]()

    async def leave_something_behind() -> None:
        current = asyncio.current_task()
        assert current is not None
        # After the loop's own, which ends the run.
        current.add_done_callback(lambda _: begun.append(loop.create_task(ask(found))))

    loop.run_until_complete(leave_something_behind())
    loop.run_until_complete(once(begun))
    loop.run_until_complete(asyncio.wait_for(begun[0], 60))
    assert found == [loop]


def test_events_that_are_processed_between_two_runs_step_no_task(loop: WindowLoop) -> None:
    found = list[object]()
    task = loop.create_task(ask(found))
    for _ in range(5):
        QApplication.processEvents()
    assert found == []
    loop.run_until_complete(asyncio.wait_for(task, 60))
    assert found == [loop]


def test_what_is_called_off_is_not_called(loop: WindowLoop) -> None:
    called = list[str]()

    async def call_off() -> None:
        loop.call_later(0.0, called.append, "first").cancel()
        loop.call_soon(called.append, "second")
        await once(called)

    loop.run_until_complete(call_off())
    assert called == ["second"]


def test_a_task_whose_turn_comes_while_another_has_events_processed_waits_for_its_end(loop: WindowLoop) -> None:
    order = list[str]()

    async def second() -> None:
        order.append("second begins")
        await asyncio.sleep(0)
        order.append("second ends")

    async def first() -> None:
        begun = loop.create_task(second())
        for _ in range(5):
            QApplication.processEvents()
        order.append("first yields")
        await asyncio.wait_for(begun, 60)

    loop.run_until_complete(first())
    assert order == ["first yields", "second begins", "second ends"]


def test_what_waits_for_another_to_end_can_be_called_off(loop: WindowLoop) -> None:
    called = list[str]()

    async def call_off() -> None:
        handle = loop.call_later(0.0, called.append, "called off")
        loop.call_later(0.0, called.append, "called")
        for _ in range(5):
            QApplication.processEvents()
        assert called == []
        handle.cancel()
        await once(called)
        await asyncio.sleep(0.05)

    loop.run_until_complete(call_off())
    assert called == ["called"]


def test_a_callback_that_waits_runs_in_the_context_of_its_task(loop: WindowLoop) -> None:
    name = ContextVar("name", default="nobody")
    seen = list[str]()

    async def second() -> None:
        name.set("second")
        await asyncio.sleep(0)
        seen.append(name.get())

    async def first() -> None:
        begun = loop.create_task(second())
        QApplication.processEvents()
        await asyncio.wait_for(begun, 60)
        seen.append(name.get())

    loop.run_until_complete(first())
    assert seen == ["second", "nobody"]


def test_work_beside_the_loop_has_as_many_threads_as_are_at_work_at_once(loop: WindowLoop) -> None:
    both = threading.Barrier(2)

    def together() -> int:
        both.wait(60)
        return threading.get_ident()

    async def work() -> None:
        alone = {await asyncio.to_thread(threading.get_ident) for _ in range(5)}
        assert len(alone) == 1
        two = set(await asyncio.gather(asyncio.to_thread(together), asyncio.to_thread(together)))
        assert len(two) == 2
        assert alone < two

    loop.run_until_complete(work())
