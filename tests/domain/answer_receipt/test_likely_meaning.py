"""An answer likely rests on the lines that it stands out as close to in meaning, as far as the question is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mnemoscope.domain.answer_receipt.likely import LikelyLine
from mnemoscope.domain.answer_receipt.likely_meaning import (
    MOST_SENTENCES,
    likely_by_meaning,
    texts_to_embed,
    with_meaning,
)
from mnemoscope.domain.llm import Vector

BEES, CELLO, RENT = "- Держит пчёл на даче.", "- Plays the cello.", "- Rent is 940 pounds."
LINES = [BEES, CELLO, RENT]
TOPICS = (("пчёл", "bees", "hive", "honey"), ("cello", "orchestra"), ("rent", "pounds"), ("fence", "garden"))
UNRELATED = {
    text: vector
    for place, text in enumerate(
        ("one two", "three four", "five six", "seven eight", "раз два", "три четыре", "пять шесть")
    )
    for vector in ([float(place == at) for at in range(4, 11)],)
}


def vector(text: str) -> Vector:
    """Returns a vector with a dimension for each topic that the text has a word of, and one for texts without any."""
    topics = [float(any(word in text.casefold() for word in words)) for words in TOPICS]
    return [*topics, *([0.0] * 7), float(not any(topics))]


FAR = {text: [0.0] * 4 + own + [0.0] for text, own in UNRELATED.items()}


def close(question: str, answer: str, lines: Sequence[str] = LINES) -> list[int]:
    vectors = {text: vector(text) for text in texts_to_embed(question, answer, lines)}
    return [each.place for each in likely_by_meaning(question, answer, lines, vectors, FAR)]


def test_a_line_in_another_language_is_likely_where_the_answer_says_what_it_says() -> None:
    assert close("What shall I plant?", "Plant clover for your bees.") == [0]
    assert close("What shall I plant?", "Clover. Your orchestra plays tonight. The honey is ripe.") == [1, 0]


def test_what_the_question_says_already_is_no_sign() -> None:
    assert close("Where do I put my hive?", "Bees like the sun.") == []
    assert close("I play. It is a cello! Is it old?", "A cello lasts for centuries.") == []


def test_an_answer_that_is_close_to_no_line_rests_on_none() -> None:
    assert close("What shall I plant?", "Something that needs little water.") == []


def test_a_line_has_to_stand_out_above_those_that_say_something_else() -> None:
    both = "- The orchestra pays the rent."
    assert close("What is new?", "Honey at the orchestra.", [BEES, CELLO]) == []
    assert close("What is new?", "Honey.", [BEES, both]) == [0]


def test_lines_that_say_the_same_do_not_speak_against_each_other() -> None:
    assert close("What shall I plant?", "Plant clover for your bees.", [BEES, "- Has a hive.", RENT]) == [0, 1]


def test_the_more_sentences_an_answer_has_the_nearer_one_of_them_has_to_be() -> None:
    near = "Bees, a fence, pounds and a cello."
    filling = " ".join(f"Sentence number {place}." for place in range(30))
    assert close("What is new?", near, [BEES]) == [0]
    assert close("What is new?", f"{near} {filling}", [BEES]) == []
    assert close("What is new?", f"Bees. {filling}", [BEES]) == [0]


def test_of_what_is_written_in_uzbek_nothing_is_said() -> None:
    assert texts_to_embed("Нима экай?", "Асаларилар учун беда экинг, ўғлингиз ёрдам берсин.", LINES) == []
    assert close("What shall I plant?", "Clover for bees.", ["- Ўғли bees боқади, қишлоқда."]) == []


@pytest.mark.parametrize(("answer", "lines"), [("", LINES), ("- ", LINES), ("Bees", []), ("Bees", ["", "- "])])
def test_nothing_is_embedded_where_there_is_nothing_to_compare(answer: str, lines: list[str]) -> None:
    assert texts_to_embed("What?", answer, lines) == []
    assert close("What?", answer, lines) == []


def test_a_text_is_embedded_once_without_its_mark_and_of_a_long_answer_the_beginning_is() -> None:
    assert texts_to_embed("Bees?", "- Bees?\n* Honey. 蜜蜂。好！", ["- Honey."]) == [
        "Bees?",
        "Honey.",
        "蜜蜂。",
        "好！",
    ]
    long = "\n".join(f"Line {place}" for place in range(MOST_SENTENCES + 5))
    assert len(texts_to_embed("", long, ["- Honey."])) == MOST_SENTENCES + 1


def test_a_text_without_direction_is_near_to_nothing() -> None:
    vectors = dict.fromkeys(texts_to_embed("What?", "Bees", LINES), [0.0] * 12)
    assert likely_by_meaning("What?", "Bees", LINES, vectors, FAR) == []
    assert close("What?", "Bees") == [0]
    alone = {text: vector(text) for text in texts_to_embed("What?", "Bees", LINES)}
    assert [each.place for each in likely_by_meaning("What?", "Bees", LINES, alone, {})] == [0]


def test_where_a_script_lies_in_the_space_says_nothing() -> None:
    lines, asked, said = ["- Один.", "- Два."], "Что?", "Три."
    far = {text: [1.0, 0.0, 0.0, 0.01 * place] for place, text in enumerate(("раз", "два", "три", "пять", "шесть"))}
    vectors: dict[str, Vector] = {
        "Один.": [1, 0.1, 0, 0],
        "Два.": [1, 0, 0.1, 0],
        "Что?": [1, 0, -0.1, 0],
        "Три.": [1, 0.1, 0, 0],
    }
    assert [each.place for each in likely_by_meaning(asked, said, lines, vectors, far)] == [0]


def test_what_words_speak_for_stands_before_what_only_meaning_does() -> None:
    word, other = LikelyLine(2, 2.0, ("940",)), LikelyLine(0, 0.7, ())
    assert with_meaning([word], [LikelyLine(2, 0.9, ()), other]) == [word, other]
