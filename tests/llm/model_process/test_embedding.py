"""What texts mean, asked over real HTTP of a server on loopback, through the real model process."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from mnemoscope.domain.errors import (
    AnswerTimedOut,
    KeyMissing,
    KeyRefused,
    ModelError,
    ModelUnknown,
    RateLimited,
    ServerUnreachable,
)
from mnemoscope.domain.llm import EmbeddedTexts
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import TrustedByCaller
from mnemoscope.llm.model_process.embedding import packed
from mnemoscope.llm.model_process.process import MODEL_COMMAND, ModelProcess, unpacked_vector
from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits
from mnemoscope.llm.router import ModelRouter
from tests.llm.conftest import GUARDED, LIMITS, MODEL
from tests.support.loopback_server import USAGE, LoopbackServer, Meanings, Refuse, Stall
from tests.support.shared_models import begun_process


@pytest.fixture(scope="module", autouse=True)
def loaded(loopback: LoopbackServer, model_process: ModelProcess) -> None:
    """The first request for vectors loads more of litellm, which may outlast the patience of the tests."""
    loopback.will(Meanings())
    patient = RequestLimits(idle_seconds=60, local_patience=1)
    first = LiteLLMProvider(lambda _: Connection(loopback.base_url, "test"), limits=patient, process=model_process)
    asyncio.run(first.embed(["a"], MODEL))


@pytest.fixture
def paid(server: LoopbackServer) -> Iterator[LiteLLMProvider]:
    """Speaks to OpenAI's own address, which is the loopback server's in its process, so that OpenAI's prices hold."""
    code = f"import os; os.environ['OPENAI_BASE_URL'] = {server.base_url + '/v1'!r}\n{GUARDED}"
    with begun_process((*MODEL_COMMAND[:-2], "-c", code)) as process:
        yield LiteLLMProvider(lambda _: Connection("", "test"), limits=LIMITS, process=process)


class Keys:
    def prepare(self) -> None:
        """There is nothing to find."""

    def get(self, provider: str) -> str | None:
        return None

    def at_hand(self, provider: str) -> str | None:
        return ""


@pytest.mark.slow
async def test_each_text_gets_its_vector_in_the_order_asked(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Meanings())
    assert [list(vector) for vector in await provider.embed(["a", "世界", "three"], MODEL)] == [[1, 1], [2, 1], [5, 1]]
    asked = server.asked[0]
    assert asked.path == "/v1/embeddings"
    assert (asked.body["model"], asked.body["input"]) == ("scripted", ["a", "世界", "three"])
    assert {name.lower(): value for name, value in asked.headers.items()}["authorization"] == "Bearer test"


@pytest.mark.slow
async def test_what_vectors_cost_is_known_of_a_provider_and_nothing_on_this_computer(
    server: LoopbackServer, provider: LiteLLMProvider, paid: LiteLLMProvider
) -> None:
    server.will(Meanings(), Meanings(), Meanings())
    here = await provider.embed(["a"], "openai/text-embedding-3-small")
    assert isinstance(here, EmbeddedTexts)
    assert (here.tokens, here.cost) == (USAGE["prompt_tokens"], 0.0)
    priced = await paid.embed(["a"], "openai/text-embedding-3-small")
    unpriced = await paid.embed(["a"], "openai/nobody-knows")
    assert isinstance(priced, EmbeddedTexts)
    assert isinstance(unpriced, EmbeddedTexts)
    assert priced.cost == pytest.approx(USAGE["prompt_tokens"] * 0.02 / 1e6)
    assert unpriced.cost is None
    assert [list(vector) for vector in [*priced, *unpriced]] == [[1, 1], [1, 1]]


@pytest.mark.slow
async def test_models_that_want_to_know_are_told_what_is_a_question_and_what_a_passage(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Meanings(), Meanings(), Meanings())
    await provider.embed(["a"], "openai/nomic-embed-text")
    await provider.embed(["a"], "openai/nomic-embed-text", is_question=True)
    await provider.embed(["a"], MODEL, is_question=True)
    assert [each.body["input"] for each in server.asked] == [["search_document: a"], ["search_query: a"], ["a"]]


