"""Keeps processes of models that several tests share: litellm's import takes seconds, and reading a model of this
computer one second of the processor."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.llm.model_process.process import LOCAL_MODEL, MODEL_COMMAND, ModelProcess
from mnemoscope.llm.remote import LiteLLMProvider


class SharedModels(LiteLLMProvider):
    """Leaves its process when a window closes; whoever began the process ends it."""

    async def aclose(self) -> None:
        return None


class SharedEmbedder(LocalEmbedder):
    """Leaves its process when a window closes or asks another model; whoever began the process ends it."""

    async def release(self) -> None:
        return None

    async def aclose(self) -> None:
        return None


@contextmanager
def begun_process(command: tuple[str, ...] = MODEL_COMMAND) -> Iterator[ModelProcess]:
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


@pytest.fixture(scope="session")
def local_embedder() -> Iterator[LocalEmbedder]:
    with begun_process((*MODEL_COMMAND, LOCAL_MODEL)) as process:
        yield SharedEmbedder(process)
