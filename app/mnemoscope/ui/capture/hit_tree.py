"""Lists what the rules found, message by message, with the person's verdict on each finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from mnemoscope.domain.capture.judgements import Judgement, PersonsVerdict
from mnemoscope.domain.capture.scan import Capture, Refusal
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.capture.rule_tree import share
from mnemoscope.ui.memory.captures.capture_words import category_name
from mnemoscope.ui.support.capture_reasons import reason_words
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role

_HIT: Final = int(Qt.ItemDataRole.UserRole)
_ONE_LINE: Final = 90
_CATEGORY: Final = 150


@dataclass(frozen=True, slots=True)
class CaptureHit:
    """Describes one line of the tree: what was found in which message, and where in the list of messages that is."""

    message: int
    text: str
    found: Capture | Refusal

    def mark(self, verdict: PersonsVerdict) -> Judgement:
        """Returns the mark that says this of it."""
        start, stop = self.found.span
        return Judgement(self.text, start, stop, self.found.category, verdict, self.found.rule, self.found.language)


class HitTree(QTreeWidget):
    """Emits `chosen` with a CaptureHit, and `judged` with a CaptureHit and a verdict, by the keys R and W too."""

    chosen = Signal(object)
    judged = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self.setAccessibleName(self.tr("What was found"))
        self.setHeaderLabels([self.tr("Found"), self.tr("Category"), self.tr("Rule"), self.tr("Sure"), self.tr("Said")])
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(False)
        self.setIndentation(12)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        # Why something was not kept may be long; what was said is what the eye looks for.
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(1, Theme.current().scaled(_CATEGORY))
        self.currentItemChanged.connect(self._on_current)

    def show_found(
        self, messages: Sequence[str], found: Sequence[Sequence[Capture | Refusal]], marks: Sequence[Judgement]
    ) -> None:
        """Lists what was found; the line that was chosen stays so."""
        before = self.current_hit
        self.clear()
        for index, (message, theirs) in enumerate(zip(messages, found, strict=False)):
            top = QTreeWidgetItem([_one_line(message), "", "", "", ""])
            top.setFont(0, Theme.current().font("caption"))
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.addTopLevelItem(top)
            top.setFirstColumnSpanned(True)
            for each in theirs:
                top.addChild(self._row(CaptureHit(index, message, each), marks))
            if not theirs:
                top.setForeground(0, Theme.current().color("text_faint"))
        self.expandAll()
        self._choose(before)

    @property
    def current_hit(self) -> CaptureHit | None:
        """Returns the hit that is chosen; None where a message or nothing is."""
        item = self.currentItem()
        hit = item.data(0, _HIT) if item is not None else None
        return hit if isinstance(hit, CaptureHit) else None

    def judge(self, verdict: PersonsVerdict) -> None:
        """Announces what the person says of the chosen line."""
        if (hit := self.current_hit) is not None:
            self.judged.emit(hit, verdict)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not CAPTURE_KEYS.press(self, event):
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Looks for no line that begins with a letter: letters say here what the person thinks of a line."""

    def _row(self, hit: CaptureHit, marks: Sequence[Judgement]) -> QTreeWidgetItem:
        found = hit.found
        if isinstance(found, Capture):
            sure = share(found.confidence)
            name = category_name(found.category)
            category = self.tr("{category}, lasting").format(category=name) if found.durable else name
        else:
            sure, category = "", self.tr("not remembered: {reason}").format(reason=reason_words(found.reason))
        row = QTreeWidgetItem([_one_line(found.text), category, found.rule, sure, self._verdict_words(hit, marks)])
        row.setData(0, _HIT, hit)
        row.setToolTip(0, plain_tooltip(found.text))
        row.setToolTip(1, plain_tooltip(category))
        if isinstance(found, Refusal):
            for column in range(5):
                row.setForeground(column, Theme.current().color("text_faint"))
        return row

    def _verdict_words(self, hit: CaptureHit, marks: Sequence[Judgement]) -> str:
        words = {"right": self.tr("right"), "wrong": self.tr("wrong"), "missed": self.tr("wanted")}
        probe = hit.mark("right")
        return next((words[each.verdict] for each in reversed(marks) if each.is_same_place(probe)), "")

    def _choose(self, before: CaptureHit | None) -> None:
        for place in range(self.topLevelItemCount()):
            top = self.topLevelItem(place)
            for at in range(top.childCount() if top is not None else 0):
                row = top.child(at) if top is not None else None
                if row is not None and before is not None and row.data(0, _HIT) == before:
                    self.setCurrentItem(row)
                    return

    def _on_current(self) -> None:
        self.chosen.emit(self.current_hit)


def _one_line(text: str) -> str:
    return shortened(" ".join(text.split()), _ONE_LINE)


CAPTURE_KEYS: Final[PartKeys[HitTree]] = PartKeys(
    "Rules of capture",
    PartKey("mark the line as right", {"R": lambda tree: tree.judge("right")}),
    PartKey("mark the line as wrong", {"W": lambda tree: tree.judge("wrong")}),
    in_own_window=True,
)
