"""Remote models, over real HTTP against a server on loopback, through the real model process."""

import json
import sys
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from mnemoscope.domain.errors import (
    AnswerCutOff,
    AnswerTimedOut,
    ContextTooLong,
    KeyMissing,
    KeyRefused,
    ModelError,
    ModelUnknown,
    RateLimited,
    ServerUnreachable,
)
from mnemoscope.domain.llm import (
    ChatRequest,
    LLMResponse,
    ReasoningDelta,
    Retrying,
    StreamPart,
    TextDelta,
    ToolCallRequest,
)
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits
from tests.llm.conftest import IMPATIENT, LIMITS, MODEL
from tests.support.loopback_server import (
    USAGE,
    Answer,
    Body,
    Call,
    Cut,
    LoopbackServer,
    Meanings,
    Redirect,
    Refuse,
    Stall,
)

HELLO = [{"role": "user", "content": "Hello"}]
LOOK_UP = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Look something up.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}


async def parts_of(provider: LiteLLMProvider, **options: Any) -> list[StreamPart]:
    return [part async for part in provider.stream(ChatRequest(HELLO, model=MODEL, **options))]


async def failure_of(provider: LiteLLMProvider) -> tuple[ModelError, str]:
    """Returns the error a request ends with, and the text that came before it."""
    pieces: list[str] = []
    try:
        async for part in provider.stream(ChatRequest(HELLO, model=MODEL)):
            pieces += [part.text] if isinstance(part, TextDelta) else []
    except ModelError as error:
        return error, "".join(pieces)
    pytest.fail("the request did not fail")


@pytest.mark.slow
async def test_an_answer_comes_in_pieces_and_then_whole(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Answer(pieces=("Good ", "morning", "."), rate=10))
    *pieces, whole = await parts_of(provider)
    # On a busy machine some arrive together. That the first comes before the end is asked below, of a server that
    # stalls after it.
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextDelta)) == "Good morning."
    assert whole == LLMResponse("Good morning.", usage=dict(USAGE))
    assert server.asked[0].body["stream_options"] == {"include_usage": True}


@pytest.mark.slow
async def test_messages_and_tools_arrive_at_the_server_as_they_were_given(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": '{"query": "kiln"}'}}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "name": "look_up", "content": "A kiln."},
        {"role": "user", "content": "So?"},
    ]
    server.will(Answer("A kiln."))
    request = ChatRequest(messages, [LOOK_UP], MODEL, max_tokens=77, temperature=0.5)
    async with aclosing(provider.stream(request)) as parts:
        assert [part async for part in parts]
    body = server.asked[0].body
    assert body["messages"] == messages
    assert body["tools"] == [LOOK_UP]
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (77, 0.5, True)
    assert not [name for name, value in body.items() if value is None]


@pytest.mark.slow
async def test_pieces_that_arrive_together_travel_together_and_none_is_lost(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    words = tuple(f"word{number} " for number in range(1_000))
    server.will(Answer(pieces=words))
    *pieces, whole = await parts_of(provider)
    assert isinstance(whole, LLMResponse)
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextDelta)) == whole.content == "".join(words)
    assert len(pieces) < 500


