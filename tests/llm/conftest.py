"""One server and one model process for every test that needs them: litellm's import takes seconds."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from mnemoscope.llm.model_process.process import MODEL_COMMAND, ModelProcess
from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits
from tests.support.loopback_server import LoopbackServer
from tests.support.shared_models import begun_process

MODEL = "openai/scripted"
LIMITS = RequestLimits(silence_seconds=600, tries=3, longest_wait=2)
"""A busy machine may keep a server in this very process from saying anything for long: that is no silence."""
IMPATIENT = replace(LIMITS, idle_seconds=1, local_patience=2)
"""For a server that says nothing more."""


@pytest.fixture(scope="session")
def loopback() -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        yield server


GUARDED = """
import os, sys, runpy
def refuse(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in ("127.0.0.1", "::1"):
        os._exit(9)
    if event == "socket.getaddrinfo" and arguments[0] not in (None, "127.0.0.1", b"127.0.0.1", "localhost"):
        os._exit(9)
sys.addaudithook(refuse)
runpy.run_module("mnemoscope.llm.model_process.host", run_name="__main__")
"""
"""The model process, ended at once by any attempt to reach another computer: price lists, telemetry, updates."""


@pytest.fixture(scope="session")
def model_process() -> Iterator[ModelProcess]:
    with begun_process((*MODEL_COMMAND[:-2], "-c", GUARDED)) as process:
        yield process


@pytest.fixture
def server(loopback: LoopbackServer) -> LoopbackServer:
    loopback.will()
    return loopback


@pytest.fixture
def provider(server: LoopbackServer, model_process: ModelProcess) -> LiteLLMProvider:
    """Speaks to the loopback server. Not closed after a test: the process is shared."""
    return LiteLLMProvider(lambda _: Connection(server.base_url, "test"), limits=LIMITS, process=model_process)
