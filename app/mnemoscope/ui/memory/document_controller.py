"""One memory file and its document: saving, drafts, what was decided about suggestions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from mnemoscope.domain.errors import ApprovalMoved, FileShared, MnemoscopeError, Unfinished
from mnemoscope.domain.events import ChangeFinished
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import COMPARED_FILES, DREAM_GUIDE
from mnemoscope.memory.dream.dream_prompt import shipped_guide
from mnemoscope.store.files.shipped import shipped_starter
from mnemoscope.ui.chat.picture_files import ready_bytes
from mnemoscope.ui.markdown.document import link_dialog
from mnemoscope.ui.markdown.reading.picture_links import PictureLink
from mnemoscope.ui.memory.blame.blame_controller import BlameController
from mnemoscope.ui.memory.changes_controller import UNFINISHED_BAR, ChangesController
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.memory_sentences import file_name
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.support.external_actions import open_link

log = logging.getLogger(__name__)


def draft_name(path: str) -> str:
    """Returns the name under which unsaved words of a file are kept."""
    return "memory" if path == MEMORY_PATH else f"memory:{path}"


class DocumentController(QObject):
    """Keeps one document true to its file."""

    not_saved = Signal(str)
    """The text could not be saved, for the reason that this sentence says."""
    copy_requested = Signal(str)
    """This line is to be copied to another agent."""

    def __init__(
        self,
        document: MemoryDocument,
        services: MemoryServices,
        show_suggestions: Callable[[], Awaitable[object]],
        undo_run: Callable[[str], Awaitable[bool]],
    ) -> None:
        """`show_suggestions` reads anew which suggestions wait, and shows them; `undo_run` as ChangesController's."""
        super().__init__(document)
        self.document = document
        self._bench = services.bench
        self._drafts = services.drafts
        self._status = services.status
        self._show_suggestions = show_suggestions
        self._draft = draft_name(document.path)
        self._refused = False
        self._tries_again = False
        """Whether the disk refused the last save."""
        services.bridge.on(ChangeFinished, lambda _event: document.bars.take(UNFINISHED_BAR))
        self.changes = ChangesController(document, services, undo_run)
        self.blame = BlameController(document.editor, document.bars, document.path, services)
        self.blame.version_requested.connect(self.changes.open)
        self.blame.keep_requested.connect(self._on_keep)
        document.editor.author_requested.connect(self.blame.show_author)
        document.editor.messages_requested.connect(self.blame.show_messages)
        document.editor.keep_requested.connect(self._on_keep)
        document.editor.copy_requested.connect(self.copy_requested)
        spawn = self._spawn = services.tasks.spawn
        document.save_requested.connect(self._on_save)
        document.separate_requested.connect(lambda: spawn(self._separate(), "separate"))
        document.conflict_settled.connect(lambda *chosen: spawn(self._settle_conflict(*chosen), "settle a conflict"))
        document.suggestion_settled.connect(lambda *chosen: spawn(self._settle_suggestion(*chosen), "settle"))
        document.reload_requested.connect(lambda: spawn(self.open(), "memory"))
        document.starter_requested.connect(lambda: spawn(self._begin(), "memory"))
        document.draft_changed.connect(self._keep_draft)
        document.draft_dropped.connect(lambda: self._drafts.forget(self._draft))
        document.link_chosen.connect(lambda address: link_dialog.ask_to_open(address, document, open_link))
        document.body.split.preview.picture_requested.connect(lambda link: spawn(self._show_picture(link), "a picture"))
        document.editor.document().modificationChanged.connect(self._on_unsaved)

    async def open(self) -> None:
        """Shows the file, and what was typed and not saved before."""
        document = self.document
        document.set_read_only(self._bench.read_only)
        try:
            current = await self._bench.disk.run(self._bench.memory.editing.read_text, document.path)
        except MnemoscopeError as error:
            document.show_unreadable(str(error))
        else:
            document.show_memory(current.text, current.digest)
            await self._restore_draft(current.text)
            await self.changes.show(missing=not current.exists)

    async def _show_picture(self, link: PictureLink) -> None:
        """Shows a picture of this workspace that the text links to; one that cannot be read stays its description."""
        data = await self._bench.disk.run(self._bench.loop.services.attachments.read_hash, link.sha256)
        if data is not None:
            with suppress(MnemoscopeError):
                ready = await asyncio.to_thread(ready_bytes, data, link.words)
                self.document.body.split.preview.show_picture(link, ready.thumbnail)

    def _on_keep(self, line: str) -> None:
        self._spawn(self._keep_after_all(line), "keep a line")

    async def _keep_after_all(self, line: str) -> None:
        """Has a line stay that was forgotten and came back: the person says so."""
        try:
            await self._bench.memory.editing.lift_forgotten(line, self.document.path)
        except MnemoscopeError as error:
            self.document.save_failed(error.sentence, error.next_step)
        await self._show_suggestions()
        self.document.body.ask_count()

    def try_refused(self) -> None:
        """Saves again what the disk refused."""
        self.flush_draft()
        # The refusal of a save that is under way may be told only after the disk takes what is written again.
        self._tries_again = self.document.is_saving
        if self._refused:
            self._refused = False
            self.document.save()

    def unsaved(self) -> dict[str, dict[str, str]]:
        """Returns what is typed and not saved, as a draft by its name."""
        unsaved = self.document.unsaved()
        return {self._draft: {"text": unsaved[0], "based_on": unsaved[1]}} if unsaved else {}

    def flush_draft(self) -> None:
        """Keeps what is typed and not saved, at once."""
        unsaved = self.document.unsaved()
        if unsaved is not None:
            self._keep_draft(*unsaved)

    def _on_save(self, text: str, based_on: str) -> None:
        self._spawn(self._save(text, based_on, self.document.reviews.edited), "save memory")

    async def _save(self, text: str, based_on: str, settles: str) -> None:
        """`settles` is the suggestion that the text was made from, "" for none."""
        path = self.document.path
        try:
            saved = await self._bench.memory.editing.save_text(text, based_on, path=path, settles=settles)
        except FileShared as error:
            self.document.ask_to_separate(error.sentence)
            return
        except MnemoscopeError as error:
            self._on_not_saved(error.sentence, error.next_step)
            return
        except BaseException:
            # The document takes no second save until this one is answered.
            self._on_not_saved(self.tr("The memory was not saved."), "")
            raise
        self._tries_again = False
        self._drafts.forget(self._draft)
        self.document.saved(saved.text, saved.digest, saved.merged, settles)
        self._on_unsaved(self.document.is_dirty())
        if path in COMPARED_FILES and self._bench.settings.weekly_check:
            self._spawn(self._compare(path, based_on, saved.text), "facts that disagree")

    async def _compare(self, path: str, based_on: str, saved: str) -> None:
        """Has what was saved wait for review where it disagrees with another line of memory."""
        try:
            await self._bench.memory.editing.propose_new_disagreements(path, based_on, saved)
        except MnemoscopeError as error:
            # What was saved stands all the same, and the weekly check compares it again.
            log.warning("what was saved was not compared with the rest of memory: %s", error)

    def _on_not_saved(self, sentence: str, next_step: str) -> None:
        # Where the disk refuses, one bar says it for the whole window.
        self._refused = self._bench.repairs.disk_refuses
        tries_again, self._tries_again = self._tries_again and not self._refused, False
        self.document.save_failed(sentence, next_step, is_shown=self._refused or tries_again)
        if tries_again:
            self.document.save()
            return
        self._status.hold(self._draft, self.tr("Memory not saved"), "danger")
        self._status.show_memory("")
        self.not_saved.emit(sentence)

    def _on_unsaved(self, unsaved: bool) -> None:
        if not unsaved:
            self._status.release(self._draft)
        elif self.document.path == MEMORY_PATH:
            self._status.hold(self._draft, self.tr("Unsaved memory"))
            self._status.show_memory("")
        else:
            words = self.tr("Unsaved {name}").format(name=file_name(self.document.path))
            self._status.hold(self._draft, words)

    async def _settle_suggestion(self, name: str, decision: str, text: str | None) -> None:
        document = self.document
        try:
            saved = await self._bench.memory.editing.settle(name, decision, text)
        except ApprovalMoved as error:
            # The comparison is with the file as it is now.
            await self._bench.rescan_files()
            await self._show_suggestions()
            document.reviews.show_again(name, str(error))
        except Unfinished as error:
            await self._on_unfinished(error)
        except MnemoscopeError as error:
            document.save_failed(error.sentence, error.next_step)
        else:
            if decision == "accept" and saved.conflicts:
                await self._show_suggestions()
                document.review()

    async def _settle_conflict(self, name: str, number: int, side: str, words: str) -> None:
        document = self.document
        try:
            saved = await self._bench.memory.editing.settle_conflict(name, number, side, words)
            if saved.conflicts and side == "edit":
                raise ApprovalMoved.of(file_name(document.path), name)
        except Unfinished as error:
            await self._on_unfinished(error)
        except MnemoscopeError as error:
            await self._show_suggestions()
            if side != "edit":
                document.save_failed(error.sentence, error.next_step)
            elif document.conflicts.edit_again(name, number, words):
                document.save_failed(
                    error.sentence, f"{error.next_step} {self.tr('What you typed is still here.')}".strip()
                )
            else:
                self._offer_words(error, words)

    def _offer_words(self, error: MnemoscopeError, words: str) -> None:
        """Offers the person's words for a passage that waits no more: there is no place left for them."""
        self.document.save_failed(error.sentence, error.next_step, is_shown=True)
        copy = (self.tr("Copy what you typed"), lambda: QGuiApplication.clipboard().setText(words))
        self.document.bars.put("failed", "danger", f"{error.sentence} {error.next_step}".strip(), [copy])

    async def _on_unfinished(self, error: Unfinished) -> None:
        """Says that a decision is made and goes on by itself: it waits no more."""
        self.document.bars.put(UNFINISHED_BAR, "warning", str(error))
        await self._show_suggestions()

    async def _separate(self) -> None:
        try:
            await self._bench.repairs.separate_files(self.document.path)
        except MnemoscopeError as error:
            self.document.save_failed(error.sentence, error.next_step)
            return
        self.document.bars.take("shared")
        self.document.save()

    async def _begin(self) -> None:
        self.document.begin_with(await self._bench.disk.run(_starter_text, self.document.path))

    def _keep_draft(self, text: str, based_on: str) -> None:
        self._drafts.save(self._draft, {"text": text, "based_on": based_on})

    async def _restore_draft(self, current: str) -> None:
        draft = await self._drafts.load(self._draft)
        if draft and draft.get("text") not in {None, current}:
            self.document.restore_draft(str(draft["text"]), str(draft.get("based_on", "")))


def _starter_text(path: str) -> str:
    """Returns what a memory file begins with: Mnemoscope's own guide for Dream's, else as in a new workspace."""
    if path == DREAM_GUIDE:
        return shipped_guide()
    return shipped_starter(path)
