"""A window whose models are those of a server on this computer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.remote import Connection, RequestLimits
from tests.support.loopback_server import LoopbackServer
from tests.support.shared_models import SharedModels
from tests.ui.window_fixture import Opened, Stage

LIMITS = RequestLimits(silence_seconds=600, tries=1, longest_wait=0.1)


@pytest.fixture(scope="module")
def loopback() -> Iterator[LoopbackServer]:
    with LoopbackServer(models=("small", "large")) as server:
        yield server


@pytest.fixture
async def person(stage: Stage, loopback: LoopbackServer, model_process: ModelProcess) -> Opened:
    loopback.will()
    stage.make(maxTokens=1_000)
    remote = SharedModels(lambda _: Connection(loopback.base_url, "test"), limits=LIMITS, process=model_process)
    return await stage.open(remote=remote)
