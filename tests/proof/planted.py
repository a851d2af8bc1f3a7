"""Which proof finds which planted bug: a proof that finds none of them would prove nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from tests.proof.bugs import BUGS, bug_named
from tests.proof.forks import shared_out
from tests.proof.ground import Ground, Plant
from tests.proof.matrix import Run, calls_of, do, runs_of
from tests.proof.power import distinct, problems_of_state, recordable, recorded, recovered, states
from tests.proof.scenarios import SCENARIOS, Scenario
from tests.proof.shim import FAULTS, KILL

_NAMES = ("consolidate while talking", "consolidate beside an editor", "send", "open a peer's workspace", "/new")
_SCENARIOS = [each for each in SCENARIOS if each.name in _NAMES]


@dataclass
class Found:
    """The first problem each proof saw with one bug, "" where it saw none; missing where it was not asked."""

    bug: str
    by: dict[str, str] = field(default_factory=dict)

    @property
    def is_found(self) -> bool:
        return any(self.by.values())


@dataclass
class Planted:
    """All bugs."""

    found: list[Found]
    seconds: float

    @property
    def caught(self) -> int:
        return sum(each.is_found for each in self.found)


def planted(*, quick: bool = False, jobs: int = 2) -> Planted:
    """Lets every proof look for every bug; `quick`: until one has found it, the likeliest first."""
    began = time.monotonic()
    with Ground() as ground:
        for scenario in _SCENARIOS:
            ground.template(scenario)
        names = [bug.name for bug in BUGS]
        found = shared_out(names, partial(_look_for, ground, quick), jobs)
    return Planted(found, time.monotonic() - began)


def _look_for(ground: Ground, quick: bool, name: str) -> Found:
    found, bug = Found(name), bug_named(name)
    for proof in sorted(PROOFS, key=lambda proof: proof != bug.by):
        if not (quick and found.is_found):
            found.by[proof] = _first(PROOFS[proof](ground, bug.plant))
    return found


def _first(problems: Iterable[str]) -> str:
    try:
        return next(iter(problems), "")
    except AssertionError as error:
        # It does not even work undisturbed.
        return str(error)


def _by_kill(ground: Ground, plant: Plant) -> Iterator[str]:
    for scenario in _SCENARIOS:
        calls = calls_of(ground, scenario, plant)
        for run in (Run(scenario, 0, KILL), *runs_of(scenario, calls, FAULTS[:2])):
            yield from (f"{run.name}: {problem}" for problem in do(ground, run, plant).problems)


def _by_power(ground: Ground, plant: Plant) -> Iterator[str]:
    for scenario in recordable(_SCENARIOS):
        for state in states(scenario, recorded(ground, scenario, plant)):
            yield from problems_of_state(ground, state, plant)


def _by_both(ground: Ground, plant: Plant) -> Iterator[str]:
    for scenario in _committing(recordable(_SCENARIOS)):
        for killed in distinct(recorded(ground, scenario, plant)):
            again = recovered(ground, scenario, killed, plant)
            for state in states(scenario, again, len(killed.log) + 1):
                yield from problems_of_state(ground, state, plant)


def _committing(scenarios: list[Scenario]) -> list[Scenario]:
    return [each for each in scenarios if each.name.startswith("consolidate")]


PROOFS = {"kill": _by_kill, "power": _by_power, "kill, then power": _by_both}
