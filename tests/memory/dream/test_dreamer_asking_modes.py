"""Dream asks a model in the way it can answer: by tools, held to a schema, or in its text; through the same gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.errors import ContextTooLong
from mnemoscope.domain.llm import LLMResponse, ModelTraits, OutputMode, ToolCallRequest
from mnemoscope.memory.dream.dream_prompt import Guide, dream_messages
from mnemoscope.memory.dream.dream_session import DreamLimits
from mnemoscope.memory.dream.dreamer import DreamRequest
from tests.memory.dream.test_dreamer import MEMORY, TEXT, DreamWorkspace
from tests.support.scripted_provider import KnownModel, asks, call, keeps_nothing, says

ADDED = "- has a cat called Mau"
TOOLS = ModelTraits(tools=True)


def edits(*given: dict[str, Any], summary: str = "Added the cat.") -> str:
    return json.dumps({"edits": given, "summary": summary})


def edit(old: str, new: str, file: str = MEMORY) -> dict[str, str]:
    return {"file": file, "old": old, "new": new}


CAT = edits(edit("", ADDED))


@pytest.fixture
def workspace(tmp_path: Path) -> DreamWorkspace:
    workspace = DreamWorkspace(tmp_path)
    workspace.begin()
    return workspace


async def dream(workspace: DreamWorkspace, model: KnownModel, **more: Any) -> DreamRun:
    finished = await workspace.dreamer.run(DreamRequest(model, "m", **more))
    assert finished is not None
    return finished.run


async def test_a_model_that_only_writes_prose_is_held_to_a_schema_and_the_way_is_remembered(
    workspace: DreamWorkspace,
) -> None:
    model = KnownModel(says("I have noted the cat!"), CAT, traits=TOOLS)
    run = await dream(workspace, model)
    assert model.ways == ["tool", "schema"]
    assert (run.outcome, run.words, run.asked) == ("changed", "Added the cat.", ("tool", "schema"))
    assert workspace.memory() == f"{TEXT}{ADDED}\n"
    assert workspace.cursor() == 1
    assert json.loads(workspace.paths.own.model_modes_file.read_text()) == {"m (Dream)": "schema"}
    workspace.journal.append("- [durable] The cat is grey")
    again = KnownModel(edits(summary="Nothing."), traits=TOOLS)
    assert (await dream(workspace, again)).outcome == "nothing"
    assert again.ways == ["schema"]


async def test_what_works_for_consolidation_is_tried_first_and_not_taken_for_granted(
    workspace: DreamWorkspace,
) -> None:
    workspace.paths.own.model_modes_file.parent.mkdir(exist_ok=True)
    workspace.paths.own.model_modes_file.write_text('{"m": "text"}')
    model = KnownModel("I cannot.", CAT, traits=TOOLS)
    assert (await dream(workspace, model)).outcome == "changed"
    assert model.ways == ["text", "tool"]


@pytest.mark.parametrize(
    "answer",
    [
        CAT,
        f"Here are the edits:\n```json\n{CAT}\n```",
        f"<think>{edits(edit('- likes tea', ''))}</think>{CAT}",
        CAT[:-1],
        json.dumps([edit("", ADDED)]),
        json.dumps({"edits": edit("", ADDED)}),
        json.dumps({"edits": {MEMORY: [{"old": "", "new": ADDED}]}}),
        json.dumps({"properties": {"edits": [edit("", ADDED)]}}),
        json.dumps({"changes": [{"path": "./memory/MEMORY.md", "old_text": None, "new_text": ADDED}]}),
        edits(edit("", ADDED, "MEMORY.md"), edit("", ADDED, "MEMORY.md")),
        f'<tool_call>{{"name": "edit_file", "arguments": {json.dumps(edit("", ADDED))}}}</tool_call>',
        f'edit_file(path="{MEMORY}", old_text="", new_text="{ADDED}")',
    ],
)
async def test_the_edits_are_found_in_the_text_in_whatever_they_are_wrapped(
    workspace: DreamWorkspace, answer: str
) -> None:
    run = await dream(workspace, KnownModel(answer, traits=ModelTraits(tools=False, schema=False)))
    assert (run.outcome, run.reason) == ("changed", "")
    assert workspace.memory() == f"{TEXT}{ADDED}\n"


async def test_json_that_had_to_be_mended_is_told_of(workspace: DreamWorkspace) -> None:
    run = await dream(workspace, KnownModel(edits(edit("", ADDED)).replace("]", ",]")))
    assert (run.outcome, run.cleaned) == ("changed", ("mended-json",))


async def test_in_a_small_context_the_schema_bounds_the_edits(workspace: DreamWorkspace) -> None:
    model = KnownModel(edits(edit("", ADDED)), window=2_048)
    assert (await dream(workspace, model)).outcome == "changed"
    schema = (model.requests[0].response_format or {})["json_schema"]["schema"]["properties"]
    texts = schema["edits"]["items"]["properties"]
    assert (schema["edits"]["maxItems"], texts["old"]["maxLength"], texts["new"]["maxLength"]) == (1, 64, 102)


async def test_the_arguments_of_a_call_are_mended_and_this_is_told(workspace: DreamWorkspace) -> None:
    arguments = json.dumps({"path": MEMORY, "old_text": "", "new_text": ADDED}).replace("}", ",}")
    asked = asks(ToolCallRequest("c1", "edit_file", arguments))
    run = await dream(workspace, KnownModel(asked, asks(call("finish", summary="Added.")), traits=TOOLS))
    assert (run.outcome, run.cleaned) == ("changed", ("mended-json",))


async def test_calls_written_as_text_where_tools_were_offered_are_taken_as_calls(workspace: DreamWorkspace) -> None:
    arguments = json.dumps({"path": MEMORY, "old_text": "- likes tea", "new_text": f"- likes tea\n{ADDED}"})
    model = KnownModel(f'<tool_call>\n{{"name": "edit_file", "arguments": {arguments}}}\n</tool_call>', traits=TOOLS)
    run = await dream(workspace, model)
    assert (run.outcome, run.cleaned) == ("changed", ("call-as-text",))
    assert ADDED in workspace.memory()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (edit("", "x", "../AGENTS.md"), "is not open here"),
        (edit("", "x", "/etc/passwd"), "is not open here"),
        (edit("", "x", "memory/.dream_cursor"), "is not open here"),
        (edit(TEXT, ""), "would empty"),
        (edit("- likes coffee", ADDED), "is not in"),
        (edit("- ", ADDED), "stands 2 times in"),
        (edit("- likes tea", "- (rest of memory unchanged)"), "stands for words"),
        (edit("", "- What stands there afterwards; empty to remove them"), "stands for words"),
    ],
)
async def test_an_edit_that_may_not_be_is_refused_in_a_sentence_and_asked_for_again(
    workspace: DreamWorkspace, given: dict[str, str], said: str
) -> None:
    stubborn = KnownModel(last=edits(given))
    run = await dream(workspace, stubborn)
    assert (run.outcome, len(stubborn.requests)) == ("unusable", 3)
    assert said in run.reason
    assert workspace.memory() == TEXT
    assert workspace.cursor() == 0
    model = KnownModel(edits(given), CAT)
    run = await dream(workspace, model)
    assert run.outcome == "changed"
    assert model.ways == ["schema", "schema"]
    assert said in str(model.requests[1].messages[-1]["content"])


async def test_what_can_be_made_is_made_and_what_was_refused_is_told(workspace: DreamWorkspace) -> None:
    run = await dream(workspace, KnownModel(edits(edit("", ADDED), edit("no such words", "x"))))
    assert run.outcome == "changed"
    assert "is not in" in run.reason
    assert workspace.memory() == f"{TEXT}{ADDED}\n"


async def test_the_gate_is_the_same(workspace: DreamWorkspace) -> None:
    run = await dream(workspace, KnownModel(edits(edit("- The database is MySQL\n", ""))))
    assert run.outcome == "held"
    assert workspace.memory() == TEXT
    (waiting,) = workspace.ledger.suggestions()
    assert waiting.reasons == ("It would drop “The database is MySQL”.",)


async def test_one_line_in_several_edits_is_written_once(workspace: DreamWorkspace) -> None:
    run = await dream(workspace, KnownModel(edits(*[edit("", ADDED)] * 3, edit("", f"{ADDED}\n{ADDED}"))))
    assert run.outcome == "changed"
    assert workspace.memory().count("Mau") == 1


async def test_a_line_that_was_said_again_and_again_is_shown_once_and_waits(workspace: DreamWorkspace) -> None:
    run = await dream(workspace, KnownModel(edits(edit("", "\n".join([ADDED] * 3)))))
    assert run.outcome == "held"
    (waiting,) = workspace.ledger.suggestions()
    assert waiting.proposed.count("Mau") == 1
    assert "again and again" in waiting.reasons[0]


async def test_what_no_file_of_words_holds_is_taken_out_and_said(workspace: DreamWorkspace) -> None:
    run = await dream(workspace, KnownModel(edits(edit("", f"{ADDED}\0\ud83d\U000e0041\r\n"))))
    assert workspace.memory() == f"{TEXT}{ADDED}\n"
    assert run.cleaned == ("line-ends", "control-characters", "half-characters", "unseen-characters")
    assert workspace.runs.newest()[0] == run


@pytest.mark.parametrize("answer", ["Hello! How can I help?", "", "[]", '{"edits": "none"}', '{"edits": [7]}', "{}"])
async def test_a_run_that_no_way_of_asking_helps_says_why_and_the_entries_wait(
    workspace: DreamWorkspace, answer: str
) -> None:
    model = KnownModel(last=LLMResponse(answer), traits=TOOLS)
    run = await dream(workspace, model)
    assert model.ways == ["tool", "schema", "text"]
    assert run.outcome == "unusable"
    assert run.reason
    assert workspace.cursor() == 0
    assert workspace.memory() == TEXT
    assert workspace.runs.newest() == [run]


async def test_a_model_whose_edits_by_tools_are_refused_and_that_is_content_is_asked_otherwise(
    workspace: DreamWorkspace,
) -> None:
    wrong = asks(call("edit_file", path=MEMORY, old_text="no such words", new_text="x"))
    model = KnownModel(wrong, says("I updated the memory."), CAT, traits=TOOLS)
    run = await dream(workspace, model)
    assert (model.ways, run.outcome) == (["tool", "tool", "schema"], "changed")


async def test_a_model_that_goes_round_in_circles_with_its_tools_is_asked_otherwise(workspace: DreamWorkspace) -> None:
    model = KnownModel(*[asks(call("read_file", path=MEMORY))] * 3, CAT, traits=TOOLS)
    run = await dream(workspace, model)
    assert (run.outcome, model.ways[-1]) == ("changed", "schema")


async def test_a_server_that_takes_no_tools_and_no_schema_is_asked_in_text(workspace: DreamWorkspace) -> None:
    model = KnownModel(
        RuntimeError("400: gemma does not support tools"),
        RuntimeError("400: unknown response_format"),
        CAT,
        traits=TOOLS,
    )
    run = await dream(workspace, model)
    assert (run.outcome, run.asked) == ("changed", ("text",))
    assert json.loads(workspace.paths.own.model_modes_file.read_text()) == {"m (Dream)": "text"}


async def test_that_nothing_is_worth_keeping_is_an_answer_and_says_nothing_of_the_way(
    workspace: DreamWorkspace,
) -> None:
    model = KnownModel(says("There is nothing to keep."), edits(summary="Nothing."), traits=TOOLS)
    assert (await dream(workspace, model)).outcome == "nothing"
    assert workspace.cursor() == 1
    assert not workspace.paths.own.model_modes_file.exists()
    workspace.journal.append("- [durable] The cat is grey")
    assert (await dream(workspace, KnownModel(keeps_nothing(), traits=TOOLS))).outcome == "nothing"


async def test_an_answer_in_circles_is_stopped_while_it_is_written(workspace: DreamWorkspace) -> None:
    circle = ['{"edits": [', *['{"file": "USER.md", "old": "", "new": "- x"}, '] * 4_000, LLMResponse("")]
    model = KnownModel(circle, CAT)
    assert (await dream(workspace, model)).outcome == "changed"
    assert [each.frequency_penalty > 0 for each in model.requests] == [False, True]


async def test_the_limits_of_a_run_hold_in_every_way(workspace: DreamWorkspace) -> None:
    model = KnownModel(last=says("Hello!"), traits=TOOLS)
    run = await dream(workspace, model, limits=DreamLimits(tokens=20))
    assert (run.outcome, len(model.requests)) == ("capped", 2)
    run = await dream(workspace, KnownModel(last=says("Hello!"), traits=TOOLS), limits=DreamLimits(rounds=1))
    assert (run.outcome, run.rounds) == ("stuck", 1)


async def test_a_batch_too_long_for_the_model_is_halved_in_every_way(workspace: DreamWorkspace) -> None:
    workspace.journal.append("- [durable] The cat is grey")
    run = await dream(workspace, KnownModel(ContextTooLong("Too long."), CAT))
    assert (run.outcome, run.first, run.last) == ("changed", 1, 1)


async def test_a_model_that_holds_little_is_told_little_and_what_to_do_last(workspace: DreamWorkspace) -> None:
    model = KnownModel(CAT, window=2_048)
    assert (await dream(workspace, model)).outcome == "changed"
    (request,) = model.requests
    assert len(str(request.messages[0]["content"])) < 300
    assert str(request.messages[1]["content"]).rstrip().endswith("one short sentence.")
    assert request.max_tokens <= 512
    own = workspace.paths.dream_guide
    own.parent.mkdir(exist_ok=True)
    own.write_text("Keep what is said of cats.")
    workspace.journal.append("- [durable] The cat is grey")
    model = KnownModel(edits(), window=2_048)
    await dream(workspace, model)
    assert str(model.requests[0].messages[0]["content"]).startswith("Keep what is said of cats.")
    assert '{"edits": []' in str(model.requests[0].messages[0]["content"])


@pytest.mark.parametrize("way", [OutputMode.SCHEMA, OutputMode.TEXT])
async def test_no_tools_are_spoken_of_where_none_are_offered(workspace: DreamWorkspace, way: OutputMode) -> None:
    workspace.paths.own.model_modes_file.parent.mkdir(exist_ok=True)
    workspace.paths.own.model_modes_file.write_text(json.dumps({"m": way.value}))
    model = KnownModel(CAT, traits=TOOLS)
    await dream(workspace, model)
    sent = "".join(str(each["content"]) for each in model.requests[0].messages)
    assert "edit_file" not in sent
    assert (model.requests[0].response_format is not None) == (way is OutputMode.SCHEMA)


RAW = (
    "[2026-11-28 18:12] [RAW] 2 messages\n"
    "  [2026-11-27 09:03] USER: Clara comes on 14 December.\n  [2026-11-27 09:04] ASSISTANT: Noted."
)


def test_a_model_with_a_small_context_reads_the_day_of_an_entry_in_words_and_no_times() -> None:
    guide = Guide("Tend memory.", False)
    asked = dream_messages(guide, {}, [RAW], mode=OutputMode.SCHEMA, brief=True)[1]["content"]
    shown = "(28 November 2026) [RAW] 2 messages\n  USER: Clara comes on 14 December.\n  ASSISTANT: Noted."
    assert shown in asked
    for mode, brief in ((OutputMode.SCHEMA, False), (OutputMode.TOOL, True)):
        assert RAW in dream_messages(guide, {}, [RAW], mode=mode, brief=brief)[1]["content"]
