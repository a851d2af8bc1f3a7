"""A model is tried: what it can do is found by what it answers, and a refusal is a finding too."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace

import pytest

from mnemoscope.domain.errors import ModelError, RateLimited, ServerUnreachable
from mnemoscope.domain.llm import (
    ChatRequest,
    LLMProvider,
    LLMResponse,
    ModelTraits,
    StreamPart,
    TextDelta,
    ToolCallRequest,
)
from mnemoscope.llm.model_check import (
    MOST_ANSWER,
    REQUESTS,
    Ability,
    TrialFinding,
    TrialOutcome,
    check_model,
    most_price,
)
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.remote import Connection, LiteLLMProvider
from tests.llm.conftest import LIMITS
from tests.support.loopback_server import Answer, Call, LoopbackServer, Refuse

Reply = LLMResponse | ModelError


class Tried(LLMProvider):
    """Answers each request by what it asks for."""

    def __init__(
        self,
        pieces: Sequence[str] = ("one ", "two"),
        *,
        tool: Reply = LLMResponse(None, (ToolCallRequest("1", "note_colour", {"colour": "green"}),)),  # noqa: B008
        schema: Reply = LLMResponse('{"mood": "cheerful"}'),  # noqa: B008
        image: Reply = LLMResponse("Yellow and green."),  # noqa: B008
    ) -> None:
        self.pieces, self.tool, self.schema, self.image = pieces, tool, schema, image
        self.asked: list[ChatRequest] = []

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamPart, None]:
        self.asked.append(request)
        for piece in self.pieces:
            yield TextDelta(piece)
        yield LLMResponse("".join(self.pieces))

    async def complete(self, request: ChatRequest) -> LLMResponse:
        self.asked.append(request)
        reply = self.tool if request.tools else self.schema if request.response_format else self.image
        if isinstance(reply, ModelError):
            raise reply
        return reply

    def context_window(self, model: str | None = None) -> int:
        return 8_192

    async def aclose(self) -> None:
        """Nothing is held."""


async def outcomes(provider: LLMProvider) -> dict[Ability, TrialOutcome]:
    return {found.ability: found.outcome async for found in check_model(provider, "m")}


async def test_a_model_that_can_do_all_of_it() -> None:
    provider = Tried()
    assert await outcomes(provider) == dict.fromkeys(Ability, TrialOutcome.YES)
    assert len(provider.asked) == REQUESTS
    assert all(asked.model == "m" and asked.max_tokens == MOST_ANSWER for asked in provider.asked)


OTHERWISE: dict[str, tuple[Callable[[], Tried], Ability, TrialOutcome]] = {
    "an empty answer": (lambda: Tried((" ", "\n")), Ability.ANSWERS, TrialOutcome.NO),
    "in one piece": (lambda: Tried(("one two",)), Ability.STREAMS, TrialOutcome.NO),
    "a call in the text": (
        lambda: Tried(tool=LLMResponse('<tool_call>{"name": "note_colour", "arguments": {"colour": "x"}}</tool_call>')),
        Ability.TOOLS,
        TrialOutcome.IN_TEXT,
    ),
    "words instead of a call": (lambda: Tried(tool=LLMResponse("Noted!")), Ability.TOOLS, TrialOutcome.NO),
    "no tools taken": (lambda: Tried(tool=ModelError("No tools here.")), Ability.TOOLS, TrialOutcome.REFUSED),
    "too busy for tools": (lambda: Tried(tool=RateLimited("Wait.")), Ability.TOOLS, TrialOutcome.UNKNOWN),
    "words instead of a schema": (
        lambda: Tried(schema=LLMResponse("It is cheerful.")),
        Ability.SCHEMA,
        TrialOutcome.NO,
    ),
    "another value": (lambda: Tried(schema=LLMResponse('{"mood": "fine"}')), Ability.SCHEMA, TrialOutcome.NO),
    "a server error that is a refusal": (
        lambda: Tried(image=ServerUnreachable("An error came.", detail="500 - image input is not supported")),
        Ability.IMAGES,
        TrialOutcome.REFUSED,
    ),
    "a guess at the image": (lambda: Tried(image=LLMResponse("Red and blue")), Ability.IMAGES, TrialOutcome.NO),
    "thoughts alone of the image": (
        lambda: Tried(image=LLMResponse("<think>yellow or green?</think>Blue.")),
        Ability.IMAGES,
        TrialOutcome.NO,
    ),
}


@pytest.mark.parametrize("name", OTHERWISE)
async def test_what_it_cannot_do_is_found_and_the_rest_is_tried_all_the_same(name: str) -> None:
    make, ability, outcome = OTHERWISE[name]
    assert await outcomes(make()) == dict.fromkeys(Ability, TrialOutcome.YES) | {ability: outcome}


async def test_a_refusal_says_what_the_server_said() -> None:
    found = [each async for each in check_model(Tried(image=ModelError("No images here.")), "m")]
    assert found[-1] == TrialFinding(Ability.IMAGES, TrialOutcome.REFUSED, "No images here.")


async def test_a_model_that_does_not_answer_is_asked_nothing_else(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Refuse(404, code="model_not_found"))
    with pytest.raises(ModelError):
        await outcomes(provider.at(Connection(server.base_url)))
    assert len(server.asked) == 1


async def test_what_is_sent_over_http_is_the_same_for_everybody(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    call = Call("note_colour", '{"colour": "green"}')
    server.will(Answer("one two three"), Answer(calls=(call,)), Answer('{"mood": "cheerful"}'), Answer("Yellow, green"))
    speaker = provider.at(Connection(server.base_url))
    found = {one.ability: one.outcome async for one in check_model(speaker, "openai/scripted")}
    assert found == dict.fromkeys(Ability, TrialOutcome.YES)
    texts, tools, schema, image = (asked.body for asked in server.asked)
    assert texts["messages"] == [{"role": "user", "content": "Count from one to ten, in words."}]
    assert tools["tools"][0]["function"]["name"] == "note_colour"
    assert schema["response_format"]["type"] == "json_schema"
    assert "mood" not in json.dumps(schema["messages"])
    assert image["messages"][0]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")


async def test_a_server_that_is_gone_is_an_error(model_process: ModelProcess) -> None:
    gone = LiteLLMProvider(
        lambda _: Connection("http://127.0.0.1:9/v1"), limits=replace(LIMITS, tries=1), process=model_process
    )
    with pytest.raises(ServerUnreachable):
        await outcomes(gone)


def test_the_price_is_told_where_it_is_known() -> None:
    assert most_price(ModelTraits()) is None
    price = most_price(ModelTraits(input_price=1e-6, output_price=2e-6))
    assert price is not None
    assert 0.003 < price < 0.006
