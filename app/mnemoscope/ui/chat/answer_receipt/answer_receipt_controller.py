"""Opens the receipt of an answer and does what is asked there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.workspace.answer_receipts import AnswerReceipt
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.answer_receipt.memory_use import (
    UsedMemory,
    saying_the_same,
    without_all_memory,
    without_memory,
)
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.llm.destination import destination_of
from mnemoscope.ui.chat.answer_receipt import answer_receipt_dialog
from mnemoscope.ui.chat.answer_receipt.comparison import OtherMemory
from mnemoscope.ui.chat.answer_receipt.part_actions import is_logged, is_of_session_state
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.message_actions import OpenAnswerReceipt
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.money import cost_words
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Navigation
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.status_line import StatusLine

_LOOKED_AT: Final = 400
"""Messages, from the answer back, among which the words of the session state are looked for."""


class AnswerReceiptController(QObject):
    """Opens one receipt at a time; another one takes its place."""

    opened = Signal(object)
    """Comes with the dialog."""
    forget_requested = Signal(str)
    """Carries the words of a line, entry or note."""
    entry_correction_requested = Signal(str, str, object)
    """Carries the file and the words of an entry or a note, and the dialog that it is to be corrected over."""
    capture_requested = Signal(str)
    """Carries the id of a record of what was captured."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        tasks: Tasks,
        *,
        current: CurrentConversation,
        navigation: Navigation,
        status: StatusLine,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._navigation = navigation
        self._status = status
        self.dialog: answer_receipt_dialog.AnswerReceiptDialog | None = None
        self._left: tuple[str, int, UsedMemory] | None = None
        """The part that was chosen in the receipt that made way last, with the answer that the receipt is of."""
        self._asking: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None
        chat.transcript.message_actions.on(OpenAnswerReceipt, lambda action: self.open(action.index))

    def open(self, index: int) -> None:
        """Shows the receipt of the answer at `index` of the conversation on show."""
        if self._current.session is not None:
            self._tasks.spawn(self._open(self._current.key, index), "receipt")

    async def _open(self, key: str, index: int) -> None:
        try:
            receipt = await self._bench.answer_receipts.of_answer(key, index)
            moments = await self._bench.commits.moments()
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
            return
        model = await self._bench.answer_receipts.model_now(receipt)
        if key != self._current.key:
            return
        self.close()
        may_write = not self._bench.read_only
        is_free = destination_of(model, self._bench.settings.api_base).kind == "this computer"
        dialog = self.dialog = answer_receipt_dialog.AnswerReceiptDialog(
            self._chat.window(), receipt, model=model, is_free=is_free, moments=moments, may_write=may_write
        )
        dialog.source_requested.connect(lambda part: self._show_source(receipt, part))
        dialog.correction_requested.connect(self._correct)
        dialog.left_out.message_requested.connect(lambda number: self._show_message(receipt, number))
        dialog.forgetting_requested.connect(lambda part: self.forget_requested.emit(part.text.strip()))
        dialog.whole.prompt_requested.connect(lambda: self._tasks.spawn(self._show_whole(dialog), "whole prompt"))
        dialog.comparison.chosen.connect(lambda how, what: self._count(dialog, how, what))
        dialog.comparison.answer_requested.connect(lambda how, what: self._ask(dialog, how, what))
        dialog.comparison.stopped.connect(lambda: self._stop(dialog))
        dialog.gone.connect(lambda: self._on_gone(dialog))
        dialog.show()
        if self._left is not None and self._left[:2] == (key, index):
            dialog.choose(self._left[2])
        self.opened.emit(dialog)
        whole = await self._bench.answer_receipts.with_meaning(receipt)
        if self.dialog is dialog:
            dialog.show_likely(whole)

    async def _show_whole(self, dialog: answer_receipt_dialog.AnswerReceiptDialog) -> None:
        sent = await self._bench.answer_receipts.sent_request(dialog.receipt)
        if self.dialog is dialog:
            dialog.whole.show_request(sent)

    def close(self) -> None:
        """Closes the receipt that is open, such as when words that it shows were forgotten."""
        if self.dialog is not None:
            self.dialog.close()

    def show_sentence(self, words: str) -> None:
        """Shows a sentence about what was asked for in the receipt that is open, if there is one."""
        if self.dialog is not None:
            self.dialog.show_sentence(words)

    def _remark(self, words: str) -> None:
        """Says it in the receipt, which may lie over the window, and in the window's own line."""
        self.show_sentence(words)
        self._status.show_remark(words)

    def _on_gone(self, dialog: answer_receipt_dialog.AnswerReceiptDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
            for task in (self._asking, self._counting):
                if task is not None:
                    task.cancel()

    def _make_way(self) -> None:
        """Closes the receipt where it lies over the window, in which something is shown now; it opens again at the line
        that is chosen. An answer that was asked for in it is not thrown away for that."""
        dialog = self.dialog
        if dialog is None or dialog.comparison.has_answer:
            return
        if dialog.frameGeometry().intersects(self._chat.window().frameGeometry()):
            if (part := dialog.chosen) is not None:
                self._left = dialog.receipt.session_key, dialog.receipt.index, part
            dialog.close()

    # The source of a line, and its correction

    def _show_source(self, receipt: AnswerReceipt, part: UsedMemory) -> None:
        if is_logged(part):
            self._tasks.spawn(self._show_entry(part), "entry of a receipt")
        elif is_of_session_state(part):
            self._tasks.spawn(self._show_said(receipt, part), "message of a receipt")
        elif self._navigation.show_line_source(part.source, _first_row(part)):
            self._make_way()
        else:
            self._remark(self.tr("This line is not in memory any more in these words."))

    async def _show_entry(self, part: UsedMemory) -> None:
        """Shows the entry that a part was sent from, in the words that it has now: it may be corrected since."""
        words = part.text.removeprefix("- ")
        # An entry of which the bytes are no text is shown, and cannot be corrected.
        with suppress(MnemoscopeError):
            entry = await self._bench.memory.corrections.find(part.source, part.text)
            if entry is None:
                self._remark(self.tr("This is not in the history any more in these words."))
                return
            if _first_row(part).removeprefix("- ") not in entry.standing.text:
                words = entry.words
        self._navigation.show_entry_of(words)
        self._make_way()

    def _show_message(self, receipt: AnswerReceipt, number: int) -> None:
        """Shows a message of the conversation that the receipt is of, whatever is on show by now."""
        self._navigation.show_message(receipt.session_key, number, receipt.began(number))
        self._make_way()

    async def _show_said(self, receipt: AnswerReceipt, part: UsedMemory) -> None:
        """Shows the message that the words of the conversation's state were said in."""
        words = fact_text(part.text).rpartition("**: ")[2].strip()
        try:
            session = await self._bench.disk.run(self._bench.sessions.load, receipt.session_key)
        except MnemoscopeError as error:
            self._remark(core_words(str(error)))
            return
        messages: Sequence[Message] = () if session is None else session.messages
        # The conversation may have gone another way since, and be shorter.
        newest = min(receipt.index, len(messages) - 1)
        for index in range(newest, max(-1, newest - _LOOKED_AT), -1):
            message = messages[index]
            if message.get("role") == "user" and words and words in text_of(message):
                self._navigation.show_message(receipt.session_key, index)
                self._make_way()
                return
        self._remark(self.tr("No message was found that says this in these words."))

    def _correct(self, part: UsedMemory) -> None:
        if is_logged(part):
            self.entry_correction_requested.emit(part.source, part.text, self.dialog)
        elif is_of_session_state(part):
            self._tasks.spawn(self._show_capture(part), "capture of a line")
        elif self._navigation.show_line(part.source, _first_row(part)):
            self.close()
        else:
            self._remark(self.tr("This line is not in memory any more in these words."))

    async def _show_capture(self, part: UsedMemory) -> None:
        """Shows what was captured as this line of the state, where it is taken back."""
        try:
            records = await self._bench.memory.captures.log()
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
            return
        for record in records:
            if record.state_line.strip() == part.text.strip():
                self.close()
                self.capture_requested.emit(record.id)
                return
        self._remark(self.tr("This line was not remembered here, or too long ago to be taken back."))

    # Another answer

    def _count(self, dialog: answer_receipt_dialog.AnswerReceiptDialog, how: OtherMemory, what: object) -> None:
        """Says what an answer with this memory costs, and no more what one with another memory does."""
        if self._counting is not None:
            self._counting.cancel()
        self._counting = self._tasks.spawn(self._show_price(dialog, how, what), "price of an answer to compare")

    async def _show_price(
        self, dialog: answer_receipt_dialog.AnswerReceiptDialog, how: OtherMemory, what: object
    ) -> None:
        try:
            messages = await self._request(dialog.receipt, how, what)
            price = await self._bench.answer_receipts.price_of(dialog.receipt, messages, dialog.model)
        except MnemoscopeError as error:
            if self.dialog is dialog:
                dialog.comparison.price.setText(core_words(str(error)))
            return
        if self.dialog is dialog:
            dialog.show_price(price)

    def _ask(self, dialog: answer_receipt_dialog.AnswerReceiptDialog, how: OtherMemory, what: object) -> None:
        if self._asking is None or self._asking.done():
            dialog.comparison.begin()
            self._asking = self._tasks.spawn(self._answer(dialog, how, what), "answer to compare")

    def _stop(self, dialog: answer_receipt_dialog.AnswerReceiptDialog) -> None:
        if self._asking is not None:
            self._asking.cancel()
        dialog.comparison.fail(self.tr("Stopped. What came of the answer stands above."))

    async def _answer(self, dialog: answer_receipt_dialog.AnswerReceiptDialog, how: OtherMemory, what: object) -> None:
        page = dialog.comparison
        try:
            messages = await self._request(dialog.receipt, how, what)
            # The model whose price was said, whatever was chosen meanwhile.
            answer = await self._bench.answer_receipts.answer_again(
                dialog.receipt, messages, page.grow, model=dialog.model
            )
        except MnemoscopeError as error:
            if self.dialog is dialog:
                page.fail(core_words(str(error)))
            return
        if self.dialog is not dialog:
            return
        words = []
        if answer.model != dialog.receipt.model:
            words.append(self.tr("Answered by {model}.").format(model=answer.model))
        if answer.cost:
            words.append(self.tr("It cost {money}.").format(money=cost_words(answer.cost)))
        page.finish(" ".join(words))

    async def _request(self, receipt: AnswerReceipt, how: OtherMemory, what: object) -> tuple[Message, ...]:
        """Returns the request with the other memory."""
        if receipt.prompt is None:
            return ()
        if how is OtherMemory.AT_MOMENT:
            return await self._bench.answer_receipts.request_at(receipt, *what)  # type: ignore[misc] # a moment and a version
        if isinstance(what, UsedMemory):
            parts = (*receipt.stood, *receipt.instructions)
            return without_memory(receipt.prompt.request, saying_the_same(parts, what))
        return without_all_memory(receipt.prompt)


def _first_row(part: UsedMemory) -> str:
    """Returns the row that a part begins with: a passage that a search found may have several."""
    return part.text.strip("\n").partition("\n")[0]
