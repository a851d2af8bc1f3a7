"""Tombstones: how often a forgotten fact is held when it comes back in other words, and how often an honest new one
is.

`tests/corpus/forgetting.json` holds forgotten facts, each with wordings under which it comes back and with new facts
near it in topic, in English, Uzbek in both alphabets, Russian and Chinese. `resources/bench/honest.json` holds what
people said and the note of it: each note is compared with what all the other people said, as if it had been forgotten.
`tests/corpus/unseen` holds more such facts, of which no rule knew when they were written: `bench_unseen` counts their
halves, and here the honest facts of each set have the same bound.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from tests.bench.rows import Row

CORPUS: Final = Path(__file__).parents[1] / "corpus"
HELD: Final = 0.9
HONEST_HELD: Final = 0.01
_LINES: Final = 2_000


def rows(quick: bool) -> Iterator[Row]:
    """Yields the shares of what is held, and what it costs to look at a new line."""
    cases = json.loads((CORPUS / "forgetting.json").read_text("utf-8"))["facts"]
    facts = json.loads(shipped("resources", "bench", "honest.json").read_text("utf-8"))["facts"]
    again = near = held_again = held_near = 0
    for case in cases:
        again += len(case["again"])
        near += len(case["near"])
        held_again += _held([case["forgotten"]], case["again"])
        held_near += _held([case["forgotten"]], case["near"])
    share = held_again / again
    yield Row(f"{again} other wordings of a forgotten fact held", f"{share:.1%}", f">= {HELD:.0%}", share >= HELD)
    share = held_near / near
    yield Row(
        f"{near} honest new facts near a forgotten one held",
        f"{share:.1%}",
        f"<= {HONEST_HELD:.0%}",
        share <= HONEST_HELD,
    )
    for path in sorted((CORPUS / "unseen").glob("**/forgetting_open.json")):
        yield _of_unseen(path)
    some = facts[:: 16 if quick else 1]
    wrong = sum(_held([fact["said"]], [other["fact"] for other in facts if other is not fact]) for fact in some)
    share = wrong / (len(some) * (len(facts) - 1))
    yield Row(
        "pairs of unlike notes of honest.json held", f"{share:.3%}", f"<= {HONEST_HELD:.0%}", share <= HONEST_HELD
    )
    yield _cost([case["forgotten"] for case in cases], 200 if quick else _LINES)


def _of_unseen(path: Path) -> Row:
    """Returns the row of both halves of a set."""
    cases = [
        *json.loads(path.read_text("utf-8")),
        *json.loads(path.with_name("forgetting_sealed.json").read_text("utf-8")),
    ]
    near = sum(len(case["near"]) for case in cases)
    share = sum(_held([case["forgotten"]], case["near"]) for case in cases) / near
    name = "first" if path.parent.name == "unseen" else path.parent.name
    what = f"{name} unseen set: {near} honest new facts near a forgotten one held"
    return Row(what, f"{share:.1%}", f"<= {HONEST_HELD:.0%}", share <= HONEST_HELD)


def _cost(texts: Sequence[str], lines: int) -> Row:
    with _tombstones_of([f"{text} {number}" for number in range(15) for text in texts]) as stones:
        stones.match("")
        begun = time.perf_counter()
        for number in range(lines):
            stones.match(f"- The meeting about shelf {number} is in the large room on the third floor")
        each = (time.perf_counter() - begun) / lines
        what = f"a new line compared with {stones.count:,} tombstones"
    return Row(what, f"{1e6 * each:.0f} us", "<= 10000 us", each <= 0.01)


@contextmanager
def _tombstones_of(texts: Sequence[str]) -> Iterator[Tombstones]:
    """Yields the tombstones of these texts, in a folder that passes."""
    with TemporaryDirectory() as folder:
        stones = Tombstones(Path(folder) / "tombstones.json", TombstoneKey())
        stones.add(texts)
        yield stones


def _held(forgotten: Sequence[str], texts: Sequence[str]) -> int:
    with _tombstones_of(forgotten) as stones:
        return sum(stones.match(text) is not None for text in texts)
