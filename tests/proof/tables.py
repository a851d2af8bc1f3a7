"""Prints the tables of the proofs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.proof.matrix import matrix
from tests.proof.peer_reading import Compared, compared
from tests.proof.planted import PROOFS, Planted, planted
from tests.proof.power import States, killed_then_cut, power
from tests.proof.scenarios import SCENARIOS, Scenario
from tests.proof.shim import FAULTS

QUICK_SHARE = 130
BUGS_TO_FIND = 13
_SHOWN = 40
_NUMBERS = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]+\b|killed again.*?:|\(.*?\)")


def print_table(what: str, *, quick: bool, only: str, jobs: int) -> int:
    """Runs one proof and print what it found; 1 where something failed."""
    scenarios = [each for each in SCENARIOS if each.name.startswith(only)]
    share = QUICK_SHARE if quick else 1
    if what == "matrix":
        return _print_matrix(share=share, jobs=jobs, scenarios=scenarios)
    if what == "peers":
        read = compared(quick=quick, jobs=jobs)
        _print_peers(read)
        return 1 if read.failures else 0
    if what == "planted":
        bugs = planted(quick=quick, jobs=jobs)
        _print_planted(bugs)
        return 0 if bugs.caught >= BUGS_TO_FIND else 1
    cut = (
        power(quick=quick, jobs=jobs, scenarios=scenarios)
        if what == "power"
        else killed_then_cut(quick=quick, jobs=jobs, scenarios=scenarios)
    )
    _print_states(cut)
    return 1 if cut.failures else 0


def _print_matrix(*, share: int, jobs: int, scenarios: Sequence[Scenario]) -> int:
    """Runs the matrix and prints its rows: of the whole matrix, which takes long, each once it is known."""
    kinds = [*(fault.name for fault in FAULTS), "second kill in recovery"]
    print(f"{'scenario':<32} {'calls':>5}  " + "  ".join(f"{kind:>12}" for kind in kinds), flush=True)
    runs, seconds, failures = 0, 0.0, list[str]()
    for together in [scenarios] if share > 1 else [[each] for each in scenarios]:
        table = matrix(share=share, jobs=jobs, scenarios=together)
        for name, calls in table.calls.items():
            counts = "  ".join(f"{table.runs[name, kind]:>{max(12, len(kind))}}" for kind in kinds)
            print(f"{name:<32} {calls:>5}  {counts}", flush=True)
        _print_failures(table.failures)
        runs, seconds, failures = runs + table.total, seconds + table.seconds, failures + table.failures
    print(f"{runs:,} runs in {seconds:.0f} s, {len(failures)} failures")
    return 1 if failures else 0


def _print_states(table: States) -> None:
    for name, count in table.looked_at.items():
        print(f"{name:<32} {count:>8} states")
    total = table.looked_at.total()
    print(f"{total:,} states in {table.seconds:.0f} s, {len(table.failures)} failures")
    _print_failures(table.failures)


def _print_planted(table: Planted) -> None:
    print(f"{'bug':<55} " + "  ".join(f"{proof:>16}" for proof in PROOFS))
    for each in table.found:
        said = [{None: "not asked", "": "-"}.get(each.by.get(proof), "found") for proof in PROOFS]
        print(f"{each.bug:<55} " + "  ".join(f"{word:>16}" for word in said))
        print("    " + next(filter(None, each.by.values()), "NOT FOUND")[:200])
    print(f"{table.caught} of {len(table.found)} found in {table.seconds:.0f} s")


def _print_peers(table: Compared) -> None:
    for version, count in table.states.items():
        print(f"nanobot-ai {version:<16} {count:>8} states read")
    print(f"{sum(table.states.values()):,} states in {table.seconds:.0f} s, {len(table.failures)} failures")
    _print_failures(table.failures)


def _print_failures(failures: Sequence[str]) -> None:
    """Prints each kind of failure once, with how often it was seen and its first case."""
    kinds: dict[str, list[str]] = {}
    for line in failures:
        kinds.setdefault(_NUMBERS.sub("…", line), []).append(line)
    for lines in list(kinds.values())[:_SHOWN]:
        print(f"FAILED {len(lines)} x {lines[0][:400]}")
