"""The list of conversations: new, switch, rename, delete with undo."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, QSettings, QTimer

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.discretion import is_temporary
from mnemoscope.domain.errors import MnemoscopeError, UnreadableFile
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.store.sessions.session_moves import Trashed
from mnemoscope.ui.chat.cards import approval_card
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.chat.discretion_controller import may_close
from mnemoscope.ui.sessions.archive_controller import ArchiveController
from mnemoscope.ui.sessions.deletions import Deleted, Deletions, listed_refusals
from mnemoscope.ui.sessions.sessions_pane import SessionsPane
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks

_NOBODYS: Final = "desktop:none"
"""The key of what is shown where there is no conversation and none can be begun."""


class SessionsController(QObject):
    """Keeps the list true to the session files and carries out what a person asks of it."""

    def __init__(
        self,
        pane: SessionsPane,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        conversation: ConversationController,
        archive: ArchiveController,
        last: LastSession,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._conversation = conversation
        self._last = last
        self.archive = archive
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(60)
        self._refresh.timeout.connect(lambda: self._tasks.spawn(self.refresh(), "list"))
        self.deletions = Deletions(chat, bench, tasks, self.open)
        chat.approval.join(self._join_approval)
        chat.conversation_requested.connect(self.open)
        conversation.selected.connect(pane.show_current)
        conversation.changed.connect(self.refresh_soon)
        pane.chosen.connect(self.open)
        pane.closed_chosen.connect(self.read)
        pane.new_requested.connect(self.new)
        pane.renamed.connect(lambda key, title: self._tasks.spawn(self._rename(key, title), "rename"))
        pane.delete_requested.connect(lambda key: self._tasks.spawn(self._delete((key,)), "delete") if key else None)
        pane.deletion_of_several_requested.connect(lambda keys: self._tasks.spawn(self._delete(keys), "delete several"))
        pane.archive_requested.connect(lambda keys: self._tasks.spawn(self._archive(keys), "archive"))
        pane.pin_requested.connect(lambda keys, pinned: self._tasks.spawn(self._pin(keys, pinned), "pin"))
        bridge.on(events.SessionsChanged, lambda _event: self.refresh_soon())

    def _join_approval(self, card: approval_card.ApprovalCard) -> None:
        card.name_of = self._pane.title_of

    def refresh_soon(self) -> None:
        """Reads the list again, once for many changes."""
        self._refresh.start()

    async def refresh(self) -> None:
        """Reads the list again, after the conversation that is being opened: it is read from every file there is."""
        await self._conversation.whole()
        overviews = await self._bench.conversations.overviews()
        closed = await self.archive.overviews()
        current = self._conversation.key
        self._pane.show_sessions(overviews, current or self.archive.name, closed)
        self._chat.ask_in(current)

    async def open_first(self, wanted: str) -> None:
        """Opens the conversation of last time; else the newest with something consolidated, the newest, or a new one.

        One that the person began or chose while this was found out stays on show.
        """
        before = self._conversation.key
        key = await self._first(wanted)
        if self._conversation.key != before:
            return
        if key:
            self.open(key)
        else:
            await self._new()

    async def _first(self, wanted: str) -> str:
        """Returns the key of the conversation to begin with, or "" where a new one is to be begun."""
        if await self._has_file(wanted):
            # The list waits.
            return wanted
        overviews = await self._bench.conversations.overviews()
        if await self._has_draft(wanted):
            if not self._bench.read_only:
                await self._bench.conversations.begin_again(wanted)
            return wanted
        if overviews:
            return max(overviews, key=lambda one: (one.last_consolidated > 0, one.updated_at)).key
        # An empty one that stands in no list and on no disk.
        return _NOBODYS if self._bench.read_only else ""

    async def _has_file(self, key: str) -> bool:
        try:
            return bool(key) and await self._bench.disk.run(self._bench.sessions.path_of, key) is not None
        except UnreadableFile:
            # Opening it says why.
            return True

    async def _has_draft(self, key: str) -> bool:
        """Returns a conversation with nothing but a draft has no file yet."""
        return bool(key) and await self._conversation.drafts.is_any(key)

    def open(self, key: str) -> asyncio.Task[None]:
        """Shows one conversation; the task ends when it is wholly open."""
        opening = self._conversation.open(key)
        if not is_temporary(key):
            self._last.note(key)
        self.refresh_soon()
        return opening

    def read(self, closed: ClosedConversation, message: int = -1) -> asyncio.Task[None]:
        """Shows a conversation that /new closed; the task ends when it is wholly open."""
        opening = self.archive.open(closed, message)
        self.refresh_soon()
        return opening

    def new(self) -> None:
        """Begins a conversation."""
        self._tasks.spawn(self._new(), "new conversation")

    async def _new(self) -> None:
        self.open((await self._bench.conversations.begin()).key)
        self._chat.composer.setFocus()

    async def _rename(self, key: str, title: str) -> None:
        await self._bench.conversations.rename(key, title)
        self.refresh_soon()

    async def _pin(self, keys: Sequence[str], pinned: bool) -> None:
        try:
            refused = (await self._bench.conversations.pin(keys, pinned=pinned)).refused
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
        else:
            self._notify_refused(refused)
        self.refresh_soon()

    async def _archive(self, keys: Sequence[str]) -> None:
        """Closes conversations, and says how many were closed, which were not, and why."""
        titles = {key: self._pane.title_of(key) for key in keys}
        try:
            archived = await self._bench.conversations.archive(keys)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
            return
        if archived.done:
            await self._show_another_than(archived.done)
            self._chat.notify("info", self.tr("%n conversations were archived.", "", len(archived.done)))
        self._notify_refused(archived.refused, titles)
        self.refresh_soon()

    def _notify_refused(self, refused: Mapping[str, str], titles: Mapping[str, str] = MappingProxyType({})) -> None:
        """Says which of several conversations stay as they are, and why, by their keys."""
        if refused:
            named = [(titles.get(key) or self._pane.title_of(key), reason) for key, reason in refused.items()]
            words = self.tr("%n conversations stay as they are:", "", len(refused))
            self._chat.notify("warning", listed_refusals(words, named))

    async def _delete(self, keys: Sequence[str]) -> None:
        """Deletes conversations, with one way back for all of them; one that is at work stays, which is said."""
        await self.refresh()
        temporary = [key for key in keys if is_temporary(key)]
        if temporary and await may_close(self._pane.window(), self._bench, temporary):
            for key in temporary:
                self._bench.discretion.close(key)
            await self._show_another_than(temporary)
        keys = [key for key in keys if key not in temporary]
        if not keys:
            return
        titles = {key: self._pane.title_of(key) for key in keys}
        trashed, refused = dict[str, Trashed](), dict[str, MnemoscopeError]()
        for key in keys:
            try:
                trashed[key] = await self._bench.conversations.delete(key)
            except MnemoscopeError as error:
                refused[key] = error
        if trashed:
            await self._show_deleted(Deleted(titles[[*trashed][-1]], tuple(trashed.values())))
        if len(keys) == 1 and refused:
            raise refused[keys[0]]
        self._notify_refused({key: refusal.sentence for key, refusal in refused.items()}, titles)

    async def _show_another_than(self, keys: Sequence[str]) -> None:
        """Opens another conversation where the one on show is one of these, and is gone."""
        if self._conversation.key in keys and not await self._has_file(self._conversation.key):
            await self.open_first("")

    async def _show_deleted(self, deleted: Deleted) -> None:
        series = (*self.deletions.series, deleted)
        is_last = not await self._bench.conversations.overviews()
        await self._show_another_than([one.key for one in deleted.trashed])
        if is_last:
            self.deletions.stand_in = self._conversation.key
        self.deletions.offer(series)


class LastSession:
    """Remembers in the settings of the window which conversation of a workspace was on show last."""

    def __init__(self, settings: QSettings, root: Path) -> None:
        self._settings = settings
        self._name = f"sessions/{str(root).replace('/', '|')}"

    def key(self) -> str:
        """Returns its key, or "" where none is known."""
        return str(self._settings.value(self._name, ""))

    def note(self, key: str) -> None:
        """Keeps the key of the conversation in front."""
        self._settings.setValue(self._name, key)
