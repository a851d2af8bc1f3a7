"""The health of memory: how many planted faults of lines are found, and how many honest lines are taken for faults.

`tests/corpus/health` holds memories with their faults in English, Russian, Chinese and Uzbek in both alphabets. The
rules were tuned on `open.json`, and on the misses of `sealed.json` once its score was known; `sealed_2.json` is only
scored. Pairs of `tests/corpus/disagreement` are planted into their honest lines: what disagrees has to be found there,
and nothing else.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from time import process_time
from typing import Final

from mnemoscope.domain.health.contradictions import contradictions
from mnemoscope.domain.health.examination import examined
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.facts import fact_text
from tests.bench.rows import Row

FOLDER: Final = Path(__file__).parents[1] / "corpus" / "health"
FOUND: Final = 0.9
FALSE: Final = 0.05
_MANY: Final = 2_000


def score(half: str) -> Counter[str]:
    """Returns for one half how many faults there are and were found, by kind and language, and the same of honest
    lines and false alarms."""
    count: Counter[str] = Counter()
    for memory in json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8")):
        planted = {fault["line"]: fault for fault in memory["faults"]}
        found = {fault.line: fault for fault in examined(memory["lines"], date.fromisoformat(memory["today"]))}
        for number, line in enumerate(memory["lines"], 1):
            fault, alarm = planted.get(number), found.get(number)
            if fault is not None:
                right = alarm is not None and alarm.kind == fault["kind"] and alarm.of == (fault["of"] or 0)
                for part in ("faults", fault["kind"], memory["language"]):
                    count[part] += 1
                    count[f"{part} found"] += right
            elif not line.startswith("#"):
                count["honest"] += 1
                count["alarms"] += alarm is not None
    return count


def score_contradictions(half: str, pairs: str) -> Counter[str]:
    """Returns how many pairs that disagree there are and were found, each planted by itself into the honest lines of a
    memory of its language, and of how many honest lines some seem to disagree with another where none was planted."""
    count: Counter[str] = Counter()
    memories: dict[str, list[list[str]]] = {}
    for memory in json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8")):
        faults = {fault["line"] for fault in memory["faults"]}
        lines = [line for number, line in enumerate(memory["lines"], 1) if number not in faults]
        memories.setdefault(memory["language"], []).append(lines)
        count["honest"] += sum(line.startswith("- ") for line in lines)
        count["alarms"] += len(_contradictions(lines))
    for number, pair in enumerate(
        json.loads((FOLDER.parent / f"disagreement/{pairs}.json").read_text(encoding="utf-8"))
    ):
        if pair["disagree"]:
            known = memories[pair["language"]]
            planted = [*known[number % len(known)], f"- {pair['old']}", f"- {pair['new']}"]
            count["planted"] += 1
            count["found"] += {pair["old"], pair["new"]} in _contradictions(planted)
    return count


def _contradictions(lines: list[str]) -> list[set[str]]:
    found = contradictions({MEMORY_PATH: "\n".join(lines)}, date(2026, 1, 1))
    return [{fact_text(finding.row), finding.words} for finding in found]


def rows(quick: bool) -> Iterable[Row]:
    for half, words in (("open", "tuned on"), ("sealed", "read later"), ("sealed_2", "only scored")):
        count = score(half)
        found, alarms = count["faults found"] / count["faults"], count["alarms"] / count["honest"]
        what = f"faults of lines, {words}: found of {count['faults']} / false alarms of {count['honest']} honest lines"
        reached = found >= FOUND and alarms <= FALSE
        yield Row(what, f"{found:.1%} / {alarms:.1%}", f">= {FOUND:.0%} / <= {FALSE:.0%}", reached)
        for part in ("duplicate", "rotting_date", "task_residue", "en", "uz", "uz_cyrl", "ru", "zh"):
            figure = f"{count[f'{part} found']} of {count[part]}"
            yield Row(f"faults of lines, {words}: {part}", figure, "shown", passed=True)
    for half, pairs, words in (("open", "open", "tuned on"), ("sealed_2", "sealed_second", "only scored")):
        count = score_contradictions(half, pairs)
        found, alarms = count["found"] / count["planted"], count["alarms"] / count["honest"]
        what = f"lines that disagree, {words}: found of {count['planted']} planted pairs"
        yield Row(
            f"{what} / false alarms of {count['honest']}", f"{found:.1%} / {alarms:.1%}", "shown", alarms <= FALSE
        )
        faults = score(half)
        both = (count["found"] + faults["faults found"]) / (count["planted"] + faults["faults"])
        yield Row(f"all faults of lines, {words}: found", f"{both:.1%}", f">= {FOUND:.0%}", both >= FOUND)
    lines = [f"- Fact {number} of the person is about thing{number % 97}" for number in range(_MANY)]
    begun = process_time()
    examined(lines, date(2026, 1, 1))
    took = process_time() - begun
    yield Row(
        f"examining {_MANY:,} lines, on a thread of its own, processor time", f"{took:.2f} s", "shown", passed=True
    )
    lines = [f"- Person {number} lives in town {number * 7}" for number in range(_MANY // 4)]
    begun = process_time()
    _contradictions(lines)
    took = process_time() - begun
    yield Row(
        f"comparing {len(lines):,} lines that are all alike, processor time", f"{took:.2f} s", "shown", passed=True
    )
