"""Wishes to remember what stands before them, decisions, corrections and lasting wants, as people say them.

`wishes.jsonl` and the two halves of `talk` in tests/corpus/capture were written without sight of the rules. Each line
has `language`, `text`, `expect` (the `kind` and the words that have to be among what is kept) and `quiet`, which says
that nothing may be kept.
"""

from __future__ import annotations

import json
from collections import Counter
from cProfile import Profile
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any, Final

import pytest

from mnemoscope.domain.capture.objections import THIRD_PERSON
from mnemoscope.domain.capture.record import (
    NOT_OWN_WORDS,
    NOTHING_BEFORE,
    QUESTION,
    REFUSED,
    SECRET,
    VAGUE,
    CaptureRecord,
)
from mnemoscope.domain.capture.scan import Capture, Refusal, captures_in, scan
from mnemoscope.store.capture.rule_files import default_rules

RULES: Final = default_rules()
CORPUS: Final = Path(__file__).parents[2] / "corpus" / "capture"
OPEN, SEALED = "talk-open", "talk-sealed"
SPEECH_OPEN, SPEECH_SEALED = "speech-open", "speech-sealed"
"""The halves of two sets, of 300 and 272: rules were mended by the first of each, and by no line of the second."""


@cache
def messages(name: str = "wishes") -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My sister lives in Leeds. Remember this.", "My sister lives in Leeds"),
        ("I park on level 3. Please don't forget this!", "I park on level 3"),
        ("Thanks. The landlord's name is Mr. Okafor. Please remember that.", "The landlord's name is Mr. Okafor"),
        ("The gate code changes monthly, keep that in mind", "The gate code changes monthly"),
        ("Моя сестра живёт в Твери. Запомни это.", "Моя сестра живёт в Твери"),
        ("Собаку зовут Брынза 🐶 Запомни!", "Собаку зовут Брынза 🐶"),
        ("Singlim Samarqandda yashaydi. Buni eslab qol.", "Singlim Samarqandda yashaydi"),
        ("Дўкон душанба куни ёпиқ бўлади. Ёдингда тут.", "Дўкон душанба куни ёпиқ бўлади"),
        ("我妹妹住在成都。记住这一点。", "我妹妹住在成都"),
    ],
)  # fmt: skip
def test_a_wish_keeps_the_sentence_before_it(text: str, kept: str) -> None:
    found = [each for each in captures_in(text, RULES) if each.category == "remember"]
    assert [each.text for each in found] == [kept]
    assert found[0].durable


@pytest.mark.parametrize(
    "text",
    [
        "Remember milk",
        "Remember the meeting.",
        "Remember when the meeting is.",
        "Please remember Anna's birthday.",
        "Remember where I parked.",
        "Remember what the doctor said!",
        "remember milk, will you?",
        "Запомни молоко",
        "Запомни, когда встреча.",
        "Sutni eslab qol",
        "Majlis qachonligini eslab qol.",
        "Сутни эслаб қол",
        "Мажлис қачонлигини эслаб қол.",
        "记住牛奶",
        "记住会议是什么时候。",
        "记得买牛奶",
    ],
)
def test_a_bare_wish_is_kept(text: str) -> None:
    assert [each.category for each in captures_in(text, RULES)] == ["remember"]


@pytest.mark.parametrize("text", ["The door code is B12. Remember this number.", "Note this address."])
def test_a_wish_that_names_what_stands_before_it_is_kept_or_told(text: str) -> None:
    (found,) = scan(text, RULES)
    assert found.category == "remember"


@pytest.mark.parametrize(
    "text",
    [
        "Remember when we went to Rome?",
        "Remember when we went to Rome.",
        "I remember milk",
        "Do you remember milk?",
        "do you remember Anna's birthday",
        "Remember Rome?",
        "Remember me",
        "Remember him fondly.",
        "Remember how we laughed.",
        "They remember Anna.",
        "Я помню молоко",
        "Помнишь, как мы ездили в Рим?",
        "Men sutni eslayman",
        "Римга борганимиз эсингдами?",
        "我记得买了牛奶",
        "还记得我们去罗马的时候吗",
    ],
)
def test_quiet_talk_about_remembering_is_neither_kept_nor_told(text: str) -> None:
    assert captures_in(text, RULES) == []
    assert {each.reason for each in scan(text, RULES) if isinstance(each, Refusal)} <= {"third person"}


