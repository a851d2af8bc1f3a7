"""How well the rules of trust and capture hold on text that they never met.

`tests/corpus/unseen` has five sets in English, Russian, Chinese and Uzbek in both alphabets, written in one go before
anybody looked at the rules. Rules were mended by the misses of the open halves; the sealed halves are only measured.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.domain.contradiction.disagreement import disagree
from mnemoscope.domain.health.examination import examined
from mnemoscope.domain.receipt.likely import likely_lines
from mnemoscope.store.capture.rules import default_rules
from tests.bench.bench_tombstones import _held
from tests.bench.rows import Row

FOLDER: Final = Path(__file__).parents[1] / "corpus" / "unseen"


def rows(quick: bool) -> Iterator[Row]:
    del quick
    for half in ("open", "sealed"):
        count = counted(half)
        for name, part, whole in (
            ("facts that disagree: found", "found", "disagree"),
            ("facts that do not disagree: taken for such", "wrong", "agree"),
            ("faults of lines: found", "faults found", "faults"),
            ("honest lines taken for faults", "alarms", "honest"),
            ("lines that an answer rests on: named", "lines named", "answers"),
            ("answers that rest on none: given a line", "given", "others"),
            ("other wordings of forgotten facts: held", "held", "wordings"),
            ("honest facts near them: held", "near held", "near"),
            ("messages worth keeping: kept", "kept", "messages"),
            ("talk of which something was kept", "quiet kept", "quiet"),
        ):
            yield Row(f"{half}: {name}", f"{count[part]} of {count[whole]}", "shown", passed=True)


def counted(half: str) -> Counter[str]:
    """Returns how many there are of each kind in a half, and how many were judged so."""
    return _of_facts(half) + _of_lines(half) + _of_answers(half) + _of_forgotten(half) + _of_messages(half)


def _of_facts(half: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for pair in _read(f"pairs_{half}.json"):
        said = disagree(pair["old"], pair["new"])
        count["disagree" if pair["disagree"] else "agree"] += 1
        count["found" if pair["disagree"] else "wrong"] += said
    return count


def _of_lines(half: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for memory in _read(f"health_{half}.json"):
        planted = {fault["line"]: fault for fault in memory["faults"]}
        seen = {fault.line: fault for fault in examined(memory["lines"], date.fromisoformat(memory["today"]))}
        for number in range(2, len(memory["lines"]) + 1):
            fault, alarm = planted.get(number), seen.get(number)
            count["honest" if fault is None else "faults"] += 1
            if fault is None:
                count["alarms"] += alarm is not None
            elif alarm is not None:
                count["faults found"] += alarm.kind == fault["kind"] and alarm.of == (fault["of"] or 0)
    return count


def _of_answers(half: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for memory in _read(f"receipt_{half}.json"):
        for case in memory["cases"]:
            named = [
                memory["lines"][each.place] for each in likely_lines(case["question"], case["answer"], memory["lines"])
            ]
            count["answers" if case["line"] else "others"] += 1
            count["lines named" if case["line"] else "given"] += case["line"] in named if case["line"] else bool(named)
    return count


def _of_forgotten(half: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for fact in _read(f"forgetting_{half}.json"):
        for kind, part, whole in (("again", "held", "wordings"), ("near", "near held", "near")):
            count[whole] += len(fact[kind])
            count[part] += _held([fact["forgotten"]], fact[kind])
    return count


def _of_messages(half: str) -> Counter[str]:
    count: Counter[str] = Counter()
    rules = default_rules()
    for message in _read(f"talk_{half}.jsonl"):
        found = [each.text.casefold() for each in captures_in(message["text"], rules)]
        count["quiet" if message["quiet"] else "messages"] += 1
        if message["quiet"]:
            count["quiet kept"] += bool(found)
        else:
            count["kept"] += any(message["expect"][0]["text"].casefold() in text for text in found)
    return count


def _read(name: str) -> list[dict[str, Any]]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    read: list[dict[str, Any]] = (
        [json.loads(line) for line in text.splitlines()] if name.endswith("l") else json.loads(text)
    )
    return read
