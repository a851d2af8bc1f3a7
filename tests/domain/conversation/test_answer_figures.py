"""What an answer took: summed over its requests, and nothing made up where a figure is missing or wrong."""

from typing import Any

import pytest

from mnemoscope.domain.conversation.answer_figures import AnswerFigures, figures_of, timing_field


def answer(**more: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 1_200, "completion_tokens": 300, "total_tokens": 1_500}
    timing = {"first_seconds": 0.5, "seconds": 3.5}
    return {"role": "assistant", "model": "a/b", "usage": usage, "cost": 0.01, "timing": timing} | more


def test_one_answer_has_its_own_figures_and_a_speed() -> None:
    figures = figures_of([answer()])
    assert figures == AnswerFigures(("a/b",), 1, 1_200, 300, 3.5, 0.5, 0.01)
    assert figures is not None
    assert figures.tokens_a_second == 100


def test_the_calls_of_tools_before_it_count_with_it() -> None:
    figures = figures_of([answer(model="small"), answer(), answer()])
    assert figures == AnswerFigures(("small", "a/b"), 3, 3_600, 900, 10.5, 0.5, 0.03)
    assert figures is not None
    assert figures.tokens_a_second is None


@pytest.mark.parametrize(
    ("field", "value", "unknown"),
    [
        ("usage", {}, {"tokens_in", "tokens_out"}),
        ("usage", {"prompt_tokens": -1, "completion_tokens": 2}, {"tokens_in"}),
        ("usage", {"prompt_tokens": True, "completion_tokens": "2"}, {"tokens_in", "tokens_out"}),
        ("usage", "many", {"tokens_in", "tokens_out"}),
        ("timing", None, {"seconds", "first_seconds"}),
        ("timing", {"seconds": float("nan")}, {"seconds", "first_seconds"}),
        ("cost", None, {"cost"}),
        ("cost", float("inf"), {"cost"}),
        ("cost", "1", {"cost"}),
    ],
)
def test_a_sum_with_a_figure_that_is_missing_is_not_known(field: str, value: object, unknown: set[str]) -> None:
    figures = figures_of([answer(), answer(**{field: value})])
    assert figures is not None
    names = ("tokens_in", "tokens_out", "seconds", "first_seconds", "cost")
    assert {name for name in names if getattr(figures, name) is None} == unknown


@pytest.mark.parametrize("model", [None, "", "  ", 7, ["a"]])
def test_what_names_no_model_has_no_figures(model: object) -> None:
    assert figures_of([answer(model=model)]) is None
    assert figures_of([]) is None


def test_words_that_came_at_once_have_no_speed() -> None:
    at_once = figures_of([answer(timing={"first_seconds": 2.0, "seconds": 2.0})])
    assert at_once is not None
    assert at_once.tokens_a_second is None


def test_an_answer_without_words_has_no_time_of_the_first_one() -> None:
    assert timing_field(None, 1.239) == {"seconds": 1.24}
    assert timing_field(0.111, 1.239) == {"first_seconds": 0.11, "seconds": 1.24}
