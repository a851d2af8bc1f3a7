"""One fact resembles another where it may say the same in other words, and does not where it says another thing."""

from __future__ import annotations

import pytest

from mnemoscope.domain.forgetting.resemblance import are_told_apart, are_two_sides, resemble
from mnemoscope.domain.forgetting.wordings import Wordings

WORDINGS = Wordings(
    "stop stops quit give+up gave+up | брос* | tashla* voz+kech* | 戒 放弃\n"
    "smoke smokes smoking cigarettes | курит курить | chek* sigaret* | 抽烟 烟\n"
    "~ live lives home | жив* | yasha* | 住 家在\n"
)


def never(_one: str, _other: str) -> bool:
    return False


def always(_one: str, _other: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("one", "other", "is_alike"),
    [
        ("Quit smoking in May", "Gave up cigarettes in May", True),
        ("Бросил курить", "Sigaretdan voz kechgan", True),
        ("放弃抽烟", "戒烟了", True),
        ("Sings in the choir of Linz", "The choir of Linz has her as a singer", True),
        ("Сестра поёт в хоре Перми", "В хоре Перми поёт сестра", True),
        ("東京の合唱団で歌う", "合唱団で歌う、東京の", True),
        ("Lives in Linz", "Drinks tea in the evening", False),
        ("Sings in the choir of Linz", "Likes the choir", False),
        ("", "Likes the choir", False),
    ],
)
def test_what_two_facts_have_in_common_is_weighed(one: str, other: str, *, is_alike: bool) -> None:
    assert resemble(one, other, WORDINGS, never) is is_alike


def test_another_value_on_either_side_makes_two_facts() -> None:
    assert resemble("Pays 900 euros of rent", "Rent: 900 euros", WORDINGS, never)
    assert not resemble("Pays 900 euros of rent", "Rent: 950 euros", WORDINGS, never)
    assert resemble("Xolasi Linzda qoshiq kuylaydi", "Linzda xolasi qoshiq kuylaydi, chizadi", WORDINGS, never)
    assert not resemble("Xolasi Linzda qoshiq kuylaydi", "Gratsda xolasi qoshiq kuylaydi, chizadi", WORDINGS, never)


def test_a_number_that_is_nobody_elses_is_enough() -> None:
    assert resemble("Phone: 07700 900461", "Can be reached on 07700 900461", WORDINGS, always)
    assert not resemble("Phone: 07700 900461", "Can be reached on 07700 900462", WORDINGS, never)


def test_it_takes_more_where_one_has_a_value_for_itself() -> None:
    rejected = "Sister Clara sings in a choir of goats"
    assert resemble(rejected, "Where sister Clara lives is a city", WORDINGS, never)
    assert not resemble(rejected, "Where sister Clara lives is Toronto", WORDINGS, never)


def test_the_same_beginning_with_quite_another_end_says_another_thing() -> None:
    assert resemble("Sister Clara breeds goats", "Portraits of sister Clara hang here", WORDINGS, never)
    assert not resemble("Sister Clara breeds goats", "Sister Clara paints portraits", WORDINGS, never)


def test_facts_that_disagree_have_to_have_more_in_common() -> None:
    rejected, later = "Sister keeps goats and hens", "The hens of the sister have a barn and feed"
    assert resemble(rejected, later, WORDINGS, never)
    assert not resemble(rejected, later, WORDINGS, always)
    assert resemble(rejected, "The sister keeps hens and goats", WORDINGS, always)


def test_what_a_tombstone_holds_needs_less_in_common() -> None:
    one, other = "Was in prison for fraud in spring", "Fraud had her serve a sentence"
    assert not resemble(one, other, WORDINGS, never)
    assert resemble(one, other, WORDINGS, never, is_held=True)


def test_who_gives_does_not_take() -> None:
    assert are_two_sides("Lent Nora a tent", "Borrowed a tent from Nora")
    assert not are_two_sides("Lent Nora a tent", "Nora has a tent lent to her")
    assert not resemble("Lent Nora a tent for June", "Borrowed a tent for June from Nora", WORDINGS, never)


@pytest.mark.parametrize(
    ("one", "other", "is_apart"),
    [
        ("Pays 900 euros of rent", "The rent is 950 euros", True),
        ("Lent Nora a tent", "Borrowed a tent from Nora", True),
        ("Sister Clara breeds goats", "Sister Clara paints portraits", True),
        ("Raises goats on a farm", "Sister Clara breeds goats", False),
        ("Cannot stand crowds", "Would rather be by herself", False),
        ("The user has insomnia", "The user has trouble falling asleep", False),
    ],
)
def test_words_may_tell_apart_what_is_near_in_meaning(one: str, other: str, *, is_apart: bool) -> None:
    assert are_told_apart(one, other, WORDINGS) is is_apart
