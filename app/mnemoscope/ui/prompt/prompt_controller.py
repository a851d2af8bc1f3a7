"""The prompt pane: what would be sent now, and what was sent, for the conversation on show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.events import PromptSnapshot
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.tasks import Tasks

if TYPE_CHECKING:
    from mnemoscope.ui.prompt.prompt_pane import PromptPane

_DELAY_MS = 250


class PromptController(QObject):
    """Builds the preview anew a moment after something changed."""

    measured = Signal(object)
    """The prompt that was sent last, or the one that would be sent now, whether a pane shows it or not.

    Not before the pane was opened, or something typed or sent: the tools, which are counted too, are not there earlier.
    """

    def __init__(
        self, window: MainWindow, bench: Workbench, bridge: Bridge, tasks: Tasks, on_show: CurrentConversation
    ) -> None:
        super().__init__(window)
        self._window, self._bench, self._tasks, self._on_show = window, bench, tasks, on_show
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._refresh)
        self._wanted = False
        self._sent: PromptSnapshot | None = None
        self._past: PromptSnapshot | None = None
        """What would have been sent at the moment that is on show."""
        self._turns_of = ""
        """The conversation whose past turns are looked at, "" for none."""
        window.prompt_built.connect(self._on_pane)
        window.chat.composer.draft_changed.connect(self._on_draft)
        bridge.on(events.PromptBuilt, self._on_built)
        bridge.on(events.TurnEnded, self._on_ended)

    def refresh_soon(self) -> None:
        """Show anew what the model would be sent, once for many changes."""
        self._sent = None
        self._timer.start(_DELAY_MS)

    def show_past(self, prompt: PromptSnapshot | None) -> None:
        """Show what would have been sent at a moment, whatever happens now; None: the present again."""
        self._past = prompt
        self._leave_turns()
        if prompt is None:
            self.refresh_soon()
        elif self._window.prompt_place.built is not None:
            self._window.prompt.show_prompt(prompt)

    def _on_draft(self, text: str) -> None:
        # Not at each key for a pane that nobody opened: the message itself is counted when it is sent.
        if self._window.prompt_place.built is not None or (text and not self._wanted):
            self._wanted = True
            self.refresh_soon()

    def _refresh_now(self) -> None:
        self._leave_turns()
        self.refresh_soon()

    def _look_back(self) -> None:
        self._tasks.spawn(self._show_turns(self._on_show.key), "past prompts")

    async def _show_turns(self, key: str) -> None:
        turns = await self._bench.past_prompts(key)
        if key == self._on_show.key and self._past is None:
            self._turns_of = key
            self._window.prompt.show_turns(turns)

    def _leave_turns(self) -> None:
        self._turns_of = ""
        if self._window.prompt_place.built is not None:
            self._window.prompt.close_past()

    def _back(self) -> None:
        if self._turns_of:
            self._refresh_now()

    def _on_ended(self, event: events.TurnEnded) -> None:
        if self._turns_of == event.session_key == self._on_show.key:
            self._look_back()

    def open_whole(self, name: str) -> None:
        """Open all of a tool result that was cut, by the name its message gives."""
        self._tasks.spawn(self._open_whole(name), "a whole result")

    async def _open_whole(self, name: str) -> None:
        path = await self._bench.whole_result(name)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def _refresh(self) -> None:
        if self._turns_of != self._on_show.key:
            # Another conversation has turns of its own.
            self._leave_turns()
        if self._on_show.session is not None and self._wanted:
            self._tasks.spawn(self._show(self._on_show.key), "prompt")

    def _on_pane(self, pane: PromptPane) -> None:
        """Show what was sent last, or what would be sent now."""
        self._wanted = True
        pane.refresh_requested.connect(self._refresh_now)
        pane.past_wanted.connect(self._look_back)
        pane.present_wanted.connect(self._back)
        pane.detail.open_requested.connect(self.open_whole)
        if (prompt := self._past or self._sent) is not None:
            pane.show_prompt(prompt)
        else:
            self._timer.start(0)

    async def _show(self, key: str) -> None:
        prompt = await self._bench.preview_prompt(key, self._window.chat.composer.draft())
        if key == self._on_show.key:
            self._show_present(prompt)

    def _on_built(self, event: events.PromptBuilt) -> None:
        if self._on_show.is_of(event):
            self._sent, self._wanted = event.prompt, True
            self._show_present(event.prompt)

    def _show_present(self, prompt: PromptSnapshot) -> None:
        self.measured.emit(prompt)
        if self._past is None and not self._turns_of and self._window.prompt_place.built is not None:
            self._window.prompt.show_prompt(prompt)
