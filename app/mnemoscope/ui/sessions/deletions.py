"""Deleted conversations and their way back: a bar for those of this moment, the dialog of the trash for all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.sessions.session_moves import Trashed, TrashedOverview
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.sessions.sessions_pane import listed_title
from mnemoscope.ui.support.locale_words import in_words
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.scripts import isolated
from mnemoscope.ui.widgets.theme import set_role

_LISTED: Final = 5
"""Conversations that are named, where something could not be done to more."""


def listed_refusals(words: str, refused: Sequence[tuple[str, str]]) -> str:
    """Returns `words` and below them the titles of conversations to which something was not done, each with why, a line
    each; why alone where the title is not known."""
    named = [(f"“{isolated(title)}”: " if title else "", core_words(reason)) for title, reason in refused[:_LISTED]]
    lines = [title + reason for title, reason in named]
    if (more := len(refused) - _LISTED) > 0:
        lines.append(QCoreApplication.translate("Deletions", "and %n more", "", more))
    return "\n".join([words, *lines])


@dataclass(frozen=True, slots=True)
class Deleted:
    """Describes conversations that were deleted at once a moment ago; `title` is that of the last."""

    title: str
    trashed: tuple[Trashed, ...]


class Deletions(QObject):
    """Offers to undo deletions, each of a series; `open_session` shows what came back."""

    def __init__(self, chat: ChatColumn, bench: Workbench, tasks: Tasks, open_session: Callable[[str], object]) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._open = open_session
        self._series: tuple[Deleted, ...] = ()
        self._bar: NoticeBar | None = None
        self._is_bringing_back = False
        self.stand_in = ""
        """The empty conversation that took the place of the last one deleted."""

    @property
    def series(self) -> tuple[Deleted, ...]:
        """Returns the deletions that the bar on show can undo, the oldest first."""
        return self._series

    def offer(self, series: Sequence[Deleted]) -> None:
        """Says what was deleted, with a way back for each."""
        before, self._bar = self._bar, None
        if before is not None:
            before.dismiss()
        if not series:
            self._series = ()
            return
        actions: list[NoticeAction] = [(self.tr("Undo"), lambda: self._undo(1))]
        words = self.tr("“{title}” was moved to the trash.").format(title=isolated(series[-1].title))
        count = sum(len(one.trashed) for one in series)
        if count > 1:
            words = self.tr("%n conversations were moved to the trash.", "", count)
        if len(series) > 1:
            actions = [
                (self.tr("Undo the last"), lambda: self._undo(1)),
                (self.tr("Undo all"), lambda: self._undo(len(self._series))),
            ]
        bar = self._chat.notify("info", words, actions, stays=True)
        self._bar, self._series = bar, tuple(series)
        bar.closed.connect(lambda: self._forget(bar))

    def open_trash(self) -> None:
        """Shows all that was ever deleted."""
        self._tasks.spawn_once(self._open_trash, "trash")

    async def _open_trash(self) -> None:
        trashed = await self._bench.conversations.trashed()
        dialog = TrashDialog(self._chat.window())
        dialog.restore_requested.connect(
            lambda one: self._tasks.spawn(self._restore_from_trash(dialog, one), "restore")
        )
        dialog.show_trashed(trashed)
        dialog.open()

    async def _restore_from_trash(self, dialog: TrashDialog, one: TrashedOverview) -> None:
        for error in (await self._restore([one.trashed])).values():
            raise error
        trashed = await self._bench.conversations.trashed()
        if isValid(dialog):
            dialog.show_trashed(trashed)

    def _undo(self, count: int) -> None:
        if not self._is_bringing_back:
            self._is_bringing_back = True
            back, left = self._series[-count:], self._series[:-count]
            self._tasks.spawn(self._undone(back, left), "restore")

    async def _undone(self, back: Sequence[Deleted], left: Sequence[Deleted]) -> None:
        try:
            await self._bring_back(back, left)
        finally:
            self._is_bringing_back = False

    async def _bring_back(self, back: Sequence[Deleted], left: Sequence[Deleted]) -> None:
        wanted = [trashed for one in reversed(back) for trashed in reversed(one.trashed)]
        refused = await self._restore(wanted)
        # What could not be brought back can be tried again.
        still = [replace(one, trashed=tuple(each for each in one.trashed if each in refused)) for one in back]
        self.offer([*left, *(one for one in still if one.trashed)])
        if refused:
            words = self.tr("%n conversations were restored.", "", len(wanted) - len(refused))
            words += " " + self.tr("%n stay in the trash:", "", len(refused))
            titles = {one.trashed: listed_title(one) for one in await self._bench.conversations.trashed()}
            named = [(titles.get(each, each.key), error.sentence) for each, error in refused.items()]
            self._chat.notify("warning", listed_refusals(words, named))

    async def _restore(self, trashed: Sequence[Trashed]) -> dict[Trashed, MnemoscopeError]:
        """Brings conversations back; returns those that stay in the trash, with why."""
        refused = dict[Trashed, MnemoscopeError]()
        for each in trashed:
            try:
                await self._bench.conversations.restore(each)
            except MnemoscopeError as error:
                refused[each] = error
        back = [each for each in trashed if each not in refused]
        if back:
            await self._show_restored(back[-1].key)
        return refused

    async def _show_restored(self, key: str) -> None:
        if self._chat.composer.content().text.strip():
            self.stand_in = ""
        self._open(key)
        await self._drop_stand_in(key)

    async def _drop_stand_in(self, restored: str) -> None:
        """Nobody asked for the empty conversation that was begun when the last one was deleted."""
        key, self.stand_in = self.stand_in, ""
        if key in {"", restored}:
            return
        overviews = await self._bench.conversations.overviews()
        if any(one.key == key and not one.count and not one.title for one in overviews):
            await self._bench.conversations.delete(key)

    def _forget(self, bar: NoticeBar) -> None:
        if self._bar is bar:
            self._bar, self._series = None, ()


class TrashDialog(Dialog):
    """Stays open, so that several can be restored."""

    restore_requested = Signal(object)
    """A `TrashedOverview` is wanted back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Deleted conversations"))
        self._listed: Sequence[TrashedOverview] = ()
        self.restore = QPushButton(self.tr("Restore"), self)
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Deleted conversations"))
        set_role(self.list, role="card")
        # Enter in the list presses the button.
        self.list.itemDoubleClicked.connect(lambda _item: self._restore())
        self.list.currentRowChanged.connect(lambda row: self.restore.setEnabled(row >= 0))
        self._nothing = QLabel(self.tr("The trash is empty."), self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self._nothing, role="muted")
        set_role(self.restore, kind="primary")
        self.restore.setDefault(True)
        SinglePress(self).connect_button(self.restore, self._restore)
        buttons = self.closing_buttons(self.restore)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        column.addWidget(buttons)
        self.resize(480, 420)

    def show_trashed(self, listed: Sequence[TrashedOverview]) -> None:
        """Lists these, the one deleted last first."""
        self._listed = listed
        self.list.clear()
        for one in listed:
            self.list.addItem(QListWidgetItem(f"{listed_title(one)}\n{self._facts(one)}"))
        self.list.setVisible(bool(listed))
        self._nothing.setVisible(not listed)
        self.list.setCurrentRow(0 if listed else -1)
        self.restore.setEnabled(bool(listed))

    def _facts(self, one: TrashedOverview) -> str:
        when = in_words(one.deleted_at, self.tr("d MMMM yyyy HH:mm"))
        count = self.tr("%n messages", "", one.count)
        return self.tr("{count} · deleted {when}").format(count=count, when=when)

    def _restore(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._listed):
            self.restore_requested.emit(self._listed[row])
