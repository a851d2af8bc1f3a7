"""Numbers in words become digits, in four languages, and other words stay."""

from __future__ import annotations

import pytest

from mnemoscope.domain.text.numerals import with_digits, with_ordinals


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("four thousand pounds", "4000 pounds"),
        ("a thousand and fifty", "1050"),
        ("twenty-two cats and three dogs", "22 cats and 3 dogs"),
        ("two or three, two three", "2 or 3, 2 3"),
        ("one hundred thousand", "100000"),
        ("1.5 million", "1500000"),
        ("Пятьсот тысяч", "500000"),
        ("сто двадцать пять тысяч триста", "125300"),
        ("полтора миллиона", "1500000"),
        ("密码五九二零一三", "密码592013"),
        ("二〇二六年", "2026年"),
        ("два с половиной миллиона", "2500000"),
        ("two and a half million", "2500000"),
        ("260 тысяч в месяц", "260000 в месяц"),
        ("у трёх детей", "у 3 детей"),
        ("2,5 млн рублей", "2500000 рублей"),
        ("тысяча рублей", "1000 рублей"),
        ("房租每月三千五", "房租每月3500"),
        ("欠三十万", "欠300000"),
        ("一万零五百", "10500"),
        ("1.2万步", "12000步"),
        ("三百六十五天", "365天"),
        ("二十万三千人", "203000人"),
        ("十二岁，两只狗", "12岁，2只狗"),
    ],
)
def test_numerals_become_digits_in_english_russian_and_chinese(text: str, digits: str) -> None:
    assert with_digits(text) == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("o'n besh kun", "15 kun"),
        ("oʻn million so'm", "10000000 so'm"),
        ("bir yuz yigirma besh", "125"),
        ("ikki yuz ming", "200000"),
        ("Beshta bola, uchtasi qiz", "5 bola, 3 qiz"),
        ("oltida turadi", "6da turadi"),
        ("Ўн олти минг", "16000"),
        ("тўққизта", "9"),
    ],
)
def test_numerals_become_digits_in_uzbek_of_both_alphabets(text: str, digits: str) -> None:
    assert with_digits(text, is_uzbek=True) == digits


@pytest.mark.parametrize(
    "text",
    [
        "a grand piano, thousands of people",
        "on Monday, a ming vase",
        "one of the sons",
        "один из сыновей",
        "一起去，十分喜欢，千万别忘，星期五，第三名，三四个，几十人，二十多岁",
    ],
)
def test_what_is_no_numeral_stays(text: str) -> None:
    assert with_digits(text) == text


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("the ninth of June", "the 9 of June"),
        ("the first of June", "the 1 of June"),
        ("Twenty-first floor", "21 floor"),
        ("двадцать третьего мая", "23 мая"),
        ("первого мая на четвёртом этаже", "1 мая на 4 этаже"),
        ("на тридцатом", "на 30"),
        ("the first of june, May the second, march the first", "the 1 of june, May the 2, march the 1"),
        ("on the second floor, в первом классе", "on the 2 floor, в 1 классе"),
        ("First of all, a second, пять, треть, первый раз", "First of all, a second, пять, треть, первый раз"),
    ],
)
def test_ordinals_become_digits(text: str, digits: str) -> None:
    assert with_ordinals(text) == digits


def test_marked_ordinals_are_told_from_amounts() -> None:
    assert with_ordinals("the twenty-second of May, второе мая, 3", marked=True) == "the 22th of May, 2-е мая, 3"
