from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.conversation.history_selection import (
    LeftOutReason,
    get_history,
    is_unanswered,
    select_history,
    selection_during_turn,
)
from mnemoscope.domain.conversation.message import DAMAGED_ROLE, Message


def user(text: str = "hi", **fields: Any) -> Message:
    return {"role": "user", "content": text, "timestamp": "2026-03-06T14:20:00", **fields}


def answer(text: str = "yes") -> Message:
    return {"role": "assistant", "content": text, "timestamp": "2026-03-06T14:20:01"}


def calls(*ids: Any) -> Message:
    made = [{"id": each, "type": "function", "function": {"name": "exec", "arguments": "{}"}} for each in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(call_id: Any) -> Message:
    return {"role": "tool", "tool_call_id": call_id, "name": "exec", "content": "done"}


DAMAGED = {"role": DAMAGED_ROLE, "content": "This record holds NUL bytes.", "timestamp": None}


def roles(messages: list[Message], pointer: int = 0, limit: int = 500) -> str:
    return " ".join(str(each["role"])[0] for each in get_history(messages, pointer, limit))


def test_only_what_follows_the_pointer_is_sent() -> None:
    messages = [user("a"), answer("b"), user("c"), answer("d")]
    assert [each["content"] for each in get_history(messages, 2)] == ["c", "d"]
    assert get_history(messages, 4) == []


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([], False),
        ([user(), answer()], False),
        ([user(), answer(), user()], True),
        ([user(), calls("1")], True),
        ([user(), calls("1"), result("1")], True),
        ([user(), calls("1"), result("1"), answer()], False),
        ([user(), user("/help", _command=True), answer() | {"_command": True}], True),
        ([user(), answer(), user("/help", _command=True), answer() | {"_command": True}], False),
        ([DAMAGED], False),
    ],
)
def test_a_conversation_that_ends_without_an_answer_is_told(messages: list[Message], expected: bool) -> None:
    assert is_unanswered(messages) is expected


@pytest.mark.parametrize("pointer", [-3, -1])
def test_a_negative_pointer_counts_as_zero(pointer: int) -> None:
    assert len(get_history([user(), answer()], pointer)) == 2


def test_only_prompt_fields_are_sent() -> None:
    messages = [user(origin="person"), {**calls("c1"), "reasoning_content": "why", "interrupted": True}, result("c1")]
    assert [set(each) for each in get_history(messages, 0)] == [
        {"role", "content"},
        {"role", "content", "tool_calls", "reasoning_content"},
        {"role", "content", "tool_call_id", "name"},
    ]


def test_a_message_without_content_is_sent_with_none() -> None:
    made = calls("c1")
    del made["content"]
    assert get_history([user(), made, result("c1")], 0)[1]["content"] is None


def test_the_newest_messages_are_sent_beginning_with_a_user_turn() -> None:
    messages = [user("a"), answer("b"), user("c"), answer("d"), answer("e")]
    assert [each["content"] for each in get_history(messages, 0, 4)] == ["c", "d", "e"]
    selection = select_history(messages, 0, 4)
    assert selection.kept == (2, 3, 4)
    assert selection.reason(0) is LeftOutReason.BEYOND_LIMIT
    assert selection.reason(1) is LeftOutReason.BEFORE_USER_TURN
    assert selection.reason(2) is None


@pytest.mark.parametrize("limit", [0, -1])
def test_without_a_limit_everything_after_the_pointer_is_sent(limit: int) -> None:
    assert len(get_history([user(), answer()] * 600, 0, limit)) == 1200


def test_without_any_user_turn_nothing_is_sent() -> None:
    assert get_history([answer(), answer()], 0) == []


def test_a_result_whose_call_lies_before_the_pointer_is_left_out() -> None:
    messages = [user(), calls("c1"), result("c1"), user("next"), result("c1"), answer()]
    assert roles(messages, 3) == "u a"
    assert select_history(messages, 3).reason(4) is LeftOutReason.ORPHAN_RESULT


def test_a_call_without_all_its_results_goes_with_the_results_it_has() -> None:
    messages = [user(), calls("c1", "c2"), result("c1"), answer()]
    assert roles(messages) == "u a"
    selection = select_history(messages, 0)
    assert selection.reason(1) is LeftOutReason.INCOMPLETE_CALLS
    assert selection.reason(2) is LeftOutReason.ORPHAN_RESULT


