"""One turn: the model is asked and its tools run, again and again, until it has answered, is stopped, or fails."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from mnemoscope.agent.prompt.context_builder import (
    ContextBuilder,
    PromptFrame,
    SystemPrompt,
    came_back,
    extended,
)
from mnemoscope.agent.prompt.prompt_guard import PromptGuard
from mnemoscope.agent.prompt.sent_messages import GuardPlan, MessagesBefore, shorter_results
from mnemoscope.agent.prompt.sent_prompts import SentPrompts, new_name
from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal
from mnemoscope.agent.tools.tool import LongTermMemory, ToolContext
from mnemoscope.agent.tools.toolbox import Toolbox, ToolOutcome, read_arguments
from mnemoscope.agent.turn.conversation_writer import (
    ConversationWriter,
    assistant_message,
    interrupted_message,
    tool_message,
    with_ids,
)
from mnemoscope.agent.turn.partial_replies import PartialReplies, PartialReply, PartialReplyWriter
from mnemoscope.agent.turn.quoted_memory import with_quotes
from mnemoscope.domain.answer_receipt.memory_use import memory_field, memory_in
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot, SentOptions
from mnemoscope.domain.conversation.answer_figures import timing_field
from mnemoscope.domain.conversation.attachment import Attachment, attachments_of, filled_message, has_images
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.conversation.message import NOT_RUN, Message, text_of, tool_names
from mnemoscope.domain.errors import (
    AnswerCutOff,
    AnswerTimedOut,
    ContextTooLong,
    ImagesRefused,
    ModelError,
    UnreadableFile,
    reason_of,
)
from mnemoscope.domain.events import (
    EventBus,
    Noticed,
    PromptBuilt,
    ReplyDelayed,
    ReplyDelta,
    ReplyEnded,
    ThinkingStarted,
    ToolRan,
    ToolStarted,
)
from mnemoscope.domain.llm import (
    ChatRequest,
    LLMProvider,
    LLMResponse,
    ReasoningDelta,
    Retrying,
    StreamPart,
    TextDelta,
    ToolCallRequest,
    ToolChoice,
)
from mnemoscope.domain.memory.file_registry import is_untracked
from mnemoscope.domain.review.sources import LOOKED_BACK, Sources, sources_of
from mnemoscope.domain.settings import Settings
from mnemoscope.memory.structured_output.output_modes import traits_of
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.memory.tracked_files import is_tracked
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.sessions.session import Session

log = logging.getLogger(__name__)

STOPPED_BEFORE: Final = f"{NOT_RUN}stopped before it began."
HOLDS_A_KEY: Final = f"{NOT_RUN}it names a key of the keychain, which goes into no file and no other program."
CUT_SHORT: Final = "Stopped while this tool was running."


@dataclass(frozen=True, slots=True)
class TurnServices:
    """Holds the parts that every turn works with."""

    provider: LLMProvider
    context: ContextBuilder
    toolbox: Toolbox
    memory: LongTermMemory
    writer: ConversationWriter
    partials: PartialReplies
    settings: Callable[[], Settings]
    bus: EventBus
    disk: Disk
    clock: Callable[[], datetime]
    guard: PromptGuard
    sent: SentPrompts
    attachments: AttachmentStore
    refused_images: set[str] = field(default_factory=set)
    """The models that refused a request for its images, since the program began."""


@dataclass(frozen=True, slots=True)
class RunningTool:
    """Describes a tool call that is at work."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """Shows how far a turn is: the part of the answer that is no message yet, and the tools that run."""

    text_so_far: str = ""
    running_tools: tuple[RunningTool, ...] = ()
    thinks: bool = False
    """Whether pieces of its reasoning came."""
    waited: float | None = field(default=None, compare=False)
    """Seconds since the model was asked; None while it is not."""
    model: str = field(default="", compare=False)
    """The model that answers."""


@dataclass(slots=True)
class Reply:
    """Describes an answer as far as it has arrived. `prompt_id` names the prompt that it answers."""

    prompt_id: str = field(default_factory=new_name)
    pieces: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    response: LLMResponse | None = None
    began: float = field(default_factory=time.perf_counter)
    is_asked: bool = False
    first_seconds: float | None = None
    """Seconds until its first word."""

    @property
    def timing(self) -> dict[str, float]:
        """Returns how long it has taken so far, as the record of an answer says it."""
        return timing_field(self.first_seconds, time.perf_counter() - self.began)

    @property
    def text(self) -> str:
        """Returns the text so far."""
        return "".join(self.pieces)


class Turn:
    """Answers the message at `index`, which is durable already."""

    def __init__(
        self,
        session: Session,
        index: int,
        services: TurnServices,
        stop_signal: StopSignal | None = None,
        *,
        model: str = "",
    ) -> None:
        """`model` answers; "" for the one of the settings."""
        self.session = session
        self.index = index
        self.text = text_of(session.messages[index])
        self.settings = services.settings().with_model(model)
        self._services = services
        self._frame = PromptFrame.of(
            self.settings, services.provider, services.toolbox.schemas, discretion=session.discretion
        )
        sources = partial(_sources_in, session)
        self._context = ToolContext(session.key, sources=sources, discretion=session.discretion)
        self._count_sent = len(session.messages)
        """The number of messages in the conversation when the prompt was last built or extended."""
        self._stop_signal = stop_signal or StopSignal()
        self._reply = Reply()
        self._running: tuple[RunningTool, ...] = ()
        self.prompt: PromptSnapshot | None = None
        """The prompt that was sent last."""

    def stop(self) -> None:
        """Ends the turn at the next moment at which nothing is half done; safe to call at any time."""
        self._stop_signal.stop()

    @property
    def progress(self) -> TurnProgress:
        """Returns how far the turn is at this moment."""
        reply = self._reply
        waited = time.perf_counter() - reply.began if reply.is_asked else None
        return TurnProgress(reply.text, self._running, bool(reply.reasoning), waited, self.settings.model)

    async def run(self) -> str:
        """Returns `answered` or `stopped`. Raises ModelError or StorageError; what had arrived is then kept."""
        try:
            prompt = await self._build_prompt()
            for _ in range(self.settings.max_tool_rounds):
                prompt, calls = await self._round(prompt, None)
                if not calls:
                    return "answered"
                prompt = await self._extended_prompt(prompt)
            return await self._last_round(prompt)
        except Stopped:
            return "stopped"

    async def _extended_prompt(self, prompt: PromptSnapshot) -> PromptSnapshot:
        """Returns the prompt with what the turn added since, compacted where that fills the context."""
        begin = self._count_sent
        grown = extended(prompt, self._added(), begin)
        return await self._build_prompt() if self._services.guard.is_over(self.session, grown) else grown

    async def _build_prompt(self, *, force: bool = False) -> PromptSnapshot:
        """Builds what is to be sent now, with what this turn has done already; `force` compacts it, whatever room
        there is.
        """
        system = await self._services.disk.run_briefly(self._read_files)
        done = self._done_before()
        self._count_sent = len(self.session.messages)
        build = partial(
            self._services.context.snapshot,
            MessagesBefore(self.session.messages, self.index),
            self.session.last_consolidated,
            self.text,
            now=self._services.clock(),
            session_key=self.session.key,
            frame=self._frame,
            system=system,
            attachments=attachments_of(self.session.messages[self.index]),
        )
        begin = self.index + 1

        def built(plan: GuardPlan) -> PromptSnapshot:
            shown = shorter_results(done, plan.spare) if plan.spare else done
            return extended(build(plan=plan), shown, begin)

        return await self._services.guard.prompt(
            self.session, self.index, self.text, built, self._stop_signal, force=force
        )

    def _read_files(self) -> SystemPrompt:
        """Reads the workspace's files on the disk's thread, and notes what MEMORY.md says."""
        system = self._services.context.system_sections(session_key=self.session.key, frame=self._frame)
        # Memory that cannot be read keeps nobody from talking; a write of it is refused by the store.
        with suppress(UnreadableFile):
            self._context.memory_digest = self._services.memory.read_text().digest
        return system

    def _done_before(self) -> list[Message]:
        """Returns what an earlier try of this turn has done: calls with all their results, without partial answers."""
        messages = self.session.messages[self.index :]
        kept = (messages[place] for place in select_history(messages, 0).kept[1:])
        return [message for message in kept if message.get("role") == "tool" or tool_names(message)]

    def _added(self) -> list[Message]:
        """Returns what this turn has added to the conversation since it last asked."""
        new = list(self.session.messages[self._count_sent :])
        self._count_sent = len(self.session.messages)
        return new

    async def _round(
        self, prompt: PromptSnapshot, choice: ToolChoice | None
    ) -> tuple[PromptSnapshot, Sequence[ToolCallRequest]]:
        """Asks once and runs the tools that are asked for; returns what was sent and the calls that were run.

        A prompt that is too long for the model is compacted and sent once more.
        """
        try:
            return prompt, await self._ask_and_run_tools(prompt, choice)
        except ContextTooLong:
            shorter = await self._build_prompt(force=True)
            if shorter.tokens >= prompt.tokens:
                raise
        return shorter, await self._ask_and_run_tools(shorter, choice)

    async def _ask_and_run_tools(self, prompt: PromptSnapshot, choice: ToolChoice | None) -> Sequence[ToolCallRequest]:
        prompt = self._services.guard.measured(self.session, prompt)
        if any(message.get("role") == "tool" for message in prompt.request):
            prompt = await self._services.disk.run(self._with_checked_results, prompt)
        self.prompt = prompt
        self._services.bus.publish(PromptBuilt(self.session.key, prompt))
        index, model = len(self.session.messages), self.settings.model
        reply = self._reply = Reply(is_asked=True)
        created_at = self.session.created_at.isoformat()
        partial = PartialReply(self.session.key, created_at, index, model)
        with self._services.partials.begin(partial, kept=self.session.discretion.permits(Trace.DRAFTS)) as reply_writer:
            try:
                response = await self._ask(prompt, choice, reply, reply_writer)
            except (Stopped, ModelError):
                await self._keep(reply, prompt)
                reply_writer.finish()
                raise
            self._services.guard.counted(self.session, prompt, response.usage)
            calls = with_ids(response.tool_calls, index) if choice is None else []
            message = assistant_message(response, calls, model, reply.timing)
            # Read from the prompt only now: nobody waits for the first word meanwhile.
            used = memory_field(memory_in(prompt), reply.prompt_id)
            await self._services.writer.append(self.session, {**message, **used})
            self._reply = Reply()
            reply_writer.finish()
        self._services.bus.publish(ReplyEnded(self.session.key))
        self._notice_early_end(response)
        for place, call in enumerate(calls):
            await self._call(call, calls[place + 1 :])
        return calls

    def _with_checked_results(self, prompt: PromptSnapshot) -> PromptSnapshot:
        """Returns a prompt without forgotten lines in the results of tools, and with what these quote of memory."""
        context = self._services.context
        return with_quotes(context.with_marked_results(prompt), context.workspace)

    async def _last_round(self, prompt: PromptSnapshot) -> str:
        """Asks once more without tools: after the last round the model may still say what it found."""
        limit = self.settings.max_tool_rounds
        sentence = f"The limit of {limit} rounds of tool calls is reached."
        self._services.bus.publish(Noticed("info", sentence, "The model answers with what it has."))
        await self._round(prompt, "none")
        return "answered"

    async def _ask(
        self, prompt: PromptSnapshot, choice: ToolChoice | None, reply: Reply, reply_writer: PartialReplyWriter
    ) -> LLMResponse:
        """Returns the whole answer. Raises Stopped or ModelError; `reply` then holds what had arrived."""
        try:
            await self._stop_signal.run(self._listen(prompt, choice, reply, reply_writer))
        except (Stopped, ModelError) as error:
            if isinstance(error, ImagesRefused):
                self._services.refused_images.add(self.settings.model)
            raise
        except Exception as error:
            logged = error if self.session.discretion.permits(Trace.PROMPT_LOG) else None
            log.error("the provider failed in a way of its own: %s", type(error).__name__, exc_info=logged)
            if isinstance(error, TimeoutError):
                raise AnswerTimedOut("The model did not answer in time.", reason=repr(error)) from error
            raise ModelError(f"The model failed: {reason_of(error)}", reason=repr(error)) from error
        if self._tries_images:
            self._services.refused_images.discard(self.settings.model)
        return _complete_response(reply, takes_calls=choice is None)

    @property
    def _tries_images(self) -> bool:
        """Tells whether images go with the message that is answered: a model that refused some before is asked anew."""
        return bool(attachments_of(self.session.messages[self.index]))

    async def _listen(
        self, prompt: PromptSnapshot, choice: ToolChoice | None, reply: Reply, reply_writer: PartialReplyWriter
    ) -> None:
        settings = self.settings
        messages, missing = await filled_request(
            self._services,
            prompt.request,
            settings.model,
            tries_anew=self._tries_images,
        )
        request = ChatRequest(
            messages,
            self._frame.tools,
            settings.model,
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
            tool_choice=choice,
        )
        sent = replace(prompt, options=SentOptions(settings.max_tokens, settings.temperature, choice, missing))
        keep = self._services.sent.keep
        # The provider begins first, so that what it looks at on the disk before it asks does not wait for a log.
        asyncio.get_running_loop().call_soon(keep, self.session, self.index, sent, reply.prompt_id)
        stream = self._services.provider.stream(request)
        async with _closing(stream) as parts:
            async for part in parts:
                if isinstance(part, TextDelta):
                    if reply.first_seconds is None:
                        reply.first_seconds = time.perf_counter() - reply.began
                    reply.pieces.append(part.text)
                    self._services.bus.publish(ReplyDelta(self.session.key, part.text))
                    reply_writer.grow(lambda: self._services.writer.masked(reply.text))
                elif isinstance(part, ReasoningDelta):
                    if not reply.reasoning:
                        self._services.bus.publish(ThinkingStarted(self.session.key))
                    reply.reasoning.append(part.text)
                elif isinstance(part, Retrying):
                    self._services.bus.publish(ReplyDelayed(self.session.key, part.seconds, part.reason))
                elif isinstance(part, LLMResponse):
                    reply.response = part

    async def _keep(self, reply: Reply, sent: PromptSnapshot) -> None:
        """Stores the part that arrived, marked as interrupted; nothing if nothing did."""
        if reply.text.strip():
            message = interrupted_message(reply.text, self.settings.model, "".join(reply.reasoning))
            used = memory_field(memory_in(sent), reply.prompt_id)
            await self._services.writer.append(self.session, {**message, **used})
        self._services.bus.publish(ReplyEnded(self.session.key))

    async def _call(self, call: ToolCallRequest, waiting: Sequence[ToolCallRequest]) -> None:
        """Runs one call and stores its result. If it is stopped, every call of the answer still gets a result."""
        bus, key = self._services.bus, self.session.key
        arguments = read_arguments(call.arguments) or {}
        self._running = (RunningTool(call.id, call.name, arguments),)
        bus.publish(ToolStarted(key, call.id, call.name, arguments))
        was_stopping = self._stop_signal.is_set
        self._context.is_asking = False
        self._context.memory_change = ""
        self._context.memory_suggestion = ""
        try:
            outcome = await self._run_tool(call, arguments)
        except Stopped:
            text = STOPPED_BEFORE if was_stopping or self._context.is_asking else CUT_SHORT
            results = [tool_message(call, text, interrupted=True)]
            results += [tool_message(other, STOPPED_BEFORE, interrupted=True) for other in waiting]
            await self._services.writer.append(self.session, *results)
            self._announce(call, ToolOutcome(text, succeeded=False))
            raise
        message = tool_message(
            call,
            outcome.text,
            cut=outcome.cut,
            whole=outcome.whole,
            change=self._context.memory_change,
            suggestion=self._context.memory_suggestion,
        )
        await self._services.writer.append(self.session, message)
        self._announce(call, outcome)
        self._notice_forgotten(arguments.get("path") or call.name, outcome.forgotten)

    async def _run_tool(self, call: ToolCallRequest, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Runs a call, unless it names a key of the keychain: the key would stand in a file, or in another program."""
        given = json.dumps(arguments, ensure_ascii=False, default=str)
        if self._services.writer.masked(given) != given:
            return ToolOutcome(HOLDS_A_KEY, succeeded=False)
        return await self._stop_signal.run(self._services.toolbox.run(call, self._context))

    def _announce(self, call: ToolCallRequest, outcome: ToolOutcome) -> None:
        self._running = ()
        self._services.bus.publish(
            ToolRan(
                self.session.key, call.id, call.name, outcome.succeeded, outcome.summary, round(outcome.milliseconds, 1)
            )
        )

    def _notice_forgotten(self, place: object, count: int) -> None:
        """Says where a tool met lines that the person had forgotten, unless it is a file that the review asks about."""
        name = str(place)
        if count and not (is_tracked(name) or is_untracked(name)):
            self._services.bus.publish(Noticed("info", came_back(name, count), "The model was given none of it."))

    def _notice_early_end(self, response: LLMResponse) -> None:
        if response.finish_reason == "length":
            limit, advice = self.settings.max_tokens, "Ask the model to go on, or raise the limit in Settings."
            action = "settings.answers"
            sentence = f"The answer reached the limit of {limit:,} tokens and ends early."
            if 0 < response.usage.get("completion_tokens", 0) < limit:
                sentence = "The answer ends early: the model's context is full, or its server allows no longer one."
                advice = "Ask the model to go on, or begin a new conversation, which leaves more room."
                action = "conversation.new"
            self._services.bus.publish(Noticed("info", sentence, advice, action))
        elif response.finish_reason == "content_filter":
            self._services.bus.publish(
                Noticed("info", "The model's provider cut this answer off by its content rules.")
            )


