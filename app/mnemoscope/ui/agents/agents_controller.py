"""Looks at other agents: asks once, lists what is there, shows a conversation and follows it, and traces memory."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.foreign.foreign_reading import PAGE, ForeignReading, SeenConversation, SeenStore
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.foreign.records import ForeignMemoryFile, MemoryEdit
from mnemoscope.ui.agents.agents_window import AgentsWindow
from mnemoscope.ui.agents.conversation_list import ForeignListed
from mnemoscope.ui.support.external_actions import open_link, pick_folder
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.notices.core_words import core_words

FOLLOW_MS: Final = 2_000
_LOOK: Final = "agents/look"
_FOLDERS: Final = "agents/folders"


class AgentsController(QObject):
    """One window's. `keep` imports the store at a path; None where the workspace is only read. `opened` carries the
    dialog. `home` and `environment` say where the usual places are."""

    opened = Signal(object)

    def __init__(
        self, parent: QWidget, tasks: Tasks, settings: QSettings, keep: Callable[[Path], object] | None
    ) -> None:
        super().__init__(parent)
        self._tasks, self._settings, self._keep = tasks, settings, keep
        self.home = Path.home()
        self.environment: Mapping[str, str] = os.environ
        self.window: AgentsWindow | None = None
        self._reading: ForeignReading | None = None
        self._store: SeenStore | None = None
        """The store whose memory is on show."""
        self._shown: ForeignListed | None = None
        self._seen: SeenConversation | None = None
        self._stamp: object = None
        self._wish = 0
        """Counts what was asked for: an answer to an earlier wish is not shown."""
        self._is_following = False
        self._timer = QTimer(self)
        self._timer.setInterval(FOLLOW_MS)
        self._timer.timeout.connect(self._follow_soon)

    def open(self) -> None:
        """Opens the window, or brings it to the front."""
        if self.window is not None:
            self.window.raise_()
            self.window.activateWindow()
            return
        self._reading = ForeignReading()
        window = self.window = AgentsWindow(may_keep=self._keep is not None)
        window.look_wished.connect(self._look)
        window.folder_wished.connect(lambda: self._tasks.spawn(self._choose(), "agents"))
        window.forget_wished.connect(self._forget_places)
        window.keep_wished.connect(self._keep_copy)
        window.list.chosen.connect(self._show)
        window.list.store_chosen.connect(self._show_store)
        window.conversation.branch_wished.connect(self._show_branch)
        window.conversation.earlier_wished.connect(self._show_earlier)
        window.conversation.transcript.link_requested.connect(open_link)
        window.memory.file_wished.connect(lambda file: self._tasks.spawn(self._trace(file), "agents"))
        window.memory.message_wished.connect(lambda edit: self._tasks.spawn(self.show_message_of(edit), "agents"))
        window.finished.connect(self.close)
        if self._looks or self._folders:
            self._tasks.spawn(self.list_all(), "agents")
        else:
            window.ask()
        window.show()
        self.opened.emit(window)

    def close(self) -> None:
        """Closes the window and lets go of what it reads."""
        self._timer.stop()
        self._store = self._shown = self._seen = None
        self._wish += 1
        if self._reading is not None:
            self._reading.close()
            self._reading = None
        window, self.window = self.window, None
        if window is not None:
            window.close()

    # Where to look

    @property
    def _looks(self) -> bool:
        return bool(self._settings.value(_LOOK) == "yes")

    @property
    def _folders(self) -> list[str]:
        try:
            kept = json.loads(str(self._settings.value(_FOLDERS) or "[]"))
        except ValueError:
            return []
        return [each for each in kept if isinstance(each, str)] if isinstance(kept, list) else []

    def _look(self) -> None:
        self._settings.setValue(_LOOK, "yes")
        self._tasks.spawn(self.list_all(), "agents")

    def _forget_places(self) -> None:
        self._settings.remove(_LOOK)
        self._settings.remove(_FOLDERS)
        self.close()
        self.open()

    async def _choose(self) -> None:
        path = await pick_folder(self.window, self.tr("The folder of another agent"))
        if path is not None and self.window is not None:
            await self.add_folder(path)

    async def add_folder(self, path: Path) -> None:
        """Lists the store in a folder too, where there is one."""
        folders = self._folders
        if str(path) not in folders:
            self._settings.setValue(_FOLDERS, json.dumps([*folders, str(path)]))
        await self.list_all()

    async def list_all(self) -> None:
        """Lists the stores in the places that the person agreed to."""
        window, reading = self.window, self._reading
        if window is None or reading is None:
            return
        window.show_found(looks_everywhere=self._looks)
        window.said.setText(self.tr("Looking…"))
        problems: list[str] = []
        stores: list[SeenStore] = []
        try:
            roots = await reading.usual(self.home, self.environment) if self._looks else []
            for path in [*roots, *(Path(each) for each in self._folders)]:
                found = await reading.listed(path)
                if found is None:
                    problems.append(self.tr("{folder} is of no known agent.").format(folder=path.name))
                elif all(found.root != each.root for each in stores):
                    stores.append(found)
        except MnemoscopeError as error:
            problems.append(core_words(str(error)))
        if self.window is not window:
            return
        window.list.show_stores(stores)
        problems += [core_words(each) for store in stores for each in store.problems]
        if not stores and not problems:
            problems = [self.tr("Nothing of another agent was found in the usual places.")]
        window.said.setText(" ".join(problems[:2]) or self.tr("Only read; nothing here is changed."))
        self._show_store(window.list.store or (stores[0] if stores else None))

    def _show_store(self, store: SeenStore | None) -> None:
        """Shows what a store remembers; None, for all stores, leaves what is on show."""
        window = self.window
        if window is None or store is None:
            return
        self._store = store
        window.memory.show_store(store)
        window.offer_copy()

    def _keep_copy(self) -> None:
        if self._store is not None and self._keep is not None:
            self._keep(self._store.root)

    # One conversation

    def _show(self, listed: ForeignListed) -> None:
        self._show_store(listed.store)
        if self._shown is None or (self._shown.store.root, self._shown.conversation.id) != (
            listed.store.root,
            listed.conversation.id,
        ):
            if self.window is not None:
                self.window.memory.show_near(listed.conversation.path)
            self._tasks.spawn(self.show(listed), "agents")

    async def show(self, listed: ForeignListed, place: int | None = None) -> None:
        """Shows a conversation: its newest messages at once, then all; or from the message on that a record is of."""
        window, reading = self.window, self._reading
        if window is None or reading is None:
            return
        self._timer.stop()
        self._shown, self._seen = listed, None
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
            self._timer.start()

    def _take(self, seen: SeenConversation) -> None:
        window, listed = self.window, self._shown
        if window is not None and listed is not None:
            self._seen = seen
            window.conversation.show_conversation(listed, seen)

    def _show_branch(self, branch: int) -> None:
        self._tasks.spawn(self.read_again(branch=branch, first=None), "agents")

    def _show_earlier(self) -> None:
        if self._seen is not None:
            first = max(0, self._seen.first - PAGE)
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
                self.window.said.setText(core_words(str(error)))
            return
        if wish == self._wish:
            self._take(seen)

    def _follow_soon(self) -> None:
        if not self._is_following:
            self._tasks.spawn(self.follow(), "agents")

    async def follow(self) -> None:
        """Shows what came to the conversation on show since it was read."""
        listed, reading, seen, wish = self._shown, self._reading, self._seen, self._wish
        if listed is None or reading is None or seen is None:
            return
        self._is_following = True
        try:
            stamp = await reading.stamp(listed.store.root, listed.conversation)
            if stamp != self._stamp and wish == self._wish:
                self._stamp = stamp
                await self.read_again(branch=seen.branch, first=seen.first)
        except MnemoscopeError:
            return  # The window was closed meanwhile.
        finally:
            self._is_following = False

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

    async def show_message_of(self, edit: MemoryEdit) -> None:
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


def _message_before(seen: SeenConversation, place: int) -> int | None:
    """Returns the index of the person's message that a call followed, or of the call where there is none on show."""
    at = seen.index_of.get(place)
    if at is None:
        return None
    before = range(at, seen.first - 1, -1)
    return next((each for each in before if seen.shown[each - seen.first].get("role") == "user"), at)
