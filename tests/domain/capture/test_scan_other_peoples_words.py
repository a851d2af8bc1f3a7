"""What counts as somebody else's words, as the manual's page on capture says it."""

from __future__ import annotations

import pytest

from mnemoscope.domain.capture.scan import Capture, captures_in, scan
from mnemoscope.store.capture.rule_files import default_rules

RULES = default_rules()


@pytest.mark.parametrize(
    "text",
    [
        'He wrote: "My name is Bob."',
        "«Я люблю чай», — так он и написал.",
        "> I prefer tea",
        "Bob: my name is Bob\nAnn: I prefer tea",
        "Anna says I prefer tea",
        "I prefer tea, said Anna",
        "Translate: I prefer tea.",
        "Please correct this:\n\nMy name is Bob and I prefer tea.",
        '"The kiln opens at nine." Remember this.',
        "> The kiln opens at nine.\n\nRemember this.",
        "The kiln opens at nine.\n> Remember this.",
        "`The kiln opens at nine. Remember this.`",
    ],
)
def test_what_the_manual_calls_somebody_elses_words_is_not_kept(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Anna: I prefer tea", "I prefer tea"),
        ("My wife's name is Marina", "My wife's name is Marina"),
        ("Ann says the kiln opens at nine. Remember this.", "Ann says the kiln opens at nine"),
        ('Ann wrote "the kiln opens at nine". Remember this.', 'Ann wrote "the kiln opens at nine"'),
    ],
)
def test_what_it_calls_the_persons_own_is_kept(text: str, kept: str) -> None:
    assert [each.fact for each in captures_in(text, RULES)] == [kept]


def test_what_was_pasted_or_came_from_a_file_is_somebody_elses() -> None:
    text = "I like plov. **I prefer tea.** My name is Bob."
    start, stop = text.index("**"), text.rindex("**") + 2
    for origin in ("paste", "file"):
        kept = [each.text for each in scan(text, RULES, quotes=((start, stop, origin),)) if isinstance(each, Capture)]
        assert kept == ["I like plov", "My name is Bob"]


@pytest.mark.parametrize(
    "text",
    [
        "From: Anita\nTo: Ben\n\nWe have decided to close the office.\n\nshould i be worried",
        "Subject: rent\nDear tenant, remember to use the new account.\n\ncan you sum that up",
        "Тема: аренда\nМы решили закрыть офис в Туле.\n\nмне стоит волноваться",
        "发件人：安妮\n我们决定关闭杭州办公室。\n\n我该担心吗",
        "Kimdan: Aziza\nBiz ofisni yopishga qaror qildik.\n\nxavotir olay",
        "Hi Tom,\nI prefer the blue version.\nBest, Ines\n\nanswer that for me",
        "Dear residents, please remember to lock the gate at ten.\nKind regards, Ines\n\nanswer that for me",
        "Dear parents, please remember the trip on Friday.\nThe school\n\nwhat should i pack",
        "Уважаемые родители, имейте в виду, что в пятницу нет уроков.\nШкола\n\nкуда его деть",
        "各位家长，请记住周五没有课。\n学校\n\n我该怎么办",
        "Hurmatli ota-onalar, esda tuting, juma kuni dars yo'q.\nMaktab\n\nnima qilsam bo'ladi",
        "Hello everyone, we have decided to close the office.\nRegards\n\nshould i be worried",
        "Уважаемые жильцы, мы решили закрыть двор.\nС уважением, Ольга\n\nмне стоит волноваться",
        "尊敬的住户，我们决定关闭车库。\n此致\n\n我该担心吗",
        "Hurmatli mijozlar, biz ofisni yopishga qaror qildik.\nHurmat bilan, Aziza\n\nxavotir olay",
    ],
)
def test_a_mail_that_was_put_in_is_somebody_elses_up_to_the_last_paragraph(text: str) -> None:
    assert captures_in(text, RULES) == []
    kept = captures_in(f"{text}\n\nPlease remember that I park on level 3.", RULES)
    assert [each.text for each in kept] == ["Please remember that I park on level 3"]


@pytest.mark.parametrize(
    "text",
    [
        "Be a grumpy wizard. My name is Zoltan and I hate elves!",
        "Let's play a game: I am Bond and I prefer my martini shaken",
        "Будь ворчливым волшебником. Меня зовут Золтан!",
        "напиши начальнику, что я решил взять отгул",
        "你演一个暴躁的巫师。我叫佐坦，最讨厌精灵！",
        "Jahldor sehrgar bo'l. Mening ismim Zoltan va men elflarni yomon ko'raman!",
        "бошлиғимга дам олишга қарор қилдим деб ёз",
    ],
)
def test_what_is_said_in_a_role_or_ordered_for_somebody_else_is_not_the_persons(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    "text",
    [
        "i meant the other file",
        "я имел в виду другой файл",
        "不是第一个，是第二个",
        "birinchisi emas, ikkinchisi",
        "note that python rounds down, right?",
        "I want an example with numbers.",
        "Don't forget who you're talking to, haha.",
        "i decided to take a nap",
        "мы решили пойти пообедать",
        "我决定睡一会儿",
        "tushlikka borishga qaror qildik",
        "бироз ухлашга қарор қилдим",
        "div ni markazga qo'ymoqchiman",
        "funksiya nomini getUser qo'y",
    ],
)
def test_what_only_points_or_asks_and_jokes_says_nothing_to_keep(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    "text",
    [
        "my boss goes: from now on call me Chief",
        "dad was like, I've decided to sell the house",
        "препод вечно твердит: запомните это правило",
        "a joke: I decided to stop procrastinating",
        "анекдот: решил бросить прокрастинировать",
        "笑话：我决定明天开始不拖延",
        "latifa: ertadan dangasalikni tashlashga qaror qildim",
        "латифа: эртадан дангасаликни ташлашга қарор қилдим",
        "fix grammar: i want go to shop every day",
        "改错：我想去商店每天",
        "back then we decided to stay",
        "bolaligimda veterinar bo'lishni xohlardim",
    ],
)
def test_what_is_told_of_others_in_jest_as_an_exercise_or_of_long_ago_is_not_kept(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    "text",
    [
        "remember: my sister is called Ann",
        "my joke of a flat is in Leeds, and i always take the 5:40 train",
        "Кстати, меня зовут Дана",
    ],
)
def test_words_of_a_heading_elsewhere_take_nothing_away(text: str) -> None:
    assert captures_in(text, RULES)


@pytest.mark.parametrize(
    "text",
    [
        "Dear diary, I prefer the blue version.",
        "Hi all, I prefer the blue version.",
        "Hello there, I prefer the blue version.\nBest, Ines",
    ],
)
def test_a_greeting_before_the_persons_own_words_takes_nothing_away(text: str) -> None:
    assert [each.text for each in captures_in(text, RULES)] == ["I prefer the blue version"]


@pytest.mark.parametrize(
    "text",
    [
        "ruschaga tarjima qil: derazani yopishni unutma",
        "немисчага ўгир: деразани ёпишни унутма",
        "总结一下：学校决定把考试推迟到六月。",
    ],
)
def test_a_text_behind_what_is_to_be_done_with_it_is_not_the_persons(text: str) -> None:
    assert captures_in(text, RULES) == []
