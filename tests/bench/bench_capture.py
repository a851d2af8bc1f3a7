"""Capture: what the rules find, what they find where nothing is said, and what a scan costs.

`python -m tests.bench.bench_capture` prints the tables of what was wanted and what was captured, by language.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from mnemoscope.domain.capture.rules import RuleSet
from mnemoscope.domain.capture.safe_patterns import check_pattern, compiled_pattern
from mnemoscope.domain.capture.scan import scan
from mnemoscope.store.capture.rule_files import default_rules, load_rules
from tests.bench.rows import Row
from tests.support.capture_corpus import LANGUAGES, Labelled, Score, chat, confusion, false_alarms, labelled, score
from tests.support.capture_slow import slow_messages

LENGTH = 2_000
STEEPEST = 2.0
"""Times the cost per character that a message 10 times as long may have: the measuring itself is no finer."""


def rows(quick: bool) -> Iterable[Row]:
    rules = default_rules()
    yield from _quality(rules)
    yield from _loading()
    yield from _speed(rules, 3 if quick else 60)
    yield _linear(rules, 2_000 if quick else 20_000)
    # All of them are scanned by tests/domain/capture each time: of them, too, a part is enough in a hurry.
    yield _slowest(rules, 2_500, every=40) if quick else _slowest(rules, 50_000)


def _quality(rules: RuleSet) -> Iterator[Row]:
    for half, is_held_out in (("tuned on", False), ("held out", True)):
        messages = [each for each in labelled() if each.is_held_out == is_held_out]
        total = score(messages, rules)
        yield _scored(f"labelled, {half} ({len(messages)} messages)", total, 0.95, 0.85)
        for language in LANGUAGES:
            own = score([each for each in messages if each.language == language], rules)
            yield _scored(f"labelled, {half}: {language}", own, 0.9, 0.75)
        yield _spans(f"labelled, {half}: same phrase / same value", total)
        turns = [each for each in chat() if each.is_held_out == is_held_out]
        share = len(false_alarms(turns, rules)) / len(turns)
        yield Row(f"ordinary chat, {half} ({len(turns)} turns): durable", f"{share:.2%}", "<= 1 %", share <= 0.01)


def _scored(what: str, total: Score, precision: float, recall: float) -> Row:
    figure = f"{total.precision:.3f} / {total.recall:.3f}"
    is_reached = total.precision >= precision and total.recall >= recall
    return Row(f"{what}: precision / recall", figure, f">= {precision} / {recall}", is_reached)


def _spans(what: str, total: Score) -> Row:
    count = max(1, total.matched)
    return Row(what, f"{total.same_span / count:.3f} / {total.same_value / count:.3f}", "shown", passed=True)


def _loading() -> Iterator[Row]:
    re.purge()
    for cache in (compiled_pattern, check_pattern):
        cache.cache_clear()
    first, again = _seconds_to_load(), _seconds_to_load()
    yield Row("reading all rules", f"{first * 1000:.0f} ms", "<= 250 ms", first <= 0.25)
    yield Row("reading them again, as after a change", f"{again * 1000:.0f} ms", "<= 80 ms", again <= 0.08)
    rules, spent = load_rules(), []
    for language in LANGUAGES:
        began = time.process_time()
        scan(_message([each for each in chat() if each.language == language], LENGTH, 0), rules)
        spent.append(f"{(time.process_time() - began) * 1000:.0f}")
    what = f"first scan of {LENGTH:,} characters after that, which compiles what it tries: {', '.join(LANGUAGES)}"
    yield Row(what, f"{', '.join(spent)} ms", "shown", passed=True)


def _seconds_to_load() -> float:
    began = time.process_time()
    load_rules()
    return time.process_time() - began


def _speed(rules: RuleSet, times: int) -> Iterator[Row]:
    for language in LANGUAGES:
        pool = [each for each in chat() if each.language == language]
        median = statistics.median(_seconds(rules, _message(pool, LENGTH, seed)) for seed in range(times))
        what = f"scan of {LENGTH:,} characters of chat, {language}: median"
        yield Row(what, f"{median * 1000:.2f} ms", "<= 1 ms", median <= 0.001)
    pool = [each for each in labelled() if "\n" not in each.text]
    median = statistics.median(_seconds(rules, _message(pool, LENGTH, seed)) for seed in range(times))
    yield Row(f"scan of {LENGTH:,} characters full of facts: median", f"{median * 1000:.2f} ms", "shown", passed=True)


def _message(pool: list[Labelled], length: int, seed: int) -> str:
    chance = random.Random(seed)
    text = ""
    while len(text) < length:
        text += chance.choice(pool).text + " "
    return text[:length]


def _seconds(rules: RuleSet, text: str) -> float:
    """Of processor time: the fastest of five."""
    taken = []
    for _ in range(5):
        began = time.process_time()
        scan(text, rules)
        taken.append(time.process_time() - began)
    return min(taken)


def _linear(rules: RuleSet, least: int) -> Row:
    short, long = (_seconds(rules, _message(list(chat()), length, 1)) / length for length in (least, 10 * least))
    figure = f"x {long / short:.2f} ({long * 1e9:.0f} ns a character)"
    return Row(
        f"cost of a character at {10 * least:,}, of that at {least:,}",
        figure,
        f"<= x {STEEPEST}",
        long <= STEEPEST * short,
    )


def _slowest(rules: RuleSet, length: int, every: int = 1) -> Row:
    """Of the messages made to be slow: the steepest in cost per character at 1 and 10 times a length."""
    worst, name = 0.0, ""
    longer = dict(islice(slow_messages(rules, length), 0, None, every))
    for what, message in islice(slow_messages(rules, length // 10), 0, None, every):
        short = max(_seconds(rules, message) / len(message), 200e-9)
        steepness = _seconds(rules, longer[what]) / len(longer[what]) / short
        worst, name = max((worst, name), (steepness, what))
    figure = f"x {worst:.2f} ({name})"
    return Row(f"{len(longer)} messages made to be slow: steepest", figure, f"<= x {STEEPEST}", worst <= STEEPEST)


if __name__ == "__main__":
    for each in ("", *LANGUAGES):
        print(each or "all languages")
        print(confusion(score(labelled(), default_rules()), each), end="\n\n")