@pytest.mark.parametrize(
    ("name", "half", "least"),
    [
        ("forms", "open", (0.9, 0.95, 0.95)),
        ("forms", "sealed", (0.6, 0.65, 0.45)),
        ("frames", "open", (0.95, 0.95, 0.95)),
        ("frames", "sealed", (0.6, 0.65, 0.9)),
    ],
)
def test_forms_that_were_written_before_the_rules_were_read_are_found(
    name: str, half: str, least: tuple[float, float, float]
) -> None:
    kinds = {"decision": {"decision"}, "correction": {"correction"}, "want": {"preference", "decision"}}
    for (kind, categories), share in zip(kinds.items(), least, strict=True):
        texts = [each["text"] for each in messages(name) if (each["kind"], each["half"]) == (kind, half)]
        found = [text for text in texts if {each.category for each in captures_in(text, RULES)} & categories]
        assert len(texts) == 40
        assert len(found) >= share * len(texts)


def test_talk_in_the_same_forms_that_decides_corrects_and_wants_nothing_is_quiet() -> None:
    texts = [each["text"] for each in messages("frames") if each["kind"] == "quiet"]
    kept = [text for text in texts if captures_in(text, RULES)]
    assert len(texts) == 65
    assert len(kept) <= 1, kept


def test_an_ending_wakes_a_rule_in_either_alphabet() -> None:
    """What is decided for all time is told in Uzbek by the ending of the verb, of which no list names every one."""
    for text in ("Endi hisobotlarni har juma topshiramiz.", "Энди ҳисоботларни ҳар жума топширамиз."):
        assert [each.category for each in captures_in(text, RULES)] == ["decision"]
    assert captures_in("Keyin gaplashamiz.", RULES) == []


@pytest.mark.parametrize("text", ["I want a coffee right now.", "I would like a tea right now"])
def test_what_is_wanted_right_now_is_not_wanted_for_good(text: str) -> None:
    assert captures_in(text, RULES) == []


def test_twice_as_many_wishes_cost_twice_the_steps() -> None:
    def steps(times: int) -> int:
        profile = Profile()
        profile.runcall(scan, "Remember it all. " * times, RULES)
        return sum(each.callcount for each in profile.getstats())

    steps(10)
    assert steps(400) < 2.5 * steps(200)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Remember this.", NOTHING_BEFORE),
        ("Do you think it'll rain tomorrow? Remember this.", QUESTION),
        ("Thanks. Remember this.", VAGUE),
        ("> My sister lives in Leeds.\nRemember this.", NOT_OWN_WORDS),
        ("Запомни.", NOTHING_BEFORE),
        ("Eslab qol.", NOTHING_BEFORE),
        ("明天会下雨吗？记住这个。", QUESTION),
    ],
)
def test_a_wish_that_cannot_be_followed_is_refused_with_its_reason(text: str, reason: str) -> None:
    found = scan(text, RULES)
    assert [(each.category, each.reason) for each in found if isinstance(each, Refusal)] == [("remember", reason)]
    assert not [each for each in found if isinstance(each, Capture)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My sister lives in Leeds. **Remember this.**", "My sister lives in Leeds"),
        ("**My sister lives in Leeds. Remember this.**", "My sister lives in Leeds"),
        ("_My sister lives in *Leeds*._ ***Remember this***", "My sister lives in Leeds"),
        ("<b>My sister lives in Leeds. Remember this.</b>", "My sister lives in Leeds"),
        ("My sister lives in Leeds. ==Remember this!==", "My sister lives in Leeds"),
        ("My sister lives in Leeds (remember this!)", "My sister lives in Leeds"),
        ("- My sister lives in Leeds\n- remember this", "My sister lives in Leeds"),
        ("1. My sister lives in Leeds\n2. **remember this**", "My sister lives in Leeds"),
        ("# My sister lives in Leeds\n## Remember this!", "My sister lives in Leeds"),
        ("| My sister lives in Leeds. Remember this. |", "My sister lives in Leeds"),
        ("**Remember:** the *milk* goes to number 12", "Remember: the milk goes to number 12"),
        ("Сестра живёт в Твери. _Запомни это._", "Сестра живёт в Твери"),
        ("1. Singlim Samarqandda yashaydi\n2. _Buni eslab qol._", "Singlim Samarqandda yashaydi"),
        ("Дўкон душанба куни ёпиқ бўлади. **Ёдингда тут.**", "Дўкон душанба куни ёпиқ бўлади"),
        ("我妹妹住在成都。**记住这一点。**", "我妹妹住在成都"),
        ("My sister lives in Leeds. Seriously, remember this.", "My sister lives in Leeds"),
        ("My sister lives in Leeds. Thanks! Remember this.", "My sister lives in Leeds"),
        ("My sister lives in Leeds. You must never forget this.", "My sister lives in Leeds"),
        ("Сестра живёт в Твери. Очень прошу, запомни это.", "Сестра живёт в Твери"),
    ],
)  # fmt: skip
def test_marks_of_emphasis_and_of_lists_hide_no_wish_and_are_not_kept(text: str, kept: str) -> None:
    found = [each for each in captures_in(text, RULES) if each.category == "remember"]
    assert [each.text for each in found] == [kept]
    begin, end = found[0].span
    assert [each for each in text[begin:end] if each.isalnum()] == [each for each in kept if each.isalnum()]


