"""A model is asked in the way it can answer, another where it cannot, and the way that worked is remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.events import Consolidated, ConsolidationFailed, Event, EventBus
from mnemoscope.domain.llm import AnswerWay, LLMResponse, ModelTraits
from mnemoscope.domain.settings import BUILT_IN_MODEL
from mnemoscope.memory.asking.asking import answer_room
from mnemoscope.memory.asking.model_ways import usual_order
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.scripted_provider import LOCAL, says
from tests.support.scripted_provider import KnownModel as Model
from tests.support.telltale_model import save_memory

AS_JSON = json.dumps({"history_entry": "Talked about tea.", "memory_update": "# Notes\n- Likes tea\n"})


class Folder:
    """A workspace with one conversation, and what was announced."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.events: list[Event] = []
        bus = EventBus()
        bus.subscribe(self.events.append)
        self.sessions = SessionManager(root)
        self.store = MemoryStore(root, sessions=self.sessions, bus=bus)

    async def consolidate(self, model: Model, name: str = "small") -> bool:
        session = self.sessions.get_or_create("cli:direct")
        session.add_message("user", "I like tea.")
        session.add_message("assistant", "Noted.")
        self.sessions.save(session)
        return await self.store.consolidate(session, model, name, archive_all=True)

    @property
    def failures(self) -> list[str]:
        return [event.reason for event in self.events if isinstance(event, ConsolidationFailed)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.mark.parametrize(
    ("traits", "first"),
    [
        (ModelTraits(tools=True), AnswerWay.TOOL),
        (ModelTraits("http://here/v1", tools=True), AnswerWay.TOOL),
        (ModelTraits(), AnswerWay.TOOL),
        (LOCAL, AnswerWay.SCHEMA),
        (ModelTraits(tools=False, schema=True), AnswerWay.SCHEMA),
        (ModelTraits(tools=False, schema=False), AnswerWay.TEXT),
    ],
)
def test_the_order_fits_what_is_known_of_the_model(traits: ModelTraits, first: AnswerWay) -> None:
    assert usual_order(traits)[0] is first


async def test_a_model_that_calls_no_tool_is_asked_in_the_next_way_at_once(folder: Folder) -> None:
    model = Model(says("Saved!"), AS_JSON, traits=ModelTraits(tools=True))
    assert await folder.consolidate(model)
    assert model.ways == ["tool", "schema"]
    assert "Likes tea" in folder.store.read_long_term()


async def test_a_call_without_sense_is_asked_for_again_and_then_in_another_way(folder: Folder) -> None:
    empty = save_memory("string", "string")
    model = Model(empty, empty, AS_JSON, traits=ModelTraits(tools=True))
    assert await folder.consolidate(model)
    assert model.ways == ["tool", "tool", "schema"]
    assert "Likes tea" in folder.store.read_long_term()


async def test_the_way_that_worked_is_remembered_for_the_model_also_in_another_window(folder: Folder) -> None:
    traits = ModelTraits("http://127.0.0.1:1/v1", tools=True)
    assert await folder.consolidate(Model(says("Saved!"), AS_JSON, traits=traits))
    kept = json.loads((folder.root / ".mnemoscope" / "model-ways.json").read_text())
    assert kept == {"small@http://127.0.0.1:1/v1": "schema"}
    again = Folder(folder.root)
    model = Model(AS_JSON, traits=traits)
    assert await again.consolidate(model)
    assert model.ways == ["schema"]
    other = Model(save_memory("Talked.", "# Notes\n- Likes tea\n"), traits=traits)
    assert await again.consolidate(other, "another")
    assert other.ways == ["tool"]


async def test_a_remembered_way_that_fails_gives_way_to_the_others(folder: Folder) -> None:
    traits = ModelTraits(tools=True)
    assert await folder.consolidate(Model(says("Saved!"), AS_JSON, traits=traits))
    model = Model(says("I do not know."), save_memory("Talked.", "# Notes\n- Likes tea\n"), traits=traits)
    assert await folder.consolidate(model)
    assert model.ways == ["schema", "tool"]


@pytest.mark.parametrize("damaged", [b"", b"[1]", b"{", b'{"small": 7}', b'{"small": "by post"}'])
async def test_a_damaged_note_of_the_ways_counts_as_none(folder: Folder, damaged: bytes) -> None:
    file = folder.root / ".mnemoscope" / "model-ways.json"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(damaged)
    assert await folder.consolidate(Model(AS_JSON))


async def test_a_way_the_server_refuses_costs_no_answer(folder: Folder) -> None:
    refusal = RuntimeError("400: response_format of type json_schema is not supported")
    model = Model(refusal, save_memory("Talked.", "# Notes\n- Likes tea\n"))
    assert await folder.consolidate(model)
    assert model.ways == ["schema", "tool"]


async def test_all_three_ways_are_tried_within_three_answers_and_the_reason_is_told(folder: Folder) -> None:
    model = Model(last=says("Hello!"))
    assert not await folder.consolidate(model)
    assert model.ways == ["schema", "tool", "text"]
    assert len(folder.failures) == 1


async def test_an_answer_in_circles_is_stopped_while_it_is_written_and_asked_for_otherwise(folder: Folder) -> None:
    circle = ['{"history_entry": "Tea.", "memory_update": "# Notes\\n', *["- Likes tea\\n"] * 4_000, LLMResponse("")]
    model = Model(circle, AS_JSON)
    assert await folder.consolidate(model)
    assert [each.frequency_penalty > 0 for each in model.requests] == [False, True]
    assert model.ways == ["schema", "schema"]
    assert folder.store.read_long_term().count("Likes tea") == 1


async def test_what_stands_in_memory_many_times_may_be_repeated(folder: Folder) -> None:
    lines = "".join("- Walked the dog round the lake in the morning\n" for _ in range(12))
    folder.store.write_long_term(f"# Notes\n{lines}")
    answer = json.dumps({"history_entry": "Talked about tea.", "memory_update": f"# Notes\n{lines}- Likes tea\n"})
    assert await folder.consolidate(Model(answer))
    assert [event for event in folder.events if isinstance(event, Consolidated)]


@pytest.mark.parametrize("window", [2_048, 4_096, 8_191])
def test_in_a_small_context_the_answer_is_bounded_by_what_was_shown(window: int) -> None:
    shown = [{"role": "user", "content": "word " * 400}]
    assert 256 <= answer_room(window, shown, "") < window // 2
    assert answer_room(65_536, shown, "") >= 4_096


@pytest.mark.parametrize(
    ("script", "asked", "cleaned"),
    [
        ([AS_JSON], ("schema",), ()),
        ([says("Hello!"), says("Hello!"), AS_JSON], ("schema", "tool", "text"), ()),
        ([says("Hello!"), AS_JSON], ("schema", "tool"), ("call-as-text",)),
        ([AS_JSON.replace("tea\\n", "tea\\u0000\\r\\n")], ("schema",), ("line-ends", "control-characters")),
    ],
)
async def test_the_record_tells_how_the_model_was_asked_and_what_was_cleaned_also_after_a_restart(
    folder: Folder, script: list[Any], asked: tuple[str, ...], cleaned: tuple[str, ...]
) -> None:
    assert await folder.consolidate(Model(*script))
    (record,) = Folder(folder.root).store.ledger.records()
    assert (record.asked, record.cleaned) == (asked, cleaned)
    assert folder.store.read_long_term() == "# Notes\n- Likes tea\n"


async def test_of_the_built_in_model_no_way_is_told(folder: Folder) -> None:
    assert await folder.consolidate(Model(save_memory("Talked.", "# Notes\n- Likes tea\n")), BUILT_IN_MODEL)
    (record,) = folder.store.ledger.records()
    assert record.asked == ()


async def test_a_record_from_before_tells_nothing_of_the_way(folder: Folder) -> None:
    assert await folder.consolidate(Model(AS_JSON))
    (file,) = (folder.root / ".mnemoscope" / "ledger").glob("*.json")
    document = json.loads(file.read_bytes().partition(b"\n")[0])
    del document["asked"], document["cleaned"]
    line = encode_text(json.dumps(document, ensure_ascii=False))
    file.write_bytes(line + b"\n" + digest_of(line).encode() + b"\n")
    (record,) = Folder(folder.root).store.ledger.records()
    assert (record.asked, record.cleaned) == ((), ())
