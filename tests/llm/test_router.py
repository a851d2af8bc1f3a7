"""Which provider a model's name leads to, and what is checked before anything is asked."""

import sys
from collections.abc import Mapping
from dataclasses import replace

import pytest

from mnemoscope.domain.errors import KeyMissing, ModelError, StorageError
from mnemoscope.domain.llm import ChatRequest, LLMResponse
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import TrustedByCaller
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.offline.provider import OfflineProvider
from mnemoscope.llm.remote import LiteLLMProvider
from mnemoscope.llm.router import ModelRouter, TypedModel
from tests.support.loopback_server import LoopbackServer, Redirect

HELLO = [{"role": "user", "content": "Hello"}]
NEVER = ModelProcess((sys.executable, "-c", "raise SystemExit('no process was needed')"))


class Keys:
    """Known keys by name; None where the keychain is locked."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self.known = known
        self.asked: list[str] = []

    def get(self, provider: str) -> str | None:
        self.asked.append(provider)
        if self.known is None:
            raise StorageError("The system's keychain could not be read.", next_step="Unlock the keychain.")
        return self.known.get(provider)

    def at_hand(self, provider: str) -> str | None:
        return None

    def prepare(self) -> None:
        """There is nothing to find."""


def router(settings: Settings, keys: Keys, process: ModelProcess = NEVER) -> ModelRouter:
    built = ModelRouter(lambda: settings, keys, trust=TrustedByCaller(), offline=OfflineProvider(pace=0))
    built._remote = LiteLLMProvider(built._connection, process=process)
    return built


async def test_the_built_in_model_needs_no_key_and_no_process() -> None:
    keys = Keys()
    assert "Built-in" in str((await router(Settings(), keys).chat(HELLO)).content)
    assert [type(part) for part in [part async for part in router(Settings(), keys).stream(ChatRequest(HELLO))]][
        -1
    ] is LLMResponse
    assert keys.asked == []
    assert not NEVER.is_running


async def test_a_model_whose_key_is_not_known_is_not_asked(model_process: ModelProcess) -> None:
    with pytest.raises(KeyMissing) as caught:
        await router(Settings(model="anthropic/claude-sonnet-4-5"), Keys({}), model_process).chat(HELLO)
    assert caught.value.sentence == "Anthropic needs a key and none is known."
    assert caught.value.next_step


async def test_a_model_that_only_searches_is_asked_nothing_even_where_everything_is_trusted(
    server: LoopbackServer,
) -> None:
    asking = router(Settings(model="local/wordllama", api_base=server.base_url), Keys())
    await asking.warm()
    with pytest.raises(ModelError, match="only searches by meaning and answers nothing, so nothing was sent"):
        await asking.chat(HELLO)
    with pytest.raises(ModelError, match="only searches"):
        _ = [part async for part in asking.stream(ChatRequest(HELLO))]
    with pytest.raises(ModelError, match="only searches"):
        await anext(asking.check(TypedModel("local/wordllama", server.base_url)))
    assert server.visits == 0
    assert not NEVER.is_running


async def test_a_locked_keychain_is_said(model_process: ModelProcess) -> None:
    with pytest.raises(KeyMissing) as caught:
        await router(Settings(model="gpt-4o"), Keys(None), model_process).chat(HELLO)
    assert caught.value.next_step == "Unlock the keychain."


async def test_a_server_on_this_computer_needs_no_key(server: LoopbackServer, model_process: ModelProcess) -> None:
    settings = Settings(model="scripted", api_base=f"127.0.0.1:{server.port}")
    response = await router(settings, Keys({"openai": "sk-secret"}), model_process).chat(HELLO)
    assert response.content == "Hello from loopback."
    assert server.asked[0].path == "/v1/chat/completions"
    assert "sk-secret" not in str(server.asked[0].headers)


async def test_a_server_s_own_key_is_sent_to_it(server: LoopbackServer, model_process: ModelProcess) -> None:
    settings = Settings(model="openai/scripted", api_base=server.base_url)
    keys = Keys({f"openai@127.0.0.1:{server.port}": "mine"})
    await router(settings, keys, model_process).chat(HELLO)
    assert server.asked[0].headers["authorization"] == "Bearer mine"


async def test_a_call_may_name_another_model_than_the_settings(model_process: ModelProcess) -> None:
    with pytest.raises(KeyMissing):
        await router(Settings(), Keys({}), model_process).chat(HELLO, model="mistral/mistral-small-latest")


def test_the_settings_context_window_wins_for_remote_models() -> None:
    settings = Settings(model="openai/gpt-4o")
    assert router(settings, Keys()).context_window() == 128_000
    assert router(replace(settings, context_window_tokens=5_000), Keys()).context_window() == 5_000
    assert router(Settings(context_window_tokens=5_000), Keys()).context_window() == 200_000


def test_a_model_beside_the_one_of_the_settings_has_its_own_context_window() -> None:
    settings = Settings(model="openai/gpt-4o", context_window_tokens=5_000, background_model="openai/gpt-4.1")
    settings = settings.with_context_size("ollama/tiny", 2_048)
    models = router(settings, Keys())
    assert models.context_window() == 5_000
    assert models.context_window("openai/gpt-4.1") == 1_047_576
    assert models.context_window("ollama/tiny") == 2_048


async def test_a_typed_server_lists_its_models_with_the_typed_key(
    server: LoopbackServer, model_process: ModelProcess
) -> None:
    keys = Keys({f"openai@127.0.0.1:{server.port}": "kept"})
    asked = router(Settings(), keys, model_process)
    found = await asked.models_at(TypedModel("offline", f"127.0.0.1:{server.port}"))
    assert [(one.id, one.label, one.api_base) for one in found] == [
        ("openai/scripted", "scripted", f"127.0.0.1:{server.port}")
    ]
    await asked.context_at(TypedModel("openai/scripted", server.base_url, "typed"))
    assert [headers["authorization"] for headers in server.listed] == ["Bearer kept", "Bearer typed"]


async def test_without_an_address_no_server_is_asked(model_process: ModelProcess) -> None:
    asked = router(Settings(), Keys({}), model_process)
    with pytest.raises(ModelError, match="No server address"):
        await asked.models_at(TypedModel("gpt-4o"))
    assert (await asked.context_at(TypedModel("gpt-4o"))).tokens == 128_000


async def test_an_address_that_could_be_read_in_several_ways_is_not_asked() -> None:
    with pytest.raises(ModelError, match="cannot be told"):
        await router(Settings(), Keys({})).models_at(TypedModel("x", "http://a.example\\@b.example"))


async def test_a_server_that_asks_to_go_elsewhere_is_not_followed(
    server: LoopbackServer, model_process: ModelProcess
) -> None:
    with LoopbackServer() as elsewhere:
        server.lists(Redirect(f"{elsewhere.base_url}/models"))
        with pytest.raises(ModelError, match="sent on to another address"):
            await router(Settings(), Keys({}), model_process).models_at(TypedModel("x", server.base_url))
        assert elsewhere.visits == 0


async def test_the_table_of_prices_is_read_without_asking_anybody(model_process: ModelProcess) -> None:
    asked = router(Settings(), Keys({}), model_process)
    traits = await asked.typed_traits(TypedModel("openai/gpt-4o-mini"))
    assert traits.context == 128_000
    assert traits.input_price is not None
    assert traits.output_price is not None
    assert 0 < traits.input_price < traits.output_price < 1e-5
    own = await asked.typed_traits(TypedModel("openai/gpt-4o-mini", "http://192.168.1.5:8080"))
    assert own.input_price is None
