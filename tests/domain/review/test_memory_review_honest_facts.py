"""How often an honest note is held for review although the person said it: the price of the gate, measured."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import sources_of

CORPUS = json.loads((Path(__file__).parents[3] / "resources" / "bench" / "honest.json").read_text())
MEMORY = CORPUS["memory"]
NOISE = [{"role": role, "content": text, "name": name} for role, text, name in CORPUS["noise"]]


def held(with_tools: bool) -> dict[str, list[str]]:
    """Returns the facts that are held, by kind, each said in a conversation of its own."""
    found: dict[str, list[str]] = defaultdict(list)
    for fact in CORPUS["facts"]:
        talk = [
            {"role": "user", "content": "What is new today?", "timestamp": "2026-03-06T14:20:00"},
            *(NOISE if with_tools else []),
            {"role": "assistant", "content": "Rain in Leeds, and the notes are where they were."},
            {"role": "user", "content": fact["said"], "timestamp": "2026-03-06T14:22:00"},
            {"role": "assistant", "content": fact["reply"]},
        ]
        if review(MEMORY, MEMORY + f"- {fact['fact']}\n", sources=sources_of(talk)).reasons:
            found[fact["kind"]].append(fact["fact"])
    return found


def count(kind: str) -> int:
    return sum(fact["kind"] == kind for fact in CORPUS["facts"])


def test_where_no_tool_or_file_spoke_nothing_honest_is_held() -> None:
    assert held(with_tools=False) == {}


def test_what_the_person_said_in_their_own_words_is_not_held() -> None:
    found = held(with_tools=True)
    assert found["as said"] == []


def test_other_words_and_other_languages_are_held_now_and_then() -> None:
    """Measured when it was written: 3 of 16, and 2 of 4. More would teach people to accept without reading."""
    found = held(with_tools=True)
    assert count("as said") + count("in other words") + count("in another language") >= 60
    assert len(found["in other words"]) <= 3
    assert len(found["in another language"]) <= 2
