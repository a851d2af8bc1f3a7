"""The review of what waits: from a key that decides one item to the next item painted, beside a long memory file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.review.review_items import review_items
from tests.bench.rows import Row

WAITING, LINES = 50, 2_000


def rows(quick: bool) -> Iterable[Row]:
    """Decides item after item, each over a file of 2,000 lines."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from mnemoscope.ui.memory.review.review_dialog import ReviewDialog

    app = QApplication.instance() or QApplication([])
    memory = "# User\n\n" + "".join(f"- Owns book number {number}\n" for number in range(LINES))
    held = [
        Suggestion(
            f"{number:04x}",
            "2026-01-02T10:00:00",
            memory,
            f"{memory}- Has cat number {number}\n",
            (f"Nobody spoke of “Has cat number {number}”.",),
            "",
            0,
            0,
            (MemoryConflict("", "", f"- Has cat number {number}"),),
        )
        for number in range(10 if quick else WAITING)
    ]
    dialog = ReviewDialog()
    dialog.show_items(review_items(held))
    dialog.show()
    _paint(app, lambda: dialog.is_ready)
    taken = []
    while len(dialog.items) > 1:
        began = perf_counter()
        QTest.keyClick(dialog.diff.text, Qt.Key.Key_A)
        _paint(app, lambda: dialog.is_ready)
        taken.append((perf_counter() - began) * 1_000)
    dialog.close()
    worst = max(taken)
    yield Row(
        f"{len(held)} proposals over a memory file of {LINES:,} lines: from a key to the next one painted, the longest",
        f"{worst:.0f} ms",
        "100 ms",
        worst <= 100,
    )


def _paint(app: Any, is_done: Callable[[], bool]) -> None:
    while not is_done():
        app.processEvents()
