"""Finding words in a prompt: in every part of it, shown in the part they stand in."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeView, QWidget

from mnemoscope.ui.prompt.part_detail import PartDetail
from mnemoscope.ui.prompt.prompt_tree import PromptModel
from mnemoscope.ui.widgets.find_controls import FindControls
from mnemoscope.ui.widgets.text_search import LIMIT, BadSearch, find_all


@dataclass(frozen=True, slots=True)
class _Match:
    """Characters `span` of the part at `place` of a group."""

    group: int
    place: int
    span: tuple[int, int]


class PromptFind(FindControls):
    """Steps through the matches, part by part. `closed` when it goes away."""

    closed = Signal()

    def __init__(self, model: PromptModel, tree: QTreeView, detail: PartDetail, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._tree = tree
        self._detail = detail
        self._matches: list[_Match] = []
        self._at = -1
        self.replace_row.hide()
        self.find_field.textChanged.connect(self._search)
        self.options_changed.connect(self._search)
        self.step_pressed.connect(self._step)
        self.close_pressed.connect(self.close_bar)
        tree.selectionModel().currentChanged.connect(lambda _now, _before: self._mark())
        self.hide()

    def open(self) -> None:
        """Show the bar, ready to type."""
        self.show()
        self.find_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hide the bar and its marks."""
        self.hide()
        self._detail.mark((), None)
        self.closed.emit()

    def refresh(self) -> None:
        """Looks anew in another prompt, without going anywhere."""
        if self.isVisible():
            self._collect()
            self._show()

    def _search(self) -> None:
        """Mark all matches and go to the first in the part on show or after it."""
        self._collect()
        here = self._on_show()
        later = (at for at, match in enumerate(self._matches) if (match.group, match.place) >= here)
        self._go(next(later, 0))

    def _collect(self) -> None:
        self._matches, self._at = [], -1
        self.say("")
        try:
            for group, parts in enumerate(self._model.groups):
                for place, row in enumerate(parts.rows):
                    room = LIMIT - len(self._matches)
                    spans = find_all(row.text or "", self.query())[: max(0, room)]
                    self._matches += [_Match(group, place, span) for span in spans]
        except BadSearch as problem:
            self.say(str(problem))

    def _on_show(self) -> tuple[int, int]:
        index = self._tree.currentIndex()
        if not index.isValid():
            return (0, 0)
        return (index.parent().row(), index.row()) if index.parent().isValid() else (index.row(), 0)

    def _step(self, by: int) -> None:
        if self._matches:
            self._go((self._at + by) % len(self._matches))

    def _go(self, at: int) -> None:
        if at < len(self._matches):
            self._at = at
            match = self._matches[at]
            index = self._model.index(match.place, 0, self._model.index(match.group, 0))
            self._tree.setCurrentIndex(index)
            self._tree.scrollTo(index)
        self._show()

    def _show(self) -> None:
        total = f"{LIMIT:,}+" if len(self._matches) >= LIMIT else f"{len(self._matches):,}"
        words = self.tr("{number} of {total}").format(number=f"{self._at + 1:,}", total=total)
        if not self._matches:
            words = self.tr("No match") if self.find_field.text() else ""
        self.count_label.setText(words if self._at >= 0 or not self._matches else total)
        self._mark()

    def _mark(self) -> None:
        if self.isVisible():
            here = self._on_show()
            current = self._matches[self._at] if self._at >= 0 else None
            spans = [match.span for match in self._matches if (match.group, match.place) == here]
            on_show = current is not None and (current.group, current.place) == here
            self._detail.mark(spans, current.span if current is not None and on_show else None)
