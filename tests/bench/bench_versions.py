"""history.jsonl and the versions of memory: what years of them cost."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from mnemoscope.domain.commits import CommitNote
from mnemoscope.store.git.commit_history import CommitHistory
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.bench.rows import Row
from tests.support.dream_bench import DreamBench, edit
from tests.support.scripted_provider import says

TRIES = 60
RUNS = 9
MODEL_SECONDS = 5.0
MEMORY = "memory/MEMORY.md"


def rows(quick: bool) -> Iterator[Row]:
    small, large = (1_000, 10_000) if quick else (1_000, 1_000_000)
    with tempfile.TemporaryDirectory() as name:
        first, second = (_journal(Path(name) / str(count), count) for count in (small, large))
        yield from _tail(first, second, small, large)
    with tempfile.TemporaryDirectory() as name:
        yield from _versions(Path(name) / "w", 30 if quick else 5_000)
    with tempfile.TemporaryDirectory() as name:
        yield from asyncio.run(_dream(Path(name), *((20, 2) if quick else (500, RUNS))))


def _journal(root: Path, count: int) -> Journal:
    journal = Journal(WorkspacePaths(root))
    journal.file.parent.mkdir(parents=True)
    with journal.file.open("w", encoding="utf-8") as file:
        for cursor in range(1, count + 1):
            file.write(json.dumps({"cursor": cursor, "timestamp": "2026-04-03 00:02", "content": "x" * 300}) + "\n")
    journal.cursor_file.write_text(str(count))
    return journal


def _tail(small: Journal, large: Journal, few: int, many: int) -> Iterator[Row]:
    adding = [_each(partial(log.append, "- [durable] words")) for log in (small, large)]
    yield _ratio(f"an entry added, {many:,} / {few:,} entries", adding, 1.3)
    since = [log.last_cursor() - 20 for log in (small, large)]
    reading = [_each(partial(log.after, at)) for log, at in zip((small, large), since, strict=True)]
    yield _ratio(f"the 20 newest entries after the cursor, {many:,} / {few:,}", reading, 2.0)


def _versions(root: Path, commits: int) -> Iterator[Row]:
    now, chance = datetime(2020, 1, 1), random.Random(1)
    lines = [f"- fact {number}: {'x' * 50}" for number in range(1_500)]
    paths = WorkspacePaths(root)
    paths.memory_dir.mkdir(parents=True)
    paths.memory_file.write_text("\n".join(lines), encoding="utf-8")
    store = GitStore(root, clock=lambda: now)
    store.init()
    for number in range(commits):
        now += timedelta(hours=1)
        lines[chance.randrange(len(lines))] = f"- fact told anew {number}: {'y' * 40}"
        store.commit(CommitNote("Dream", f"Version {number}"), {MEMORY: "\n".join(lines).encode()})
    size = len("\n".join(lines)) / 1000
    what = f"a file of {size:.0f} kB with {commits:,} versions"
    history = CommitHistory(paths)
    yield _at_most(f"{what}: first page, index not there yet", lambda: history.page(MEMORY), 0.1)
    began = time.perf_counter()
    history.blame(MEMORY)
    took = time.perf_counter() - began
    yield Row(f"{what}: index and blame made, once, on a thread of its own", f"{took:.1f} s", "-", True)
    history.close()
    again = CommitHistory(paths)
    yield _at_most(f"{what}: first page", lambda: again.page(MEMORY), 0.1)
    yield _at_most(f"{what}: blame", lambda: again.blame(MEMORY), 0.1)
    again.close()


async def _dream(root: Path, commits: int, runs: int) -> list[Row]:
    """Runs of two calls that a model answers at once: what is left is our own time."""
    took, held = list[float](), list[float]()
    async with DreamBench(root) as opened:
        lines = [f"- fact {number}: {'x' * 50}" for number in range(1_500)]
        opened.paths.memory_file.write_text("# Memory\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
        await opened.bench.disk.run(opened.bench.memory.editing.read_text)
        store = GitStore(root)
        store.init()
        for number in range(commits):
            store.commit(CommitNote("You", f"Version {number}"), {"SOUL.md": f"Be brief {number}.\n".encode()})
        (root / "SOUL.md").write_text(f"Be brief {commits - 1}.\n", encoding="utf-8")
        for number in range(runs):
            for _ in range(20):
                opened.journal.append(f"- [durable] Has a cat number {number}")
            old = f"- fact {number}: {'x' * 50}"
            opened.provider.then(edit(old, f"{old}\n- has a cat number {number}"), says("Done."))
            began, busy = time.perf_counter(), time.thread_time()
            run = await opened.bench.dreaming.run_now()
            took.append(time.perf_counter() - began)
            held.append(time.thread_time() - busy)
            assert run is not None
            assert run.commit
    share = statistics.median(took) / (2 * MODEL_SECONDS)
    what = f"a Dream run over a file of 100 kB with {commits:,} versions"
    own = statistics.median(held)
    return [
        Row(f"{what}: our own time beside a {MODEL_SECONDS:.0f} s model call", f"{share:.1%}", "<= 2 %", share <= 0.02),
        Row(f"{what}: all of it on the window's thread", f"{own * 1000:.1f} ms", "<= 10 ms", own <= 0.01),
    ]


def _each(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def _ratio(what: str, pair: list[float], limit: float) -> Row:
    ratio = pair[1] / pair[0]
    return Row(what, f"{ratio:.2f} x ({pair[1] * 1000:.2f} ms)", f"<= {limit} x", ratio <= limit)


def _at_most(what: str, work: Callable[[], object], limit: float) -> Row:
    began = time.perf_counter()
    work()
    took = time.perf_counter() - began
    return Row(what, f"{took * 1000:.1f} ms", f"<= {limit * 1000:.0f} ms", took <= limit)
