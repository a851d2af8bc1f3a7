"""Lists every place that has the selected words, and takes them out of those that are ticked."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import (
    MOST_RELATED,
    ForgettingPlan,
    FoundPlace,
    PlaceKind,
    RelatedLine,
    in_order,
)
from mnemoscope.domain.text.excerpt import excerpt, shortened
from mnemoscope.ui.forgetting.place_words import counted, kind_name, place_name
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role

_HELD: Final = Qt.ItemDataRole.UserRole
_SHOWN: Final = 200
_SHOWN_EVERY_MS: Final = 150
_KIND: Final = Qt.ItemDataRole.UserRole + 1
"""The role of a title that holds the kind of the places below it."""
_FEW: Final = 3
"""Places of a kind that are in sight at once; more are folded below their title."""
_EDGES: Final = 12
"""Characters that an excerpt has beside the words where it says nothing else, such as a full stop or the kind of a
captured line."""
_MARKS: Final = " -*.,;:!?"
_TITLE: Final = 40
"""Characters of a conversation's title that stand in a row."""
_SENT: Final = frozenset({PlaceKind.CONVERSATIONS, PlaceKind.TEMPORARY})
"""The places of messages that a model is sent."""
_OF_MESSAGES: Final = frozenset(
    {PlaceKind.CONVERSATIONS, PlaceKind.TEMPORARY, PlaceKind.BRANCHES, PlaceKind.ARCHIVE, PlaceKind.TRASH}
)
"""The places in which a message that is taken out leaves a mark."""


