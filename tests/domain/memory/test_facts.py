"""Which facts a text states, and what looks like a secret in it."""

import pytest

from mnemoscope.domain.memory.facts import (
    added_facts,
    dropped_facts,
    fact_key,
    fact_lines,
    heading_title,
    headings,
    states_facts,
)
from mnemoscope.domain.secrets.detection import find_secrets, mask_secrets


def test_headings_rules_fences_and_placeholders_state_nothing() -> None:
    text = "# A\n\n- fact\n(placeholder)\n*italics*\n---\n```\ncode\n```\n<!-- note -->\nThis file grows.\n1. first\n"
    assert fact_lines(text) == ["- fact", "code", "1. first"]
    assert states_facts(text)
    assert not states_facts("# A\n\n(placeholder)\n*italics*\n---\n```\n```\n<!-- note -->\nThis file grows.\n")


@pytest.mark.parametrize(
    ("line", "title"),
    [("# A b", "A b"), ("## A ##", "A"), ("#", ""), ("#tag", None), ("- # A", None), ("    # code", None)],
)
def test_a_heading_is_told_from_a_tag(line: str, title: str | None) -> None:
    assert heading_title(line) == title


def test_headings_in_code_are_code() -> None:
    assert headings("# A\n```\n# comment\n```\n## B\n") == ["A", "B"]


@pytest.mark.parametrize(
    "new",
    [
        "- **proper_noun** [user:2]: My name is Boris",
        "- **proper_noun** [user:2]: My name is Alice",
        "- **proper_noun**: My name is Alice",
        "- [user:2] My name is Alice and I live in Leeds",
    ],
)
@pytest.mark.parametrize("old", ["- **proper_noun** [user:1]: My name is Alice", "- [user:1] My name is Alice"])
def test_one_persons_fact_is_not_said_by_another_persons_line(old: str, new: str) -> None:
    assert dropped_facts(f"{old}\n", f"{new}\n") == [old.removeprefix("- ")]


def test_a_persons_own_line_in_other_words_still_says_it() -> None:
    before = "- **proper_noun** [user:1]: My name is Alice\n- My name is Ann\n"
    after = "- **proper_noun** [user:1]: Her name is Alice\n- The name is Ann\n- [user:2] My name is Boris\n"
    assert dropped_facts(before, after) == []
    assert dropped_facts("- My name is Ann\n", "- [user:2] Said: My name is Ann\n") == ["My name is Ann"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- Likes tea", "* likes **tea**."),
        ("- Deadline is May 12", "- The deadline is May 12, 2027"),
        ("- a b\n- c d", "- a b, c d"),
        ("- Wohnt in München", "- Wohnt in Mu\u0308nchen"),
        ("- [ ] Buy milk", "- [x] Buy milk"),
        ("- 喜欢喝绿茶", "- 用户喜欢喝绿茶"),
    ],
)
def test_a_reworded_fact_is_not_dropped(old: str, new: str) -> None:
    assert dropped_facts(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- Likes tea", "- Likes dogs"),
        ("- Likes tea", "- Has a dog"),
        ("- Uses PostgreSQL", "- Uses SQLite"),
        ("- 喜欢喝绿茶", "- 住在北京"),
    ],
)
def test_a_fact_replaced_by_another_is_dropped(old: str, new: str) -> None:
    assert dropped_facts(old, new) == [old.removeprefix("- ")]
    assert added_facts(old, new) == [new.removeprefix("- ")]


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcdefghijklmnop_qrstuvwx",
        "sk_live_abcdefghijklmnopqrst",
        "AKIAIOSFODNN7EXAMPLE",
        "github_pat_11ABCDEFG0abcdefghijkl",
        "glpat-abcdefghijklmnopqrst",
        "xoxb-1234567890-abcdefghij",
        "AIzaSyA-abcdefghijklmnopqrstuvwxyz01234",
        "hf_abcdefghijklmnopqrstuvwxyz",
        "123456789:AAabcdefghijklmnopqrstuvwxyz0123456",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnop",
        "postgres://sam:hunter2@db.example/x",
        "qT7x9Lm2Kp4Vr8Wz1Yn6Bd3Hf5Js0Gc9Xa2Ue7Io",
    ],
)
def test_a_key_is_found_and_masked(secret: str) -> None:
    assert find_secrets(f"the key {secret}, keep it") != []
    assert secret not in mask_secrets(f"the key {secret}, keep it")


@pytest.mark.parametrize(
    "text",
    [
        "API key stored in ~/.nanobot/config.json",
        "password: required",
        "The token is short-lived",
        "commit 4c1f8a0b9e7d6c5b4a39281706f5e4d3c2b1a098",
        "https://example.org/a/very/long/path/with/many/parts/and/words",
        "Keys are kept in the keychain",
        "secret: ask-Anna",
        "The quick brown fox jumps over the lazy dog",
    ],
)
def test_ordinary_words_about_keys_are_none(text: str) -> None:
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("- Likes *green*  tea.", "1. likes GREEN-TEA", True),
        ("- [ ] Call Ana!", "* [x] call “Ana”", True),
        ("> - Sam’s dog", "sams dog", True),
        ("用户喜欢茶。", "- 用户喜欢茶", True),
        ("Likes\u200b tea", "likes tea", True),
        ("Likes C++", "Likes C", False),
        ("10%", "10", False),
        ("Costs 10.5", "Costs 105", False),
        ("Likes green tea", "Likes tea", False),
    ],
)
def test_a_fact_is_known_again_however_it_is_punctuated(one: str, other: str, same: bool) -> None:
    assert (fact_key(one) == fact_key(other)) is same


def test_a_line_of_punctuation_says_nothing() -> None:
    assert fact_key("---") == fact_key("- …") == ""
