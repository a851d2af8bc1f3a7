"""Conversations of 1,000 to 1,000,000 messages of 200 characters: a turn, opening, indexing, what a model is sent."""

from __future__ import annotations

import gc
import json
import os
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.sessions.file_format.session_file import SessionFile
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.bench.rows import Row

KEY = "cli:direct"
_WORDS = (
    "the nightly import ran dry again so we moved it behind the pool and kept twenty connections for the rest of it"
)
_CALL = {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "notes.md"}'}}


def rows(quick: bool) -> Iterator[Row]:
    """Measures in a folder of its own."""
    middle, large = (3_000, 20_000) if quick else (100_000, 1_000_000)
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        root = Path(folder)
        roots = {count: _conversation(root / str(count), count) for count in (1_000, middle, large)}
        yield from _first_rows(roots[1_000], [(count, roots[count]) for count in (middle, large)])
        yield from _index(roots[large], large)
        yield _memory(roots[large], large)
        yield from _history(roots[1_000], roots[large], large)
        yield from _turns(roots[1_000], roots[middle], middle, 60 if quick else 300)
        yield from _overviews(root / "many", 5 if quick else 100)


def _conversation(root: Path, count: int, key: str = KEY) -> Path:
    path = root / "sessions" / f"{key.replace(':', '_')}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = "2026-03-06T14:20:00.123456"
    first = {"_type": "metadata", "key": key, "created_at": stamp, "updated_at": stamp, "metadata": {}}
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(first | {"last_consolidated": 0}) + "\n")
        file.writelines(json.dumps(_message(number), ensure_ascii=False) + "\n" for number in range(count))
    return root


def _message(number: int) -> Message:
    words = f"{number} {_WORDS} {_WORDS}"[:200]
    return {"role": ("user", "assistant")[number % 2], "content": words, "timestamp": "2026-03-06T14:20:00.123456"}


def _timed(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin


def _best(work: Callable[[], object], times: int) -> float:
    gc.collect()
    return min(_timed(work) for _ in range(times))


def _first_rows(small: Path, others: list[tuple[int, Path]]) -> Iterator[Row]:
    base = median(_timed(partial(_open_at_the_end, small)) for _ in range(40))
    for count, root in others:
        time = median(_timed(partial(_open_at_the_end, root)) for _ in range(40))
        what = f"first 200 rows of {count:,} messages / of 1,000"
        yield _ratio(what, time, base, 1.5)


def _open_at_the_end(root: Path) -> None:
    SessionManager(root).read_tail(KEY)


def _index(root: Path, count: int) -> Iterator[Row]:
    path = root / "sessions" / "cli_direct.jsonl"
    loop, load, index = [], [], []
    for _ in range(3):
        loop.append(_best(lambda: _loop(path), 1))
        load.append(_best(lambda: _load(path), 1))
        index.append(_best(lambda: SessionFile(path), 3))
    times = min(load) / min(index)
    figure = f"{times:.1f} x ({min(index) * 1e3:.0f} ms)"
    yield Row(f"index of {count:,} messages, faster than json.loads into a list", figure, ">= 10 x", times >= 10)
    times = min(loop) / min(index)
    yield Row("  the same, against json.loads with the result dropped", f"{times:.1f} x", "", True)


def _loop(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        for line in file:
            json.loads(line)


def _load(path: Path) -> list[Message]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _memory(root: Path, count: int) -> Row:
    gc.collect()
    tracemalloc.start()
    session = SessionManager(root).get_or_create(KEY)
    for number in range(0, count, count // 500):
        session.messages[number]
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] / count
    tracemalloc.stop()
    return Row(f"memory a message not on screen, {count:,} opened", f"{used:.1f} bytes", "<= 100", used <= 100)


def _history(small: Path, large: Path, count: int) -> Iterator[Row]:
    one, other = (SessionManager(root).get_or_create(KEY) for root in (small, large))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(60):
        times[0].append(_timed(one.get_history))
        times[1].append(_timed(other.get_history))
    yield _ratio(f"get_history(500) of {count:,} messages / of 1,000", median(times[1]), median(times[0]), 1.5)


def _turns(small: Path, large: Path, count: int, turns: int) -> Iterator[Row]:
    managers = [SessionManager(root) for root in (small, large)]
    sessions = [manager.get_or_create(KEY) for manager in managers]
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(turns):
        for place in (0, 1) if number % 2 else (1, 0):
            times[place].append(_timed(partial(_turn, managers[place], sessions[place])))
    yield _ratio(f"a turn, durable, after {count:,} messages / after 1,000", median(times[1]), median(times[0]), 1.3)
    held = list(sessions[1].messages)
    rewrite = median(_timed(lambda: _rewrite(large / "copy.jsonl", held)) for _ in range(3))
    ratio = rewrite / median(times[1])
    figure = f"{ratio:.0f} x ({rewrite * 1e3:.0f} / {median(times[1]) * 1e3:.2f} ms)"
    # What a rewrite costs grows with the messages; of 100,000 100 x is asked for.
    least = count / 1_000
    yield Row(f"  the same, cheaper than rewriting {count:,} messages", figure, f">= {least:g} x", ratio >= least)


def _turn(manager: SessionManager, session: Session) -> None:
    session.add_message("user", _WORDS)
    manager.append(session)
    session.add_message("assistant", None, tool_calls=[_CALL])
    session.add_message("tool", _WORDS * 3, tool_call_id="call_1", name="read_file")
    session.add_message("tool", _WORDS * 3, tool_call_id="call_1", name="read_file")
    manager.append(session)


def _rewrite(path: Path, messages: list[Message]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for message in messages:
            file.write(json.dumps(message, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _overviews(root: Path, sessions: int) -> Iterator[Row]:
    for number in range(sessions):
        _conversation(root, 10_000, f"desktop:{number}")
    manager = SessionManager(root)
    first = _timed(manager.overviews)
    again = _best(manager.overviews, 5)
    what = f"list of {sessions} conversations of 10,000 messages"
    yield Row(f"{what}, first", f"{first * 1e3:.0f} ms", "<= 500 ms", first <= 0.5)
    yield Row(f"{what}, again", f"{again * 1e3:.1f} ms", "<= 16 ms", again <= 0.016)


def _ratio(what: str, time: float, base: float, limit: float) -> Row:
    ratio = time / base
    figure = f"{ratio:.2f} x ({time * 1e3:.2f} / {base * 1e3:.2f} ms)"
    return Row(what, figure, f"<= {limit} x", ratio <= limit)
