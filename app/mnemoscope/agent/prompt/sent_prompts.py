"""Keeps the exact prompt of each turn as it is sent, and reads it again for whoever looks back."""

from __future__ import annotations

import json
import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final
from weakref import WeakKeyDictionary

from mnemoscope.agent.prompt.memory_budget import is_carried
from mnemoscope.domain.context.compaction import Compaction, ContextFacts
from mnemoscope.domain.context.prompt_snapshot import (
    CutLines,
    CutMessages,
    MemoryQuote,
    PromptSection,
    PromptSnapshot,
    SentOptions,
)
from mnemoscope.domain.context.recovery import RecalledSource
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import Message, first_words, text_of
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.prompt_log import KeptPrompts, PromptLog, text_hash
from mnemoscope.store.sessions.session import Session

log = logging.getLogger(__name__)
_SEPARATOR = "\n\n---\n\n"
_ID_BYTES: Final = 6
_MOST_HELD: Final = 40
"""Requests of a discreet conversation that are held, the newest."""
_AS_JSON: dict[str, Any] = {"ensure_ascii": False, "default": str}


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """Describes one turn: the person's message at `index`, when it was asked about last, and what was sent then."""

    index: int
    when: str
    prompt: PromptSnapshot
    id: str = ""
    """The name that the answer's record has for it; "" in logs that were begun before answers had one."""


def new_name() -> str:
    """Returns a name for a request that is to be sent."""
    return secrets.token_hex(_ID_BYTES)


class SentPrompts:
    """Finds the prompts of one workspace's conversations."""

    def __init__(
        self, prompts: PromptLog, disk: Disk, clock: Callable[[], datetime], masked: Callable[[str], str]
    ) -> None:
        self._log = prompts
        self._disk = disk
        self._clock = clock
        self._masked = masked
        self._held: WeakKeyDictionary[Session, deque[SentPrompt]] = WeakKeyDictionary()

    def keep(self, session: Session, index: int, prompt: PromptSnapshot, name: str) -> None:
        """Keeps what is sent for the message at `index` under a name that `new_name` gave; nobody waits for it, and a
        failure is logged. That of a discreet conversation is held while the conversation is open, and is written
        nowhere."""
        when = self._clock().isoformat(timespec="seconds")
        sent = SentPrompt(index, when, prompt, name)
        if session.discretion.permits(Trace.PROMPT_LOG):
            self._disk.submit(self._keep, log_name(session.key, session.branch.began), sent).add_done_callback(
                _log_failure
            )
        else:
            self._held.setdefault(session, deque(maxlen=_MOST_HELD)).append(sent)

    async def find(self, session: Session, prompt_id: str) -> SentPrompt | None:
        """Returns what was sent under this name, or None where it is kept no longer. Raises UnreadableFile."""
        held = next((each for each in self._held.get(session, ()) if each.id == prompt_id), None)
        if held is not None or not prompt_id:
            return held
        names = [log_name(session.key, began) for began, _ in reversed(session.branch.path())]
        return await self._disk.run(self._find, names, prompt_id)

    async def of_session(self, session: Session) -> list[SentPrompt]:
        """Returns what was sent with each turn that is remembered, oldest first; of a turn the last request. What was
        said before a branch began was sent in the one it came out of. Raises UnreadableFile."""
        names = [(log_name(session.key, began), stop) for began, stop in session.branch.path()]
        return await self._disk.run(self._read, names)

    def forget(self, session: Session) -> None:
        """Drops what is kept of a conversation and of its branches; a failure is logged."""
        self._held.pop(session, None)
        branches = (session.branch, *session.other_branches)
        for began in {began for branch in branches for began, _ in branch.path()}:
            self._disk.submit(self._log.forget, log_name(session.key, began)).add_done_callback(_log_failure)

    def forget_words(self, text: ForgottenText) -> None:
        """Drops what is held of discreet conversations and has these words; from the disk a forgetting takes them."""
        for sent in self._held.values():
            left = [each for each in sent if not any(map(text.count, _held_texts(each.prompt)))]
            sent.clear()
            sent.extend(left)

    def _keep(self, name: str, kept: SentPrompt) -> None:
        prompt = kept.prompt
        texts: dict[str, str] = {}
        sent = iter(prompt.request[1:])

        def named(text: str) -> str:
            plain = self._masked(text)
            texts[key := text_hash(plain)] = plain
            return key

        record = {
            "id": kept.id,
            "turn": kept.index,
            "when": kept.when,
            "model": prompt.model,
            "window": prompt.context_window,
            "left_out": list(prompt.left_out),
            "cut_lines": [[each.why, each.source, named(each.text), each.more] for each in prompt.cut_lines or ()],
            "cut_messages": [[each.why, each.spans] for each in prompt.cut_messages],
            "system": [[*_head(part), named(part.text)] for part in prompt.system],
            "tools": [[*_head(part), named(part.text)] for part in prompt.tools],
            "messages": [
                # What goes within the next message is no message of its own: its words alone.
                [*_head(part), named(json.dumps(part.text if is_carried(part) else next(sent), **_AS_JSON))]
                for part in prompt.messages
            ],
            "cut": [_head(part) for part in prompt.cut],
            "budget": prompt.memory_budget,
            "quotes": [[quote.source, self._masked(quote.line)] for quote in prompt.quotes],
            "guard": None if prompt.guard is None else asdict(prompt.guard),
            "options": None if prompt.options is None else asdict(prompt.options),
        }
        self._log.append(name, record, texts)

    def _read(self, names: Sequence[tuple[str, int | None]]) -> list[SentPrompt]:
        turns: dict[int, SentPrompt] = {}
        for name, stop in names:
            kept = self._log.read(name)
            for place in range(len(kept.records)):
                past = _sent(kept, place)
                if past is None or (stop is not None and past.index >= stop):
                    continue
                turns.pop(past.index, None)
                turns[past.index] = past
        return list(turns.values())

    def _find(self, names: Iterable[str], prompt_id: str) -> SentPrompt | None:
        for name in names:
            kept = self._log.read(name)
            places = [place for place, record in enumerate(kept.records) if record.get("id") == prompt_id]
            if places:
                return _sent(kept, places[-1])
        return None