@pytest.mark.parametrize(
    ("text", "wish", "reason"),
    [
        ("**Remember this.**", "Remember this", NOTHING_BEFORE),
        ("_Запомни это!_", "Запомни это", NOTHING_BEFORE),
        ("**Eslab qol!**", "Eslab qol", NOTHING_BEFORE),
        ("_Унутма буни._", "Унутма буни", NOTHING_BEFORE),
        ("> 记住这个。", "记住这个", NOTHING_BEFORE),
        ("`Remember this.`", "Remember this", NOTHING_BEFORE),
        ("```\nRemember this.\n```", "Remember this", NOTHING_BEFORE),
        ("My sister lives in Leeds.\n> Remember this.", "My sister lives in Leeds", NOT_OWN_WORDS),
        ("My sister lives in Leeds. `Remember this.`", "My sister lives in Leeds", NOT_OWN_WORDS),
        ('My sister lives in Leeds. "Remember this."', "My sister lives in Leeds", NOT_OWN_WORDS),
        ("> My sister lives in Leeds. Remember this.", "My sister lives in Leeds", NOT_OWN_WORDS),
        ("> Remember that the key rotates monthly.", "Remember that the key rotates monthly", NOT_OWN_WORDS),
        ("`Remember that the key rotates monthly`", "Remember that the key rotates monthly", NOT_OWN_WORDS),
    ],
)
def test_a_wish_in_a_quotation_or_code_of_its_own_is_answered(text: str, wish: str, reason: str) -> None:
    (found,) = scan(text, RULES)
    assert isinstance(found, Refusal)
    assert (found.category, found.text, found.reason) == ("remember", wish, reason)


REFUSALS: Final = {
    SECRET: (
        "Remember that my password is hunter2abc", "My password is hunter2abc. Remember this.",
        "Запомни: мой пароль hunter2abc", "Мой пароль hunter2abc. Запомни это.",
        "Eslab qol: parolim hunter2abc", "Parolim hunter2abc. Buni eslab qol.", "Паролим hunter2abc. Буни эслаб қол.",
        "记住：我的密码是hunter2abc", "我的密码是hunter2abc。记住这个。", "請記住：我的密碼是hunter2abc",
    ),
    QUESTION: (
        "Will it rain? Remember this.", "Будет дождь? Запомни это.", "Yomg'ir yog'adimi? Buni eslab qol.",
        "Ёмғир ёғадими? Буни эслаб қол.", "会下雨吗？记住这个。", "會下雨嗎？記住這個。",
    ),
    VAGUE: ("Ok. Remember this.", "Ок. Запомни это.", "Xo'p. Buni eslab qol.", "好。记住这个。"),
    NOTHING_BEFORE: (
        "Please remember all of this!", "Remember both.", "Remember the following.", "Запомни оба.",
        "Запомни следующее.",
        "Ikkalasini eslab qol.", "Quyidagini eslab qol.", "Буни эслаб қол!", "两个都记住。", "記住這個！",
    ),
    NOT_OWN_WORDS: (
        '"The key is red." Remember this.', "`x = 1` Remember this.", "Translate this: the key is red. Remember this.",
        "Anna: hi\nBob: the key is red\nRemember this.", "«Ключ красный.» Запомни это.", "`x = 1` Запомни это.",
        "Переведи: ключ красный. Запомни это.", "«Kalit qizil.» Buni eslab qol.", "`x = 1` Buni eslab qol.",
        "Tarjima qil: kalit qizil. Buni eslab qol.", "Таржима қил: калит қизил. Буни эслаб қол.",
        "“钥匙是红色的。”记住这个。", "`x = 1` 记住这个。", "翻译：钥匙是红色的。记住这个。",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reason", "text"), [(reason, text) for reason, some in REFUSALS.items() for text in some])
def test_every_reason_not_to_follow_a_wish_is_told_in_every_language(reason: str, text: str) -> None:
    found = [each for each in scan(text, RULES) if isinstance(each, Refusal) and each.category == "remember"]
    assert [each.reason for each in found] == [reason]
    record = CaptureRecord("1", "", "", "", 0, "remember", found[0].text, outcome=REFUSED, reason=reason)
    assert record.is_refused_wish
    assert not captures_in(text, RULES)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Could you remember the following? My doctor is Dr Kim. My cat is Tom.", 2),
        ("Запомни следующее. Врача зовут Ким.", 1),
        ("Қуйидагини эслаб қол. Шифокорим Каримов.", 1),
        ("请记住以下内容。医生姓金。律师姓欧阳。", 2),
        ("Translate this: remember that the key is red.", 0),
    ],
)
def test_what_is_announced_is_kept(text: str, kept: int) -> None:
    assert len([each for each in captures_in(text, RULES) if each.category == "remember"]) == kept


