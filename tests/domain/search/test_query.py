"""What a query is read as."""

from typing import Any

import pytest

from mnemoscope.domain.search.query import parse_query
from mnemoscope.domain.search.weights import WEIGHTS
from mnemoscope.domain.search.words import Related

WORDS = Related(
    "price cost цена 价钱 贵\ndoctor 医生\n吃 食物 eat\n",
    "buy bought\n",
    "what is the of did i we which to 我 什 么 的",
)


def terms(text: str, **how: Any) -> list[str]:
    return [term.word for term in parse_query(text, WORDS, **how).terms]


def variants(text: str, **how: Any) -> dict[str, float]:
    return {each.token + "*" * each.prefix: each.weight for each in parse_query(text, WORDS, **how).terms[0].variants}


def test_words_that_say_nothing_are_left_out_unless_there_are_no_others() -> None:
    assert terms("What is the price of the bread?") == ["price", "bread"]
    assert terms("what is") == ["what", "is"]
    assert parse_query(" ?!", WORDS).is_empty
    assert terms("我的什么医生") == ["么医", "医生"]


def test_the_word_being_typed_may_go_on() -> None:
    assert variants("bre", typing=True)["bre*"] == WEIGHTS.prefix
    assert "bre*" not in variants("bre")
    assert "bre*" not in variants("bre ", typing=True)
    assert terms("cheap bread t", typing=True) == ["cheap", "bread"]
    assert terms("of b", typing=True) == ["b"]


def test_a_word_is_found_by_others_for_the_same_thing_less_so_across_scripts() -> None:
    found = variants("price")
    assert found["cost"] == WEIGHTS.related
    assert found["цен"] == WEIGHTS.foreign
    assert found["贵*"] == WEIGHTS.foreign
    assert "цен" not in variants("price", at_once=True)
    assert "went" not in variants("bought")
    assert variants("bought")["buy"] > WEIGHTS.related
    assert terms("想吃") == ["想吃", "吃"]


def test_the_kind_of_answer_asked_for_counts_less() -> None:
    which = parse_query("which doctor did we choose", WORDS).terms
    assert [(term.word, term.weight) for term in which] == [("doctor", WEIGHTS.head), ("choose", 1.0)]
    assert parse_query("which the doctor", WORDS).terms[0].weight == WEIGHTS.head


def test_what_is_asked_for_is_a_time_a_number_or_a_name() -> None:
    assert parse_query("When do we leave", WORDS).wants == {"time"}
    assert parse_query("Сколько стоит", WORDS).wants == {"number"}
    assert parse_query("who called", WORDS).wants == {"name"}
    assert parse_query("我几点走", WORDS).wants == {"time", "number"}
    assert parse_query("did i say", WORDS).of_person
    assert not parse_query("bread", WORDS).of_person


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("Wann kommt der Bus", {"time"}),
        ("Wie viel kostet das Brot", {"number"}),
        ("Quand part le train", {"time"}),
        ("¿Cuántos vienen?", {"number"}),
        ("Che ora era", {"time"}),
        ("Quantas pessoas vêm", {"number"}),
        ("Hoe laat eten we", {"time"}),
        ("Kiedy wraca", {"time"}),
        ("Za ile lat", {"number"}),
        ("Otobüs ne zaman geliyor", {"time"}),
        ("متى يصل القطار", {"time"}),
        ("いつ帰るの", {"time"}),
        ("언제 오나요", {"time"}),
        ("ราคาเท่าไร", {"number"}),
        ("กินยาอะไร", {"other"}),
        ("パンは好きですか。", {"other"}),
        ("Il vient avec mon frère", set()),
        ("Annem ile konuştum", set()),
        ("しかし遅い", set()),
    ],
)
def test_what_is_asked_for_is_known_in_the_languages_of_the_embedding_model(asked: str, wanted: set[str]) -> None:
    assert parse_query(asked, WORDS).wants == wanted


def test_quoted_words_are_a_phrase() -> None:
    assert parse_query('the "green tea" and “花生酱”', WORDS).phrases == (("green", "tea"), ("花生", "生酱"))


def test_a_number_in_one_piece_is_looked_for_in_groups_too() -> None:
    assert {"901 23 45 67", "90 123 45 67", "901 234 567"} <= variants("901234567").keys()
    assert "12 000" in variants("12000")
    assert "4 500" in variants("4500")
    assert "20 26" not in variants("2026")
    assert variants("ab123cd")["ab 123 cd"] == WEIGHTS.form
    assert len(variants("1234567890123")) < 40
    assert not any(" " in token for token in (*variants("123"), *variants("12345678901234"), *variants("bread")))


def test_what_is_written_in_groups_is_looked_for_in_one_piece_too() -> None:
    assert "901234567" in variants("90 123-45-67")
    assert "wifi" in variants("wi-fi")
    assert "45" in variants("45, then 67")
    assert "4567" not in variants("45, then 67")


def test_one_character_of_a_script_without_spaces_is_the_beginning_of_a_pair() -> None:
    assert variants("女")["女*"] == WEIGHTS.prefix
