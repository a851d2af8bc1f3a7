"""Shows the health of one memory: what it costs, how it grew, and each line with a fault."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFocusEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.health.report import FindingKind, HealthFinding, HealthReport
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.ui.health.growth_curve import GrowthCurve
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.first_sight import FirstSight
from mnemoscope.ui.widgets.lists.rows_model import RowsModel
from mnemoscope.ui.widgets.lists.two_line_delegate import TwoLineDelegate
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_ORDER: Final = tuple(FindingKind)


@dataclass(frozen=True, slots=True)
class Unsourced:
    """One row for all lines of which nobody is known to have written them."""

    findings: tuple[HealthFinding, ...]
    is_open: bool = False


class FindingsModel(RowsModel[HealthFinding | Unsourced]):
    """The findings of one report; what was proposed stays in the list, and says so.

    Lines without a known source are no alarm each: a memory that was written by hand has no others. They are folded
    into one row that says how many there are.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._proposed: set[HealthFinding] = set()
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

    def show_waiting(self, findings: Collection[HealthFinding]) -> None:
        """Shows that these findings wait for review, and no others."""
        self._proposed = set(findings)
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def mark(self, finding: HealthFinding) -> None:
        """Shows that a finding waits for review now."""
        self._proposed.add(finding)
        for row, each in enumerate(self.rows):
            if each == finding:
                self.dataChanged.emit(self.index(row), self.index(row))

    def is_proposed(self, finding: HealthFinding) -> bool:
        """Returns whether a finding waits for review."""
        return finding in self._proposed

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the line and, below it, what is wrong with it."""
        row = self.rows[index.row()]
        if isinstance(row, Unsourced):
            return self._folded(row) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            words = self.tr("waits for review") if row in self._proposed else self.about(row)
            place = self.tr("{place}, line {number}").format(place=row.path, number=row.line)
            return f"{fact_text(row.row)}\n{words} · {place}"
        if role == Qt.ItemDataRole.ForegroundRole and row in self._proposed:
            return QBrush(Theme.current().color("text_muted"))
        return None

    def about(self, finding: HealthFinding) -> str:
        """Returns what is wrong with a line, in a few words."""
        return {
            FindingKind.CONTRADICTION: self.tr("another line says otherwise: “{words}”"),
            FindingKind.DUPLICATE: self.tr("said before: “{words}”"),
            FindingKind.ROTTING_DATE: self.tr("held only for a while: “{words}”"),
            FindingKind.TASK_RESIDUE: self.tr("left over from a task: “{words}”"),
            FindingKind.NOT_SENT: self.tr("not sent: memory is over its budget"),
            FindingKind.NO_SOURCE: self.tr("no source is known"),
        }[finding.kind].format(words=" ".join(finding.words.split()))

    def _folded(self, row: Unsourced) -> str:
        count = self.tr("%n lines without a known source", "", len(row.findings))
        if row.is_open:
            return f"{count}\n{self.tr('Written by hand or by another program. Enter folds them again.')}"
        return f"{count}\n{self.tr('Written by hand or by another program. Enter lists them.')}"


class HealthView(QWidget):
    """The pane of memory's health, which is told what was read. `proposal_wanted` and `line_wanted` carry a
    `HealthFinding`."""

    manual_page: ClassVar = "health"
    proposal_wanted = Signal(object)
    line_wanted = Signal(object)
    read_wanted = Signal()
    """Memory is to be read again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Memory's health"))
        self.setMinimumWidth(280)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.cost = plain_label(self)
        self.unused = plain_label(self, "muted")
        self.curve = GrowthCurve(self)
        # The pane itself is covered whole, and never painted.
        self.first_sight = FirstSight(self.curve)
        self.counts = plain_label(self, "caption")
        self.stale = plain_label(self, "caption")
        self.busy = QProgressBar(self)
        self.busy.setRange(0, 0)
        self.busy.setFixedHeight(4)
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(self.tr("Memory is being read"))
        self.model = FindingsModel(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(TwoLineDelegate(self.list))
        self.list.setAccessibleName(self.tr("Lines with a fault"))
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(Theme.current().scaled(96))
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        set_role(self.list, role="card")
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._offer())
        self.list.activated.connect(lambda _index: self._show_chosen())
        self.propose = QPushButton(self.tr("Propose to take it out"), self)
        self.propose.clicked.connect(lambda: self._emit(self.proposal_wanted))
        self.show_line = QPushButton(self.tr("Show"), self)
        self.show_line.clicked.connect(lambda: self._show_chosen())
        self.copy = QPushButton(self.tr("Copy"), self)
        self.copy.clicked.connect(self._copy)
        self.read_again = QPushButton(self.tr("Read again"), self)
        self.read_again.clicked.connect(lambda _checked=False: self.read_wanted.emit())
        self._lay_out()
        for part in (self.busy, self.unused, self.stale):
            part.hide()
        self.list.setEnabled(False)
        self._offer()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the keyboard to the lines, or to the button where there are none. With a focus proxy Tab would go
        round for ever."""
        heir = self.list if self.model.rows else self.read_again
        heir.setFocus(event.reason())

    def set_read_only(self) -> None:
        """Has lines shown and copied only: the memory is another agent's, or may not be written."""
        self.propose.hide()

    def show_busy(self) -> None:
        """Shows that memory is being read."""
        self.stale.hide()
        self.busy.show()

    def show_stale(self) -> None:
        """Says that memory was changed after it was read."""
        self.stale.setText(self.tr("Memory was changed since it was read."))
        self.stale.show()

    @property
    def chosen(self) -> HealthFinding | None:
        """Returns the finding that is chosen in the list."""
        row = self._row
        return row if isinstance(row, HealthFinding) else None

    @property
    def _row(self) -> HealthFinding | Unsourced | None:
        place = self.list.currentIndex().row()
        return self.model.rows[place] if 0 <= place < len(self.model.rows) else None

    def show_report(self, report: HealthReport) -> None:
        """Shows what was read."""
        self.busy.hide()
        self.cost.setText(self._cost_words(report))
        cost = report.cost
        self.unused.setVisible(cost is not None and cost.unused > 0)
        if cost is not None:
            words = self.tr(
                "{tokens} tokens of it in %n days were lines that no answer likely rests on.", "", cost.days
            )
            self.unused.setText(words.format(tokens=f"{cost.unused:,}"))
        self.curve.show_points(report.growth)
        had_keyboard = self.list.hasFocus() or self.hasFocus() or self.read_again.hasFocus()
        self.model.show_findings(report.findings)
        self.counts.setText(self._count_words(report.findings))
        self.list.setEnabled(bool(report.findings))
        if report.findings:
            self.list.setCurrentIndex(self.model.index(0))
        if had_keyboard:
            self.setFocus()
        self._offer()

    def show_failure(self, words: str) -> None:
        """Says why nothing could be read."""
        self.busy.hide()
        self.counts.setText(words)

    @property
    def findings(self) -> Sequence[HealthFinding]:
        """Returns the findings that are shown or folded."""
        return self.model.findings

    def show_waiting(self, findings: Collection[HealthFinding]) -> None:
        """Shows which findings wait for review: those that were proposed by now and not yet decided."""
        self.model.show_waiting(findings)
        self._offer()

    def mark_proposed(self, finding: HealthFinding) -> None:
        """Shows that a finding waits for review, and goes on to the next one."""
        self.model.mark(finding)
        row = self.list.currentIndex().row()
        if self.chosen == finding and row + 1 < len(self.model.rows):
            self.list.setCurrentIndex(self.model.index(row + 1))
        self._offer()

    def _cost_words(self, report: HealthReport) -> str:
        words = self.tr("MEMORY.md and USER.md have {tokens} tokens.").format(tokens=f"{report.tokens:,}")
        if report.cost is None:
            return words
        if not report.cost.prompts:
            return f"{words} {self.tr('No prompt was sent in the last days, so what that costs is not known.')}"
        spent = self.tr("It costs about {tokens} tokens a day: {all} in %n prompts of {days}.", "", report.cost.prompts)
        return f"{words} " + spent.format(
            tokens=f"{report.cost.a_day:,}",
            all=f"{report.cost.tokens:,}",
            days=self.tr("%n days", "", report.cost.days),
        )

    def _count_words(self, findings: Iterable[HealthFinding]) -> str:
        kinds = [each.kind for each in findings]
        if not kinds:
            return self.tr("No line has a fault that the rules know.")
        names = {
            FindingKind.CONTRADICTION: self.tr("%n in doubt", "lines", kinds.count(FindingKind.CONTRADICTION)),
            FindingKind.DUPLICATE: self.tr("%n said twice", "lines", kinds.count(FindingKind.DUPLICATE)),
            FindingKind.ROTTING_DATE: self.tr("%n out of date", "lines", kinds.count(FindingKind.ROTTING_DATE)),
            FindingKind.TASK_RESIDUE: self.tr("%n of a task", "lines", kinds.count(FindingKind.TASK_RESIDUE)),
            FindingKind.NOT_SENT: self.tr("%n not sent", "lines", kinds.count(FindingKind.NOT_SENT)),
            FindingKind.NO_SOURCE: self.tr("%n without a source", "lines", kinds.count(FindingKind.NO_SOURCE)),
        }
        return " · ".join(words for kind, words in names.items() if kind in kinds)

    def _offer(self) -> None:
        row, finding = self._row, self.chosen
        self.show_line.setEnabled(row is not None)
        self.copy.setEnabled(finding is not None)
        self.propose.setEnabled(finding is not None and not self.model.is_proposed(finding))
        words = self.tr("Propose to take it out")
        if finding is not None and finding.instead:
            is_past = finding.kind is FindingKind.CONTRADICTION
            words = self.tr("Propose to strike it") if is_past else self.tr("Propose the date instead")
        self.propose.setText(words)
        is_unfolded = isinstance(row, Unsourced) and row.is_open
        self.show_line.setText(self.tr("Fold") if is_unfolded else self.tr("Show"))

    def _show_chosen(self) -> None:
        place = self.list.currentIndex().row()
        if isinstance(self._row, Unsourced):
            self.model.toggle(place)
            self.list.setCurrentIndex(self.model.index(place))
            self._offer()
        else:
            self._emit(self.line_wanted)

    def _emit(self, signal: object) -> None:
        finding = self.chosen
        if finding is not None:
            signal.emit(finding)  # type: ignore[attr-defined]

    def _copy(self) -> None:
        finding = self.chosen
        if finding is not None:
            QGuiApplication.clipboard().setText(fact_text(finding.row))

    def _lay_out(self) -> None:
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        for part in (self.cost, self.unused, self.curve, self.busy, self.stale, self.counts):
            column.addWidget(part)
        column.addWidget(self.list, 1)
        for buttons in ((self.propose,), (self.show_line, self.copy, self.read_again)):
            column.addLayout(_row_of(buttons))
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(scroll)


def _row_of(buttons: Sequence[QPushButton]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for button in buttons:
        button.setAutoDefault(False)
        row.addWidget(button)
    row.addStretch(1)
    return row


class HealthDialog(Dialog):
    """Shows the health of another agent's memory, beside the window that shows that memory. It proposes nothing."""

    manual_page: ClassVar = "health"

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.view = HealthView(self)
        self.view.set_read_only()
        self.view.show_busy()
        self.view.read_again.hide()
        buttons = self.closing_buttons(is_default=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.view, 1)
        column.addWidget(buttons)
        self.resize(bounded(QSize(Theme.current().scaled(640), Theme.current().scaled(620)), self))
