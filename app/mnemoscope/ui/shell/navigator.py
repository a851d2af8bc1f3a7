"""What one pane names, shown where it stands: an entry, the messages behind it, what a run of Dream changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemoscope.agent.workspace.memory_files import MEMORY_FILES
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.records import ConsolidationRecord

if TYPE_CHECKING:
    from mnemoscope.ui.shell.workspace_window import WorkspaceWindow


class Navigator:
    """The ways of one window from pane to pane."""

    def __init__(self, window: WorkspaceWindow) -> None:
        self._window = window

    def entry(self, record: ConsolidationRecord) -> None:
        """An entry of the history."""
        self._window.window.inspector.show("history")
        self._window.history.show_entry(record)

    def messages(self, record: ConsolidationRecord) -> None:
        """The messages an entry was made from, in the conversation or in the transcript that /new closed."""
        self._window.tasks.spawn(self._open_at(record), "show messages")

    def message(self, session_key: str, index: int) -> None:
        """A message of a conversation that is open still."""
        self._window.tasks.spawn(self._open_message(session_key, index), "show message")

    def change(self, run: DreamRun) -> None:
        """What a run of Dream changed, among the versions of the file in front where that is one of them."""
        changed = [edit.path for edit in run.edits if not edit.held]
        shown = [path for path in (self._window.window.memory.current.path, *MEMORY_FILES) if path in changed]
        if shown:
            self._window.memory.show_file(shown[0]).changes.open(run.id)
        elif run.commit:
            # A skill has no place in the Memory pane.
            self._window.conversation.send(f"/dream-log {run.commit}")

    def undo(self, record: ConsolidationRecord) -> None:
        """The change of MEMORY.md that a consolidation made, to be taken back."""
        self._window.memory.show_file(MEMORY_PATH).changes.undo(record.transaction_id)

    def redo(self, record: ConsolidationRecord) -> None:
        """The same, to be brought back after it was taken back."""
        self._window.memory.show_file(MEMORY_PATH).changes.bring_back(record.transaction_id)

    async def _open_at(self, record: ConsolidationRecord) -> None:
        window, start = self._window, record.start
        closed = await window.sessions.archive.source_of(record) if window.sessions.archive else None
        if closed is not None:
            window.sessions.read(closed, start)
            return
        await self._open_conversation(record.session_key)
        records = (await window.bench.timeline_facts(record.session_key)).records
        if any(each.start == start for each in records):
            window.conversation.show_message(start)
        else:
            _say_closed(window)

    async def _open_message(self, session_key: str, index: int) -> None:
        await self._open_conversation(session_key)
        self._window.conversation.show_message(index)

    async def _open_conversation(self, session_key: str) -> None:
        window = self._window
        if session_key != window.conversation.key:
            window.sessions.on_opened(session_key)
            await window.conversation.open(session_key)
            window.sessions.refresh_soon()


def _say_closed(window: WorkspaceWindow) -> None:
    folder = window.bench.workspace.paths.archive_dir.relative_to(window.bench.workspace.root)
    window.window.status.say(window.tr("Those messages are in a closed transcript in {folder}").format(folder=folder))
