"""Shows the answer as it comes: its pieces, its tools, what it waits for, what it used, and why there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.history_selection import is_unanswered
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.chat.message_actions import StopWorkBeside
from mnemoscope.ui.chat.transcript.stream_renderer import ReplyStage
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.context_share import percent_of_context, tokens_taken
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.money import cost_words
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Commands
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction


class UsageLine(QObject):
    """Adds up what one conversation used; a delay is told in its place until it ends."""

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self._cost = 0.0
        self._share = self._brief = ""
        self._delayed = False

    def begin(self) -> None:
        """Begins anew for another conversation, of which nothing was used yet."""
        self._cost = 0.0
        self._share = self._brief = ""
        self.show()

    def show(self) -> None:
        """Says what was used; a delay is over."""
        self._delayed = False
        cost = cost_words(self._cost) if self._cost else ""
        whole, brief = (" · ".join(filter(None, (share, cost))) for share in (self._share, self._brief))
        self._composer.set_status(whole, meaning_of(Word.CONTEXT), brief=brief)

    def note_prompt(self, prompt: PromptSnapshot) -> None:
        """Shows from now on the share of the model's context that a prompt takes, as the prompt pane does."""
        percent = percent_of_context(prompt)
        words = self.tr("{percent} % of the context") if percent else self.tr("{tokens} tokens")
        self._share = words.format(percent=percent, tokens=f"{tokens_taken(prompt):,}")
        self._brief = self.tr("{percent} %").format(percent=percent) if percent else self._share
        if not self._delayed:
            self.show()

    def add_cost(self, dollars: object) -> None:
        """Adds a record's cost, if it names one; it is shown when the turn has ended."""
        self._cost += dollars if isinstance(dollars, (int, float)) else 0.0

    def show_delay(self, reason: str, seconds: float) -> None:
        """Says why the answer is not coming yet, and when the model is asked again."""
        self._delayed = True
        why = {
            "rate": self.tr("The server asks to wait"),
            "timeout": self.tr("The server did not answer in time"),
        }.get(reason, self.tr("The server had an error"))
        when = self.tr("trying again in {0} s…").format(max(1, round(seconds)))
        self._composer.set_status(f"{why} · {when}")

    def end_delay(self) -> None:
        """Takes the delay away, as something arrived."""
        if self._delayed:
            self.show()


_WORK_BESIDE = (
    events.ConsolidationStarted,
    events.Consolidated,
    events.ConsolidationFailed,
    events.ConsolidationStopped,
    events.DreamStateChanged,
)
"""The events at which work begins or ends that may keep a server from answering."""
_KINDS_OF_THE_DISK = frozenset({"DiskFull", "StorageError", "Unfinished"})
_KINDS_OF_THE_MODEL = frozenset({"KeyMissing", "KeyRefused", "ModelUnknown", "ServerUnreachable"})
_FIELDS = {"KeyMissing": "key", "KeyRefused": "key", "ServerUnreachable": "address"}
"""The field of the model's settings that may put a failure right, by the kind of the failure."""
_KINDS_OF_ANY_MODEL = frozenset({"AnswerTimedOut", "ContextTooLong", "ImagesRefused", "ModelError", "RateLimited"})
"""Nothing is wrong with what is set, but another model may answer."""


def refused_by_disk(event: events.TurnFailed, bench: Workbench) -> bool:
    """Returns whether a turn failed because the disk takes nothing, which one bar says for the whole window."""
    return event.kind in _KINDS_OF_THE_DISK and bench.repairs.disk_refuses


