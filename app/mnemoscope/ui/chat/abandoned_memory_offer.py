"""Says in a bar what memory took from messages that were left or deleted, and takes it back where that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject
from shiboken6 import isValid

from mnemoscope.agent.workspace.abandoned_memory import AbandonedLines, AbandonedMemory
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.capture.captured_line import read_line
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.domain.text.one_line_text import one_line_text
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar

_LONGEST: Final = 60


class AbandonedMemoryOffer(QObject):
    """Shows the words of such a bar and its buttons."""

    def __init__(self, chat: ChatColumn, bench: Workbench, tasks: Tasks) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._bar: NoticeBar | None = None
        """Offers to undo what was taken back last."""

    def words(self, taken: AbandonedMemory) -> list[str]:
        """Returns what memory took, a sentence for each kind of it."""
        words = [self._of_file(each) for each in taken.files if each.lines]
        if taken.suggestions:
            words.append(self.tr("%n proposals made of them wait for review.", "", len(taken.suggestions)))
        if taken.suggestion_parts:
            count = len(taken.suggestion_parts)
            words.append(self.tr("Lines of %n proposals that wait for review rest on them alone.", "", count))
        if taken.shared_suggestions:
            count = len(taken.shared_suggestions)
            words.append(self.tr("%n proposals that wait for review tell of other messages too.", "", count))
        if taken.dream_lines:
            words.append(
                self.tr("%n lines that Dream made of them and of other entries stay.", "", len(taken.dream_lines))
            )
        if taken.state_lines:
            words.append(self.tr("%n lines of SESSION-STATE.md are no longer sent.", "", len(taken.state_lines)))
        if taken.cuts:
            words.append(self.tr("%n history entries tell of them alone.", "", len(taken.cuts)))
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
        """Returns the button that takes it back, if anything can be, and one that withdraws with it the proposals that
        tell of other messages too; `pressed` is called first."""

        def take_back(chosen: AbandonedMemory) -> None:
            pressed()
            self._tasks.spawn(self._take_back(chosen, key), "take back")

        found = list[NoticeAction]()
        if taken.can_be_removed:
            found.append((self._take_back_words(taken), lambda: take_back(taken)))
        if count := len(taken.shared_suggestions):
            label = self.tr("Withdraw %n shared proposals", "", count)
            if taken.can_be_removed:
                label = self.tr("Take all back with %n shared proposals", "", count)
            found.append((label, lambda: take_back(taken.with_shared_suggestions())))
        return found

    def _of_file(self, found: AbandonedLines) -> str:
        read = read_line(f"- {found.lines[0]}")
        first = one_line_text(read.text if read else found.lines[0])
        count = self.tr("%n lines of {file}:", "", len(found.lines)).format(file=found.path.rpartition("/")[2])
        more = " " + self.tr("and %n more", "", len(found.lines) - 1) if len(found.lines) > 1 else ""
        return f"{count} “{shortened(first, _LONGEST)}”{more}."

    def _take_back_words(self, taken: AbandonedMemory) -> str:
        lines, proposals, entries = len(taken.lines), len(taken.withdrawn), len(taken.cuts)
        if lines and not proposals and not entries:
            return self.tr("Take %n lines back", "", lines)
        if proposals and not lines and not entries:
            return self.tr("Withdraw %n proposals", "", proposals)
        if entries and not lines and not proposals:
            return self.tr("Take %n history entries back", "", entries)
        return self.tr("Take all of it back")

    async def _take_back(self, taken: AbandonedMemory, key: str) -> None:
        try:
            change_id = await self._bench.abandoned.remove(taken)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error), about=key)
            return

        def undo() -> None:
            bar.dismiss()
            self._tasks.spawn(self._undo(change_id, key), "bring back")

        words = []
        if taken.lines:
            words.append(self.tr("%n lines taken out of memory.", "", len(taken.lines)))
        if taken.cuts:
            words.append(self.tr("%n entries taken out of the history.", "", len(taken.cuts)))
        if taken.withdrawn:
            words.append(self.tr("%n proposals withdrawn.", "", len(taken.withdrawn)))
        words.append(self.tr("“Bring back what was taken out” in the menu Memory undoes it later, too."))
        actions: list[NoticeAction] = [(self.tr("Undo"), undo)]
        bar = self._bar = self._chat.notify("info", " ".join(words), actions, stays=True, about=key)

    def bring_newest_back(self) -> None:
        """Undoes what was taken back last, whether or not the bar that offers it is there still."""
        self._tasks.spawn(self._bring_newest_back(), "bring back")

    async def _bring_newest_back(self) -> None:
        try:
            is_back = await self._bench.abandoned.undo_newest_removal()
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
            return
        if is_back and self._bar is not None and isValid(self._bar):
            self._bar.dismiss()
        words = self.tr("Memory, proposals and history have again what was taken out last.")
        if not is_back:
            words = self.tr("Nothing that was taken out with messages is left to bring back.")
        self._chat.notify("success" if is_back else "info", words)

    async def _undo(self, change_id: str, key: str) -> None:
        try:
            await self._bench.abandoned.undo_removal(change_id)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error), about=key)
