"""Why a call of a tool did not run is said to the person, on its card and in the timeline."""

from __future__ import annotations

import pytest

from mnemoscope.agent.tools.exec_tool import CHANGED, NOT_ALLOWED, NOT_CONFINED, OF_THE_SYSTEM, SWITCHED_OFF
from mnemoscope.agent.turn.turn import HOLDS_A_KEY, STOPPED_BEFORE
from mnemoscope.domain.conversation.message import NOT_RUN
from mnemoscope.ui.support.not_run_words import not_run_words, why_not_run
from mnemoscope.ui.timeline.timeline_words import row_words


@pytest.mark.parametrize(
    "sentence", [NOT_ALLOWED, SWITCHED_OFF, NOT_CONFINED, OF_THE_SYSTEM, CHANGED, STOPPED_BEFORE, HOLDS_A_KEY]
)
def test_why_a_call_did_not_run_is_said_to_the_person_and_not_to_the_model(sentence: str) -> None:
    sentence = sentence.removeprefix(NOT_RUN)
    words = why_not_run(f"{sentence} Go on without it.")
    assert "person" not in words
    assert "Go on" not in words


def test_another_reason_is_said_as_it_is() -> None:
    assert not_run_words(f"{NOT_RUN}It is raining.\nAnd more.").replace("\u2068", "").replace("\u2069", "") == (
        "not run: It is raining."
    )


def test_the_timeline_says_it_as_the_card_does() -> None:
    row = row_words({"role": "tool", "name": "exec", "content": f"{NOT_RUN}{NOT_ALLOWED} Go on without it."})
    assert row.replace("\u2068", "").replace("\u2069", "") == "exec  not run: you did not allow it"
