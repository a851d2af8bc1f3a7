"""Compares what the published versions of nanobot (the peers) read from a workspace that was killed at any point.

They read it before it is recovered, and after.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.proof.beginnings import COUNT, EDITED_AS, EDITED_FROM
from tests.proof.forks import in_fork, shared_out
from tests.proof.ground import Ground
from tests.proof.invariants import SAID
from tests.proof.opened import KEY
from tests.proof.power import distinct, recordable, recorded
from tests.proof.recording import Recording, Wrote
from tests.proof.reopening import recover
from tests.proof.scenarios import SCENARIOS, Scenario
from tests.support.peers import Read, read_by_nanobot

VERSIONS = ("0.1.4.post4", "0.3.0")
"""Those the files are promised to; each stands for a generation of the format."""


@dataclass
class Compared:
    """Counts how often a peer read the same as Mnemoscope, by version."""

    seconds: float = 0.0
    states: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def compared(*, quick: bool = False, versions: tuple[str, ...] = VERSIONS, jobs: int = 2) -> Compared:
    """Kills every scenario everywhere (`quick`: at every 72nd point); each peer reads before and after recovery."""
    began, table, scenarios = time.monotonic(), Compared(), recordable(SCENARIOS)
    # To begin a peer takes longer than the few states of a scenario that are looked at in a hurry.
    groups = [scenarios[job::jobs] for job in range(jobs)] if quick else [[each] for each in scenarios]
    with Ground() as ground:
        work = partial(_compare, ground, 72 if quick else 1, versions)
        for count, problems in shared_out(groups, work, jobs):
            for version in versions:
                table.states[version] = table.states.get(version, 0) + count
            table.failures += problems
    table.seconds = time.monotonic() - began
    return table


def _torn(recording: Recording) -> Iterator[Recording]:
    """Yields each write cut in half by the kill."""
    for place, op in enumerate(recording.log):
        if isinstance(op, Wrote) and len(op.data) > 1:
            half = Wrote(op.file, op.offset, op.data[: len(op.data) // 2])
            yield Recording(recording.before, recording.ids, [*recording.log[:place], half])


def _recovered(root: Path, _: object) -> None:
    recover(root)


@dataclass(frozen=True, slots=True)
class _Killed:
    """Holds what kills left of one scenario: as they left it, and recovered, each in a folder of its own."""

    scenario: Scenario
    recordings: list[Recording]
    before: list[Path]
    after: list[Path]


def _compare(
    ground: Ground, step: int, versions: tuple[str, ...], scenarios: Sequence[Scenario]
) -> tuple[int, list[str]]:
    """Returns how many states each version read, and what was wrong. They read copies of the same workspaces."""
    recordings = [recorded(ground, scenario) for scenario in scenarios]
    folder = ground.fresh()
    folder.mkdir()
    states, problems = list[_Killed](), list[str]()
    for number, (scenario, recording) in enumerate(zip(scenarios, recordings, strict=True)):
        killed = _killed(folder / str(number), scenario, [*distinct(recording), *_torn(recording)][::step])
        ended = [in_fork(partial(_recovered, root)) for root in killed.after]
        problems += [f"{scenario.name}: {problem}" for each in ended for problem in each.problems()]
        states.append(killed)
    for version in versions:
        roots = [root for each in states for root in (*each.before, *each.after)]
        reads = iter(read_by_nanobot(version, roots, folder / "read", KEY))
        for each in states:
            first, then = (list(islice(reads, len(each.recordings))) for _ in range(2))
            found = [*_read_before(each, first), *_read_after(each, then)]
            problems += [f"{version}, {each.scenario.name}: {problem}" for problem in found]
    return sum(2 * len(each.recordings) for each in states), problems


def _killed(folder: Path, scenario: Scenario, recordings: list[Recording]) -> _Killed:
    """Makes what each of the kills left, twice."""
    folder.mkdir()
    before, after = (
        [_made(folder / f"{name}-{number}", each) for number, each in enumerate(recordings)]
        for name in ("before", "after")
    )
    return _Killed(scenario, recordings, before, after)


def _read_before(killed: _Killed, reads: Sequence[Read]) -> Iterator[str]:
    for each, root, read in zip(killed.recordings, killed.before, reads, strict=True):
        if not _ends_torn(root):
            yield from _told_enough(read, _ways(killed.scenario, each.said()), f"killed at {len(each.log)}")


def _read_after(killed: _Killed, reads: Sequence[Read]) -> Iterator[str]:
    for each, root, read in zip(killed.recordings, killed.after, reads, strict=True):
        yield from _same(read, root, f"recovered from a kill at {len(each.log)}")


def _made(root: Path, killed: Recording) -> Path:
    killed.tree().write(root)
    return root


def _same(read: Read, root: Path, where: str) -> Iterator[str]:
    """Yields how the messages, the pointer and the memory that a peer reads differ from those that Mnemoscope reads."""
    ours = SessionManager(root, read_only=True).get_or_create(KEY)
    if ours.discretion is not Discretion.REMEMBERED:
        if read.messages(KEY):
            yield f"{where}: {len(read.messages(KEY))} messages of a discreet conversation"
        return
    if read.messages(KEY) != list(ours.messages):
        yield f"{where}: {len(read.messages(KEY))} messages, and {len(ours.messages)} of ours"
    if read.pointer(KEY) != ours.last_consolidated:
        yield f"{where}: the pointer is {read.pointer(KEY)}, and ours {ours.last_consolidated}"
    text = WorkspacePaths(root).memory_file.read_text(encoding="utf-8")
    if read.memory != f"## Long-term Memory\n{text}":
        yield f"{where}: another memory"


def _ways(scenario: Scenario, said: list[str]) -> list[list[str]]:
    """Returns the messages the person may rely on, on each way that the conversation takes: a peer reads the active
    one."""
    first = [f"m{number}" for number in range(COUNT)]
    # What is imported is a conversation of its own.
    later = [each for each in said if SAID.fullmatch(each) and not scenario.imports]
    if not scenario.branches:
        return [first + later]
    edited = [each for each in later if int(each.removeprefix("m")) >= EDITED_AS]
    return [first + [each for each in later if each not in edited], first[:EDITED_FROM] + edited]


def _told_enough(read: Read, ways: list[list[str]], where: str) -> Iterator[str]:
    """Yields a problem if a peer, right after a kill, reads neither a whole branch nor what /new begins."""
    found = [str(message["content"]) for message in read.messages(KEY)]
    if found and not any(_goes(found, way) for way in ways):
        yield f"{where}: reads {found}"


def _goes(found: list[str], way: list[str]) -> bool:
    """Returns what was deleted has no words."""
    return len(found) >= len(way) and all(one in ("", other) for one, other in zip(found, way, strict=False))


def _ends_torn(root: Path) -> bool:
    """Returns whether a session file has half a line, which 0.1.4 cannot read past; no program that appends can avoid
    it."""
    return any(not path.read_bytes().endswith(b"\n") for path in WorkspacePaths(root).sessions_dir.glob("*.jsonl"))