def test_a_wish_under_a_condition_is_answered_and_what_only_sounds_like_one_is_not() -> None:
    (found,) = scan("If you can, remember that my bike is red.", RULES)
    assert isinstance(found, Refusal)
    record = CaptureRecord("1", "", "", "", 0, found.category, found.text, outcome=REFUSED, reason=found.reason)
    assert record.is_refused_wish
    for text in ("I wish I could remember the name of it.", "If I don't forget that again, good."):
        assert {each.reason for each in scan(text, RULES) if isinstance(each, Refusal)} <= {THIRD_PERSON}


@pytest.mark.parametrize(
    "text",
    [
        'He said "remember this".',
        "x = 1  # remember this",
        "```\n# don't forget to close\nx = 1\n```\nwhy?",
        "> Don't forget to send it\n> Cheers, Bob\n\nHow do I answer?",
        'My mum said "don\'t forget to eat" and left',
        "~~My sister lives in Leeds. Remember this.~~",
    ],
)
def test_a_wish_of_somebody_else_or_taken_back_is_none(text: str) -> None:
    reasons = (NOT_OWN_WORDS, NOTHING_BEFORE)
    assert not [each for each in scan(text, RULES) if isinstance(each, Capture) or each.reason in reasons]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My name is **Ann**", "My name is Ann"),
        ("I live in *Leeds* now", "I live in Leeds"),
        ("~~I prefer tea.~~ I prefer coffee", "I prefer coffee"),
        ("Remember that __init__ stays empty", "Remember that __init__ stays empty"),
        ("Remember that 2*3*4 is 24", "Remember that 2*3*4 is 24"),
        ("Remember that we lint my_own_file.py", "Remember that we lint my_own_file.py"),
    ],
)
def test_a_fact_is_kept_without_marks_of_emphasis(text: str, fact: str) -> None:
    assert [each.fact for each in captures_in(text, RULES)] == [fact]


WHOLE_WISHES: Final = (
    "Remember these three things: tea, cake, milk",
    "Remember this list: boiler 2011, roof 2015",
    "Remember when the meeting is: Monday 9",
    "Remember what I told you: the key is under the mat",
    "Remember `port 8080`",
    "Remember port 8080",
    "Always remember that I'm vegan",
    "Please always remember I'm vegan",
    "Запомни эти три вещи: чай, торт, молоко",
    "Запомни, когда встреча: понедельник 9",
    "Запомни `порт 8080`",
    "Всегда помни, что я веган",
    "Bu uchta narsani eslab qol: choy, tort, sut",
    "Yig'ilish qachonligini eslab qol: dushanba 9",
    "`port 8080` ni eslab qol",
    "Doim eslab qol: men veganman",
    "Бу учта нарсани эслаб қол: чой, торт, сут",
    "`порт 8080`ни эслаб қол",
    "Доим эслаб қол: мен веганман",
    "记住这三件事：茶、蛋糕、牛奶",
    "记住`端口8080`",
    "永远记住我吃素",
    "記住這三件事：茶、蛋糕、牛奶",
    "永遠記住我吃素",
)


