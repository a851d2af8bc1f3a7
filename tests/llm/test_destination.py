"""Where words go is told as it is, however an address is dressed up; what is told is what is asked."""

import pytest

from mnemoscope.domain.settings import Settings
from mnemoscope.llm.destination import destination_of, destinations, distinct_destinations, shares_server
from mnemoscope.llm.model_catalog import server_address

HERE, HOST = "this computer", "host"


@pytest.mark.parametrize(
    ("address", "kind", "name", "asked"),
    [
        ("192.168.1.5:8080", HOST, "192.168.1.5", "https://192.168.1.5:8080/v1"),
        ("http://localhost:1234", HERE, "localhost", "http://localhost:1234/v1"),
        ("http://LOCALHOST.:1234", HERE, "localhost", "http://localhost:1234/v1"),
        ("http://127.1:3", HERE, "127.0.0.1", "http://127.0.0.1:3/v1"),
        ("http://2130706433", HERE, "127.0.0.1", "http://127.0.0.1/v1"),
        ("http://0x8.010.8.8", HOST, "8.8.8.8", "http://8.8.8.8/v1"),
        ("http://0.0.0.0:9", HERE, "0.0.0.0", "http://0.0.0.0:9/v1"),
        ("http://[::1]:9", HERE, "::1", "http://[::1]:9/v1"),
        ("http://[::ffff:127.0.0.1]", HERE, "127.0.0.1", "http://127.0.0.1/v1"),
        ("http://[::ffff:8.8.8.8]", HOST, "8.8.8.8", "http://8.8.8.8/v1"),
        ("http://[2001:DB8::1]/v1", HOST, "2001:db8::1", "http://[2001:db8::1]/v1"),
        ("localhost.evil.com", HOST, "localhost.evil.com", "https://localhost.evil.com/v1"),
        ("http://inner.localhost", HOST, "inner.localhost", "http://inner.localhost/v1"),
        ("https://EVIL.com./v1", HOST, "evil.com", "https://evil.com/v1"),
        ("https://аррӏе.com", HOST, "xn--80ak6aa92e.com", "https://xn--80ak6aa92e.com/v1"),
        ("https://ｅｖｉｌ.com", HOST, "evil.com", "https://evil.com/v1"),
        ("https://evil.com?.openai.com", HOST, "evil.com", "https://evil.com?.openai.com/v1"),
    ],
)
def test_the_host_is_told_as_it_is_asked(address: str, kind: str, name: str, asked: str) -> None:
    found = destination_of("openai/any", address)
    assert (found.kind, found.name) == (kind, name)
    if "?" not in address:
        assert found.address == server_address("openai/any", address) == asked


def test_a_name_before_the_host_is_no_part_of_it() -> None:
    found = destination_of("openai/any", "https://api.openai.com@evil.com/v1")
    assert (found.kind, found.name, found.user) == (HOST, "evil.com", "api.openai.com")
    found = destination_of("openai/any", "https://api.openai.com:443@evil.com@192.168.1.5/v1")
    assert (found.name, found.user) == ("192.168.1.5", "api.openai.com:443@evil.com")


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.com\\@api.openai.com", "http://evil.com#@api.openai.com", "http://evil.com%2f@api.openai.com",
        "http://api.openai.com\t.evil.com", "http://api.openai.com\u202e.evil.com", "http://api.openai.com evil.com",
        "http://straße.example", "http://a\u200db.example", "http:evil.com", "http:///evil.com", "ftp://evil.com",
        "file:///etc/passwd", "http://evil.com:99999", "http://evil.com:x", "http://[::1", "http://[fe80::1%25eth0]",
        "http://1.2.3.4.5", "http://256.1.1.1", "http://..", "http://evil.com..", "://", "https://:80",
    ],
)  # fmt: skip
def test_an_address_that_could_be_read_in_several_ways_is_unclear(address: str) -> None:
    assert destination_of("openai/any", address).kind == "unclear"
    server_address("openai/any", address)  # Whatever it is, nothing is raised.


def test_a_model_s_name_may_hold_no_address() -> None:
    assert destination_of("huggingface/https://evil.com/generate").kind == "unclear"
    assert destination_of("huggingface/https://evil.com/generate", "http://127.0.0.1:1").kind == "unclear"


def test_a_name_that_says_it_is_at_an_address_of_one_s_own_goes_to_no_provider() -> None:
    assert destination_of("litellm_proxy/gpt-4o").kind == "unclear"
    found = destination_of("litellm_proxy/gpt-4o", "localhost:4000")
    assert (found.kind, found.address) == (HERE, "http://localhost:4000/v1")


@pytest.mark.parametrize(
    ("model", "kind", "name"),
    [
        ("offline", "built-in", ""), ("", "built-in", ""), ("local/wordllama", "built-in", ""),
        ("gpt-5", "provider", "OpenAI"), ("openai/gpt-5", "provider", "OpenAI"),
        ("anthropic/claude", "provider", "Anthropic"), ("claude-sonnet-4-5", "provider", "Anthropic"),
        ("unknown/model", "provider", "OpenAI"),
        ("ollama/qwen", HERE, ""), ("lm_studio/x", HERE, ""), ("hosted_vllm/x", HERE, ""),
    ],
)  # fmt: skip
def test_without_an_address_the_name_tells(model: str, kind: str, name: str) -> None:
    found = destination_of(model)
    assert (found.kind, found.name) == (kind, name)


def test_a_model_that_only_searches_sends_nothing_where_it_is_to_answer() -> None:
    found = destinations(Settings(model=" local/wordllama ", dream_model="local/other", api_base="http://evil.example"))
    assert {name: (one.kind, one.name) for name, one in found.items()} == {
        "model": ("nowhere", "local/wordllama"),
        "dream_model": ("nowhere", "local/other"),
    }
    assert destinations(Settings(embedding_model="local/wordllama")) == {}


def test_each_place_is_told_once() -> None:
    settings = Settings(model="openai/a", dream_model="openai/b", embedding_model="mistral/embed")
    found = destinations(settings)
    assert list(found) == ["model", "dream_model", "embedding_model"]
    assert [one.name for one in distinct_destinations(found.values())] == ["OpenAI", "Mistral"]
    assert destinations(Settings()) == {}


@pytest.mark.parametrize(
    ("model", "other", "address", "shared"),
    [
        ("qwen", "llama", "http://192.168.1.5:8080", True),
        ("lm_studio/a", "lm_studio/b", "", True),
        ("lm_studio/a", "ollama/b", "", False),
        ("gpt-5", "gpt-5-mini", "", False),
        ("qwen", "offline", "http://192.168.1.5:8080", False),
    ],
)
def test_two_models_share_a_server_of_one_s_own(model: str, other: str, address: str, *, shared: bool) -> None:
    assert shares_server(model, other, address) is shared