class AnswerController(QObject):
    """Shows the answer of the conversation on show while it is written, and says why it is late or did not come."""

    ended = Signal()
    """A turn ended."""
    retry_requested = Signal()
    """The person wants the newest message answered once more."""
    model_requested = Signal(str)
    """The person wants to choose a model: "key" or "address" where that is what failed, else ""."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        current: CurrentConversation,
        commands: Commands,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._commands = commands
        self.usage = UsageLine(chat.composer)
        chat.transcript.message_actions.on(StopWorkBeside, lambda _action: self._stop_work_beside())
        bridge.on(events.RecordAppended, self._on_appended)
        bridge.on(events.TurnStarted, self._on_started)
        bridge.on(events.TurnEnded, self._on_ended)
        bridge.on(events.TurnFailed, self._on_failed)
        bridge.on(events.MessagesReplaced, self._on_replaced)
        bridge.on(events.ReplyDelayed, self._on_delayed)
        bridge.on(events.PromptBuilt, self._on_asked)
        for kind in _WORK_BESIDE:
            bridge.on(kind, self._on_work_beside)
        bridge.on(events.ThinkingStarted, self._on_thinking)
        bridge.on(events.ReplyDelta, self._on_delta)
        bridge.on(events.ReplyEnded, self._on_reply_ended)
        bridge.on(events.ToolStarted, self._on_tool_started)
        bridge.on(events.ToolRan, self._on_tool_ran)

    def load(self, key: str) -> None:
        """Shows how far the answer of a conversation that was opened is; where none is and none came, says so."""
        self.usage.begin()
        progress, transcript = self._bench.loop.progress(key), self._chat.transcript
        if progress is None:
            self._show_unanswered()
            return
        for tool in progress.running_tools:
            transcript.calls.started(tool.call_id, tool.name, tool.arguments)
        self._chat.mark_waiting()
        if not progress.running_tools:
            transcript.begin_reply()
        if progress.waited is not None:
            transcript.show_stage(ReplyStage.THINKING if progress.thinks else self._waiting_stage(), progress.waited)
        if progress.text_so_far:
            transcript.add_delta(progress.text_so_far)

    def _stop_work_beside(self) -> None:
        self._tasks.spawn(self._bench.stop_work_beside(self._asked_model()), "stop what an answer waits behind")

    def _on_appended(self, event: events.RecordAppended) -> None:
        if self._current.is_live(event):
            self.usage.add_cost(event.message.get("cost"))
            self._chat.transcript.append_message(event.index, event.message)

    def _on_started(self, event: events.TurnStarted) -> None:
        if self._current.is_live(event):
            self._chat.transcript.begin_reply()

    def _on_ended(self, event: events.TurnEnded) -> None:
        if self._current.is_live(event):
            self._chat.transcript.end_reply()
            if event.outcome == "stopped":
                self._show_unanswered()
            self.usage.show()
        self.ended.emit()

    def _on_failed(self, event: events.TurnFailed) -> None:
        if not self._current.is_of(event) or refused_by_disk(event, self._bench):
            return
        actions: list[NoticeAction] = []
        if self._can_be_answered():
            actions.append((self.tr("Try again"), self.retry_requested.emit))
        if event.kind in _KINDS_OF_THE_MODEL:
            actions.insert(
                0, (self.tr("Choose model…"), partial(self.model_requested.emit, _FIELDS.get(event.kind, "")))
            )
        elif event.kind in _KINDS_OF_ANY_MODEL:
            actions.append((self.tr("Choose model…"), partial(self.model_requested.emit, "")))
        if event.kind == "ContextTooLong":
            actions.insert(0, (self.tr("Consolidate now"), self._runner_of("memory.consolidate")))
            actions.insert(1, (self.tr("New conversation"), self._runner_of("conversation.new")))
        self._chat.transcript.end.show_failure(event.sentence, event.next_step, actions, said=event.detail)

    def _can_be_answered(self) -> bool:
        """Returns whether the conversation's end still needs its answer, or needs to be written. Where what failed was
        to be done to an earlier message, another answer below is not what is wanted."""
        session = self._current.session
        if session is None or session.messages.pending or is_unanswered(session.messages):
            return True
        return bool(len(session.messages) and session.messages[-1].get("interrupted"))

    def _on_replaced(self, event: events.MessagesReplaced) -> None:
        """Takes away what is said of the newest message's answer, where that message was deleted or is back."""
        session = self._current.session
        is_newest = session is not None and max(event.indices, default=-1) >= len(session.messages) - 1
        if is_newest and self._current.is_of(event) and not self._bench.loop.is_busy(event.session_key):
            self._chat.transcript.end.clear()
            self._show_unanswered()

    def _runner_of(self, command_id: str) -> Callable[[], None]:
        """Returns a handler that runs a command of the window."""

        def run() -> None:
            action = self._commands.get(command_id)
            if action is not None:
                action.trigger()

        return run

    def _on_delayed(self, event: events.ReplyDelayed) -> None:
        if self._current.is_live(event):
            self.usage.show_delay(event.reason, event.seconds)

    def _on_asked(self, event: events.PromptBuilt) -> None:
        if self._current.is_live(event):
            self._chat.transcript.show_stage(self._waiting_stage())

    def _on_work_beside(self, _event: events.Event) -> None:
        """Says what the answer on show waits behind, where that changed."""
        transcript = self._chat.transcript
        if transcript.stream.active and transcript.stream.stage.waits:
            transcript.show_stage(self._waiting_stage(), None)

    def _waiting_stage(self) -> ReplyStage:
        beside = self._bench.work_beside(self._asked_model())
        stages = {"consolidation": ReplyStage.BEHIND_CONSOLIDATION, "Dream": ReplyStage.BEHIND_DREAM}
        return stages.get(beside, ReplyStage.WAITING)

    def _asked_model(self) -> str:
        progress = self._bench.loop.progress(self._current.key)
        return progress.model if progress is not None else ""

    def _on_thinking(self, event: events.ThinkingStarted) -> None:
        if self._current.is_live(event):
            self.usage.end_delay()
            self._chat.transcript.show_stage(ReplyStage.THINKING, None)

    def _on_delta(self, event: events.ReplyDelta) -> None:
        if self._current.is_live(event):
            self.usage.end_delay()
            self._chat.transcript.add_delta(event.text)

    def _on_reply_ended(self, event: events.ReplyEnded) -> None:
        if self._current.is_live(event):
            self._chat.transcript.end_reply()
            self.usage.end_delay()

    def _on_tool_started(self, event: events.ToolStarted) -> None:
        if self._current.is_live(event):
            self._chat.transcript.calls.started(event.call_id, event.name, event.arguments)

    def _on_tool_ran(self, event: events.ToolRan) -> None:
        if self._current.is_live(event):
            self._chat.transcript.calls.ran(
                event.call_id, event.name, event.succeeded, event.summary, event.milliseconds
            )

    def _show_unanswered(self) -> None:
        session = self._current.session
        may_answer = not (self._bench.read_only or self._bench.loop.is_busy(self._current.key))
        if may_answer and session is not None and is_unanswered(session.messages):
            self._chat.transcript.end.show_unanswered()
