"""A line that nobody spoke of is made up, also where no tool or file spoke; one in other words is not."""

from __future__ import annotations

import pytest

from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import sources_of

BEFORE = """# Notes

- Name is Omar, vegetarian
- Server listens on port 8080
- Lives in Halifax, loves sailing
- Deadline is May 12
- Drives a red Volvo
- Собака Брынза, живёт в Твери
- Prefers short answers and dark mode
"""
SMALL_TALK = ("lol it's raining again and I have to go out", "Stay dry! A good day for soup.")


def reasons(update: str, *talk: str) -> tuple[str, ...]:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(talk or SMALL_TALK)]
    return review(BEFORE, update, sources=sources_of(messages)).reasons


def added(line: str, *talk: str) -> tuple[str, ...]:
    return reasons(f"{BEFORE}- {line}\n", *talk)


def changed(old: str, new: str, *talk: str) -> tuple[str, ...]:
    assert old in BEFORE
    return reasons(BEFORE.replace(old, new), *talk)


@pytest.mark.parametrize(
    "line",
    [
        "Lives in London with his wife and works as a farmer",
        "His daughter Ruth studies medicine in Glasgow",
        "Owes the bank 4500 pounds since the divorce",
    ],
)
def test_a_line_about_nothing_that_was_spoken_of_waits(line: str) -> None:
    assert added(line) == (f"Nobody spoke of “{line}”.",)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Partner dislikes coriander", "My better half hates cilantro."),
        ("Has two dogs and a cat called Mau", "Ich habe zwei Hunde und eine Katze."),
        ("Lives in London with his wife", "We moved to London, she found work there."),
        ("Works as a doctor in Tashkent since 2019", "Я врач, живу в Ташкенте."),
        ("Uses TypeScript and React at work", "All of my code is in typescript these days."),
        ("Takes the train to the coast", "I have no car, the rails bring me to the sea."),
        ("Sister Ann lives in Leeds", "ok"),
    ],
)
def test_a_line_in_other_words_or_another_language_does_not(line: str, said: str) -> None:
    assert added(line, said) == ()


def test_what_the_assistant_said_was_spoken_of_too() -> None:
    talk = ("Who was that again in the film?", "Peter Lorre played the murderer in Fritz Lang's film.")
    assert added("Watched the film in which Peter Lorre is the murderer", *talk) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("port 8080", "port 5432"),
        ("- Lives in Halifax, loves sailing", "- Lives in Halifax"),
        ("живёт в Твери", "живёт в Москве"),
        ("Deadline is May 12", "Deadline is May 21"),
        ("Drives a red Volvo", "Drives a red Toyota"),
    ],
)
def test_a_fact_altered_without_a_word_of_it_waits(old: str, new: str) -> None:
    (reason,) = changed(old, new)
    assert reason.startswith("Nobody spoke of what it would change: ")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("port 8080", "port 5432", "The server is on 5432 from now on."),
        ("port 8080", "port 5432", "I put the server behind another port."),
        ("- Lives in Halifax, loves sailing", "- Lives in Halifax", "I gave up sailing, it's not what I love."),
        ("Drives a red Volvo", "Drives a red car", "I sold the Volvo."),
        ("живёт в Твери", "живёт в Москве", "Мы переехали в Москву."),
        ("Deadline is May 12", "Deadline: 12 May", "Nothing new."),
        ("Drives a red Volvo", "Drives a crimson Volvo", "Nothing new."),
        ("short answers and dark mode", "brief answers and dark mode", "Nothing new."),
        ("живёт в Твери", "живет в Твери", "Nothing new."),
        ("Name is Omar, vegetarian", "Name is Omar, a vegetarian", "Nothing new."),
    ],
)
def test_a_fact_that_was_spoken_of_or_is_only_reworded_does_not(old: str, new: str, said: str) -> None:
    assert changed(old, new, said) == ()


def test_where_nobody_said_anything_nothing_is_compared() -> None:
    assert review(BEFORE, BEFORE.replace("8080", "5432")).reasons == ()
