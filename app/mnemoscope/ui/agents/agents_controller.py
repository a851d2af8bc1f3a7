"""Looks at other agents: asks once, lists what is there, shows a conversation and follows it, and traces memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from mnemoscope.agent.foreign import foreign_history, foreign_reading, foreign_search
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile, MemoryEdit
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace
from mnemoscope.domain.health.report import HealthFinding, without_entry
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.store.search import foreign_index
from mnemoscope.ui.agents import (
    agents_window,
    foreign_conversation_view,
    foreign_conversations,
    foreign_history_view,
    other_records_dialog,
)
from mnemoscope.ui.agents.agent_consent import AgentConsent
from mnemoscope.ui.agents.fact_controller import FactController
from mnemoscope.ui.health import health_pane
from mnemoscope.ui.support.external_actions import open_link, pick_folder
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.question import ask

log = logging.getLogger(__name__)
_FOLLOW_MS: Final = 2_000
_SHARE: Final = 9
"""The pause before stores are listed again, as a multiple of the time that listing them took."""
_ABOVE: Final = 20
"""Messages that are read above one that is to be shown."""
_SHOWN: Final = 120
"""Characters of a line that are quoted."""


class AgentsController(QObject):
    """Opens and fills the window of other agents, of which a workspace window has one. `keep` imports the store at a
    path; None where the workspace is only read. `own` is the folder of the workspace. `opened` carries the dialog.
    `consent` says where the person lets it look. `facts` copies facts to other agents."""

    opened = Signal(object)
    found = Signal(object)
    """The agents there are, each as its name and its folder: nothing before the person agreed that they are looked for,
    nor after that was taken back."""
    forgotten = Signal()
    """The person took back that other agents are looked at."""

    def __init__(
        self, parent: QWidget, tasks: Tasks, settings: QSettings, keep: Callable[[Path], object] | None, own: Path
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._keep = keep
        self._own = own
        self.consent = AgentConsent(settings)
        self.window: agents_window.AgentsWindow | None = None
        self.facts = FactController(parent, tasks, self.consent, own)
        self._reading: foreign_reading.ForeignReading | None = None
        self._history: foreign_history.ForeignHistory | None = None
        self._store: foreign_reading.SeenStore | None = None
        """The store whose memory is on show."""
        self._shown: foreign_conversations.ForeignListed | None = None
        self._seen: foreign_reading.SeenConversation | None = None
        self._stamp: object = None
        self._wanted: Path | None = None
        """The store that is to be chosen once all are listed."""
        self._wish = 0
        """Counts what was asked for: an answer to an earlier wish is not shown."""
        self._is_following = False
        self._list_again_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_FOLLOW_MS)
        self._timer.timeout.connect(self._follow_soon)

    async def look_for_places(self) -> None:
        """Tells which agents there are in the places that the person agreed to; nothing in them is read."""
        agreed = self.consent.places()
        if not agreed.is_any:
            return
        reading = foreign_reading.ForeignReading()
        try:
            found = await reading.places(agreed.home, agreed.environment, agreed.folders, everywhere=agreed.looks)
            self.found.emit(found)
        except MnemoscopeError as error:
            log.info("other agents are not listed: %s", error)
        finally:
            reading.close()

    def open_store(self, root: Path) -> None:
        """Opens the window at the store in a folder."""
        self._wanted = root
        if self.window is not None:
            self._tasks.spawn(self._list_all(), "agents")
        self.open()

    def open(self) -> None:
        """Opens the window, or brings it to the front."""
        if self.window is not None:
            self.window.raise_()
            self.window.activateWindow()
            return
        self._reading = foreign_reading.ForeignReading()
        self._history = foreign_history.ForeignHistory(foreign_history_view.shown_summary)
        window = self.window = agents_window.AgentsWindow(may_keep=self._keep is not None)
        window.look_requested.connect(self._look)
        window.folder_requested.connect(lambda: self._tasks.spawn(self._choose(), "agents"))
        window.forget_requested.connect(self._forget_places)
        window.keep_requested.connect(self._keep_copy)
        window.list.chosen.connect(self._show)
        window.list.store_chosen.connect(self._show_store)
        window.conversation.branch_requested.connect(self._show_branch)
        window.conversation.earlier_requested.connect(self._show_earlier)
        window.conversation.line_requested.connect(lambda: self._show_summary(None))
        window.conversation.others_requested.connect(lambda: self._tasks.spawn(self._show_others(), "agents"))
        window.conversation.conversation_requested.connect(self._show)
        window.conversation.transcript.message_activated.connect(window.timeline.select_index)
        window.timeline.index_activated.connect(lambda index: self._tasks.spawn(self.show_message(index), "agents"))
        window.timeline.view.entry_activated.connect(self._show_summary)
        window.conversation.transcript.link_requested.connect(lambda address: open_link(address, self.window))
        window.memory.health_requested.connect(self._show_health)
        window.memory.file_requested.connect(lambda file: self._tasks.spawn(self._trace(file), "agents"))
        window.memory.message_requested.connect(lambda edit: self._tasks.spawn(self._show_message_of(edit), "agents"))
        window.memory.copy_requested.connect(lambda line: self.facts.open(line, self.window))
        window.memory.line_shown.connect(lambda line: self._tasks.spawn(self._show_holders(line), "agents"))
        window.history.summary_requested.connect(
            lambda listed, number: self._tasks.spawn(self._show_summary_of(listed, number), "agents")
        )
        window.history.note_requested.connect(self._show_note)
        window.beside.currentChanged.connect(lambda _at: self._show_history())
        window.finished.connect(self.close)
        if self.may_look:
            self._tasks.spawn(self._list_all(), "agents")
        else:
            window.ask()
        window.show()
        self.opened.emit(window)

    def close(self) -> None:
        """Closes the window and the stores that it reads."""
        self._timer.stop()
        self._store = None
        self._shown = None
        self._seen = None
        self._wish += 1
        if self._reading is not None:
            self._reading.close()
            self._reading = None
        if self._history is not None:
            self._history.close()
            self._history = None
        window, self.window = self.window, None
        if window is not None:
            window.history.forget()
            window.close()

    # Where to look

    @property
    def may_look(self) -> bool:
        """Returns whether the person agreed to any place."""
        return self.consent.places().is_any

    def _look(self) -> None:
        self.consent.agree()
        self._tasks.spawn(self._list_all(), "agents")

    def _forget_places(self) -> None:
        self.consent.withdraw()
        self.found.emit([])
        self.forgotten.emit()
        self.close()
        self.open()

    async def _choose(self) -> None:
        path = await pick_folder(self.window, self.tr("The folder of another agent"))
        if path is not None and self.window is not None:
            await self.add_folder(path)

    async def add_folder(self, path: Path) -> None:
        """Lists the store in a folder too, where there is one."""
        self.consent.add_folder(path)
        await self._list_all()

    async def listed_by(
        self, reading: foreign_reading.ForeignReading
    ) -> tuple[list[foreign_reading.SeenStore], list[str]]:
        """Lists the stores in the places that the person agreed to, and says what of them could not be listed."""
        problems: list[str] = []
        stores: list[foreign_reading.SeenStore] = []
        agreed = self.consent.places()
        try:
            roots = await reading.usual(agreed.home, agreed.environment) if agreed.looks else []
            for path in [*roots, *agreed.folders]:
                found = await reading.listed(path)
                if found is None:
                    problems.append(self.tr("{folder} is of no known agent.").format(folder=path.name))
                elif all(found.root != each.root for each in stores):
                    stores.append(found)
        except MnemoscopeError as error:
            problems.append(core_words(str(error)))
        return stores, problems

    async def word_copies(self, text: ForgottenText) -> list[FoundPlace]:
        """Returns the files of other agents that have the words, in the places that the person agreed to."""
        if not self.may_look:
            return []
        reading = foreign_reading.ForeignReading()
        try:
            stores, _ = await self.listed_by(reading)
            return await asyncio.to_thread(foreign_search.word_copies, stores, text, self._own)
        finally:
            reading.close()

    async def show_found(self, hit: foreign_index.ForeignHit) -> None:
        """Shows where a passage stands that the search found: the message, or the line of the memory file."""
        root, name = Path(hit.source.root), hit.source.name
        self.open()
        window = self.window
        if window is None:
            return
        if all(store.root != root for store in window.list.all_stores):
            await self._list_all()
        store = next((each for each in window.list.all_stores if each.root == root), None)
        listed = window.list.listed(root, name)
        if store is not None and name.startswith(foreign_search.MEMORY):
            self._show_store(store)
            window.beside.setCurrentWidget(window.memory)
            window.memory.show_line(hit.source.path, hit.passage.place)
        elif listed is not None:
            self._show_store(store)
            await self.show(listed, hit.passage.place)
            window.list.select(root, name)
            seen = self._seen
            if seen is not None and self.window is window:
                index = seen.index_of.get(hit.passage.place)
                if hit.passage.role == "summary" and seen.entries:
                    index = seen.entries[-1].stop - 1
                if index is not None:
                    window.conversation.transcript.scroll_to_message(index)
        else:
            window.said.setText(self.tr("The conversation that it was said in is not there any more."))

    async def _list_all(self) -> None:
        """Lists the stores in the places that the person agreed to."""
        window, reading = self.window, self._reading
        if window is None or reading is None:
            return
        window.show_found(looks_everywhere=self.consent.places().looks)
        window.said.setText(self.tr("Looking…"))
        stores, problems = await self.listed_by(reading)
        if self.window is not window:
            return
        self.found.emit([(store.title, store.root) for store in stores])
        window.list.show_stores(stores)
        wanted, self._wanted = self._wanted, None
        if wanted is not None and not window.list.choose(wanted):
            problems.insert(0, self.tr("{folder} is not there any more.").format(folder=wanted.name))
        self._timer.start()
        problems += [core_words(each) for store in stores for each in store.problems]
        if not stores and not problems:
            problems = [self.tr("Nothing of another agent was found in the usual places.")]
        window.said.setText(" ".join(problems[:2]) or self.tr("Only read; nothing here is changed."))
        self._show_store(window.list.store or (stores[0] if stores else None))

    def _show_store(self, store: foreign_reading.SeenStore | None) -> None:
        """Shows what a store remembers; None, for all stores, leaves what is on show."""
        window = self.window
        if window is None or store is None:
            return
        self._store = store
        window.memory.show_store(store)
        window.offer_copy()
        self._show_history()

    def _show_health(self, store: foreign_reading.SeenStore) -> None:
        if self.window is None or self._reading is None:
            return
        title = self.tr("Memory's health: {agent}").format(agent=store.title)
        dialog = health_pane.HealthDialog(self.window, title)
        memory = self.window.memory
        dialog.pane.line_requested.connect(lambda finding: memory.show_line(finding.path, finding.line))
        dialog.pane.proposal_requested.connect(
            lambda finding: self._tasks.spawn(self._offer_correction(dialog, store, finding), "correction there")
        )
        dialog.show()
        self.opened.emit(dialog)
        self._tasks.spawn(self._read_health(dialog, store, self._reading), "another agent's health")

    async def _read_health(
        self,
        dialog: health_pane.HealthDialog,
        store: foreign_reading.SeenStore,
        reading: foreign_reading.ForeignReading,
    ) -> None:
        try:
            report = await reading.health(store, date.today())
        except MnemoscopeError as error:
            if isValid(dialog):
                dialog.pane.show_failure(core_words(str(error)))
            return
        if isValid(dialog):
            dialog.pane.show_report(report)

    async def _offer_correction(
        self, dialog: health_pane.HealthDialog, store: foreign_reading.SeenStore, finding: HealthFinding
    ) -> None:
        """Says that nothing is written there, and copies the file or the line as it would be."""
        text = next((each.text for each in store.memory_files if each.path == finding.path), "")
        corrected = without_entry(text.replace("\r\n", "\n"), finding)
        choices = [("", self.tr("Close"))]
        if finding.instead:
            choices.append(("line", self.tr("Copy the corrected line")))
        if corrected is not None and finding.path.endswith((".md", ".txt")):
            choices.append(("file", self.tr("Copy the corrected text")))
        words = self.tr(
            "Only {agent} and you write its memory, so nothing is proposed there. “{line}” stands in {file}, line "
            "{number}: copy the text as it would be without the fault, and put it there yourself."
        ).format(
            agent=store.title,
            line=shortened(fact_text(finding.row), _SHOWN),
            file=finding.path,
            number=f"{finding.line:,}",
        )
        chosen = await ask(dialog, self.tr("This memory is only read"), words, choices, default=choices[-1][0])
        copied = {"file": corrected or "", "line": finding.instead}.get(chosen, "")
        if chosen:
            QGuiApplication.clipboard().setText(copied)
            if self.window is not None:
                self.window.said.setText(self.tr("Copied. Nothing was changed here."))

    def _keep_copy(self) -> None:
        if self._store is not None and self._keep is not None:
            self._keep(self._store.root)

    # One conversation

    def _show(self, listed: foreign_conversations.ForeignListed) -> None:
        self._show_store(listed.store)
        if self._shown is None or (self._shown.store.root, self._shown.conversation.id) != (
            listed.store.root,
            listed.conversation.id,
        ):
            if self.window is not None:
                self.window.memory.show_near(listed.conversation.path)
            self._tasks.spawn(self.show(listed), "agents")

    async def show(self, listed: foreign_conversations.ForeignListed, place: int | None = None) -> None:
        """Shows a conversation: its newest messages at once, then all; or from the message on that a record is of."""
        window, reading = self.window, self._reading
        if window is None or reading is None:
            return
        self._shown, self._seen = listed, None
        window.timeline.forget()
        window.conversation.show_related(window.list.parent_of(listed), window.list.subagents_of(listed))
        self._wish += 1
        wish, root, name = self._wish, listed.store.root, listed.conversation.id
        try:
            self._stamp = await reading.stamp(root, listed.conversation)
            if place is None:
                newest = await reading.newest(root, name)
                if wish == self._wish:
                    window.conversation.show_conversation(listed, newest)
            seen = await reading.read(root, name, place=place)
        except MnemoscopeError as error:
            if wish == self._wish:
                window.conversation.clear()
                window.conversation.show_words(core_words(str(error)))
            return
        if wish == self._wish:
            self._take(seen)

    def _take(self, seen: foreign_reading.SeenConversation) -> None:
        window, listed = self.window, self._shown
        if window is not None and listed is not None:
            self._seen = seen
            window.conversation.show_conversation(listed, seen)
            window.timeline.show_seen(foreign_conversation_view.branch_key(listed, seen), seen)

    async def show_message(self, index: int) -> None:
        """Brings a message into sight, read first where it is not yet."""
        seen = self._seen
        if seen is not None and index < seen.first:
            await self.read_again(branch=seen.branch, first=max(0, index - _ABOVE))
        if self.window is not None:
            self.window.conversation.transcript.scroll_to_message(index)

    def _show_summary(self, card: ConsolidationRecord | None) -> None:
        """Shows the summary of a compaction, given its card, or of the last one."""
        entries = self._seen.entries if self._seen is not None else ()
        chosen = [each for each in entries if card is None or each.transaction_id == card.transaction_id]
        if chosen:
            self._tasks.spawn(self.show_message(chosen[-1].stop - 1), "agents")

    async def _show_others(self) -> None:
        """Shows the records of the conversation on show that are no messages."""
        window, listed, reading, wish = self.window, self._shown, self._reading, self._wish
        if window is None or listed is None or reading is None:
            return
        try:
            records = await reading.others(listed.store.root, listed.conversation.id)
        except MnemoscopeError as error:
            if wish == self._wish:
                window.conversation.show_gone(core_words(str(error)))
            return
        if wish == self._wish and records:
            dialog = other_records_dialog.OtherRecordsDialog(window, records)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _show_branch(self, branch: int) -> None:
        self._tasks.spawn(self.read_again(branch=branch, first=None), "agents")

    def _show_earlier(self) -> None:
        if self._seen is not None:
            first = max(0, self._seen.first - foreign_reading.PAGE)
            self._tasks.spawn(self.read_again(branch=self._seen.branch, first=first), "agents")

    async def read_again(self, *, branch: int, first: int | None) -> None:
        """Reads the conversation on show anew, along a branch, from a message on."""
        listed, reading, wish = self._shown, self._reading, self._wish
        if listed is None or reading is None:
            return
        try:
            seen = await reading.read(listed.store.root, listed.conversation.id, branch=branch, first=first)
        except MnemoscopeError as error:
            if wish == self._wish and self.window is not None:
                self.window.conversation.show_gone(core_words(str(error)))
            return
        if wish == self._wish:
            self._take(seen)

    def _follow_soon(self) -> None:
        if not self._is_following:
            self._tasks.spawn(self.follow(), "agents")

    async def follow(self) -> None:
        """Shows what came to the conversation on show since it was read, and what changed in the stores."""
        self._is_following = True
        try:
            await self._follow_conversation()
            await self._follow_stores()
        except MnemoscopeError:
            return  # The window was closed meanwhile.
        finally:
            self._is_following = False

    async def _follow_conversation(self) -> None:
        listed, reading, seen, wish = self._shown, self._reading, self._seen, self._wish
        if listed is None or reading is None or seen is None:
            return
        stamp = await reading.stamp(listed.store.root, listed.conversation)
        if stamp != self._stamp and wish == self._wish:
            self._stamp = stamp
            await self.read_again(branch=seen.branch, first=seen.first)

    async def _follow_stores(self) -> None:
        """Lists anew the stores in which something changed, and no more often than a part of the time it takes."""
        window, reading, now = self.window, self._reading, monotonic()
        if window is None or reading is None or now < self._list_again_at:
            return
        known = {store.root: store for store in window.list.all_stores}
        anew = {root: await reading.listed(root) for root in await reading.changed() if root in known}
        self._list_again_at = monotonic() + _SHARE * (monotonic() - now)
        if not anew or self.window is not window or {store.root for store in window.list.all_stores} != set(known):
            return
        stores = [found for root, store in known.items() if (found := anew.get(root, store)) is not None]
        gone = [store for root, store in known.items() if anew.get(root, store) is None]
        window.list.show_stores(stores)
        if gone:
            self.found.emit([(store.title, store.root) for store in stores])
            words = self.tr("{folder} is not there any more.")
            window.said.setText(" ".join(words.format(folder=store.root.name) for store in gone[:2]))
        if self._store is not None and self._store.root in anew:
            self._store = anew[self._store.root]
            window.memory.show_store(self._store)
            self._show_history()

    # History

    def _show_history(self) -> None:
        """Shows what the store on show summed up. What nobody looks at is not read."""
        window, history, store = self.window, self._history, self._store
        if window is None or history is None or store is None:
            return
        if window.beside.currentWidget() is not window.history:
            history.pause()
            return
        history.show(store)
        window.history.show_store(store, history)

    async def _show_summary_of(self, listed: foreign_conversations.ForeignListed, number: int) -> None:
        """Shows a summary in its conversation, given its number on the active path."""
        window, shown, seen = self.window, self._shown, self._seen
        if window is None:
            return
        root, name = listed.store.root, listed.conversation.id
        is_here = shown is not None and (shown.store.root, shown.conversation.id) == (root, name)
        if not is_here or seen is None or seen.branch >= 0 or number >= len(seen.entries):
            await self.show(listed)
            window.list.select(root, name)
            seen = self._seen
        if self.window is window and seen is not None and seen.entries:
            await self.show_message(seen.entries[min(number, len(seen.entries) - 1)].stop - 1)

    def _show_note(self, path: str) -> None:
        if self.window is not None:
            self.window.beside.setCurrentWidget(self.window.memory)
            self.window.memory.show_line(path, 1)

    # Memory

    async def _trace(self, file: ForeignMemoryFile) -> None:
        window, reading, store = self.window, self._reading, self._store
        if window is None or reading is None or store is None:
            return
        try:
            sources = await reading.sources(store, file)
        except MnemoscopeError as error:
            if self.window is window:
                window.memory.show_fault(file, core_words(str(error)))
            return
        if self.window is window:
            window.memory.show_sources(file, sources)

    async def _show_holders(self, line: str) -> None:
        """Says beside a line which other memory files state the same."""
        window, store = self.window, self._store
        file = window.memory.file if window is not None else None
        if window is None or store is None or file is None:
            return
        holders = await self.facts.holders_of(line, (store.root, file.path))
        if self.window is window and window.memory.file is file:
            window.memory.show_holders(line, holders)

    async def _show_message_of(self, edit: MemoryEdit) -> None:
        """Shows the message of the person that a call to write memory followed."""
        window, store = self.window, self._store
        if window is None or store is None:
            return
        listed = window.list.listed(store.root, edit.conversation)
        if listed is None:
            window.said.setText(self.tr("The conversation that it was said in is not there any more."))
            return
        shown, seen = self._shown, self._seen
        is_here = shown is not None and (shown.store.root, shown.conversation.id) == (store.root, edit.conversation)
        if not is_here or seen is None or edit.place not in seen.index_of:
            await self.show(listed, edit.place)
            window.list.select(store.root, edit.conversation)
            seen = self._seen
        index = _message_before(seen, edit.place) if seen is not None else None
        if self.window is window and index is not None:
            window.conversation.transcript.scroll_to_message(index)


def _message_before(seen: foreign_reading.SeenConversation, place: int) -> int | None:
    """Returns the index of the person's message that a call followed, or of the call where there is none on show."""
    at = seen.index_of.get(place)
    if at is None:
        return None
    before = range(at, seen.first - 1, -1)
    return next((each for each in before if seen.shown[each - seen.first].get("role") == "user"), at)
