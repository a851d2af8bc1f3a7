"""Shows the health of one memory: each line with a fault, what each line costs, and how it all grew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import ClassVar

from PySide6.QtCore import QAbstractItemModel, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QGuiApplication
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
from mnemoscope.ui.health.line_models import CostsModel, FindingsModel, Unsourced, token_words
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.fields import TabWidget
from mnemoscope.ui.widgets.lists.two_line_delegate import TwoLineDelegate
from mnemoscope.ui.widgets.notices.notice_bar import FlowRow
from mnemoscope.ui.widgets.pane import Pane
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role


class HealthPane(Pane):
    """Is the pane of memory's health, which is told what was read."""

    manual_page: ClassVar = "health"
    proposal_requested = Signal(object)
    """The change that this `HealthFinding` proposes is to wait for review."""
    line_requested = Signal(object)
    """The line of this `HealthFinding` is to be shown."""
    read_requested = Signal()
    """Memory is to be read again."""
    memory_requested = Signal()
    """The pane of memory is to be shown: there is nothing to look at yet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Memory's health"))
        self._waiting: frozenset[HealthFinding] = frozenset()
        self._is_foreign = False
        self._is_empty = False
        self.summary = plain_label(self)
        self.read_again = square_tool(self, self.tr("Read again"), 28, 16, "refresh-cw")
        self.read_again.clicked.connect(lambda _checked=False: self.read_requested.emit())
        self.stale = plain_label(self, "caption")
        self.busy = QProgressBar(self)
        self.busy.setRange(0, 0)
        self.busy.setFixedHeight(4)
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(self.tr("Memory is being read"))
        self.pages = TabWidget(self)
        self.pages.setDocumentMode(True)
        self.pages.setAccessibleName(self.tr("Parts of memory's health"))
        self.counts = plain_label(self, "caption")
        self.model = FindingsModel(self)
        self.list = self._list(self.model, self.tr("Lines with a fault"))
        self.cost = plain_label(self, "caption")
        self.cost_model = CostsModel(self)
        self.costs = self._list(self.cost_model, self.tr("What each line costs"))
        self.curve = GrowthCurve(self)
        self.faults = _Part((self.counts, self.list), self._lead_on, self)
        self.spent = _Part((self.cost, self.costs), self.read_requested.emit, self)
        self.grown = _Part((self.curve,), self.read_requested.emit, self)
        self.buttons = FlowRow(self, 8)
        self.propose = self._button(self.tr("Propose to take it out"))
        SinglePress(self).connect_button(self.propose, lambda: self._emit(self.proposal_requested))
        self.show_line = self._button(self.tr("Show"))
        self.show_line.clicked.connect(lambda: self._show_chosen())
        self.copy = self._button(self.tr("Copy"))
        self.copy.clicked.connect(self._copy)
        self._lay_out()
        for part in (self.busy, self.stale):
            part.hide()
        for lines in (self.list, self.costs):
            lines.setEnabled(False)
        self.pages.currentChanged.connect(lambda _page: self._on_page())
        self._on_page()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the keyboard to the lines in sight, or to the button that leads on where there are none. With a focus
        proxy Tab would go round for ever."""
        lines, part = self._lines, self.pages.currentWidget()
        heir: QWidget = self.read_again
        if lines is not None and lines.isEnabled():
            heir = lines
        elif isinstance(part, _Part) and part.nothing.button.isVisibleTo(part):
            heir = part.nothing.button
        heir.setFocus(event.reason())

    def set_read_only(self) -> None:
        """Has lines shown and copied only: the memory is another agent's, or may not be written."""
        self.propose.hide()
        self.buttons.arrange()

    def set_foreign(self) -> None:
        """Has the press lead to a corrected text to copy, as the files are another agent's and are written by it
        alone."""
        self._is_foreign = True
        for part in (self.faults, self.spent, self.grown):
            part.nothing.button.hide()
        self._offer()

    def show_busy(self) -> None:
        """Shows that memory is being read."""
        self.stale.hide()
        self.busy.show()

    def show_stale(self, *, is_changed: bool) -> None:
        """Says that memory was changed after it was read, or else that a prompt was sent, which costs."""
        changed = self.tr("Memory was changed since it was read.")
        self.stale.setText(changed if is_changed else self.tr("A prompt was sent since it was read."))
        self.stale.show()

    @property
    def chosen(self) -> HealthFinding | None:
        """Returns what is chosen in the list in sight: a finding, or a line with what it costs."""
        if self._lines is self.costs:
            return self.cost_model.finding(self.costs.currentIndex().row())
        row = self._row
        return row if isinstance(row, HealthFinding) else None

    @property
    def _lines(self) -> QListView | None:
        """Returns the list of the page in sight."""
        return {0: self.list, 1: self.costs}.get(self.pages.currentIndex())

    @property
    def _row(self) -> HealthFinding | Unsourced | None:
        place = self.list.currentIndex().row()
        return self.model.rows[place] if 0 <= place < len(self.model.rows) else None

    def show_report(self, report: HealthReport) -> None:
        """Shows what was read."""
        self.busy.hide()
        self.summary.setText(self._summary(report))
        self.cost.setText(self._cost_words(report))
        self.curve.show_growth(report.growth)
        buttons = (each.nothing.button for each in (self.faults, self.spent, self.grown))
        had_keyboard = any(each.hasFocus() for each in (self.list, self.costs, self, self.read_again, *buttons))
        self.model.show_findings(report.findings)
        self.cost_model.show_report(report)
        self.counts.setText(self._count_words(report.findings))
        self._show_what_there_is(report)
        self.pages.setTabText(0, self.tr("Faults ({count})").format(count=len(report.findings)))
        for lines in (self.list, self.costs):
            lines.setEnabled(lines.model().rowCount() > 0)
            lines.setCurrentIndex(lines.model().index(0, 0))
        if had_keyboard:
            self.setFocus()
        self._offer()

    def _show_what_there_is(self, report: HealthReport) -> None:
        """Has each part that says nothing yet lead on."""
        self._is_empty = not report.tokens
        if report.findings:
            self.faults.show_read()
        elif self._is_empty:
            words = self.tr("Memory is empty: there is no line to look at yet.")
            self.faults.show_nothing(words, "brain", self.tr("Go to memory"))
        else:
            words = self.tr("No line has a fault that the rules know.")
            self.faults.show_nothing(words, "circle-check", self.tr("Look at what each line costs"))
        again = self.tr("Read again")
        if self.cost_model.rows:
            self.spent.show_read()
        else:
            self.spent.show_nothing(self.cost.text(), "layers", again)
        if report.growth:
            self.grown.show_read()
        else:
            self.grown.show_nothing(self.curve.words(), "history", again)

    def _lead_on(self) -> None:
        """Goes to what each line costs, or to the pane of memory where it has no line."""
        if self._is_empty:
            self.memory_requested.emit()
        else:
            self.pages.setCurrentIndex(self.pages.indexOf(self.spent))
            self.setFocus()

    def show_failure(self, words: str) -> None:
        """Says why nothing could be read."""
        self.busy.hide()
        self.summary.setText(words)

    @property
    def findings(self) -> Sequence[HealthFinding]:
        """Returns the findings that are shown or folded, and what may be proposed for lines that were never used."""
        lines = map(self.cost_model.finding, range(len(self.cost_model.rows)))
        return (*self.model.findings, *(each for each in lines if each is not None))

    def is_waiting(self, finding: HealthFinding) -> bool:
        """Returns whether a finding waits for review."""
        return finding in self._waiting

    def show_waiting(self, findings: Collection[HealthFinding]) -> None:
        """Shows which findings wait for review: those that were proposed by now and not yet decided."""
        self._waiting = frozenset(findings)
        self.model.show_waiting(findings)
        self.cost_model.show_waiting(findings)
        self._offer()

    def mark_proposed(self, finding: HealthFinding) -> None:
        """Shows that a finding waits for review, and goes on to the next one."""
        was_chosen, lines = self.chosen == finding, self._lines
        self.show_waiting({*self._waiting, finding})
        if was_chosen and lines is not None and (row := lines.currentIndex().row() + 1) < lines.model().rowCount():
            lines.setCurrentIndex(lines.model().index(row, 0))
        self._offer()

    def _summary(self, report: HealthReport) -> str:
        words = token_words(report.tokens)
        if report.sent:
            sent = sum(each.tokens for each in report.sent)
            words = f"{words} · {self.tr('up to {tokens} in each prompt').format(tokens=f'{sent:,}')}"
            if report.sent_cost is not None and report.sent_cost.prompts:
                a_day = self.tr("at most some {tokens} a day, an estimate").format(tokens=f"{report.sent_cost.a_day:,}")
                words = f"{words} · {a_day}"
            return words
        if report.cost is None or not report.cost.prompts:
            return words
        return f"{words} · {self.tr('about {tokens} a day').format(tokens=f'{report.cost.a_day:,}')}"

    def _cost_words(self, report: HealthReport) -> str:
        if report.cost is None:
            return self._sent_words(report)
        if not report.cost.prompts:
            return self.tr("No prompt was sent in the last days, so what memory costs is not known.")
        spent = self.tr("{all} tokens of memory in %n prompts of {days}", "", report.cost.prompts).format(
            all=f"{report.cost.tokens:,}", days=self.tr("%n days", "", report.cost.days)
        )
        unused = self.tr("{tokens} of them in lines that no answer likely rests on").format(
            tokens=f"{report.cost.unused:,}"
        )
        return f"{spent} · {unused}"

    def _sent_words(self, report: HealthReport) -> str:
        if not report.sent:
            return self.tr("As far as is known, this agent sends none of these files by itself.")
        cost = report.sent_cost
        if cost is None:
            return self.tr(
                "What the agent sends by itself. How many prompts there were is not known, so nothing is said of a day."
                " Files of one project or agent stand in its prompts alone."
            )
        own = self.tr("What the agent sends by itself. Files of one project or agent stand in its prompts alone.")
        if not cost.prompts:
            return f"{own} {self.tr('No answer of the last 30 days is kept, so nothing is said of a day.')}"
        asked = self.tr("%n answers of {days} are kept.", "", cost.prompts).format(
            days=self.tr("%n days", "", cost.days)
        )
        estimate = self.tr(
            "Were each asked for with what is sent today, that were {tokens} tokens: an estimate, as no prompts are "
            "kept."
        ).format(tokens=f"{cost.tokens:,}")
        return f"{own} {asked} {estimate}"

    def _count_words(self, findings: Iterable[HealthFinding]) -> str:
        kinds = [each.kind for each in findings]
        names = {
            FindingKind.DISAGREEMENT: self.tr("%n in doubt", "lines", kinds.count(FindingKind.DISAGREEMENT)),
            FindingKind.DUPLICATE: self.tr("%n said twice", "lines", kinds.count(FindingKind.DUPLICATE)),
            FindingKind.ROTTING_DATE: self.tr("%n out of date", "lines", kinds.count(FindingKind.ROTTING_DATE)),
            FindingKind.TASK_RESIDUE: self.tr("%n of a task", "lines", kinds.count(FindingKind.TASK_RESIDUE)),
            FindingKind.NOT_SENT: self.tr("%n not sent", "lines", kinds.count(FindingKind.NOT_SENT)),
            FindingKind.UNUSED: self.tr("%n never used", "lines", kinds.count(FindingKind.UNUSED)),
            FindingKind.NO_SOURCE: self.tr("%n without a source", "lines", kinds.count(FindingKind.NO_SOURCE)),
        }
        return " · ".join(words for kind, words in names.items() if kind in kinds)

    def _on_page(self) -> None:
        """Lets only the page in sight say how high the pane is at least: where another one needs more, the pane would
        scroll beside a list that scrolls."""
        for page in (self.faults, self.spent, self.grown):
            in_sight = page is self.pages.currentWidget()
            page.set_in_sight(in_sight)
            height = QSizePolicy.Policy.Preferred if in_sight else QSizePolicy.Policy.Ignored
            page.setSizePolicy(QSizePolicy.Policy.Preferred, height)
        self._offer()

    def _offer(self) -> None:
        finding, is_folded = self.chosen, self._lines is self.list and isinstance(self._row, Unsourced)
        lines = self._lines
        self.buttons.setVisible(lines is not None and lines.model().rowCount() > 0)
        self.show_line.setEnabled(finding is not None or is_folded)
        self.copy.setEnabled(finding is not None)
        may_propose = finding is not None and not self.is_waiting(finding) and not self._is_used
        if not may_propose and self.propose.hasFocus():
            # Otherwise Qt gives the keyboard to the next button, which a second press would trigger.
            self.setFocus()
        self.propose.setEnabled(may_propose)
        words = self.tr("Propose to take it out")
        if finding is not None and finding.instead:
            is_past = finding.kind is FindingKind.DISAGREEMENT
            words = self.tr("Propose to strike it") if is_past else self.tr("Propose the date instead")
        self.propose.setText(self.tr("Correct it there…") if self._is_foreign else words)
        is_unfolded = is_folded and isinstance(self._row, Unsourced) and self._row.is_open
        self.show_line.setText(self.tr("Fold") if is_unfolded else self.tr("Show"))
        self.buttons.arrange()

    @property
    def _is_used(self) -> bool:
        return self._lines is self.costs and self.cost_model.is_used(self.costs.currentIndex().row())

    def _show_chosen(self) -> None:
        place = self.list.currentIndex().row()
        if self._lines is self.list and isinstance(self._row, Unsourced):
            self.model.toggle(place)
            self.list.setCurrentIndex(self.model.index(place))
            self._offer()
        else:
            self._emit(self.line_requested)

    def _emit(self, signal: SignalInstance) -> None:
        finding = self.chosen
        if finding is not None:
            signal.emit(finding)

    def _copy(self) -> None:
        finding = self.chosen
        if finding is not None:
            QGuiApplication.clipboard().setText(fact_text(finding.row))

    def _list(self, model: QAbstractItemModel, name: str) -> QListView:
        lines = QListView(self)
        lines.setModel(model)
        lines.setItemDelegate(TwoLineDelegate(lines))
        lines.setAccessibleName(name)
        lines.setWordWrap(True)
        lines.setResizeMode(QListView.ResizeMode.Adjust)
        lines.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        lines.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        lines.setMinimumHeight(Theme.current().scaled(56))
        lines.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        set_role(lines, role="card")
        lines.selectionModel().currentChanged.connect(lambda _now, _before: self._offer())
        lines.activated.connect(lambda _index: self._show_chosen())
        offer_forgetting(lines, lambda: fact_text(self.chosen.row) if self.chosen is not None else "")
        return lines

    def _button(self, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setAutoDefault(False)
        self.buttons.add(button)
        return button

    def _lay_out(self) -> None:
        self.pages.addTab(self.faults, self.tr("Faults"))
        self.pages.addTab(self.spent, self.tr("Cost"))
        self.pages.addTab(self.grown, self.tr("Growth"))
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        top = QHBoxLayout()
        top.addWidget(self.summary, 1)
        top.addWidget(self.read_again)
        column.addLayout(top)
        column.addWidget(self.busy)
        column.addWidget(self.stale)
        column.addWidget(self.pages, 1)
        column.addWidget(self.buttons)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        # Qt has it fill its background: the dock below would count as out of sight.
        inside.setAutoFillBackground(False)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(scroll)


class _Part(QWidget):
    """Is one of the pages: what was read, or where nothing of it is known yet a sentence that leads on."""

    def __init__(self, parts: Sequence[QWidget], leads_on: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = parts
        self._is_read, self._is_in_sight = True, False
        # A page within a pane has less height than a pane.
        self.nothing = EmptyState("brain", "", "", leads_on, self, padding=12)
        self.nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        for part in parts:
            column.addWidget(part, int(part is parts[-1]))
        column.addWidget(self.nothing, 1)

    def show_nothing(self, sentence: str, icon: str, action: str) -> None:
        """Shows a sentence and what leads on in the place of what was read."""
        self.nothing.sentence.setText(sentence)
        self.nothing.set_icon(icon)
        self.nothing.button.setText(action)
        self._show(is_read=False)

    def show_read(self) -> None:
        """Shows what was read."""
        self._show(is_read=True)

    def set_in_sight(self, in_sight: bool) -> None:
        """Has the sentence ask for room only while it is in sight: Qt counts its lines also where its page is not."""
        self._is_in_sight = in_sight
        self._show(is_read=self._is_read)

    def _show(self, *, is_read: bool) -> None:
        self._is_read = is_read
        for part in self._parts:
            part.setVisible(is_read)
        self.nothing.setVisible(not is_read and self._is_in_sight)


class HealthDialog(Dialog):
    """Shows the health of another agent's memory, beside the window that shows that memory. It writes nothing there:
    what is wanted corrected is offered to be copied."""

    manual_page: ClassVar = "health"

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.pane = HealthPane(self)
        self.pane.set_foreign()
        self.pane.show_busy()
        self.pane.read_again.hide()
        buttons = self.closing_buttons(is_default=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.pane, 1)
        column.addWidget(buttons)
        self.resize(bounded(QSize(Theme.current().scaled(640), Theme.current().scaled(620)), self))
