"""The rules that ship, each with its own examples, and the person's beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.capture.rules import STATEMENT, Rule
from mnemoscope.domain.capture.safe_patterns import check_pattern, compiled_pattern
from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.memory.memory_store import wal_scan
from mnemoscope.store.capture.rule_files import LARGEST_FILE, ActiveRules, default_rules, load_rules
from mnemoscope.store.capture.user_rules import UserCaptureRules

RULES = default_rules()
OWN = """
language = "en"
off = ["en.likes"]

[[rule]]
id = "own.ticket"
category = "specific_value"
cues = ["ticket"]
patterns = ["ticket (?P<exact>[a-z]{2,5}-\\\\d{1,6})"]
subject = "ticket"
"""


def folder(tmp_path: Path, **files: str) -> Path:
    (tmp_path / "capture").mkdir()
    for name, text in files.items():
        (tmp_path / "capture" / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_rules_are_read_without_compiling_a_pattern_and_again_without_checking_one(tmp_path: Path) -> None:
    before = compiled_pattern.cache_info().misses
    first = load_rules()
    assert compiled_pattern.cache_info().misses == before
    root = folder(tmp_path, own=OWN)
    read = load_rules(root)
    checked, known = check_pattern.cache_info().misses, compiled_pattern.cache_info().misses
    again = load_rules(root)
    assert (check_pattern.cache_info().misses, compiled_pattern.cache_info().misses) == (checked, known)
    assert [rule.patterns for rule in again.rules] == [rule.patterns for rule in read.rules]
    assert len({rule.id for rule in read.rules} & {rule.id for rule in first.rules}) == len(first.rules) - 1


def test_the_rules_that_ship_are_not_read_again_where_there_are_no_others(tmp_path: Path) -> None:
    assert load_rules(tmp_path) is default_rules()
    assert load_rules(tmp_path, {"own.toml": OWN}) is not default_rules()


def test_every_rule_that_ships_is_used() -> None:
    assert RULES.problems == ()
    assert {rule.language.code for rule in RULES.rules} == {"any", "en", "ru", "uz", "zh"}


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES.rules if rule.reason == "" and rule.category != STATEMENT], ids=lambda rule: rule.id
)
def test_a_rule_does_what_its_examples_say(rule: Rule) -> None:
    assert rule.examples
    assert rule.counterexamples
    for text in rule.examples:
        assert rule.id in [each.rule for each in captures_in(text, RULES)], text
    for text in rule.counterexamples:
        assert rule.id not in [each.rule for each in captures_in(text, RULES)], text


@pytest.mark.slow
def test_a_person_adds_rules_and_switches_others_off(tmp_path: Path) -> None:
    rules = load_rules(folder(tmp_path, mine=OWN))
    assert rules.problems == ()
    assert [each.value for each in captures_in("It is ticket ABC-123, and I like tea", rules)] == ["ABC-123"]
    assert captures_in("Is it ticket ABC-123?", rules) == []


@pytest.mark.slow
def test_a_person_takes_the_place_of_a_rule_by_its_id(tmp_path: Path) -> None:
    text = OWN.replace("own.ticket", "en.name").replace("off =", "unused =")
    rules = load_rules(folder(tmp_path, mine=text))
    assert [each.rule for each in captures_in("My name is Ann. ticket AB-1", rules)] == ["en.name"]


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('category = "specific_value"', 'category = "gossip"'), "no category that is known"),
        (('cues = ["ticket"]', "cues = []"), "names no cues"),
        (("{1,6}", "+"), "no upper bound"),
        (("(?P<exact>", "(?:"), "marks no value"),
        (('id = "own.ticket"', ""), "has no id"),
        (('subject = "ticket"', "confidence = 7"), "confidence"),
        (('cues = ["ticket"]', 'cues = "ticket"'), "no list of words"),
        (('patterns = ["ticket ', 'patterns = ["{nonsense} '), "no macro that is known"),
        (('cues = ["ticket"]', 'cues = [" + "]'), "no word in it"),
    ],
)
def test_a_bad_rule_is_named_and_stops_no_other(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    rules = load_rules(folder(tmp_path, mine=OWN.replace(*change)))
    (problem,) = rules.problems
    assert problem.startswith("mine.toml, rule 1: ")
    assert sentence in problem
    assert "The other rules are used" in problem or "bounded" in problem
    assert [each.value for each in captures_in("My name is Ann", rules)] == ["Ann"]


@pytest.mark.slow
def test_a_cue_may_be_several_words(tmp_path: Path) -> None:
    text = OWN.replace('cues = ["ticket"]', 'cues = ["my ticket is"]').replace('["ticket (', '["my ticket is (')
    rules = load_rules(folder(tmp_path, mine=text))
    assert rules.problems == ()
    assert [each.value for each in captures_in("My ticket is AB-1", rules)] == ["AB-1"]


@pytest.mark.slow
def test_a_rule_is_switched_off_whatever_its_file_is_called(tmp_path: Path) -> None:
    root = folder(tmp_path, zz=OWN, aa='off = ["own.ticket"]\n')
    assert captures_in("ticket AB-1", load_rules(root))
    UserCaptureRules(root).switch_off(["own.ticket"])
    assert not captures_in("ticket AB-1", load_rules(root))


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    rules = load_rules(folder(tmp_path, mine="\ufeff" + OWN))
    assert rules.problems == ()
    assert [each.value for each in captures_in("ticket AB-1", rules)] == ["AB-1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "language = ",
        "\x00",
        "rule = 3\n",
        '[guards]\nmood = ["x"]\n',
        "guards = 3\n",
        'off = "en.likes"\n',
        "off = [1]\n",
        '[guards]\nmaterial = [" "]\n',
    ],
)
def test_a_bad_file_is_named_and_stops_no_other(tmp_path: Path, text: str) -> None:
    rules = load_rules(folder(tmp_path, mine=text))
    assert any("mine.toml" in problem for problem in rules.problems)
    assert captures_in("My name is Ann", rules)


def test_a_workspace_without_rules_of_its_own_has_those_that_ship(tmp_path: Path) -> None:
    assert [rule.id for rule in load_rules(tmp_path).rules] == [rule.id for rule in RULES.rules]


def test_the_door_has_the_name_that_qanot_gives_it() -> None:
    assert [(each.category, each.detail) for each in wal_scan("My name is Bobur")] == [
        ("proper_noun", "My name is Bobur")
    ]
    assert wal_scan("") == wal_scan(" \n ") == []


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    root = folder(tmp_path, large="#" * (LARGEST_FILE + 1), mine=OWN)
    (root / "capture" / "binary.toml").write_bytes(b"\xff\xfe")
    (root / "capture" / "folder.toml").mkdir()
    rules = load_rules(root)
    assert [problem.partition("used: ")[2] for problem in rules.problems] == [
        "it is not text in UTF-8.", "Is a directory.", "it is larger than a million bytes.",
    ]  # fmt: skip
    assert "own.ticket" in [rule.id for rule in rules.rules]


def test_rules_in_force_follow_the_persons_files(tmp_path: Path) -> None:
    rules = ActiveRules(tmp_path)
    assert rules.rules() is default_rules()
    assert rules.rules() is default_rules()
    folder(tmp_path, mine=OWN)
    assert any(rule.id == "own.ticket" for rule in rules.rules().rules)
    (tmp_path / "capture" / "mine.toml").unlink()
    assert rules.rules() is default_rules()
