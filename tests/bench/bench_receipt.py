"""The receipt of an answer: how often the lines it likely rests on are the one that it needs.

`receipt_answers/` holds questions whose answer needs one line of a memory, with an answer written for it and one that
uses no line; each group is one memory. The two files have no memory in common. `opened.json` is what the weights were
tuned on, `held_back.json` is only measured. With the small model of `packaging/test small-model` on this machine its
own answers to the English questions are measured too, where they hold the planted value.
"""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from mnemoscope.domain.receipt.likely import likely_lines
from tests.bench.rows import Row
from tests.support import small_model

FOLDER: Final = Path(__file__).with_name("receipt_answers")
PRECISION: Final = 0.9
RECALL: Final = 0.8
_QUICK: Final = 6
"""English questions that the small model is asked in a hurry."""


@dataclass
class Tally:
    """Counts lines that were named rightly, named wrongly, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, case: dict[str, str], lines: Sequence[str], answer: str, needed: str = "") -> None:
        """Counts one answer, which needs this line, or none."""
        named = [lines[each.place] for each in likely_lines(case["question"], answer, lines)]
        self.right += needed in named
        self.wrong += sum(each != needed for each in named)
        self.missed += bool(needed) and needed not in named

    @property
    def precision(self) -> float:
        """Returns the share of the named lines that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Returns the share of the needed lines that are named."""
        return self.right / max(1, self.right + self.missed)


def groups(half: str) -> list[dict[str, Any]]:
    """Returns the memories of one half, each with its language and its cases."""
    read: list[dict[str, Any]] = json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))
    return read


def rows(quick: bool) -> Iterable[Row]:
    for half, words in (("opened", "tuned on"), ("held_back", "held back")):
        yield from _written(half, words)
    if small_model.PYTHON.exists():
        yield from _of_small_model(quick)


def _written(half: str, words: str) -> Iterator[Row]:
    whole, by_language = Tally(), dict[str, Tally]()
    false_alarms = count = 0
    for group in groups(half):
        lines = [case["line"] for case in group["cases"]]
        own = by_language.setdefault(group["language"], Tally())
        for case in group["cases"]:
            count += 1
            without = Tally()
            without.add(case, lines, case["without"])
            false_alarms += bool(without.wrong)
            for tally in (whole, own):
                tally.add(case, lines, case["answer"], case["line"])
                tally.wrong += without.wrong
    reached = whole.precision >= PRECISION and whole.recall >= RECALL
    what = f"likely, {words} ({count} questions, each answered with and without): precision / recall"
    yield Row(what, f"{whole.precision:.3f} / {whole.recall:.3f}", f">= {PRECISION} / {RECALL}", reached)
    for language, own in by_language.items():
        yield Row(f"likely, {words}: {language}", f"{own.precision:.3f} / {own.recall:.3f}", "shown", passed=True)
    share = false_alarms / max(1, count)
    yield Row(
        f"likely, {words}: answers without memory for which a line is named", f"{share:.1%}", "shown", passed=True
    )


def _of_small_model(quick: bool) -> Iterator[Row]:
    """Asks the small model with the line among seven others, as many as its context holds with ease."""
    tally, held, asked = Tally(), 0, 0
    with small_model.served() as relay:
        for group in (each for half in ("opened", "held_back") for each in groups(half) if each["language"] == "en"):
            cases = group["cases"][:_QUICK] if quick else group["cases"]
            for place, case in enumerate(cases):
                first = max(0, min(place - 3, len(cases) - 8))
                lines = [each["line"] for each in cases[first : first + 8]]
                answer = _answer(relay, case["question"], lines)
                asked += 1
                if case["value"].casefold() in answer.casefold():
                    held += 1
                    tally.add(case, lines, answer, case["line"])
    figure = f"{tally.precision:.3f} / {tally.recall:.3f}"
    what = f"likely, small model: {held} of {asked} answers hold the planted value: precision / recall"
    yield Row(what, figure, "shown", passed=True)


def _answer(relay: small_model.Relay, question: str, lines: Sequence[str]) -> str:
    facts = "\n".join(f"- {line}" for line in lines)
    messages = [
        {"role": "system", "content": f"You are a helpful assistant.\n\n# Memory about the person\n{facts}"},
        {"role": "user", "content": question},
    ]
    asked = json.dumps({"model": "small", "messages": messages, "temperature": 0.0, "max_tokens": 60})
    parts = urlsplit(relay.address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=600)
    with contextlib.closing(connection):
        connection.request("POST", f"{parts.path}/chat/completions", asked, {"Content-Type": "application/json"})
        heard = json.loads(connection.getresponse().read())
    return str(heard["choices"][0]["message"]["content"] or "")
