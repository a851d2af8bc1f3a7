"""What exactly-once costs: a consolidation at 1,000 and at 100,000 messages, and opening with something unfinished."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.bench.rows import Row
from tests.support.faulty_calls import CountedCalls
from tests.support.telltale_model import TelltaleModel

KEY = "cli:direct"
_WINDOW = 100
_STAMP = "2026-03-06T14:20:00.123456"
_WORDS = "the nightly import ran dry again so we moved it behind the pool and kept twenty connections for the rest"


class _Interrupted(BaseException):
    """The process ends here."""


class _EndsAtTheHistoryLog(FileCalls):
    """The process ends after the commit point, before the first of the files."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if path.endswith("HISTORY.md") and flags & os.O_WRONLY:
            raise _Interrupted
        return super().open(path, flags, mode)


def rows(quick: bool) -> Iterator[Row]:
    """Measures in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        root = Path(folder)
        yield from _consolidations(root, 3_000 if quick else 100_000, 4 if quick else 30)
        yield _recovery(root / "many", 5 if quick else 100, 3 if quick else 5)


def _consolidations(root: Path, large: int, times: int) -> Iterator[Row]:
    roots = {count: root / str(count) for count in (1_000, large)}
    for count, folder in roots.items():
        _conversation(folder, count)
    taken: dict[int, list[float]] = {count: [] for count in roots}
    forced = 0
    stores = {count: _opened(folder) for count, folder in roots.items()}
    for number in range(times):
        for count in sorted(roots, reverse=number % 2 == 1):
            store, manager, calls = stores[count]
            before = calls.fsyncs
            taken[count].append(_consolidate(store, manager))
            forced = max(forced, calls.fsyncs - before)
            _say_more(manager)
    ratio = median(taken[large]) / median(taken[1_000])
    figure = f"{ratio:.2f} x ({median(taken[large]) * 1e3:.1f} / {median(taken[1_000]) * 1e3:.1f} ms)"
    yield Row(f"a consolidation in {large:,} messages / in 1,000", figure, "<= 1.3 x", ratio <= 1.3)
    yield Row("  fsyncs of one, the most", f"{forced}", "<= 30", forced <= 30)


def _opened(root: Path) -> tuple[MemoryStore, SessionManager, CountedCalls]:
    calls = CountedCalls()
    manager = SessionManager(root, calls=calls)
    store = MemoryStore(root, sessions=manager, calls=calls)
    store.recover()
    return store, manager, calls


def _consolidate(store: MemoryStore, manager: SessionManager) -> float:
    session = manager.get_or_create(KEY)
    pointer = session.last_consolidated
    gc.collect()
    begin = perf_counter()
    done = asyncio.run(store.consolidate(session, TelltaleModel(), "m", memory_window=_WINDOW))
    taken = perf_counter() - begin
    if not done or session.last_consolidated <= pointer:
        raise RuntimeError(f"nothing was consolidated: {store.last_consolidation(KEY).failure}")
    return taken


def _say_more(manager: SessionManager) -> None:
    session = manager.get_or_create(KEY)
    for number in range(_WINDOW // 2):
        session.add_message(("user", "assistant")[number % 2], f"m{len(session.messages)} {_WORDS}")
    manager.append(session)


def _recovery(root: Path, sessions: int, times: int) -> Row:
    for number in range(sessions - 1):
        _conversation(root, 10_000, f"desktop:{number}")
    _conversation(root, 10_000)
    taken: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(times):
        for unfinished in (False, True):
            if unfinished:
                _interrupt(root)
            taken[unfinished].append(_open(root))
            _say_more(SessionManager(root))
    plain, open_intent = median(taken[False]), median(taken[True])
    ratio = open_intent / plain
    what = f"opening {sessions} conversations of 10,000 with an open intent / without"
    return Row(what, f"{ratio:.2f} x ({open_intent * 1e3:.0f} / {plain * 1e3:.0f} ms)", "<= 1.5 x", ratio <= 1.5)


def _interrupt(root: Path) -> None:
    manager = SessionManager(root)
    store = MemoryStore(root, sessions=manager, calls=_EndsAtTheHistoryLog())
    try:
        _consolidate(store, manager)
    except _Interrupted:
        assert WorkspacePaths(root).own.intent_file.exists()
        return
    raise RuntimeError("the consolidation was not interrupted")


def _open(root: Path, calls: FileCalls = REAL_CALLS) -> float:
    """Returns what opening a workspace does before the window is of use: recovery, the list, one conversation,
    memory."""
    gc.collect()
    begin = perf_counter()
    manager = SessionManager(root, calls=calls)
    store = MemoryStore(root, sessions=manager, calls=calls)
    store.recover()
    manager.overviews()
    manager.get_or_create(KEY)
    store.editing.read_text()
    return perf_counter() - begin


def _conversation(root: Path, count: int, key: str = KEY) -> None:
    path = WorkspacePaths(root).sessions_dir / f"{key.replace(':', '_')}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    first = {"_type": "metadata", "key": key, "created_at": _STAMP, "updated_at": _STAMP, "metadata": {}}
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(first | {"last_consolidated": count - _WINDOW}) + "\n")
        for number in range(count):
            record = {"role": ("user", "assistant")[number % 2], "content": f"m{number} {_WORDS}", "timestamp": _STAMP}
            file.write(json.dumps(record) + "\n")