@pytest.mark.parametrize("text", WHOLE_WISHES)
def test_a_wish_that_tells_what_to_remember_is_kept_whole(text: str) -> None:
    assert [(each.category, each.text) for each in captures_in(text, RULES)] == [("remember", text)]


@pytest.mark.parametrize(
    "text",
    [
        "Remember what I said earlier.", "Remember everything I told you.", "Remember it all.", "Remember everything.",
        "Remember this list.", "Запомни то, что я говорил раньше.", "Запомни всё, что я сказал.",
        "Запомни этот список.",
        "Oldin aytganlarimni eslab qol.", "Aytganlarimning hammasini eslab qol.", "Ushbu ro'yxatni eslab qol.",
        "Олдин айтганларимни эслаб қол.", "Ушбу рўйхатни эслаб қол.", "记住我之前说的话。", "记住我告诉你的一切。",
        "全部记住。", "把这些全部记住。", "记住这个清单。", "記住我之前說的話。", "全部記住。",
    ],
)  # fmt: skip
def test_a_wish_for_what_was_said_is_told_where_nothing_stands_before_it(text: str) -> None:
    (found,) = scan(text, RULES)
    assert isinstance(found, Refusal)
    assert (found.category, found.reason) == ("remember", NOTHING_BEFORE)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My cat is Tom. My dog is Rex. My bird is Al. Remember it all.", 3),
        ("My cat is Tom. My dog is Rex. My bird is Al. My fish is Bo. Remember everything I told you.", 4),
        ("Кота зовут Том. Пса зовут Рекс. Птицу зовут Ал. Запомни всё это.", 3),
        ("Mushugim ismi Tom. Itim ismi Reks. Hammasini eslab qol.", 2),
        ("Мушугим исми Том. Итим исми Рекс. Ҳаммасини эслаб қол.", 2),
        ("我的猫叫汤姆。我的狗叫雷克斯。全部记住。", 2),
        ("我的貓叫湯姆。我的狗叫雷克斯。全部記住。", 2),
        ("我的猫叫汤姆。我的狗叫雷克斯。记住这两点。", 2),
        ("我的猫叫汤姆。我的狗叫雷克斯。记住这一点。", 1),
    ],
)
def test_a_wish_for_everything_keeps_all_that_stands_before_it(text: str, kept: int) -> None:
    assert sum(each.category == "remember" for each in captures_in(text, RULES)) == kept


@pytest.mark.parametrize(
    "wish",
    [
        "Remember this:", "Remember:", "Remember this list:", "Remember these facts:", "Remember the following:",
        "Note this down:", "Запомни это:", "Запомни:", "Запомни этот список:", "Запомни эти факты:",
        "Запомни следующее:", "Buni eslab qol:", "Bularni eslab qol:", "Ushbu ro'yxatni eslab qol:",
        "Quyidagilarni eslab qol:", "Буни эслаб қол:", "Ушбу рўйхатни эслаб қол:", "Қуйидагиларни эслаб қол:",
        "记住这些：", "记住这个：", "记住这个清单：", "记住以下内容：", "記住這些：", "記住這個清單：",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "lines",
    [
        "- boiler 2011\n- roof 2015",
        "1. boiler 2011\n2. roof 2015\n3. doors 2016\n4. tea\n5. floor 2018",
        "\n* boiler 2011\n\n* roof 2015",
        "boiler 2011\nroof 2015\ndoors 2016\nfloor 2018",
    ],
)
def test_of_a_list_below_a_wish_every_line_is_kept(wish: str, lines: str) -> None:
    wanted = [line.lstrip("-*12345. ") for line in lines.split("\n") if line]
    found = captures_in(f"{wish}\n{lines}\n\nWhat is the weather?", RULES)
    assert [(each.category, each.text) for each in found] == [("remember", each) for each in wanted]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My cat is Tom. Remember this.\n\nThen please:\n- write a poem\n- read it", ["My cat is Tom"]),
        ("- My cat is Tom\n- remember this\n- write a poem", ["My cat is Tom"]),
        ("Remember this:\nMy cat is Tom.\nWrite a poem on cats.", ["My cat is Tom"]),
        ("Remember this:\nmy cat is Tom\n\nWrite a poem on cats", ["my cat is Tom"]),
        ("Remember this: my cat is Tom\n- write a poem", ["Remember this: my cat is Tom"]),
        ("Remember this list\n- tea\n- cake", ["tea", "cake"]),
        ("Remember this:\n- tea\nwrite a poem", ["tea"]),
    ],
)
def test_what_is_no_list_below_a_wish_is_left(text: str, kept: list[str]) -> None:
    assert [each.text for each in captures_in(text, RULES)] == kept


