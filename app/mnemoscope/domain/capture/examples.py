"""The examples that stand beside a rule are run as tests of it."""

from __future__ import annotations

from collections.abc import Iterator

from mnemoscope.domain.capture.rules import DECOY, STATEMENT, Rule, RuleSet
from mnemoscope.domain.capture.scan import captures_in


def added_rules(rules: RuleSet, shipped: RuleSet) -> list[Rule]:
    """Returns the rules that the program does not ship."""
    known = {each.id: each.patterns for each in shipped.rules}
    return [each for each in rules.rules if known.get(each.id) != each.patterns]


def broken_examples(rules: RuleSet, shipped: RuleSet) -> tuple[str, ...]:
    """Returns a sentence for each example that one of the person's own rules does not follow."""
    added = (each for each in added_rules(rules, shipped) if each.category not in (STATEMENT, DECOY))
    return tuple(sentence for rule in added for sentence in _broken(rule, rules))


def _broken(rule: Rule, rules: RuleSet) -> Iterator[str]:
    for text in rule.examples:
        found = [each.rule for each in captures_in(text, rules)]
        if rule.id not in found:
            instead = f"; {found[0]} captures it instead" if found else ""
            yield f"{rule.id}: its example “{text}” is not captured by it{instead}."
    for text in rule.counterexamples:
        if rule.id in [each.rule for each in captures_in(text, rules)]:
            yield f"{rule.id}: its counterexample “{text}” is captured by it."
