"""What people say of themselves: name, age, home, origin and work, and what only looks like it.

Each line of `person.jsonl` in tests/corpus/capture has `language`, `kind`, `half`, `text` and `facts`, which are what
is to be kept of these five subjects. The lines were written before a rule was changed for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from mnemoscope.domain.capture.file_changes import with_captures
from mnemoscope.domain.capture.rules import rule_set
from mnemoscope.domain.capture.scan import captures_in, fact_keys
from mnemoscope.store.capture.rule_files import default_rules

RULES: Final = default_rules()
SUBJECTS: Final = ("name", "age", "home", "origin", "work")
KNOWN: Final = {"work": "I work at Nokia", "home": "I live in Quito", "name": "My name is Zed"}
MEMORY: Final = "# M\n\n" + "".join(f"- **proper_noun**: {line}\n" for line in KNOWN.values())
WHEN: Final = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)


@cache
def messages(half: str) -> tuple[dict[str, Any], ...]:
    path = Path(__file__).parents[2] / "corpus" / "capture" / "person.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(row for row in rows if row["half"] == half)


def facts_of(text: str) -> dict[str, str]:
    return {each.subject: each.value for each in captures_in(text, RULES) if each.subject in SUBJECTS}


def memory_after(text: str, memory: str = MEMORY) -> str:
    return with_captures(captures_in(text, RULES), "", memory, WHEN, RULES).memory


@pytest.mark.parametrize(("half", "stated", "missed"), [("open", 97, 1), ("sealed", 76, 0)])
def test_facts_that_a_message_states_are_found(half: str, stated: int, missed: int) -> None:
    wanted = [(row["text"], fact) for row in messages(half) for fact in row["facts"].items()]
    found = [fact for text, fact in wanted if fact in facts_of(text).items()]
    assert len(wanted) == stated
    assert len(found) >= stated - missed


@pytest.mark.parametrize("half", ["open", "sealed"])
def test_what_nobody_stated_is_no_fact(half: str) -> None:
    false = [(row["text"], facts_of(row["text"])) for row in messages(half)]
    rows = {row["text"]: row["facts"] for row in messages(half)}
    assert [each for each in false if not each[1].items() <= rows[each[0]].items()] == []


@pytest.mark.parametrize("half", ["open", "sealed"])
def test_a_message_strikes_nothing_that_it_does_not_speak_of(half: str) -> None:
    for row in messages(half):
        after = memory_after(row["text"])
        struck = {subject for subject, line in KNOWN.items() if f"~~**proper_noun**: {line}~~" in after}
        assert struck <= set(row["facts"]), row["text"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I'm Anna, 30, live in Kazan", "- **proper_noun**: I'm 30"),
        ("Меня зовут Пётр, 52, живу в Омске", "- **proper_noun**: мне 52"),
        ("我叫小明，30岁，住在上海", "- **proper_noun**: 30岁"),
        ("Исмим Бобур, 30 ёшдаман", "- **proper_noun**: 30 ёшдаман"),
    ],
)
def test_an_age_is_kept_in_words_that_say_what_it_is(text: str, line: str) -> None:
    rows = memory_after(text, "").split("\n")
    assert line in rows
    assert [(key[1], captured is not None) for key, captured in fact_keys(line[2:].partition(": ")[2], RULES)] == [
        ("age", True)
    ]


def test_a_new_age_replaces_the_one_behind_a_name() -> None:
    after = memory_after("I'm 31 years old.", memory_after("I'm Anna, 30, live in Kazan", ""))
    assert "- ~~**proper_noun**: I'm 30~~ (until 2025-01-15)" in after
    assert "- **proper_noun**: I'm Anna\n" in after


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I live in Leeds and work at Siemens.", {"home": "Leeds", "work": "Siemens"}),
        ("I live in Leeds and working at Siemens is fun.", {"home": "Leeds"}),
        ("I live in Leeds and my sister works at Siemens.", {"home": "Leeds"}),
        ("I'm Anna, 25, Baker Street.", {"name": "Anna"}),
        ("I moved to Leeds and am happy here.", {"home": "Leeds"}),
        ("I moved to Leeds but came back.", {}),
        ("Я переехал в Сочи, но вернулся в Казань", {}),
        ("Я работаю в Московском районе.", {}),
        ("I live in Leeds, 30.", {"home": "Leeds"}),
        ("I'm Anna, a designer, 30, live in Kazan", {"name": "Anna", "age": "30", "home": "Kazan"}),
        ("My name is Anna, my sister is a doctor, living in Leeds", {"name": "Anna"}),
        ("Меня зовут Аня, я врач, живу в Казани", {"name": "Аня", "home": "Казани"}),
        ("Меня зовут Аня, мой брат врач, живу в Казани", {"name": "Аня"}),
        ("Исмим Анвар, дастурчиман, Узумда ишлайман", {"name": "Анвар", "work": "Узум"}),
        ("我叫小明，是设计师，30岁，住在上海", {"name": "小明", "age": "30", "home": "上海"}),
        ("我叫李明，他是医生，住在上海", {"name": "李明"}),
        ("I used to live in Berlin but now I live in Leeds", {"home": "Leeds"}),
        ("I worked at Siemens, now I work at Bosch.", {"work": "Bosch"}),
        ("Раньше я работал в Яндексе, а сейчас я работаю в Сбере", {"work": "Сбере"}),
        ("My name is Ann, no longer living in Leeds.", {"name": "Ann"}),
        ("Меня зовут Аня, раньше жила в Казани", {"name": "Аня"}),
        ("我叫李明，以前住在上海", {"name": "李明"}),
        ("我在超市工作。", {"work": "超市"}),
        ("我在沈阳市工作。", {}),
        ("我住在北京城里", {"home": "北京城里"}),
        ("儿子十一岁，不是十岁。", {}),
        ("Стоп, я перепутал: поезд в 6:40, а не в 7:40.", {}),
        ("We don't live in Bath any more, we moved to Bristol.", {"home": "Bristol"}),
    ],
)
def test_what_stands_around_a_fact_says_whose_it_is(text: str, facts: Mapping[str, str]) -> None:
    assert facts_of(text) == facts


def test_a_rule_of_the_person_may_name_the_same_lists_and_no_others() -> None:
    row = {"id": "my.site", "category": "proper_noun", "cues": ["site"], "patterns": ["my site is {name}"]}
    shipped = [("names.toml", {"language": "any", "guards": {"places": ["leeds"]}})]
    good = rule_set([("my.toml", {"language": "en", "rule": [{**row, "unless": ["places"]}]})], shipped=shipped)
    assert [each.value for each in captures_in("My site is Acme. My site is Leeds.", good)] == ["Acme"]
    bad = rule_set([("my.toml", {"language": "en", "rule": [{**row, "unless": ["towns"]}]})])
    assert [problem for problem in bad.problems if "no list called towns" in problem]
