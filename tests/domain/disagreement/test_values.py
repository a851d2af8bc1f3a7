"""Times of day are read from the words in which people tell them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemoscope.domain.disagreement.fact_comparison import disagree, read_fact, rule_language

CLOCK = Path(__file__).parents[2] / "corpus" / "disagreement" / "clock.json"


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("The call is at half past six", ["6:30"]),
        ("The call is at half-past six", ["6:30"]),
        ("The call is at a quarter to one", ["12:45"]),
        ("The call is at five to nine", ["8:55"]),
        ("The call is at twenty-five past eight", ["8:25"]),
        ("The shop is open from ten to four", []),
        ("Half an hour by bus", []),
        ("Встреча в половине первого", ["12:30"]),
        ("Встреча в полседьмого", ["6:30"]),
        ("Встреча в четверть седьмого", ["6:15"]),
        ("Встреча без четверти час", ["12:45"]),
        ("Встреча без двадцати пяти восемь", ["7:35"]),
        ("Встреча в двадцать пять минут седьмого", ["6:25"]),
        ("Прошло пять минут седьмого класса", []),
        ("Осталось двадцать минут седьмого мая", []),
        ("Majlis yetti yarimda", ["7:30"]),
        ("Мажлис еттидан чорак ўтганда", ["7:15"]),
        ("Majlis sakkizga chorak qolganda", ["7:45"]),
        ("Majlis sakkizga o‘n daqiqa qolganda", ["7:50"]),
        ("会议六点半开始", ["6:30"]),
        ("会议六点一刻开始", ["6:15"]),
        ("会议八点二十开始", ["8:20"]),
        ("会议差十分八点开始", ["7:50"]),
        ("会议差一刻八点开始", ["7:45"]),
    ],
)
def test_a_time_in_words_is_the_one_on_the_clock(text: str, times: list[str]) -> None:
    fact = read_fact(text, rule_language(text))
    assert [each.value for each in fact.values if each.kind == "time"] == times


@pytest.mark.parametrize("half", ["open", "sealed"])
def test_facts_with_times_in_words_disagree_where_the_times_do(half: str) -> None:
    pairs = [pair for pair in json.loads(CLOCK.read_text(encoding="utf-8")) if pair["half"] == half]
    assert len(pairs) > 40
    assert [pair for pair in pairs if disagree(pair["old"], pair["new"]) != pair["disagree"]] == []


@pytest.mark.parametrize(
    ("old", "new", "differ"),
    [
        ("Do‘kon to‘qqizda yopiladi", "Do‘kon yettida yopiladi", True),
        ("Дўкон тўққизда ёпилади", "Дўкон 9:00 да ёпилади", False),
        ("Do'kon Buxoro ko'chasida ishlaydi", "Do'kon yopilgan", True),
        ("Majlis sakkizda", "Majlis to‘qqizda", True),
        ("Dars ikki yarimda tugaydi", "Dars uch yarimda tugaydi", True),
        ("Dars 2: fe'llar", "Dars 3: otlar", False),
    ],
)
def test_what_closes_or_ends_at_an_hour_is_not_over(old: str, new: str, differ: bool) -> None:
    assert disagree(old, new) == differ
