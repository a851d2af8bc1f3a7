"""Shows what one pane names where it stands: an entry, the messages behind it, what a run of Dream changed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.file_registry import EDITABLE_FILES
from mnemoscope.domain.review.evidence import messages_behind
from mnemoscope.domain.search.line_heads import without_marks
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.memory.memory_controller import MemoryController
from mnemoscope.ui.sessions.sessions_controller import SessionsController
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import PaneName
from mnemoscope.ui.timeline.timeline_controller import TimelineController

_TELLING: Final = 60
"""Characters of a passage by which the history finds its entry."""


class Navigator:
    """Carries out what `Navigation` promises, in one window.

    Controllers are handed it when they are made, and some of them are its own way to what it shows: `join` names those
    before anybody asks it for anything.
    """

    def __init__(self, window: MainWindow, bench: Workbench, tasks: Tasks) -> None:
        self._window = window
        self._bench = bench
        self._tasks = tasks
        self._conversation: ConversationController
        self._sessions: SessionsController
        self._timeline: TimelineController
        self._memory: MemoryController

    def join(
        self,
        *,
        conversation: ConversationController,
        sessions: SessionsController,
        timeline: TimelineController,
        memory: MemoryController,
    ) -> None:
        """Shows things by these controllers from now on."""
        self._conversation = conversation
        self._sessions = sessions
        self._timeline = timeline
        self._memory = memory

    def show_pane(self, name: PaneName) -> None:
        """Brings a pane of the inspector to the front and gives it the keyboard."""
        self._window.inspector.show(name)

    def show_message(self, session_key: str, index: int, began: str = "") -> None:
        """Shows a message; of the conversation of that key that `began` then, closed or not, else of the one there
        is."""
        self._tasks.spawn(self._open_message(session_key, index, began), "show message")

    def show_archived_message(self, path: str, index: int) -> None:
        """Shows a message of a conversation that /new closed, by the path of its file."""
        self._tasks.spawn(self._open_archived(path, index), "open archived")

    def show_messages(self, record: ConsolidationRecord) -> None:
        """Shows the messages an entry was made from, in the conversation or in the transcript that /new closed."""
        self._tasks.spawn(self._open_at(record), "show messages")

    def show_grounds(self, record: ConsolidationRecord, line: str) -> None:
        """Shows, marked, the messages of a consolidation that a line of memory rests on; all of them where none stands
        out."""
        self._tasks.spawn(self._mark_grounds(record, line), "show grounds")

    def show_entry(self, record: ConsolidationRecord) -> None:
        """Shows the history entry of a consolidation."""
        self.show_pane("history")
        self._window.history.show_entry(record)

    def show_entry_of(self, text: str) -> None:
        """Shows the history entry that holds these words."""
        self.show_pane("history")
        words = without_marks(text).partition("\n")[0].strip()
        found = words[:_TELLING].rsplit(" ", 1)[0] if len(words) > _TELLING else words
        self._window.history.search_for(found)

    def show_line(self, path: str, line: str) -> bool:
        """Shows a line of a memory file; returns False where the file has no such line."""
        return self._memory.show_line(line, _shown_path(path))

    def show_line_source(self, path: str, line: str) -> bool:
        """Shows the messages that a line of a memory file came from, or where none are known, who wrote it; returns
        False where the file has no such line."""
        return self._memory.show_line_source(line, _shown_path(path))

    def show_review(self, session_key: str, when: str) -> None:
        """Shows the suggestion for memory that the assistant of a conversation made at that time or soon after."""
        self._memory.review(session_key, when)

    def show_run(self, run: DreamRun) -> None:
        """Shows what a run of Dream changed, among the versions of the file in front where that is one of them."""
        changed = [edit.path for edit in run.edits if not edit.held]
        shown = [path for path in (self._window.memory.current.path, *EDITABLE_FILES) if path in changed]
        if shown:
            self._memory.show_file(shown[0]).changes.open(run.id)
        elif run.commit:
            # A skill has no place in the Memory pane.
            self._conversation.send(f"/dream-log {run.commit}")

    async def _mark_grounds(self, record: ConsolidationRecord, line: str) -> None:
        if not await self._open_at(record):
            return
        reader = self._window.timeline.model.reader
        messages = [reader.message(index) for index in range(record.start, record.stop)]
        places = await self._bench.commits.on_thread(lambda: messages_behind(line, messages))
        if places and self._window.timeline.model.reader is reader:
            self._timeline.show_marked([record.start + place for place in places])
        elif not places:
            words = QCoreApplication.translate("Navigator", "No single message stands out for this line")
            self._window.status.show_remark(words)

    async def _open_at(self, record: ConsolidationRecord) -> bool:
        """Shows the first message of a consolidation; returns False, and says so, where it is not there any more."""
        start = record.start
        closed = await self._sessions.archive.source_of(record)
        if closed is not None:
            await self._sessions.read(closed, start)
            return True
        if not record.session_created_at:
            return await self._open_then(record)
        await self._open_conversation(record.session_key)
        records = (await self._bench.timeline.facts(record.session_key)).records
        if any(each.start == start for each in records):
            self._timeline.show_message(start)
            return True
        self._remark_that_it_is_closed()
        return False

    async def _open_then(self, record: ConsolidationRecord) -> bool:
        """Shows the first message of a consolidation of which only the time tells which conversation of the key it was,
        as with a captured line; returns False, and says so, where it is not there any more."""
        found = await self._bench.closed.then(record.session_key, record.when)
        if isinstance(found, ClosedConversation):
            await self._sessions.read(found, record.start)
        elif found is not None:
            await self._open_conversation(record.session_key)
            self._timeline.show_message(record.start)
        else:
            self._remark_that_it_is_closed()
        return found is not None

    def _remark_that_it_is_closed(self) -> None:
        folder = self._bench.workspace.paths.archive_dir.relative_to(self._bench.workspace.root)
        words = QCoreApplication.translate("Navigator", "Those messages are in a closed transcript in {folder}")
        self._window.status.show_remark(words.format(folder=folder))

    async def _open_message(self, session_key: str, index: int, began: str) -> None:
        closed = await self._sessions.archive.begun(session_key, began) if began else None
        if closed is not None:
            await self._sessions.read(closed, index)
            return
        if began and not await self._bench.conversations.go_to_branch(session_key, index, began):
            words = QCoreApplication.translate("Navigator", "The conversation it was said in is not there any more")
            self._window.status.show_remark(words)
            return
        await self._open_conversation(session_key)
        self._timeline.show_message(index)

    async def _open_archived(self, path: str, index: int) -> None:
        archive, name = self._sessions.archive, path.rpartition("/")[2]
        closed = next((one for one in await archive.overviews() if one.path.name == name), None)
        if closed is not None:
            archive.open(closed, index)

    async def _open_conversation(self, session_key: str) -> None:
        if session_key != self._conversation.key:
            await self._sessions.open(session_key)


def _shown_path(path: str) -> str:
    """Returns the path under which the memory pane has a file; MEMORY.md may have its name in other letters."""
    return MEMORY_PATH if path.endswith(MEMORY_PATH.rpartition("/")[2]) else path
