"""The agent loop: takes what a person sends, one turn at a time for each session, and never raises."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from mnemoscope.agent.commands.command_runner import ChangeSettings, CommandRunner
from mnemoscope.agent.commands.slash_commands import Command, read_command
from mnemoscope.agent.consolidation.background_consolidation import Consolidating, ConsolidatingMemory, Outcome
from mnemoscope.agent.consolidation.prompt_usage import PromptUsageMeter
from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.tasks.stop_sign import Stopped, StopSign
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.agent.turn.capture_step import CaptureStep
from mnemoscope.agent.turn.conversation_writer import Records
from mnemoscope.agent.turn.first_turn import load_turn
from mnemoscope.agent.turn.partial_replies import PartialReplies
from mnemoscope.agent.turn.progress import TurnProgress
from mnemoscope.agent.turn.turn_services import Keeping
from mnemoscope.domain.conversation.command_action import ACTIONS, as_field
from mnemoscope.domain.conversation.message import Message, is_command, text_of
from mnemoscope.domain.conversation.origin import Quote
from mnemoscope.domain.errors import MnemoscopeError, ModelError
from mnemoscope.domain.events import EventBus, Noticed, TurnEnded, TurnFailed, TurnStarted
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.agent.turn.turn import Turn, TurnServices
    from mnemoscope.memory.capture.captures import Captures

log = logging.getLogger(__name__)


class AgentLoop:
    """Processes messages. Everything it does is announced on the bus."""

    def __init__(
        self,
        *,
        paths: WorkspacePaths,
        provider: LLMProvider,
        sessions: SessionManager,
        memory: ConsolidatingMemory,
        context: ContextBuilder,
        tools: Toolbox,
        settings: Callable[[], Settings],
        bus: EventBus,
        disk: Disk,
        clock: Callable[[], datetime] = datetime.now,
        change_settings: ChangeSettings | None = None,
        read_only: bool = False,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
        capturing: Callable[[], Captures] | None = None,
    ) -> None:
        """`capturing`: what keeps what is said before it is answered; None where nothing is kept."""
        editing = memory.editing
        self.sessions, self.bus, self.disk, self.read_only = sessions, bus, disk, read_only
        self.records = Records(sessions, disk, bus, clock, keys)
        self._capture = CaptureStep(capturing, settings, bus)
        self.partials = PartialReplies(paths.own.drafts_dir, disk, calls=calls)
        self.consolidating = Consolidating(
            memory=memory,
            sessions=sessions,
            provider=provider,
            settings=settings,
            bus=bus,
            disk=disk,
            clock=clock,
            root=paths.root,
            pressure=PromptUsageMeter(context, tools, provider, settings, disk),
        )
        self.commands = CommandRunner(paths, editing, self.consolidating, settings, change_settings, disk)
        self.keeping = Keeping(paths, provider, settings, bus, disk, clock, calls=calls, keys=keys, capturing=capturing)
        tools.keep_whole, tools.masked = self.keeping.keep_whole, self.records.masked
        self._turn_parts = provider, context, tools, editing, self.records, self.partials, settings, bus, disk, clock
        self._busy: dict[str, asyncio.Task[None] | None] = {}
        self._turns: dict[str, Turn] = {}
        self._signs: dict[str, StopSign] = {}
        self._consolidating_by_hand: dict[str, StopSign] = {}
        self._closing = False

    @cached_property
    def _turn_tools(self) -> TurnServices:
        from mnemoscope.agent.turn.turn import TurnServices

        return TurnServices(*self._turn_parts, self.keeping.guarding, self.keeping.past)

    @property
    def _consolidating(self) -> set[str]:
        return self.consolidating.running

    @property
    def _consolidation_locks(self) -> WeakValueDictionary[str, asyncio.Lock]:
        return self.consolidating.locks

    @property
    def _consolidation_tasks(self) -> set[asyncio.Task[bool]]:
        return self.consolidating.tasks

    def is_busy(self, session_key: str) -> bool:
        """Whether a turn or a command is at work in this session."""
        return session_key in self._busy

    def progress(self, session_key: str) -> TurnProgress | None:
        """How far the turn of this session is; None where none is at work."""
        turn = self._turns.get(session_key)
        return None if turn is None else turn.progress

    @property
    def is_consolidating(self) -> bool:
        """Whether any session is being consolidated in the background."""
        return bool(self.consolidating.tasks)

    def stop(self, session_key: str) -> bool:
        """End the turn or command of this session; what has arrived is kept, what was not committed is dropped.

        False where none was running.
        """
        sign = self._signs.get(session_key) or self._consolidating_by_hand.get(session_key)
        if sign is not None:
            sign.stop()
        return sign is not None

    async def process(self, session_key: str, text: str, quotes: Sequence[Quote] = ()) -> bool:
        """Take a message or a command and see it through. Never raises but for the caller's own cancellation.

        `quotes`: what of the text was pasted or came from a file, as domain/origin has it. False where nothing was
        taken: an empty text, a session that is still at work, a read-only workspace, closing.
        """
        command = read_command(text)
        if command is not None and command.name == "stop" and self.stop(session_key):
            return True
        if not text.strip() or not self._may_begin(session_key):
            return False
        return await self._see_through(session_key, self._dispatch(session_key, text, command, quotes))

    async def retry(self, session_key: str) -> bool:
        """Have the newest message answered again, after a failure; what its tools did already is not done twice.

        False where nothing was begun. A message that the disk refused is written first.
        """
        if not self._may_begin(session_key):
            return False
        return await self._see_through(session_key, self._answer_again(session_key))

    async def _see_through(self, session_key: str, work_to_do: Coroutine[Any, Any, str]) -> bool:
        self._signs[session_key] = StopSign()
        work = asyncio.create_task(self._handle(session_key, work_to_do), name=f"turn {session_key}")
        self._busy[session_key] = work
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            self.stop(session_key)
            await asyncio.wait({work}, timeout=3)
            raise
        return True

    async def consolidate_now(self, session_key: str) -> bool:
        """Consolidate what may be consolidated; a sentence is announced where that is nothing."""
        if self.read_only or self._closing:
            self._notice_read_only()
            return False
        sign = self._consolidating_by_hand.setdefault(session_key, StopSign())
        try:
            session = await self.disk.run(self.sessions.get_or_create, session_key)
            outcome = await self.consolidating.now(session, sign)
        except MnemoscopeError as error:
            self.bus.publish(Noticed("danger", error.sentence, error.next_step))
            return False
        finally:
            self._consolidating_by_hand.pop(session_key, None)
        if not outcome.done and not outcome.announced:
            self.bus.publish(Noticed("info", outcome.sentence))
        return outcome.done

    async def start_new(self, session_key: str) -> bool:
        """What /new does, from a button: archive, keep the transcript, clear. False and a notice where it failed."""
        if not self._may_begin(session_key):
            return False
        self._busy[session_key] = None
        sign = self._signs[session_key] = StopSign()
        try:
            session = await self.disk.run(self.sessions.get_or_create, session_key)
            outcome = await self.consolidating.close_conversation(session, sign)
        except MnemoscopeError as error:
            self.bus.publish(Noticed("danger", error.sentence, error.next_step))
            return False
        finally:
            self._busy.pop(session_key, None)
            self._signs.pop(session_key, None)
        if not outcome.announced:
            self.bus.publish(Noticed("info" if outcome.done else "warning", outcome.sentence))
        return outcome.done

    async def drain(self, seconds: float = 3.0) -> None:
        """Before closing: stop every turn, keep what has arrived, let go of consolidations that were not committed."""
        self._closing = True
        for key in list(self._busy):
            self.stop(key)
        work = [task for task in self._busy.values() if task is not None]
        await self.consolidating.drain(seconds)
        if work:
            _, late = await asyncio.wait(work, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _may_begin(self, session_key: str) -> bool:
        if self.read_only:
            self._notice_read_only()
            return False
        return not self._closing and not self.is_busy(session_key)

    def _notice_read_only(self) -> None:
        if self.read_only:
            self.bus.publish(Noticed("info", "The workspace is open for reading only."))

    async def _handle(self, session_key: str, work: Coroutine[Any, Any, str]) -> None:
        outcome = "failed"
        try:
            outcome = await work
        except MnemoscopeError as error:
            log.warning("turn failed: %s %s", error.sentence, error.context)
            self.bus.publish(TurnFailed(session_key, error.sentence, error.next_step, type(error).__name__))
        except Exception as error:
            log.exception("turn failed")
            self.bus.publish(
                TurnFailed(session_key, "Something went wrong in the program.", "See the log.", type(error).__name__)
            )
        finally:
            self._turns.pop(session_key, None)
            self._busy.pop(session_key, None)
            self._signs.pop(session_key, None)
            self.bus.publish(TurnEnded(session_key, outcome))

    async def _dispatch(self, session_key: str, text: str, command: Command | None, quotes: Sequence[Quote]) -> str:
        session = await self.disk.run(self.sessions.get_or_create, session_key)
        if command is not None:
            await self.records.drop_refused(session)
            return await self._run_command(session, text, command)
        return await self._run_turn(session, text, await self.records.append_person(session, text, quotes))

    async def _answer_again(self, session_key: str) -> str:
        session = await self.disk.run(self.sessions.get_or_create, session_key)
        written = await self.records.append(session)
        if any(_is_whole_answer(session.messages[each]) for each in written):
            # It was answered already: only the disk had refused the answer.
            return "answered"
        index = newest_question(session.messages)
        if index is None:
            raise MnemoscopeError("There is no message to answer.", next_step="Write one first.")
        return await self._run_turn(session, text_of(session.messages[index]), index)

    async def _run_turn(self, session: Session, text: str, index: int) -> str:
        await self.disk.run(load_turn)
        from mnemoscope.agent.turn.turn import Turn  # not before something is asked

        try:
            self.bus.publish(TurnStarted(session.key))
            await self._capture.run(session, index)
            await self.consolidating.make_room(session, self._sign(session))
            turn = self._turns[session.key] = Turn(session, index, text, self._turn_tools, self._sign(session))
            if self._closing:
                turn.stop()
            return await self._answered(turn)
        except Stopped:
            return "stopped"
        finally:
            # A turn never waits for it, and after a failure it is tried again with a later message only.
            if not self._closing:
                self.consolidating.start_if_due(session)

    async def _answered(self, turn: Turn) -> str:
        """See a turn through, and note what was said, or what a failure taught."""
        try:
            outcome = await turn.run()
        except ModelError as error:
            await self.keeping.noting.failed(turn.session, turn.index, error)
            raise
        if outcome == "answered" and turn.prompt is not None:
            await self.keeping.noting.answered(turn.session, turn.index, turn.prompt)
        return outcome

    async def _run_command(self, session: Session, text: str, command: Command) -> str:
        asked = {"role": "user", "content": text.strip(), "_command": True}
        if command.name == "new":
            await self._close_conversation(session, asked)
            return "command"
        await self.records.append(session, asked)
        answer = await self.commands.run(command, session, self._sign(session))
        offered = {ACTIONS: as_field(answer.actions)} if answer.actions else {}
        await self.records.append(session, _answer_to_command(answer.text) | offered)
        return "command"

    def _sign(self, session: Session) -> StopSign:
        return self._signs.setdefault(session.key, StopSign())

    async def _close_conversation(self, session: Session, asked: Message) -> None:
        """/new leaves no trace in the conversation it begins; where it fails, the answer says why."""
        try:
            outcome = await self.consolidating.close_conversation(session, self._sign(session))
        except MnemoscopeError as error:
            outcome = Outcome(False, str(error))
        if not outcome.done:
            await self.records.append(session, asked, _answer_to_command(outcome.sentence))
        elif not outcome.announced:
            self.bus.publish(Noticed("info", outcome.sentence))


def _answer_to_command(text: str) -> Message:
    return {"role": "assistant", "content": text, "_command": True}


def _is_whole_answer(message: Message) -> bool:
    unfinished = message.get("tool_calls") or message.get("interrupted") or is_command(message)
    return message.get("role") == "assistant" and not unfinished


def newest_question(messages: Sequence[Message]) -> int | None:
    """The index of the newest message of the person that is no command; looks back over one turn at most."""
    for index in range(len(messages) - 1, max(-1, len(messages) - 500), -1):
        if messages[index].get("role") == "user" and not is_command(messages[index]):
            return index
    return None
