"""A line of memory leads to the one to three messages it rests on, of the fifty that were consolidated."""

from __future__ import annotations

from typing import Any

import pytest

from mnemoscope.domain.review.evidence import messages_behind

_TALK = [
    "How does one keep a sourdough starter?",
    "Feed it each day and keep it covered.",
    "我想问一下怎么种番茄。",
    "番茄需要阳光，每天浇一次水。",
    "Thanks. What is a good book on birds?",
    "Try the one by Collins; it has maps.",
    "今天天气很好。",
    "是的，适合散步。",
    "Can you explain recursion again?",
    "A function that calls itself until it is done.",
]
_SAID = {
    6: "By the way, I moved to Leeds in spring, to a flat near the canal.",
    13: "Congratulations on the flat near the canal!",
    18: "My sister Anna is allergic to walnuts.",
    24: "我对花生过敏，千万别推荐花生酱。",
    30: "The server listens on port 8443 now.",
    36: "我女儿小雨在学大提琴。",
    40: "I bought a kiln for the workshop.",
    46: "她住在成都，养了一只猫。",
    44: "The kiln fires at 1240 degrees, by the way.",
}


def talk() -> list[dict[str, Any]]:
    """Fifty messages, the person's and the assistant's by turns, with a few facts among them."""
    return [
        {
            "role": "assistant" if number % 2 else "user",
            "content": _SAID.get(number, _TALK[number % len(_TALK)]),
            "timestamp": "2026-03-06T14:20:00",
        }
        for number in range(50)
    ]


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("- Moved to Leeds in spring; lives in a flat near the canal", (6,)),
        ("- **Family**: sister Anna, allergic to walnuts", (18,)),
        ("- 对花生过敏，不吃花生酱", (24,)),
        ("- Server listens on port 8443 (2026-03-06)", (30,)),
        ("- 女儿小雨学大提琴", (36,)),
        ("- 姐姐住在成都，养猫", (46,)),
        ("- Has a kiln in the workshop that fires at 1240 degrees", (40, 44)),
    ],
)
def test_each_fact_leads_to_where_it_was_said(line: str, places: tuple[int, ...]) -> None:
    assert messages_behind(line, talk()) == places


@pytest.mark.parametrize(
    "line",
    [
        "- Plays chess on Sundays with Boris",
        "- 喜欢在海边骑自行车",
        "- Has a dog called Rex, and walks it by the canal",
        "- ",
        "",
    ],
)
def test_a_line_that_rests_on_none_leads_to_none(line: str) -> None:
    assert messages_behind(line, talk()) == ()


def test_what_is_said_all_the_time_marks_nothing() -> None:
    same = [{"role": "user", "content": "I like green tea"} for _ in range(50)]
    assert messages_behind("- Likes green tea", same) == ()
    assert messages_behind("- Likes green tea", []) == ()


def test_the_persons_word_comes_before_the_same_word_of_the_assistant() -> None:
    both = [{"role": "assistant", "content": "So you own a kiln."}, {"role": "user", "content": "I own a kiln."}]
    assert messages_behind("- Owns a kiln", both) == (1,)
