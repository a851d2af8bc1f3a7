"""A workspace in which lines wait for review, and the review as a person opens and decides it."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from tests.ui.window_fixture import KEY, Opened, Stage, until

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n"
WHEN = "2026-01-02T10:00:00"
SPOKEN = "Nobody spoke of “{}”."


def hold(stage: Stage, *lines: str, reason: str = SPOKEN) -> None:
    """Has each line wait as a proposal of its own."""
    ledger = Ledger(stage.paths)
    for number, line in enumerate(lines):
        name = f"{len(ledger.suggestions()):08x}{number:08x}"
        passage = MemoryConflict("", "", f"- {line}")
        proposed, reasons = f"{FACTS}- {line}\n", (reason.format(line),)
        ledger.add_suggestion(Suggestion(name, WHEN, FACTS, proposed, reasons, KEY, 0, 2, (passage,)))


async def reviewing(person: Opened) -> ReviewDialog:
    person.current.actions["memory.review_all"].trigger()
    dialog = person.current.reviews.dialog
    assert dialog is not None
    await until(lambda: dialog.queue.items and dialog.is_ready, "the first item, painted")
    return dialog


async def decide(dialog: ReviewDialog, key: Qt.Key) -> None:
    before = dialog.queue.current
    QTest.keyClick(dialog.diff.text, key)
    assert dialog.queue.current is not before
    await until(lambda: dialog.is_ready or not dialog.queue.items, "the next item, painted")


def began_at(path: Path, when: str) -> None:
    """Has a conversation have begun then."""
    head, _, rest = path.read_text("utf-8").partition("\n")
    path.write_text(json.dumps({**json.loads(head), "created_at": when}) + "\n" + rest, "utf-8")


def memory(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


def waiting(stage: Stage) -> list[Suggestion]:
    return Ledger(stage.paths).suggestions()
