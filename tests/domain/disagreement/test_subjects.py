"""Whom a fact says something of is told where it names them, and facts of two never disagree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemoscope.domain.disagreement.fact_comparison import disagree, rule_language
from mnemoscope.domain.disagreement.memory_check import disagreeing_places
from mnemoscope.domain.disagreement.subjects import are_of_two, do_different_things, subjects_of

MEMORY = Path(__file__).parents[2] / "corpus" / "disagreement" / "memory_open.json"

BOTH_TRUE = (
    # Another customer, and another order of the same one.
    ("Ellie ordered 23 celadon mugs at £17", "The Riverside Café ordered 40 mugs at £14 each"),
    ("Ellie ordered 23 celadon mugs at £17", "Riverside Café order: 40 mugs, due 12 November"),
    ("Fenwick's Bookshop ordered 200 bookmarks at 40p each", "Fenwick's Bookshop ordered 350 bookmarks in November"),
    ("Школа № 8 заказала 30 рамок по 650 рублей", "Семёновы заказали 12 рамок по 900 рублей"),
    ("Jasur choyni shakarsiz ichadi", "Malika choyni shakar bilan ichadi"),
    ("店里周一休息", "隔壁的面馆周三休息"),
    # Of one person, what has nothing to do with the other.
    ("Ben has two daughters", "Ben lives in Leeds now"),
    ("Sam is allergic to nuts", "Sam works Mondays and Thursdays now"),
    ("老周住在苏州", "老周喝茶不加糖"),
    ("Ане 29 лет, Косте 35", "Костя не ест рыбу"),
    # What is somebody's is not that somebody.
    ("The Harbour Hotel pays within 14 days", "The Harbour Hotel's new manager is Mrs Lind"),
    # Money is no number of people, and hours are no degrees.
    ("A day's binding course costs £95", "The binding course on 6 May had 8 people"),
    ("Glaze firing takes 14 hours", "Glaze firing goes to 1240 °C"),
    # Another task, another thing with its price, another event.
    ("进货由阿芳负责", "现在送货由大刘负责"),
    ("A full service costs £85", "A basic service costs £45"),
    ("Bitta patir 7 ming so'm turadi", "Endi bitta non 5 ming so'm"),
    ("На концерте в марте было 60 человек", "Концерт перенесли на 27 декабря"),
    ("Sunday ride, 5 May: 28 km, eleven of us", "Sunday ride, 2 June: 41 km, seven of us"),
    ("The laundrette's landlord is a Mrs Crewe", "The building was sold: our landlord is now Peel Estates"),
    ("The pottery class is on Tuesdays", "The drawing class is on Thursdays now"),
    ("День рождения Насти 9 сентября", "Мой день рождения 3 марта"),
    ("У Насти есть машина", "Настя теперь ходит в бассейн по средам"),
    ("Магазин на углу работает до десяти", "Аптека на углу работает до восьми"),
    ("Jahongir uylangan", "Nigora turmushga chiqmagan"),
    ("小王喜欢青瓷", "小王怕辣"),
    ("小王的生日是5月2日", "小张的生日是8月9日"),
    ("Ines passed hers in March", "Ines moved to Lisbon in May"),
    ("Aunt Flo calls on Sundays", "Aunt Flo stopped singing in the choir"),
    ("Лола Хивага кўчиб кетди", "Lolaning yangi telefoni 93 777 88 99"),
    ("Массажист берёт 2000 рублей за сеанс", "Теперь урок у репетитора стоит 1100 рублей"),
    # Named in two alphabets, by names that do not sound alike.
    ("Кирилл не водит машину", "Paul's car is a red Fiat"),
    # A month in both says only what an amount is for.
    ("The van's insurance is £52 a month", "The rent went up to £710 a month in September 2024"),
)
STILL_DISAGREE = (
    ("Ellie lives in York", "Ellie moved to Leeds"),
    ("Tom runs the press", "Priya runs the press now"),
    ("送货由小陈负责", "现在送货由大刘负责"),
    ("The paper supplier is Redfern, they deliver on Wednesdays", "Redfern deliver on Fridays"),
    ("Bitta non 4 ming so'm turadi", "Endi bitta non 5 ming so'm"),
    ("Dev lives with his parents in Salford", "Dev has moved to a flat in Stockport"),
    ("Ellis does not drink alcohol", "Ellis drinks beer again"),
    ("Rent is £640 a month", "The rent is £710 a month"),
    ("Pays 640 euros rent", "Rent is 710 euros"),
    ("Café Mirabel pays in cash", "Café Mirabel pays by bank transfer now"),
    ("Дядя Витя курит трубку", "Дядя Витя бросил курить"),
    ("Dilnoza opa Samarqandda yashaydi", "Dilnoza opa Toshkentga ko'chib ketdi"),
    ("小林住在杭州", "小林搬到上海去了"),
)


@pytest.mark.parametrize(("old", "new"), BOTH_TRUE)
def test_facts_of_two_and_unlike_facts_of_one_may_both_be_true(old: str, new: str) -> None:
    assert not disagree(old, new)
    assert not disagree(new, old)


@pytest.mark.parametrize(("old", "new"), STILL_DISAGREE)
def test_facts_of_one_subject_still_disagree(old: str, new: str) -> None:
    assert disagree(old, new)


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("At the open day in March Joan bought a calendar", "buy"),
        ("Joan never drinks coffee", "drink"),
        ("Joan is allergic to wheat", "allergic"),
        ("Joan doesn't eat fish", "eat"),
    ],
)
def test_a_subject_stands_before_its_verb(text: str, verb: str) -> None:
    (found,) = subjects_of(text, rule_language(text))
    assert found.words == {"joan"}
    assert found.verb == verb


@pytest.mark.parametrize(
    "text", ["She works at a bank", "Lives in Graz", "Never drinks coffee", "Платит вовремя", "他喝茶"]
)
def test_a_fact_that_names_nobody_has_no_subject(text: str) -> None:
    assert subjects_of(text, rule_language(text)) == ()


def test_a_name_in_another_script_tells_nothing() -> None:
    assert not are_of_two(subjects_of("Tom drinks tea", "en"), subjects_of("Том пьёт чай", "ru"))


def test_different_things_are_done_by_one_alone() -> None:
    tea, order, other = (subjects_of(text, "en") for text in ("Tom drinks tea", "Tom ordered mugs", "Ann ordered mugs"))
    assert do_different_things(tea, order)
    assert not do_different_things(tea, other)


def test_of_a_whole_memory_the_lines_that_disagree_are_found_and_no_others() -> None:
    memory = json.loads(MEMORY.read_text(encoding="utf-8"))
    lines = memory["lines"]
    found = {(lines[old], lines[new]) for old, new in disagreeing_places(lines)}
    assert {frozenset(pair) for pair in found} == {frozenset(pair.values()) for pair in memory["pairs"]}