async def test_letters_of_every_script_arrive_intact(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    text = "Grüße, 世界 — здравствуй 👩‍🚀 \u2028 end"
    server.will(Answer(pieces=tuple(text)))
    response = await provider.chat([{"role": "user", "content": text}], model=MODEL)
    assert response.content == text
    assert server.asked[0].body["messages"] == [{"role": "user", "content": text}]


async def test_a_lone_surrogate_does_not_cost_the_request(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    await provider.chat([{"role": "user", "content": "a\ud800b"}], model=MODEL)
    assert server.asked[0].body["messages"][0]["content"] == "a?b"


async def test_tool_calls_are_joined_from_their_fragments(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    arguments = json.dumps({"query": "tea, 茶 and “quotes”"}, ensure_ascii=False)
    server.will(Answer("Let me look.", calls=(Call("look_up", arguments), Call("look_up", "{}", id="call_2"))))
    whole = (await parts_of(provider, tools=[LOOK_UP], tool_choice="auto"))[-1]
    assert isinstance(whole, LLMResponse)
    assert whole.content == "Let me look."
    assert whole.finish_reason == "tool_calls"
    assert list(whole.tool_calls) == [
        ToolCallRequest("call_1", "look_up", arguments),
        ToolCallRequest("call_2", "look_up", "{}"),
    ]
    assert server.asked[0].body["tools"] == [LOOK_UP]
    assert server.asked[0].body["tool_choice"] == "auto"


async def test_a_forced_tool_is_asked_for_as_it_was_given(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    forced = {"type": "function", "function": {"name": "look_up"}}
    server.will(Answer(calls=(Call("look_up", "{}"),), finish_reason="stop"))
    response = await provider.chat(HELLO, [LOOK_UP], MODEL, tool_choice=forced, max_tokens=99, temperature=0.5)
    body = server.asked[0].body
    assert (body["tool_choice"], body["max_tokens"], body["temperature"]) == (forced, 99, 0.5)
    assert response.finish_reason == "tool_calls"


async def test_visible_reasoning_is_passed_on(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Answer("Four.", reasoning="Two and two."))
    first, *_, whole = await parts_of(provider)
    assert first == ReasoningDelta("Two and two.")
    assert isinstance(whole, LLMResponse)
    assert whole.reasoning_content == "Two and two."


async def test_the_cost_of_an_unknown_model_is_unknown(provider: LiteLLMProvider) -> None:
    assert (await provider.chat(HELLO, model=MODEL)).cost is None


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (Refuse(401, "Incorrect API key provided: test"), KeyRefused),
        (Refuse(403), KeyRefused),
        (Refuse(404, "The model `scripted` does not exist", code="model_not_found"), ModelUnknown),
        (Refuse(400, "Invalid model name passed in model=scripted. Call `/v1/models` to view them."), ModelUnknown),
        (Refuse(400, "This model's maximum context length is 8192 tokens. You asked for 9000."), ContextTooLong),
        (Refuse(400, "the request exceeds the available context size"), ContextTooLong),
        (Refuse(429, "You exceeded your current quota", code="insufficient_quota"), RateLimited),
        (Refuse(429, retry_after=100), RateLimited),
        (Refuse(400, "tool_choice is not supported"), ModelError),
    ],
)
async def test_a_refusal_is_one_sentence_and_a_next_step_and_is_not_tried_again(
    server: LoopbackServer, provider: LiteLLMProvider, refusal: Refuse, kind: type[ModelError]
) -> None:
    server.will(refusal)
    error, _ = await failure_of(provider)
    assert type(error) is kind
    assert error.sentence.endswith(".")
    assert error.next_step
    assert len(server.asked) == 1


async def test_a_server_that_wants_a_key_where_none_is_known_is_not_said_to_have_refused_one(
    server: LoopbackServer, model_process: ModelProcess
) -> None:
    server.will(Refuse(401, "No api key passed in."))
    keyless = LiteLLMProvider(lambda _: Connection(server.base_url, None), limits=LIMITS, process=model_process)
    error, _ = await failure_of(keyless)
    assert type(error) is KeyMissing
    assert error.sentence.startswith("A key is wanted by the server at 127.0.0.1:")


async def test_a_provider_that_refuses_a_forced_tool_can_be_told_by_its_error(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Refuse(400, "tool_choice is not supported"))
    error, _ = await failure_of(provider)
    assert "tool_choice" in str(error.context["detail"])


async def test_the_key_is_in_no_error(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Refuse(401, "Incorrect API key provided: test"))
    error, _ = await failure_of(provider)
    assert "test" not in str(error.context["detail"])


async def test_a_rate_limit_is_waited_for_as_long_as_the_server_asks(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Refuse(429, retry_after=0.1), Answer("Here."))
    assert (await provider.chat(HELLO, model=MODEL)).content == "Here."
    assert len(server.asked) == 2


async def test_a_wait_before_another_try_is_told_with_its_seconds_and_its_reason(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Refuse(429, retry_after=0.1), Refuse(500, retry_after=0), Answer("Here."))
    first, second, *pieces, whole = await parts_of(provider)
    assert (first, second) == (Retrying(0.1, "rate"), Retrying(0, "server"))
    assert pieces
    assert isinstance(whole, LLMResponse)


async def test_a_long_wait_is_not_waited_for_but_told(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Refuse(429, retry_after=100))
    error, _ = await failure_of(provider)
    assert "100 s" in error.sentence


async def test_a_server_error_is_tried_again_and_then_told(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(*[Refuse(500, retry_after=0)] * 3)
    error, _ = await failure_of(provider)
    assert isinstance(error, ServerUnreachable)
    assert "500" in error.sentence
    assert len(server.asked) == LIMITS.tries


@pytest.mark.slow
async def test_a_server_that_ends_before_the_first_piece_is_asked_again(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Cut(()), Answer("Here."))
    assert (await provider.chat(HELLO, model=MODEL)).content == "Here."


async def test_where_nothing_listens_it_is_said(model_process: ModelProcess) -> None:
    nobody = Connection("http://127.0.0.1:9/v1", "test")
    provider = LiteLLMProvider(lambda _: nobody, limits=RequestLimits(tries=1), process=model_process)
    error, _ = await failure_of(provider)
    assert isinstance(error, ServerUnreachable)
    assert error.sentence == "No answer could be had from the server at 127.0.0.1:9."


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [(), ("Half ", "an ")])
async def test_a_server_that_stalls_is_left(
    server: LoopbackServer, model_process: ModelProcess, pieces: tuple[str, ...]
) -> None:
    server.will(Stall(pieces, headers=bool(pieces)))
    connection = Connection(server.base_url, "test")
    error, text = await failure_of(LiteLLMProvider(lambda _: connection, limits=IMPATIENT, process=model_process))
    assert isinstance(error, AnswerTimedOut)
    assert text == "".join(pieces)
    assert server.left.wait(60)
    assert len(server.asked) == 1


@pytest.mark.parametrize("cleanly", [False, True])
async def test_an_answer_cut_off_keeps_what_had_arrived(
    server: LoopbackServer, provider: LiteLLMProvider, cleanly: bool
) -> None:
    server.will(Cut(("Half of ", "an answer"), cleanly=cleanly))
    error, text = await failure_of(provider)
    assert isinstance(error, AnswerCutOff)
    assert text == "Half of an answer"
    assert len(server.asked) == 1


async def test_closing_the_stream_stops_the_request(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Stall(("Half ",)))
    async with aclosing(provider.stream(ChatRequest(HELLO, model=MODEL))) as parts:
        assert await anext(parts) == TextDelta("Half ")
    assert server.left.wait(60)


async def test_a_server_without_usage_in_streams_is_asked_without(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Refuse(400, "Unknown parameter: stream_options"))
    assert (await provider.chat(HELLO, model=MODEL)).content == "Hello from loopback."
    assert "stream_options" not in server.asked[1].body


async def test_a_server_without_streams_is_asked_for_the_whole(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Refuse(400, "stream is not supported"), Answer("All.", calls=(Call("look_up", "{}"),), reasoning="Hm."))
    response = await provider.chat(HELLO, [LOOK_UP], MODEL)
    assert server.asked[1].body.get("stream") in (None, False)
    assert (response.content, response.reasoning_content, response.usage) == ("All.", "Hm.", dict(USAGE))
    assert response.tool_calls[0].name == "look_up"


@pytest.mark.parametrize("status", [400, 500])
async def test_a_server_whose_template_wants_turns_is_asked_without_two_messages_in_a_row(
    server: LoopbackServer, provider: LiteLLMProvider, status: int
) -> None:
    server.will(Refuse(status, "Conversation roles must alternate user/assistant/user/assistant/..."))
    said = [("system", "Be kind."), ("user", "One."), ("user", "Two."), ("assistant", "Yes."), ("user", "Three.")]
    messages = [{"role": role, "content": text} for role, text in said]
    assert (await provider.chat(messages, model=MODEL)).content == "Hello from loopback."
    assert [len(asked.body["messages"]) for asked in server.asked] == [5, 4]
    assert server.asked[1].body["messages"] == [messages[0], {"role": "user", "content": "One.\n\nTwo."}, *messages[3:]]


async def test_two_requests_run_at_once(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Stall(("Half ",)), Answer("Meanwhile."))
    async with aclosing(provider.stream(ChatRequest(HELLO, model=MODEL))) as parts:
        await anext(parts)
        assert (await provider.chat(HELLO, model=MODEL)).content == "Meanwhile."


async def test_litellm_is_never_in_the_window_s_process(provider: LiteLLMProvider) -> None:
    await provider.chat(HELLO, model=MODEL)
    assert "litellm" not in sys.modules


PAGE = "<!DOCTYPE html><html><head><title>Welcome</title></head></html>"
WHOLE = (
    '{"id": "1", "object": "chat.completion", "created": 1, "model": "scripted", "choices": '
    '[{"index": 0, "message": {"role": "assistant", "content": "All."}, "finish_reason": "stop"}]}'
)
NOT_A_MODEL = [
    (Body(PAGE, "text/html; charset=utf-8"), "A web page came"),
    (Body(PAGE, "text/html", 404), "A web page came"),
    (Body(PAGE, "application/octet-stream"), "A web page came"),
    (Body('{"hello": "world"}'), "An answer came"),
    (Body("The server is running", "text/plain"), "An answer came"),
    (Body('{"error": "Unexpected endpoint or method. (POST /chat/completions)"}'), "The path of this address"),
    (Body('{"detail": "Not Found"}', status=404), "The path of this address"),
    (Body("404 page not found", "text/plain", 404), "The path of this address"),
    (Body(""), "An empty answer came"),
    (Redirect("/login?next=/v1", 302), "A page to sign in was named"),
]


@pytest.mark.parametrize("model", [MODEL, "ollama_chat/any"])
@pytest.mark.parametrize(("answer", "said"), NOT_A_MODEL)
async def test_what_came_in_the_place_of_a_models_answer_is_named(
    server: LoopbackServer, model_process: ModelProcess, answer: Body | Redirect, said: str, model: str
) -> None:
    server.will(answer)
    connection, once = Connection(server.base_url, "test"), replace(LIMITS, tries=1)
    provider = LiteLLMProvider(lambda _: connection, limits=once, process=model_process)
    with pytest.raises(ModelError) as caught:
        await provider.complete(ChatRequest(HELLO, model=model))
    assert caught.value.sentence.startswith(said)
    assert caught.value.next_step.startswith("Check the address under")
    assert server.visits == 1


async def test_an_answer_that_comes_whole_where_a_stream_was_asked_for_is_asked_for_whole(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Body(WHOLE), Answer("All."))
    assert (await provider.chat(HELLO, model=MODEL)).content == "All."
    assert [asked.body.get("stream") for asked in server.asked] in ([True, False], [True, None])


async def test_a_web_page_in_the_place_of_meanings_is_named(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Body(PAGE, "text/html"))
    with pytest.raises(ModelError, match="A web page came"):
        await provider.embed(["gate code"], MODEL)


def test_in_the_place_of_a_providers_own_address_the_connection_is_named() -> None:
    assert error_of(Failure("web_page", 200), "openai/gpt").next_step == ServerUnreachable.next_step


@pytest.mark.slow
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("model", [MODEL, "anthropic/any", "ollama_chat/any", "mistral/any", "gemini/any"])
async def test_a_redirect_is_not_followed(
    model_process: ModelProcess, server: LoopbackServer, status: int, model: str
) -> None:
    with LoopbackServer() as other:
        server.will(*[Redirect(other.base_url + "/chat/completions", status)] * 3)
        provider = LiteLLMProvider(lambda _: Connection(server.base_url, "test"), limits=LIMITS, process=model_process)
        with pytest.raises(ModelError) as caught:
            await provider.complete(ChatRequest(HELLO, model=model))
        assert "was to be sent on to another address" in caught.value.sentence
        assert not caught.value.transient
        assert (server.visits, other.visits) == (1, 0)


@pytest.mark.slow
async def test_a_redirect_of_a_request_for_meanings_is_not_followed(
    provider: LiteLLMProvider, server: LoopbackServer
) -> None:
    with LoopbackServer(otherwise=Meanings()) as other:
        server.will(Redirect(other.base_url + "/embeddings"))
        with pytest.raises(ModelError):
            await provider.embed(["gate code"], MODEL)
        assert (server.visits, other.visits) == (1, 0)
