"""Shows what taking HISTORY.md over would do, before it is done: its first and last entries, those without a date."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from mnemoscope.domain.dream.journal import JournalEntry, plain_entry
from mnemoscope.memory.dream.journal_upgrade import UpgradePlan
from mnemoscope.ui.support.dates import moment_words
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import set_role

_BEGINNING: Final = 160
"""Characters of an entry that are shown at most; the screen may cut them further."""


class UpgradePreview(QWidget):
    """Stands below the sentence of the question: the first and the last entry, a line each, and what is asked."""

    def __init__(self, plan: UpgradePlan) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self._entries(plan))
        if plan.undated:
            column.addWidget(self._label(_undated_words(plan.undated)))
        column.addWidget(
            self._label(self.tr("Shall Dream read the old history too? That asks the model about all of it."))
        )

    def _entries(self, plan: UpgradePlan) -> QFrame:
        card = QFrame(self)
        set_role(card, role="card")
        lines = QVBoxLayout(card)
        lines.setContentsMargins(12, 8, 12, 8)
        lines.setSpacing(2)
        first, last = plan.entries[0], plan.entries[-1]
        heads = [(first, self.tr("First: entry {number} · {when}")), (last, self.tr("Last: entry {number} · {when}"))]
        for entry, head in heads[: len(plan.entries)]:
            if entry is not first:
                lines.addSpacing(6)
            words = head.format(number=QLocale().toString(entry.cursor), when=_when(entry))
            lines.addWidget(set_role(self._label(words), role="caption"))
            lines.addWidget(_beginning(entry))
        return card

    def _label(self, words: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label


def taken_over_words(plan: UpgradePlan) -> str:
    """Returns how many entries go where, under which numbers, and what becomes of the old log."""
    first, last = (QLocale().toString(plan.entries[place].cursor) for place in (0, -1))
    one = QCoreApplication.translate("UpgradePreview", "as number {first}")
    several = QCoreApplication.translate("UpgradePreview", "numbered {first} to {last}")
    numbered = (one if first == last else several).format(first=first, last=last)
    words = QCoreApplication.translate(
        "UpgradePreview",
        "%n entry(s) of HISTORY.md go to memory/history.jsonl, {numbered}; HISTORY.md is kept as {kept}.",
        None,
        len(plan.entries),
    )
    return words.format(numbered=numbered, kept=plan.kept_as)


def closed_ways(plan: UpgradePlan) -> dict[str, str]:
    """Returns the choices of the question that cannot be made now, each with the reason."""
    if not plan.waiting:
        return {}
    words = QCoreApplication.translate(
        "UpgradePreview",
        "%n entry(s) of history.jsonl wait for Dream, which reads in order: the old ones cannot be left out before "
        "these are read. To leave them out, cancel, choose Run Dream now in the Memory menu, then come back.",
        None,
        plan.waiting,
    )
    return {"kept": words}


def _undated_words(count: int) -> str:
    return QCoreApplication.translate(
        "UpgradePreview", "%n entry(s) have no date and get that of the file.", None, count
    )


def _beginning(entry: JournalEntry) -> QLabel:
    label = ElidedLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    words = plain_entry(entry.content)
    label.setText(words if len(words) <= _BEGINNING else words[:_BEGINNING].rstrip() + "…")
    return label


def _when(entry: JournalEntry) -> str:
    try:
        return moment_words(datetime.fromisoformat(entry.timestamp))
    except ValueError:
        return entry.timestamp  # a day no calendar has
