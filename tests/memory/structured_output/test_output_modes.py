"""A model is asked in the way it can answer, another where it cannot, and the way that worked is remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.events import Consolidated, ConsolidationFailed, Event, EventBus
from mnemoscope.domain.llm import LLMResponse, ModelTraits, OutputMode
from mnemoscope.domain.settings import BUILT_IN_MODEL
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.structured_output.output_modes import usual_order
from mnemoscope.memory.structured_output.structured_request import AnswerRoom, bounded_schema
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
        (ModelTraits(tools=True), OutputMode.TOOL),
        (ModelTraits("http://here/v1", tools=True), OutputMode.TOOL),
        (ModelTraits(), OutputMode.TOOL),
        (LOCAL, OutputMode.SCHEMA),
        (ModelTraits(tools=False, schema=True), OutputMode.SCHEMA),
        (ModelTraits(tools=False, schema=False), OutputMode.TEXT),
    ],
)
def test_the_order_fits_what_is_known_of_the_model(traits: ModelTraits, first: OutputMode) -> None:
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


SLICE = [{"role": "user", "content": "word " * 400}]


@pytest.mark.parametrize("window", [2_048, 4_096, 8_191, 8_192])
def test_in_a_small_context_the_answer_is_bounded_by_what_was_shown(window: int) -> None:
    assert 256 <= AnswerRoom.of(window, SLICE).tokens() < window // 2


@pytest.mark.parametrize("window", [9_000, 16_384, 65_536, 1_000_000])
def test_in_a_large_context_a_small_slice_has_room_for_little_more_than_itself(window: int) -> None:
    assert 1_024 <= AnswerRoom.of(window, SLICE).tokens() <= 1_200


@pytest.mark.parametrize("window", [16_384, 65_536])
def test_after_an_answer_that_was_cut_off_there_is_room_for_twice_as_much_and_no_more(window: int) -> None:
    room = AnswerRoom.of(window, SLICE)
    assert [room.tokens(cuts) for cuts in (1, 2)] == [2 * room.tokens(), 4 * room.tokens()]
    assert room.tokens(40) == room.tokens(3)


def test_what_is_repeated_has_room_and_what_the_context_cannot_hold_is_not_asked_for() -> None:
    memory = "fact " * 1_000
    asked = [*SLICE, {"role": "user", "content": memory}]
    assert AnswerRoom.of(65_536, asked, memory).tokens() > AnswerRoom.of(65_536, SLICE).tokens() + 1_000
    assert AnswerRoom.of(2_048, asked, memory).tokens(3) <= 2_048 - 1_400


async def test_a_model_whose_answer_was_cut_off_gets_twice_the_room_and_the_next_time_at_once(folder: Folder) -> None:
    cut = LLMResponse('{"history_entry": "Talked', finish_reason="length")
    traits = ModelTraits(tools=True)
    model = Model(cut, AS_JSON, AS_JSON, traits=traits)
    assert await folder.consolidate(model)
    first, second = (each.max_tokens for each in model.requests)
    assert 1_024 <= first <= 1_300
    assert 1.9 * first <= second <= 2.1 * first
    assert await folder.consolidate(model)
    assert model.requests[-1].max_tokens >= 1.9 * first


@pytest.mark.parametrize("window", [2_048, 8_192, 65_536])
async def test_in_a_small_context_the_schema_bounds_the_texts_that_are_asked_for(folder: Folder, window: int) -> None:
    folder.store.write_long_term("# Notes\n- Has a cat\n")
    answer = json.dumps({"history_entry": "Talked about tea.", "memory_update": "# Notes\n- Has a cat\n- Likes tea\n"})
    model = Model(answer, window=window)
    assert await folder.consolidate(model)
    schema = (model.requests[0].response_format or {})["json_schema"]["schema"]["properties"]
    most = {name: each.get("maxLength") for name, each in schema.items()}
    if window > 8_192:
        assert most == {"history_entry": None, "memory_update": None}
    else:
        assert most["history_entry"] == window // 16
        assert most["memory_update"] == len("# Notes\n- Has a cat\n") + window // 20


def test_a_schema_is_bounded_by_the_names_of_its_parts_as_far_as_servers_count() -> None:
    lines = {"type": "array", "items": {"type": "string"}}
    schema = {"type": "object", "properties": {"lines": lines, "words": {"type": "string"}}}
    bounded = bounded_schema(schema, {"lines": 4, "lines.": 80, "words": 5_000})["properties"]
    assert bounded["lines"] == {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 4}
    assert bounded["words"] == {"type": "string"}


@pytest.mark.parametrize(
    ("script", "asked", "cleaned"),
    [
        ([AS_JSON], ("schema",), ()),
        ([says("Hello!"), says("Hello!"), AS_JSON], ("schema", "tool", "text"), ()),
        ([says("Hello!"), AS_JSON], ("schema", "tool"), ("call-as-text",)),
        ([AS_JSON.replace("tea\\n", "tea\\u0000\\r\\n")], ("schema",), ("line-ends", "control-characters")),
        ([AS_JSON.replace("}", ",}")], ("schema",), ("mended-json",)),
        ([f"{{like}} this: {AS_JSON}"], ("schema",), ()),
        ([save_memory("<think>tea?</think>Talked.", "# Notes\n- Likes tea\n")], ("schema",), ("thinking",)),
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
