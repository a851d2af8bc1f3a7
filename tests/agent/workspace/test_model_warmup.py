"""A remote model is ready before the first message: not before the folder is trusted, never for the built-in one."""

from __future__ import annotations

import asyncio

import pytest

from mnemoscope.agent.workspace.model_warmup import ModelWarmup
from mnemoscope.domain.errors import FolderNotTrusted, ModelError
from mnemoscope.domain.events import EventBus, SettingsChanged, TrustChanged
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import TrustedByCaller, Use
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.offline.provider import OfflineProvider
from mnemoscope.llm.remote import LiteLLMProvider
from mnemoscope.llm.router import ModelRouter


class Readied(OfflineProvider):
    """Notes which models it was to get ready."""

    def __init__(self) -> None:
        super().__init__()
        self.models: list[str] = []
        self.done = asyncio.Event()
        self.fails = False

    async def warm(self, model: str | None = None) -> None:
        self.models.append(model or "")
        self.done.set()
        if self.fails:
            raise ModelError("It cannot be had.")


class Waiting(TrustedByCaller):
    """A folder that nobody agreed to, until `agreed`."""

    agreed = False

    @property
    def is_waiting(self) -> bool:  # type: ignore[override] # it changes here
        return not self.agreed

    def waits(self, use: Use) -> bool:
        return not self.agreed

    async def require(self, use: Use = Use.ANSWERS) -> None:
        if not self.agreed:
            raise FolderNotTrusted("No.")


async def turns() -> None:
    """Lets everything that is due take its turn."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_model_is_made_ready_after_opening_and_again_when_another_is_set() -> None:
    provider, bus, settings = Readied(), EventBus(), [Settings(model="openai/one")]
    warm = ModelWarmup(provider, lambda: settings[0], TrustedByCaller(), bus, wait_seconds=0)
    bus.publish(SettingsChanged())
    await turns()
    assert provider.models == []  # It is not open yet.
    warm.start()
    await provider.done.wait()
    settings[0], provider.done = Settings(model="openai/two"), asyncio.Event()
    bus.publish(SettingsChanged())
    await provider.done.wait()
    assert provider.models == ["openai/one", "openai/two"]
    await warm.close()
    bus.publish(SettingsChanged())
    await turns()
    assert provider.models == ["openai/one", "openai/two"]


async def test_nothing_is_started_before_the_person_agreed_to_the_folder() -> None:
    provider, bus, trust = Readied(), EventBus(), Waiting()
    warm = ModelWarmup(provider, lambda: Settings(model="openai/one"), trust, bus, wait_seconds=0)
    warm.start()
    await turns()
    assert provider.models == []
    trust.agreed = True
    bus.publish(TrustChanged())
    await provider.done.wait()
    assert provider.models == ["openai/one"]
    await warm.close()


async def test_what_cannot_be_made_ready_is_left_to_the_first_message() -> None:
    provider = Readied()
    provider.fails = True
    warm = ModelWarmup(provider, lambda: Settings(model="openai/one"), TrustedByCaller(), EventBus(), wait_seconds=0)
    warm.start()
    await provider.done.wait()
    await turns()
    await warm.close()


class Prepared:
    """A keychain that must be asked for nothing."""

    prepared = 0

    def get(self, provider: str) -> str | None:
        raise AssertionError("no key was to be asked for")

    at_hand = get

    def prepare(self) -> None:
        self.prepared += 1


@pytest.mark.parametrize(("model", "starts"), [("offline", False), ("openai/one", True)])
async def test_the_router_starts_the_process_for_a_remote_model_alone(model: str, starts: bool) -> None:
    process = ModelProcess(("sleep", "600"))
    keys = Prepared()
    remote = LiteLLMProvider(process=process)
    router = ModelRouter(lambda: Settings(model=model), keys, trust=TrustedByCaller(), remote=remote)
    await router.warm()
    assert (process.is_running, keys.prepared) == (starts, int(starts))
    assert not process.is_ready
    process.end_silent()
    await router.aclose()


async def test_a_folder_that_waits_starts_no_process() -> None:
    process = ModelProcess(("sleep", "600"))
    router = ModelRouter(
        lambda: Settings(model="openai/one"), Prepared(), trust=Waiting(), remote=LiteLLMProvider(process=process)
    )
    await router.warm()
    assert not process.is_running
    await router.aclose()
