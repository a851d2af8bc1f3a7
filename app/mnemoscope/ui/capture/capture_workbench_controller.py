"""Joins the workbench of capture to the core: trials while one types, marks and rules kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.capture import judgements
from mnemoscope.domain.conversation import pasted_chat
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.memory.capture import capture_workbench
from mnemoscope.store.capture import user_rules
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.ui.capture import capture_dialog
from mnemoscope.ui.support.drafts import DelayedSave, Drafts
from mnemoscope.ui.support.external_actions import file_dialog
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.translation.core_words import core_words

_PAUSE_MS: Final = 120
_DRAFT_MS: Final = 500
"""Milliseconds from the first change that is not saved to the saving of the draft."""
_DRAFT: Final = "capture-rules"
_LARGEST_CHAT: Final = 20_000_000


class CaptureWorkbenchController(QObject):
    """Opens the workbench and does what is asked there. Nothing of it is there before."""

    opened = Signal(object)
    """Comes with the dialog."""

    def __init__(self, parent: QWidget, bench: Workbench, tasks: Tasks, drafts: Drafts, notices: Notices) -> None:
        super().__init__(parent)
        self._parent = parent
        self._bench = bench
        self._tasks = tasks
        self._drafts = drafts
        self._notices = notices
        self._kept: dict[str, Any] = {}
        """The draft that was saved last."""
        self._has_read_draft = False
        """Whether the open dialog shows the rules and what was typed for them: before, nothing of them is kept anew."""
        self.dialog: capture_dialog.CaptureDialog | None = None
        self._core: capture_workbench.CaptureWorkbench | None = None
        self._draft = DelayedSave(self._keep_typed, _DRAFT_MS, self)
        self._timer: QTimer | None = None
        self._marks: list[judgements.Judgement] = []
        self._begun: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Shows the workbench."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        bench = self._bench
        root, read_only = bench.workspace.root, bench.read_only
        core = self._core = capture_workbench.CaptureWorkbench(root, bench.disk, read_only=read_only, calls=bench.calls)
        self.dialog = dialog = capture_dialog.CaptureDialog(self._parent)
        self._has_read_draft = False
        if read_only:
            dialog.set_read_only()
        timer = self._timer = QTimer(dialog)
        timer.setSingleShot(True)
        timer.setInterval(_PAUSE_MS)
        timer.timeout.connect(lambda: self._do(self._try))
        dialog.try_requested.connect(timer.start)
        dialog.editor.edited.connect(self._draft.soon)
        dialog.file_requested.connect(self._on_file)
        dialog.marked.connect(lambda mark: self._do(self._mark, core, mark))
        dialog.unmarked.connect(lambda mark: self._do(self._mark, core, mark, forget=True))
        dialog.rules.switched.connect(lambda rule, on: self._do(self._switch, core, rule, on))
        dialog.editor.saved.connect(lambda file, text: self._do(self._save, core, dialog, file, text))
        dialog.finished.connect(self._on_finished)
        dialog.show()
        self.opened.emit(dialog)
        self._begun = self._do(self._begin)

    def flush_draft(self) -> None:
        """Has what is typed and not saved kept at once."""
        self._draft.now()

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in rules that are typed in other files than that in hand: they
        would be kept again."""
        if self.dialog is not None:
            self.dialog.editor.take_out(forgotten)

    async def settled(self) -> None:
        """Waits until what is shown is true of what was typed last."""
        if self._begun is not None:
            await self._begun
        if self._timer is not None and self._timer.isActive():
            self._timer.stop()
        await self._try()

    def _do(self, work: Callable[..., Awaitable[None]], *given: object, **named: object) -> asyncio.Task[None]:
        return self._tasks.spawn(self._report(work, *given, **named), "capture workbench")

    async def _report(self, work: Callable[..., Awaitable[None]], *given: object, **named: object) -> None:
        try:
            await work(*given, **named)
        except MnemoscopeError as error:
            if self.dialog is not None:
                self.dialog.hint.setText(core_words(str(error)))
            else:
                self._notices.notify("warning", core_words(str(error)))

    async def _begin(self) -> None:
        core, dialog = self._core, self.dialog
        if core is None or dialog is None:
            return
        files, self._marks = await core.files(), await core.marks()
        draft = await self._drafts.load(_DRAFT) or {}
        if dialog is self.dialog:
            dialog.editor.show_files(files)
            self._bring_back(dialog, draft)
            self._kept = draft
            self._has_read_draft = True
            self._draft.now()
            await self._try()

    def _bring_back(self, dialog: capture_dialog.CaptureDialog, draft: Mapping[str, Any]) -> None:
        """Shows what was typed when the workbench was closed last, and says so."""
        files = draft.get("files")
        typed = {
            name: each
            for name, each in (files.items() if isinstance(files, dict) else ())
            if isinstance(each, dict) and isinstance(each.get("text"), str)
        }
        dialog.editor.bring_back({name: each["text"] for name, each in typed.items()})
        found = [name for name in dialog.editor.drafts() if name in typed]
        if not found:
            return
        words = self.tr("What you typed and did not save is here again.")
        moved = [name for name in found if dialog.editor.digest_of(name) != typed[name].get("based_on")]
        if moved:
            changed = self.tr("Changed since by another program: {files}. Saving replaces what is there now.")
            words = f"{words} {changed.format(files=', '.join(moved))}"
        dialog.hint.setText(words)

    def _keep_typed(self) -> None:
        """Keeps the rules that are typed and not saved, as a draft."""
        dialog = self.dialog
        if dialog is None or not self._has_read_draft:
            return
        files = {
            name: {"text": text, "based_on": dialog.editor.digest_of(name)}
            for name, text in dialog.editor.drafts().items()
        }
        draft = {"files": files} if files else {}
        if draft != self._kept:
            self._kept = draft
            if draft:
                self._drafts.save(_DRAFT, draft)
            else:
                self._drafts.forget(_DRAFT)

    async def _try(self) -> None:
        core, dialog = self._core, self.dialog
        if core is None or dialog is None:
            return
        text, drafts = dialog.chat.toPlainText(), dialog.editor.drafts()
        messages = pasted_chat.messages_of_chat(text)
        trial = await core.trial(messages, drafts)
        saved = (await core.trial([])).score if drafts else None
        if dialog is self.dialog and text == dialog.chat.toPlainText() and drafts == dialog.editor.drafts():
            dialog.show_trial(messages, trial, self._marks, saved)

    async def _mark(
        self, core: capture_workbench.CaptureWorkbench, mark: judgements.Judgement, *, forget: bool = False
    ) -> None:
        self._marks = await (core.unmark(mark) if forget else core.mark(mark))
        await self._try()

    async def _switch(self, core: capture_workbench.CaptureWorkbench, rule: str, on: bool) -> None:
        try:
            await core.switch(rule, on)
        finally:
            await self._try()

    async def _save(
        self,
        core: capture_workbench.CaptureWorkbench,
        dialog: capture_dialog.CaptureDialog,
        file: user_rules.RuleFile,
        text: str,
    ) -> None:
        try:
            saved = await core.save(file, text)
        except MnemoscopeError as error:
            if dialog is not self.dialog:
                words = self.tr("What you typed is kept: it is there when you open the rules again.")
                self._notices.notify("warning", f"{core_words(str(error))} {words}")
                return
            raise
        if dialog is self.dialog:
            dialog.editor.show_saved(saved)
            self._draft.now()
            await self._try()
        elif self._kept.get("files") == {file.name: {"text": text, "based_on": file.digest}}:
            # The draft that was kept as the workbench closed is saved by now.
            self._kept = {}
            self._drafts.forget(_DRAFT)

    def _on_file(self, path: Path | None) -> None:
        if path is not None:
            self._do(self._read, path)
            return
        chooser = file_dialog(self.dialog, self.tr("Open a chat"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.fileSelected.connect(lambda chosen: self._do(self._read, Path(chosen)))
        chooser.finished.connect(chooser.deleteLater)
        chooser.open()

    async def _read(self, path: Path) -> None:
        text = await self._bench.disk.run(_text_of, path)
        if self.dialog is not None:
            self.dialog.chat.setPlainText("\n\n".join(pasted_chat.messages_of_chat(text)))

    def _on_finished(self) -> None:
        self.flush_draft()
        self.dialog = None
        self._core = None
        self._timer = None
        self._begun = None


def _text_of(path: Path) -> str:
    """Returns the text of a file. Raises StorageError."""
    with storage_errors(path, "read"):
        if path.stat().st_size > _LARGEST_CHAT:
            raise MnemoscopeError(f"“{path.name}” is larger than 20 MB.", next_step="Try a part of it.")
        return path.read_text(encoding="utf-8-sig", errors="replace")
