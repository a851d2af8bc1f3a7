"""The lists of memory's health: lines with a fault, what each line costs, and what another agent sends each time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QWidget

from mnemoscope.domain.capture.captured_line import words_of_line
from mnemoscope.domain.health.report import FindingKind, HealthFinding, HealthReport, LineUse, SentFile
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.ui.support.locale_words import day_words
from mnemoscope.ui.widgets.lists.rows_model import RowsModel, RowT
from mnemoscope.ui.widgets.lists.two_line_delegate import FIGURE
from mnemoscope.ui.widgets.theme import Theme

_ORDER: Final = tuple(FindingKind)


@dataclass(frozen=True, slots=True)
class Unsourced:
    """Describes one row for all lines of which nobody is known to have written them."""

    findings: tuple[HealthFinding, ...]
    is_open: bool = False


class _ReviewedRows(RowsModel[RowT]):
    """Lists lines of which some wait for review; those stay in the list, and say so."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._proposed: set[HealthFinding] = set()

    def show_waiting(self, findings: Collection[HealthFinding]) -> None:
        """Shows that these findings wait for review, and no others."""
        self._proposed = set(findings)
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))


class FindingsModel(_ReviewedRows[HealthFinding | Unsourced]):
    """Holds the findings of one report.

    Lines without a known source are no alarm each: a memory that was written by hand has no others. They are folded
    into one row that says how many there are.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.findings: tuple[HealthFinding, ...] = ()

    def show_findings(self, findings: Iterable[HealthFinding]) -> None:
        """Shows the findings, kind by kind."""
        self.findings = tuple(findings)
        ordered = sorted(self.findings, key=lambda each: _ORDER.index(each.kind))
        unsourced = tuple(each for each in ordered if each.kind is FindingKind.NO_SOURCE)
        rows: list[HealthFinding | Unsourced] = [each for each in ordered if each.kind is not FindingKind.NO_SOURCE]
        self.show([*rows, Unsourced(unsourced)] if unsourced else rows)

    def toggle(self, row: int) -> None:
        """Unfolds the lines without a source below their row, or folds them again."""
        folded = self.rows[row]
        if isinstance(folded, Unsourced):
            turned = Unsourced(folded.findings, not folded.is_open)
            self.show([*self.rows[:row], turned, *(turned.findings if turned.is_open else ())])

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the line and, below it, what is wrong with it."""
        row = self.rows[index.row()]
        if isinstance(row, Unsourced):
            return self._folded(row) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            words = self.tr("waits for review") if row in self._proposed else self.about(row)
            return f"{words_of_line(row.row)}\n{words} · {_place(row.path, row.line)}"
        if role == Qt.ItemDataRole.ForegroundRole and row in self._proposed:
            return QBrush(Theme.current().color("text_muted"))
        return None

    def about(self, finding: HealthFinding) -> str:
        """Returns what is wrong with a line, in a few words."""
        # Of a duplicate and of a disagreement these are the other line.
        words = words_of_line(" ".join(finding.words.split()))
        if finding.kind is FindingKind.DUPLICATE and finding.other:
            return self.tr("{place} says it too: “{words}”").format(place=shown_path(finding.other), words=words)
        if finding.other not in ("", finding.path):
            return self.tr("{place} says otherwise: “{words}”").format(place=shown_path(finding.other), words=words)
        return {
            FindingKind.DISAGREEMENT: self.tr("another line says otherwise: “{words}”"),
            FindingKind.DUPLICATE: self.tr("said before: “{words}”"),
            FindingKind.ROTTING_DATE: self.tr("held only for a while: “{words}”"),
            FindingKind.TASK_RESIDUE: self.tr("left over from a task: “{words}”"),
            FindingKind.NOT_SENT: self.tr("not sent: memory is over its budget"),
            FindingKind.UNUSED: self.tr("no answer likely rests on it"),
            FindingKind.NO_SOURCE: self.tr("no source is known"),
        }[finding.kind].format(words=words)

    def _folded(self, row: Unsourced) -> str:
        count = self.tr("%n lines without a known source", "", len(row.findings))
        if row.is_open:
            return f"{count}\n{self.tr('Written by hand or by another program. Enter folds them again.')}"
        return f"{count}\n{self.tr('Written by hand or by another program. Enter lists them.')}"


class CostsModel(_ReviewedRows[LineUse | SentFile]):
    """Lists the lines that prompts held, those never used first; of another agent the files that it sends each time."""

    def show_report(self, report: HealthReport) -> None:
        """Shows what a report says of costs."""
        self.show((*report.lines, *report.sent))

    def finding(self, row: int) -> HealthFinding | None:
        """Returns a row as what would be proposed for it, None where it is no line."""
        line = self.rows[row] if 0 <= row < len(self.rows) else None
        return line.finding if isinstance(line, LineUse) else None

    def is_used(self, row: int) -> bool:
        """Returns whether some answer likely rests on the line of a row, so that nothing is proposed for it."""
        line = self.rows[row]
        return isinstance(line, LineUse) and line.used > 0

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the line and, below it, its use; its cost beside the line. All of it is said to a screen reader."""
        row = self.rows[index.row()]
        if isinstance(row, SentFile):
            words = self.tr("{tokens} in each prompt").format(tokens=token_words(row.tokens))
            return f"{shown_path(row.path)}\n{words}" if role == Qt.ItemDataRole.DisplayRole else None
        waits = row.finding in self._proposed
        words = self.tr("waits for review") if waits else self._about(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{words_of_line(row.row)}\n{words}"
        if role == FIGURE:
            return token_words(row.tokens)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{words_of_line(row.row)}, {token_words(row.tokens)}, {words}"
        if role == Qt.ItemDataRole.ForegroundRole and (waits or row.used):
            return QBrush(Theme.current().color("text_muted"))
        return None

    def _about(self, row: LineUse) -> str:
        used = self.tr("likely used in %n answers", "", row.used) if row.used else self.tr("never likely used")
        sent = self.tr("in %n prompts, last {day}", "", row.prompts).format(day=day_words(row.last))
        # All but a few stand in MEMORY.md, and a row of two lines leaves room for more of them.
        return " · ".join((used, sent) if row.path == MEMORY_PATH else (used, sent, row.path))


def shown_path(path: str) -> str:
    """Returns the name of a memory file as a person knows it."""
    return "MEMORY.md" if path == MEMORY_PATH else path


def token_words(count: int) -> str:
    """Returns a number of tokens in words."""
    if count == 1:
        return QCoreApplication.translate("HealthPane", "1 token")
    return QCoreApplication.translate("HealthPane", "{count} tokens").format(count=f"{count:,}")


def _place(path: str, line: int) -> str:
    words = QCoreApplication.translate("HealthPane", "{place}, line {number}")
    return words.format(place=shown_path(path), number=line)
