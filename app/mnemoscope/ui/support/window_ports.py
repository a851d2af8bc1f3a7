"""Declares what a pane's controller needs of the window, as protocols: the panes know no window and no other pane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QAction

from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar

PaneName = Literal["timeline", "memory", "history", "prompt", "dream", "health"]


class Navigation(Protocol):
    """Brings what one pane names into sight where it stands."""

    def show_pane(self, name: PaneName) -> object:
        """Brings a pane of the inspector to the front and gives it the keyboard."""
        ...

    def show_message(self, session_key: str, index: int, began: str = "") -> None:
        """Shows a message; of the conversation of that key that `began` then, closed or not, else of the one there
        is."""
        ...

    def show_archived_message(self, path: str, index: int) -> None:
        """Shows a message of a conversation that /new closed, by the path of its file."""
        ...

    def show_messages(self, record: ConsolidationRecord) -> None:
        """Shows the messages an entry was made from, in the conversation or in the transcript that /new closed."""
        ...

    def show_grounds(self, record: ConsolidationRecord, line: str) -> None:
        """Shows, marked, the messages of a consolidation that a line of memory rests on; all of them where none stands
        out."""
        ...

    def show_entry(self, record: ConsolidationRecord) -> None:
        """Shows the history entry of a consolidation."""
        ...

    def show_entry_of(self, text: str) -> None:
        """Shows the history entry that holds these words."""
        ...

    def show_line(self, path: str, line: str) -> bool:
        """Shows a line of a memory file; returns False where the file has no such line."""
        ...

    def show_line_source(self, path: str, line: str) -> bool:
        """Shows the messages that a line of a memory file came from, or where none are known, who wrote it; returns
        False where the file has no such line."""
        ...

    def show_review(self, session_key: str, when: str) -> None:
        """Shows the suggestion for memory that the assistant of a conversation made at that time or soon after."""
        ...

    def show_run(self, run: DreamRun) -> None:
        """Shows what a run of Dream changed, among the versions of a file it changed."""
        ...


class Notices(Protocol):
    """Puts a bar above the conversation, which is always in sight."""

    def notify(
        self,
        level: str,
        sentence: str,
        actions: Sequence[NoticeAction] = (),
        *,
        stays: bool = False,
        noted: bool = False,
    ) -> NoticeBar:
        """Shows a bar at a level (`info`, `success`, `warning`, `danger`) and returns it."""
        ...


class ConversationTitles(Protocol):
    """Knows what conversations are called."""

    listed: SignalInstance
    """Emitted when titles are known, or others than before."""

    def title_of(self, key: str, when: str = "") -> str:
        """Returns the title of the conversation that had this key at `when` (naive local ISO 8601), or has it now; ""
        as long as no titles are known."""
        ...


class Commands(Protocol):
    """Holds the commands of the window: a button in a pane runs the same as the menu."""

    def get(self, command_id: str) -> QAction | None:
        """Returns the action of a command, or None where there is no such command."""
        ...
