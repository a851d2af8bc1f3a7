"""Power cuts: a scenario is recorded once, then every state a cut may leave at any point of it is made and reopened.

In the form `recovery` the process is killed first, another one recovers, and the power goes while it does.
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from tests.proof.forks import in_fork, shared_out
from tests.proof.ground import Ground, Plant
from tests.proof.recording import Cut, Named, Recording, RecordingCalls, Tree, prefixes
from tests.proof.reopening import problems_after, recover
from tests.proof.scenarios import SCENARIOS, Scenario, play

_ALL_COMBINATIONS = 64
_RANDOM = 12
QUICK_CUTS, QUICK_KILLS, QUICK_CUTS_OF_A_RECOVERY = 30, 60, 60
"""In the quick form one of so many states is looked at; of a recovery after one of so many kills, one of so many."""


@dataclass(frozen=True)
class State:
    """Holds what a power cut left, and what the person had been told by then."""

    scenario: Scenario
    where: str
    tree: Tree
    said: tuple[str, ...]


@dataclass
class States:
    """Counts the states looked at by scenario, and holds what was wrong with them."""

    seconds: float = 0.0
    looked_at: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def recorded(ground: Ground, scenario: Scenario, plant: Plant = lambda: None) -> Recording:
    """Returns one undisturbed run, written down."""
    root = ground.copy(scenario)

    def work(_: object) -> Recording:
        plant()
        calls = RecordingCalls(root)
        play(scenario, root, calls.say, calls.begin, calls)
        assert calls.recording is not None
        return calls.recording

    ended = in_fork(work)
    if wrong := ended.problems():
        raise AssertionError(f"{scenario.name} does not work without any fault: {wrong}")
    recording: Recording = ended.result
    return recording


def recovered(ground: Ground, scenario: Scenario, killed: Recording, plant: Plant = lambda: None) -> Recording:
    """Returns the recording of a process that was killed, gone on by the one that recovers."""
    root = ground.fresh()
    killed.tree().write(root)

    def work(_: object) -> Recording:
        plant()
        calls = RecordingCalls(root, killed)
        recover(root, calls=calls)
        assert calls.recording is not None
        return calls.recording

    ended = in_fork(work)
    # The bytes that both begin with are held once.
    return Recording(killed.before, killed.ids, ended.result.log) if ended.result else killed


def states(scenario: Scenario, recording: Recording, start: int = 0, seed: int = 1) -> Iterator[State]:
    """Yields every state a cut may leave from place `start` on; the same state is given once."""
    seen = set()
    for prefix in prefixes(recording, start):
        said = tuple(prefix.said())
        for fates in _fates(prefix, random.Random(seed)):
            tree = prefix.tree(fates)
            if (identity := (tree.identity(), said)) not in seen:
                seen.add(identity)
                doubt = ", ".join(f"{place} {fate}" for place, fate in fates.items() if fate != "kept")
                yield State(scenario, f"cut at {len(prefix.log)} ({doubt or 'all kept'})", tree, said)


def problems_of_state(ground: Ground, state: State, plant: Plant = lambda: None) -> list[str]:
    """Opens the workspace a power cut left, and say what does not hold."""
    root = ground.fresh()
    state.tree.write(root)

    def work(_: object) -> list[str]:
        plant()
        return problems_after(root, state.scenario, state.said)

    ended = in_fork(work)
    problems = [*ended.problems(), *(ended.result or [])]
    return [f"{state.scenario.name}: {state.where}: {problem}" for problem in problems]


def power(*, quick: bool = False, jobs: int = 2, scenarios: Sequence[Scenario] = SCENARIOS) -> States:
    """Returns every power cut in every scenario; `quick`: an evenly spread part of them."""
    with Ground() as ground:
        began, kept = time.monotonic(), recordable(scenarios)
        shares = shared_out(kept, partial(_cuts, ground), jobs)
        every = [state for share in shares for state in share]
        return _looked_at(ground, every[:: QUICK_CUTS if quick else 1], jobs, began)


def killed_then_cut(*, quick: bool = False, jobs: int = 2, scenarios: Sequence[Scenario] = SCENARIOS) -> States:
    """Returns a kill at every point, and power cuts at every point of the recovery after it; `quick`: an evenly spread
    part of both, one kill at least in every scenario."""
    with Ground() as ground:
        began, kept = time.monotonic(), recordable(scenarios)
        shares = shared_out(kept, partial(_cuts_after_kills, ground, quick), jobs)
        return _looked_at(ground, [state for share in shares for state in share], jobs, began)


def _cuts(ground: Ground, scenario: Scenario) -> list[State]:
    return list(states(scenario, recorded(ground, scenario)))


def _cuts_after_kills(ground: Ground, quick: bool, scenario: Scenario) -> list[State]:
    """Kills at different points often leave the same state; it is looked at once."""
    found: dict[object, State] = {}
    kills, cuts = (QUICK_KILLS, QUICK_CUTS_OF_A_RECOVERY) if quick else (1, 1)
    points = list(distinct(recorded(ground, scenario)))
    for start in range(0, len(points), kills):
        # In the middle of each share: at the first point there is nothing to recover yet.
        killed = points[(start + min(start + kills, len(points))) // 2]
        again = recovered(ground, scenario, killed)
        for state in itertools.islice(states(scenario, again, len(killed.log) + 1), 0, None, cuts):
            found.setdefault((state.tree.identity(), state.said), state)
    return list(found.values())


def recordable(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Returns those in which nobody else writes: another program's calls are not recorded."""
    return [each for each in scenarios if not each.outside]


def distinct(recording: Recording) -> Iterator[Recording]:
    """Yields the points at which a kill leaves something else than at the point before."""
    last = None
    for prefix in prefixes(recording):
        identity = prefix.tree().identity(), prefix.in_doubt()
        if identity != last:
            last = identity
            yield prefix


def _looked_at(ground: Ground, found: Sequence[State], jobs: int, began: float) -> States:
    table = States()
    for state in found:
        table.looked_at[state.scenario.name] += 1
    for problems in shared_out(found, partial(problems_of_state, ground), jobs):
        table.failures += problems
    table.seconds = time.monotonic() - began
    return table


def _fates(prefix: Recording, chance: random.Random) -> Iterator[dict[int, str]]:
    """Combinations of what may have become of everything in doubt: all where they are few, else the telling ones."""
    doubt = prefix.in_doubt()
    choices = {place: _choices(prefix, place) for place in doubt}
    total = 1
    for each in choices.values():
        total *= len(each)
    if total <= _ALL_COMBINATIONS:
        for combination in itertools.product(*choices.values()):
            yield dict(zip(doubt, combination, strict=True))
        return
    yield {}
    for usual in ("kept", "dropped"):
        for place in doubt:
            for fate in choices[place]:
                yield {**dict.fromkeys(doubt, usual), place: fate}
    for _ in range(_RANDOM):
        yield {place: chance.choice(choices[place]) for place in doubt}


def _choices(prefix: Recording, place: int) -> tuple[str, ...]:
    if isinstance(prefix.log[place], Cut | Named):
        return ("kept", "dropped")
    return ("kept", "dropped", "halved", "zeroed")