async def filled_request(
    services: TurnServices, messages: Sequence[Message], model: str, *, tries_anew: bool = False
) -> tuple[list[Message], tuple[str, ...]]:
    """Returns the messages with the images that they name, read on the disk's thread, and the hashes of those in whose
    place words stand. A model that is known to take none, or that refused some, gets words in their place;
    `tries_anew` sends them to one that refused some before."""
    if not has_images(messages):
        return list(messages), ()
    traits = await traits_of(services.provider, model)
    may_be_taken = traits.images is not False and (tries_anew or model not in services.refused_images)
    missing: set[str] = set()

    def read(image: Attachment) -> bytes | None:
        data = services.attachments.read(image) if may_be_taken else None
        if data is None:
            missing.add(image.sha256)
        return data

    filled = await services.disk.run(lambda: [filled_message(each, read) for each in messages])
    return filled, tuple(sorted(missing))


def _complete_response(reply: Reply, *, takes_calls: bool) -> LLMResponse:
    """Returns the answer as it is stored. Raises ModelError if it is none: cut off, an error page, or empty."""
    response = reply.response
    if response is None:
        raise AnswerCutOff("The answer ended before it was complete.")
    if response.finish_reason == "error":
        raise ModelError("The model reported an error instead of an answer.", answer=response.content)
    content = reply.text if response.content is None else response.content
    if not content.strip() and not (takes_calls and response.tool_calls):
        raise ModelError("The model's answer was empty.")
    reasoning = response.reasoning_content or "".join(reply.reasoning) or None
    return replace(response, content=content or None, reasoning_content=reasoning)


@asynccontextmanager
async def _closing(stream: AsyncIterator[StreamPart]) -> AsyncIterator[AsyncIterator[StreamPart]]:
    """Closes the stream whatever happens: that is what ends the request."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()


def _sources_in(session: Session) -> Sources:
    """Returns who said what in the messages a model may still have before it."""
    return sources_of(session.messages[-LOOKED_BACK:])
