"""A transcript of Claude Code of 1 and of 100 MB, who wrote the lines of memory, and an export of ChatGPT, imported."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.store.foreign.agents.claude_code import ClaudeCodeStore
from tests.bench.rows import Row
from tests.foreign_stores import chatgpt
from tests.foreign_stores.claude_code import PROJECT, SESSION, ClaudeRecords, call
from tests.foreign_stores.edit_histories import PATH, Telling, edit_history

_TEXT = "the nightly import ran dry again so we moved it behind the pool and kept twenty connections for the rest "
_IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" * 400


def rows(quick: bool) -> Iterator[Row]:
    """Measures in a folder of its own."""
    small, large = (1 << 20, 3 << 20) if quick else (1 << 20, 100 << 20)
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        roots = {size: _store(Path(folder) / str(size), size) for size in (small, large)}
        yield from _first_rows(roots[small], roots[large], large >> 20)
        yield from _opened(roots[large], large >> 20)
    yield from _blame(3 if quick else 60)
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        yield from _imported(Path(folder), 50 if quick else 3_000)


def _store(root: Path, size: int) -> Path:
    """Makes a store with one transcript of so many bytes: a third of its answers call a tool, and half of its bytes are
    images, as in long ones of people."""
    path = root / "projects" / PROJECT / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    talk, written, number = ClaudeRecords(), 0, 0
    with path.open("wb") as file:
        while written < size:
            number += 1
            talk.person(f"{number} {_TEXT}")
            talk.answer(f"{number} {_TEXT * 3}", id_=f"m{number}")
            if number % 3 == 0:
                talk.answer(call(f"t{number}", "Read", file_path="/home/ada/notes/a.py"), id_=f"m{number}")
                picture = [{"type": "image", "source": {"type": "base64", "data": _IMAGE}}]
                talk.result(f"t{number}", picture if number % 9 == 0 else _TEXT * 20)
                talk.answer(f"{number} done")
            data = talk.data()
            written += file.write(data)
            talk.records.clear()
    return root


def _timed(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin


def _newest(root: Path) -> object:
    return ClaudeCodeStore(root).newest(SESSION, 200)


def _first_rows(small: Path, large: Path, megabytes: int) -> Iterator[Row]:
    times = [min(_timed(partial(_newest, root)) for _ in range(5)) for root in (small, large)]
    figure = f"{times[1] / times[0]:.2f} x ({times[1] * 1e3:.0f} / {times[0] * 1e3:.0f} ms)"
    yield Row(f"first 200 rows of {megabytes} MB / of 1 MB", figure, "<= 1 s", times[1] <= 1)


def _opened(root: Path, megabytes: int) -> Iterator[Row]:
    store = ClaudeCodeStore(root)
    first = _timed(lambda: store.open(SESSION).shape)
    messages = store.open(SESSION).shape.messages
    yield Row(f"all of {megabytes} MB opened, {messages:,} messages", f"{first:.2f} s", "", True)
    path = root / "projects" / PROJECT / f"{SESSION}.jsonl"
    transcript = store.open(SESSION)
    one_more = ClaudeRecords(session="more", last=transcript.record(transcript.shape.active[-1]).id)
    looks = []
    for _ in range(20):
        _say(one_more, path)
        looks.append(_timed(lambda: store.open(SESSION).shape))
    what = "  a message more while it is followed, median; the first, which settles what was there"
    passed = median(looks) <= 0.1 * first or megabytes < 100
    yield Row(what, f"{median(looks) * 1e3:.0f} ms; {looks[0] * 1e3:.0f} ms", "<= 0.1 x all", passed)
    yield _memory(root)


def _say(talk: ClaudeRecords, path: Path) -> None:
    talk.records.clear()
    talk.person("one more")
    with path.open("ab") as file:
        file.write(talk.data())


def _memory(root: Path) -> Row:
    gc.collect()
    tracemalloc.start()
    store = ClaudeCodeStore(root)
    transcript = store.open(SESSION)
    count = len(transcript.shape.kinds)
    for place in range(0, count, max(1, count // 200)):
        transcript.record(place)
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] / count
    more = ClaudeRecords(session="yet", last=transcript.record(transcript.shape.active[-1]).id)
    for _ in range(3):
        _say(more, root / "projects" / PROJECT / f"{SESSION}.jsonl")
        _ = store.open(SESSION).shape
    gc.collect()
    followed = tracemalloc.get_traced_memory()[0] / count
    tracemalloc.stop()
    what = f"memory a record not on screen, {count:,} opened; followed"
    return Row(what, f"{used:.1f} bytes; {followed:.1f}", "<= 100", max(used, followed) <= 100)


def _blame(histories: int) -> Iterator[Row]:
    for telling in Telling:
        right = wrong = count = 0
        begin = perf_counter()
        for seed in range(histories):
            history = edit_history(seed, telling)
            found = line_sources(PATH, history.text, history.edits(telling))
            for source, owner in zip(found, history.owners, strict=True):
                stated = source.edit.place if source.edit else None
                right += stated == owner and not source.is_unknown
                wrong += stated != owner and not source.is_unknown
                count += 1
        each = (perf_counter() - begin) / histories
        figure = f"{100 * right / count:.2f} %, {wrong} wrong ({each * 1e3:.0f} ms)"
        is_bare = telling is Telling.BARE
        passed = wrong == 0 and (is_bare or right >= 0.99 * count)
        what = f"lines blamed rightly, {histories} histories of 200 calls: {telling.value}"
        yield Row(what, figure, "0 wrong" if is_bare else ">= 99 %, 0 wrong", passed)


def _imported(folder: Path, conversations: int) -> Iterator[Row]:
    """Imports an export of so many conversations of 54 kB, each time in a process of its own."""
    talks = [chatgpt.talk(f"c{number}", *(_TEXT * 18,) * 28, title=f"Talk {number}") for number in range(conversations)]
    export = chatgpt.write_folder(folder / "export", talks)
    megabytes = (export / "conversations.json").stat().st_size / 1e6
    first, again = (_import(export, folder / "workspace") for _ in range(2))
    what = f"an export of {megabytes:.0f} MB imported, {conversations:,} conversations"
    bound = 60 * conversations / 3_000
    figure = f"{first.seconds:.1f} s, {first.peak_mb:.0f} MB"
    passed = first.seconds <= bound and first.peak_mb <= 400 and first.added == conversations
    yield Row(what, figure, f"<= {bound:.0f} s, 400 MB", passed)
    yield Row("  once more", f"{again.seconds:.1f} s, {again.added} added", "0 added", again.added == 0)


@dataclass(frozen=True, slots=True)
class _Imported:
    seconds: float
    peak_mb: float
    added: int


_CHILD = """
import io, json, sys, time
from mnemoscope.agent.cli import import_command
out, begin = io.StringIO(), time.perf_counter()
code = import_command.main([sys.argv[1], "--into", sys.argv[2], "--json"], out)
# What the process that started this one had counts in ru_maxrss.
peak = next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([time.perf_counter() - begin, peak, json.loads(out.getvalue())["conversations"]]))
"""


def _import(export: Path, into: Path) -> _Imported:
    command = [sys.executable, "-c", _CHILD, str(export), str(into)]
    return _Imported(*json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
