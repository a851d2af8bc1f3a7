"""The kill and fault matrix: every call of every scenario, with every fault, then another process opens the workspace.

Runs in a process with the shim in it (see __main__); each run is a fork of that process. A call that is killed while
recovering from an earlier kill is a run too.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby
from pathlib import Path

from tests.proof import shim
from tests.proof.forks import Ended, Say, in_fork, shared_out
from tests.proof.ground import Ground, Plant
from tests.proof.reopening import problems_after, recover
from tests.proof.scenarios import SCENARIOS, Scenario, play
from tests.proof.shim import FAULTS, KILL, Fault


@dataclass(frozen=True)
class Run:
    """Describes one run: `fault` comes at call `at`, and a second kill at call `again` of the recovery, 0 for none."""

    scenario: Scenario
    at: int
    fault: Fault
    again: int = 0

    @property
    def name(self) -> str:
        twice = f", killed again at {self.again}" if self.again else ""
        return f"{self.scenario.name}: {self.fault.name} at call {self.at}{twice}"


@dataclass
class Result:
    """Reports what a run showed. `reached`: the fault came; `recovery_calls`: how many calls the recovery made."""

    run: Run
    reached: bool = True
    recovery_calls: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass
class Table:
    """Counts all runs by scenario and fault, and holds what went wrong."""

    seconds: float = 0.0
    calls: dict[str, int] = field(default_factory=dict)
    runs: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.runs.values())


def calls_of(ground: Ground, scenario: Scenario, plant: Plant = lambda: None) -> list[str]:
    """Returns the mutating calls of a scenario without any fault, one "number name path" each."""
    root = ground.copy(scenario)
    trace = ground.folder / f"trace-{os.getpid()}"
    descriptor = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    ended = in_fork(lambda say: _act(scenario, root, say, 0, None, plant, descriptor))
    os.close(descriptor)
    refused = [line for line in ended.said if line.startswith(("refused", "not opened"))]
    after = in_fork(lambda _: _checked(root, scenario, ended.said, plant, go_on=True))
    if wrong := [*ended.problems(), *refused, *after.problems(), *(after.result or [])]:
        raise AssertionError(f"{scenario.name} does not work without any fault: {wrong}")
    return trace.read_text().splitlines()


def runs_of(scenario: Scenario, calls: Sequence[str], faults: Iterable[Fault] = FAULTS) -> Iterator[Run]:
    """Yields each call with each fault that is one there."""
    for fault in faults:
        for at, call in enumerate(calls, 1):
            if not fault.writes_only or call.split()[1] == "write":
                yield Run(scenario, at, fault)


def do(ground: Ground, run: Run, plant: Plant = lambda: None) -> Result:
    """Makes one run and say what it showed."""
    root = ground.copy(run.scenario)
    ended = in_fork(lambda say: _act(run.scenario, root, say, run.at, run.fault, plant))
    result = Result(run, reached=ended.was_killed or not run.fault.kills, problems=ended.problems())
    if ended.was_killed != run.fault.kills and result.reached:
        result.problems.append(f"ended with {ended.status}")
    result.problems += _stuck(run, ended)
    if ended.was_killed:
        result.recovery_calls = _count_recovery(ground, root, plant)
    after = in_fork(lambda _: _checked(root, run.scenario, ended.said, plant, go_on=True))
    result.problems += [*after.problems(), *(after.result or [])]
    return result


def kill_again(ground: Ground, runs: Sequence[Run], plant: Plant = lambda: None) -> list[Result]:
    """Makes the runs that differ in their second kill alone: each recovers its own copy of what the first kill left."""
    first = runs[0]
    root = ground.copy(first.scenario)
    ended = in_fork(lambda say: _act(first.scenario, root, say, first.at, first.fault, plant))
    left = root.with_name(root.name + "-left")
    shutil.rmtree(left, ignore_errors=True)
    root.rename(left)
    return [_recovered_again(run, left, root, ended, plant) for run in runs]


def _recovered_again(run: Run, left: Path, root: Path, ended: Ended, plant: Plant) -> Result:
    """Returns what a second kill showed. `left`: the state after the first one; `root`: where it happened."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(left, root, symlinks=True)
    second = in_fork(lambda _: _recover(root, run.again, plant))
    after = in_fork(lambda _: _checked(root, run.scenario, ended.said, plant, go_on=False))
    result = Result(run, reached=ended.was_killed and second.was_killed)
    if not ended.was_killed:
        result.problems.append(f"ended with {ended.status} where it was killed before")
    result.problems += [*ended.problems(), *second.problems(), *after.problems(), *(after.result or [])]
    return result


def matrix(*, share: int = 1, jobs: int = 2, scenarios: Sequence[Scenario] = SCENARIOS) -> Table:
    """Returns the whole matrix, or one in `share` of its runs, evenly spread."""
    began, table = time.monotonic(), Table()
    with Ground() as ground:
        traces = shared_out(scenarios, partial(calls_of, ground), jobs)
        runs: list[Run] = []
        for scenario, calls in zip(scenarios, traces, strict=True):
            table.calls[scenario.name] = len(calls)
            runs += runs_of(scenario, calls)
        first = shared_out(runs[::share], partial(do, ground), jobs)
        twice = [Run(each.run.scenario, each.run.at, KILL, again) for each in first for again in _again(each)]
        groups = [list(group) for _, group in groupby(twice[:: share * share], key=lambda run: (run.scenario, run.at))]
        second = shared_out(groups, partial(kill_again, ground), jobs)
    for result in (*first, *chain.from_iterable(second)):
        _enter(table, result)
    table.seconds = time.monotonic() - began
    return table


def _again(result: Result) -> range:
    return range(1, result.recovery_calls + 1 if result.run.fault == KILL else 1)


def _enter(table: Table, result: Result) -> None:
    if result.reached:
        kind = "second kill in recovery" if result.run.again else result.run.fault.name
        table.runs[result.run.scenario.name, kind] += 1
    table.failures += [f"{result.run.name}: {problem}" for problem in result.problems]


def _stuck(run: Run, ended: Ended) -> list[str]:
    """Returns a problem if a step was not done at the second try, although the fault had passed."""
    lasting = run.fault in FAULTS[-2:]
    if run.fault.kills or lasting or any(line.startswith("not opened") for line in ended.said):
        return []
    undone = [n for n in range(len(run.scenario.steps)) if f"did {n}" not in ended.said]
    return [f"refused again though the fault had passed: {ended.said}"] if undone else []


def _act(scenario: Scenario, root: Path, say: Say, at: int, fault: Fault | None, plant: Plant, trace: int = -1) -> None:
    plant()
    play(scenario, root, say, lambda: shim.arm(root, at, fault, trace))
    shim.disarm()


def _recover(root: Path, at: int, plant: Plant) -> int:
    plant()
    recover(root, lambda: shim.arm(root, at, KILL))
    return shim.count()


def _count_recovery(ground: Ground, root: Path, plant: Plant) -> int:
    """Returns how many calls recovering this state makes, found out on a copy of it."""
    copy = root.with_name(root.name + "-counted")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, symlinks=True)
    ended = in_fork(lambda _: _recover(copy, 0, plant))
    return ended.result or 0


def _checked(root: Path, scenario: Scenario, said: list[str], plant: Plant, *, go_on: bool) -> list[str]:
    plant()
    shim.disarm()
    return problems_after(root, scenario, said, go_on=go_on)