def test_results_that_come_after_another_message_do_not_complete_a_call() -> None:
    assert roles([user(), calls("c1"), user("wait"), result("c1")]) == "u u"


def test_several_complete_calls_are_kept_in_order() -> None:
    messages = [user(), calls("c1", "c2"), result("c2"), result("c1"), calls("c3"), result("c3"), answer()]
    assert roles(messages) == "u a t t a t a"


def test_commands_and_damaged_records_are_never_sent() -> None:
    messages = [user(), user("/memory", _command=True), {**answer("…"), "_command": True}, DAMAGED, answer()]
    assert roles(messages) == "u a"
    selection = select_history(messages, 0)
    assert [selection.reason(number) for number in (1, 2, 3)] == [
        LeftOutReason.COMMAND,
        LeftOutReason.COMMAND,
        LeftOutReason.DAMAGED,
    ]


def test_a_damaged_result_takes_its_call_along() -> None:
    assert roles([user(), calls("c1"), DAMAGED, answer()]) == "u a"


@pytest.mark.parametrize("call_id", [None, 7, ["c1"], {"id": "c1"}])
def test_an_identifier_that_is_no_text_makes_no_pair(call_id: object) -> None:
    assert roles([user(), result(call_id), answer()]) == "u a"
    assert roles([user(), calls("c1"), result(call_id), answer()]) == "u a"


@pytest.mark.parametrize("made", ["c1", [3, None, "x"], {"id": "c1"}, None])
def test_tool_calls_of_a_wrong_shape_need_no_results(made: object) -> None:
    assert roles([user(), {"role": "assistant", "content": "x", "tool_calls": made}]) == "u a"


IDS = st.sampled_from(["c1", "c2", "c3"])
MESSAGES = st.lists(
    st.one_of(
        st.just(user()),
        st.just(answer()),
        st.just(DAMAGED),
        st.lists(IDS, min_size=1, max_size=3).map(lambda ids: calls(*ids)),
        IDS.map(result),
    ),
    max_size=40,
)


@given(messages=MESSAGES, pointer=st.integers(-2, 45), limit=st.integers(1, 45))
def test_what_is_sent_is_always_legal_and_every_message_is_accounted_for(
    messages: list[Message], pointer: int, limit: int
) -> None:
    selection = select_history(messages, pointer, limit)
    sent = [messages[number] for number in selection.kept]
    assert not sent or sent[0]["role"] == "user"
    assert len(sent) <= limit
    open_calls: set[str] = set()
    for each in sent:
        if each["role"] == "tool":
            assert each["tool_call_id"] in {call["id"] for one in sent for call in one.get("tool_calls", [])}
            open_calls.discard(each["tool_call_id"])
        else:
            assert not open_calls
            open_calls = {call["id"] for call in each.get("tool_calls", [])}
    assert not open_calls
    for number in range(min(max(pointer, 0), len(messages)), len(messages)):
        assert (number in selection.kept) is (selection.reason(number) is None)


@pytest.mark.slow
def test_a_long_session_is_selected_without_quadratic_work() -> None:
    messages = [user(), calls("c1"), result("c1"), answer()] * 25_000
    assert len(get_history(messages, 0, 0)) == 100_000


def test_while_a_turn_is_at_work_its_calls_are_open_and_not_lost() -> None:
    messages = [user(), calls("a", "b"), result("a")]
    selection = select_history(messages, 0)
    assert selection.reason(1) is LeftOutReason.INCOMPLETE_CALLS
    at_work = selection_during_turn(selection, messages)
    assert at_work.kept == (0, 1, 2)
    assert [at_work.reason(index) for index in range(3)] == [None, None, None]


def test_calls_of_an_earlier_turn_stay_lost_while_another_is_at_work() -> None:
    messages = [user(), calls("a"), user("And now?")]
    selection = select_history(messages, 0)
    assert selection_during_turn(selection, messages) == selection


def test_what_is_complete_is_the_same_at_work() -> None:
    messages = [user(), calls("a"), result("a"), answer()]
    selection = select_history(messages, 0)
    assert selection_during_turn(selection, messages) == selection
