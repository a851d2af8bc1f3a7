"""The review of what waits in a real window over a workspace that was used for a while: from a key that decides one
item to the next item painted, and until all that the decision does is done, with the real writes and commits.

A key is pressed as soon as the item is painted, so that what the decision before still does is part of the time.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.bench.bench_sessions import _conversation as write_conversation
from tests.bench.bench_window import _window
from tests.bench.rows import Row

REST_SECONDS = 0.3
WAITING, LINES, CONVERSATIONS, OF_MESSAGES = 50, 1_000, 300, 60
QUICK = 4, 100, 20
NEXT_MS = 100


def rows(quick: bool) -> Iterable[Row]:
    """Accepts item after item, as fast as they are painted; then item after item, each once the one before is
    written and memory is as it will be."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    app = make_application(["mnemoscope"])
    count, lines, conversations = QUICK if quick else (WAITING, LINES, CONVERSATIONS)

    async def measure(fill: Callable[[Path], None], *, waits: bool) -> list[tuple[float, float]]:
        # At home: where /tmp is kept in memory, files would cost nothing to write.
        with tempfile.TemporaryDirectory(dir=Path.home()) as name:
            async with _window(Path(name), fill) as current:
                current.main_window.resize(1440, 900)
                return await _decided(current, waits=waits)

    for waits, what in (
        (False, "as fast as they are painted: to the next one painted"),
        (True, "each once that before is written: to the next one painted over the text as it is then"),
    ):
        with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
            found = runner.run(measure(lambda root: _fill(root, count, lines, conversations), waits=waits))
        taken, own = (sorted(times) for times in zip(*found, strict=True))
        p99 = taken[max(0, round(0.99 * len(taken)) - 1)]
        yield Row(
            f"{count} proposals over a memory file of {lines:,} lines, accepted by key {what}",
            f"p50 {median(taken):.0f}, p99 {p99:.0f}, longest {taken[-1]:.0f} ms",
            "none set" if waits else f"{NEXT_MS} ms",
            waits or p99 <= NEXT_MS,
        )
        if not waits:
            figure = f"p50 {median(own):.0f}, longest {own[-1]:.0f} ms"
            yield Row("  of that, processor time of the window's thread", figure, "none set", passed=True)


def _fill(root: Path, count: int, lines: int, conversations: int) -> None:
    for number in range(conversations):
        write_conversation(root, OF_MESSAGES, f"desktop:{number}")
    paths = WorkspacePaths.found(root)
    memory = "# User\n\n" + "".join(
        f"- Owns book number {number} of the shelf by the door\n" for number in range(lines)
    )
    paths.memory_file.parent.mkdir(parents=True, exist_ok=True)
    paths.memory_file.write_text(memory, encoding="utf-8")
    ledger = Ledger(paths)
    for number in range(count):
        line = f"- Has cat number {number}"
        reasons = (f"Nobody spoke of “Has cat number {number}”.",)
        proposed, passage = f"{memory}{line}\n", MemoryConflict("", "", line)
        when = "2026-01-02T10:00:00"
        ledger.add_suggestion(
            Suggestion(f"{number:08x}", when, memory, proposed, reasons, "desktop:0", 0, 2, (passage,))
        )


async def _decided(current: Any, *, waits: bool) -> list[tuple[float, float]]:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    reviews = current.reviews
    reviews.open()
    await _until(lambda: reviews.dialog.queue.items and reviews.dialog.is_ready)
    dialog = reviews.dialog
    await asyncio.sleep(2)
    taken = []
    while dialog.queue.current is not None and len(dialog.queue.items) > 1:
        line = dialog.queue.current.after
        began, worked = perf_counter(), thread_time()
        QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
        await _until(partial(_is_next, dialog, line if waits else ""))
        taken.append(((perf_counter() - began) * 1_000, (thread_time() - worked) * 1_000))
        if waits:
            await asyncio.sleep(REST_SECONDS)
    await _until(partial(_is_next, dialog, line))
    return taken


def _is_next(dialog: Any, line: str) -> bool:
    """Returns whether the item in sight is painted, and rests on a text that has a line."""
    return bool(dialog.is_ready and f"{line}\n" in dialog.queue.current.suggestion.before)


async def _until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(120):
        while not holds():
            # A thread that never rests would keep the disk's own from going on after each of its calls.
            await asyncio.sleep(0.001)
