"""Turns on the window: what a person sends, the answer as it comes, tools, failures."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.commands.slash_commands import read_command
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.history_selection import is_unanswered
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.secrets.detection import secrets_in
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.cards import key_card
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.chat.composer.composer_drafts import ComposerDrafts
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.composer.message_queue import WaitingMessage
from mnemoscope.ui.chat.message_actions import StopAnswer, StopWorkBeside, TryAgain
from mnemoscope.ui.chat.transcript.stream_renderer import ReplyStage
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.context_share import percent_of_context
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
        self._share = words.format(percent=percent, tokens=f"{prompt.tokens:,}")
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
"""What begins and ends work that may keep a server from answering."""
_LEAVE_NO_RECORD = frozenset({"/new", "/stop"})
_KINDS_OF_THE_DISK = frozenset({"DiskFull", "StorageError", "Unfinished"})
_KINDS_OF_THE_MODEL = frozenset({"KeyMissing", "KeyRefused", "ModelUnknown", "ServerUnreachable"})
_FIELDS = {"KeyMissing": "key", "KeyRefused": "key", "ServerUnreachable": "address"}
"""Which of the model's fields may put a failure right, by the kind of the failure."""
_KINDS_OF_ANY_MODEL = frozenset({"AnswerTimedOut", "ContextTooLong", "ImagesRefused", "ModelError", "RateLimited"})
"""Nothing is wrong with what is set, but another model may answer."""


