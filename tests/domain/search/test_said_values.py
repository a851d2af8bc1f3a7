"""A value is one, however it is written: times of day, days in short, measures, numbers within words."""

from __future__ import annotations

import pytest

from mnemoscope.domain.search.said_values import in_plain_numbers, measures, short_days, times_of_day


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Yoga at 6 pm", ["time 18:00"]),
        ("Yoga at 18:00", ["time 18:00"]),
        ("Yoga at 6:15 in the morning", ["time 06:15"]),
        ("Yoga, 06:15", ["time 06:15"]),
        ("Yoga at 6:15", ["time 06:15", "time 18:15"]),
        ("йога в 7 часов вечера", ["time 19:00"]),
        ("йога в 7 часов", ["time 07:00", "time 19:00"]),
        ("soat 9 da kechqurun", ["time 21:00"]),
        ("кечки 9да", ["time 21:00"]),
        ("晚上9点半练瑜伽", ["time 21:30"]),
        ("凌晨3点", ["time 03:00"]),
        ("下午2点20分", ["time 14:20"]),
        ("下午2点20", ["time 14:20"]),
        ("下午2点20人到", ["time 14:00"]),
        ("в 12 ночи", ["time 00:00"]),
        ("yoga — 19.30", ["time 19:30"]),
    ],
)
def test_a_time_of_day_is_known_in_every_form(text: str, forms: list[str]) -> None:
    (found,), _ = times_of_day(text)
    assert list(found.forms) == forms


@pytest.mark.parametrize(
    "text", ["takes 6 hours", "за 7 часов", "9 soat", "0.15 mg", "7.35 metres", "3 of 4", "12.05.2024", "1.27"]
)
def test_what_is_no_time_of_day_stays(text: str) -> None:
    assert times_of_day(text) == ([], text)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("dentist 23/11", [("day 1123",)]),
        ("11/23 dentist", [("day 1123",)]),
        ("dentist 5/6", [("day 0605", "day 0506")]),
        ("к врачу 5.06", [("day 0605", "time 05:06")]),
        ("dentist (06.2025)", [("day 06",)]),
        ("牙医11/23上午", [("day 1123",)]),
        ("version 3.5, 45/60, 8.9.1, 1.75, 2.5%", []),
    ],
)
def test_a_day_in_short_is_known_in_either_order(text: str, forms: list[tuple[str, ...]]) -> None:
    assert [each.forms for each in short_days(text)[0]] == forms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.25 mg", "250 micrograms"),
        ("24 months", "2 years"),
        ("18 oy", "1.5 yil"),
        ("1 h 5 min", "65 минут"),
        ("2 hours, 3 minutes and 4 seconds", "2:03:04"),
        ("3 килограмма", "3000 г"),
        ("2公里", "2000米"),
        ("40 %", "40 foiz"),
        ("4 ТБ", "4 terabytes"),
    ],
)
def test_a_measure_is_known_in_another_unit(one: str, other: str) -> None:
    assert measures(one)[0][0].forms == measures(other)[0][0].forms


def test_a_year_is_no_length_of_time_and_what_only_counts_says_nothing() -> None:
    assert measures("2019 год") == ([], "2019 год")
    assert measures("0.125 mg")[0][0].forms == measures("125 mcg")[0][0].forms != measures("125 mg")[0][0].forms
    assert measures("1,500 kg")[0][0].forms == measures("1500 kg")[0][0].forms
    assert measures("4盆薄荷, 3 ta olma, 5 dona") == ([], "4 薄荷, 3  olma, 5 ")
    found, _ = measures("5 kg and 3 weeks")
    assert [each.forms for each in found] == [("measure g 5000",), ("measure s 1.8144e+06",)]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("4 and a half stars", "4.5 stars"),
        ("7 yarim", "7.5"),
        ("пятилетний план", "5 лет план"),
        ("полуторалитровая бутылка, двухсотметровый", "1.5 литров бутылка, 200 метров"),
        ("одноразовые", "одноразовые"),
        ("twice a week", "2 times a week"),
        ("ежемесячно", "каждый месяц"),
        ("百分之30", "30%"),
        ("5盆花", "5盆花"),
        ("五盆花", "5盆花"),
        ("9-inchi qavat", "9 qavat"),
        ("с 5 по 9 мая", "с 5 мая, 9 мая"),
        ("5–9 May", "5 May, 9 May"),
        ("May 5 to 9", "May 5, May 9"),
        ("5月3日到9日", "5月3日, 5月9日"),
        ("from 5 to 9 people", "from 5 to 9 people"),
    ],
)
def test_numbers_come_out_of_words_and_each_day_gets_its_month(text: str, plain: str) -> None:
    assert in_plain_numbers(text) == plain
