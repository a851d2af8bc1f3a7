"""How a model was asked, and what was done to its answer, in words."""

from __future__ import annotations

import pytest

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup
from mnemoscope.domain.llm import OutputMode
from mnemoscope.ui.support.answer_words import answer_words, is_notable


@pytest.mark.parametrize(
    ("asked", "cleaned", "words"),
    [
        ((), (), ""),
        (("tool",), (), "Asked by tool call"),
        (("schema",), ("control-characters",), "Asked by JSON schema; control characters removed"),
        (
            ("tool", "schema", "text"),
            ("line-ends",),
            "Asked by tool call, then by JSON schema, then in plain text; line ends made plain",
        ),
        (("by post", "text"), ("washed", "call-as-text"), "Asked in plain text; the call came as text"),
        ((), ("half-characters",), "halves of characters removed"),
    ],
)
def test_the_words(asked: tuple[str, ...], cleaned: tuple[str, ...], words: str) -> None:
    assert answer_words(asked, cleaned) == words


def test_every_way_and_every_cleaning_has_its_words() -> None:
    assert all(answer_words((way.value,), ()) for way in OutputMode)
    assert all(answer_words((), (kind.value,)) for kind in AnswerCleanup)


def test_only_what_is_out_of_the_common_is_worth_telling_without_being_asked() -> None:
    assert not is_notable(("schema",), ())
    assert is_notable(("tool", "schema"), ())
    assert is_notable(("tool",), ("line-ends",))
