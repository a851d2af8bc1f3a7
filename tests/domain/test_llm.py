"""The port to a language model: the documented call and the request that is handed down."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from mnemoscope.domain.llm import (
    ChatRequest,
    LLMProvider,
    LLMResponse,
    StreamPart,
    is_small_model,
    own_name,
    shown_name,
)

HELLO = [{"role": "user", "content": "Hello"}]
TOOL = {"type": "function", "function": {"name": "look_up", "parameters": {}}}


class Recorder(LLMProvider):
    """A provider that keeps the requests it is asked."""

    def __init__(self) -> None:
        self.requests: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> LLMResponse:
        self.requests.append(request)
        return LLMResponse("Here.")

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        yield await self.complete(request)

    def context_window(self, model: str | None = None) -> int:
        return 1_000

    async def aclose(self) -> None:
        """Nothing is open."""


async def test_the_documented_call_makes_one_request_of_all_it_is_given() -> None:
    provider = Recorder()
    answer = await provider.chat(HELLO, [TOOL], "openai/gpt-4o", max_tokens=10, temperature=0.7, tool_choice="required")
    assert answer.content == "Here."
    assert provider.requests == [ChatRequest(HELLO, [TOOL], "openai/gpt-4o", 10, 0.7, "required")]


async def test_what_the_call_leaves_out_has_the_same_defaults_as_a_request() -> None:
    provider = Recorder()
    await provider.chat(HELLO)
    assert provider.requests == [ChatRequest(HELLO)]
    assert provider.requests[0].tools == ()


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("ollama/llama3.2:1b", True),
        ("openai/SmolLM2-135M-Instruct", True),
        ("qwen2.5-0.5b-instruct-q4_k_m", True),
        ("gemma3n:e4b", True),
        ("gemma-3-4b-it", True),
        ("hosted_vllm/Qwen3-30B-A3B", False),
        ("mixtral:8x7b", False),
        ("llama3.1:8b", False),
        ("gpt-4o-mini", False),
        ("anthropic/claude-3-5-haiku", False),
        ("models/a1b2c3", False),
        ("", False),
    ],
)
def test_a_name_tells_a_small_model(name: str, small: bool) -> None:
    assert is_small_model(name) is small


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        ("openai//srv/models/Qwen3-4B-Q4_K_M.gguf", "Qwen3-4B-Q4_K_M.gguf"),
        ("/srv/models/small.gguf", "small.gguf"),
        ("openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("openrouter/qwen/qwen3-8b", "openrouter/qwen/qwen3-8b"),
        ("offline", "offline"),
        ("openai//srv/models/", "openai//srv/models/"),
        ("", ""),
    ],
)
def test_of_a_path_that_names_a_model_the_file_is_shown(model: str, shown: str) -> None:
    assert shown_name(model) == shown


@pytest.mark.parametrize(
    ("model", "own"),
    [
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
        ("openrouter/qwen/qwen3-8b", "qwen3-8b"),
        ("openai//srv/models/small.gguf", "small.gguf"),
        ("gpt-5", "gpt-5"),
        ("openai//srv/models/", "openai//srv/models/"),
        ("", ""),
    ],
)
def test_a_models_own_name_has_no_provider(model: str, own: str) -> None:
    assert own_name(model) == own
