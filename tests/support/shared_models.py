"""A remote model over real HTTP for several tests: its process stays, for litellm's import takes seconds."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mnemoscope.llm.model_process.process import COMMAND, ModelProcess
from mnemoscope.llm.remote import LiteLLMProvider


class SharedModels(LiteLLMProvider):
    """Leaves its process when a window closes; whoever began the process ends it."""

    async def aclose(self) -> None:
        return None


@contextmanager
def begun_process(command: tuple[str, ...] = COMMAND) -> Iterator[ModelProcess]:
    """Gives a model process that is ready, and ends it."""
    ready = threading.Event()
    process = ModelProcess(command, on_ready=lambda _: ready.set())
    process.warm()
    assert ready.wait(300)
    yield process
    asyncio.run(process.aclose())


@pytest.fixture(scope="session")
def model_process() -> Iterator[ModelProcess]:
    with begun_process() as process:
        yield process
