"""A line in Chinese that nobody spoke of is made up, also where no tool or file spoke; one in other words is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import sources_of

CORPUS = json.loads((Path(__file__).parents[2] / "corpus" / "invented_zh.json").read_text("utf-8"))
MEMORY = CORPUS["memory"]
TALKS: list[dict[str, Any]] = CORPUS["talks"]


def held(talk: dict[str, Any], lines: list[str]) -> list[str]:
    """Returns the lines that wait for the person, each added alone."""
    messages = [{"role": "user", "content": said} for said in talk["said"]]
    sources = sources_of([messages[0], {"role": "assistant", "content": talk["reply"]}, *messages[1:]])
    return [line for line in lines if review(MEMORY, f"{MEMORY}- {line}\n", sources=sources).reasons]


def test_the_corpus_has_eighty_lines_of_each_kind() -> None:
    assert [sum(len(talk[kind]) for talk in TALKS) for kind in ("honest", "invented")] == [80, 80]


@pytest.mark.parametrize("half", ["tuned", "held"])
def test_no_line_passes_that_nobody_spoke_of(half: str) -> None:
    for talk in TALKS:
        if talk["half"] == half:
            assert held(talk, talk["invented"]) == talk["invented"]


def test_hardly_a_line_waits_that_was_spoken_of() -> None:
    """Measured when it was written: 1 of 80."""
    assert sum(len(held(talk, talk["honest"])) for talk in TALKS) <= 4


def test_lines_of_other_conversations_are_known_for_what_they_are() -> None:
    """Measured when it was written: 59 of 3,040 pass, since they share words with what was said."""
    passed = 0
    for talk in TALKS:
        others = [line for other in TALKS if other is not talk for line in (*other["honest"], *other["invented"])]
        passed += len(others) - len(held(talk, others))
    assert passed <= 0.03 * 3_040


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("We moved to Hangzhou, the rent is 4,500.", "下个月搬到杭州"),
        ("我喜欢喝茶。", "喜欢喝茶"),
        ("我在学小提琴。", "学琴"),
        ("我换了工作，现在在 GitHub 做前端。", "在GitHub工作，负责前端"),
    ],
)
def test_another_language_or_a_short_line_is_not_judged_by_its_characters(said: str, line: str) -> None:
    assert held({"said": [said], "reply": "好的。"}, [line]) == []
