"""Marks are tests of the rules of capture."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.capture.judgements import (
    Judgement,
    PersonsVerdict,
    Tally,
    decode_judgement,
    encode_judgement,
    score_rules,
    with_judgement,
)
from mnemoscope.domain.capture.rules import CATEGORIES, rule_set
from mnemoscope.store.capture.rule_files import default_rules

RULES = default_rules()
TEA = "I prefer tea"


def mark(
    verdict: PersonsVerdict, text: str = TEA, category: str = "preference", words: str = "", rule: str = ""
) -> Judgement:
    start = text.index(words) if words else 0
    return Judgement(text, start, start + len(words or text), category, verdict, rule, "en")


def test_what_is_wanted_and_captured_counts_as_found() -> None:
    found = score_rules([mark("right")], RULES)
    assert found.total == Tally(found=1)
    assert (found.total.precision, found.total.recall, found.failures) == (1, 1, ())


def test_what_is_captured_and_marked_wrong_counts_against_precision() -> None:
    found = score_rules([mark("wrong")], RULES)
    assert found.total == Tally(false=1)
    (failure,) = found.failures
    assert failure.by in {each.id for each in RULES.rules}
    assert failure.by in failure.sentence


def test_what_is_missed_counts_against_recall_and_to_no_rule() -> None:
    missed = mark("missed", "The moon is nice", words="moon")
    found = score_rules([missed], RULES)
    assert (found.total.recall, found.total.precision) == (0, None)
    assert found.by_rule == {"": Tally(missed=1)}
    assert found.failures[0].sentence == "“moon” is to be remembered as preference and would not be."


def test_a_wrong_mark_is_satisfied_once_no_rule_captures_it() -> None:
    found = score_rules([mark("wrong"), mark("right")], rule_set([]))
    assert found.total == Tally(missed=1)


def test_precision_and_recall_are_told_by_rule_and_language() -> None:
    found = score_rules([mark("right"), mark("wrong", "I prefer coffee")], RULES)
    (rule,) = found.by_rule
    assert found.by_rule[rule] == found.by_language["en"] == Tally(found=1, false=1)
    assert found.by_language["en"].precision == 0.5


def test_a_later_mark_of_a_place_takes_the_place_of_the_earlier() -> None:
    first, other, second = mark("right"), mark("right", "I prefer rain"), mark("wrong", words="prefer tea")
    assert with_judgement(with_judgement([first], other), second) == [other, second]


def test_a_mark_of_another_category_stands_beside_it() -> None:
    assert len(with_judgement([mark("right")], mark("missed", category="decision"))) == 2


@given(st.text(min_size=1, max_size=60), st.sampled_from(CATEGORIES), st.sampled_from(["right", "wrong", "missed"]))
def test_a_mark_is_read_back_as_it_was_written(text: str, category: str, verdict: PersonsVerdict) -> None:
    one = Judgement(text, 0, len(text), category, verdict, "a rule", "zh")
    line = encode_judgement(one)
    assert "\n" not in line
    assert decode_judgement(line) == one


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"text": 1}',
        encode_judgement(mark("right")).replace("preference", "taste"),
        encode_judgement(mark("right")).replace('"right"', '"maybe"'),
        encode_judgement(mark("right")).replace('"stop": 12', '"stop": 13'),
        encode_judgement(mark("right")).replace('"start": 0', '"start": "0"'),
        encode_judgement(mark("right")).replace('"start": 0', '"start": -1'),
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_mark_is_none(line: str) -> None:
    assert decode_judgement(line) is None


def test_a_mark_by_another_hand_may_name_no_rule() -> None:
    found = decode_judgement(
        '{"text": "ab", "start": 0, "stop": 1, "category": "remember", "verdict": "right", "rule": 5}'
    )
    assert found == Judgement("ab", 0, 1, "remember", "right")
