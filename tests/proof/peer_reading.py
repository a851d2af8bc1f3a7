"""What the published versions of nanobot (the peers) read from a workspace that was killed at any point.

They read it before it is recovered, and after.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
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
    """How often a peer read the same as Mnemoscope, by version."""

    seconds: float = 0.0
    states: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def compared(*, quick: bool = False, versions: tuple[str, ...] = VERSIONS, jobs: int = 2) -> Compared:
    """Kills every scenario everywhere (`quick`: at every 36th point); each peer reads before and after recovery."""
    began, table = time.monotonic(), Compared()
    with Ground() as ground:
        work = partial(_compare, ground, 36 if quick else 1, versions)
        for count, problems in shared_out(recordable(SCENARIOS), work, jobs):
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


def _compare(ground: Ground, step: int, versions: tuple[str, ...], scenario: Scenario) -> tuple[int, list[str]]:
    """Returns how many states each version read, and what was wrong. They read copies of the same workspaces."""
    recording = recorded(ground, scenario)
    killed = [*distinct(recording), *_torn(recording)][::step]
    folder = ground.fresh()
    folder.mkdir()
    before = [_made(folder / f"before-{number}", each) for number, each in enumerate(killed)]
    after = [_made(folder / f"after-{number}", each) for number, each in enumerate(killed)]
    ended = [in_fork(partial(_recovered, root)) for root in after]
    problems = [f"{scenario.name}: {problem}" for each in ended for problem in each.problems()]
    for version in versions:
        reads = read_by_nanobot(version, [*before, *after], folder / "read", KEY)
        first, then = reads[: len(killed)], reads[len(killed) :]
        found = [*_read_before(scenario, killed, before, first), *_read_after(killed, after, then)]
        problems += [f"{version}, {scenario.name}: {problem}" for problem in found]
    return 2 * len(killed), problems


def _read_before(
    scenario: Scenario, killed: Sequence[Recording], roots: Sequence[Path], reads: Sequence[Read]
) -> Iterator[str]:
    for each, root, read in zip(killed, roots, reads, strict=True):
        if not _ends_torn(root):
            yield from _told_enough(read, _ways(scenario, each.said()), f"killed at {len(each.log)}")


def _read_after(killed: Sequence[Recording], roots: Sequence[Path], reads: Sequence[Read]) -> Iterator[str]:
    for each, root, read in zip(killed, roots, reads, strict=True):
        yield from _same(read, root, f"recovered from a kill at {len(each.log)}")


def _made(root: Path, killed: Recording) -> Path:
    killed.tree().write(root)
    return root


def _same(read: Read, root: Path, where: str) -> Iterator[str]:
    """Messages, pointer and memory are what Mnemoscope itself reads."""
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
    """Right after a kill a peer reads every message of one way, or the conversation begun anew by /new."""
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
