"""The labelled messages of resources/bench/capture and how well rules do on them.

Each line of `<language>.jsonl` is a message: `captures` (category, phrase, value, durable, and `kept_as` where a
correction corrects such a fact) or, for a message of which nothing is kept, `why` not. Each line of
`chat-<language>.txt` is ordinary chat in which nothing durable is said. Half of each is held out: rules are never tuned
on it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.capture.rules import CATEGORIES, RuleSet
from mnemoscope.domain.capture.scan import Capture, Refusal, scan

FOLDER: Final = Path(__file__).parents[2] / "resources" / "bench" / "capture"
LANGUAGES: Final = ("en", "uz-Latn", "uz-Cyrl", "ru", "zh")
NOTHING: Final = "nothing"


@dataclass(frozen=True, slots=True)
class Labelled:
    """Holds one message and what is to be captured of it; `why` says why nothing is, where that is so."""

    language: str
    text: str
    captures: tuple[dict[str, Any], ...] = ()
    why: str = ""

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.text)


@dataclass(slots=True)
class Score:
    """Counts durable captures; `table` has (language, wanted category, captured category) of all captures."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    same_span: int = 0
    same_value: int = 0
    matched: int = 0
    table: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def is_held_out(text: str) -> bool:
    """Returns whether a message belongs to the half that rules are never tuned on."""
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 1


@cache
def labelled() -> tuple[Labelled, ...]:
    """Returns all labelled messages."""
    return tuple(message for language in LANGUAGES for message in _messages(language))


def _messages(language: str) -> Iterator[Labelled]:
    for line in (FOLDER / f"{language}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Labelled(language, row["text"], tuple(row["captures"]), row.get("why", ""))


@cache
def chat() -> tuple[Labelled, ...]:
    """Returns all turns of ordinary chat."""
    return tuple(
        Labelled(language, line)
        for language in LANGUAGES
        for line in (FOLDER / f"chat-{language}.txt").read_text(encoding="utf-8").splitlines()
    )


def score(messages: Iterable[Labelled], rules: RuleSet) -> Score:
    """Returns how well the rules do on these messages."""
    total = Score()
    for message in messages:
        _add(total, message, scan(message.text, rules))
    return total


def _add(total: Score, message: Labelled, found: Iterable[Capture | Refusal]) -> None:
    captures = [each for each in found if isinstance(each, Capture)]
    left = list(captures)
    for label in message.captures:
        start = message.text.index(label["phrase"])
        stop = start + len(label["phrase"])
        near = [each for each in left if each.span[0] < stop and each.span[1] > start]
        best = max(near, key=lambda each: each.category == label["category"], default=None)
        if best is not None:
            left.remove(best)
        _judge(total, message, label, best)
    for each in left:
        total.table[message.language, NOTHING, each.category] += 1
        total.wrong += each.durable
        total.misses.append(f"{message.language} not wanted: {each.rule} {each.text!r} in {message.text!r}")


def _judge(total: Score, message: Labelled, label: dict[str, Any], best: Capture | None) -> None:
    total.table[message.language, label["category"], best.category if best else NOTHING] += 1
    is_right = best is not None and best.category == label["category"] and best.durable == label["durable"]
    if is_right and best is not None:
        total.matched += 1
        total.same_span += best.text.strip(" .,!") == label["phrase"].strip(" .,!")
        total.same_value += best.value.strip("«»“”\"'") == label["value"].strip("«»“”\"'")
        if best.value != label["value"]:
            total.misses.append(f"{message.language} value: {best.value!r} for {label['value']!r} ({best.rule})")
    else:
        got = f"{best.rule} {best.text!r} durable={best.durable}" if best else "nothing"
        total.misses.append(f"{message.language} wanted {label['category']} {label['phrase']!r}, got {got}")
    total.right += is_right and label["durable"]
    total.missed += not is_right and label["durable"]
    total.wrong += not is_right and best is not None and best.durable


def false_alarms(messages: Iterable[Labelled], rules: RuleSet) -> list[str]:
    """Turns of ordinary chat of which something durable was captured, with what."""
    return [
        f"{message.language} {each.rule}: {each.text!r} in {message.text!r}"
        for message in messages
        for each in scan(message.text, rules)
        if isinstance(each, Capture) and each.durable
    ]


def confusion(total: Score, language: str = "") -> str:
    """Returns a table: rows are what was wanted, columns what was captured."""
    names = (*CATEGORIES, NOTHING)
    rows = [f"{'wanted / captured':<18}" + "".join(f"{name[:12]:>14}" for name in names)]
    for wanted in names:
        counts = [
            sum(
                n
                for (of, one, other), n in total.table.items()
                if (one, other) == (wanted, got) and language in ("", of)
            )
            for got in names
        ]
        rows.append(f"{wanted:<18}" + "".join(f"{count or '·':>14}" for count in counts))
    return "\n".join(rows)
