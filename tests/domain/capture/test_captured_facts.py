"""What a new fact does to those that are kept."""

from __future__ import annotations

from datetime import date

import pytest

from mnemoscope.domain.capture.captured_facts import CapturedFacts
from mnemoscope.domain.capture.captured_line import CapturedLine, read_line
from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.store.capture.rule_files import default_rules

RULES = default_rules()
DAY = date(2026, 11, 22)


def struck(kept: list[str], said: str, user: str = "") -> str | None:
    (capture,) = captures_in(said, RULES)
    found = CapturedFacts(kept, RULES, user=user).superseded_by(capture, DAY)
    return found.line if found else None


def duplicate(kept: list[str], said: str, user: str = "") -> str | None:
    (capture,) = captures_in(said, RULES)
    return CapturedFacts(kept, RULES, user=user).duplicate_of(capture)


ALICES = "- **proper_noun**: [user:alice] My name is Alice"
BY_HAND = "- [user:telegram:12] My name is Ali"
NOBODYS = "- **proper_noun**: My name is Anna"


@pytest.mark.parametrize(
    ("user", "line"),
    [("alice", ALICES), ("telegram:12", BY_HAND), ("telegram_12", BY_HAND), ("", NOBODYS), ("boris", None)],
)
def test_what_somebody_says_strikes_only_lines_of_theirs(user: str, line: str | None) -> None:
    kept = [ALICES, BY_HAND, NOBODYS]
    assert struck(kept, "My name is Boris", user) == line


@pytest.mark.parametrize(
    "line",
    [
        "- My name is Alice [user:alice]",
        "- **proper_noun** [user:alice]: My name is Alice",
        "- [user:alice] **proper_noun**: My name is Alice",
        "- **proper_noun**: My name is Alice [user:alice]",
        "1. My name [user:alice] is Alice",
    ],
)
def test_a_line_is_its_users_wherever_a_model_or_a_person_put_the_tag(line: str) -> None:
    assert struck([line], "My name is Boris") is None
    assert struck([line], "My name is Boris", "boris") is None
    assert struck([line], "My name is Boris", "alice") == line
    assert duplicate([line], "My name is Alice", "boris") is None


def test_a_tag_that_a_person_said_is_no_tag() -> None:
    line = "- **proper_noun**: My name is Alice \\[user:7\\]"
    assert read_line(line) == CapturedLine("My name is Alice [user:7]", "proper_noun")


@pytest.mark.parametrize(("user", "is_there"), [("alice", True), ("", False), ("boris", False)])
def test_what_somebody_says_is_said_already_only_by_lines_of_theirs(user: str, is_there: bool) -> None:
    assert duplicate([ALICES], "My name is Alice", user) == (ALICES if is_there else None)


def test_a_correction_without_subject_does_not_reach_another_persons_line() -> None:
    line = "- **decision**: [user:alice] The database is Postgres"
    assert struck([line], "It's not Postgres, it's SQLite.") is None
    assert struck([line], "It's not Postgres, it's SQLite.", "alice") == line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- The server is in Paris", "No, the server is in Berlin, not Paris"),
        ("- Server: Paris", "No, the server is in Berlin, not Paris"),
        ("- **proper_noun**: My name is Sarvar", "Actually, my name is Sardor, not Sarvar"),
        ("- Name is Sarvar", "Actually, my name is Sardor, not Sarvar"),
        ("- My favourite colour is red", "My favourite colour is green"),
        ("- **preference**: I like coffee", "I don't like coffee"),
        ("- **preference**: I hate coffee", "I love coffee"),
        ("- **preference**: I like coffee", "I don't like coffee any more"),
        ("- **preference**: I like coffee", "I no longer like coffee."),
        ("- **preference**: 我喜欢喝茶", "我不再喜欢喝茶了"),
        ("- **proper_noun**: My name is Anna", "My name isn't Anna, it's Hanna"),
        ("- My favourite colour is red", "My favorite color is green"),
        ("- **preference**: I'm vegetarian", "I'm not vegetarian any more"),
        ("- **preference**: I don't eat pork", "I eat pork again."),
        ("- **preference**: I'm allergic to nuts", "I'm no longer allergic to nuts"),
        ("- **preference**: I'm no longer allergic to nuts", "I'm allergic to nuts"),
        ("- **preference**: У меня аллергия на орехи", "У меня больше нет аллергии на орехи"),
        ("- **preference**: Я вегетарианец", "Я больше не вегетарианец"),
        ("- **preference**: 我对花生过敏", "我不再对花生过敏了。"),
        ("- **preference**: Menda yong'oqqa allergiya bor", "Menda endi yong'oqqa allergiya yo'q"),
        ("- **proper_noun**: 我住在成都", "我搬到北京了"),
        ("- **decision**: We decided on Mongo", "We decided against Mongo"),
        ("- **decision**: Мы решили взять Mongo", "Мы решили не использовать Mongo."),
        ("- **proper_noun**: I live in Leeds", "We moved to York"),
        ("- **remember**: Remember my dentist is on Tuesday", "Remember my dentist is on Friday"),
        ("- The port is 5432", "Actually the port is 5433."),
        ("- Сервер в Париже", "Нет, сервер в Берлине, а не в Париже."),
        ("- Меня зовут Аня", "Меня зовут Анна"),
        ("- Mening ismim Sarvar", "Aslida mening ismim Sardor, Sarvar emas."),
        ("- Менинг исмим Сарвар", "Менинг исмим Сардор"),
        ("- 服务器在巴黎", "不对，服务器在柏林，不在巴黎。"),
        ("- 我叫王刚", "其实我叫王强，不是王刚。"),
    ],
)
def test_the_line_that_holds_no_longer_is_found(line: str, said: str) -> None:
    assert struck(["# Memory", "- Something else entirely", line, "- The client is in Rome"], said) == line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- **preference**: I like coffee", "I like tea"),
        ("- My favourite food is plov", "My favourite colour is green"),
        ("- My wife's name is Anna", "My name is Ann"),
        ("- The client is in Paris", "No, the server is in Berlin, not Paris"),
        ("- ~~My name is Anna~~ (until 2026-01-01)", "My name is Ann"),
        ("- My name is Ann", "My name is Ann"),
        ("- **decision**: We decided on Postgres", "We decided against Mongo"),
    ],
)
def test_what_still_holds_stands(line: str, said: str) -> None:
    assert struck([line], said) is None


def test_a_correction_without_subject_needs_a_line_that_can_alone_be_meant() -> None:
    said = "It's not Postgres, it's SQLite."
    assert struck(["- The database is Postgres", "- Likes tea"], said) == "- The database is Postgres"
    assert struck(["- The database is Postgres", "- Postgres runs on port 5432"], said) is None


@pytest.mark.parametrize(
    ("line", "said", "is_there"),
    [
        ("- **preference**: I prefer tea", "I really prefer tea!", True),
        ("- I always prefer the tea", "I prefer tea", True),
        ("- **proper_noun**: My name is Anna", "My name is Ann", False),
        ("- **proper_noun**: My name is Ann Lee", "My name is Ann", False),
        ("- **preference**: I like coffee", "I don't like coffee", False),
        ("- ~~My name is Ann~~ (until 2026-01-01)", "My name is Ann", False),
        ("- Мен Сардорман.", "Men Sardorman.", False),
    ],
)
def test_a_duplicate_says_the_same_fact(line: str, said: str, is_there: bool) -> None:
    assert duplicate([line], said) == (line if is_there else None)
