"""The prompt pane: what would be sent now, and what was sent, for the conversation on show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.ui.prompt import prompt_pane
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.external_actions import open_path
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.lazy_widget import LazyWidget

_DELAY_MS = 250


class PromptController(QObject):
    """Builds the preview anew a moment after something changed."""

    measured = Signal(object)
    """The prompt that was sent last, or the one that would be sent now, whether a pane shows it or not.

    Not before the pane was opened, or something typed or sent: the tools, which are counted too, are not there earlier.
    """

    def __init__(
        self,
        window: QWidget,
        pane: LazyWidget[prompt_pane.PromptPane],
        draft: Callable[[], str],
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        current: CurrentConversation,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._late = pane
        self._draft = draft
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._refresh)
        self._wanted = False
        self._sent: PromptSnapshot | None = None
        self._past: PromptSnapshot | None = None
        """The prompt that would have been sent at the moment that is on show."""
        self._turns_of = ""
        """The conversation whose past turns are looked at, "" for none."""
        pane.join(self._on_built)
        bridge.on(events.PromptBuilt, self._on_sent)
        # Where words were forgotten, or are back, the prompts that are kept have others.
        for kind in (events.TurnEnded, events.MessagesReplaced):
            bridge.on(kind, self._on_turns_changed)

    def refresh_soon(self) -> None:
        """Shows anew what the model would be sent, once for many changes."""
        self._sent = None
        self._timer.start(_DELAY_MS)

    def show_past(self, prompt: PromptSnapshot | None) -> None:
        """Shows what would have been sent at a moment, whatever happens now; None shows the present again."""
        self._past = prompt
        self._leave_turns()
        if prompt is None:
            self.refresh_soon()
        elif (pane := self._late.built) is not None:
            pane.show_prompt(prompt)

    def on_draft(self, text: str) -> None:
        """Follows what is typed into the message that would be sent."""
        # Not at each key for a pane that nobody opened: the message itself is counted when it is sent.
        if self._late.built is not None or (text and not self._wanted):
            self._wanted = True
            self.refresh_soon()

    def _refresh_now(self) -> None:
        self._leave_turns()
        self.refresh_soon()

    def _look_back(self) -> None:
        self._tasks.spawn(self._show_turns(self._current.key), "past prompts")

    async def _show_turns(self, key: str) -> None:
        turns = await self._bench.prompts.of_past_turns(key)
        if key == self._current.key and self._past is None:
            self._turns_of = key
            self._late.widget.show_turns(turns)

    def _leave_turns(self) -> None:
        self._turns_of = ""
        if (pane := self._late.built) is not None:
            pane.close_past()

    def _back(self) -> None:
        if self._turns_of:
            self._refresh_now()

    def _on_turns_changed(self, event: events.SessionEvent) -> None:
        if self._turns_of == event.session_key == self._current.key:
            self._look_back()

    def open_whole(self, name: str) -> None:
        """Opens all of a tool result that was cut, by the name its message gives."""
        self._tasks.spawn(self._open_whole(name), "a whole result")

    async def _open_whole(self, name: str) -> None:
        path = await self._bench.whole_results.file_of(name)
        open_path(path, self._window)

    def _refresh(self) -> None:
        if self._turns_of != self._current.key:
            # Another conversation has turns of its own.
            self._leave_turns()
        if self._current.session is not None and self._wanted:
            self._tasks.spawn(self._show(self._current.key), "prompt")

    def _on_built(self, pane: prompt_pane.PromptPane) -> None:
        """Shows what was sent last, or what would be sent now."""
        pane.refresh_requested.connect(self._refresh_now)
        pane.past_requested.connect(self._look_back)
        pane.present_requested.connect(self._back)
        pane.detail.join(lambda detail: detail.open_requested.connect(self.open_whole))
        self._wanted = True
        if (prompt := self._past or self._sent) is not None:
            pane.show_prompt(prompt)
        else:
            self._timer.start(0)

    async def _show(self, key: str) -> None:
        prompt = await self._bench.prompts.of_draft(key, self._draft())
        if key == self._current.key:
            self._show_present(prompt)

    def _on_sent(self, event: events.PromptBuilt) -> None:
        if self._current.is_of(event):
            self._sent, self._wanted = event.prompt, True
            self._show_present(event.prompt)

    def _show_present(self, prompt: PromptSnapshot) -> None:
        self.measured.emit(prompt)
        if self._past is None and not self._turns_of and (pane := self._late.built) is not None:
            pane.show_prompt(prompt)
