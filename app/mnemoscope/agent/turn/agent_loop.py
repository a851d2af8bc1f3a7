"""The agent loop: takes what a person sends, one turn at a time for each session, and never raises."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from mnemoscope.agent.commands.command_runner import CommandRunner
from mnemoscope.agent.commands.slash_commands import SlashCommand, read_command
from mnemoscope.agent.consolidation.background_consolidation import BackgroundConsolidation, ConsolidationOutcome
from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal
from mnemoscope.agent.turn.capture_step import CaptureStep
from mnemoscope.agent.turn.conversation_writer import SentMessage
from mnemoscope.agent.turn.exchange_recorder import ExchangeRecorder
from mnemoscope.agent.turn.turn import Turn, TurnProgress, TurnServices
from mnemoscope.domain.conversation.attachment import NO_IMAGES_TAKEN, Attachment
from mnemoscope.domain.conversation.command_action import ACTIONS, as_field
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import Message, is_command
from mnemoscope.domain.conversation.origin import QuotedSpan
from mnemoscope.domain.conversation.text_file import FileSpan
from mnemoscope.domain.errors import FolderNotTrusted, MnemoscopeError, ModelError, StorageError
from mnemoscope.domain.events import (
    BranchChanged,
    ConversationFree,
    Noticed,
    NoticePast,
    SessionsChanged,
    TurnEnded,
    TurnFailed,
    TurnStarted,
)
from mnemoscope.domain.trust import TrustGate
from mnemoscope.memory.structured_output.output_modes import traits_of
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

log = logging.getLogger(__name__)
_REFUSED: Final = "refused"
"""The outcome of work that was not begun, as nobody has agreed to the folder yet."""


class AgentLoop:
    """Processes messages. Everything it does is announced on the bus."""

    def __init__(
        self,
        *,
        sessions: SessionManager,
        services: TurnServices,
        capture: CaptureStep,
        consolidation: BackgroundConsolidation,
        commands: CommandRunner,
        recorder: ExchangeRecorder,
        trust: TrustGate,
        read_only: bool,
    ) -> None:
        """`trust` is asked before a message is taken."""
        self.trust = trust
        self.sessions = sessions
        self.services = services
        self.bus = services.bus
        self.disk = services.disk
        self.writer = services.writer
        self.capture = capture
        self.consolidation = consolidation
        self.commands = commands
        self.recorder = recorder
        self.read_only = read_only
        self._busy: dict[str, asyncio.Task[str] | None] = {}
        self._turns: dict[str, Turn] = {}
        self._stop_signals: dict[str, StopSignal] = {}
        self._consolidating_by_hand: dict[str, StopSignal] = {}
        self._not_consolidated: dict[str, str] = {}
        """By the key of a conversation, the reason that the last request to consolidate it did nothing."""
        self._closing = False

    def is_busy(self, session_key: str) -> bool:
        """Returns whether a turn or a command is at work in this session."""
        return session_key in self._busy

    def progress(self, session_key: str) -> TurnProgress | None:
        """Returns how far the turn of this session is, or None if none is at work."""
        turn = self._turns.get(session_key)
        return None if turn is None else turn.progress

    def stop(self, session_key: str) -> bool:
        """Ends the turn or command of this session; what has arrived is kept, what was not committed is dropped.

        Returns False if none was running.
        """
        stop_signal = self._stop_signals.get(session_key) or self._consolidating_by_hand.get(session_key)
        if stop_signal is not None:
            stop_signal.stop()
        return stop_signal is not None

    async def process(
        self,
        session_key: str,
        text: str,
        quotes: Sequence[QuotedSpan] = (),
        attachments: Sequence[Attachment] = (),
        files: Sequence[FileSpan] = (),
    ) -> bool:
        """Takes a message or a command and sees it through. Never raises but for the caller's own cancellation.

        `quotes` says what of the text was pasted or came from a file, as domain/conversation/origin has it, and
        `attachments` names the images sent with it; `files` says where the text of files stands in it. Returns False if
        nothing was taken: an empty text, a session that is still at work, a read-only workspace, closing, or,
        announced, a folder that nobody agreed to and images for a model that takes none.
        """
        command = read_command(text)
        if command is not None and command.name == "stop" and self.stop(session_key):
            return True
        if not text.strip() or not self._may_begin(session_key):
            return False
        if command is not None:
            return await self._wait_shielded(session_key, self._run_command(session_key, text, command))
        sent = SentMessage(text, quotes, attachments, files)
        return await self._send(session_key, partial(self._take_message, sent=sent))

    async def retry(self, session_key: str) -> bool:
        """Has the newest message answered again, after a failure; what its tools did already is not done twice.

        Returns False if nothing was begun. A message that the disk refused is written first.
        """
        if not self._may_begin(session_key):
            return False
        return await self._send(session_key, self._answer_again)

    async def resend(
        self,
        session_key: str,
        index: int,
        text: str,
        quotes: Sequence[QuotedSpan] = (),
        attachments: Sequence[Attachment] = (),
        files: Sequence[FileSpan] = (),
    ) -> bool:
        """Takes a message in the place of the person's message at `index`: the conversation goes on from there in a
        branch of its own, and what followed stays in the one before.

        Returns False if nothing was taken: as `process` does, or for a command, which takes no message's place.
        """
        if not text.strip() or not self._may_begin(session_key):
            return False
        if read_command(text) is not None:
            sentence = "A command cannot take the place of a message."
            self.bus.publish(Noticed("info", sentence, "Send it as a message of its own."))
            return False
        sent = SentMessage(text, quotes, attachments, files)
        return await self._send(session_key, partial(self._take_edited, index=index, sent=sent))

    async def regenerate(self, session_key: str, index: int, model: str = "") -> bool:
        """Has the question that message `index` answers answered anew, in a branch of its own. `model` answers it this
        once; "" for the one of the conversation, or else of the settings. Returns False if nothing was begun.
        """
        if not self._may_begin(session_key):
            return False
        return await self._send(session_key, partial(self._answer_otherwise, index=index, model=model))

    async def branch(self, session_key: str, stop: int) -> bool:
        """Lets a conversation go on from its first `stop` messages in a branch of its own. False and a notice if that
        failed."""
        return await self._change_branch(session_key, partial(self._fork, stop=stop))

    async def switch_branch(self, session_key: str, began: str) -> bool:
        """Lets a conversation go on in the branch of that name. False and a notice if that failed."""
        return await self._change_branch(session_key, partial(self._switch, began=began))

    @contextmanager
    def kept_idle(self, session_keys: Iterable[str]) -> Iterator[None]:
        """Lets no turn, command or consolidation begin in these conversations meanwhile. Raises StorageError where one
        is at work in any of them."""
        keys = set(session_keys)
        locks = [self.consolidation.lock(key) for key in sorted(keys)]
        if self._closing or any(map(self.is_busy, keys)):
            raise StorageError("The assistant is still at work in this conversation.", next_step="Wait, or stop it.")
        if keys & self.consolidation.occupied or any(lock.locked() for lock in locks):
            raise StorageError(
                "Memory is being updated from this conversation.", next_step="Try again when it is done."
            )
        self._busy |= dict.fromkeys(keys)
        try:
            with self.consolidation.none_begun_in(keys):
                yield
        finally:
            for key in keys:
                self._busy.pop(key, None)
                self.bus.publish(ConversationFree(key))

    async def consolidate_now(self, session_key: str) -> bool:
        """Consolidates what may be consolidated; if that is nothing, a sentence is announced."""
        if self.read_only or self._closing:
            self._notice_read_only()
            return False
        stop_signal = self._consolidating_by_hand.setdefault(session_key, StopSignal())
        if said := self._not_consolidated.pop(session_key, ""):
            self.bus.publish(NoticePast(said))
        try:
            session = await self.disk.run(self.sessions.get_or_create, session_key)
            outcome = await self.consolidation.consolidate_now(session, stop_signal)
        except MnemoscopeError as error:
            self.bus.publish(Noticed("danger", error.sentence, error.next_step))
            return False
        finally:
            self._consolidating_by_hand.pop(session_key, None)
        if not outcome.done and not outcome.announced:
            self._not_consolidated[session_key] = outcome.sentence
            self.bus.publish(Noticed("info", outcome.sentence))
        return outcome.done

    async def stop_consolidation(self, session_key: str) -> None:
        """Ends the consolidation of this session, whoever began it; what was not committed is dropped. A turn beside it
        goes on."""
        if self.consolidation.memory.running_consolidation(session_key) is None:
            return
        by_hand = self._consolidating_by_hand.get(session_key)
        if by_hand is not None:
            by_hand.stop()
        session = await self.disk.run(self.sessions.get_or_create, session_key)
        if not await self.consolidation.stop(session) and by_hand is None:
            # A command asks for it, or a turn that has no room without it.
            self.stop(session_key)

    async def close_conversation(self, session_key: str) -> ConsolidationOutcome | None:
        """Does what /new does, and leaves it to the caller to say how it went; None where something is at work in the
        conversation, or nothing may be written. Raises MnemoscopeError."""
        if not self._may_begin(session_key):
            return None
        self._busy[session_key] = None
        stop_signal = self._stop_signals[session_key] = StopSignal()
        try:
            session = await self.disk.run(self.sessions.get_or_create, session_key)
            return await self.consolidation.close_conversation(session, stop_signal)
        finally:
            self._busy.pop(session_key, None)
            self._stop_signals.pop(session_key, None)
            self.bus.publish(TurnEnded(session_key, "command"))

    async def drain(self, seconds: float = 3.0) -> None:
        """Stops every turn before closing, keeps what has arrived, and drops consolidations that were not committed."""
        self._closing = True
        for key in list(self._busy):
            self.stop(key)
        work = [task for task in self._busy.values() if task is not None]
        await self.consolidation.drain(seconds)
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

    async def _send(self, session_key: str, work: Callable[[Session], Awaitable[str]]) -> bool:
        return await self._wait_shielded(session_key, self._once_trusted(session_key, work))

    async def _once_trusted(self, session_key: str, work: Callable[[Session], Awaitable[str]]) -> str:
        """Does what sends something, where anything may go out; else it is not taken, and stays with whoever has it."""
        try:
            await self.trust.require()
        except FolderNotTrusted as error:
            self.bus.publish(Noticed("warning", error.sentence, error.next_step))
            return _REFUSED
        return await work(await self.disk.run_briefly(self.sessions.get_or_create, session_key))

    def _notice_read_only(self) -> None:
        if self.read_only:
            self.bus.publish(Noticed("info", "The workspace is open for reading only."))

    async def _wait_shielded(self, session_key: str, work: Coroutine[Any, Any, str]) -> bool:
        """Waits for the work, which goes on to a place where nothing is half done if the caller is cancelled.

        Returns False if it was refused, so that nothing of it is kept.
        """
        self._stop_signals[session_key] = StopSignal()
        task = asyncio.create_task(self._run_and_announce(session_key, work), name=f"turn {session_key}")
        self._busy[session_key] = task
        try:
            return await asyncio.shield(task) != _REFUSED
        except asyncio.CancelledError:
            self.stop(session_key)
            await asyncio.wait({task}, timeout=3)
            raise

    async def _run_and_announce(self, session_key: str, work: Coroutine[Any, Any, str]) -> str:
        """Does the work of a session, announces how it ended, whatever it raised, and returns that."""
        outcome = "failed"
        try:
            outcome = await work
        except MnemoscopeError as error:
            # What a server answered stands in them.
            words = (error.sentence, error.context) if self._may_log(session_key) else (type(error).__name__, "")
            log.warning("turn failed: %s %s", *words)
            kind, said = type(error).__name__, error.detail
            self.bus.publish(TurnFailed(session_key, error.sentence, error.next_step, kind, said))
        except Exception as error:
            log.error("turn failed: %s", type(error).__name__, exc_info=error if self._may_log(session_key) else None)
            self.bus.publish(
                TurnFailed(session_key, "Something went wrong in the program.", "See the log.", type(error).__name__)
            )
        finally:
            self._turns.pop(session_key, None)
            self._busy.pop(session_key, None)
            self._stop_signals.pop(session_key, None)
            self.bus.publish(TurnEnded(session_key, outcome))
        return outcome

    def _may_log(self, session_key: str) -> bool:
        return self.sessions.discretion_of(session_key).permits(Trace.PROMPT_LOG)

    async def keep_image(self, session_key: str, data: bytes, width: int, height: int, name: str = "") -> Attachment:
        """Keeps an image on the disk before it goes with a message of this conversation.

        Raises KeptOut where the conversation is kept in no file, MnemoscopeError for what is no PNG or JPEG or is too
        large, and StorageError.
        """
        self.sessions.discretion_of(session_key).require(Trace.SESSION_FILE)
        return await self.disk.run(self.services.attachments.keep, data, width, height, name)

    async def _takes_images(self, session: Session, attachments: Sequence[Attachment]) -> bool:
        """Returns whether the model of this conversation may take these images; where it takes none, that is
        announced. The process that knows may have to start first: whoever stops that takes the message back."""
        if not attachments:
            return True
        model = session.model or self.services.settings().model
        try:
            traits = await self._stop_signal_of(session).run(traits_of(self.services.provider, model))
        except Stopped:
            return False
        if traits.images is not False:
            return True
        self.bus.publish(
            Noticed("warning", NO_IMAGES_TAKEN, "Take the image away, or choose a model that takes images.", "model")
        )
        return False

    async def _take_message(self, session: Session, sent: SentMessage) -> str:
        if not await self._takes_images(session, sent.attachments):
            return _REFUSED
        index = await self.writer.append_person(session, sent)
        return await self._answer(session, index)

    async def _take_edited(self, session: Session, index: int, sent: SentMessage) -> str:
        if not await self._takes_images(session, sent.attachments):
            return _REFUSED
        await self.writer.drop_refused(session)
        if not _is_of_person(session.messages, index):
            raise MnemoscopeError("That message cannot be edited.", next_step="Choose one of your own.")
        await self._fork(session, index)
        return await self._answer(session, await self.writer.append_person(session, sent))

    async def _answer_otherwise(self, session: Session, index: int, model: str) -> str:
        await self.writer.append(session)
        asked = newest_question(session.messages, index + 1)
        if asked is None:
            raise MnemoscopeError("There is no message to answer.", next_step="Write one first.")
        if asked + 1 < len(session.messages):
            await self._fork(session, asked + 1)
        return await self._answer(session, asked, model)

    async def _change_branch(self, session_key: str, change: Callable[[Session], Awaitable[None]]) -> bool:
        if not self._may_begin(session_key):
            return False
        self._busy[session_key] = None
        try:
            session = await self.disk.run(self.sessions.get_or_create, session_key)
            await self.writer.drop_refused(session)
            await change(session)
        except MnemoscopeError as error:
            self.bus.publish(Noticed("danger", error.sentence, error.next_step))
            return False
        finally:
            self._busy.pop(session_key, None)
            self.bus.publish(ConversationFree(session_key))
        self.bus.publish(SessionsChanged())
        return True

    async def _fork(self, session: Session, stop: int) -> None:
        left = session.branch.began
        await self.disk.run(self._after_pending, session, partial(self.sessions.fork, session, stop))
        self.bus.publish(BranchChanged(session.key, left, stop, is_new=True))

    async def _switch(self, session: Session, began: str) -> None:
        left = session.branch
        await self.disk.run(self._after_pending, session, partial(self.sessions.switch_branch, session, began))
        shared = session.branch.shared_with(left) or 0
        self.bus.publish(BranchChanged(session.key, left.began, shared))

    def _after_pending(self, session: Session, change: Callable[[], None]) -> None:
        """Changes the branch once what was begun in the one before is written."""
        self.consolidation.memory.finish_pending(session)
        change()

    async def _answer_again(self, session: Session) -> str:
        written = await self.writer.append(session)
        if any(_is_whole_answer(session.messages[each]) for each in written):
            # It was answered already: only the disk had refused the answer.
            return "answered"
        index = newest_question(session.messages)
        if index is None:
            raise MnemoscopeError("There is no message to answer.", next_step="Write one first.")
        return await self._answer(session, index)

    async def _answer(self, session: Session, index: int, model: str = "") -> str:
        """Sees the turn of the message at `index` through, and notes what was said, or what a failure taught."""
        stop_signal = self._stop_signal_of(session)
        try:
            self.bus.publish(TurnStarted(session.key))
            await self.capture.run(session, index)
            await self.consolidation.make_room(session, stop_signal)
            model = model or session.model
            turn = self._turns[session.key] = Turn(session, index, self.services, stop_signal, model=model)
            if self._closing:
                turn.stop()
            outcome = await turn.run()
            if outcome == "answered" and turn.prompt is not None:
                await self.recorder.answered(session, index, turn.prompt)
            return outcome
        except Stopped:
            return "stopped"
        except ModelError as error:
            await self.recorder.failed(session, index, error)
            raise
        finally:
            # A turn never waits for it, and after a failure it is tried again with a later message only.
            if not self._closing:
                self.consolidation.start_if_due(session)

    async def _run_command(self, session_key: str, text: str, command: SlashCommand) -> str:
        session = await self.disk.run(self.sessions.get_or_create, session_key)
        await self.writer.drop_refused(session)
        asked = {"role": "user", "content": text.strip(), "_command": True}
        if command.name == "new":
            await self._close_conversation(session, asked)
            return "command"
        await self.writer.append(session, asked)
        answer = await self.commands.run(command, session, self._stop_signal_of(session))
        offered = {ACTIONS: as_field(answer.actions)} if answer.actions else {}
        await self.writer.append(session, _answer_to_command(answer.text) | offered)
        return "command"

    def _stop_signal_of(self, session: Session) -> StopSignal:
        return self._stop_signals.setdefault(session.key, StopSignal())

    async def _close_conversation(self, session: Session, asked: Message) -> None:
        """Runs /new, which leaves no trace in the conversation it begins; if it fails, the answer says why."""
        try:
            outcome = await self.consolidation.close_conversation(session, self._stop_signal_of(session))
        except MnemoscopeError as error:
            outcome = ConsolidationOutcome(False, str(error))
        if not outcome.done:
            await self.writer.append(session, asked, _answer_to_command(outcome.sentence))
        elif not outcome.announced:
            self.bus.publish(Noticed("info", outcome.sentence))


def _answer_to_command(text: str) -> Message:
    return {"role": "assistant", "content": text, "_command": True}


def _is_whole_answer(message: Message) -> bool:
    unfinished = message.get("tool_calls") or message.get("interrupted") or is_command(message)
    return message.get("role") == "assistant" and not unfinished


def newest_question(messages: Sequence[Message], stop: int | None = None) -> int | None:
    """Returns the index of the person's newest message before `stop` that is no command; looks back over one turn at
    most."""
    last = (len(messages) if stop is None else min(stop, len(messages))) - 1
    return next((index for index in range(last, max(-1, last - 499), -1) if _is_of_person(messages, index)), None)


def _is_of_person(messages: Sequence[Message], index: int) -> bool:
    message = messages[index] if 0 <= index < len(messages) else {}
    return message.get("role") == "user" and not is_command(message)
