"""One conversation on the window: the core's news go to chat and timeline, what a person does goes to the core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtGui import QAction

from mnemoscope.agent.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.budget import estimate_message
from mnemoscope.domain.history import is_unanswered, select_history
from mnemoscope.domain.message import text_of
from mnemoscope.domain.trace import ConsolidationRecord
from mnemoscope.store.session import Session
from mnemoscope.ui.bridge import Bridge
from mnemoscope.ui.composer_drafts import ComposerDrafts
from mnemoscope.ui.drafts import Drafts
from mnemoscope.ui.loss_words import loss_words
from mnemoscope.ui.main_window import MainWindow
from mnemoscope.ui.notice_bar import NoticeAction
from mnemoscope.ui.outward import open_link, save_as_file
from mnemoscope.ui.tasks import Tasks

_DRAFT_DELAY_MS = 600
_PROMPT_DELAY_MS = 250


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the desk sends a person whose problem lies elsewhere."""

    open_settings: Callable[[], object]
    show_entry: Callable[[ConsolidationRecord], object]
    sessions_changed: Callable[[], object]
    action_for: Callable[[str], QAction | None]


def cost_words(dollars: float) -> str:
    """Money spent in this conversation since it was opened: cents below a dollar, dollars above."""
    return f"${dollars:,.2f}" if dollars >= 1 else f"{100 * dollars:.2g} ¢"


def delay_words(reason: str, seconds: float) -> str:
    """Why the answer is not coming yet, and when the model is asked again."""
    why = {
        "rate": QCoreApplication.translate("ConversationDesk", "The server asks to wait"),
        "timeout": QCoreApplication.translate("ConversationDesk", "The server did not answer in time"),
    }.get(reason, QCoreApplication.translate("ConversationDesk", "The server had an error"))
    when = QCoreApplication.translate("ConversationDesk", "trying again in {0} s…").format(max(1, round(seconds)))
    return f"{why} · {when}"


