"""Joins the review of all that waits to the core: decisions are carried out one after another, in their order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.commits.memory_blame import BlamedLine
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.disagreement.settlement import PairItem, Settlement
from mnemoscope.domain.errors import ApprovalMoved, MnemoscopeError, Unfinished
from mnemoscope.domain.events import ChangeFinished, MemoryChanged, MemoryFileChanged, SuggestionsChanged
from mnemoscope.domain.memory.suggestion import FactSource, Suggestion
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.memory.files.memory_editing import BroughtUpToDate, Decided
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.ui.memory.review import review_dialog
from mnemoscope.ui.memory.review.left_out_controller import LeftOutController
from mnemoscope.ui.memory.review.review_queue import is_same_proposal
from mnemoscope.ui.memory.review.typed_words import TypedWords
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.memory.versions.origin_words import when_words
from mnemoscope.ui.support.author_words import author_words
from mnemoscope.ui.support.drafts import DelayedSave
from mnemoscope.ui.translation.core_words import core_words

_SAID: Final = 160
_DRAFT: Final = "review"
_DRAFT_MS: Final = 500
_MOST_SOURCES: Final = 30
"""Facts of one item whose messages are shown."""


class ReviewController(QObject):
    """Opens the review, and keeps the count of what waits on the window. What waits rests on the texts that stand now:
    it is brought up to date by itself whenever one of them changes."""

    opened = Signal(object)
    """Comes with the dialog."""
    found = Signal(object)
    """Comes with what waits of each conversation, by its key: the count, and the words for it and its age."""
    counted = Signal(int, int)
    """So many passages wait; the oldest of them for so many days."""

    def __init__(self, window: QWidget, services: MemoryServices) -> None:
        super().__init__(window)
        self._window = window
        self._bench = services.bench
        self._tasks = services.tasks
        self._navigation = services.navigation
        self._notices = services.notices
        self._drafts = services.drafts
        self._is_checking = False
        self.dialog: review_dialog.ReviewDialog | None = None
        self.left_out = LeftOutController(services, self)
        self._draft = DelayedSave(self._keep_draft, _DRAFT_MS, self)
        self.typed = TypedWords(is_same_proposal, self._draft.soon)
        self._has_read_draft = False
        self._turn = asyncio.Lock()
        self._under_way = 0
        self._decided: dict[int, Decided] = {}
        """The decisions, by the identity of the item; items live as long as the dialog."""
        self._dropped: dict[int, list[Suggestion]] = {}
        """The suggestions that a decision left nothing of, likewise by the identity of the item that was decided."""
        self._unfinished = ""
        """The change that the disk refused half-way last."""
        self._is_behind = False
        """Whether a text changed since what waits was brought up to date."""
        self._is_changed_elsewhere = False
        """Whether something else than a decision changed a text since."""
        self._is_catching_up = False
        self._unsaid = BroughtUpToDate()
        """The proposals that were moved or dropped while no review was open to say so."""
        services.bridge.on(ChangeFinished, self._on_change_finished)
        services.bridge.on(SuggestionsChanged, lambda _event: self._on_waiting_changed())
        services.bridge.on(MemoryChanged, self._on_text_changed)
        services.bridge.on(MemoryFileChanged, self._on_text_changed)

    async def start(self) -> None:
        """Counts what waits when the workspace is opened: its files may have changed since. What was typed for it then
        is taken up."""
        await self._follow_texts()
        await self._bring_back_typed()
        await self.refresh()

    def open(self) -> None:
        """Shows everything that waits, one after another."""
        if self.dialog is None:
            dialog = self.dialog = review_dialog.ReviewDialog(self._window, self.typed)
            self._decided.clear()
            self._dropped.clear()
            if self._bench.read_only:
                dialog.set_read_only()
            dialog.decided.connect(self._on_decided)
            dialog.words_saved.connect(self._on_words_saved)
            dialog.pair_settled.connect(self._on_pair_settled)
            dialog.pair_shown.connect(lambda item: self._tasks.spawn(self._show_sources(item), "sources"))
            dialog.undo_requested.connect(self._on_undo)
            dialog.source_requested.connect(lambda item: self._tasks.spawn(self._show_source(item), "source"))
            dialog.conversation_requested.connect(self._show_conversation)
            dialog.finished.connect(self._on_finished)
            self.left_out.join(dialog)
            dialog.open()
            self.opened.emit(dialog)
        self.dialog.raise_()
        self.dialog.activateWindow()
        self._tasks.spawn(self._begin(), "review")

    def flush_draft(self) -> None:
        """Has what is typed and not decided kept at once, so that it is there after a restart."""
        self._draft.now()

    def _keep_draft(self) -> None:
        if self._has_read_draft:
            if draft := self.typed.as_draft():
                self._drafts.save(_DRAFT, draft)
            else:
                self._drafts.forget(_DRAFT)

    def read_sources_again(self) -> None:
        """Has the open review show no messages any more that may have other words now."""
        if self.dialog is not None:
            self.dialog.read_sources_again()

    def check_for_disagreements(self) -> None:
        """Compares the facts of memory with each other, and opens the review where some wait because they disagree."""
        if not self._is_checking:
            self._is_checking = True
            self._tasks.spawn(self._check(), "facts that disagree")

    async def _check(self) -> None:
        try:
            await self._bench.memory.editing.propose_disagreements()
            waits = any(isinstance(item, PairItem) for item in await self._waiting())
        except MnemoscopeError as error:
            self._notices.notify("warning", core_words(str(error)))
            return
        finally:
            self._is_checking = False
        if waits:
            self.open()
        else:
            words = self.tr("No facts that disagree were found in memory. What you resolved is not asked about again.")
            self._notices.notify("info", words)

    async def refresh(self) -> None:
        """Counts what waits, and shows in the review what is new."""
        items = await self._waiting()
        oldest = min((item.suggestion.when for item in items), default="")
        now = datetime.now()
        self.counted.emit(len(items), _days_waiting(oldest, now))
        self.found.emit(_waiting_by_conversation(items, now))
        if self.dialog is not None and not self._under_way:
            self.dialog.show_items(items)
            await self.left_out.refresh()

    async def _waiting(self) -> list[ReviewItem]:
        return await self._bench.disk.run(self._bench.memory.editing.waiting_items)

    def _on_waiting_changed(self) -> None:
        self._tasks.spawn(self.refresh(), "review")
        # What is new may be made from a text that has moved on meanwhile.
        self._catch_up()

    def _on_text_changed(self, event: MemoryChanged | MemoryFileChanged) -> None:
        self._is_changed_elsewhere |= not self._under_way or event.origin == "outside"
        self._catch_up()

    def _catch_up(self) -> None:
        """Has what waits be brought up to date soon. A decision does that itself for the item that follows it."""
        if self._under_way or self._bench.read_only:
            return
        self._is_behind = True
        if not self._is_catching_up:
            self._is_catching_up = True
            self._tasks.spawn(self._follow_texts(), "what waits, up to date")

    async def _follow_texts(self) -> None:
        """Brings what waits up to date until no text has changed meanwhile."""
        if self._bench.read_only:
            return
        try:
            self._is_behind = True
            while self._is_behind:
                self._is_behind = False
                if self.dialog is None:
                    self._is_changed_elsewhere = False
                    self._note(await self._bring_up_to_date())
                else:
                    await self._bring_review_up_to_date()
        finally:
            self._is_catching_up = False

    def _note(self, found: BroughtUpToDate) -> None:
        before = self._unsaid
        self._unsaid = BroughtUpToDate(before.moved_ids | found.moved_ids, before.dropped + found.dropped)

    async def _begin(self) -> None:
        if not self._bench.read_only:
            self._note(await self._bring_up_to_date())
            found, self._unsaid = self._unsaid, BroughtUpToDate()
            await self._show_brought_up_to_date(found)
        await self.refresh()
        if self.dialog is not None and self.dialog.edit_unsaved():
            # It may not wait any more as it was shown then.
            await self.refresh()

    async def _bring_back_typed(self) -> None:
        """Restores what was typed before the window was closed last."""
        draft = await self._drafts.load(_DRAFT) or {}
        self.typed.bring_back(draft, await self._waiting())
        self._has_read_draft = True
        if draft:
            # Without what waits no more.
            self._draft.soon()

    async def _show_brought_up_to_date(self, found: BroughtUpToDate) -> None:
        """Shows in one line what was dropped, and what was moved and waits still, if anything was."""
        words = []
        moved = found.moved_ids & {item.suggestion.id for item in await self._waiting()}
        if moved:
            words.append(self.tr("%n proposals were moved onto the newer text.", "", len(moved)))
        if found.dropped:
            words.append(self._dropped_words(found.dropped))
        if words:
            self._show_sentence(" ".join(words))

    async def _bring_review_up_to_date(self) -> None:
        """Has what the open review shows rest on the texts that stand now: after a decision the item in sight, after
        any other change all of them, and says what became of them."""
        if not self._is_changed_elsewhere:
            await self._bring_next_up_to_date()
            return
        self._is_changed_elsewhere = False
        found = await self._bring_up_to_date()
        if found.moved or found.dropped:
            await self.refresh()
            await self._show_brought_up_to_date(found)

    async def _bring_up_to_date(self, suggestion_id: str = "") -> BroughtUpToDate:
        """Has what waits rest on the texts that stand now; says why where that cannot be."""
        try:
            # Not while a decision is carried out: what was settled meanwhile would be held again.
            async with self._turn:
                return await self._bench.memory.editing.bring_up_to_date(suggestion_id)
        except MnemoscopeError as error:
            # What is not finished yet was said, and what becomes of it.
            if not self._unfinished:
                self._show_sentence(f"{error.sentence} {error.next_step}".strip())
            return BroughtUpToDate()

    async def _bring_next_up_to_date(self) -> None:
        """Has the item in sight rest on the text that the last decision made; says how many that left nothing of."""
        dropped = 0
        while self.dialog is not None and (shown := self.dialog.queue.current) is not None:
            found = await self._bring_up_to_date(shown.suggestion.id)
            if found.moved or found.dropped:
                await self.refresh()
            if not found.dropped:
                break
            dropped += found.dropped
            if self._decided:
                self._dropped.setdefault(next(reversed(self._decided)), []).append(shown.suggestion)
        if dropped:
            self._show_sentence(self._dropped_words(dropped))

    def _dropped_words(self, count: int) -> str:
        return self.tr("%n proposals were dropped: nothing is left to decide.", "", count)

    def _show_sentence(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.show_sentence(sentence)

    def _on_decided(self, item: ReviewItem, choice: str, text: str) -> None:
        self._under_way += 1
        decide = partial(self._bench.memory.editing.decide, item, choice, text)
        self._tasks.spawn(self._carry_out(item, decide, is_typed=choice == "edit"), "settle")

    def _on_words_saved(self, item: ReviewItem, text: str) -> None:
        self._under_way += 1
        save = partial(self._bench.memory.editing.save_words, item, text)
        self._tasks.spawn(self._carry_out(item, save, is_typed=True), "settle")

    def _on_pair_settled(self, item: PairItem, settlement: Settlement) -> None:
        self._under_way += 1
        decide = partial(self._bench.memory.editing.settle_pair, item, settlement)
        self._tasks.spawn(self._carry_out(item, decide, is_typed=settlement.choice == "both"), "settle")

    def _on_undo(self, item: ReviewItem) -> None:
        self._under_way += 1
        self._tasks.spawn(self._undo(item), "undo a decision")

    async def _carry_out(
        self, item: ReviewItem, decide: Callable[[], Awaitable[Decided]], *, is_typed: bool = False
    ) -> None:
        """Carries a decision out; with `is_typed` what the person typed for it is edited on if it fails."""
        try:
            async with self._turn:
                self._decided[id(item)] = await decide()
            self._unfinished = ""
            self.typed.forget(item)
        except Unfinished as error:
            self.typed.forget(item)
            self._on_unfinished(item, error)
        except MnemoscopeError as error:
            await self._put_back(item, error, is_typed)
        finally:
            await self._done()

    def _on_unfinished(self, item: ReviewItem, error: Unfinished) -> None:
        """Says that a decision goes on by itself: it is made, and can be taken back like any other."""
        self._decided[id(item)] = Decided(item.suggestion, str(error.context["id"]))
        self._unfinished = str(error.context["id"])
        self._show_sentence(f"{error.sentence} {error.next_step}")

    def _on_change_finished(self, event: ChangeFinished) -> None:
        words = self.tr("What the disk had refused is done now.")
        if self.dialog is not None and self._unfinished == event.change_id:
            self._show_sentence(words)
        else:
            self._notices.notify("info", words)
        self._unfinished = ""

    async def _put_back(self, item: ReviewItem, error: MnemoscopeError, is_typed: bool) -> None:
        """Shows again what could not be decided as it was shown, unless nothing of it and no words of the person are
        left; says why, in the window where the review is closed by now."""
        if isinstance(error, ApprovalMoved):
            await self._bring_up_to_date(item.suggestion.id)
        waiting = {each.suggestion.id for each in await self._waiting()}
        is_gone, sentence = item.suggestion.id not in waiting, f"{error.sentence} {error.next_step}".strip()
        if self.dialog is None:
            self._notify_in_window(item, core_words(sentence), is_typed, is_gone)
        elif is_typed:
            self.dialog.put_back_words(item, sentence, is_gone)
        elif is_gone:
            self.dialog.queue.take_back(item)
            self.dialog.show_sentence(self._dropped_words(1))
        else:
            self.dialog.put_back(item, sentence)

    def _notify_in_window(self, item: ReviewItem, sentence: str, is_typed: bool, is_gone: bool) -> None:
        """Shows above the conversation that a decision could not be carried out, once no review is there to say it."""
        if is_typed:
            self.typed.edit_on(item, is_gone)
            sentence = f"{sentence} {self.tr('What you typed is kept: the review goes on with it.')}"
        self._notices.notify("warning", sentence, [(self.tr("Review all"), self.open)], stays=is_typed)

    async def _show_sources(self, item: PairItem) -> None:
        placed, pair = item.placed, item.pair
        try:
            found = {
                path: await self._bench.health.origins(path, (pair.old, pair.new))
                for path in {placed.old_path, placed.new_path}
            }
        except MnemoscopeError:
            # The facts are shown without it; deciding says what is wrong with the file.
            return
        if self.dialog is not None:
            old, new = found[placed.old_path].get(pair.old), found[placed.new_path].get(pair.new)
            self.dialog.show_sources(item, self._source_words(old), self._source_words(new))

    def _source_words(self, line: BlamedLine | None) -> str:
        if line is None:
            return ""
        when = when_words(line.when) or line.when
        if line.message_text:
            said = shortened(" ".join(line.message_text.split()), _SAID)
            return self.tr("You said “{words}” · {when}").format(words=said, when=when)
        author = author_words(line.author)
        words = (
            self.tr("Written by {author}").format(author=author) if author else self.tr("No message is known for it")
        )
        return f"{words} · {when}" if when else words

    async def _undo(self, item: ReviewItem) -> None:
        try:
            async with self._turn:
                decided = self._decided.pop(id(item), None)
                if decided is not None:
                    await self._bench.memory.editing.reopen(decided)
                for suggestion in self._dropped.pop(id(item), ()):
                    await self._bench.memory.editing.reopen(Decided(suggestion))
        except MnemoscopeError as error:
            self._show_sentence(f"{error.sentence} {error.next_step}".strip())
        finally:
            await self._done()

    async def _done(self) -> None:
        self._under_way -= 1
        if not self._under_way:
            await self.refresh()
            await self._bring_review_up_to_date()

    async def _show_source(self, item: ReviewItem) -> None:
        try:
            words = await self._messages(item)
        except MnemoscopeError as error:
            words = f"{error.sentence} {error.next_step}".strip()
        if self.dialog is not None:
            self.dialog.show_source(item, words)

    async def _messages(self, item: ReviewItem) -> str:
        """Returns the messages that an item rests on, each under the name of who said it, and those of each of several
        facts under the fact. Raises UnreadableFile."""
        gone = self.tr("These messages are not there any more.")
        shown, sources = [], item.sources
        for source in sources[:_MOST_SOURCES]:
            said = await self._said(source, item.suggestion.when) or gone
            shown.append(f"“{source.fact}”\n\n{said}" if source.fact and len(sources) > 1 else said)
        return "\n\n".join(shown) or gone

    async def _said(self, source: FactSource, when: str) -> str:
        messages = await self._bench.closed.messages_then(source.session_key, when, source.start, source.stop)
        names = {"user": self.tr("You"), "assistant": self.tr("Assistant"), "tool": self.tr("Tool")}
        return "\n\n".join(
            f"{names.get(each['role'], each['role'])}\n{words}" for each in messages if (words := text_of(each).strip())
        )

    def _show_conversation(self, item: ReviewItem) -> None:
        if self.dialog is not None:
            self.dialog.accept()
        self._tasks.spawn(self._open_conversation(item.sources[0], item.suggestion.when), "source")

    async def _open_conversation(self, source: FactSource, when: str) -> None:
        found = await self._bench.closed.then(source.session_key, when)
        if isinstance(found, ClosedConversation):
            self._navigation.show_archived_message(str(found.path), source.start)
        elif found is not None:
            self._navigation.show_message(source.session_key, source.start)
        else:
            self._notices.notify("info", self.tr("These messages are not there any more."))

    def _on_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
            self._catch_up()


def _waiting_by_conversation(items: Iterable[ReviewItem], now: datetime) -> dict[str, tuple[int, str]]:
    """Returns, by the key of a conversation, how much of it waits and the words for that and for the oldest's age."""
    times: dict[str, list[str]] = {}
    for item in items:
        if item.suggestion.session_key:
            times.setdefault(item.suggestion.session_key, []).append(item.suggestion.when)
    return {key: (len(each), waiting_words(len(each), _days_waiting(min(each), now))) for key, each in times.items()}


def waiting_words(count: int, days: int) -> str:
    """Returns how much waits and for how long: `3 proposals wait for review · 2 days`; "" where nothing does."""
    if not count:
        return ""
    said = QCoreApplication.translate("ReviewController", "%n proposals wait for review", "", count)
    age = QCoreApplication.translate("ReviewController", "%n days", "", days) if days else ""
    return f"{said} · {age}" if age else said


def _days_waiting(when: str, now: datetime) -> int:
    """Returns for how many whole days something waits since an ISO time; 0 where that is no time."""
    try:
        return max(0, (now - datetime.fromisoformat(when)).days)
    except (ValueError, TypeError):
        return 0
