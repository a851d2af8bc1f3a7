"""A pattern is tried only where a sentence has a word that it needs: that never hides a match."""

from __future__ import annotations

from typing import Final

import pytest

from mnemoscope.domain.capture.folded_message import fold_message
from mnemoscope.domain.capture.needed_words import needed_words
from mnemoscope.domain.capture.safe_patterns import compiled_pattern
from mnemoscope.store.capture.rule_files import default_rules
from tests.support.capture_corpus import chat, labelled

RULES: Final = default_rules()


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"(?<![\w'])(?:we settled on (?P<rest>\w{1,9}))", ("we settled on ",)),
        (r"(?:i|we) (?:want|need) it", ("want", "need")),
        (r"(?:i|we)(?: really)? want", (" want",)),
        (r"(?:yes|no)? ?\w{1,4}", ()),
        (r"colou?r", ("colo",)),
        (r"(?:ab){0,2}c{1,2}", ()),
        (r"(?:ab){1,2}", ("ab",)),
        (r"(?!never)always", ("always",)),
        (r"(?=[^\n]{0,9}tomorrow)\w{1,9}", ("tomorrow",)),
        (r"[abc\]]{2}done\.", ("done.",)),
        (r"a\.{2}bc|\d{2} pm", ("bc", " pm")),
        (r"x\.?yes", ("yes",)),
        (r"(?:one|two|\d)", ()),
        (r"(?:" + "|".join(f"word{number}" for number in range(20)) + ")", ()),
        (r"我(?:要|想)学习", ("学习",)),
    ],
)
def test_the_words_are_in_every_match(pattern: str, words: tuple[str, ...]) -> None:
    assert needed_words(pattern) == words


def test_no_match_of_a_rule_that_ships_is_hidden() -> None:
    texts = [fold_message(each.text).low for each in (*labelled(), *chat())]
    texts += [fold_message(example).low for rule in RULES.rules for example in rule.examples]
    known = 0
    for rule in RULES.rules:
        for pattern in rule.patterns:
            needed = needed_words(pattern)
            known += bool(needed)
            for text in texts if needed else ():
                if not any(word in text for word in needed):
                    assert compiled_pattern(pattern).search(text) is None, (rule.id, text)
    assert known > 0.8 * sum(len(rule.patterns) for rule in RULES.rules)
