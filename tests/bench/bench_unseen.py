"""How well the rules of trust and capture hold on text that they never met.

`tests/corpus/unseen` has five sets in English, Russian, Chinese and Uzbek in both alphabets, written in one go before
anybody looked at the rules, and `second` in it five more, of other themes and shapes, written in the same way after the
rules were mended by the first. Rules were mended by the misses of the open halves; the sealed halves are only measured.
`third` has four more; its open half was only measured at first, and opened later. `fourth` has three, about figures,
days and what excludes each other. `fifth` has three, about what changed. `sixth` has forgotten facts alone, written by
somebody who never saw the rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.answer_receipt.likely import likely_lines
from mnemoscope.domain.capture.scan import captures_in
from mnemoscope.domain.disagreement.fact_comparison import disagree
from mnemoscope.domain.health.examination import examined
from mnemoscope.domain.health.line_meanings import LineMeanings, understood_texts
from mnemoscope.llm.model_process.embedding import UniversalSentenceEncoder
from mnemoscope.store.capture.rule_files import default_rules
from tests.bench.bench_tombstones import _held
from tests.bench.rows import Row

FIRST: Final = Path(__file__).parents[1] / "corpus" / "unseen"
SECOND: Final = FIRST / "second"
THIRD: Final = FIRST / "third"
FOURTH: Final = FIRST / "fourth"
FIFTH: Final = FIRST / "fifth"
SIXTH: Final = FIRST / "sixth"


def rows(quick: bool) -> Iterator[Row]:
    halves = (
        (FIRST, "open", "open"),
        (FIRST, "sealed", "sealed"),
        (SECOND, "open", "second, open"),
        (SECOND, "sealed", "second, sealed"),
        (THIRD, "open", "third, open"),
        (THIRD, "sealed", "third, sealed"),
        (FOURTH, "open", "fourth, open"),
        (FOURTH, "sealed", "fourth, sealed"),
        (FIFTH, "open", "fifth, open"),
        (FIFTH, "sealed", "fifth, sealed"),
        (SIXTH, "open", "sixth, open"),
        (SIXTH, "sealed", "sixth, sealed"),
    )
    # The first has text of each kind.
    for folder, half, said in halves[:1] if quick else halves:
        count = counted(folder, half, 4 if quick else 1)
        for name, part, whole in (
            ("facts that disagree: found", "found", "disagree"),
            ("facts that do not disagree: taken for such", "wrong", "agree"),
            ("faults of lines: found", "faults found", "faults"),
            ("honest lines taken for faults", "alarms", "honest"),
            ("faults of lines: found, with the model of this computer", "faults found by meaning", "faults"),
            ("honest lines taken for faults, with that model", "alarms by meaning", "honest"),
            ("lines that an answer rests on: named", "lines named", "answers"),
            ("answers that rest on none: given a line", "given", "others"),
            ("other wordings of forgotten facts: held", "held", "wordings"),
            ("honest facts near them: held", "near held", "near"),
            ("messages worth keeping: kept", "kept", "messages"),
            ("talk of which something was kept", "quiet kept", "quiet"),
        ):
            if count[whole]:
                yield Row(f"{said}: {name}", f"{count[part]} of {count[whole]}", "shown", passed=True)


def counted(folder: Path, half: str, every: int = 1) -> Counter[str]:
    """Returns how many there are of each kind in a half of the sets of a folder, and how many were judged so: of all
    that the sets hold, or the first of `every`."""
    count: Counter[str] = Counter()
    for name, count_of in (
        (f"pairs_{half}.json", _of_facts),
        (f"health_{half}.json", _of_lines),
        (f"talk_{half}.jsonl", _of_messages),
        (f"forgetting_{half}.json", _of_forgotten),
        (f"receipt_{half}.json", _of_answers),
    ):
        if (folder / name).exists():
            count += count_of(_read(folder / name)[::every])
    return count


def _of_facts(pairs: list[dict[str, Any]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for pair in pairs:
        said = disagree(pair["old"], pair["new"])
        count["disagree" if pair["disagree"] else "agree"] += 1
        count["found" if pair["disagree"] else "wrong"] += said
    return count


def _of_lines(memories: list[dict[str, Any]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for memory in memories:
        planted = {fault["line"]: fault for fault in memory["faults"]}
        lines, today = memory["lines"], date.fromisoformat(memory["today"])
        count["faults"] += len(planted)
        count["honest"] += len(lines) - 1 - len(planted)
        for how, meanings in (("", None), (" by meaning", _meanings(lines))):
            for seen in examined(lines, today, meanings):
                fault = planted.get(seen.line)
                if fault is None:
                    count[f"alarms{how}"] += 1
                else:
                    count[f"faults found{how}"] += seen.kind == fault["kind"] and seen.of == (fault["of"] or 0)
    return count


def _meanings(lines: list[str]) -> LineMeanings:
    texts = understood_texts(lines)
    vectors = _model().encode(texts, is_question=False) if texts else ()
    return LineMeanings(dict(zip(texts, vectors, strict=True)))


@cache
def _model() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


def _of_answers(memories: list[dict[str, Any]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for memory in memories:
        for case in memory["cases"]:
            named = [
                memory["lines"][each.place] for each in likely_lines(case["question"], case["answer"], memory["lines"])
            ]
            count["answers" if case["line"] else "others"] += 1
            count["lines named" if case["line"] else "given"] += case["line"] in named if case["line"] else bool(named)
    return count


def _of_forgotten(facts: list[dict[str, Any]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for fact in facts:
        for kind, part, whole in (("again", "held", "wordings"), ("near", "near held", "near")):
            count[whole] += len(fact[kind])
            count[part] += _held([fact["forgotten"]], fact[kind])
    return count


def _of_messages(messages: list[dict[str, Any]]) -> Counter[str]:
    count: Counter[str] = Counter()
    rules = default_rules()
    for message in messages:
        found = [each.text.casefold() for each in captures_in(message["text"], rules)]
        count["quiet" if message["quiet"] else "messages"] += 1
        if message["quiet"]:
            count["quiet kept"] += bool(found)
        else:
            count["kept"] += any(message["expect"][0]["text"].casefold() in text for text in found)
    return count


def _read(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    read: list[dict[str, Any]] = (
        [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    )
    return read
