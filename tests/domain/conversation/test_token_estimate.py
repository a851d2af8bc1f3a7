import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.conversation.token_estimate import MESSAGE_OVERHEAD, estimate_message, estimate_tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("x" * 4000, 1000)])
def test_latin_text_is_about_four_characters_a_token(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_chinese_text_costs_more_than_latin_of_the_same_length() -> None:
    assert estimate_tokens("记忆系统" * 100) > 2 * estimate_tokens("abcd" * 100)


@given(st.text(st.characters(exclude_categories=[]), max_size=200))
def test_any_text_has_a_count_and_only_the_empty_one_has_none(text: str) -> None:
    assert (estimate_tokens(text) == 0) is (text == "")


@given(st.text(max_size=100), st.text(max_size=100))
def test_more_text_never_costs_less(one: str, other: str) -> None:
    assert estimate_tokens(one + other) >= estimate_tokens(one) - 1


def test_a_message_costs_its_words_its_calls_and_an_overhead() -> None:
    plain = {"role": "assistant", "content": "abcd"}
    assert estimate_message(plain) == MESSAGE_OVERHEAD + 1
    call = {"id": "c1", "type": "function", "function": {"name": "exec", "arguments": "{}"}}
    assert estimate_message({**plain, "tool_calls": [call]}) > estimate_message(plain) + 10


COUNTED = json.loads((Path(__file__).parents[2] / "corpus" / "tokens" / "o200k_base.json").read_text("utf-8"))
"""Texts by language, with the tokens that o200k_base counts in each."""


@pytest.mark.parametrize("language", sorted(set(COUNTED) - {"en", "de", "uz-latn"}))
def test_the_estimate_of_cyrillic_chinese_japanese_and_korean_is_right_within_15_percent(language: str) -> None:
    counted = sum(each["tokens"] for each in COUNTED[language])
    estimated = sum(estimate_tokens(each["text"]) for each in COUNTED[language])
    assert 0.85 <= estimated / counted <= 1.15


def test_languages_in_turn_are_right_within_15_percent_too() -> None:
    whole = "\n".join(each["text"] for texts in COUNTED.values() for each in texts)
    counted = sum(each["tokens"] for texts in COUNTED.values() for each in texts)
    assert 0.85 <= estimate_tokens(whole) / counted <= 1.15


@given(st.text(" aяў记é", max_size=60), st.text(" aяў记é", max_size=60))
def test_more_text_in_mixed_scripts_never_costs_less(one: str, other: str) -> None:
    assert estimate_tokens(one + other) >= estimate_tokens(one) - 1
