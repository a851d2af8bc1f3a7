"""What goes when a message is deleted, and the record that stays in its place."""

from __future__ import annotations

from typing import Any

import pytest

from mnemoscope.domain.conversation.deletion import (
    DeletionMark,
    deletable,
    deletion_mark,
    may_come_back,
    message_with_results,
    record_of_deleted,
    turn_with,
)
from mnemoscope.domain.conversation.history_selection import LeftOutReason, get_history, select_history
from mnemoscope.domain.conversation.message import DAMAGED_ROLE, Message, first_words, is_command, is_deleted, text_of
from mnemoscope.domain.conversation.token_estimate import estimate_message


def asked(words: str, **fields: Any) -> Message:
    return {"role": "user", "content": words, "timestamp": "2026-01-01T10:00:00", **fields}


def answered(words: str, **fields: Any) -> Message:
    return {"role": "assistant", "content": words, "timestamp": "2026-01-01T10:00:01", **fields}


def called(*names: str) -> Message:
    return answered("", tool_calls=[{"id": name, "function": {"name": "read_file"}} for name in names])


def result(name: str) -> Message:
    return {"role": "tool", "tool_call_id": name, "name": "read_file", "content": "what it read"}


DAMAGED = {"role": DAMAGED_ROLE, "content": "This record is cut off."}
TALK = [
    asked("first"),
    called("a", "b"),
    result("a"),
    result("b"),
    answered("one"),
    asked("/status", _command=True),
    answered("all is well", _command=True),
    asked("second"),
    DAMAGED,
    answered("two"),
]


def without(messages: list[Message], *indices: int) -> list[Message]:
    return [
        record_of_deleted(message, "d1", number) if number in indices else message
        for number, message in enumerate(messages)
    ]


def test_the_record_that_stays_says_nothing_of_what_was_deleted() -> None:
    secret = asked("my secret", quotes=[[0, 2, "paste"]], media=["a.png"])
    left = record_of_deleted(secret, "d1", 4)
    assert may_come_back(left)
    assert not may_come_back(record_of_deleted(secret, "d1", 4, is_forgotten=True))
    assert left["timestamp"] == secret["timestamp"]
    assert "secret" not in str(left)
    assert not left.keys() & {"quotes", "media", "tool_calls"}
    assert is_deleted(left)
    assert is_command(left)
    assert (text_of(left), first_words(left), estimate_message(left)) == ("", "", 0)
    assert deletion_mark(left) == DeletionMark("d1", 4, "user")
    assert "timestamp" not in record_of_deleted({"role": "user", "content": "x", "timestamp": None}, "d1", 0)


@pytest.mark.parametrize("mark", [None, "d1", {}, {"id": 1, "record": 0, "role": "user"}, {"id": "d1", "record": True}])
def test_a_mark_of_another_form_is_none(mark: object) -> None:
    assert deletion_mark({"role": "assistant", "_deleted": mark}) is None


@pytest.mark.parametrize(
    ("index", "goes"), [(0, (0,)), (1, (1, 2, 3)), (2, (1, 2, 3)), (3, (1, 2, 3)), (4, (4,)), (6, (6,)), (8, ())]
)
def test_a_call_goes_with_its_results(index: int, goes: tuple[int, ...]) -> None:
    assert message_with_results(TALK, index) == goes


def test_a_result_without_its_call_goes_alone() -> None:
    assert message_with_results([result("a"), result("b")], 1) == (1,)
    assert message_with_results([asked("x"), called("a"), result("a")], 1) == (1, 2)


@pytest.mark.parametrize(
    ("index", "goes"),
    [(0, (0, 1, 2, 3, 4)), (3, (0, 1, 2, 3, 4)), (5, (5, 6)), (6, (5, 6)), (7, (7, 9)), (8, (7, 9)), (9, (7, 9))],
)
def test_a_turn_goes_from_a_question_to_the_next(index: int, goes: tuple[int, ...]) -> None:
    assert turn_with(TALK, index) == goes


def test_the_turn_of_an_answer_whose_question_is_deleted_is_not_the_one_before() -> None:
    talk = without(TALK, 7)
    assert turn_with(talk, 9) == (9,)
    assert turn_with(talk, 7) == (9,)
    assert turn_with([answered("hello"), asked("x")], 0) == (0,)


def test_what_is_deleted_or_damaged_cannot_be_deleted() -> None:
    assert deletable(without(TALK, 0, 4), (9, 4, 0, 8, 8, 99, -1, 2)) == (2, 9)


def test_what_is_left_is_a_prompt_that_can_be_sent() -> None:
    talk = without(TALK, *message_with_results(TALK, 2))
    assert [each["content"] for each in get_history(talk, 0)] == ["first", "one", "second", "two"]
    selection = select_history(talk, 0)
    assert [selection.reason(index) for index in (1, 5, 8)] == [
        LeftOutReason.DELETED,
        LeftOutReason.COMMAND,
        LeftOutReason.DAMAGED,
    ]
