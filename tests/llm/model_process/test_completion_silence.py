"""A server's silence is counted, and this process's own is not."""

import asyncio
import time

import pytest

from mnemoscope.llm.model_process.completion import SilenceLimit


async def heard_and_waited(silence: SilenceLimit, seconds: float) -> None:
    silence.heard(seconds)
    await asyncio.sleep(60)


async def test_a_server_that_says_nothing_is_given_up() -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with SilenceLimit(0.2):
            await asyncio.sleep(60)
    assert time.monotonic() - began >= 0.19


@pytest.mark.slow
async def test_what_is_heard_lets_it_begin_anew() -> None:
    async with SilenceLimit(0.2) as silence:
        for _ in range(8):
            await asyncio.sleep(0.05)
            silence.heard(60)


async def test_a_shorter_patience_counts_from_what_was_heard_last() -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with SilenceLimit(60) as silence:
            await heard_and_waited(silence, 0.2)
    assert time.monotonic() - began < 30


@pytest.mark.slow
async def test_work_of_our_own_is_no_silence_of_the_server() -> None:
    async with SilenceLimit(0.1):
        time.sleep(0.5)  # noqa: ASYNC251 - what an import does to the loop
        await asyncio.sleep(0.01)


async def test_an_error_inside_comes_out_as_it_is_and_nothing_goes_on_counting() -> None:
    with pytest.raises(ValueError, match="no"):
        async with SilenceLimit(0.05):
            raise ValueError("no")
    await asyncio.sleep(0.1)
