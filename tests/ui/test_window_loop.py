"""The loop of the window between two runs: a test's end, or the window's."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.shell.window_loop import WindowLoop


def test_work_whose_turn_comes_as_a_run_ends_waits_for_the_next_run() -> None:
    app = QApplication.instance() or QApplication(["mnemoscope-tests"])
    loop, begun, found = WindowLoop(app), list[asyncio.Task[None]](), list[object]()

    async def ask() -> None:
        found.append(asyncio.get_running_loop())

    async def leave_something_behind() -> None:
        current = asyncio.current_task()
        assert current is not None
        # After the loop's own, which ends the run.
        current.add_done_callback(lambda _: begun.append(loop.create_task(ask())))

    try:
        loop.run_until_complete(leave_something_behind())
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(asyncio.wait_for(begun[0], 5))
        assert found == [loop]
    finally:
        loop.close()


def test_a_run_that_is_stopped_from_within_says_so() -> None:
    loop = WindowLoop(QApplication.instance() or QApplication(["mnemoscope-tests"]))
    never = loop.create_future()
    try:
        loop.call_soon(loop.stop)
        with pytest.raises(RuntimeError, match="stopped before"):
            loop.run_until_complete(never)
    finally:
        loop.close()
