"""What is captured of a message, with its exact place, and why the rest is not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.capture.folded_message import fold_message
from mnemoscope.domain.capture.scan import MOST, Capture, Refusal, captures_in, fact_keys, scan
from mnemoscope.domain.conversation.origin import parts_of_message
from mnemoscope.store.capture.rule_files import default_rules

RULES = default_rules()


def captured(text: str) -> list[tuple[str, str]]:
    return [(each.category, each.value) for each in captures_in(text, RULES)]


def durable(text: str) -> list[str]:
    return [each.text for each in captures_in(text, RULES) if each.durable]


def reasons(text: str, quotes: Sequence[Sequence[object]] = ()) -> set[str]:
    return {each.reason for each in scan(text, RULES, quotes=quotes) if isinstance(each, Refusal)}


@pytest.mark.parametrize(
    ("text", "category", "value"),
    [
        ("I’m Sardor", "proper_noun", "Sardor"),
        ("Please remember to call Mum", "remember", "to call Mum"),
        ("I really prefer tea", "preference", "tea"),
        ("No, the server is in Berlin, not Paris", "correction", "Berlin"),
        ("We decided on Postgres", "decision", "Postgres"),
        ("My favourite colour is green", "preference", "green"),
        ("Actually, my name is Sardor, not Sarvar", "correction", "Sardor"),
        ("My name is Bobur", "proper_noun", "Bobur"),
        ("I prefer dark mode", "preference", "dark mode"),
        ("Let's go with PostgreSQL", "decision", "PostgreSQL"),
        ("The deadline is 2025-06-15", "specific_value", "2025-06-15"),
        ("Remember that the API key rotates monthly", "remember", "the API key rotates monthly"),
        ("I prefer Python over JavaScript", "preference", "Python over JavaScript"),
        ("Remember my dentist is on Tuesday", "remember", "my dentist is on Tuesday"),
        ("I would like a coffee", "preference", "a coffee"),
        ("I don't want meetings before 10", "preference", "meetings before 10"),
        ("I have a peanut allergy", "preference", "peanut"),
    ],
)
def test_what_the_seed_and_the_issue_name_is_captured(text: str, category: str, value: str) -> None:
    assert captured(text) == [(category, value)]


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired",
        "I'm tired today",
        "I want to know what time it is",
        "I want to know what time it is in Tokyo",
        "Translate: 'I love you, my name is Juliet'",
        "its",
        "It's raining",
        "Most women are paid less",
        "Most women are",
        "This is great, thanks!",
        "Tell him about the meeting",
        "Does the API like JSON?",
        "Write a poem where the hero says call me Ishmael",
        "because the house collapsed",
        "How do I use grep?",
        "He visits his units daily",
    ],
)
def test_what_says_nothing_of_the_person_is_not(text: str) -> None:
    assert captured(text) == []


def test_one_message_may_hold_several_facts() -> None:
    assert captured("I’m Sardor, don’t forget my flight") == [("proper_noun", "Sardor"), ("remember", "my flight")]
    assert captured("$4,500 by 15 June 2025, call +998 90 123 45 67") == [
        ("specific_value", "$4,500"),
        ("specific_value", "15 June 2025"),
        ("specific_value", "+998 90 123 45 67"),
    ]


def test_a_wish_of_the_moment_is_not_durable() -> None:
    assert durable("I would like a coffee") == []
    assert durable("I prefer coffee") == ["I prefer coffee"]


@pytest.mark.parametrize("mark", ["'", "’", "‘", "ʻ", "ʼ", "`", "´", "＇"])
def test_every_apostrophe_is_one(mark: str) -> None:
    assert captured(f"I{mark}m Sardor") == [("proper_noun", "Sardor")]
    assert captured(f"Men baliqni yomon ko{mark}raman.") == [("preference", "baliq")]
    assert captured(f"Yo{mark}q, server Berlinda, Parijda emas.")[0][0] == "correction"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Mening ismim Bobur", "Bobur"),
        ("Менинг исмим Бобур", "Бобур"),
        ("Мен Бухорода яшайман", "Бухоро"),
        ("Меня зовут Анна", "Анна"),
        ("Мени Азиз деб чақиринг", "Азиз"),
        ("我叫李明。", "李明"),
        ("我叫刘䶮。", "刘䶮"),
        ("我叫陈𠮷。", "陈𠮷"),
        ("我的名字是王芳", "王芳"),
        ("MY NAME IS SARDOR", "SARDOR"),
        ("my name is priya", "priya"),
    ],
)
def test_names_in_every_script(text: str, value: str) -> None:
    assert captured(text) == [("proper_noun", value)]


def test_the_span_is_the_phrase_and_the_sentence_is_the_one_it_stands_in() -> None:
    text = "Hi all! By the way, my name is Sardor Aliev, nice to meet you. Bye."
    (found,) = captures_in(text, RULES)
    assert text[slice(*found.span)] == found.text == "my name is Sardor Aliev"
    assert text[slice(*found.sentence_span)] == found.sentence
    assert found.sentence == "By the way, my name is Sardor Aliev, nice to meet you."
    assert (found.rule, found.language) == ("en.name", "en")
    assert 0 < found.confidence <= 1


def test_places_hold_where_invisible_characters_and_split_letters_stand() -> None:
    text = "x\u200b. My na\u200bme is Zoe\u0308 Smith, ok"
    (found,) = captures_in(text, RULES)
    assert text[slice(*found.span)] == "My na\u200bme is Zoe\u0308 Smith"
    assert found.text == "My na\u200bme is Zoe\u0308 Smith"


def test_full_width_letters_are_read() -> None:
    assert captured("Ｍｙ name is Sardor")[0][0] == "proper_noun"


def test_a_text_is_folded_alike_with_few_rare_characters_and_with_many() -> None:
    few = "Ｉ’m Sardor\u2028我叫李明。 ёлка\rСалом"
    many = few + "".join(map(chr, range(0x100, 0x180)))
    assert fold_message(many).low.startswith(fold_message(few).low)
    assert fold_message(few).text == "I'm Sardor\n我叫李明. ёлка\nСалом"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Is it true that I like tea?", "question"),
        ("Мы решили взять Postgres?", "question"),
        ("我喜欢绿茶吗", "question"),
        ('The song goes "I love rock and roll" again', "quoted"),
        ("> My name is Anna\nWho wrote this?", "quoted"),
        ("Anna: I hate mornings\nTom: my name is Tom", "pasted"),
        ("```\nmy name is Bob\n```", "code"),
        ("`let's use strict` is not valid", "code"),
        ("Proofread this: I like apples", "template"),
        ("- [2026-11-21T09:00:14+00:00] **preference**: I prefer tea", "pasted"),
        ("- **preference**: [user:7] I prefer tea", "pasted"),
        ("[COMPACTION RECOVERY: notes]\n\n## Today's Notes\n\nI prefer tea", "pasted"),
        ("[CONVERSATION SUMMARY — 3 messages compacted]\n\nI love tea\n\n[End of summary.]", "pasted"),
        ("Imagine my name is Bond", "hypothetical"),
        ("If I lived there, or if my name is Bond", "hypothetical"),
        ("She said I like cats", "reported speech"),
        ("I never said I prefer tea", "negated"),
        ("The girl I like is here", "third person"),
        ("He prefers tea", "third person"),
        ("U choyni yoqtiradi.", "third person"),
        ("I like it", "too vague"),
        ("Remember that the password is hunter2!x", "secret"),
        ("Remember my password is correcthorsebattery", "secret"),
        ("Remember my password is “letmein!”", "secret"),
        ("Remember my passphrase: correct horse battery staple", "secret"),
        ("Let's use password Tr0ub4dor&3", "secret"),
        ("Remember the PIN is 4821", "secret"),
        ("Remember my PIN 4821", "secret"),
        ("记住我的密码4821", "secret"),
        ("Эслаб қол: парол: Qwerty123!", "secret"),
        ("Запомни: пароль от вайфая — солнышко", "secret"),
        ("Запомни, мой пароль qwerty123", "secret"),
        ("Eslab qol: parolim qwerty123", "secret"),
        ("Parolim: salom123, unutma", "secret"),
        ("记住我的密码是abc12345", "secret"),
        ("Remember that my card is 4111 1111 1111 1111", "secret"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    assert captured(text) == []
    assert reason in reasons(text)


@pytest.mark.parametrize(
    ("before", "secret"),
    [
        ("Remember that the password is ", "hunter2!x"),
        ("Remember my password is ", "correcthorsebattery"),
        ("Remember my passphrase: ", "correct horse battery staple"),
        ("Remember that my card is ", "4111 1111 1111 1111"),
        ("Parolim: ", "salom123, unutma"),
    ],
)
def test_a_refusal_does_not_repeat_the_secret(before: str, secret: str) -> None:
    found = scan(before + secret, RULES)
    assert {each.reason for each in found if isinstance(each, Refusal)} == {"secret"}
    assert not any(secret.partition(",")[0] in each.text for each in found)


def test_what_is_said_behind_a_copied_summary_is_the_persons() -> None:
    text = "[CONVERSATION SUMMARY — 3 messages compacted]\n\nI love tea\n\n[End of summary.]\n\nI prefer coffee"
    assert durable(text) == ["I prefer coffee"]


@pytest.mark.parametrize(
    "text",
    [
        "Remember that the API key rotates monthly",
        "Remember to change my password",
        "Remember that my password is too old",
        "Remember that the password is in the safe",
        "I prefer password managers",
        "Remember that the order is 4111 1111 1111 1112",
        "Запомни: пароль не менять",
    ],
)
def test_what_only_speaks_of_passwords_is_captured(text: str) -> None:
    assert captured(text)


def test_what_the_person_put_in_is_not_theirs() -> None:
    text = "Look at this\nMy name is Anna and I live in Leeds\nI prefer tea"
    pasted = (text.index("My"), text.index("\nI prefer"), "paste")
    assert [each.text for each in scan(text, RULES, quotes=[pasted]) if isinstance(each, Capture)] == ["I prefer tea"]
    message = {"role": "user", "content": text, "quotes": [pasted]}
    assert [part.origin for part in parts_of_message(message)] == ["person", "paste", "person"]


def test_a_question_in_the_next_clause_asks_nothing_of_this_one() -> None:
    assert captured("My name is Anna, what's yours?") == [("proper_noun", "Anna")]
    assert captured("Can you remember that the key is under the pot?")[0][0] == "remember"


@pytest.mark.parametrize("mark", ["- ", "* ", "+ ", "• ", "1. ", "1) ", "(2) ", "1、", "- [ ] ", "* [x] ", "  - "])
def test_a_line_of_a_typed_list_is_a_sentence_like_any_other(mark: str) -> None:
    text = f"About me:\n{mark}I prefer tea\n{mark}my daughter is called Ada\n{mark}do I like mint?\n{mark}я не ем мясо"
    kept = [each for each in captures_in(text, RULES) if each.durable]
    assert [each.sentence for each in kept] == ["I prefer tea", "my daughter is called Ada", "я не ем мясо"]
    assert [text[slice(*each.span)] for each in kept] == [each.text for each in kept]


def test_a_list_of_what_others_say_is_not_the_persons() -> None:
    assert reasons("- Anna: I prefer tea\n- Bob: I hate mint") == {"pasted"}
    assert reasons("- > I prefer tea") == {"quoted"}
    listed = "- I prefer tea\n- my name is Ann"
    assert reasons(listed, [(0, len(listed), "paste")]) == {"pasted"}


@pytest.mark.parametrize("mark", ["", "**"])
def test_what_a_file_said_is_told_from_what_was_pasted(mark: str) -> None:
    file, paste = f"I prefer {mark}tea{mark}.", "My name is Ann."
    quotes = [(0, len(file), "file"), (len(file) + 1, len(file) + 1 + len(paste), "paste")]
    matches = [(each.text, getattr(each, "reason", "")) for each in scan(f"{file}\n{paste}", RULES, quotes=quotes)]
    assert matches == [("I prefer tea", "file"), ("My name is Ann", "pasted")]


def test_a_mark_of_a_list_with_nothing_behind_it_does_no_harm() -> None:
    assert [each.text for each in captures_in("I prefer tea.\n- [x]\n1)\n- \n(2) ", RULES)] == ["I prefer tea"]


@pytest.mark.parametrize(
    "request_for_a_text",
    ["Translate into French please", "Please proofread this.", "Переведи на английский", "把下面的翻译成英文"],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n \n", "\n- "])
def test_the_text_a_request_is_about_may_stand_below_it(request_for_a_text: str, gap: str) -> None:
    text = f"{request_for_a_text}{gap}My name is Ann\nand I love hiking."
    assert (captured(text), reasons(text)) == ([], {"template"})
    assert captured(f"{text}\n\nI prefer tea") == [("preference", "tea")]


def test_what_is_said_below_a_request_to_invent_is_the_persons() -> None:
    assert captured("Write an email to my landlord.\nMy name is Ann.") == [("proper_noun", "Ann")]


def test_a_decision_against_is_one_and_disagrees_with_the_one_for_it() -> None:
    against, decided = (captures_in(f"We decided {word} Mongo", RULES)[0] for word in ("against", "on"))
    assert (against.category, against.value, against.durable) == ("decision", "Mongo", False)
    assert against.key != decided.key
    assert (against.subject, against.opposite) == (decided.opposite, decided.subject)


def test_a_correction_names_subject_new_and_old_value() -> None:
    (found,) = captures_in("No, the server is in Berlin, not Paris", RULES)
    assert found.correction is not None
    assert (found.correction.subject, found.correction.new, found.correction.old) == ("server", "Berlin", "Paris")
    assert not found.durable
    (found,) = captures_in("Actually, my name is Sardor, not Sarvar", RULES)
    assert (found.kept_as, found.subject, found.durable, found.fact) == (
        "proper_noun",
        "name",
        True,
        "my name is Sardor",
    )


def test_facts_are_the_same_by_meaning() -> None:
    def key(text: str) -> object:
        return captures_in(text, RULES)[0].key

    assert key("I prefer tea") == key("I really prefer tea!") == key("Honestly, I always prefer the tea.")
    assert key("My name is Ann") != key("My name is Anna")
    assert key("My name is Ann") == key("my name's Ann")
    assert key("I like tea") != key("I don't like tea")


@given(st.text(max_size=300))
def test_any_text_is_scanned_and_places_are_its_own(text: str) -> None:
    found = scan(text, RULES)
    for each in found:
        assert text[slice(*each.span)] == each.text
    captures = [each for each in found if isinstance(each, Capture)]
    assert all(one.span[1] <= other.span[0] for one, other in pairwise(captures))
    assert found == scan(text, RULES)


@given(st.lists(st.sampled_from(["I like tea, ", "my name is Ann. ", "\u200b", "“", "```\n", "我叫李明。", "е\u0301"])))
def test_places_hold_in_texts_made_of_facts_and_marks(parts: list[str]) -> None:
    text = "".join(parts)
    found = scan(text, RULES)
    assert all(text[slice(*each.span)] == each.text for each in found)
    assert sum(isinstance(each, Capture) for each in found) <= MOST


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ive decided to sell the van", "ive decided to sell the van"),
        ("so i cant stand horror films", "i cant stand horror films"),
        ("dont forget my flight is at six", "dont forget my flight is at six"),
        ("cafe\u0301! im allergic to nuts", "im allergic to nuts"),
    ],
)
def test_contractions_without_their_apostrophe_are_read_and_keep_their_place(text: str, kept: str) -> None:
    (capture,) = captures_in(text, RULES)
    assert capture.text == kept
    assert text[slice(*capture.span)] == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ok after way too much talk we're going with vue", "we're going with vue"),
        ("короче после долгих споров берём вью", "берём вью"),
        ("想了半天 还是用Vue", "还是用Vue"),
    ],
)
def test_a_phrase_or_a_pause_may_lead_to_what_is_said(text: str, kept: str) -> None:
    assert [each.text for each in captures_in(text, RULES)] == [kept]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Remember that I park on level 3, please", "Remember that I park on level 3"),
        ("Remember I'm allergic to nuts, thanks!", "Remember I'm allergic to nuts"),
        ("Запомни, что я вегетарианец, пожалуйста.", "Запомни, что я вегетарианец"),
        ("Remember that I water them now", "Remember that I water them now"),
    ],
)
def test_a_please_behind_what_is_to_be_remembered_is_not_kept(text: str, kept: str) -> None:
    assert [each.text for each in captures_in(text, RULES)] == [kept]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我叫小明，住在上海", {"name": "小明", "home": "上海"}),
        ("我叫小明，住在上海，在华为工作。", {"name": "小明", "home": "上海", "work": "华为"}),
        ("Меня зовут Аня, живу в Казани", {"name": "Аня", "home": "Казани"}),
        ("Меня зовут Аня, живу в Казани, работаю в Яндексе.", {"name": "Аня", "home": "Казани", "work": "Яндексе"}),
        ("My name is Anna, living in Leeds", {"name": "Anna", "home": "Leeds"}),
        ("Ismim Bobur, Toshkentda yashayman", {"name": "Bobur", "home": "Toshkent"}),
        ("Исмим Бобур, Тошкентда яшайман", {"name": "Бобур", "home": "Тошкент"}),
    ],
)
def test_what_follows_a_comma_is_said_of_the_person_named_before(text: str, facts: dict[str, str]) -> None:
    assert {each.subject: each.value for each in captures_in(text, RULES)} == facts


@pytest.mark.parametrize(
    "text",
    [
        "住在上海。",
        "她叫李娜，住在上海。",
        "我叫李明，我妹妹很好，住在上海。",
        "小说里我叫李明，住在上海。",
        "我叫小明，住在上海吗？",
        "Живу в Казани.",
        "Её зовут Аня, живу в Казани.",
        "Меня зовут Аня, мой брат женат, живёт в Казани.",
        "«Меня зовут Аня, живу в Казани», сказала она.",
        "Living in Leeds is fun.",
        "Her name is Ann, living in Leeds.",
        "My name is Anna. Living in Leeds must be nice.",
        "Translate: My name is Anna, living in Leeds.",
        "I work for Acme, based in London.",
        "I work for Shell; based in London, it sells oil.",
        "I work for Shell； based in London, it sells oil.",
        "我叫小明，搬到新家了",
        "我在华为工作，搬到东莞了。",
    ],
)
def test_of_nobody_or_of_another_one_no_home_is_kept(text: str) -> None:
    assert "home" not in {each.subject for each in captures_in(text, RULES)}


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leeds, working at Christmas.",
        "I live in Leeds, working for Siemens is fun.",
        "My name is Anna, studying for Cambridge exams.",
        "Я живу в Казани, работаю на Рождество.",
        "Я живу в Химках, работаю в Москве.",
        "Меня зовут Аня, учусь у Марины.",
        "我住在苏州，在上海工作。",
    ],
)
def test_a_feast_a_town_or_a_teacher_is_no_place_of_work(text: str) -> None:
    assert "work" not in {each.subject for each in captures_in(text, RULES)}


@pytest.mark.parametrize(
    ("carried", "whole"),
    [("住在上海", "我住在上海"), ("живу в Казани", "Я живу в Казани"), ("living in Leeds", "I live in Leeds")],
)
def test_a_kept_line_says_the_same_with_and_without_the_person(carried: str, whole: str) -> None:
    assert [key for key, _ in fact_keys(carried, RULES)] == [key for key, _ in fact_keys(whole, RULES)] != []
