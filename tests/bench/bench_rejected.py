"""Rejections: how often a proposal that was rejected is left out when it comes back in other words, and how often one
that says something else is left out wrongly.

`tests/corpus/rejected` holds the pairs. Rules may be mended by the open half; the sealed one is only counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.store.forgetting.rejected_texts import RejectedTexts
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from tests.bench.rows import Row

CORPUS: Final = Path(__file__).parents[1] / "corpus" / "rejected"
HELD: Final = 0.8
WRONGLY: Final = 0.05


def rows(quick: bool) -> Iterator[Row]:
    """Yields the shares of the open half, and unless in haste those of the sealed one."""
    for half in ("open",) if quick else ("open", "sealed"):
        pairs = [json.loads(line) for line in (CORPUS / f"{half}.jsonl").read_text("utf-8").splitlines()]
        for is_same, words, target in ((True, "in other words, left out", HELD), (False, "others, left out", WRONGLY)):
            wanted = [pair for pair in pairs if pair["same"] is is_same]
            count = sum(map(is_left_out, wanted))
            share = count / len(wanted)
            yield Row(
                f"{half} half: of {len(wanted)} later proposals {words}",
                f"{count} ({share:.0%})",
                f"{'>=' if is_same else '<='} {target:.0%}",
                share >= target if is_same else share <= target,
            )


def is_left_out(pair: dict[str, Any]) -> bool:
    """Returns whether the later proposal of a pair is left out once the other was rejected."""
    with TemporaryDirectory() as folder:
        added, removed = (Tombstones(Path(folder) / name, TombstoneKey()) for name in ("added", "removed"))
        rejections = Rejections(added, removed, RejectedTexts(Path(folder) / "texts"))
        rejections.remember(_adding(pair["rejected"]), "2026-01-01T10:00:00")
        waits, _ = rejections.split(_adding(pair["later"]))
        return waits is None


def _adding(fact: str) -> Suggestion:
    line = f"- {fact}"
    passage = MemoryConflict("", "", line)
    return Suggestion("aa", "2026-01-02T10:00:00", "# User\n", f"# User\n{line}\n", (), "", 0, 0, (passage,))
