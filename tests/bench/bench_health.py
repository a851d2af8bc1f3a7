"""The health of memory: how many planted faults of lines are found, and how many honest lines are taken for faults.

`tests/corpus/health` holds memories with their faults in English, Russian, Chinese and Uzbek in both alphabets. The
rules were tuned on `open.json`, and on the misses of `sealed.json` once its score was known; `sealed_2.json` is only
scored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Final

from mnemoscope.domain.health.examination import examined
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
    lines = [f"- Fact {number} of the person is about thing{number % 97}" for number in range(_MANY)]
    begun = perf_counter()
    examined(lines, date(2026, 1, 1))
    took = perf_counter() - begun
    yield Row(f"examining {_MANY:,} lines, on a thread of its own", f"{took:.2f} s", "shown", passed=True)
