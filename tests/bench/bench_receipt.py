"""The receipt of an answer: how often the lines it likely rests on are the one that it needs.

`receipt_answers/` holds questions whose answer needs one line of a memory, with an answer written for it and one that
uses no line; each group is one memory. The two halves have no memory in common. `opened.json` is what the weights were
tuned on, `held_back.json` is only measured. In `opened_across.json` and `held_back_across.json` each answer is in
another language than its line, and has no name or figure in common with it; they are counted apart. Each half is
measured by words alone, and in the full form with meaning too, where the embedding model of this computer is installed.
With the small model of `packaging/test small-model` on this machine its own answers to the English questions are
measured too, where they hold the planted value.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from mnemoscope.domain.answer_receipt.likely import LikelyLine, likely_lines
from mnemoscope.domain.answer_receipt.likely_meaning import likely_by_meaning, texts_to_embed, with_meaning
from mnemoscope.domain.errors import ModelMissing
from mnemoscope.domain.llm import Vector
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.store.search.embedded_texts import BATCH, unrelated_texts
from tests.bench.rows import Row
from tests.support import small_model

FOLDER: Final = Path(__file__).with_name("receipt_answers")
PRECISION: Final = 0.9
RECALL: Final = 0.8
_QUICK: Final = 1
"""English questions that the small model is asked in a hurry."""


@dataclass
class Tally:
    """Counts lines that were named rightly, named wrongly, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(
        self,
        case: dict[str, str],
        lines: Sequence[str],
        answer: str,
        needed: str = "",
        vectors: Mapping[str, Vector] | None = None,
    ) -> None:
        """Counts one answer, which needs this line, or none; by words alone without `vectors`."""
        named = [lines[each.place] for each in _likely(case["question"], answer, lines, vectors)]
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


def _likely(question: str, answer: str, lines: Sequence[str], vectors: Mapping[str, Vector] | None) -> list[LikelyLine]:
    likely = likely_lines(question, answer, lines)
    if vectors is None:
        return likely
    unrelated = {text: vectors[text] for text in unrelated_texts()}
    return with_meaning(likely, likely_by_meaning(question, answer, lines, vectors, unrelated))


def groups(half: str) -> list[dict[str, Any]]:
    """Returns the memories of one half, each with its language and its cases."""
    read: list[dict[str, Any]] = json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))
    return read


def rows(quick: bool) -> Iterable[Row]:
    embedded: Mapping[str, Vector] | None = None if quick else _vectors()
    ways = [("", None)] if embedded is None else [("", None), (", with meaning", embedded)]
    for half, words in (("opened", "tuned on"), ("held_back", "held back")):
        for way, vectors in ways:
            yield from _written(groups(half), f"{words}{way}", vectors)
            yield from _written(groups(f"{half}_across"), f"{words}, across languages{way}", vectors, bound=False)
    if small_model.PYTHON.exists():
        yield from _of_small_model(quick)


def _vectors() -> dict[str, Vector] | None:
    """Returns the vector of each text that is compared; None where the embedding model is not installed."""
    texts = dict.fromkeys(unrelated_texts())
    for half in ("opened", "held_back", "opened_across", "held_back_across"):
        for group in groups(half):
            lines = [case["line"] for case in group["cases"]]
            for case in group["cases"]:
                for answer in (case["answer"], case["without"]):
                    texts |= dict.fromkeys(texts_to_embed(case["question"], answer, lines))
    wanted = list(texts)

    async def embedded() -> dict[str, Vector]:
        embedder = LocalEmbedder()
        try:
            parts = [wanted[at : at + BATCH] for at in range(0, len(wanted), BATCH)]
            return {text: one for part in parts for text, one in zip(part, await embedder.embed(part), strict=True)}
        finally:
            await embedder.aclose()

    try:
        return asyncio.run(embedded())
    except ModelMissing:
        return None


