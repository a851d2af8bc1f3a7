"""What a row offers: show it, copy it, show the entry it became."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.domain.timeline.rows import Row, RowKind
from mnemoscope.ui.timeline.sentences import row_copy, row_markdown
from mnemoscope.ui.timeline.words import tr

if TYPE_CHECKING:
    from mnemoscope.ui.timeline.timeline_view import TimelineView


def row_menu(view: TimelineView, row: Row) -> QMenu:
    """The menu of one row; it deletes itself when closed."""
    menu = QMenu(view)
    menu.aboutToHide.connect(menu.deleteLater)
    if row.kind is RowKind.MESSAGE:
        _offer_message(menu, view, row)
    elif row.kind is RowKind.ENTRY:
        _offer_entry(menu, view, row)
    if not menu.isEmpty():
        menu.addSeparator()
    menu.addAction(tr("Go to the pointer")).triggered.connect(view.place.to_pointer)
    menu.addAction(tr("Go to the newest message")).triggered.connect(view.place.to_end)
    if len(view.model.groups):
        menu.addAction(tr("Fold all entries")).triggered.connect(lambda: view.model.folds.fold_all(folded=True))
        menu.addAction(tr("Unfold all entries")).triggered.connect(lambda: view.model.folds.fold_all(folded=False))
    return menu


def _offer_message(menu: QMenu, view: TimelineView, row: Row) -> None:
    clipboard, model = QGuiApplication.clipboard(), view.model
    menu.addAction(tr("Show in chat")).triggered.connect(lambda: view.activate(row))
    group = model.groups.holding(row.number)
    if group is not None:
        record = model.groups.records[group]
        menu.addAction(tr("Show history entry")).triggered.connect(lambda: view.entry_activated.emit(record))
        _offer_chain(menu, view, record)
    menu.addAction(tr("Copy message")).triggered.connect(lambda: clipboard.setText(row_copy(model, row)))
    menu.addAction(tr("Copy as Markdown")).triggered.connect(lambda: clipboard.setText(row_markdown(model, row)))


def _offer_entry(menu: QMenu, view: TimelineView, row: Row) -> None:
    model = view.model
    unfolded = row.number in model.folds.unfolded
    menu.addAction(tr("Show history entry")).triggered.connect(lambda: view.activate(row))
    menu.addAction(tr("Fold its messages") if unfolded else tr("Show its messages")).triggered.connect(
        lambda: model.folds.fold(row.number, folded=unfolded)
    )
    record = model.groups.records[row.number]
    _offer_chain(menu, view, record)
    if offer := model.undo.offer(record):
        undo = tr("Undo what it wrote to memory") if offer.kind == "undo" else tr("Bring back what it wrote to memory")
        menu.addAction(undo).triggered.connect(partial(view.follow, offer, record))
    clipboard = QGuiApplication.clipboard()
    menu.addAction(tr("Copy entry")).triggered.connect(lambda: clipboard.setText(row_copy(model, row)))


def _offer_chain(menu: QMenu, view: TimelineView, record: ConsolidationRecord) -> None:
    """The steps of an entry's way that a click in its card follows, for the keyboard."""
    titles = {"dream": tr("Show in Dream"), "commit": tr("Show this version of memory")}
    for link in view.model.dream.chain(record):
        if link.kind in titles:
            menu.addAction(titles[link.kind]).triggered.connect(partial(view.follow, link, record))