def test_numbers_travel_as_32_bit_floats() -> None:
    assert list(unpacked_vector(packed([0.5, -0.25, 1e-3]))) == pytest.approx([0.5, -0.25, 1e-3])


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (Refuse(401, "Incorrect API key provided: test"), KeyRefused),
        (Refuse(404, "The model `scripted` does not exist", code="model_not_found"), ModelUnknown),
        (Refuse(429, retry_after=100), RateLimited),
        (Refuse(429, "You exceeded your current quota", code="insufficient_quota"), RateLimited),
        (Refuse(400, "input is not understood"), ModelError),
    ],
)
async def test_a_refusal_is_one_sentence_and_is_not_tried_again(
    server: LoopbackServer, provider: LiteLLMProvider, refusal: Refuse, kind: type[ModelError]
) -> None:
    server.will(refusal)
    with pytest.raises(ModelError) as caught:
        await provider.embed(["a"], MODEL)
    assert type(caught.value) is kind
    assert caught.value.sentence.endswith(".")
    assert caught.value.next_step
    assert len(server.asked) == 1


@pytest.mark.slow
async def test_what_passes_is_waited_for(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Refuse(429, retry_after=0), Refuse(500), Meanings())
    assert [list(vector) for vector in await provider.embed(["a"], MODEL)] == [[1, 1]]
    assert len(server.asked) == 3


@pytest.mark.slow
async def test_a_server_that_stays_broken_is_said_to_be(server: LoopbackServer, provider: LiteLLMProvider) -> None:
    server.will(Refuse(500), Refuse(500), Refuse(500))
    with pytest.raises(ServerUnreachable):
        await provider.embed(["a"], MODEL)
    assert len(server.asked) == 3


async def test_vectors_that_do_not_fit_the_texts_are_no_answer(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    server.will(Meanings(lambda text: [1.0] * len(text)))
    with pytest.raises(ServerUnreachable):
        await provider.embed(["a", "bc"], MODEL)


@pytest.mark.slow
async def test_a_server_that_says_nothing_is_given_up(server: LoopbackServer, model_process: ModelProcess) -> None:
    quick = RequestLimits(idle_seconds=0.3, local_patience=1)
    impatient = LiteLLMProvider(lambda _: Connection(server.base_url, "test"), limits=quick, process=model_process)
    server.will(Stall(headers=False))
    with pytest.raises(AnswerTimedOut):
        await impatient.embed(["a"], MODEL)


async def test_giving_up_stops_the_request(model_process: ModelProcess) -> None:
    arrived = threading.Event()

    def stall(_body: object) -> Stall:
        arrived.set()
        return Stall(headers=False)

    with LoopbackServer() as server:
        server.otherwise = stall
        provider = LiteLLMProvider(lambda _: Connection(server.base_url), limits=LIMITS, process=model_process)
        asking = asyncio.create_task(provider.embed(["a"], MODEL))
        assert await asyncio.to_thread(arrived.wait, 60)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await asyncio.to_thread(server.left.wait, 60)


async def test_the_router_asks_at_the_address_of_the_settings(
    server: LoopbackServer, model_process: ModelProcess
) -> None:
    settings = Settings(api_base=server.base_url)
    remote = LiteLLMProvider(lambda name: router._connection(name), limits=LIMITS, process=model_process)
    router = ModelRouter(lambda: settings, Keys(), trust=TrustedByCaller(), remote=remote)
    server.will(Meanings())
    assert [list(vector) for vector in await router.embed(["ab"], "meanings")] == [[2, 1]]
    assert server.asked[0].body["model"] == "meanings"


async def test_no_key_that_stands_in_a_text_goes_out_with_it(
    server: LoopbackServer, model_process: ModelProcess
) -> None:
    remote = LiteLLMProvider(lambda _: Connection(server.base_url), limits=LIMITS, process=model_process)
    settings = Settings(api_base=server.base_url)
    router = ModelRouter(
        lambda: settings, Keys(), trust=TrustedByCaller(), remote=remote, known=lambda: {"hunter22secret"}
    )
    server.will(Meanings())
    texts = ["the key is hunter22secret", "sk-proj-aZ0123456789bYcX0123456789aZbYcX", "green tea"]
    assert len(await router.embed(texts, "meanings")) == 3
    known, shaped, plain = server.asked[0].body["input"]
    assert "[key kept out: from the keychain]" in known
    assert shaped.startswith("[key kept out: ")
    assert plain == "green tea"


async def test_no_key_and_no_model_are_said_before_anything_is_asked(server: LoopbackServer) -> None:
    router = ModelRouter(Settings, Keys(), trust=TrustedByCaller(), remote=LiteLLMProvider())
    with pytest.raises(ModelUnknown):
        await router.embed(["a"], "offline")
    router = ModelRouter(
        Settings, Keys(), trust=TrustedByCaller(), remote=LiteLLMProvider(process=ModelProcess(("true",)))
    )
    with pytest.raises(KeyMissing):
        await router.embed(["a"], "openai/text-embedding-3-small")
    assert server.asked == []
    await router.aclose()