def _written(
    some: Sequence[dict[str, Any]], words: str, vectors: Mapping[str, Vector] | None, *, bound: bool = True
) -> Iterator[Row]:
    """Measures memories; `bound`: what is wanted of them holds."""
    whole, by_language = Tally(), dict[str, Tally]()
    false_alarms = count = 0
    for group in some:
        lines = [case["line"] for case in group["cases"]]
        own = by_language.setdefault(group["language"], Tally())
        for case in group["cases"]:
            count += 1
            without = Tally()
            without.add(case, lines, case["without"], vectors=vectors)
            false_alarms += bool(without.wrong)
            for tally in (whole, own):
                tally.add(case, lines, case["answer"], case["line"], vectors)
                tally.wrong += without.wrong
    reached = whole.precision >= PRECISION and whole.recall >= RECALL
    what = f"likely, {words} ({count} questions, each answered with and without): precision / recall"
    wanted = f">= {PRECISION} / {RECALL}" if bound else "shown"
    yield Row(what, f"{whole.precision:.3f} / {whole.recall:.3f}", wanted, reached or not bound)
    for language, own in by_language.items() if bound else ():
        yield Row(f"likely, {words}: {language}", f"{own.precision:.3f} / {own.recall:.3f}", "shown", passed=True)
    share = false_alarms / max(1, count)
    yield Row(
        f"likely, {words}: answers without memory for which a line is named", f"{share:.1%}", "shown", passed=True
    )


def _of_small_model(quick: bool) -> Iterator[Row]:
    """Asks the small model with the line among seven others, as many as its context holds with ease, and with that line
    alone behind two examples: it seldom finds the right one of eight. Either way the line is looked for among eight.

    An answer is of use where it holds the planted value, and the question does not.
    """
    ways = (("the line among seven others", _messages), ("the line alone", _messages_of_line))
    tallies = [Tally() for _ in ways]
    held, asked = [0 for _ in ways], 0
    with small_model.served() as relay:
        for group in (each for half in ("opened", "held_back") for each in groups(half) if each["language"] == "en"):
            cases = group["cases"][:_QUICK] if quick else group["cases"]
            for place, case in enumerate(cases):
                first = max(0, min(place - 3, len(cases) - 8))
                lines = [each["line"] for each in cases[first : first + 8]]
                if case["value"].casefold() in case["question"].casefold():
                    continue
                asked += 1
                for number, (_, messages) in enumerate(ways):
                    shown = lines if messages is _messages else [case["line"]]
                    answer = _answer(relay, messages(case["question"], shown))
                    if case["value"].casefold() in answer.casefold():
                        held[number] += 1
                        tallies[number].add(case, lines, answer, case["line"])
    for (way, _), tally, usable in zip(ways, tallies, held, strict=True):
        figure = f"{tally.precision:.3f} / {tally.recall:.3f}"
        what = f"likely, small model, {way}: {usable} of {asked} answers hold the planted value: precision / recall"
        yield Row(what, figure, "shown", passed=True)


def _messages(question: str, lines: Sequence[str]) -> list[dict[str, str]]:
    facts = "\n".join(f"- {line}" for line in lines)
    return [
        {"role": "system", "content": f"You are a helpful assistant.\n\n# Memory about the person\n{facts}"},
        {"role": "user", "content": question},
    ]


_EXAMPLES: Final = (
    ("Her brother Tom drives a red van", "What does my brother drive?", "Your brother Tom drives a red van."),
    ("The spare key is under the blue pot", "Where is the spare key?", "The spare key is under the blue pot."),
)
"""A line, a question and its answer, which are in none of the sets."""


def _messages_of_line(question: str, lines: Sequence[str]) -> list[dict[str, str]]:
    def asked(facts: Sequence[str], what: str) -> str:
        return "\n".join(["Facts:", *(f"- {fact}" for fact in facts), "", f"Question: {what}", _ASK])

    messages = [{"role": "system", "content": "You answer questions about the person from the facts you are given."}]
    for line, what, answer in _EXAMPLES:
        messages += [{"role": "user", "content": asked([line], what)}, {"role": "assistant", "content": answer}]
    return [*messages, {"role": "user", "content": asked(lines, question)}]


_ASK: Final = "Answer with the one fact that answers it."


def _answer(relay: small_model.Relay, messages: Sequence[Mapping[str, str]]) -> str:
    asked = json.dumps({"model": "small", "messages": messages, "temperature": 0.0, "max_tokens": 60})
    parts = urlsplit(relay.address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=600)
    with contextlib.closing(connection):
        connection.request("POST", f"{parts.path}/chat/completions", asked, {"Content-Type": "application/json"})
        heard = json.loads(connection.getresponse().read())
    return str(heard["choices"][0]["message"]["content"] or "")