class ConversationDesk(QObject):
    """Keeps chat, composer, timeline and prompt pane true to one session."""

    def __init__(
        self, window: MainWindow, bench: Workbench, bridge: Bridge, tasks: Tasks, drafts: Drafts, ways: Ways
    ) -> None:
        super().__init__(window)
        self._window, self._bench, self._tasks, self._ways = window, bench, tasks, ways
        self.drafts = ComposerDrafts(drafts, window.chat.composer)
        self.on_opened: Callable[[], object] = lambda: None
        self._opening: asyncio.Task[None] | None = None
        self._session: Session | None = None
        self._key = ""
        self._kept: dict[str, str] = {}
        self._cost = 0.0
        self._delayed = False
        self._draft_timer = self._timer(_DRAFT_DELAY_MS, self._save_draft)
        self._prompt_timer = self._timer(_PROMPT_DELAY_MS, self._refresh_prompt)
        self._connect_panes()
        self._connect_core(bridge)

    @property
    def key(self) -> str:
        """The key of the conversation on show, or ""."""
        return self._key

    @property
    def session(self) -> Session | None:
        """The conversation on show once it is wholly open."""
        return self._session

    def open(self, key: str) -> asyncio.Task[None]:
        """Show a conversation: its newest messages at once, then all of it."""
        self._save_draft()
        if self._opening is not None:
            self._opening.cancel()
        if self._key and key != self._key:
            # The bars are about the one before; at the start they are about the workspace.
            self._window.chat.hush()
        self._key, self._session, self._cost = key, None, 0.0
        self._window.chat.approval.show_conversation(key)
        self._opening = self._tasks.spawn(self._open(key), f"open {key}")
        return self._opening

    def send(self, text: str) -> None:
        """Give the person's words to the assistant."""
        if self._may_ask(text):
            self._begin(self._send(self._key, text), "send")

    def _submit(self, text: str) -> None:
        """Send what was typed; what is not taken comes back to the composer."""
        if self._may_ask(text):
            self._begin(self._send_typed(self._key, text), "send")
        else:
            self._window.chat.composer.set_draft(text)

    def _may_ask(self, text: str) -> bool:
        """Whether the assistant takes this now; else the person is told why not."""
        if self._key and self._bench.loop.is_busy(self._key) and text.strip() != "/stop":
            words = self.tr("The assistant is still at work in this conversation. Wait for it, or stop it.")
            self._window.chat.say("info", words, [(self.tr("Stop"), self.stop)])
            return False
        return bool(self._key)

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._window.chat.hush()
        self._window.chat.transcript.follow_newest()
        self._window.chat.composer.set_busy(True)
        self._tasks.spawn(work, name)

    async def _send_typed(self, key: str, text: str) -> None:
        # These two leave no record that would tell that they were taken.
        if text.strip() in {"/new", "/stop"}:
            await self._send(key, text)
            return
        self.drafts.sending(key, text)
        await self._send(key, text)
        self.drafts.not_taken(key, shown=key == self._key)

    async def _send(self, key: str, text: str) -> None:
        await self._bench.send(key, text)
        if key == self._key:
            self._window.chat.composer.set_busy(self._bench.loop.is_busy(key))

    def stop(self) -> None:
        """Stop the answer that is being written."""
        if self._key:
            self._bench.stop(self._key)

    def consolidate(self) -> None:
        """Consolidate now."""
        if self._key:
            self._tasks.spawn(self._bench.consolidate_now(self._key), "consolidate")

    def show_message(self, index: int) -> None:
        """Bring one message into view in chat and timeline."""
        self._window.chat.transcript.scroll_to_message(index)
        self._window.timeline.select_message(index)

    def refresh_prompt(self) -> None:
        """Show anew what the model would be sent."""
        self._prompt_timer.start()

    def flush_draft(self) -> None:
        """Keep what is typed, at once."""
        self._save_draft()

    async def _open(self, key: str) -> None:
        tail = await self._bench.open_tail(key)
        chat, timeline = self._window.chat, self._window.timeline
        if not tail.complete:
            first = tail.total - len(tail.messages) if tail.total is not None else 0
            chat.transcript.show_messages(key, tail.messages, first)
            timeline.show_tail(tail.messages, tail.total)
        self._session = session = await self._bench.open_session(key)
        chat.transcript.empty.note(self._kept.get(key, ""))
        chat.transcript.show_messages(key, session.messages)
        self._take_up_turn(key)
        await self.drafts.show(key, session)
        chat.composer.set_busy(self._bench.loop.is_busy(key))
        self.on_opened()
        await self._bench.check_damage(key)
        await self._show_timeline(session)
        self._show_complaints(key)
        self._show_usage()
        self._window.memory.set_memory_window(self._bench.settings.memory_window)
        self.refresh_prompt()

    def _take_up_turn(self, key: str) -> None:
        """Show how far the answer being written is; where none is and none came, say so."""
        progress, transcript = self._bench.progress(key), self._window.chat.transcript
        self._window.chat.composer.set_busy(self._bench.loop.is_busy(key))
        if progress is None:
            self._show_unanswered()
            return
        for tool in progress.running_tools:
            transcript.tool_started(tool.call_id, tool.name, tool.arguments)
        if not progress.running_tools:
            transcript.begin_reply()
        if progress.text_so_far:
            transcript.add_delta(progress.text_so_far)

    def _show_unanswered(self) -> None:
        session, may_answer = self._session, not (self._bench.read_only or self._bench.loop.is_busy(self._key))
        if may_answer and session is not None and is_unanswered(session.messages):
            self._window.chat.transcript.show_unanswered()

    async def _show_timeline(self, session: Session) -> None:
        facts = await self._bench.timeline_facts(session.key)
        self._window.timeline.show_timeline(
            session.messages, facts.pointer, facts.records, facts.selection, facts.window
        )
        self._window.chat.transcript.mark_consolidated_upto(facts.pointer)

    def _show_complaints(self, key: str) -> None:
        for sentence in self._bench.sessions.complaints(key):
            self._window.chat.say("warning", sentence)

    def _timer(self, milliseconds: int, slot: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    def _connect_panes(self) -> None:
        chat, timeline = self._window.chat, self._window.timeline
        chat.composer.submitted.connect(self._submit)
        chat.composer.stop_requested.connect(self.stop)
        chat.composer.draft_changed.connect(lambda *_args: (self._draft_timer.start(), self._prompt_timer.start()))
        chat.transcript.example_chosen.connect(self.send)
        chat.transcript.regenerate_requested.connect(self._regenerate)
        chat.transcript.message_activated.connect(timeline.select_message)
        chat.transcript.stop_requested.connect(self.stop)
        chat.transcript.link_requested.connect(open_link)
        chat.transcript.save_requested.connect(self._save_message)
        chat.composer.escaped.connect(chat.composer.setFocus)
        timeline.write_requested.connect(chat.composer.setFocus)
        timeline.message_activated.connect(chat.transcript.scroll_to_message)
        timeline.entry_activated.connect(self._ways.show_entry)
        timeline.retry_requested.connect(self.consolidate)
        timeline.consolidate_requested.connect(self.consolidate)
        self._window.prompt.refresh_requested.connect(self.refresh_prompt)

    def _connect_core(self, bridge: Bridge) -> None:
        bridge.on(events.RecordAppended, self._on_appended)
        bridge.on(events.TurnStarted, self._on_turn_started)
        bridge.on(events.TurnEnded, self._on_turn_ended)
        bridge.on(events.TurnFailed, self._on_turn_failed)
        bridge.on(events.ReplyDelayed, self._on_delayed)
        bridge.on(events.ReplyDelta, self._on_delta)
        bridge.on(events.ReplyEnded, self._on_reply_ended)
        bridge.on(events.ToolStarted, self._on_tool_started)
        bridge.on(events.ToolRan, self._on_tool_ran)
        bridge.on(events.PromptBuilt, self._on_prompt_built)
        bridge.on(events.ConsolidationStarted, self._on_consolidation_started)
        bridge.on(events.Consolidated, self._on_consolidated)
        bridge.on(events.PointerMoved, self._on_consolidated)
        bridge.on(events.ConsolidationFailed, self._on_consolidation_failed)
        bridge.on(events.ConsolidationStopped, self._on_consolidation_stopped)
        bridge.on(events.SessionCleared, self._on_cleared)
        bridge.on(events.MessagesLost, self._on_messages_lost)
        bridge.on(events.RecordsDamaged, self._on_damaged)
        bridge.on(events.Noticed, self._on_noticed)

    def _mine(self, event: events.SessionEvent) -> bool:
        return event.session_key == self._key

    def _live(self, event: events.SessionEvent) -> bool:
        """Whether the event's conversation is the one whose messages are on show, and not still being opened."""
        return self._mine(event) and self._session is not None

    def _on_appended(self, event: events.RecordAppended) -> None:
        if event.message.get("role") == "user":
            self.drafts.recorded(event.session_key, shown=self._mine(event))
        if not self._mine(event) or self._session is None:
            return
        cost = event.message.get("cost")
        self._cost += cost if isinstance(cost, (int, float)) else 0.0
        self._window.chat.transcript.append_message(event.index, event.message)
        self._window.timeline.append_row(event.index)
        self._window.timeline.set_selection(select_history(self._session.messages, self._session.last_consolidated))

    def _on_turn_started(self, event: events.TurnStarted) -> None:
        if self._live(event):
            self._window.chat.composer.set_busy(True)
            self._window.chat.transcript.begin_reply()
            self._window.timeline.follow_end()

    def _on_delayed(self, event: events.ReplyDelayed) -> None:
        if self._live(event):
            self._delayed = True
            self._window.chat.composer.set_status(delay_words(event.reason, event.seconds))

    def _on_delta(self, event: events.ReplyDelta) -> None:
        if self._live(event):
            if self._delayed:
                self._show_usage()
            self._window.chat.transcript.add_delta(event.text)

    def _on_reply_ended(self, event: events.ReplyEnded) -> None:
        if self._live(event):
            self._window.chat.transcript.end_reply()
            if self._delayed:
                self._show_usage()

    def _on_prompt_built(self, event: events.PromptBuilt) -> None:
        if self._mine(event):
            self._window.prompt.show_prompt(event.prompt)

    def _on_tool_started(self, event: events.ToolStarted) -> None:
        if self._live(event):
            self._window.chat.transcript.tool_started(event.call_id, event.name, event.arguments)

    def _on_tool_ran(self, event: events.ToolRan) -> None:
        if self._live(event):
            self._window.chat.transcript.tool_ran(
                event.call_id, event.name, event.succeeded, event.summary, event.milliseconds
            )

    def _on_turn_ended(self, event: events.TurnEnded) -> None:
        self._ways.sessions_changed()
        if self._live(event):
            self._window.chat.transcript.end_reply()
            self._window.chat.composer.set_busy(self._bench.loop.is_busy(self._key))
            if event.outcome == "stopped":
                self._show_unanswered()
            self._show_usage()
            self.refresh_prompt()

    def _on_turn_failed(self, event: events.TurnFailed) -> None:
        if not self._mine(event):
            return
        actions: list[NoticeAction] = [(self.tr("Try again"), self._regenerate)]
        if event.kind in {"KeyMissing", "KeyRefused", "ModelUnknown", "ServerUnreachable"}:
            actions.insert(0, (self.tr("Choose model…"), self._ways.open_settings))
        if event.kind == "ContextTooLong":
            actions.insert(0, (self.tr("Consolidate now"), self.consolidate))
        self._window.chat.transcript.show_failure(event.sentence, event.next_step, actions)

    def _on_consolidation_started(self, event: events.ConsolidationStarted) -> None:
        if self._mine(event):
            self._window.timeline.consolidation_started(event.start, event.stop)

    def _on_consolidated(self, event: events.Consolidated | events.PointerMoved) -> None:
        self._ways.sessions_changed()
        if self._mine(event) and self._session is not None:
            self._tasks.spawn(self._move_pointer(self._key), "pointer")

    async def _move_pointer(self, key: str) -> None:
        facts = await self._bench.timeline_facts(key)
        if key != self._key:
            return
        self._window.timeline.consolidation_finished()
        self._window.timeline.set_pointer(facts.pointer, facts.records, facts.selection)
        self._window.chat.transcript.mark_consolidated_upto(facts.pointer)
        self.refresh_prompt()

    def _on_consolidation_failed(self, event: events.ConsolidationFailed) -> None:
        if self._mine(event):
            self._window.timeline.consolidation_failed(event.reason, event.tries)

    def _on_consolidation_stopped(self, event: events.ConsolidationStopped) -> None:
        if self._mine(event):
            self._window.timeline.consolidation_finished()

    def _on_cleared(self, event: events.SessionCleared) -> None:
        kept = self.tr("The conversation before is kept in {file}.").format(file=event.archived_as)
        self._kept[event.session_key] = kept if event.archived_as else ""
        if self._mine(event):
            self.open(self._key)
            self._window.status.say(self._kept[self._key])

    def _on_messages_lost(self, event: events.MessagesLost) -> None:
        if self._mine(event):
            self._window.chat.transcript.show_messages("", ())
            self.open(self._key)
            level, words = loss_words(event)
            self._say_with(level, words, "workspace.show")

    def _on_damaged(self, event: events.RecordsDamaged) -> None:
        if self._mine(event):
            words = self.tr("%n damaged record(s) kept aside in {folder}. Everything else was read.", "", event.count)
            self._window.chat.say("warning", words.format(folder=event.kept_in))

    def _on_noticed(self, event: events.Noticed) -> None:
        self._say_with(event.level, f"{event.sentence} {event.next_step}".strip(), event.action)

    def _say_with(self, level: str, words: str, command: str) -> None:
        action = self._ways.action_for(command)
        actions: list[NoticeAction] = [(action.text().replace("&", ""), action.trigger)] if action else []
        self._window.chat.say(level, words, actions)

    def _regenerate(self) -> None:
        if self._may_ask(""):
            self._begin(self._retry(self._key), "retry")

    async def _retry(self, key: str) -> None:
        await self._bench.retry(key)
        if key == self._key:
            self._window.chat.composer.set_busy(self._bench.loop.is_busy(key))

    def _show_usage(self) -> None:
        self._delayed = False
        if self._session is None:
            return
        recent: Sequence[dict[str, object]] = self._session.get_history()
        tokens = sum(map(estimate_message, recent))
        window = self._bench.provider.context_window(self._bench.settings.model)
        share = self.tr("{percent} % of the context").format(percent=f"{100 * tokens / max(1, window):.0f}")
        self._window.chat.composer.set_status(f"{share} · {cost_words(self._cost)}" if self._cost else share)

    def _save_message(self, index: int) -> None:
        if self._session is not None:
            save_as_file(self._window, text_of(self._session.messages[index]))

    def _save_draft(self) -> None:
        self._draft_timer.stop()
        if self._key and self._session is not None:
            self.drafts.keep(self._key)

    def _refresh_prompt(self) -> None:
        if self._key and self._session is not None:
            self._tasks.spawn(self._show_prompt(self._key), "prompt")

    async def _show_prompt(self, key: str) -> None:
        prompt = await self._bench.preview_prompt(key, self._window.chat.composer.draft())
        if key == self._key:
            self._window.prompt.show_prompt(prompt)
