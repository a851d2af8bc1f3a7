"""Tells which proof finds which planted bug: a proof that finds none of them would prove nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from tests.proof.bugs import BUGS, bug_named
from tests.proof.forks import shared_out
from tests.proof.ground import Ground, Plant
from tests.proof.matrix import Run, calls_of, do, runs_of
from tests.proof.power import State, distinct, problems_of_state, recordable, recorded, recovered, states
from tests.proof.scenarios import SCENARIOS, Scenario
from tests.proof.shim import FAULTS, KILL

_NAMES = ("consolidate while talking", "consolidate beside an editor", "send", "open a peer's workspace", "/new")
_SCENARIOS = [each for each in SCENARIOS if each.name in _NAMES]
_APART = 8
Item = TypeVar("Item")


@dataclass
class Found:
    """Holds the first problem that each proof saw with one bug, "" if none; a proof that was not asked is missing."""

    bug: str
    by: dict[str, str] = field(default_factory=dict)

    @property
    def is_found(self) -> bool:
        return any(self.by.values())


@dataclass
class Planted:
    """Reports which proofs found each bug, and the seconds that this took."""

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
    scenarios = sorted(_SCENARIOS, key=lambda each: each.name != bug.scenario)
    for proof in sorted(PROOFS, key=lambda proof: proof != bug.by):
        if not (quick and found.is_found):
            found.by[proof] = _first(PROOFS[proof](ground, bug.plant, scenarios))
    return found


def _spread(items: Iterable[Item]) -> list[Item]:
    """Returns every eighth item first, then those behind them: what is wrong at several places one after another is
    found sooner so."""
    known = list(items)
    return [each for start in range(_APART) for each in known[start::_APART]]


def _first(problems: Iterable[str]) -> str:
    try:
        return next(iter(problems), "")
    except AssertionError as error:
        # It does not even work undisturbed.
        return str(error)


def _by_kill(ground: Ground, plant: Plant, scenarios: Sequence[Scenario]) -> Iterator[str]:
    for scenario in scenarios:
        calls = calls_of(ground, scenario, plant)
        for run in (Run(scenario, 0, KILL), *_spread(runs_of(scenario, calls, FAULTS[:2]))):
            yield from (f"{run.name}: {problem}" for problem in do(ground, run, plant).problems)


def _by_power(ground: Ground, plant: Plant, scenarios: Sequence[Scenario]) -> Iterator[str]:
    for scenario in recordable(scenarios):
        for state in _spread(states(scenario, recorded(ground, scenario, plant))):
            yield from problems_of_state(ground, state, plant)


def _by_both(ground: Ground, plant: Plant, scenarios: Sequence[Scenario]) -> Iterator[str]:
    for scenario in _committing(recordable(scenarios)):
        after: list[State] = []
        for killed in distinct(recorded(ground, scenario, plant)):
            after += states(scenario, recovered(ground, scenario, killed, plant), len(killed.log) + 1)
        for state in _spread(after):
            yield from problems_of_state(ground, state, plant)


def _committing(scenarios: Sequence[Scenario]) -> list[Scenario]:
    return [each for each in scenarios if each.name.startswith("consolidate")]


PROOFS: dict[str, Callable[[Ground, Plant, Sequence[Scenario]], Iterator[str]]] = {
    "kill": _by_kill,
    "power": _by_power,
    "kill, then power": _by_both,
}