def _sent(kept: KeptPrompts, place: int) -> SentPrompt | None:
    """Returns what a record says; None for one of another version of the program, or that is damaged: the others are
    still worth showing."""
    record = kept.records[place]
    try:
        prompt = replace(_prompt(record, kept.texts), doubt=kept.doubts.get(place, ""))
        return SentPrompt(int(record["turn"]), str(record["when"]), prompt, str(record.get("id") or ""))
    except (KeyError, TypeError, ValueError, IndexError):
        return None


def log_name(key: str, began: str) -> str:
    """Returns the name under which the log has the prompts of a branch of a conversation: /new begins another of the
    same key, with turns of its own."""
    return f"{key} {began}"


def _head(part: PromptSection) -> list[Any]:
    return [part.title, part.source, part.tokens, part.kind]


def _prompt(record: Mapping[str, Any], texts: Mapping[str, str]) -> PromptSnapshot:
    system = _sections(record["system"], texts)
    kept: list[Message | str] = [json.loads(texts[each[4]]) for each in record["messages"]]
    words = [each if isinstance(each, str) else text_of(each) or first_words(each) for each in kept]
    messages = [each for each in kept if not isinstance(each, str)]
    request: list[Message] = [{"role": "system", "content": _SEPARATOR.join(part.text for part in system)}, *messages]
    return PromptSnapshot(
        model=str(record["model"]),
        system=system,
        messages=tuple(_section(each, text) for each, text in zip(record["messages"], words, strict=True)),
        tools=_sections(record["tools"], texts),
        left_out=tuple(map(str, record["left_out"])),
        context_window=int(record["window"]),
        request=tuple(request),
        guard=_facts(record["guard"]),
        cut=tuple(_section(each, "") for each in record["cut"]),
        memory_budget=int(record["budget"]),
        quotes=tuple(MemoryQuote(str(source), str(line)) for source, line in record.get("quotes") or ()),
        options=_options(record.get("options")),
        cut_lines=_cut_lines(record.get("cut_lines"), texts),
        cut_messages=tuple(
            CutMessages(str(why), tuple((int(start), int(stop)) for start, stop in spans))
            for why, spans in record.get("cut_messages") or ()
        ),
    )


def _cut_lines(kept: Iterable[Sequence[Any]] | None, texts: Mapping[str, str]) -> tuple[CutLines, ...] | None:
    if kept is None:
        return None
    return tuple(
        CutLines(str(why), str(source), texts[name], None if more is None else int(more))
        for why, source, name, more in kept
    )


def _held_texts(prompt: PromptSnapshot) -> Iterator[str]:
    """Yields what is held of a prompt: what was sent, and what was left out."""
    yield from map(text_of, prompt.request)
    yield from (each.text for each in prompt.cut_lines or ())


def _sections(parts: Iterable[Sequence[Any]], texts: Mapping[str, str]) -> tuple[PromptSection, ...]:
    return tuple(_section(each, texts[each[4]]) for each in parts)


def _section(head: Sequence[Any], text: str) -> PromptSection:
    title, source, tokens, kind = head[:4]
    return PromptSection(str(title), str(source), text, int(tokens), str(kind))


def _facts(kept: Mapping[str, Any] | None) -> ContextFacts | None:
    if kept is None:
        return None
    compaction = None if kept["compaction"] is None else Compaction(**kept["compaction"])
    return ContextFacts(
        **{**kept, "compaction": compaction, "told": tuple(RecalledSource(**each) for each in kept["told"])}
    )


def _options(kept: Mapping[str, Any] | None) -> SentOptions | None:
    if kept is None:
        return None
    return SentOptions(**{**kept, "missing_images": tuple(map(str, kept["missing_images"]))})


def _log_failure(future: Future[None]) -> None:
    if not future.cancelled() and future.exception() is not None:
        log.warning("a prompt could not be kept for looking back: %s", future.exception())
