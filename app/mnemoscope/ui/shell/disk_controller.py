"""A disk that refuses: one bar for the whole window that says what is saved and what is not, with the ways out."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.repairs import export_text
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import StorageError
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.memory.memory_controller import MemoryController
from mnemoscope.ui.shell.application_actions import ApplicationActions
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.external_actions import pick_folder, save_as_file
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.timeline.timeline_controller import TimelineController

_BAR = "disk"


class DiskController(QObject):
    """Shows the bar while the disk refuses; *Try again* tries the disk, and does what was refused once it takes."""

    def __init__(
        self,
        window: MainWindow,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        conversation: ConversationController,
        timeline: TimelineController,
        memory: MemoryController,
        application: ApplicationActions,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bench = bench
        self._tasks = tasks
        self._conversation = conversation
        self._timeline = timeline
        self._memory = memory
        self._application = application
        self._trouble: events.DiskRefuses | None = None
        bridge.on(events.DiskRefuses, self._on_refused)
        bridge.on(events.DiskTakes, lambda _event: self._on_taken())

    def _on_refused(self, event: events.DiskRefuses) -> None:
        self._trouble = event
        self._window.timeline.set_paused(True)
        self._show_notice()

    def _on_taken(self) -> None:
        if self._trouble is not None:
            self._trouble = None
            self._window.timeline.set_paused(False)
            self._window.chat.clear_standing_notice(_BAR)
            self._window.status.release(_BAR)
            self._window.status.show_remark(self.tr("The disk takes what is written again."))
            self._conversation.try_refused()
            self._timeline.try_refused()
            self._memory.try_refused()

    def _show_notice(self, tried: str = "") -> None:
        if self._trouble is None:
            return
        actions = [
            (self.tr("Try again"), lambda: self._tasks.spawn(self._retry(), "try the disk")),
            (self.tr("Choose another place…"), lambda: self._tasks.spawn(self._move(), "copy the workspace")),
            (self.tr("Export…"), self._export),
        ]
        words = f"{self._words(self._trouble)} {tried}".strip()
        self._window.chat.show_standing_notice(_BAR, "danger", words, actions)
        self._window.status.hold(_BAR, self._lead(self._trouble.reason), "danger")

    def _lead(self, reason: str) -> str:
        leads = {"full": self.tr("The disk is full."), "read-only": self.tr("The disk is read-only.")}
        return leads.get(reason, self.tr("The disk reports errors."))

    def _words(self, trouble: events.DiskRefuses) -> str:
        if "chat" in trouble.refused:
            chat = self.tr("Memory is paused and the chat is not saved: words that were not are in the message field.")
        elif trouble.chat_saved:
            chat = self.tr("Memory is paused, the chat is still saved.")
        else:
            chat = self.tr("Memory is paused. A message that cannot be saved comes back to the message field.")
        steps = {
            "full": self.tr("Free some space, then try again."),
            "read-only": self.tr("Make it writable, then try again."),
        }
        step = steps.get(trouble.reason, self.tr("Take a copy to another disk."))
        safe = self.tr("What was saved before is safe.")
        return f"{self._lead(trouble.reason)} {chat} {safe} {step}"

    async def _retry(self) -> None:
        if not await self._bench.repairs.try_disk():
            self._show_notice(self.tr("(Still refused at {time}.)").format(time=f"{datetime.now():%H:%M:%S}"))

    async def _move(self) -> None:
        folder = await pick_folder(self._window, self.tr("Where to keep a copy of the workspace"))
        if folder is not None:
            copy = await self._bench.repairs.copy_to(folder)
            typed = self._conversation.drafts.unsaved(self._conversation.key)
            await self._bench.repairs.keep_drafts_in(copy, {**typed, **self._memory.unsaved()})
            await self._application.open_again(copy)

    def _export(self) -> None:
        """Saves what is on show, saved or not, as one text."""
        session, window = self._conversation.session, self._window
        messages = list(session.messages) if session is not None else []
        text = export_text(messages, window.memory.main.editor.text(), unsent=window.chat.composer.content().text)
        save_as_file(window, text, name="mnemoscope.md", failed=self._on_not_exported)

    def _on_not_exported(self, error: StorageError) -> None:
        self._window.chat.notify("danger", str(error))
