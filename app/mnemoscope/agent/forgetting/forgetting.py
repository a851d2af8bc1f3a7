"""Forgets words in all of a workspace, and undoes that, for the window."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TypeVar

from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.prompt.sent_prompts import log_name
from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.agent.tasks.disk_retries import DiskRetries
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.conversation.deletion import record_of_deleted
from mnemoscope.domain.errors import MnemoscopeError, StorageError, Unfinished
from mnemoscope.domain.events import (
    CommitsChanged,
    EventBus,
    ForgettingFinished,
    HistoryChanged,
    MessagesReplaced,
    SessionsChanged,
    SuggestionsChanged,
    text_changed,
)
from mnemoscope.domain.forgetting.forgetting_receipt import ForgettingReceipt
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import (
    ForgettingPlan,
    FoundPlace,
    PlaceKind,
    RelatedLine,
    goes_as_chosen,
    in_order,
)
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.forgetting.forgetting_files import FORGETTING_ORIGIN, CompletedForgetting
from mnemoscope.store.forgetting.place_formats import messages_going
from mnemoscope.store.logs.prompt_log import prompt_files
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess

log = logging.getLogger(__name__)

_Found = TypeVar("_Found", FoundPlace, RelatedLine)


class Forgetting:
    """Carries out the forgettings of one workspace. Nothing begins in any conversation while words are taken out."""

    def __init__(
        self,
        sessions: SessionManager,
        memory: MemoryStore,
        loop: AgentLoop,
        search: SearchService,
        commits: MemoryCommits,
        bus: EventBus,
        disk: Disk,
        access: WriteAccess,
    ) -> None:
        self._sessions = sessions
        self._memory = memory
        self._loop = loop
        self._commits = commits
        self._bus = bus
        self._disk = disk
        self._access = access
        self._carried: dict[str, CompletedForgetting] = {}
        """The forgettings that can be taken back, for as long as the program runs."""
        self._at_work_count = 0
        self._of_temporary: dict[str, list[Callable[[], None]]] = {}
        """By the same names, what puts back what each took of temporary conversations."""
        self._retries = DiskRetries(
            "a forgetting",
            sessions.workspace,
            bus,
            disk,
            is_left=self.is_unfinished,
            go_on=self.go_on,
            is_at_work=lambda: self.is_running,
        )
        self._announcing: asyncio.Task[None] | None = None
        memory.forgettings.before_index(search.begin_anew)

    async def plan(
        self, selections: Sequence[str], notify: Callable[[FoundPlace], object] | None = None
    ) -> ForgettingPlan:
        """Returns every place that has the words of what was selected; `notify` is called with each as it is found.
        Raises StorageError where that says too little."""
        loop = asyncio.get_running_loop()
        # What is on its way to the disk, such as a draft, is there then.
        titles = await self._disk.run(self._titles)

        def notify_on_loop(found: FoundPlace) -> None:
            if notify is not None:
                loop.call_soon_threadsafe(partial(notify, *_titled((found,), titles)))

        plan = await asyncio.to_thread(self._memory.forgettings.plan, selections, notify_on_loop)
        places = in_order((*_titled(plan.places, titles), *self._temporary(plan.text)))
        return replace(plan, places=tuple(places), related=_titled(plan.related, titles))

    def _titles(self) -> dict[str, str]:
        """Returns the titles of the conversations, by the names that their files, and those of the prompts sent in
        them (but not in other branches of them), have as places. Blocks on the disk."""
        root = self._sessions.workspace
        prompts = WorkspacePaths(root).own.prompts_dir
        return {
            path_within(file, root): each.title
            for each in self._sessions.overviews()
            for file in (each.path, *prompt_files(prompts, log_name(each.key, each.created_at.isoformat())))
        }

    async def carry_out(
        self, text: ForgottenText, chosen: Sequence[FoundPlace], left: Sequence[FoundPlace]
    ) -> ForgettingReceipt:
        """Takes the words out of the chosen places. Raises StorageError: with nothing changed where something is at
        work or the disk refuses the beginning. Where it refuses what is committed, that is Unfinished: `go_on` goes on,
        and so does whatever writes next.

        Of temporary conversations nothing is written, so the receipt does not name them."""
        self._access.require()
        keys = await self._keys()
        has_temporary = goes_as_chosen(PlaceKind.TEMPORARY, chosen, left)
        chosen, left = ([each for each in places if each.kind is not PlaceKind.TEMPORARY] for places in (chosen, left))
        await self._commits.kept()
        with self._at_work():
            with self._loop.kept_idle(keys):
                await self._disk.run(self._memory.finish_pending)
                unfinished: Unfinished | None = None
                try:
                    carried = await self._disk.run(self._memory.forgettings.carry_out, text, chosen, left)
                    name = carried.receipt.id
                    self._carried[name] = carried
                except Unfinished as error:
                    unfinished, name = error, str(error.context["id"])
                    self._expect_the_end()
                if has_temporary:
                    self._take_of_temporary(text, name)
            self._loop.services.sent.forget_words(text)
            try:
                await self._announce(keys, FORGETTING_ORIGIN)
            finally:
                if unfinished is not None:
                    raise unfinished
        return self._carried[name].receipt

    async def go_on(self) -> None:
        """Goes on with a forgetting that the disk refused half-way, if there is one. Raises StorageError where
        something is at work or the disk refuses it still."""
        keys = await self._keys()
        with self._at_work(), self._loop.kept_idle(keys):
            await self._disk.run(self._memory.finish_pending)

    async def is_unfinished(self) -> bool:
        """Returns whether a forgetting was begun and is not finished. Raises StorageError."""
        return await self._disk.run(self._memory.forgettings.is_unfinished)

    @property
    def is_running(self) -> bool:
        """Returns whether files are written of which nobody was told yet."""
        return self._at_work_count > 0

    def can_undo(self, receipt_id: str) -> bool:
        """Returns whether what a forgetting took is in the program's memory."""
        return receipt_id in self._carried

    async def undo(self, receipt_id: str) -> list[str]:
        """Puts back what a forgetting took; returns the files that were changed meanwhile and stay as they are. Raises
        StorageError."""
        self._access.require()
        keys = await self._keys()
        with self._at_work():
            with self._loop.kept_idle(keys):
                await self._disk.run(self._memory.finish_pending)
                refused: StorageError | None = None
                stayed: list[str] = []
                try:
                    stayed = await self._disk.run(self._memory.forgettings.undo, self._carried[receipt_id])
                    for put_back in reversed(self._of_temporary.pop(receipt_id, ())):
                        put_back()
                    del self._carried[receipt_id]
                except StorageError as error:
                    # Some files may be back: it can be tried again.
                    refused = error
            try:
                await self._announce(keys, "restore")
            finally:
                if refused is not None:
                    raise refused
        return stayed

    async def close(self) -> None:
        """Ends the tries: what is not finished is, when the workspace is opened next."""
        await self._retries.close()
        if self._announcing is not None:
            self._announcing.cancel()
            await asyncio.gather(self._announcing, return_exceptions=True)

    async def receipts(self) -> list[ForgettingReceipt]:
        """Returns the receipts of all forgettings, the newest first."""
        return await self._disk.run(self._memory.forgettings.receipts)

    def _expect_the_end(self) -> None:
        """Goes on as soon as there may be room, and takes in what another write finishes meanwhile."""
        loop = asyncio.get_running_loop()

        def take_in(carried: CompletedForgetting) -> None:
            self._carried[carried.receipt.id] = carried
            self._announcing = loop.create_task(self._announce_the_end(carried.receipt.id))

        self._memory.forgettings.when_finished(lambda carried: loop.call_soon_threadsafe(take_in, carried))
        self._retries.begin()

    async def _announce_the_end(self, receipt_id: str) -> None:
        try:
            with self._at_work():
                await self._announce(await self._keys(), FORGETTING_ORIGIN)
        except MnemoscopeError as error:
            log.warning("what a forgetting changed is not shown yet: %s", error)
        self._bus.publish(ForgettingFinished(receipt_id))

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        self._at_work_count += 1
        try:
            yield
        finally:
            self._at_work_count -= 1

    async def _keys(self) -> set[str]:
        await self._disk.run(self._sessions.write_waiting)
        kept = {str(each["key"]) for each in await self._disk.run(self._sessions.list_sessions)}
        return kept | {session.key for session in self._sessions.temporary.sessions()}

    def _temporary(self, text: ForgottenText) -> list[FoundPlace]:
        """Returns the place that temporary conversations are, if one has the words."""
        temporary = self._sessions.temporary
        values: list[object] = [message for messages in temporary.deleted_messages() for message in messages]
        for session, messages in temporary.with_branches():
            values += [session.metadata, *messages]
        texts = [said for value in values for said in text.texts_in(value)]
        count = sum(map(text.count, texts))
        excerpts = [found for said in texts for found in text.excerpts(said)]
        return [FoundPlace(PlaceKind.TEMPORARY, "", count, tuple(excerpts[:3]))] if count else []

    def _take_of_temporary(self, text: ForgottenText, receipt_id: str) -> None:
        """Puts marks in the place of the messages of temporary conversations that have the words, deleted ones among
        them, which could be brought back."""
        undo = self._of_temporary[receipt_id] = []
        temporary = self._sessions.temporary
        branches = temporary.with_branches()
        for session, _ in branches:
            undo.append(partial(setattr, session, "metadata", session.metadata))
            session.metadata = text.redacted_value(session.metadata)
        for messages in (*(each for _, each in branches), *temporary.deleted_messages()):
            for number in sorted(messages_going(messages, text)):
                undo.append(partial(messages.put, number, messages[number]))
                messages.put(number, record_of_deleted(messages[number], receipt_id, number, is_forgotten=True))

    async def _announce(self, keys: Collection[str], origin: str) -> None:
        await self._commits.on_thread(self._commits.reopen)
        for path in await self._disk.run(lambda: list(self._memory.files.changes())):
            current = await self._disk.run(self._memory.editing.read_text, path)
            self._bus.publish(text_changed(path, current.text, current.digest, origin))
        if origin == FORGETTING_ORIGIN:
            self._bus.publish(SuggestionsChanged(len(await self._disk.run(self._memory.ledger.undecided))))
        for key in sorted(keys):
            self._bus.publish(MessagesReplaced(key, ()))
        for event in (SessionsChanged(), HistoryChanged(), CommitsChanged()):
            self._bus.publish(event)


def _titled(found: Iterable[_Found], titles: Mapping[str, str]) -> tuple[_Found, ...]:
    """Returns places, or lines, with the titles of the conversations that they are in."""
    return tuple(replace(each, title=titles.get(each.path, "")) for each in found)
