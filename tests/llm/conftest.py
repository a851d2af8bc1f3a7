"""One server and one model process for every test that needs them: litellm's import takes seconds."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from mnemoscope.llm.model_process import ModelProcess
from mnemoscope.llm.remote import Connection, Limits, LiteLLMProvider
from tests.support.loopback_server import LoopbackServer

MODEL = "openai/scripted"
LIMITS = Limits(idle_seconds=0.4, local_patience=1, tries=3, longest_wait=2)


@pytest.fixture(scope="session")
def loopback() -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        yield server


@pytest.fixture(scope="session")
def model_process() -> Iterator[ModelProcess]:
    ready = threading.Event()
    process = ModelProcess(on_ready=lambda _: ready.set())
    process.warm()
    assert ready.wait(60)
    yield process
    asyncio.run(process.aclose())


@pytest.fixture
def server(loopback: LoopbackServer) -> LoopbackServer:
    loopback.will()
    return loopback


@pytest.fixture
def provider(server: LoopbackServer, model_process: ModelProcess) -> LiteLLMProvider:
    """Speaks to the loopback server. Not closed after a test: the process is shared."""
    return LiteLLMProvider(lambda _: Connection(server.base_url, "test"), limits=LIMITS, process=model_process)
