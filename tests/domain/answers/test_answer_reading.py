"""What was asked for is found in a call of the tool or in the text, or it is said why not."""

import pytest

from mnemoscope.domain.answers.answer_reading import ExpectedObject, NoStructuredAnswer, find_object
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest

ASKED = ExpectedObject("save_memory", ("history_entry", "memory_update"), {"summary": "history_entry"})
OBJECT: dict[str, object] = {"history_entry": "Tea.", "memory_update": "- Tea\n"}


def called(*given: dict[str, object], name: str = "save_memory") -> LLMResponse:
    return LLMResponse(None, [ToolCallRequest(str(n), name, each) for n, each in enumerate(given)], "tool_calls")


def test_a_call_is_taken_as_it_is_and_under_other_names_of_its_keys() -> None:
    assert find_object(called(OBJECT), ASKED) == OBJECT
    assert find_object(called({"Summary": "Tea.", "memoryUpdate": "- Tea\n"}), ASKED) == OBJECT
    assert find_object(called(OBJECT, OBJECT), ASKED) == OBJECT


def test_a_text_holds_it_in_a_code_block_too() -> None:
    text = 'Here it is:\n```json\n{"history_entry": "Tea.", "memory_update": "- Tea\\n"}\n```\n'
    assert find_object(LLMResponse(text), ASKED) == OBJECT


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (LLMResponse(" \n"), "The answer was empty."),
        (LLMResponse("I like tea."), "The model answered with text instead of calling save_memory."),
        (called({}, name="read_file"), "The model called read_file instead of save_memory."),
        (called(OBJECT, {**OBJECT, "history_entry": "Coffee."}), "The model called save_memory 2 times, each time"),
    ],
)
def test_where_it_is_not_there_it_is_said_why(answer: LLMResponse, why: str) -> None:
    with pytest.raises(NoStructuredAnswer, match=why.replace(".", r"\.")):
        find_object(answer, ASKED)