class TurnController(QObject):
    """Takes words from composer and transcript to the core, and the turn's news back to them."""

    ended = Signal()
    """A turn ended."""
    model_requested = Signal(str)
    """The person wants to choose a model: "key" or "address" where that is what failed, else ""."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        drafts: ComposerDrafts,
        current: CurrentConversation,
        commands: Commands,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._drafts = drafts
        self._current = current
        self._commands = commands
        self.usage = UsageLine(chat.composer)
        self.queue = drafts.queue
        self._refused: set[str] = set()
        """Conversations with a turn that the disk ended."""
        self._commanded: set[str] = set()
        """Conversations in which a slash command is at work."""
        self._connect_panes()
        self._connect_core(bridge)

    def load(self, key: str) -> None:
        """Shows how far the answer of a conversation that was opened is; where none is and none came, says so."""
        self.usage.begin()
        progress, transcript = self._bench.loop.progress(key), self._chat.transcript
        self._show_busy(key)
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

    async def load_waiting(self, key: str, session: Session) -> None:
        """Shows what waits in a conversation that was opened, with what an earlier window left."""
        left = await self.queue.load(key, session.messages)
        composer = self._chat.composer
        if key == self._current.key and any(one.content.text == composer.content().text.strip() for one in left):
            # A kill came between the two drafts.
            composer.set_draft("")
        self._show_waiting(self._current.key)

    def send(self, text: str) -> None:
        """Gives words that were not typed, such as a menu's command, to the assistant."""
        if self._may_ask(text):
            self._begin(self._send(self._current.key, ComposerText(text)), "send")

    def stop(self) -> None:
        """Stops the answer that is being written."""
        if self._current.key:
            self.queue.hold(self._current.key)
            self._bench.loop.stop(self._current.key)

    def _stop_work_beside(self) -> None:
        self._tasks.spawn(self._bench.stop_work_beside(self._asked_model()), "stop what an answer waits behind")

    def try_refused(self) -> None:
        """Tries once more what the disk ended in the conversation on show."""
        if self._current.key in self._refused:
            self.try_again()

    def _connect_panes(self) -> None:
        composer, transcript = self._chat.composer, self._chat.transcript
        composer.submitted.connect(self._submit)
        self._chat.key_card.join(self._join_key_card)
        composer.stop_requested.connect(self.stop)
        composer.waiting.taken_back.connect(self._take_back)
        composer.waiting.released.connect(self._release)
        composer.waiting.edit_begun.connect(self.queue.begin_editing)
        composer.waiting.edited.connect(self._on_edited)
        self.queue.changed.connect(self._show_waiting)
        composer.escaped.connect(composer.setFocus)
        transcript.example_chosen.connect(self.send)
        transcript.command_chosen.connect(self.send)
        transcript.message_actions.on(TryAgain, lambda _action: self.try_again())
        transcript.message_actions.on(StopAnswer, lambda _action: self.stop())
        transcript.message_actions.on(StopWorkBeside, lambda _action: self._stop_work_beside())

    def _join_key_card(self, card: key_card.KeyCard) -> None:
        card.keys_in = lambda text: secrets_in(text, self._bench.keys())
        card.is_kept = lambda: self._bench.sessions.discretion_of(self._current.key).permits(Trace.SESSION_FILE)

    def _connect_core(self, bridge: Bridge) -> None:
        bridge.on(events.RecordAppended, self._on_appended)
        bridge.on(events.TurnStarted, self._on_started)
        bridge.on(events.TurnEnded, self._on_ended)
        bridge.on(events.ConversationFree, self._on_free)
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

    # What the person does

    def _submit(self, content: ComposerText) -> None:
        """Sends what was typed, or lets it wait for the answer; what is not taken comes back to the composer."""
        key, composer = self._current.key, self._chat.composer
        if content.text == "/stop" and self._is_busy(key):
            self.stop()
        elif key and self._is_busy(key):
            self.queue.add(key, content)
            self._drafts.keep(key)
        elif key and content.images:
            self._send_shown(key, content)
        elif key:
            self._begin(self._send_typed(key, content), "send")
        else:
            composer.set_draft(content)

    def _send_shown(self, key: str, content: ComposerText, *, replaces: int | None = None) -> None:
        """Sends what is not written at once: whether a model takes images is known when its process has started. The
        message is shown, and kept beside what is typed meanwhile, until it is written or comes back."""
        self.queue.add(key, content, replaces=replaces)
        self._drafts.keep(key)
        self._begin(self._send_next(key, self.queue.of(key)[-1]), "send")

    @property
    def is_answering(self) -> bool:
        """Returns whether an answer is being written in the conversation on show, or is about to be."""
        return self._is_busy(self._current.key)

    def _is_busy(self, key: str) -> bool:
        """Returns whether an answer is being written, or is about to be."""
        return self._bench.loop.is_busy(key) or (key == self._current.key and self._chat.composer.busy)

    def _take_back(self, one: WaitingMessage) -> None:
        key = self._current.key
        if one not in self.queue.of(key) or one.sent_at is not None:
            return
        self._chat.composer.add_content(one.content)
        # Its words are a draft again before they are no longer waiting.
        self._drafts.keep(key)
        self.queue.take_back(key, one)

    def _release(self) -> None:
        """Sends what is held: now, or after the answer that is being written."""
        key = self._current.key
        self.queue.release(key)
        if not self._is_busy(key):
            self._chat.transcript.follow_newest()
            self._send_waiting(key)

    def _on_edited(self, one: WaitingMessage, content: ComposerText | None) -> None:
        """Goes on with what waits, where the answer came meanwhile."""
        key = self._current.key
        self.queue.end_editing(one, content)
        self._chat.composer.setFocus()
        if not self._is_busy(key):
            self._send_waiting(key)

    def _send_waiting(self, key: str) -> None:
        one = self.queue.next(key)
        if one is None:
            return
        if key == self._current.key:
            # Nobody pressed anything: whoever reads further up goes on reading there.
            self._begin(self._send_next(key, one), "send", follow=False)
        else:
            self._tasks.spawn(self._send_next(key, one), "send")

    async def _send_next(self, key: str, one: WaitingMessage) -> None:
        session = await self._bench.conversations.open(key)
        if one.held or one not in self.queue.of(key):
            # Stopped, or taken back, in the meantime.
            self._show_busy(key)
            return
        self.queue.hand_over(key, one, len(session.messages))
        content = one.content
        taken = await self._process(key, content, one.replaces)
        if taken and one.content.text in _LEAVE_NO_RECORD:
            self.queue.recorded(key)
        elif one.sent_at is not None and one in self.queue.of(key):
            # The disk refused it, or another turn came first.
            self.queue.hold(key)
        self._show_busy(key)
        typed = self._chat.composer.content()
        if not (taken or typed.text or typed.images) and key == self._current.key:
            self._take_back(one)

    def _show_waiting(self, key: str) -> None:
        if key == self._current.key:
            self._chat.composer.waiting.show_waiting(self.queue.of(key))

    def _may_ask(self, text: str) -> bool:
        """Returns whether the assistant takes this now; else tells the person why not."""
        if self._current.key and self._bench.loop.is_busy(self._current.key) and text.strip() != "/stop":
            words = self.tr("The assistant is still at work in this conversation. Wait for it, or stop it.")
            self._chat.notify("info", words, [(self.tr("Stop"), self.stop)])
            return False
        return bool(self._current.key)

    def _begin(self, work: Coroutine[Any, Any, None], name: str, *, follow: bool = True) -> None:
        self._refused.discard(self._current.key)
        self._chat.dismiss_notices()
        if follow:
            self._chat.transcript.follow_newest()
        self._chat.composer.set_busy(True)
        self._tasks.spawn(work, name)

    async def _send_typed(self, key: str, content: ComposerText, replaces: int | None = None) -> None:
        """Sends what was typed, which is a draft until it is taken."""
        # Words that leave no record would stay a draft for ever.
        is_draft = replaces is not None or content.text.strip() not in _LEAVE_NO_RECORD
        if is_draft:
            self._drafts.sending(key, content)
        await self._send(key, content, replaces)
        if is_draft:
            self._drafts.not_taken(key, shown=key == self._current.key)

    async def _send(self, key: str, content: ComposerText, replaces: int | None = None) -> None:
        await self._process(key, content, replaces)
        self._show_busy(key)

    async def _process(self, key: str, content: ComposerText, replaces: int | None = None) -> bool:
        """Has a message answered or a command run; the composer says which of both it is that may be stopped.
        `replaces`: the message whose place it takes."""
        loop, parts = self._bench.loop, (content.text, content.quotes, content.images, content.files)
        if replaces is not None:
            return await loop.resend(key, replaces, *parts)
        if read_command(content.text) is not None:
            self._commanded.add(key)
            if key == self._current.key:
                self._chat.composer.set_busy(True, is_command=True)
        try:
            return await loop.process(key, *parts)
        finally:
            self._commanded.discard(key)

    def try_again(self) -> None:
        """Has the newest message answered once more, below an answer that was broken off."""
        if self._may_ask(""):
            self._begin(self._retry(self._current.key), "retry")

    def resend(self, index: int, content: ComposerText) -> None:
        """Sends words in the place of message `index`, on a branch of their own."""
        key, composer = self._current.key, self._chat.composer
        if self._may_ask("") and content.images:
            self._send_shown(key, content, replaces=index)
        elif self._may_ask(""):
            self._begin(self._send_typed(key, content, index), "resend")
        elif not composer.content().text:
            composer.set_draft(content)

    def answer_anew(self, index: int, model: str = "") -> None:
        """Has the question that message `index` answers answered anew, by `model` this once."""
        if self._may_ask(""):
            self._begin(self._answer_anew(self._current.key, index, model), "regenerate")

    async def _answer_anew(self, key: str, index: int, model: str) -> None:
        if model:
            # It was chosen here, by a click.
            await self._bench.trust.agree_to_model(model)
        await self._bench.loop.regenerate(key, index, model)
        self._show_busy(key)

    async def _retry(self, key: str) -> None:
        await self._bench.loop.retry(key)
        self._show_busy(key)

    def _show_busy(self, key: str) -> None:
        if key == self._current.key:
            self._chat.composer.set_busy(self._bench.loop.is_busy(key), is_command=key in self._commanded)

    # What the core announces

    def _on_appended(self, event: events.RecordAppended) -> None:
        if event.message.get("role") == "user":
            self.queue.recorded(event.session_key, text_of(event.message))
            self._drafts.recorded(event.session_key, shown=self._current.is_of(event))
        if self._current.is_live(event):
            self.usage.add_cost(event.message.get("cost"))
            self._chat.transcript.append_message(event.index, event.message)

    def _on_started(self, event: events.TurnStarted) -> None:
        if self._current.is_live(event):
            self._chat.composer.set_busy(True)
            self._chat.transcript.begin_reply()

    def _on_ended(self, event: events.TurnEnded) -> None:
        if self._current.is_live(event):
            self._chat.transcript.end_reply()
            self._show_busy(event.session_key)
            if event.outcome == "stopped":
                self._show_unanswered()
            self.usage.show()
        if event.outcome in {"answered", "command"}:
            self._send_waiting(event.session_key)
        else:
            self.queue.hold(event.session_key)
        self.ended.emit()

    def _on_free(self, event: events.ConversationFree) -> None:
        # One that was opened meanwhile was shown as busy.
        self._show_busy(event.session_key)
        if not self._is_busy(event.session_key):
            self._send_waiting(event.session_key)

    def _on_failed(self, event: events.TurnFailed) -> None:
        if not self._current.is_of(event):
            return
        if event.kind in _KINDS_OF_THE_DISK and self._bench.repairs.disk_refuses:
            # One bar says it for the whole window.
            self._refused.add(event.session_key)
            return
        actions: list[NoticeAction] = [(self.tr("Try again"), self.try_again)] if self._can_be_answered() else []
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
