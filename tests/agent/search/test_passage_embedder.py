"""Search by meaning: off until a model is chosen, in the background, and never in the way of the search by words."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.agent.search.passage_embedder import QUESTION_SECONDS, REST_SECONDS
from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.domain.errors import ModelError, ModelMissing, ServerUnreachable
from mnemoscope.domain.events import (
    Event,
    EventBus,
    HistoryChanged,
    Noticed,
    SettingsChanged,
    TurnEnded,
    TurnStarted,
)
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.settings import LOCAL_EMBEDDING, Settings
from mnemoscope.store.search.embedded_texts import BATCH, unrelated_texts
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.movable_clock import run_with_clock
from tests.support.search_files import message, session, workspace

ANIMALS = ("quokka", "marsupial", "kangaroo")


class ScriptedEmbedder:
    """Knows that some words are animals. `broken`: how it fails; `held`: set once it may answer.

    `asked`: for which passages and questions; the unrelated texts that it is asked for first are not held up.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.questions: list[str] = []
        self.broken: Exception | None = None
        self.held = asyncio.Event()
        self.held.set()
        self.changed = asyncio.Event()

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        if set(texts) <= set(unrelated_texts()) and (not self.held.is_set() or self.broken is None):
            return [(0.1, 1.0)] * len(texts)
        self.asked.append((model, tuple(texts)))
        self.questions += texts if is_question else ()
        self.changed.set()
        await self.held.wait()
        if self.broken is not None:
            raise self.broken
        return [(1.0, 0.1) if any(word in text for word in ANIMALS) else (0.1, 1.0) for text in texts]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something holds that an answer brings about."""
        async with asyncio.timeout(60):
            while not holds():
                self.changed.clear()
                await self.changed.wait()

    @property
    def texts(self) -> list[str]:
        """Everything it was asked for, in order."""
        return [text for _, texts in self.asked for text in texts]


class OpenedSearch:
    """A search with all that belongs to it."""

    def __init__(self, root: Path, **settings: str) -> None:
        self.paths: WorkspacePaths = workspace(root)
        self.bus, self.embedder = EventBus(), ScriptedEmbedder()
        self.notices: list[Noticed] = []
        self.bus.subscribe(self._on_event)
        self.settings = Settings(**settings)  # type: ignore[arg-type]
        self.spent = ""
        """Why nothing that may cost is begun by itself."""
        self.search = self.open()

    def open(self, *, read_only: bool = False, is_forgotten: Callable[[str], bool] = lambda _: False) -> SearchService:
        return SearchService(
            self.paths,
            self.bus,
            read_only=read_only,
            is_forgotten=is_forgotten,
            embedder=self.embedder,
            settings=lambda: self.settings,
            spent=lambda: self.spent,
        )

    def choose(self, model: str) -> None:
        self.settings = replace(self.settings, embedding_model=model)
        self.bus.publish(SettingsChanged())

    async def settled(self) -> None:
        """Until everything is embedded that was not."""
        own = self.search._passage_embedder
        assert own is not None
        async with asyncio.timeout(60):
            # What the last question read may be told to the embedder only after an empty round of it.
            own.go_on()
            while own._task is None or not own._task.done():
                await (own._task or self.search.find("settled"))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Noticed):
            self.notices.append(event)


async def test_nothing_is_embedded_where_the_search_is_by_words_alone(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="off")
    opened.paths.memory_file.write_text("- a quokka\n")
    assert [hit.text for hit in await opened.search.find("quokka")] == ["- a quokka"]
    assert await opened.search.find("marsupial") == []
    opened.choose("offline")
    opened.bus.publish(HistoryChanged())
    await opened.search.close()
    assert opened.embedder.asked == []


@pytest.mark.parametrize("named", ["", "local/wordllama", LOCAL_EMBEDDING])
async def test_where_no_model_is_named_that_of_this_computer_searches(tmp_path: Path, named: str) -> None:
    opened = OpenedSearch(tmp_path, embedding_model=named)
    opened.paths.memory_file.write_text("- a quokka\n")
    await opened.search.find("anything")
    await opened.settled()
    assert {model for model, _ in opened.embedder.asked} == {LOCAL_EMBEDDING}
    assert [hit.text for hit in await opened.search.find("marsupial")] == ["- a quokka"]
    await opened.search.close()


async def test_an_embedder_is_told_whether_it_has_a_question_before_it(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.paths.memory_file.write_text("- a quokka\n")
    await opened.search.find("marsupial")
    await opened.settled()
    assert opened.embedder.questions == ["marsupial"]
    await opened.search.close()


async def test_a_question_is_embedded_without_the_names_of_who_talks(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    session(opened.paths, *(message(f"Nora: line {number}") for number in range(5)))
    await opened.search.find("anything")
    await opened.settled()
    await opened.search.find("What did Nora plant?")
    assert opened.embedder.questions[-1] == "What did plant?"
    await opened.search.close()


async def test_what_was_remembered_is_found_by_meaning_once_a_model_is_chosen(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="off")
    opened.paths.memory_file.write_text("- a quokka\n- a teapot\n")
    await opened.search.find("anything")
    opened.choose("m")
    await opened.settled()
    assert opened.embedder.asked == [("m", ("- a teapot", "- a quokka"))]
    assert (await opened.search.find("marsupial"))[0].text == "- a quokka"
    assert [hit.text for hit in await opened.search.passages("marsupial", 1)] == ["- a quokka"]
    await opened.search.close()


async def test_a_line_that_was_forgotten_and_came_back_is_given_to_no_provider(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.paths.memory_file.write_text("- a quokka\n- a teapot\n")
    opened.search = opened.open(is_forgotten=lambda line: "quokka" in line)
    await opened.search.find("anything")
    await opened.settled()
    assert opened.embedder.texts
    assert "quokka" not in str(opened.embedder.texts)
    assert "a teapot" in str(opened.embedder.texts)
    await opened.search.close()


async def test_what_is_written_later_is_embedded_and_nothing_twice(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    long = "that says enough to be understood without what was said before it"
    session(opened.paths, *(message(f"line {number} {long}") for number in range(BATCH + 6)))
    await opened.search.find("")
    await opened.embedder.until(lambda: len(opened.embedder.texts) == BATCH + 6)
    assert [len(texts) for _, texts in opened.embedder.asked] == [BATCH, 6]
    opened.paths.history_file.write_text("[2026-03-01 10:00] A quokka.\n")
    opened.bus.publish(HistoryChanged())
    await opened.embedder.until(lambda: len(opened.embedder.texts) > BATCH + 6)
    assert len(opened.embedder.texts) == BATCH + 7
    assert "quokka" in opened.embedder.texts[-1]
    await opened.search.close()


async def test_while_a_turn_is_under_way_questions_are_embedded_and_passages_after_it(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    session(opened.paths, message("a quiet line"))
    await opened.search.find("first")
    await opened.embedder.until(lambda: len(opened.embedder.texts) == 2)
    await opened.settled()
    opened.bus.publish(TurnStarted("one"))
    opened.bus.publish(TurnStarted("two"))
    opened.paths.history_file.write_text("[2026-03-01 10:00] A quokka.\n")
    opened.bus.publish(HistoryChanged())
    await opened.search.find("quokka")
    opened.bus.publish(TurnEnded("one", "answered"))
    await opened.search.find("second")
    assert opened.embedder.texts[2:] == ["quokka", "second"]
    opened.bus.publish(TurnEnded("two", "failed"))
    await opened.embedder.until(lambda: len(opened.embedder.texts) == 5)
    assert "A quokka." in opened.embedder.texts[-1]
    await opened.search.close()


async def test_at_the_limit_of_a_day_questions_are_embedded_and_passages_the_next_day(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.spent = "The limit is reached."
    opened.paths.memory_file.write_text("- a quokka\n")
    await opened.search.find("kangaroo")
    await opened.settled()
    assert opened.embedder.texts == ["kangaroo"]
    opened.spent = ""
    opened.bus.publish(TurnEnded("one", "answered"))
    await opened.embedder.until(lambda: len(opened.embedder.texts) == 2)
    assert "a quokka" in opened.embedder.texts[-1]
    await opened.search.close()


async def test_what_this_computer_embeds_costs_nothing_so_no_limit_stops_it(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model=LOCAL_EMBEDDING)
    opened.spent = "The limit is reached."
    opened.paths.memory_file.write_text("- a quokka\n")
    await opened.search.find("kangaroo")
    await opened.embedder.until(lambda: len(opened.embedder.texts) == 2)
    await opened.search.close()


async def test_a_failure_is_said_once_and_words_are_found_all_the_same(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.paths.memory_file.write_text("- a quokka\n")
    opened.embedder.broken = ServerUnreachable("No answer could be had from OpenAI.")
    for _ in range(3):
        assert [hit.text for hit in await opened.search.find("quokka")] == ["- a quokka"]
        opened.bus.publish(HistoryChanged())
    [notice] = opened.notices
    assert notice.sentence == "The search goes on by words alone. No answer could be had from OpenAI."
    assert "Settings" in notice.next_step
    await opened.search.close()


async def test_a_model_that_is_not_installed_is_said_with_the_way_to_have_it(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="local/universal-sentence-encoder")
    opened.paths.memory_file.write_text("- a quokka\n")
    opened.embedder.broken = ModelMissing("The model is not installed.", next_step="Install it with “make model”.")
    assert [hit.text for hit in await opened.search.find("quokka")] == ["- a quokka"]
    [notice] = opened.notices
    assert notice.sentence == "The search goes on by words alone. The model is not installed."
    assert "Install it with “make model”. Then search again" in notice.next_step
    await opened.search.close()


async def test_where_the_model_of_this_computer_fails_nobody_is_sent_to_a_key(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model=LOCAL_EMBEDDING)
    opened.paths.memory_file.write_text("- a quokka\n")
    opened.embedder.broken = ModelError("The request failed at the embedding model of this computer.")
    assert [hit.text for hit in await opened.search.find("quokka")] == ["- a quokka"]
    [notice] = opened.notices
    assert "By words alone" in notice.next_step
    assert "key" not in notice.next_step
    await opened.search.close()


def test_after_a_failure_another_model_is_asked_at_once_and_the_same_after_a_rest(tmp_path: Path) -> None:
    async def search(put_forward: Callable[[float], None]) -> None:
        opened = OpenedSearch(tmp_path, embedding_model="m")
        opened.paths.memory_file.write_text("- a quokka\n")
        opened.embedder.broken = ServerUnreachable("No answer could be had.")
        await opened.search.find("marsupial")
        opened.embedder.broken = None
        opened.choose("other")
        await opened.settled()
        assert [hit.text for hit in await opened.search.find("marsupial")] == ["- a quokka"]
        opened.embedder.broken = ServerUnreachable("No answer could be had.")
        assert await opened.search.find("marsupial") == []
        opened.embedder.broken = None
        assert await opened.search.find("marsupial") == []
        put_forward(REST_SECONDS)
        assert [hit.text for hit in await opened.search.find("marsupial")] == ["- a quokka"]
        assert len(opened.notices) == 2
        await opened.search.close()

    run_with_clock(search)


def test_a_slow_model_is_not_waited_for(tmp_path: Path) -> None:
    async def search(put_forward: Callable[[float], None]) -> None:
        opened = OpenedSearch(tmp_path, embedding_model="m")
        opened.paths.memory_file.write_text("- a quokka\n")
        opened.embedder.held.clear()
        searching = asyncio.ensure_future(opened.search.find("quokka"))
        await opened.embedder.until(lambda: opened.embedder.questions == ["quokka"])
        put_forward(QUESTION_SECONDS)
        assert [hit.text for hit in await searching] == ["- a quokka"]
        assert opened.notices == []
        await opened.search.close()

    run_with_clock(search)


async def test_a_question_that_is_typed_is_embedded_at_once_and_the_one_before_it_given_up(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path)
    opened.paths.memory_file.write_text("- a quokka\n")
    opened.search.prepare()
    await opened.search.find("settled")
    await opened.settled()
    opened.embedder.questions.clear()
    opened.embedder.held.clear()
    opened.search.type("mars")
    await opened.embedder.until(lambda: opened.embedder.questions == ["mars"])
    older = asyncio.create_task(opened.search.find_typed("mars"))
    await asyncio.sleep(0)
    opened.search.type("marsupial")
    assert await older is None
    await opened.embedder.until(lambda: opened.embedder.questions == ["mars", "marsupial"])
    opened.embedder.held.set()
    assert [hit.text for hit in await opened.search.find_typed("marsupial") or []] == ["- a quokka"]
    assert opened.embedder.questions == ["mars", "marsupial"]
    await opened.search.close()


async def test_what_is_not_typed_to_its_end_goes_to_no_other_computer(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.search.prepare()
    await asyncio.wrap_future(opened.search.type("mars"))
    assert opened.search.asks_another_computer
    assert opened.embedder.questions == []
    await opened.search.find_typed("mars")
    assert opened.embedder.questions == ["mars"]
    await opened.search.close()


async def test_a_question_embedded_for_another_model_is_embedded_anew(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path)
    await asyncio.wrap_future(opened.search.type("marsupial"))
    await opened.embedder.until(lambda: opened.embedder.questions == ["marsupial"])
    opened.choose("m")
    await opened.search.find_typed("marsupial")
    assert [model for model, texts in opened.embedder.asked if texts == ("marsupial",)] == [LOCAL_EMBEDDING, "m"]
    await opened.search.close()


async def test_closing_stops_what_is_being_asked(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.paths.memory_file.write_text("- a quokka\n")
    opened.embedder.held.clear()
    await opened.search.find("")
    await opened.embedder.until(lambda: opened.embedder.texts == ["- a quokka"])
    async with asyncio.timeout(60):
        await opened.search.close()
    opened.choose("other")
    assert opened.embedder.asked == [("m", ("- a quokka",))]


async def test_a_model_chosen_while_another_fails_is_asked(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.paths.memory_file.write_text("- a quokka\n")
    opened.embedder.held.clear()
    opened.embedder.broken = ServerUnreachable("No answer could be had.")
    await opened.search.find("")
    await opened.embedder.until(lambda: opened.embedder.texts == ["- a quokka"])
    opened.choose("other")
    opened.embedder.held.set()
    await opened.embedder.until(lambda: len(opened.embedder.asked) > 1)
    assert opened.embedder.asked[1][0] == "other"
    await opened.search.close()


async def test_in_a_workspace_that_is_only_read_nothing_is_embedded(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path, embedding_model="m")
    opened.paths.memory_file.write_text("- a quokka\n")
    reader = opened.open(read_only=True)
    assert [hit.text for hit in await reader.find("quokka")] == ["- a quokka"]
    await reader.close()
    assert opened.embedder.asked == []


@pytest.mark.parametrize("model", ["", "local/wordllama", LOCAL_EMBEDDING])
async def test_meanings_are_had_of_the_model_of_this_computer(tmp_path: Path, model: str) -> None:
    opened = OpenedSearch(tmp_path, embedding_model=model)
    texts = ["a quokka", *(f"teapot {place}" for place in range(BATCH))]
    found = await opened.search.local_meanings(texts)
    assert list(found) == texts
    assert (found["a quokka"], found["teapot 0"]) == ((1.0, 0.1), (0.1, 1.0))
    assert [(name, len(some)) for name, some in opened.embedder.asked] == [
        (LOCAL_EMBEDDING, BATCH),
        (LOCAL_EMBEDDING, 1),
    ]
    opened.embedder.broken = ModelMissing("The model is not installed.")
    assert await opened.search.local_meanings(texts) == {}
    assert opened.notices == []
    await opened.search.close()


@pytest.mark.parametrize("model", ["off", "offline", "openai/text-embedding-3-small", "ollama/nomic-embed-text"])
async def test_no_other_model_is_asked_for_the_meanings_of_an_answer(tmp_path: Path, model: str) -> None:
    opened = OpenedSearch(tmp_path, embedding_model=model)
    assert await opened.search.local_meanings(["a quokka"]) == {}
    await opened.search.close()
    assert opened.embedder.asked == []


async def test_where_the_search_embeds_nothing_an_answer_is_not_embedded(tmp_path: Path) -> None:
    opened = OpenedSearch(tmp_path)
    reader = opened.open(read_only=True)
    assert await reader.local_meanings(["a quokka"]) == {}
    await reader.close()
    await opened.search.close()
    assert await opened.search.local_meanings(["a quokka"]) == {}
    assert opened.embedder.asked == []
