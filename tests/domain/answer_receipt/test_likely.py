"""An answer likely rests on the lines whose words it brings back, as far as the question had them not."""

from __future__ import annotations

from mnemoscope.domain.answer_receipt.likely import likely_lines

LINES = [
    "- The cat is called Biscuit and takes thyroid tablets.",
    "- Works as a hydrologist at the Severn river trust.",
    "- Rent is 940 pounds.",
    "- Prefers tea to coffee.",
]


def places(question: str, answer: str) -> list[int]:
    return [each.place for each in likely_lines(question, answer, LINES)]


def test_a_line_whose_words_come_back_is_likely() -> None:
    assert places("What does my cat need?", "Biscuit needs the thyroid tablets.") == [0]


def test_an_answer_that_knows_nothing_rests_on_no_line() -> None:
    assert places("What does my cat need?", "I do not know what your cat needs.") == []


def test_words_of_the_question_say_nothing() -> None:
    assert places("Is Biscuit on thyroid tablets?", "I cannot tell whether Biscuit is on thyroid tablets.") == []


def test_a_figure_alone_is_enough() -> None:
    assert places("What do I pay each month?", "You pay 940 each month.") == [2]


def test_the_strongest_line_comes_first() -> None:
    answer = "As a hydrologist at the Severn river trust you pay 940 pounds of rent."
    assert places("Tell me about me.", answer) == [1, 2]


def test_the_words_are_shown_as_the_line_has_them() -> None:
    [line] = likely_lines("What does my cat need?", "Biscuit's thyroid tablet, twice.", LINES)
    assert line.words == ("Biscuit", "thyroid", "tablets")


def test_other_forms_alphabets_and_scripts_are_found() -> None:
    lines = [
        "Живёт с кошкой по имени Мурка.",
        "Onasi Farg‘onada tug‘ilgan.",
        "父亲住在绍兴，爱喝黄酒。",
        "Собаку зовут Буран.",
    ]
    assert [each.place for each in likely_lines("Как зовут кота?", "Кошку зовут Муркой.", lines)] == [0]
    assert [each.place for each in likely_lines("Онаси ҳақида?", "У Фарғонада туғилган.", lines)] == [1]
    assert [each.place for each in likely_lines("过节带什么？", "带一坛绍兴黄酒。", lines)] == [2]


def test_nothing_is_likely_where_there_is_no_memory_or_no_answer() -> None:
    assert likely_lines("What?", "Biscuit", []) == []
    assert likely_lines("What?", "", LINES) == []
    assert likely_lines("", "", ["", "- ", "#"]) == []


def test_one_long_word_or_a_name_in_capitals_at_the_beginning_is_enough() -> None:
    lines = ["- Allergic to penicillin", "- BYD is the car at home", "- Likes tea"]
    for answer, place in (("Say that penicillin is nothing for you.", 0), ("For a BYD take the second plug.", 1)):
        assert [each.place for each in likely_lines("What should I tell them?", answer, lines)] == [place]