@pytest.mark.parametrize(
    "text",
    [
        "I remember everything.", "Do you remember what I said?", "Remember what I told you?",
        "Remember when he said: run!", "Remember how we said: never again", "I remember it all.", "Remember 1999?",
        "He remembers `port 8080`", "Я запомнил всё.", "Hammasini esladim.", "我全部记住了。", "你记住我说的话了吗？",
    ],
)  # fmt: skip
def test_talk_about_remembering_is_no_wish(text: str) -> None:
    record = [each for each in scan(text, RULES) if isinstance(each, Capture) or each.reason != THIRD_PERSON]
    assert not record


@pytest.mark.parametrize(
    "text",
    [
        "Let's use tabs, not spaces", "Let's use PostgreSQL, not MySQL", "Tab ishlatamiz, probel emas",
        "用tab，不用空格", "我们用PostgreSQL，不用MySQL", "我們用PostgreSQL，不用MySQL",
    ],
)  # fmt: skip
def test_a_decision_is_kept_with_what_it_rules_out(text: str) -> None:
    assert [(each.category, each.text) for each in captures_in(f"{text}.", RULES)] == [("decision", text)]


def test_marks_of_emphasis_are_read_in_time_that_grows_with_the_text() -> None:
    for text in ("*a " * 40_000, "**" * 40_000, "_a _" * 30_000, "==a" * 30_000, "<b>" * 40_000, "```x\n" * 20_000):
        before = process_time()
        captures_in(text, RULES)
        assert process_time() - before < 20


def test_two_wishes_for_one_sentence_keep_it_once() -> None:
    found = captures_in("I park on level 3. Remember this. Don't forget it!", RULES)
    assert [each.text for each in found] == ["I park on level 3"]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Go with PostgreSQL", "decision"),
        ("Use PostgreSQL for the database.", "decision"),
        ("let's do it the simple way", "decision"),
        ("Actually, the server is on port 8080", "correction"),
        ("Actually, my email is a@b.uz", "correction"),
        ("Вообще-то моя почта a@b.uz", "correction"),
        ("其实我的邮箱是a@b.uz", "correction"),
        ("Aslida pochtam a@b.uz", "correction"),
        ("I want short answers", "preference"),
        ("Берём PostgreSQL.", "decision"),
        ("PostgreSQL olamiz, bo'ldi.", "decision"),
        ("数据库用PostgreSQL，定了。", "decision"),
    ],
)
def test_short_ways_to_say_it_are_captured(text: str, category: str) -> None:
    assert [each.category for each in captures_in(text, RULES)] == [category]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My doctor is Dr Kim. My lawyer is Ms Lee. Remember both.", ["My doctor is Dr Kim", "My lawyer is Ms Lee"]),
        ("Remember both: my doctor is Dr Kim. My lawyer is Ms Lee.", ["my doctor is Dr Kim", "My lawyer is Ms Lee"]),
        ("Remember both.\nMy doctor is Dr Kim. My lawyer is Ms Lee.", ["My doctor is Dr Kim", "My lawyer is Ms Lee"]),
        ("Remember both:\n- my doctor is Kim\n- my lawyer is Lee", ["my doctor is Kim", "my lawyer is Lee"]),
        ("Thanks a lot. Remember this:\nmy doctor is Dr Kim", ["my doctor is Dr Kim"]),
        ("Remember both: my doctor is Kim, my lawyer is Lee. What now?", ["doctor is Kim, my lawyer is Lee"]),
        ("Save this: my locker is 12", ["my locker is 12"]),
        ("https://a.b Remember this.", ["https://a.b"]),
        ("Врача зовут Ким. Юриста зовут Орлова. Запомни оба.", ["Врача зовут Ким", "Юриста зовут Орлова"]),
        ("Сохрани это: шкафчик номер 12", ["шкафчик номер 12"]),
        ("Shifokorim Karimov. Advokatim Usmonova. Ikkalasini eslab qol.", ["Shifokorim Karimov", "Advokatim Usmonova"]),
        ("Буни сақла: шкафим рақами 12", ["шкафим рақами 12"]),
        ("医生姓金。律师姓欧阳。两个都记住。", ["医生姓金", "律师姓欧阳"]),
        ("请记住这个：我的柜子是 12 号", ["我的柜子是 12 号"]),
        ("记住: 车库门牌是 4412", ["车库门牌是 4412"]),
        ("請記住：我的櫃子是 12 號", ["我的櫃子是 12 號"]),
        ("我妹妹住在臺中。別忘了。", ["我妹妹住在臺中"]),
    ],
)  # fmt: skip
def test_a_wish_may_mean_two_sentences_or_what_follows_it(text: str, kept: list[str]) -> None:
    found = [each.fact for each in captures_in(text, RULES) if each.category == "remember"]
    assert len(found) == len(kept)
    assert all(words in fact for words, fact in zip(kept, found, strict=True))


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Aslida, server 8080 portda", "correction"),
        ("Аслида, сервер 8080 портда", "correction"),
        ("其实端口是 8080", "correction"),
        ("更正：預算是 12 萬元", "correction"),
        ("Correction: the budget is 12,000 euros", "correction"),
        ("PostgreSQL ishlat", "decision"),
        ("PostgreSQL ишлат", "decision"),
        ("Давай PostgreSQL", "decision"),
        ("Возьмём PostgreSQL", "decision"),
        ("选 PostgreSQL", "decision"),
        ("选PostgreSQL", "decision"),
        ("用 PostgreSQL", "decision"),
        ("就用 PostgreSQL", "decision"),
        ("使用 PostgreSQL", "decision"),
        ("选用 PostgreSQL", "decision"),
        ("選用 PostgreSQL", "decision"),
        ("就按简单的方式来", "decision"),
        ("就按簡單的方式來", "decision"),
        ("Let's take Valkey7", "decision"),
        ("PostgreSQL it is", "decision"),
    ],
)
def test_short_ways_to_name_what_was_chosen_are_captured(text: str, category: str) -> None:
    assert [each.category for each in captures_in(text, RULES)] == [category]


