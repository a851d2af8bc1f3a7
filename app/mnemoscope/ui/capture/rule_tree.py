"""Every rule there is, each with a tick to switch it off, and how it does on what was marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from mnemoscope.domain.capture.judgements import RuleScore, Tally
from mnemoscope.memory.capture.capture_workbench import RuleRow
from mnemoscope.ui.memory.captures.capture_words import category_name
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role

_RULE: Final = int(Qt.ItemDataRole.UserRole)
_NAME: Final = 150


class RuleTree(QTreeWidget):
    """Emits `switched` with a rule's id and whether it is on."""

    switched = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self.setAccessibleName(self.tr("Rules"))
        self.setHeaderLabels([self.tr("Rule"), self.tr("Category"), self.tr("Right"), self.tr("Found")])
        right = self.tr("The share of what it found that was marked right")
        found = self.tr("The share of what was marked as wanted that it found")
        self.headerItem().setToolTip(2, right)
        self.headerItem().setToolTip(3, found)
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(False)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        # A rule is known by its name; its category is told on hover too.
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(0, Theme.current().scaled(_NAME))
        self._listed: tuple[Sequence[RuleRow], RuleScore] | None = None
        self._words = ""
        self._can_switch = True
        self.itemChanged.connect(self._on_changed)

    def show_rules(self, rules: Sequence[RuleRow], score: RuleScore) -> None:
        """Lists the rules; nothing is drawn again where nothing is new."""
        if self._listed == (rules, score):
            return
        self._listed = rules, score
        current = self._current_rule
        self.blockSignals(True)
        self.clear()
        # What was judged comes first.
        for rule in sorted(rules, key=lambda each: each.id not in score.by_rule):
            row = self._row(rule, score.by_rule.get(rule.id, Tally()))
            self.addTopLevelItem(row)
            if rule.id == current:
                self.setCurrentItem(row)
        self.blockSignals(False)
        self.filter(self._words)

    def filter(self, words: str) -> None:
        """Shows the rules whose id or category holds these words."""
        self._words = words
        for place in range(self.topLevelItemCount()):
            row = self.topLevelItem(place)
            if row is not None:
                row_words = f"{row.text(0)} {row.text(1)} {row.toolTip(1)}"
                row.setHidden(words.casefold() not in row_words.casefold())

    def set_read_only(self) -> None:
        """Takes away that rules can be switched."""
        self._can_switch = False

    @property
    def _current_rule(self) -> str:
        """Returns the id of the rule that is chosen, or ""."""
        item = self.currentItem()
        return str(item.data(0, _RULE)) if item is not None else ""

    def _row(self, rule: RuleRow, tally: Tally) -> QTreeWidgetItem:
        name = self.tr("{rule} (yours)").format(rule=rule.id) if rule.is_own else rule.id
        category = category_name(rule.category)
        row = QTreeWidgetItem([name, category, share(tally.precision), share(tally.recall)])
        row.setData(0, _RULE, rule.id)
        flags = row.flags() | Qt.ItemFlag.ItemIsUserCheckable
        row.setFlags(flags if self._can_switch else flags & ~Qt.ItemFlag.ItemIsUserCheckable)
        row.setCheckState(0, Qt.CheckState.Checked if rule.is_on else Qt.CheckState.Unchecked)
        row.setToolTip(0, plain_tooltip(rule.id))
        # Also as a rule's file has it.
        row.setToolTip(1, plain_tooltip(f"{category} · {rule.category}"))
        for column in (2, 3):
            row.setTextAlignment(column, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        return row

    def _on_changed(self, item: QTreeWidgetItem, column: int) -> None:
        if column == 0:
            self.switched.emit(str(item.data(0, _RULE)), item.checkState(0) == Qt.CheckState.Checked)


def share(value: float | None) -> str:
    """Returns a share as a person reads it; a dash where there is none."""
    return "–" if value is None else f"{value * 100:.0f} %"
