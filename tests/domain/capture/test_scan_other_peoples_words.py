"""What counts as somebody else's words, as the manual's page on capture says it."""

from __future__ import annotations

import pytest

from mnemoscope.domain.capture.scan import Capture, captures_in, scan
from mnemoscope.store.capture.rules import default_rules

RULES = default_rules()


@pytest.mark.parametrize(
    "text",
    [
        'He wrote: "My name is Bob."',
        "«Я люблю чай», — так он и написал.",
        "> I prefer tea",
        "Bob: my name is Bob\nAnn: I prefer tea",
        "Anna says I prefer tea",
        "I prefer tea, said Anna",
        "Translate: I prefer tea.",
        "Please correct this:\n\nMy name is Bob and I prefer tea.",
        '"The kiln opens at nine." Remember this.',
        "> The kiln opens at nine.\n\nRemember this.",
        "The kiln opens at nine.\n> Remember this.",
        "`The kiln opens at nine. Remember this.`",
    ],
)
def test_what_the_manual_calls_somebody_elses_words_is_not_kept(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Anna: I prefer tea", "I prefer tea"),
        ("My wife's name is Marina", "My wife's name is Marina"),
        ("Ann says the kiln opens at nine. Remember this.", "Ann says the kiln opens at nine"),
        ('Ann wrote "the kiln opens at nine". Remember this.', 'Ann wrote "the kiln opens at nine"'),
    ],
)
def test_what_it_calls_the_persons_own_is_kept(text: str, kept: str) -> None:
    assert [each.fact for each in captures_in(text, RULES)] == [kept]


def test_what_was_pasted_or_came_from_a_file_is_somebody_elses() -> None:
    text = "I like plov. **I prefer tea.** My name is Bob."
    start, stop = text.index("**"), text.rindex("**") + 2
    for origin in ("paste", "file"):
        kept = [each.text for each in scan(text, RULES, quotes=((start, stop, origin),)) if isinstance(each, Capture)]
        assert kept == ["I like plov", "My name is Bob"]
