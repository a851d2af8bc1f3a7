"""Names of models: who provides them, what they need, what they can read."""

import pytest

from mnemoscope.llm import model_catalog
from mnemoscope.llm.local_servers import LocalServer, find_local
from tests.support.loopback_server import LoopbackServer


@pytest.mark.parametrize(
    ("model", "provider", "key"),
    [
        ("offline", "built-in", ""),
        ("", "built-in", ""),
        ("gpt-4o", "openai", "openai"),
        ("claude-sonnet-4-5", "anthropic", "anthropic"),
        ("gemini-2.5-pro", "gemini", "gemini"),
        ("openrouter/anthropic/claude-sonnet-4.5", "openrouter", "openrouter"),
        ("ollama/llama3.1", "ollama", ""),
        ("meta-llama/Llama-3.3-70B", "openai", "openai"),
    ],
)
def test_a_name_tells_the_provider_and_the_key(model: str, provider: str, key: str) -> None:
    assert model_catalog.provider_of(model) == provider
    assert model_catalog.key_name(model) == key


@pytest.mark.parametrize(
    ("model", "address", "name"),
    [
        ("gpt-4o", "", "openai/gpt-4o"),
        ("gemini-2.5-pro", "", "gemini/gemini-2.5-pro"),
        ("anthropic/claude-haiku-4-5", "", "anthropic/claude-haiku-4-5"),
        ("claude-local", "http://localhost:1234/v1", "openai/claude-local"),
        ("meta-llama/Llama-3", "http://localhost:8000/v1", "openai/meta-llama/Llama-3"),
        ("litellm_proxy/qwen", "http://localhost:4000", "openai/qwen"),
        ("litellm_proxy/openai/gpt-4o", "http://localhost:4000", "openai/openai/gpt-4o"),
        ("custom_openai/qwen", "http://localhost:4000", "openai/qwen"),
    ],
)
def test_litellm_is_told_a_full_name(model: str, address: str, name: str) -> None:
    assert model_catalog.litellm_name(model, address) == name


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("localhost:1234", "http://localhost:1234/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("https://models.example.org/api/v1/", "https://models.example.org/api/v1"),
        ("models.example.org", "https://models.example.org/v1"),
        ("", ""),
    ],
)
def test_an_address_may_be_typed_short(typed: str, address: str) -> None:
    assert model_catalog.server_address("openai/x", typed) == address


def test_ollama_s_own_protocol_has_no_version_in_its_address() -> None:
    assert model_catalog.server_address("ollama/x", "http://localhost:11434") == "http://localhost:11434"


def test_a_provider_s_key_never_goes_to_another_address() -> None:
    assert model_catalog.key_name("gpt-4o", "https://elsewhere.example:8443/v1") == "openai@elsewhere.example:8443"
    assert model_catalog.key_name("gpt-4o", "localhost:1234") == "openai@localhost:1234"
    assert model_catalog.key_name("gpt-4o", "elsewhere") == "openai@elsewhere"
    assert not model_catalog.needs_key("gpt-4o", "https://elsewhere.example/v1")
    assert model_catalog.needs_key("gpt-4o")


@pytest.mark.parametrize(
    ("address", "is_here"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("localhost:1", True),
        ("http://[::1]:8000", True),
        ("http://127.0.0.1.example.org", False),
        ("http://192.168.1.5:11434", False),
        ("", False),
    ],
)
def test_loopback_is_told_from_the_network(address: str, is_here: bool) -> None:
    assert model_catalog.is_loopback(address) is is_here


@pytest.mark.parametrize(
    ("model", "address", "tokens"),
    [
        ("openai/gpt-4.1-mini", "", 1_047_576),
        ("claude-opus-4-5", "", 200_000),
        ("groq/llama-3.3-70b-versatile", "", 131_072),
        ("openai/never-heard-of", "", model_catalog.DEFAULT_CONTEXT),
        ("openai/llama-3.3-70b", "http://localhost:1234/v1", model_catalog.LOCAL_CONTEXT),
        ("ollama/llama3.1", "", model_catalog.LOCAL_CONTEXT),
    ],
)
def test_the_context_window_is_careful_where_it_is_not_known(model: str, address: str, tokens: int) -> None:
    assert model_catalog.context_window(model, address) == tokens


def test_every_choice_has_a_label_and_says_whether_it_needs_a_key() -> None:
    offered = model_catalog.choices()
    assert offered[0].id == "offline"
    assert all(choice.needs_key == model_catalog.needs_key(choice.id) for choice in offered)
    assert len({choice.label for choice in offered}) == len(offered)


async def test_models_of_a_server_on_this_computer_are_found_and_those_not_for_chat_left_out() -> None:
    with LoopbackServer(models=("llama3.1:8b", "nomic-embed-text")) as server:
        found = await find_local(
            (LocalServer("Ollama", server.base_url), LocalServer("Nobody", "http://127.0.0.1:9/v1"))
        )
    assert [(choice.id, choice.label) for choice in found] == [("openai/llama3.1:8b", "Ollama: llama3.1:8b")]
    assert found[0].api_base == server.base_url
    assert not found[0].needs_key


async def test_a_model_that_a_server_names_by_the_path_of_its_file_is_offered_by_the_file() -> None:
    with LoopbackServer(models=("/srv/models/small.gguf",)) as server:
        [found] = await find_local((LocalServer("llama.cpp", server.base_url),))
    assert (found.id, found.label) == ("openai//srv/models/small.gguf", "llama.cpp: small.gguf")


async def test_only_this_computer_is_probed() -> None:
    assert await find_local((LocalServer("Elsewhere", "http://192.0.2.1/v1"),)) == []
