import pytest

from mnemoscope.domain.conversation.message import (
    first_words,
    is_command,
    message_number,
    message_numbers,
    message_range,
    prompt_view,
    text_of,
    text_of_content,
    tool_call_name,
    tool_calls_of,
    tool_names,
)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("words", "words"),
        ([], ""),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ([{"type": "image_url", "image_url": {"url": "data:…"}}, "after"], "[image]\nafter"),
        ([{"type": "audio"}, 3, None], "3\nNone"),
        ({"a": "ä"}, '{"a": "ä"}'),
        (3, "3"),
        (True, "true"),
    ],
)
def test_any_content_has_a_text(content: object, text: str) -> None:
    assert text_of_content(content) == text
    assert text_of({"role": "user", "content": content}) == text


def test_a_message_without_content_has_no_text() -> None:
    assert text_of({"role": "user"}) == ""


def test_tools_are_named_from_calls_and_from_the_list_of_old_files() -> None:
    call = {"id": "c1", "function": {"name": "exec"}}
    assert tool_names({"tool_calls": [call], "tools_used": ["exec", "read_file"]}) == ["exec", "read_file"]
    assert tool_names({"tools_used": "exec"}) == []


@pytest.mark.parametrize("call", [{}, {"function": None}, {"function": {"name": ""}}, {"function": {}}])
def test_a_call_without_a_name_is_a_question_mark(call: dict[str, object]) -> None:
    assert tool_call_name(call) == "?"


@pytest.mark.parametrize("value", [None, "x", {"id": 1}, 3, [1, "x", None]])
def test_tool_calls_of_a_wrong_shape_are_none(value: object) -> None:
    assert tool_calls_of({"tool_calls": value}) == []


def test_first_words_are_one_line() -> None:
    assert first_words({"content": "  one\n\ttwo  three "}) == "one two three"
    assert first_words({"content": "x" * 500}, 10) == "x" * 10
    assert first_words({"content": "", "tools_used": ["exec"]}) == "exec"


def test_a_command_is_marked() -> None:
    assert is_command({"_command": True})
    assert not is_command({"role": "user"})


def test_the_prompt_view_keeps_prompt_fields_only() -> None:
    assert prompt_view({"role": "user", "content": "", "timestamp": "x", "name": None}) == {
        "role": "user",
        "content": "",
    }


def test_people_count_messages_from_one() -> None:
    assert message_number(0) == 1
    assert message_numbers(0, 35) == (1, 35)
    assert message_numbers(35, 36) == (36, 36)


def test_one_message_is_no_range() -> None:
    assert message_range(12, 13) == "message 13"
    assert message_range(12, 1020) == "messages 13 to 1,020"


def test_the_numbers_of_no_messages_are_the_next_ones() -> None:
    assert message_numbers(4, 4) == (5, 5)


def test_the_answer_of_a_command_is_named_without_its_markdown_and_the_command_as_it_was_typed() -> None:
    answer = {"role": "assistant", "content": "## Dream Log\n\nThis is *new*.", "_command": True}
    assert first_words(answer) == "Dream Log This is new."
    assert first_words({"role": "user", "content": "/history *", "_command": True}) == "/history *"
