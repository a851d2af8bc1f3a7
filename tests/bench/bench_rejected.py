"""Rejections: how often a proposal that was rejected is known when it comes back in other words, as it is left out or
marked in the review, and how often one that says something else is left out wrongly, or marked.

By words and values alone, and in the full form by meaning too, where the embedding model of this computer is installed.
`tests/corpus/rejected` holds the pairs, and `second` in it others, of somebody who had not seen the rules. Rules may be
mended by the open halves; the sealed ones are only counted, and so is the whole of `third`, which was written by the
author of the present rule before they had seen the one that it took the place of.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mnemoscope.domain.errors import ModelMissing
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.memory.files.rejected_meanings import RejectedMeanings
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.forgetting.rejected_texts import RejectedTexts
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from tests.bench.rows import Row

FIRST: Final = Path(__file__).parents[1] / "corpus" / "rejected"
SECOND: Final = FIRST / "second"
THIRD: Final = FIRST / "third"
HELD: Final = 0.8
WRONGLY: Final = 0.05
LEFT_OUT, MARKED, WAITS = "left out", "marked", "waits"
_AT_ONCE: Final = 5
"""Facts that are rejected in one."""
_ONE_IN: Final = 7
"""Of the pairs of unlike texts so many are looked at, evenly spread."""


def rows(quick: bool) -> Iterator[Row]:
    """Yields the shares of the open halves, and unless in haste those of the sealed ones."""
    for folder, said in ((FIRST, ""), (SECOND, "second, "), (THIRD, "third, ")):
        halves = ("open",) if quick else ("open", "sealed")
        for half in (each for each in halves if (folder / f"{each}.jsonl").exists()):
            pairs = _pairs(folder / f"{half}.jsonl")
            yield from _of_half(f"{said}{half} half", pairs, {}, "")
            if not quick and (vectors := _vectors(pairs)):
                yield from _of_half(f"{said}{half} half", pairs, vectors, ", by meaning too")


def _of_half(name: str, pairs: Sequence[dict[str, Any]], vectors: Mapping[str, Vector], how: str) -> Iterator[Row]:
    for is_same, words in ((True, "in other words"), (False, "others")):
        wanted = [pair for pair in pairs if pair["same"] is is_same]
        became = Counter(what_becomes(pair, vectors) for pair in wanted)
        known = became[LEFT_OUT] + became[MARKED]
        counted = known if is_same else became[LEFT_OUT]
        share = counted / len(wanted)
        yield Row(
            f"{name}: of {len(wanted)} later proposals {words}, {'known' if is_same else 'left out'}{how}",
            f"{counted} ({share:.0%}), {became[LEFT_OUT]} left out and {became[MARKED]} marked",
            f"{'>=' if is_same else '<='} {HELD if is_same else WRONGLY:.0%}",
            share >= HELD if is_same else share <= WRONGLY,
        )
    same = [pair for pair in pairs if pair["same"]]
    unlike = [{**pair, "later": other["later"]} for pair in same for other in same if pair is not other]
    taken = sum(what_becomes(pair, vectors) != WAITS for pair in unlike[::_ONE_IN])
    yield Row(
        f"{name}: of {len(unlike[::_ONE_IN])} proposals that have nothing to do with it, left out or marked{how}",
        str(taken),
        "none set",
        passed=True,
    )
    yield from _together(name, pairs, vectors, how)


def _together(name: str, pairs: Sequence[dict[str, Any]], vectors: Mapping[str, Vector], how: str) -> Iterator[Row]:
    """Yields what becomes of later proposals where facts were rejected many at once, as a memory that is put in another
    order."""
    same, others = ([pair for pair in pairs if pair["same"] is is_same] for is_same in (True, False))
    batches = [same[at : at + _AT_ONCE] for at in range(0, len(same) - _AT_ONCE + 1, _AT_ONCE)]
    whole, alone, unlike = Counter[str](), Counter[str](), Counter[str]()
    for batch in batches:
        rejected = [pair["rejected"] for pair in batch]
        whole[became_of(rejected, [pair["later"] for pair in batch], vectors)] += 1
        alone.update(became_of(rejected, [pair["later"]], vectors) for pair in batch)
        unlike.update(became_of(rejected, [pair["later"]], vectors) for pair in others if pair["rejected"] in rejected)
    for counted, words in (
        (whole, "whole proposals in other words"),
        (alone, "proposals of one of the facts in other words"),
        (unlike, "proposals of something else of the same people and things"),
    ):
        if not counted:
            continue
        yield Row(
            f"{name}, {_AT_ONCE} facts rejected at once: of {counted.total()} {words}, left out / marked{how}",
            f"{counted[LEFT_OUT]} / {counted[MARKED]}",
            "0 left out" if counted is not whole else "none set",
            counted is whole or not counted[LEFT_OUT],
        )


def _pairs(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _vectors(pairs: Sequence[dict[str, Any]]) -> dict[str, Vector]:
    """Returns the vector of each text of the pairs; none where the embedding model is not installed."""
    texts = list(dict.fromkeys(pair[name] for pair in pairs for name in ("rejected", "later")))

    async def embedded() -> dict[str, Vector]:
        embedder = LocalEmbedder()
        try:
            return dict(zip(texts, await embedder.embed(texts), strict=True))
        finally:
            await embedder.aclose()

    try:
        return asyncio.run(embedded())
    except ModelMissing:
        return {}


def what_becomes(pair: dict[str, Any], vectors: Mapping[str, Vector]) -> str:
    """Returns what becomes of the later proposal of a pair once the other was rejected."""
    return became_of([pair["rejected"]], [pair["later"]], vectors)


def became_of(rejected: Sequence[str], facts: Sequence[str], vectors: Mapping[str, Vector]) -> str:
    """Returns what becomes of a proposal of facts once another one was rejected."""

    async def meanings(texts: Sequence[str]) -> Mapping[str, Vector]:
        return {text: vectors[text] for text in texts if text in vectors}

    with TemporaryDirectory() as folder:
        added, removed = (Tombstones(Path(folder) / name, TombstoneKey()) for name in ("added", "removed"))
        rejections = Rejections(added, removed, RejectedTexts(Path(folder) / "texts"))
        rejections.remember(_adding(rejected), "2026-01-01T10:00:00")
        compared = RejectedMeanings(rejections, InlineDisk())
        compared.use_model(meanings)
        later = _adding(facts)
        asyncio.run(compared.compare(later.before, later.proposed))
        waits, _ = rejections.split(later)
        return LEFT_OUT if waits is None else MARKED if waits.reasons else WAITS


def _adding(facts: Sequence[str]) -> Suggestion:
    lines = "\n".join(f"- {fact}" for fact in facts)
    passage = MemoryConflict("", "", lines)
    return Suggestion("aa", "2026-01-02T10:00:00", "# User\n", f"# User\n{lines}\n", (), "", 0, 0, (passage,))
