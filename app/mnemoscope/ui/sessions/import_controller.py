"""Takes conversations of other assistants in: asks what, tells what it would bring, imports it, and takes it back."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from mnemoscope.agent.importing.imports import ImportProgress, ImportReport
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.sessions import import_dialog
from mnemoscope.ui.support.external_actions import pick_files, pick_folder
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar

_LOOK_MS = 100


class ImportController(QObject):
    """Imports for one window. Until the last press nothing is written."""

    conversation_requested = Signal(str)
    """The conversation of this key is to be shown."""
    review_requested = Signal()
    """The memories that came in are to be reviewed."""

    def __init__(self, chat: ChatColumn, bench: Workbench, tasks: Tasks) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._dialog: import_dialog.ImportDialog | None = None
        self._path: Path | None = None
        self._bars: dict[str, NoticeBar] = {}
        """The bar that reports on each import, by the import's id."""
        self._progress = ImportProgress()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._show_progress)

    def ask(self) -> None:
        """Asks what is to be imported."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        dialog = self._dialog = import_dialog.ImportDialog(self._chat.window())
        dialog.file_requested.connect(lambda: self._tasks.spawn(self._choose(folder=False), "import"))
        dialog.folder_requested.connect(lambda: self._tasks.spawn(self._choose(folder=True), "import"))
        dialog.import_requested.connect(lambda: self._tasks.spawn(self.run(), "import"))
        dialog.stop_requested.connect(self._stop)
        dialog.finished.connect(self._forget)
        dialog.open()

    def ask_about(self, path: Path) -> None:
        """Tells what an import of a path would bring, and offers it."""
        self.ask()
        self._tasks.spawn(self.preview(path), "import")

    async def _choose(self, *, folder: bool) -> None:
        title = self.tr("What to import")
        if folder:
            path = await pick_folder(self._dialog, title)
        else:
            chosen = await pick_files(self._dialog, title, self.tr("Exports") + " (*.zip *.json)")
            path = next(iter(chosen), None)
        if path is not None:
            await self.preview(path)

    async def preview(self, path: Path) -> None:
        """Tells what an import of a path would bring."""
        dialog = self._dialog
        if dialog is None:
            return
        self._path, progress = path, self._begin()
        dialog.show_reading(path)
        try:
            seen = await self._bench.imports.preview(path, progress)
        except MnemoscopeError as error:
            if self._dialog is dialog:
                dialog.show_fault(str(error))
        else:
            if self._dialog is dialog:
                dialog.show_seen(seen)
        finally:
            self._timer.stop()
            if self._dialog is dialog:
                dialog.show_ended()

    async def run(self) -> None:
        """Imports what was looked at."""
        dialog, path = self._dialog, self._path
        if dialog is None or path is None or self._timer.isActive():
            return
        progress = self._begin()
        dialog.show_working()
        try:
            seen = await self._bench.imports.run(path, progress)
        except MnemoscopeError as error:
            if self._dialog is dialog:
                dialog.show_fault(str(error))
            else:
                self._chat.notify("danger", str(error))
        else:
            if self._dialog is dialog:
                dialog.accept()
            self._announce_result(seen)
        finally:
            self._timer.stop()
            if self._dialog is dialog:
                dialog.show_ended()

    def _announce_result(self, seen: ImportReport) -> None:
        found = seen.result
        words = self.tr("%n conversations were imported from {assistant}.", "", found.conversations + found.grown)
        words = words.format(assistant=seen.title)
        if found.memories:
            words += " " + self.tr("%n memories wait for your review.", "", len(found.memories))
        words = " ".join([words, *found.problems[:1]])
        actions: list[NoticeAction] = []
        if found.newest:
            actions.append((self.tr("Open conversation"), partial(self.conversation_requested.emit, found.newest)))
        if found.memories:
            actions.append((self.tr("Review"), self.review_requested.emit))
        if found.id:
            actions.append((self.tr("Undo"), partial(self._undo, found.id)))
        # The conversation that it opens would take it away, and the way back with it.
        stays = bool(found.id)
        self._bars[found.id] = self._chat.notify(
            "warning" if found.problems else "success", words, actions, stays=stays
        )

    def _undo(self, import_id: str) -> None:
        self._tasks.spawn(self.undo(import_id), "import")

    async def undo(self, import_id: str) -> None:
        """Takes an import back."""
        try:
            done = await self._bench.imports.undo(import_id)
        except MnemoscopeError as error:
            self._chat.notify("danger", str(error))
            return
        if (bar := self._bars.pop(import_id, None)) is not None and isValid(bar):
            bar.dismiss()
        words = self.tr("The import was taken back: %n conversations are in the trash.", "", done.conversations)
        if done.kept:
            words += " " + self.tr("%n went on here and stayed.", "", done.kept)
        self._chat.notify("success", words)

    def _begin(self) -> ImportProgress:
        self._progress.is_stopped = True
        self._progress = ImportProgress()
        self._timer.start()
        return self._progress

    def _show_progress(self) -> None:
        if self._dialog is not None and self._progress.total:
            self._dialog.show_progress(self._progress.done, self._progress.total)

    def _stop(self) -> None:
        self._progress.is_stopped = True

    def _forget(self) -> None:
        self._dialog = None
