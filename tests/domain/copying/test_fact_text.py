"""A fact stands in a text as the agent keeps facts, and the rest of the text stays letter by letter."""

import json
from datetime import datetime

import pytest

from mnemoscope.domain.copying.fact_target import FactForm
from mnemoscope.domain.copying.fact_text import codex_note_name, facts_in, plain_fact, states, with_fact

BULLET, SECTION, OBSERVATION, ENTITY = FactForm.BULLET, FactForm.SECTION, FactForm.OBSERVATION, FactForm.ENTITY


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("- Lives in Graz.", "Lives in Graz."),
        ("  * [x] Likes  tea ", "Likes tea"),
        ("3. Plays the cello", "Plays the cello"),
        ("- [style] Prefers tabs", "Prefers tabs"),
        ("Plain words", "Plain words"),
        ("- a\u202eb\u200bc\r", "abc"),
        ("- ", "-"),
        ('{"type":"entity","observations":["Lives in Graz","Likes tea"]}', "Lives in Graz; Likes tea"),
        ("{x}", "{x}"),
    ],
)
def test_a_line_becomes_a_fact_by_itself(line: str, fact: str) -> None:
    assert plain_fact(line) == fact


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "- Likes tea\n"),
        ("\n\n", "- Likes tea\n"),
        ("# Ada\n\n* Lives in Graz\n", "# Ada\n\n* Lives in Graz\n* Likes tea\n"),
        ("# Ada\n- Lives in Graz", "# Ada\n- Lives in Graz\n- Likes tea\n"),
        ("# Ada\n\nWords.\n\n\n", "# Ada\n\nWords.\n\n- Likes tea\n"),
        ("- a\n```\n+ code\n```\n", "- a\n```\n+ code\n```\n\n- Likes tea\n"),
        ("- a\n```\ncode\n", "- a\n```\ncode\n```\n\n- Likes tea\n"),
        ("- a\n````\n```\n", "- a\n````\n```\n````\n\n- Likes tea\n"),
        ("- a\n~~~\n```\n", "- a\n~~~\n```\n~~~\n\n- Likes tea\n"),
        ("- a\n~~~\ncode\n", "- a\n~~~\ncode\n~~~\n\n- Likes tea\n"),
        ("- a\r\nb\n- c\r\n", "- a\r\nb\n- c\r\n- Likes tea\n"),
    ],
)
def test_a_bullet_goes_to_the_end_with_the_mark_of_the_list(before: str, after: str) -> None:
    assert with_fact(before, "Likes tea", BULLET) == after


def test_an_entry_of_hermes_is_divided_from_the_one_before_it() -> None:
    assert with_fact("", "Likes tea", SECTION) == "Likes tea"
    assert with_fact("Lives in Graz", "Likes tea", SECTION) == "Lives in Graz\n§\nLikes tea"
    assert with_fact("Two\nlines\n", "Likes tea", SECTION) == "Two\nlines\n§\nLikes tea\n"


def test_an_observation_stands_behind_the_last_one() -> None:
    note = "---\ntitle: Ada\n---\n- [place] Lives in Graz #home\n\n## Relations\n- knows [[Bob]]\n"
    assert with_fact(note, "Likes tea", OBSERVATION).split("\n")[3:5] == [
        "- [place] Lives in Graz #home",
        "- [fact] Likes tea",
    ]
    assert with_fact("# Ada\n", "Likes tea", OBSERVATION) == "# Ada\n\n- [fact] Likes tea\n"
    code = "```\n- [a] b\n```\n"
    assert with_fact(code, "Likes tea", OBSERVATION) == f"{code}\n- [fact] Likes tea\n"


def test_a_note_says_what_is_to_be_done_with_it_and_is_named_by_its_moment() -> None:
    assert with_fact("", "Likes tea", FactForm.NOTE) == "Add this to memory:\n\n- Likes tea\n"
    when = datetime(2026, 11, 23, 9, 8, 7)
    assert (
        codex_note_name("Likes GREEN tea, and a lot of it", when) == "2026-11-23T09-08-07-likes-green-tea-and-a-lot.md"
    )
    assert codex_note_name("喜欢喝茶", when) == "2026-11-23T09-08-07-fact.md"
    assert codex_note_name("../../etc/passwd", when) == "2026-11-23T09-08-07-etc-passwd.md"
    assert len(codex_note_name("a" * 500, when)) == len("2026-11-23T09-08-07-.md") + 48


def test_an_observation_is_added_to_the_person_and_to_nobody_else() -> None:
    bob = '{"type":"entity","name":"Bob","entityType":"person","observations":["Likes tea"]}'
    ada = '{"type":"entity","name":"default_user","entityType":"person","observations":["Lives in Graz"],"x":1}'
    relation = '{"type":"relation","from":"default_user","to":"Bob","relationType":"knows"}'
    text = f"{bob}\n{{broken\n[1]\n{ada}\n{relation}"
    lines = with_fact(text, "Likes “tea”", ENTITY).split("\n")
    assert [lines[0], lines[1], lines[2], lines[4]] == [bob, "{broken", "[1]", relation]
    assert json.loads(lines[3]) == {
        "type": "entity",
        "name": "default_user",
        "entityType": "person",
        "observations": ["Lives in Graz", "Likes “tea”"],
        "x": 1,
    }
    made = with_fact(f"{bob}\n", "Likes tea", ENTITY)
    assert made.startswith(f"{bob}\n")
    assert made.endswith("\n")
    assert json.loads(made.split("\n")[1])["name"] == "default_user"
    assert json.loads(with_fact("", "Likes tea", ENTITY))["observations"] == ["Likes tea"]
    odd = '{"type":"entity","name":"default_user","observations":"none"}'
    assert with_fact(odd, "Likes tea", ENTITY).split("\n")[0] == odd


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("# Ada\n- **Likes** tea!\n", BULLET),
        ("Lives in Graz\n§\nlikes\ntea", SECTION),
        ("- [taste] Likes tea #drink (since 2020)\n", OBSERVATION),
        ('{"type":"entity","name":"x","entityType":"y","observations":["likes tea.", 3]}', ENTITY),
    ],
)
def test_a_text_that_states_a_fact_already_is_known(text: str, form: FactForm) -> None:
    assert states(text, "Likes tea", form)
    assert not states(text, "Likes coffee", form)
    assert not states(text, "…", form)


def test_the_facts_of_a_text_are_what_it_keeps_apart() -> None:
    assert facts_in("a\nb\n§\n\n§\nc", SECTION) == ["a b", "c"]
    assert facts_in("# H\n- a\n- b\n", BULLET) == ["a", "b"]
    assert facts_in('{"observations": 3}\n{"observations": ["a"]}\n' + "[" * 100_000, ENTITY) == ["a"]
    assert facts_in("- [x] done\n- [b] c #t\n", OBSERVATION) == ["done", "c"]
