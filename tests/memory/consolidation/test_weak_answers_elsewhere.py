"""The answers of small models, given for a summary of the journal and as edits of Dream: what is no answer there is
taken nowhere, and what is honest is refused nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup
from mnemoscope.domain.answers.answer_reading import NoStructuredAnswer, find_object
from mnemoscope.domain.consolidation.archiving import judge_summary
from mnemoscope.domain.consolidation.planning import format_lines
from mnemoscope.domain.consolidation.save_memory import SAVE_MEMORY_OBJECT
from mnemoscope.domain.dream.edits import read_edits
from mnemoscope.domain.dream.files import DreamFiles
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import heading_title
from mnemoscope.memory.consolidation.consolidation_prompt import instructions_of, journal_messages
from mnemoscope.memory.structured_output.structured_request import mend
from tests.memory.consolidation.test_weak_answers import CASES, response_of

HOLLOW_MEMORY = {
    "broken-09", "placeholder-10", "placeholder-11", "repeat-01", "types-06", *(f"hollow-{number:02}" for number in
    (9, 10, 11, 12, 13, 20)),
}  # fmt: skip
"""Answers of which the entry is honest and the memory is not."""
ANSWERS_OF_ANOTHER_TASK = {"placeholder-09", "types-04"}
"""Entries that only a model asked for save_memory gives."""
UNSEEN = {"keys-03", "prose-03"}
"""Whole answers that are a summary, or that read like one: a reply to the person."""


def spoken(case: dict[str, Any]) -> str:
    return "\n".join(format_lines([{**each, "timestamp": "2026-03-01T10:00:00"} for each in case["slice"]]))


def judged(case: dict[str, Any], response: LLMResponse) -> Any:
    asked = journal_messages(case["slice"], line_limit=4_000)
    return judge_summary(response, instructions=instructions_of(asked), spoken=spoken(case), mend=mend)


def texts(case: dict[str, Any]) -> tuple[str, str]:
    """Returns the entry and the memory of a case, "" where it has none."""
    try:
        found = find_object(response_of(case, case.get("repeat")), SAVE_MEMORY_OBJECT, mend)
    except NoStructuredAnswer:
        return "", ""
    entry, memory = (found.get(key) for key in SAVE_MEMORY_OBJECT.keys)
    return str(entry or ""), memory if isinstance(memory, str) else ""


EACH_SIXTH = [
    pytest.param(case, id=case["id"], marks=[pytest.mark.long] if number % 6 else [])
    for number, case in enumerate(CASES)
]
"""All answers in the long form: for what only asks which tool was called, some of them do."""
WITH_ENTRY = [case for case in CASES if texts(case)[0] and case["id"] not in ANSWERS_OF_ANOTHER_TASK]


@pytest.mark.parametrize("case", WITH_ENTRY, ids=[case["id"] for case in WITH_ENTRY])
def test_an_entry_is_judged_alike_as_a_summary_of_the_journal(case: dict[str, Any]) -> None:
    is_honest = case["expect"] in ("taken", "held") or case["id"] in HOLLOW_MEMORY
    verdict = judged(case, LLMResponse(texts(case)[0]))
    assert verdict.kind == ("ok" if is_honest else "retry"), verdict.reason


@pytest.mark.parametrize("case", EACH_SIXTH)
def test_a_call_of_another_tool_is_no_summary(case: dict[str, Any]) -> None:
    if case["id"] not in UNSEEN:
        assert judged(case, response_of(case, case.get("repeat"))).kind == "retry"


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_lines_of_a_memory_are_taken_alike_as_edits_of_dream(case: dict[str, Any]) -> None:
    refused = []
    for line in texts(case)[1].replace("\r", "").split("\n"):
        files = DreamFiles({MEMORY_PATH: case["memory"]})
        said = files.edit(MEMORY_PATH, "", line) if line.strip() and heading_title(line) is None else ""
        refused += [line] if "stands for words" in said else []
    is_hollow = case["class"] in ("placeholder", "hollow")
    assert is_hollow or not refused or case["id"] in ("missing-09", "calls-20", "near-07"), refused
    if case["id"] in {f"hollow-{number:02}" for number in (9, 10, 11, 12, 13, 20)}:
        assert refused


@pytest.mark.parametrize("case", EACH_SIXTH)
def test_an_answer_to_another_request_holds_no_edits(case: dict[str, Any]) -> None:
    with pytest.raises(NoStructuredAnswer):
        read_edits(response_of(case, case.get("repeat")), mend)


@pytest.mark.parametrize(
    "text",
    [
        "string", "TODO", "ok", "I'm sorry, I can't help with that.", "Lorem ipsum dolor sit amet", "Summary here",
        "- [permanent] string\n- [durable] string", "- [permanent] …\n- [ephemeral] …", "- [durable] {fact}",
        "- [durable] Likes tea\n- [permanent] [New fact here]", "- [ephemeral] I'm sorry, I can't help with that.",
        "<tool_call>", '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>', "Likes tea. <think>Or not",
        "I'll call it now.\n<function_calls><invoke name=\"remember\"></invoke></function_calls>", "string | null",
        "As an AI language model I do not keep anything.", "[TOOL_CALLS] [{}]", "The summary", "很抱歉，我无法完成。",
    ],
)  # fmt: skip
def test_what_stands_for_a_summary_is_none(text: str) -> None:
    verdict = judge_summary(LLMResponse(text), spoken="[2026-03-01 10:00] USER: I like tea.")
    assert verdict.kind == "retry"
    assert verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "- [permanent] I can't access the old server from home",
        "- [durable] We use PostgreSQL for the clinic's database.",
        "- [durable] Ann is sorry that she cannot come on Friday",
        "- [permanent] Allergies: none",
        "- **Facts:**\n- [durable] Likes tea",
        "- [durable] TODO lists are kept in Todoist",
        "- [durable] The form has a field {name}",
        "The user apologised; nothing else was said.",
        "- [correction] The text of the contract, not its summary, goes to Ann",
        "- [durable] The <think> tag is stripped before JSON is read",
    ],
)
def test_what_is_honest_is_a_summary(text: str) -> None:
    said = "[2026-03-01 10:00] USER: We use PostgreSQL for the clinic's database. Strip the <think> tag."
    verdict = judge_summary(LLMResponse(text), spoken=said)
    assert (verdict.kind, verdict.summary) == ("ok", text)


def test_lines_that_say_there_is_nothing_are_left_out() -> None:
    assert judge_summary(LLMResponse("- [permanent] (nothing)\n- [durable] None.")).kind == "nothing"
    verdict = judge_summary(LLMResponse("- [permanent] None\n- [durable] Likes tea"))
    assert (verdict.kind, verdict.summary) == ("ok", "- [durable] Likes tea")


def test_what_no_journal_holds_is_cleaned_out_and_named() -> None:
    verdict = judge_summary(LLMResponse("- [durable] Likes\0 tea\r\n- [permanent] Is Ann\ud800\r\n"))
    assert verdict.summary == "- [durable] Likes tea\n- [permanent] Is Ann"
    assert verdict.cleaned == (AnswerCleanup.LINE_ENDS, AnswerCleanup.CONTROL, AnswerCleanup.HALVES)


def test_lines_come_by_a_call_of_the_tool_or_as_json_that_is_mended() -> None:
    call = ToolCallRequest("1", "save_summary", {"lines": ["[durable] Likes tea"]})
    assert judge_summary(LLMResponse(None, (call,), "tool_calls")).summary == "[durable] Likes tea"
    verdict = judge_summary(LLMResponse('{"lines": ["[durable] Likes tea",]}'), mend=mend)
    assert (verdict.summary, verdict.cleaned) == ("[durable] Likes tea", (AnswerCleanup.MENDED,))
    call = ToolCallRequest("1", "save_summary", {"lines": []})
    assert judge_summary(LLMResponse(None, (call,), "tool_calls")).kind == "nothing"
