"""Two facts that disagree: how often the rules find it, and how often they see it where there is none.

`tests/corpus/disagreement` holds pairs of facts in English, Russian, Chinese and Uzbek in both alphabets. The rules
were tuned on `open.json`; `sealed.json` was only measured until it was opened, and its misses were studied since.
`sealed_second.json` was written after that and is only measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.disagreement.fact_comparison import disagree
from tests.bench.rows import Row

FOLDER: Final = Path(__file__).parents[1] / "corpus" / "disagreement"
PRECISION: Final = 0.9
RECALL: Final = 0.8


def rows(quick: bool) -> Iterator[Row]:
    del quick
    for half, words in (("open", "tuned on"), ("sealed", "opened since"), ("sealed_second", "only measured")):
        pairs: list[dict[str, Any]] = json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))
        precision, recall = figures(pairs)
        reached = precision >= PRECISION and recall >= RECALL
        what = f"facts that disagree, {words} ({len(pairs)} pairs): precision / recall"
        yield Row(what, f"{precision:.3f} / {recall:.3f}", f">= {PRECISION} / {RECALL}", reached)
        for language in sorted({pair["language"] for pair in pairs}):
            precision, recall = figures([pair for pair in pairs if pair["language"] == language])
            yield Row(
                f"facts that disagree, {words}: {language}", f"{precision:.3f} / {recall:.3f}", "shown", passed=True
            )


def figures(pairs: list[dict[str, Any]]) -> tuple[float, float]:
    """Returns precision and recall over labelled pairs."""
    found = [(disagree(pair["old"], pair["new"]), pair["disagree"]) for pair in pairs]
    right = found.count((True, True))
    return right / max(1, right + found.count((True, False))), right / max(1, right + found.count((False, True)))
