"""Says in a bar what memory took from messages that were left or deleted, and takes it back where that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.abandoned_memory import AbandonedMemory
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.capture.lines import read_line
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.domain.text.one_line_text import one_line_text
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction

_LONGEST: Final = 60


class AbandonedMemoryOffer(QObject):
    """Shows the words of such a bar and its buttons."""

    def __init__(self, chat: ChatColumn, bench: Workbench, tasks: Tasks) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks

    def words(self, taken: AbandonedMemory) -> list[str]:
        """Returns what memory took, a sentence for each kind of it."""
        words = []
        if taken.lines:
            read = read_line(f"- {taken.lines[0]}")
            first = one_line_text(read.text if read else taken.lines[0])
            shown = shortened(first, _LONGEST)
            words.append(self.tr("%n lines of MEMORY.md:", "", len(taken.lines)) + f" “{shown}”")
            if len(taken.lines) > 1:
                words[-1] += " " + self.tr("and %n more", "", len(taken.lines) - 1)
            words[-1] += "."
        if taken.state_lines:
            words.append(self.tr("%n lines of SESSION-STATE.md are no longer sent.", "", len(taken.state_lines)))
        if taken.entries:
            words.append(self.tr("%n history entries tell of them and stay in the log.", "", taken.entries))
        if taken.shared_entries:
            sentence = self.tr(
                "%n history entries tell of other messages too; what memory learnt from those stays.",
                "",
                taken.shared_entries,
            )
            words.append(sentence)
        return words

    def action(self, taken: AbandonedMemory, key: str, pressed: Callable[[], None]) -> list[NoticeAction]:
        """Returns the button that takes the lines back, if there are any; `pressed` is called first."""

        def take_back() -> None:
            pressed()
            self._tasks.spawn(self._take_back(taken, key), "take back")

        lines = len(taken.lines)
        return [(self.tr("Take %n lines back", "", lines), take_back)] if lines else []

    async def _take_back(self, taken: AbandonedMemory, key: str) -> None:
        try:
            _, changes = await self._bench.abandoned.take_back(taken)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error), about=key)
            return

        def undo() -> None:
            bar.dismiss()
            self._tasks.spawn(self._undo(changes, key), "bring back")

        words = self.tr("%n lines taken out of MEMORY.md.", "", len(taken.lines))
        bar = self._chat.notify("info", words, [(self.tr("Undo"), undo)], stays=True, about=key)

    async def _undo(self, changes: Sequence[str], key: str) -> None:
        try:
            await self._bench.memory.editing.undo_changes(changes)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error), about=key)
