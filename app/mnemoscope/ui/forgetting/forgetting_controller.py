"""Has selected words forgotten: lists their places, takes them out of the chosen ones, shows the receipt and the way
back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError, Unfinished
from mnemoscope.domain.events import ForgettingFinished, ForgottenLinesTakenOut
from mnemoscope.domain.forgetting.forgotten_text import MARK, ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind, goes_as_chosen
from mnemoscope.ui.forgetting import forgetting_dialog, forgetting_receipts_dialog
from mnemoscope.ui.forgetting.taken_out_notice import TakenOutNotice
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.forget_menu import ForgetRequest, answer_wishes, words_in
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar


class TypedElsewhere(Protocol):
    """Keeps what is typed and not written, beside the fields that show it."""

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in it."""
        ...


def take_out(document: QTextDocument, text: ForgottenText) -> None:
    """Puts the mark where forgotten words stand in a text that is typed."""
    plain = document.toPlainText()
    cursor = QTextCursor(document)
    for start, stop in reversed(text.spans(plain)):
        # A cursor counts in units of UTF-16.
        place = len(plain[:start].encode("utf-16-le", "surrogatepass")) // 2
        size = len(plain[start:stop].encode("utf-16-le", "surrogatepass")) // 2
        cursor.setPosition(place)
        cursor.setPosition(place + size, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(MARK)


class CopiesElsewhere(Protocol):
    """Looks at the other agents on this computer, as far as the person agreed that they are looked at."""

    @property
    def may_look(self) -> bool:
        """Returns whether the person agreed to any place."""
        ...

    async def word_copies(self, text: ForgottenText) -> list[FoundPlace]:
        """Returns the files of other agents that have the words."""
        ...


class ForgettingController(QObject):
    """Opens one dialog of each kind at a time. Nothing is searched before it is open. `others` finds and names copies
    in the files of other agents; `flush_drafts` has what is typed kept at once, so that it is found as a draft, and
    `typed` keeps some of it."""

    opened = Signal(object)
    """Comes with the dialog."""
    carried_out = Signal()
    """Words were taken out, or are back."""

    def __init__(
        self,
        window: QWidget,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        notices: Notices,
        others: CopiesElsewhere,
        flush_drafts: Callable[[], None],
        typed: Sequence[TypedElsewhere],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bench = bench
        self._tasks = tasks
        self._notices = notices
        self._others = others
        self._flush_drafts = flush_drafts
        self._typed = typed
        self.dialog: forgetting_dialog.ForgettingDialog | None = None
        self.receipts: forgetting_receipts_dialog.ForgettingReceiptsDialog | None = None
        self._hint: NoticeBar | None = None
        """Says that nothing is selected, until something is."""
        self._searches = 0
        self._taken_out = TakenOutNotice(bench, tasks, notices, self.forget, self)
        bridge.on(ForgottenLinesTakenOut, self._taken_out.take)
        bridge.on(ForgettingFinished, lambda _event: self._on_finished_late())
        if not bench.read_only:
            answer_wishes(window)
            window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, ForgetRequest):
            self.forget(event.words)
            return True
        return False

    def forget_in_focus(self) -> None:
        """Begins with what is selected where the keyboard is."""
        found = QApplication.focusWidget() or self._window.focusWidget()
        self.forget(words_in(found))

    def forget(self, selected: str) -> None:
        """Shows the places of these words, and begins to search. Changes nothing."""
        if self._bench.read_only:
            return
        if not selected.strip():
            self._hint = self._notices.notify("info", self.tr("Select the words that are to be forgotten first."))
            return
        if self._hint is not None and isValid(self._hint):
            self._hint.dismiss()
        self._hint = None
        shown = self.dialog
        if shown is not None and (shown.selected == selected or not shown.is_choosing):
            shown.raise_()
            shown.activateWindow()
            return
        if shown is not None:
            # The places of other words would be taken for those of these.
            shown.reject()
        dialog = self.dialog = forgetting_dialog.ForgettingDialog(self._host(), selected)
        dialog.plan_requested.connect(partial(self._plan_soon, dialog))
        dialog.forgetting_requested.connect(
            lambda chosen, left: self._tasks.spawn(self._carry_out(dialog, chosen, left), "forget")
        )
        dialog.going_on_requested.connect(lambda: self._tasks.spawn(self._go_on(dialog), "go on with a forgetting"))
        dialog.finished.connect(self._on_finished)
        dialog.show()
        self.opened.emit(dialog)
        self._plan_soon(dialog, [selected])

    def show_receipts(self) -> None:
        """Shows the receipts of all forgettings, the newest first."""
        if self.receipts is None:
            dialog = self.receipts = forgetting_receipts_dialog.ForgettingReceiptsDialog(
                self._host(), self._bench.forgetting.can_undo
            )
            dialog.take_back_requested.connect(
                lambda receipt: self._tasks.spawn(self._take_back(dialog, receipt), "take back a forgetting")
            )
            dialog.finished.connect(self._on_receipts_finished)
            dialog.show()
            self.opened.emit(dialog)
        self.receipts.raise_()
        self.receipts.activateWindow()
        self._tasks.spawn(self._read_receipts(self.receipts), "receipts of forgettings")

    def _host(self) -> QWidget:
        """Returns what a dialog stands over: the dialog that keeps the window waiting, or the window. It goes with it,
        unless words are being taken out, of which it still has something to say."""
        modal = QApplication.activeModalWidget()
        if isinstance(modal, QDialog) and modal.parentWidget() is not None:
            modal.finished.connect(self._close_all)
            return modal
        return self._window

    def _close_all(self) -> None:
        for dialog in (self.dialog, self.receipts):
            if dialog is not None:
                dialog.reject()
        if self.dialog is not None:
            self.dialog.setParent(self._window, self.dialog.windowFlags())
            self.dialog.show()

    def _on_finished(self) -> None:
        self.dialog = None

    def _on_receipts_finished(self) -> None:
        self.receipts = None

    def _plan_soon(self, dialog: forgetting_dialog.ForgettingDialog, selections: Sequence[str]) -> None:
        self._searches += 1
        self._tasks.spawn(self._plan(dialog, selections, self._searches), "places of words")

    async def _plan(self, dialog: forgetting_dialog.ForgettingDialog, selections: Sequence[str], search: int) -> None:
        self._flush_drafts()
        try:
            plan = await self._bench.forgetting.plan(selections, partial(self._show_found, dialog, search))
            copies = await self._others.word_copies(plan.text)
        except MnemoscopeError as error:
            if self._is_shown(dialog):
                dialog.show_failure(core_words(str(error)))
            return
        if self._is_shown(dialog) and search == self._searches:
            places = (*plan.places, *copies)
            dialog.show_plan(replace(plan, places=places), has_others=self._others.may_look)

    def _is_shown(self, dialog: forgetting_dialog.ForgettingDialog) -> bool:
        """Returns whether a dialog is still there: the window may have closed, and the dialog with it."""
        return self.dialog is dialog and isValid(dialog)

    def _show_found(self, dialog: forgetting_dialog.ForgettingDialog, search: int, place: FoundPlace) -> None:
        """Lists a place while others are looked for."""
        if self._is_shown(dialog) and search == self._searches:
            dialog.show_found(place)

    async def _carry_out(
        self, dialog: forgetting_dialog.ForgettingDialog, chosen: Sequence[FoundPlace], left: Sequence[FoundPlace]
    ) -> None:
        assert dialog.plan is not None
        try:
            await self._bench.forgetting.carry_out(dialog.plan.text, chosen, left)
        except Unfinished as error:
            self._take_out_of_fields(dialog.plan.text, chosen, left)
            if self.dialog is dialog:
                dialog.show_unfinished(core_words(error.sentence))
            return
        except MnemoscopeError as error:
            if self.dialog is dialog:
                dialog.show_failure(core_words(str(error)))
            return
        self._take_out_of_fields(dialog.plan.text, chosen, left)
        self._taken_out.follow_forgetting()
        self.carried_out.emit()
        if self.dialog is dialog:
            dialog.accept()
        self.show_receipts()

    async def _go_on(self, dialog: forgetting_dialog.ForgettingDialog) -> None:
        try:
            await self._bench.forgetting.go_on()
        except MnemoscopeError as error:
            if self.dialog is dialog:
                dialog.show_unfinished(core_words(error.sentence))

    def _on_finished_late(self) -> None:
        """Shows the receipt to whoever waits for it, and tells whoever went on otherwise where it is."""
        self._taken_out.follow_forgetting()
        self.carried_out.emit()
        if self.dialog is not None and self.dialog.is_unfinished:
            self.dialog.accept()
            self.show_receipts()
            return
        self._notices.notify(
            "info",
            self.tr(
                "Forgetting is finished. Its receipt is in Memory > What was forgotten…, where you can take it back."
            ),
        )
        if self.receipts is not None:
            self._tasks.spawn(self._read_receipts(self.receipts), "receipts of forgettings")

    def _take_out_of_fields(
        self, text: ForgottenText, chosen: Sequence[FoundPlace], left: Sequence[FoundPlace]
    ) -> None:
        """Takes the words out of what is typed and not sent or saved, where drafts go too: it would be a draft again.
        No field brings them back by Ctrl+Z."""
        goes = goes_as_chosen(PlaceKind.DRAFTS, chosen, left)
        if goes:
            for each in self._typed:
                each.take_out(text)
        fields: list[QPlainTextEdit | QTextEdit] = self._window.findChildren(QPlainTextEdit)
        fields += self._window.findChildren(QTextEdit)
        for field in fields:
            document = field.document()
            if field.isReadOnly():
                continue
            if goes and document.isModified():
                take_out(document, text)
            if goes or not document.isModified():
                document.clearUndoRedoStacks()

    async def _read_receipts(self, dialog: forgetting_receipts_dialog.ForgettingReceiptsDialog) -> None:
        try:
            receipts = await self._bench.forgetting.receipts()
            is_unfinished = await self._bench.forgetting.is_unfinished()
        except MnemoscopeError as error:
            if self.receipts is dialog:
                dialog.show_state(core_words(str(error)))
            return
        if self.receipts is dialog:
            dialog.show_receipts(receipts, is_unfinished=is_unfinished)

    async def _take_back(self, dialog: forgetting_receipts_dialog.ForgettingReceiptsDialog, receipt: str) -> None:
        try:
            stayed = await self._bench.forgetting.undo(receipt)
        except MnemoscopeError as error:
            if self.receipts is dialog:
                await self._read_receipts(dialog)
            if self.receipts is dialog:
                dialog.show_state(core_words(str(error)))
            return
        self.carried_out.emit()
        if self.receipts is not dialog:
            return
        await self._read_receipts(dialog)
        if self.receipts is dialog:
            words = self.tr("Everything is as it was.")
            if stayed:
                words = self.tr("These files were changed meanwhile and stay as they are: {files}")
                words = words.format(files=", ".join(stayed))
            dialog.show_state(words)