class ForgettingDialog(Dialog):
    """Stands beside the window. Nothing is changed before its button is pressed."""

    manual_page: ClassVar = "forget"
    plan_requested = Signal(object)
    """Carries the texts whose places are to be looked for: the selection, and ticked lines that say the same."""
    forgetting_requested = Signal(object, object)
    """Carries the places that are ticked, and those that are left."""
    going_on_requested = Signal()
    """The rest of a forgetting that the disk refused half-way is to be tried again."""

    def __init__(self, parent: QWidget, selected: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Forget"))
        self.selected = selected
        self._added: list[RelatedLine] = []
        """Lines in other words that are ticked, so that they are looked for too."""
        self._wanted: set[str] = set()
        """The files of lines that were ticked since the places were listed last."""
        self.plan: ForgettingPlan | None = None
        self._is_planned = False
        """Whether the places are those of what is ticked."""
        self._listed: tuple[FoundPlace, ...] = ()
        """The places that are in sight."""
        self._unfolded: dict[str, bool] = {}
        """Whether the places of a kind were put in sight, unless the person said otherwise."""
        self._found: list[FoundPlace] = []
        """The places that a search which goes on found."""
        self._showing = QTimer(self, singleShot=True, interval=_SHOWN_EVERY_MS)
        """Many places are found at once, and are listed together."""
        self._showing.timeout.connect(self._show_so_far)
        self.is_unfinished = False
        """Whether the words are being taken out, and the disk refused the rest."""
        self.said = plain_label(self)
        self.said.setText(f"“{excerpt(selected, _SHOWN)}”")
        self.busy = QProgressBar(self)
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setAccessibleName(self.tr("Every place is being searched"))
        # Nothing moves below the pointer while it comes and goes.
        policy = self.busy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.busy.setSizePolicy(policy)
        self.counts = plain_label(self, "caption", self.busy.accessibleName())
        self.tree = QTreeWidget(self)
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(self.tr("Places that have these words"))
        self.tree.setMinimumHeight(Theme.current().scaled(96))
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        set_role(self.tree, role="card")
        self.tree.itemChanged.connect(self._on_ticked)
        self._offering = QTimer(self, singleShot=True)
        """Many ticks change at once where a title is pressed."""
        self._offering.timeout.connect(self._offer)
        self.keep = QPushButton(self.tr("Keep the conversation"), self)
        self.keep.clicked.connect(lambda: self._tick(everything=False))
        self.everything = QPushButton(self.tr("Everything"), self)
        self.everything.clicked.connect(lambda: self._tick(everything=True))
        self.warning = plain_label(self, "muted")
        self.failure = plain_label(self)
        self.failure.hide()
        self.forget = QPushButton(self.tr("Forget for good"), self)
        set_role(self.forget, kind="danger")
        self.forget.clicked.connect(self._begin)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self._lay_out()
        self.resize(bounded(QSize(Theme.current().scaled(640), Theme.current().scaled(560)), self))
        self._offer()

    @property
    def is_choosing(self) -> bool:
        """Returns whether nothing was taken out yet."""
        return self.cancel.isEnabled() and not self.is_unfinished

    @property
    def chosen(self) -> list[FoundPlace]:
        """Returns the places that are ticked."""
        return [
            place
            for item in self._items()
            if isinstance(place := item.data(0, _HELD), FoundPlace)
            and place.can_be_taken
            and item.checkState(0) == Qt.CheckState.Checked
        ]

    def show_plan(self, plan: ForgettingPlan, *, has_others: bool = True) -> None:
        """Lists the places; what was ticked or not before stays so. `has_others`: other agents were looked at."""
        self._showing.stop()
        self._found.clear()
        self.plan = plan
        self._is_planned = True
        self.busy.hide()
        there = self._list(plan)
        number = len(plan.places)
        words = self.tr("Places with these words: {count}.").format(count=f"{number:,}")
        words = words if number else self.tr("No place has these words.")
        unseen = self.tr("Other agents on this computer were not looked at, as nobody agreed to it.")
        self.counts.setText(words if has_others else f"{words} {unseen}")
        first = there or self.tree.topLevelItem(0)
        if first is not None and not self.failure.isVisible():
            self.tree.setCurrentItem(first)
            self.tree.setFocus()
        self._offer()

    def show_found(self, place: FoundPlace) -> None:
        """Lists a place that was found while others are still looked for: until all are known nothing is taken out."""
        self._found.append(place)
        if not self._showing.isActive():
            self._showing.start()

    def _show_so_far(self) -> None:
        """Lists what was found so far, unless places are there already whose list is only made anew."""
        if self.plan is not None:
            return
        there = self._list(ForgettingPlan(ForgottenText(()), tuple(in_order(self._found))))
        if there is not None:
            self.tree.setCurrentItem(there)
        words = self.tr("Places with these words so far: {count}. The rest is still being searched.")
        self.counts.setText(words.format(count=f"{len(self._found):,}"))
        self._offer()

    def _list(self, plan: ForgettingPlan) -> QTreeWidgetItem | None:
        """Fills the list, and returns the row that was the current one; None where there is none such."""
        before = {(each.kind, each.path) for each in self.chosen}
        known = {(each.kind, each.path) for each in self._listed}
        self._listed = plan.places
        shown = {group.data(0, _KIND): group.isExpanded() for group in self._groups()}
        by_hand = {kind: state for kind, state in shown.items() if state != self._unfolded.get(kind)}
        current = self.tree.currentItem()
        chosen = None if current is None else _name_of(current.data(0, _HELD))
        self.tree.blockSignals(True)
        self.tree.clear()
        for kind, places in groupby(plan.places, key=lambda each: each.kind):
            held = list(places)
            title = counted(kind_name(kind), sum(each.count for each in held))
            if len(held) > 1:
                title = f"{title} · {self.tr('%n places', '', len(held))}"
            group = self._group(title)
            group.setData(0, _KIND, kind.value)
            # One press ticks all of them.
            group.setFlags(group.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
            for place in held:
                key = (place.kind, place.path)
                is_ticked = key in before if key in known else place.by_default
                self._add(group, place, is_ticked=is_ticked or place.path in self._wanted)
            # While places are found, a kind folds that becomes one of many.
            self._unfolded[kind.value] = len(held) <= _FEW
            group.setExpanded(by_hand.get(kind.value, len(held) <= _FEW))
        self._wanted.clear()
        related = [*self._added, *(line for line in plan.related if line not in self._added)]
        if related:
            title = self.tr("Lines that say the same in other words")
            if len(plan.related) >= MOST_RELATED:
                title = self.tr("Lines that say the same in other words; there may be more of them")
            group = self._group(title)
            for line in related:
                self._add_related(group, line)
            group.setExpanded(True)
        self.tree.blockSignals(False)
        # Whoever ticks one line after another stays where they are.
        there = (item for item in self._items() if chosen is not None and _name_of(item.data(0, _HELD)) == chosen)
        return next(there, None)

    def show_failure(self, words: str) -> None:
        """Says why nothing was done; it can be tried again."""
        self.busy.hide()
        if not self._is_planned:
            self.counts.clear()
        self.tree.setEnabled(True)
        self.failure.setText(words)
        self.failure.show()
        self._offer()

    def show_unfinished(self, reason: str) -> None:
        """Says that forgetting began and why it is not finished; nothing of it can be chosen any more."""
        self.is_unfinished = True
        self.busy.hide()
        words = self.tr(
            "Forgetting began and is not finished: {reason} It goes on as soon as the disk takes it, at the latest "
            "when the workspace is opened next."
        )
        self.failure.setText(words.format(reason=reason))
        self.failure.show()
        self.warning.setText(
            self.tr(
                "Until it is finished the words stand in .mnemoscope/intent.json. You can take it back afterwards, "
                "until the window closes."
            )
        )
        self.forget.setText(self.tr("Try again"))
        self.cancel.setText(self.tr("Close"))
        for button in (self.forget, self.cancel):
            button.setEnabled(True)

    def _show_at_work(self) -> None:
        """Shows that the words are taken out now; nothing can be pressed meanwhile."""
        self.failure.hide()
        self.busy.show()
        for part in (self.tree, self.keep, self.everything, self.forget, self.cancel):
            part.setEnabled(False)

    def reject(self) -> None:
        """Closes the dialog, unless the words are being taken out."""
        if self.cancel.isEnabled():
            super().reject()

    def _items(self) -> list[QTreeWidgetItem]:
        found = (group.child(row) for group in self._groups() for row in range(group.childCount()))
        return [item for item in found if item is not None]

    def _groups(self) -> list[QTreeWidgetItem]:
        found = (self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount()))
        return [group for group in found if group is not None]

    def _group(self, words: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.tree, [words])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        return group

    def _add(self, group: QTreeWidgetItem, place: FoundPlace, *, is_ticked: bool) -> None:
        words = counted(place_name(place), place.count)
        about = core_words(place.why_not) if place.why_not else self._excerpt_of(place)
        item = QTreeWidgetItem(group, [f"{about} · {words}" if about else words])
        item.setData(0, _HELD, place)
        item.setToolTip(0, "\n".join((place.path or place_name(place), *place.excerpts)))
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        if place.can_be_taken:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)

    def _excerpt_of(self, place: FoundPlace) -> str:
        """Returns what stands around the words at a place, "" where that is no more than was selected: it stands above
        the list."""
        said = " ".join(place.excerpts[:1])
        whole = excerpt(self.selected, len(self.selected)).strip(_MARKS)
        is_within = whole in said or said.strip(_MARKS) in whole
        return "" if is_within and abs(len(said) - len(whole)) <= min(_EDGES, len(whole) // 3) else said

    def _add_related(self, group: QTreeWidgetItem, line: RelatedLine) -> None:
        where = f"“{shortened(line.title, _TITLE)}”" if line.title else line.path
        item = QTreeWidgetItem(group, [f"{line.text} · {where}"])
        item.setData(0, _HELD, line)
        item.setToolTip(0, f"{line.path}\n{line.text}")
        item.setCheckState(0, Qt.CheckState.Checked if line in self._added else Qt.CheckState.Unchecked)

    def _on_ticked(self, item: QTreeWidgetItem, _column: int) -> None:
        line = item.data(0, _HELD)
        if isinstance(line, RelatedLine):
            self._added = [each for each in self._added if each != line]
            if item.checkState(0) == Qt.CheckState.Checked:
                self._added.append(line)
                self._wanted.add(line.path)
            self._is_planned = False
            self.counts.setText(self.busy.accessibleName())
            self.failure.hide()
            self.busy.show()
            self._offer()
            self.plan_requested.emit([self.selected, *(each.text for each in self._added)])
            return
        self._offering.start()

    def _tick(self, *, everything: bool) -> None:
        self.tree.blockSignals(True)
        for item in self._items():
            place = item.data(0, _HELD)
            if isinstance(place, FoundPlace) and place.can_be_taken:
                is_ticked = everything or place.by_default
                item.setCheckState(0, Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        self.tree.blockSignals(False)
        self._offer()

    def _begin(self) -> None:
        # A second press of a double click finds the button switched off.
        chosen = self.chosen
        if self.is_unfinished:
            self._show_at_work()
            self.going_on_requested.emit()
        elif self.plan is not None and chosen:
            self._show_at_work()
            self.forgetting_requested.emit(chosen, list(self.plan.without(chosen)))

    def _offer(self) -> None:
        is_planned = self._is_planned and self.busy.isHidden()
        for button in (self.keep, self.everything):
            button.setEnabled(is_planned)
        chosen = self.chosen
        self.forget.setEnabled(is_planned and bool(chosen))
        self.cancel.setEnabled(True)
        kinds = {each.kind for each in chosen}
        has_related = any(
            isinstance(item.data(0, _HELD), RelatedLine) and item.checkState(0) == Qt.CheckState.Unchecked
            for item in self._items()
        )
        left = {each.kind for each in self.plan.without(chosen)} if self.plan is not None else set[PlaceKind]()
        self.warning.setText(
            " ".join(
                (
                    self.tr("The words are taken out of what is ticked."),
                    *([self._related_words()] if has_related else ()),
                    *([self.tr("A message becomes a mark.")] if kinds & _OF_MESSAGES else ()),
                    *([self.tr("A conversation that stays is still sent while it goes on.")] if left & _SENT else ()),
                    *([self.tr("Commits are made anew.")] if PlaceKind.COMMITS in kinds else ()),
                    self.tr("What says the same in quite other words is not found, and may come back unnoticed."),
                    self.tr("You can take this back until the window closes; after that nobody can."),
                )
            )
        )

    def _related_words(self) -> str:
        """Returns the sentence that says that no button ticks the lines that say the same in other words."""
        return self.tr(
            "“Everything” does not tick the lines that say the same in other words: tick them, or they stay."
        )

    def _lay_out(self) -> None:
        presets = QHBoxLayout()
        presets.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.keep, self.everything):
            presets.addWidget(button)
        presets.addStretch(1)
        row.addStretch(1)
        for button in (self.forget, self.cancel):
            row.addWidget(button)
        for button in (self.keep, self.everything, self.forget):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        for part in (self.said, self.busy, self.counts):
            column.addWidget(part)
        column.addWidget(self.tree, 1)
        column.addLayout(presets)
        column.addWidget(self.warning)
        column.addWidget(self.failure)
        column.addLayout(row)


def _name_of(held: object) -> tuple[str, str] | None:
    """Returns what tells a row of the list from any other, None for a title."""
    if isinstance(held, FoundPlace):
        return held.kind.value, held.path
    return (held.path, held.text) if isinstance(held, RelatedLine) else None
