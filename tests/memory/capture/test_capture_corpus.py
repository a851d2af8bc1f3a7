"""How well the rules do on messages they were not written from, and on chat in which nothing durable is said."""

from __future__ import annotations

from collections import Counter

import pytest

from mnemoscope.domain.capture.rules import CATEGORIES
from mnemoscope.store.capture.rule_files import default_rules
from tests.support.capture_corpus import LANGUAGES, chat, false_alarms, labelled, score

RULES = default_rules()
HALVES = pytest.mark.parametrize("is_held_out", [False, True], ids=["tuned on", "held out"])


def test_the_set_is_large_and_balanced() -> None:
    messages = labelled()
    by_language = Counter(each.language for each in messages)
    by_category = Counter(label["category"] for each in messages for label in each.captures)
    assert len(messages) >= 400
    assert min(by_language.values()) >= 80
    assert sum(not each.captures for each in messages) >= 0.45 * len(messages)
    assert min(by_category[each] for each in CATEGORIES) >= 25
    assert len(chat()) >= 600
    assert len({each.text for each in (*messages, *chat())}) >= 0.95 * len((*messages, *chat()))


@HALVES
def test_durable_captures_are_right_and_few_are_missed(is_held_out: bool) -> None:
    total = score([each for each in labelled() if each.is_held_out == is_held_out], RULES)
    assert total.precision >= 0.95
    assert total.recall >= 0.85


@HALVES
@pytest.mark.parametrize("language", LANGUAGES)
def test_so_it_is_in_each_language(language: str, is_held_out: bool) -> None:
    messages = [each for each in labelled() if each.language == language and each.is_held_out == is_held_out]
    total = score(messages, RULES)
    assert total.precision >= 0.9
    assert total.recall >= 0.75


@HALVES
def test_ordinary_chat_gives_next_to_nothing(is_held_out: bool) -> None:
    messages = [each for each in chat() if each.is_held_out == is_held_out]
    assert len(false_alarms(messages, RULES)) <= 0.01 * len(messages)