@pytest.mark.parametrize(
    "text",
    [
        "Go with God.",
        "Go with your gut",
        "Go with the flow",
        "Let's use our imagination",
        "Use case for the database",
        "Use Python 3 to run this",
        "Take Bob for the team",
        "Let's take Anna to the zoo",
        "Let's stick to the plan.",
        "I want to visit the settings page",
        "Берём и едем, чего думать!",
        "Пусть будет так.",
        "Aqlingni ishlat!",
        "Bozordan Cola ol",
        "我要一杯咖啡",
        "我要一杯珍珠奶茶",
        "用 Excel 打开",
        "用WeChat联系我",
        "我想学猫叫",
    ],
)
def test_what_only_sounds_like_a_choice_or_is_of_the_moment_is_quiet(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize(
    "text",
    [
        "Use PostgreSQL for the database",
        "Используй PostgreSQL для базы данных",
        "Для базы данных используйте PostgreSQL",
        "用PostgreSQL做数据库",
        "数据库就用PostgreSQL吧",
        "Ma'lumotlar bazasi uchun PostgreSQL ishlating",
        "Маълумотлар базаси учун PostgreSQL ишлатинг",
        "Serverga Ubuntu o'rnating",
        "Let's do it the simple way",
        "Делаем по-простому",
        "Давайте попроще",
        "我们用简单的方法吧",
        "咱们简单点做吧",
        "oddiy usulda qilamiz",
        "Оддий йўл билан қиламиз",
    ],
)
def test_decisions_are_captured_in_every_language(text: str) -> None:
    assert [(each.category, each.fact) for each in captures_in(text, RULES)] == [("decision", text)]


@pytest.mark.parametrize(
    "text",
    [
        "I want to use dark mode in everything",
        "I'd like to use dark mode everywhere",
        "Хочу использовать тёмную тему во всём",
        "Я хочу, чтобы везде была тёмная тема",
        "Хочу тёмную тему везде",
        "我想所有软件都用深色模式",
        "我想在所有地方使用深色模式",
        "Hamma joyda qorong'i rejimdan foydalanishni xohlayman",
        "Men hamma joyda qorong'i rejim xohlayman",
        "Ҳамма дастурда қоронғи режимдан фойдаланишни хоҳлайман",
    ],
)
def test_what_is_wanted_everywhere_is_captured_in_every_language(text: str) -> None:
    assert [(each.category, each.fact) for each in captures_in(text, RULES)] == [("preference", text)]


@pytest.mark.parametrize(
    "text",
    [
        "I'm going with the flow this weekend",
        "use the force everywhere you go",
        "No more wine for me tonight!",
        "I want to use this function in every test of this file",
        "Используй силу, Люк!",
        "Делаем вид, что работаем",
        "Возьми зонт вместо шапки",
        "Больше не можем ждать",
        "Хочу, чтобы дети наконец замолчали",
        "хочу получать зарплату каждый день, хаха",
        "用Python写一个爬虫",
        "直接用脚投票",
        "以后每天都要开心",
        "我想所有人都用脚投票，哈哈",
        "Miyangni ishlat!",
        "Buning uchun bosh ishlating",
        "Faqat uxlashni xohlayman",
        "Энди ёш бола эмасмиз",
        "Билиб қўй, ҳазил бу",
        "I'm Gandalf, you shall not pass",
        "Я Шерлок!",
        "我是孙悟空！",
        "Men Terminatorman",
    ],
)
def test_idioms_jokes_and_requests_of_the_moment_are_neither(text: str) -> None:
    assert captures_in(text, RULES) == []


@pytest.mark.parametrize("name", [OPEN, SPEECH_OPEN])
def test_of_fresh_talk_nothing_is_kept_that_is_none_and_the_rest_mostly_is(name: str) -> None:
    false = [each["text"] for each in messages(name) if each["quiet"] and captures_in(each["text"], RULES)]
    assert not false
    said = {each["text"]: "\n".join(one.fact for one in captures_in(each["text"], RULES)) for each in messages(name)}
    wanted = [(each["text"], label["text"]) for each in messages(name) for label in each["expect"]]
    missed = [text for text, words in wanted if words.casefold() not in said[text].casefold()]
    assert len(missed) <= 0.05 * len(wanted), missed


def test_of_the_sealed_half_of_what_people_say_most_is_kept_too() -> None:
    wanted, kept = Counter[str](), Counter[str]()
    for message in messages(SPEECH_SEALED):
        said = "\n".join(f"{each.fact}\n{each.text}" for each in captures_in(message["text"], RULES)).casefold()
        for label in message["expect"]:
            wanted[label["kind"]] += 1
            kept[label["kind"]] += label["text"].casefold() in said
    assert min(kept[kind] / count for kind, count in wanted.items()) >= 0.8
    quiet = [each["text"] for each in messages(SPEECH_SEALED) if each["quiet"]]
    assert sum(bool(captures_in(text, RULES)) for text in quiet) <= 0.05 * len(quiet)


def test_what_is_to_be_kept_is_kept_in_every_language() -> None:
    wanted, kept = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for message in messages():
        said = "\n".join(f"{each.fact}\n{each.text}" for each in captures_in(message["text"], RULES)).casefold()
        for label in message["expect"]:
            key = message["language"], label["kind"]
            wanted[key] += 1
            kept[key] += label["text"].casefold() in said
    low = {
        key: f"{kept[key]} of {count}"
        for key, count in wanted.items()
        if key[1] in ("wish", "decision", "correction", "want") and kept[key] < 0.7 * count
    }
    assert not low
    for kind in ("wish", "decision", "correction", "want"):
        assert sum(kept[key] for key in kept if key[1] == kind) >= 0.85 * sum(
            count for key, count in wanted.items() if key[1] == kind
        )


def test_ordinary_talk_is_quiet() -> None:
    quiet = [each["text"] for each in messages() if each["quiet"]]
    false = [text for text in quiet if captures_in(text, RULES)]
    assert len(quiet) >= 300
    assert len(false) <= 0.01 * len(quiet), false


def test_a_wish_with_nothing_to_keep_is_always_answered() -> None:
    silent = [
        each["text"]
        for each in (*messages(), *messages(OPEN), *messages(SEALED))
        if not each["quiet"]
        and not each["expect"]
        and not any(isinstance(one, Refusal) and one.category == "remember" for one in scan(each["text"], RULES))
    ]
    assert not silent
