"""Has an entry of the history, or of a daily note, corrected, from wherever it is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.history_entries import HistoryEntry
from mnemoscope.ui.history import entry_correction_dialog
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.question import ask
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

_DISCARD: Final = "discard"


class EntryCorrectionController(QObject):
    """Opens one dialog at a time."""

    opened = Signal(object)
    """Comes with the dialog."""
    done = Signal(str)
    """Carries what was done to an entry, in words."""
    refused = Signal(str)
    """Carries why an entry that was asked for cannot be corrected."""

    def __init__(self, pane: HistoryPane, bench: Workbench, tasks: Tasks, notices: Notices) -> None:
        super().__init__(pane)
        self._pane = pane
        self._bench = bench
        self._tasks = tasks
        self._notices = notices
        self.dialog: entry_correction_dialog.EntryCorrectionDialog | None = None
        view = pane.view
        view.offers_correction = not bench.read_only
        view.correction_requested.connect(self._open_entry)
        view.undo_requested.connect(lambda name: self._tasks.spawn(self._undo(name), "undo a correction"))
        self.refused.connect(lambda words: notices.notify("info", words))

    def open(self, path: str, passage: str, host: QWidget | None = None) -> None:
        """Shows the entry of a log that a passage is, or is part of, to be corrected; the dialog stands over `host`."""
        self._tasks.spawn(self._open(path, passage, host or self._pane.window()), "correct an entry")

    def _open_entry(self, entry: HistoryEntry) -> None:
        self._tasks.spawn(self._open(entry.source, entry.text, self._pane.window(), entry.number), "correct an entry")

    async def _open(self, path: str, passage: str, host: QWidget, number: int | None = None) -> None:
        if self._is_open():
            return
        try:
            entry = await self._bench.memory.corrections.find(path, passage, number)
        except MnemoscopeError as error:
            self.refused.emit(core_words(str(error)))
            return
        if entry is None:
            self.refused.emit(self.tr("This is not in the history any more in these words."))
            return
        if self._is_open():
            return
        corrections = self._bench.memory.corrections
        dialog = self.dialog = entry_correction_dialog.EntryCorrectionDialog(host, entry, passage)
        dialog.save_requested.connect(
            lambda words: self._tasks.spawn(
                self._carry_out(dialog, lambda: corrections.correct(entry, words), self.tr("The entry is corrected.")),
                "correct an entry",
            )
        )
        if (correction := entry.correction) is not None:
            dialog.undo_requested.connect(
                lambda: self._tasks.spawn(
                    self._carry_out(dialog, lambda: corrections.undo(correction.id), self._undone_words()),
                    "undo a correction",
                )
            )
        dialog.discard_requested.connect(
            lambda: self._tasks.spawn(self._ask_to_discard(dialog), "discard a correction")
        )
        dialog.finished.connect(lambda _code: self._on_finished(dialog))
        dialog.open()
        self.opened.emit(dialog)

    def _is_open(self) -> bool:
        """Brings the dialog that is open to the front; returns whether one is."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
        return self.dialog is not None

    async def _carry_out(
        self,
        dialog: entry_correction_dialog.EntryCorrectionDialog,
        change: Callable[[], Awaitable[str | None]],
        words: str,
    ) -> None:
        try:
            change_id = await change()
        except MnemoscopeError as error:
            if self.dialog is dialog:
                dialog.fail(core_words(str(error)))
            return
        if self.dialog is dialog:
            dialog.done(QDialog.DialogCode.Accepted)
        self._notify(words, change_id or "")

    async def _undo(self, correction_id: str) -> None:
        try:
            await self._bench.memory.corrections.undo(correction_id)
        except MnemoscopeError as error:
            self.refused.emit(core_words(str(error)))
            return
        self._notify(self._undone_words())

    def _notify(self, words: str, change_id: str = "") -> None:
        """Notifies of what was done, with Undo where it was a correction."""

        def undo() -> None:
            bar.dismiss()
            self._tasks.spawn(self._undo(change_id), "undo a correction")

        bar: NoticeBar = self._notices.notify("success", words, [(self.tr("Undo"), undo)] if change_id else [])
        self.done.emit(words)

    def _undone_words(self) -> str:
        return self.tr("The entry has its former words again.")

    async def _ask_to_discard(self, dialog: entry_correction_dialog.EntryCorrectionDialog) -> None:
        choices = [("", self.tr("Keep writing")), (_DISCARD, self.tr("Discard"))]
        sentence = self.tr("What you typed is not saved.")
        chosen = await ask(dialog, self.tr("Discard the correction?"), sentence, choices)
        if chosen == _DISCARD and self.dialog is dialog:
            dialog.discard()

    def _on_finished(self, dialog: entry_correction_dialog.EntryCorrectionDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
        dialog.deleteLater()
