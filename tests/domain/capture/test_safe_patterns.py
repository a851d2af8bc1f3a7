"""Which patterns a rule may hold, and that no message makes those it holds slow."""

from __future__ import annotations

import time

import pytest

from mnemoscope.domain.capture.rules import RuleSet
from mnemoscope.domain.capture.safe_patterns import UnsafePattern, check_pattern, compiled_pattern
from mnemoscope.domain.capture.scan import scan
from mnemoscope.store.capture.rule_files import default_rules
from tests.support.capture_slow import slow_messages

LENGTH = 20_000
SECONDS = 0.5
"""Of processor time; the slowest takes a tenth of it."""
SUSPECTS = 40


@pytest.mark.parametrize(
    "pattern",
    [
        "my name is \\w{1,20}",
        "(?:really |always ){0,3}prefer",
        "(?P<name>[^\\n]{1,80})",
        "i(?:'m| am) (?!not\\b)\\S{1,40}",
        "[]a]{1,3}[^]]",
        "a\\.b\\{",
        "i (?=[^,]{1,80} (?:before|after))\\w{1,40}(?= ?(?:[.,]|$))",
    ],
)
def test_bounded_patterns_are_allowed(pattern: str) -> None:
    check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("a+", "no upper bound"),
        ("a*", "no upper bound"),
        ("a{2,}", "no upper bound"),
        ("a{1,900}", "longer than 200"),
        ("(?:a{1,9}){1,9}", "within another"),
        ("(?:a{0,9}b?){1,9}c", "within another"),
        ("(?:a|a){1,50}b", "too many ways"),
        ("(?:a|ab|b){1,30}c", "too many ways"),
        ("\\w{0,60}\\w{0,60}\\w{0,60}x", "too many ways"),
        ("[a ]{0,200}(?=[a ]{0,100}[a ]{0,100}b)", "too many ways"),
        ("(?:(?=[a ]{0,99}[a ]{0,99}b)[a ]){0,200}c", "too many ways"),
        ("(?:(?!\\w{0,99}\\w{0,99}b)x|y){0,60}c", "too many ways"),
        ("(?P<a>a)\\1", "not allowed"),
        ("(?#x)a", "not allowed"),
        ("(?i:a)", "not allowed"),
        ("(a", "not closed"),
        ("a)", "not opened"),
        ("[a", "not closed"),
        ("?a", "nothing to repeat"),
        ("a{1,2}{1,2}", "right behind another"),
        ("(" * 50 + "a" + ")" * 50, "too deep"),
        ("\\p", "not allowed"),
        ("a" * 3000, "longer than"),
        ("[z-a]", "cannot be read"),
    ],
)
def test_others_are_refused_with_the_place(pattern: str, what: str) -> None:
    with pytest.raises(UnsafePattern, match=what):
        check_pattern(pattern)


def test_a_pattern_that_is_not_safe_is_refused_each_time_and_one_that_is_gets_compiled_once() -> None:
    for _ in range(2):
        with pytest.raises(UnsafePattern):
            check_pattern("a{1,2}b+")
    check_pattern("b{1,20}c")
    assert compiled_pattern("b{1,20}c") is compiled_pattern("b{1,20}c")


def test_every_pattern_that_ships_is_safe() -> None:
    """The program takes them as they are."""
    patterns = [pattern for rule in default_rules().rules for pattern in rule.patterns]
    for pattern in patterns:
        check_pattern(pattern)
    assert len(patterns) > 500


@pytest.mark.parametrize("escaped", ["\\_", "\\-", "\\)", "\\w", "\\\\"])
def test_a_run_of_plain_atoms_ends_before_what_is_repeated(escaped: str) -> None:
    check_pattern(f"ab{escaped}c(?:d{escaped})")
    with pytest.raises(UnsafePattern, match=f"at character {3 + len(escaped)}, \\* has no upper bound"):
        check_pattern(f"ab{escaped}*c")


@pytest.mark.slow
def test_no_message_is_slow_to_scan(is_long: bool) -> None:
    """Each is scanned at a twentieth of the length, and those that took longest whole; with `--long` all of them."""
    rules = default_rules()
    scan("Patterns are compiled when they are first used.", rules)
    taken = {name: seconds_to_scan(message, rules) for name, message in slow_messages(rules, LENGTH // 20)}
    suspects = sorted(taken, key=lambda name: -taken[name])[: None if is_long else SUSPECTS]
    whole = dict(slow_messages(rules, LENGTH))
    slow = [name for name in suspects if seconds_to_scan(whole[name], rules) > SECONDS]
    # A rule that is slow is slow each time.
    assert {name: seconds for name in slow if (seconds := seconds_to_scan(whole[name], rules)) > SECONDS} == {}


def seconds_to_scan(message: str, rules: RuleSet) -> float:
    """Returns the seconds of processor time that a scan takes."""
    began = time.process_time()
    scan(message, rules)
    return time.process_time() - began
