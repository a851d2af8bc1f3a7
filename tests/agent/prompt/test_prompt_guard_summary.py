"""The middle of a conversation summed up by a model: a marker does where it gives no summary."""

import pytest

from mnemoscope.agent.prompt.prompt_guard import sum_up
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import RateLimited
from mnemoscope.domain.llm import LLMResponse
from tests.support.scripted_provider import ScriptedProvider, says

SAID = [{"role": "user", "content": f"We chose number {number}. " + "word " * 400} for number in range(200)]


async def test_the_model_is_given_the_messages_and_what_was_summed_up_before() -> None:
    provider = ScriptedProvider(says("They chose Postgres because it is free."))
    assert await sum_up(provider, "m", SAID[:2], 32_000, "Before.") == "They chose Postgres because it is free."
    (request,) = provider.requests
    assert "We chose number 1." in request.messages[1]["content"]
    assert "Before." in request.messages[1]["content"]
    assert not request.tools


@pytest.mark.parametrize(
    "answer", [says("ok"), LLMResponse(None), LLMResponse("x" * 50, finish_reason="error"), RateLimited("Later.")]
)
async def test_an_answer_that_is_no_summary_is_none(answer: object) -> None:
    assert await sum_up(ScriptedProvider(answer), "m", SAID[:2], 32_000) == ""


async def test_a_summary_is_never_long() -> None:
    assert len(await sum_up(ScriptedProvider(says("word " * 5_000)), "m", SAID[:2], 32_000)) <= 6_002


async def test_what_is_asked_fits_and_holds_the_newest() -> None:
    provider = ScriptedProvider(says("They chose two hundred numbers."))
    await sum_up(provider, "m", SAID, 32_000)
    asked = provider.requests[0].messages[1]["content"]
    assert estimate_tokens(asked) < 0.45 * 32_000
    assert "We chose number 199." in asked
