"""History: what one more letter in the search field costs, from the key to the first page, newest entry first."""

from __future__ import annotations

import os
import random
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from mnemoscope.store.search.entry_log import EntryTable
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.store.search.log_search import INDEX_FROM
from mnemoscope.store.search.worker import SLICE, SearchWorker
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.bench.rows import Row

LENGTH = 300
QUERIES = 150
PATIENCE = 1_200
"""Seconds after which what hangs is ended; no figure."""
_ALPHABET = "etaoinshrdlucmfwypvbgkjqxz"


def rows(quick: bool) -> Iterator[Row]:
    small, large = (2_000, INDEX_FROM + 1_000) if quick else (100_000, 1_000_000)
    queries = 20 if quick else QUERIES
    with tempfile.TemporaryDirectory() as name:
        first = _Case(Path(name) / "small", small)
        second = _Case(Path(name) / "large", large)
        yield from first.measure(16.0, queries)
        yield from second.measure(16.0 if quick else 50.0, queries)
        yield _ratio(f"a key press, {large:,} entries / {small:,}, median", second.median / first.median, 3.0)
        yield _memory(min(large, 200_000))
        yield from _window(second, 16.0 if quick else 50.0, 2 * queries)


class _Case:
    """A log of a size, measured before and after it is indexed."""

    def __init__(self, root: Path, entries: int) -> None:
        self.entries = entries
        self.paths = WorkspacePaths(root)
        self.paths.memory_dir.mkdir(parents=True)
        self.paths.own.folder.mkdir()
        write_log(self.paths.history_file, entries)
        self.keys: list[str] = []
        self.median = 1.0

    def measure(self, limit: float, queries: int) -> Iterator[Row]:
        search = WorkspaceSearch(self.paths, index_from=1)
        began = time.perf_counter()
        # On a busy machine a slice may end before the page is full.
        while _matches_on_first_page(search) < 50:
            pass
        yield _at_most(f"{self.entries:,} entries: first page of a log just opened", time.perf_counter() - began, 0.1)
        while search.logs.state.loading:
            search.logs.work(0.02)
        self.keys = _typed(search, queries)
        times, partial = _press(search, self.keys)
        yield _p99(f"{self.entries:,} entries, not indexed yet: a key press ({partial:.0%} go on)", times, limit)
        began, worst = time.perf_counter(), 0.0
        while True:
            slice_began = time.perf_counter()
            if not search.logs.work(0.008)[0]:
                break
            worst = max(worst, time.perf_counter() - slice_began)
        took = time.perf_counter() - began
        figure = f"{took:.1f} s, {self.paths.own.search_file.stat().st_size / 1e6:.0f} MB"
        yield Row(
            f"{self.entries:,} entries: index built in slices, the longest {worst * 1000:.0f} ms", figure, "", True
        )
        times, partial = _press(search, self.keys)
        self.median = sorted(times)[len(times) // 2]
        yield _p99(f"{self.entries:,} entries: a key press, first page ({partial:.1%} go on)", times, limit)
        search.close()


def _matches_on_first_page(search: WorkspaceSearch) -> int:
    search.logs.refresh(0.01)
    return len(search.logs.search(HistoryQuery(), seconds=SLICE).matches)


def write_log(path: Path, entries: int) -> None:
    """A HISTORY.md of entries of LENGTH characters, written as it is made."""
    draw = random.Random(7)
    words = ["".join(draw.choices(_ALPHABET, range(26, 0, -1), k=draw.randint(2, 10))) for _ in range(8_000)]
    chosen = iter(lambda: words[min(int(draw.expovariate(1 / 900)), 7_999)], None)
    pieces = [" ".join(islice(chosen, 12)) for _ in range(20_000)]
    when = datetime(1990, 1, 1)
    with path.open("w") as file:
        for _ in range(entries):
            when += timedelta(minutes=17)
            text = " ".join(draw.choices(pieces, k=5))[: LENGTH - 22]
            file.write(f"[{when:%Y-%m-%d %H:%M}] {text}.\n\n")


def _typed(search: WorkspaceSearch, count: int) -> list[str]:
    """Returns what stands in the field after each key: parts of entries, letter by letter, and words that are
    nowhere."""
    draw, keys = random.Random(3), []
    log = search.logs._logs[0]
    for number in range(count):
        text = log.text(draw.randrange(len(log)))
        length = draw.randint(1, 12)
        start = draw.randint(19, max(19, len(text) - length))
        part = text[start : start + length] if number % 5 else "".join(draw.choices(_ALPHABET, k=length))
        keys += [part[:end] for end in range(1, len(part) + 1)]
    return keys


def _press(search: WorkspaceSearch, keys: list[str]) -> tuple[list[float], float]:
    """Seconds of each key's first page, and how many were handed over before they were full."""
    times, partial = [], 0
    for text in keys:
        began = time.perf_counter()
        page = search.logs.search(HistoryQuery(text), seconds=SLICE)
        times.append(time.perf_counter() - began)
        partial += page.next_before is not None and len(page.matches) < 50
    return times, partial / len(keys)


def _memory(entries: int) -> Row:
    tracemalloc.start()
    table = EntryTable()
    for number in range(entries):
        table.add(number * LENGTH, 700_000)
    size = tracemalloc.get_traced_memory()[0] / entries
    tracemalloc.stop()
    return Row("memory an entry", f"{size:.1f} bytes", "<= 40 bytes", size <= 40)


def _window(case: _Case, limit: float, keys: int) -> Iterator[Row]:
    """From the key to the painted cards in the pane, thread hops and all."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtTest import QTest

    from mnemoscope.ui.history.history_pane import HistoryPane
    from mnemoscope.ui.shell.application import make_application

    application = make_application(["mnemoscope"], theme="light")
    search, pane = SearchWorker(case.paths), HistoryPane()
    pane.resize(384, 700)
    pane.show()
    pane.model.set_source(search.logs)
    search.logs.refresh()
    _wait(
        application,
        lambda: pane.model.ready and not search.logs.state.loading and search.logs.state.indexed > 0,
        PATIENCE,
    )
    times, slots = [], []
    for text in case.keys[:keys]:
        done: list[float] = []
        slot = pane.model.replaced.connect(lambda done=done: (pane.view.repaint(), done.append(time.perf_counter())))
        began = time.perf_counter()
        if text.startswith(pane.field.text()) and len(text) == len(pane.field.text()) + 1:
            QTest.keyClicks(pane.field, text[-1])
        else:
            pane.field.setText(text)
        slots.append(time.perf_counter() - began)
        _wait(application, lambda done=done: bool(done), PATIENCE)
        pane.model.replaced.disconnect(slot)
        times.append(done[0] - began)
    yield _p99(f"{case.entries:,} entries, in the pane: from the key to painted cards", times, limit)
    yield _p99(f"{case.entries:,} entries, in the pane: the key itself", slots, 8.0)
    pane.model.set_source(None)
    search.close()
    pane.close()


def _wait(application: object, condition: object, seconds: float) -> None:
    deadline = time.perf_counter() + seconds
    while not condition():  # type: ignore[operator]
        application.processEvents()  # type: ignore[attr-defined]
        if time.perf_counter() > deadline:
            raise TimeoutError("the pane showed nothing")
        time.sleep(0.0002)


def _p99(what: str, times: list[float], limit: float) -> Row:
    ordered = sorted(times)
    p99 = ordered[int(len(ordered) * 0.99)] * 1000
    figure = f"p99 {p99:.1f} ms, median {ordered[len(ordered) // 2] * 1000:.2f}"
    return Row(what, figure, f"p99 <= {limit:g} ms", p99 <= limit)


def _at_most(what: str, seconds: float, limit: float) -> Row:
    return Row(what, f"{seconds * 1000:.0f} ms", f"<= {limit * 1000:g} ms", seconds <= limit)


def _ratio(what: str, ratio: float, limit: float) -> Row:
    return Row(what, f"{ratio:.2f} x", f"<= {limit:g} x", ratio <= limit)
