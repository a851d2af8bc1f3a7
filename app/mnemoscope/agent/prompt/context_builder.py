"""Builds what a model is sent: the system prompt from the workspace's files, then the conversation.

The system prompt holds no clock and nothing else that changes from turn to turn, so a model's prompt cache keeps it.
What does change (time, conversation, its state) goes with the person's newest message. Order of the parts: as in
nanobot 0.1.4.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from mnemoscope.agent.prompt.memory_budget import (
    MEMORY_KIND,
    MEMORY_TITLES,
    SentOfFile,
    is_carried,
    memory_budget,
    memory_room,
    within_budget,
)
from mnemoscope.agent.prompt.recent_history import RecentHistory
from mnemoscope.agent.prompt.sent_messages import (
    UNGUARDED,
    CachedMessages,
    GuardPlan,
    conversation_parts,
    cut_results,
    message_section,
    recovery_parts,
    viewed_history,
)
from mnemoscope.agent.prompt.session_state import SessionState
from mnemoscope.agent.prompt.skills import Skill, find_skills, skill_index
from mnemoscope.agent.prompt.workspace_files import (
    MEMORY_LIMIT,
    PROMPT_FILE_LIMIT,
    PromptFile,
    read_prompt_file,
)
from mnemoscope.domain.capture.captured_line import is_struck
from mnemoscope.domain.context.compaction import Compaction
from mnemoscope.domain.context.prompt_snapshot import (
    BOOTSTRAP_TITLE,
    LONGEST_CUT,
    MEMORY_TITLE,
    RECENT_TITLE,
    STATE_TITLE,
    CutLines,
    CutMessages,
    PromptSection,
    PromptSnapshot,
)
from mnemoscope.domain.conversation.attachment import Attachment, attachment_field, sent_view
from mnemoscope.domain.conversation.discretion import Discretion, discretion_of
from mnemoscope.domain.conversation.history_selection import HistorySelection, LeftOutReason
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.forgetting.forgotten_lines import (
    Forgotten,
    entry_without_forgotten,
    results_with_marks,
    with_marks,
    without_forgotten,
    words_after_head,
)
from mnemoscope.domain.llm import LLMProvider, ToolSchema, is_small_context, is_small_model
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import JOURNAL_PATH, PROMPT_FILES, STATE_PATH
from mnemoscope.domain.settings import THREE_TIER, Settings
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.forgetting.tombstones_file import tombstones_of_this_person
from mnemoscope.store.workspace.paths import WorkspacePaths

SEPARATOR: Final = "\n\n---\n\n"
RUNTIME_TAG: Final = "[Runtime context: facts about this moment, not instructions]"
"""The beginning of what a message carries besides its words. Kept prompts are read by it, so it stays as it is."""
_HEADING: Final = "# Memory\n\n## Long-term Memory\n"
_ENTRIES_HEAD: Final = 2
"""Lines of heading and label above the entries of a section."""

DISCRETION_NOTES: Final = {
    Discretion.READS_MEMORY: "discretion-reads-memory",
    Discretion.TEMPORARY: "discretion-temporary",
}
"""The prompts that a model is sent in discreet conversations, by name, so that it promises nothing else."""
_OVERHEAD_SHARE: Final = 4
"""Of a small context, identity, skills and tools take at most one part in so many."""


class SystemPrompt(NamedTuple):
    """Holds the system prompt's parts in order, a sentence for each file that was cut or could not be read, the lines
    that such sentences are about, and what tells of a line whether the person had it forgotten."""

    sections: list[PromptSection]
    notices: list[str]
    cut: list[CutLines]
    is_forgotten: Callable[[str], bool] = lambda _line: False


@dataclass(frozen=True, slots=True)
class PromptFrame:
    """Holds the things that surround the conversation in a request."""

    model: str
    tools: Sequence[ToolSchema]
    context_window: int
    """Tokens; 0 or less where unknown, then nothing is cut to fit."""
    reserve: int = 0
    """Tokens kept free for the answer."""

    @classmethod
    def of(
        cls,
        settings: Settings,
        provider: LLMProvider,
        tools: Callable[[Discretion, int], Sequence[ToolSchema]],
        *,
        model: str = "",
        discretion: Discretion = Discretion.REMEMBERED,
    ) -> PromptFrame:
        """Returns the frame for a model, "" for that of the settings, in a conversation of this discretion; `tools`
        gives those for a context of so many tokens. Never more than a quarter of the context is kept for the answer.
        """
        settings = settings.with_model(model)
        window = settings.context_window_tokens or provider.context_window(settings.model)
        return cls(settings.model, tools(discretion, window), window, min(settings.max_tokens, window // 4))


_UNFRAMED: Final = PromptFrame("", (), 0)
"""The frame of a prompt whose model is not known: nothing is cut to fit a context."""


class ContextBuilder:
    """Builds prompts for one workspace. Reads files; writes nothing."""

    def __init__(
        self,
        workspace: Path,
        recent: RecentHistory | None = None,
        *,
        shown_as: Path | None = None,
        state: SessionState | None = None,
        settings: Callable[[], Settings] = Settings,
        frame: Callable[[], PromptFrame] = lambda: _UNFRAMED,
        discretion_by_key: Callable[[str], Discretion] = lambda key: discretion_of(key, {}),
        forgotten: Forgotten | None = None,
    ) -> None:
        """`recent` holds what Dream has not read yet, `state` what was captured in a conversation.

        `shown_as` is the folder to name, if the files are a copy of its. `frame` gives that of the model of the
        settings, for where no other is named: in a small context the program's own words are few. `discretion_by_key`
        gives how much of a conversation is kept, `forgotten`, asked once for each text, what tells whether the person
        had a line forgotten: it is not sent, whichever file or log has it; None for what this person's key tells.
        """
        self._forgotten_now = forgotten or tombstones_of_this_person(WorkspacePaths.found(workspace)).forgotten_now
        self._discretion_by_key = discretion_by_key
        self._frame = frame
        self.workspace = workspace
        self._memory_name = WorkspacePaths.found(workspace).name_on_disk(MEMORY_PATH)
        self._recent = recent
        self._state = state
        self._settings = settings
        self._shown_as = shown_as or workspace

    def build_system_prompt(self, skill_names: Sequence[str] | None = None) -> str:
        """Returns the system prompt; `skill_names` are made active beside those that always are."""
        sections = self.system_sections(skill_names).sections
        return SEPARATOR.join(section.text for section in sections)

    def build_messages(
        self,
        history: Sequence[Message],
        current_message: str,
        skill_names: Sequence[str] | None = None,
        media: Sequence[str] | None = None,
        channel: str | None = None,
        chat_id: str | None = None,
        *,
        now: datetime | None = None,
        session_key: str = "",
    ) -> list[Message]:
        """Returns system prompt, history as given, and the newest message with its runtime context.

        The conversation is `session_key`, or else `channel:chat_id`; `now` is this moment unless it is given. Raises
        ValueError for `media`: no pictures are sent.
        """
        if media:
            raise ValueError("No pictures can be sent. Leave media out.")
        key = session_key or ":".join(filter(None, (channel, chat_id)))
        words = with_runtime_context(current_message, now or datetime.now(), key)
        newest: Message = {"role": "user", "content": words}
        return [{"role": "system", "content": self.build_system_prompt(skill_names)}, *history, newest]

    def snapshot(
        self,
        messages: Sequence[Message],
        last_consolidated: int,
        current_message: str,
        *,
        now: datetime,
        session_key: str,
        frame: PromptFrame,
        system: SystemPrompt | None = None,
        plan: GuardPlan = UNGUARDED,
        attachments: Sequence[Attachment] = (),
    ) -> PromptSnapshot:
        """Returns the request as it would be sent after `messages`, by section, with what is left out and why. What
        results of tools say of forgotten lines is in it still: `with_marked_results` takes it out.

        `attachments` are the images of the current message. A message of the request names its images; they are put in
        when it is sent.

        Pass `system` where the files were read before, on the disk's thread.
        """
        sections, notices, cut, is_forgotten = system or self.system_sections(frame=frame)
        stands_apart = is_small_context(frame.context_window) or is_small_model(frame.model)
        sections, carried = (sections, []) if stands_apart else _carried(sections)
        tools = tuple(map(_tool_section, frame.tools))
        discretion_note = _discretion_note(self._discretion_by_key(session_key))
        if stands_apart:
            # Apart from the person's words: a small model repeats what stands beside them. A large one does not, and
            # what changes with each message would have it read all messages anew if it stood before them.
            sections = [*sections, _moment(now, discretion_note)]
            newest: Message = {"role": "user", "content": current_message, **attachment_field(attachments)}
            newest_section = message_section(newest, len(messages))
        else:
            newest, newest_section = _newest(
                current_message, now, session_key, discretion_note, carried, len(messages), attachments
            )
        beside: list[str] = []
        found = (
            replace(one, text=_drop_forgotten(one.source, one.text, beside, is_forgotten)) for one in plan.recalled
        )
        recalled = list(recovery_parts(tuple(found)))
        around = (*sections, *tools, *(section for _, section in recalled), *carried, newest_section)
        taken = sum(section.tokens for section in around)
        whole = int((frame.context_window - frame.reserve) / plan.factor)
        room = whole - taken if frame.context_window > 0 else None
        messages = CachedMessages(messages)
        if plan.most:
            room = min(plan.most - taken, plan.most if room is None else room)
        selection = viewed_history(messages, last_consolidated, room, plan.compaction)
        compaction = _compaction_without_forgotten(plan.compaction, is_forgotten)
        parts = [*conversation_parts(messages, selection, compaction), *recalled]
        request: list[Message] = [
            {"role": "system", "content": SEPARATOR.join(section.text for section in sections)},
            *(message for message, _ in parts),
            newest,
        ]
        messages_out = list(_left_out(selection, len(messages)))
        return PromptSnapshot(
            model=frame.model,
            system=tuple(sections),
            messages=(*(section for _, section in parts), *carried, newest_section),
            tools=tools,
            left_out=(*(each.why for each in messages_out), *notices, *beside),
            context_window=frame.context_window,
            request=tuple(request),
            cut=cut_results(messages[index] for index in selection.kept),
            memory_budget=memory_budget(self._settings(), frame.context_window),
            cut_lines=tuple(cut),
            cut_messages=tuple(messages_out),
        )

    def system_sections(
        self, skill_names: Sequence[str] | None = None, *, session_key: str = "", frame: PromptFrame | None = None
    ) -> SystemPrompt:
        """Returns the parts of the system prompt in order, and what was cut of them. `frame`: that of the model which
        is asked, or else of the one of the settings."""
        notices, lines = list[str](), list[CutLines]()
        skills = self._skills(notices)
        frame = frame or self._frame()
        window = frame.context_window
        parts = [
            ("Identity", "Mnemoscope", self._identity(window)),
            (BOOTSTRAP_TITLE, *self._bootstrap(notices, lines)),
            (MEMORY_TITLE, self._memory_name, self._memory(notices, lines)),
            ("Active skills", "skills", _active_skills(skills, skill_names or ())),
            ("Skills", "skills", _skill_list(skills)),
            (STATE_TITLE, STATE_PATH, self._session_state(session_key, notices, lines)),
            # Last: it changes most, and what stands before it stays in a model's cache.
            (RECENT_TITLE, JOURNAL_PATH, self._recent_history(session_key, notices)),
        ]
        sections = [_section(*part) for part in parts if part[2]]
        if is_small_context(window):
            sections = self._within_share(sections, frame, notices)
        fitted = within_budget(sections, memory_room(self._settings(), window), notices)
        return SystemPrompt(fitted.sections, notices, [*lines, *fitted.lines], self._forgotten_now())

    def request_without_forgotten(self, messages: Sequence[Message], question: str) -> list[Message]:
        """Returns a request that was sent once as it may be sent again: without the lines of memory that were forgotten
        since. Of its newest message, `question` is what the person said."""
        is_forgotten = self._forgotten_now()
        shown = results_with_marks(messages, is_forgotten)
        for place in {0, len(shown) - 1} if shown else ():
            text = shown[place].get("content")
            if not isinstance(text, str):
                continue
            said = question if place and text.endswith(question) else "" if place == 0 else text
            before = text[: len(text) - len(said)]
            shown[place] = {**shown[place], "content": without_forgotten(before, is_forgotten)[0] + said}
        return shown

    def with_marked_results(self, prompt: PromptSnapshot) -> PromptSnapshot:
        """Returns a prompt in whose results of tools a mark stands where a line was forgotten. It takes a moment for
        each line that was not looked at before, and looks at the disk."""
        request = results_with_marks(prompt.request, self._forgotten_now())
        sent = iter(zip(prompt.request[1:], request[1:], strict=True))
        # What goes within the newest message is no message of its own.
        pairs = ((each, (None, None) if is_carried(each) else next(sent)) for each in prompt.messages)
        sections = tuple(
            each
            if shown is None or shown is before
            else replace(each, text=text_of(shown), tokens=estimate_message(shown))
            for each, (before, shown) in pairs
        )
        return replace(prompt, messages=sections, request=tuple(request))

    def sent_of_file(
        self, path: str, text: str, *, session_key: str = "", frame: PromptFrame | None = None
    ) -> SentOfFile:
        """Returns how much is sent of `text`, were it all that stands in the file, and from which line on nothing is.

        `path` is relative to the workspace, MEMORY.md's as `MEMORY_PATH`. The rest of memory is as it is on the disk,
        with the state of the conversation `session_key`. `frame` as above.
        """
        tokens = estimate_tokens(text)
        if path != MEMORY_PATH:
            if path not in PROMPT_FILES:
                return SentOfFile(tokens, tokens)
            sent = text[:PROMPT_FILE_LIMIT]
            partial = 0 if sent.endswith("\n") else 1
            line = sent.count("\n") + partial
            cut = line if sent != text and line <= text.count("\n") else None
            remembered = estimate_tokens(_drop_forgotten(path, sent, [], self._forgotten_now()))
            return SentOfFile(tokens, remembered, cut, self._forgotten(text.split("\n")))
        rows = text.split("\n")
        back = self._forgotten(rows)
        standing = self._standing(rows, back)
        beside: list[str] = []
        parts = [
            (MEMORY_TITLE, self._memory_name, _memory_text(rows, standing)),
            (STATE_TITLE, STATE_PATH, self._session_state(session_key, beside, [])),
            (RECENT_TITLE, JOURNAL_PATH, self._recent_history(session_key, beside)),
        ]
        sections = [_section(*part) for part in parts if part[2]]
        room = memory_room(self._settings(), (frame or self._frame()).context_window)
        cut = within_budget(sections, room, beside).cut
        kept = standing if cut is None else standing[: max(0, cut - _memory_head().count("\n"))]
        if len(kept) == len(standing):
            cut = None
        if cut is None and not any(map(is_struck, rows)) and not back:
            return SentOfFile(tokens, tokens)
        sent_rows = "\n".join(rows[number] for number in kept)
        return SentOfFile(tokens, estimate_tokens(sent_rows), None if cut is None else standing[len(kept)], back)

    def _within_share(
        self, sections: Sequence[PromptSection], frame: PromptFrame, notices: list[str]
    ) -> list[PromptSection]:
        """Returns the sections without skills where these, identity and tools take more than their share of a small
        context."""
        window = frame.context_window
        taken = sum(estimate_tokens(json.dumps(schema)) for schema in frame.tools)
        taken += _MOMENT_TOKENS + sum(
            each.tokens for each in sections if each.kind != MEMORY_KIND and each.source != "skills"
        )
        kept = []
        for section in sections:
            if section.source == "skills" and taken + section.tokens > window // _OVERHEAD_SHARE:
                notices.append(f"{section.title}: left out, since the model reads {window:,} tokens at once.")
                continue
            taken += section.tokens if section.source == "skills" else 0
            kept.append(section)
        own = next((each.tokens for each in sections if each.title == BOOTSTRAP_TITLE), 0)
        if taken > window // _OVERHEAD_SHARE and own:
            # What the person wrote is sent whole, whatever room it takes.
            names = ", ".join(name for name in PROMPT_FILES if (self.workspace / name).is_file())
            notices.append(
                f"{names}: sent whole, and take {own:,} of the {window:,} tokens that the model reads at once."
            )
        return kept

    def _identity(self, window: int) -> str:
        root = self._shown_as.expanduser().absolute()
        if is_small_context(window):
            return shipped_prompt("identity-brief").format(memory_name=self._memory_name)
        return shipped_prompt("identity").format(
            runtime=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
            root=root,
            memory=root / self._memory_name,
            memory_name=self._memory_name,
            log=self._log_line(root / "memory"),
            skills=root / "skills" / "<name>" / "SKILL.md",
        )

    def _log_line(self, folder: Path) -> str:
        """Returns the line that says where what happened is written; "" where nothing is."""
        settings = self._settings()
        if self._recent is not None and self._recent.is_dreaming():
            name, file = "log-journal", "history.jsonl"
        elif settings.profile != THREE_TIER:
            name, file = "log-history", "HISTORY.md"
        elif settings.keeps_notes:
            name, file = "log-notes", "YYYY-MM-DD.md"
        else:
            return ""
        return f"{shipped_prompt(name).format(path=folder / file)}\n"

    def _bootstrap(self, notices: list[str], lines: list[CutLines]) -> tuple[str, str]:
        """Returns the names of the files that have something to say, and their texts below each other."""
        names, parts = [], []
        for name in PROMPT_FILES:
            file = read_prompt_file(self.workspace, name, PROMPT_FILE_LIMIT)
            self._note_rest(file, notices, lines)
            if text := _drop_forgotten(name, self._cut_between_lines(file), notices, self._forgotten_now()).strip():
                names.append(name)
                parts.append(f"## {name}\n\n{text}")
        return ", ".join(names), "\n\n".join(parts)

    def _skills(self, notices: list[str]) -> list[Skill]:
        """Returns the skills without the lines that the person had forgotten; of the shipped ones nothing is."""
        is_forgotten = self._forgotten_now()
        found = []
        for skill in find_skills(self.workspace):
            # Where the workspace's own lie; a shipped one is named by its whole path.
            if Path(skill.location).is_absolute():
                found.append(skill)
                continue
            text, back = without_forgotten(skill.text, is_forgotten)
            description, marked = with_marks(skill.description, is_forgotten)
            if back or marked:
                notices.append(came_back(skill.location, back + marked))
            found.append(replace(skill, text=text, description=description))
        return found

    def _session_state(self, session_key: str, notices: list[str], lines: list[CutLines]) -> str:
        if self._state is None:
            return ""
        state = self._state.section(session_key)
        notices.extend(state.notices)
        if state.cut:
            rest = without_forgotten("\n".join(state.cut), self._forgotten_now())[0]
            lines.append(CutLines.of(state.notices[-1], STATE_PATH, rest.split("\n")))
        return self._entries(STATE_PATH, state.text, notices)

    def _recent_history(self, session_key: str, notices: list[str]) -> str:
        try:
            text = "" if self._recent is None else self._recent.text(session_key)
        except UnreadableFile as error:
            notices.append(error.sentence)
            return ""
        return self._entries(JOURNAL_PATH, text, notices)

    def _entries(self, source: str, text: str, notices: list[str]) -> str:
        """Returns a section of entries below its heading as it is sent; "" where none of them is."""
        kept = _drop_forgotten(source, text, notices, self._forgotten_now())
        return kept if kept == text or kept.count("\n") >= _ENTRIES_HEAD else ""

    def _forgotten(self, rows: Sequence[str]) -> tuple[int, ...]:
        """Returns the numbers of the lines of a file that the person had forgotten."""
        is_forgotten = self._forgotten_now()
        return tuple(number for number, row in enumerate(rows) if without_forgotten(row, is_forgotten)[1])

    def _cut_between_lines(self, file: PromptFile) -> str:
        """Returns the part of a file that is sent, without the beginning of a line that was cut in two and that is
        forgotten as a whole: half of it would not be known."""
        cut = len(file.text) - len(file.marker)
        start = file.text.rfind("\n", 0, cut) + 1
        line = file.text[start:cut] + file.rest.split("\n", 1)[0]
        is_cut_in_two = bool(file.rest) and self._forgotten_now()(words_after_head(line))
        return file.text[:start] + file.marker if is_cut_in_two else file.text

    def _note_rest(self, file: PromptFile, notices: list[str], lines: list[CutLines]) -> None:
        """Notes what was read of a file beyond the part that is sent, without what the person had forgotten."""
        if file.notice:
            notices.append(file.notice)
        if file.rest:
            # Of a huge file no more is looked through, so what is left out of it cannot be counted.
            rest = without_forgotten(file.rest[: 2 * LONGEST_CUT], self._forgotten_now())[0]
            are_all = file.is_rest_whole and len(file.rest) <= 2 * LONGEST_CUT
            lines.append(CutLines.of(file.notice, file.name, rest.split("\n"), are_all=are_all))

    def _memory(self, notices: list[str], lines: list[CutLines]) -> str:
        file = read_prompt_file(self.workspace, self._memory_name, MEMORY_LIMIT)
        self._note_rest(file, notices, lines)
        rows = self._cut_between_lines(file).strip().split("\n")
        back = self._forgotten(rows)
        standing = self._standing(rows, back)
        if back:
            notices.append(came_back(self._memory_name, len(back)))
        if past := len(rows) - len(standing) - len(back):
            why = f"{self._memory_name}: {_lines(past)} that another took the place of."
            notices.append(why)
            struck = (row for number, row in enumerate(rows) if number not in back and "~~" in row and is_struck(row))
            lines.append(CutLines.of(why, self._memory_name, struck))
        return _memory_text(rows, standing)

    def _standing(self, rows: Sequence[str], back: Collection[int]) -> list[int]:
        """Returns the numbers of the lines of MEMORY.md that stand, without empty ones at either end: neither a struck
        line is sent nor one that the person had forgotten, whose numbers are `back`."""
        numbers = [number for number, row in enumerate(rows) if "~~" not in row or not is_struck(row)]
        numbers = [number for number in numbers if number not in back]
        filled = [place for place, number in enumerate(numbers) if rows[number].strip()]
        return numbers[filled[0] : filled[-1] + 1] if filled else []


def _section(title: str, source: str, text: str) -> PromptSection:
    kind = MEMORY_KIND if title in MEMORY_TITLES else ""
    return PromptSection(title, source, text, estimate_tokens(text), kind)


def _memory_text(rows: Sequence[str], standing: Sequence[int]) -> str:
    text = "\n".join(rows[number] for number in standing).strip()
    return f"{_memory_head()}{text}" if text else ""


def _memory_head() -> str:
    return f"{_HEADING}{shipped_prompt('memory')}\n\n"


def _discretion_note(discretion: Discretion) -> str:
    name = DISCRETION_NOTES.get(discretion)
    return shipped_prompt(name) if name else ""


_MOMENT_TOKENS: Final = 16


def _moment(now: datetime, discretion_note: str) -> PromptSection:
    text = "\n".join(filter(None, (f"Current time: {now:%Y-%m-%d %H:%M} ({now:%A})", discretion_note)))
    return PromptSection("This moment", "Mnemoscope", text, estimate_tokens(text))


def with_runtime_context(text: str, now: datetime, session_key: str, *more: str) -> str:
    """Returns the person's words behind the facts that change from turn to turn; `more`: other such facts, in lines."""
    lines = [RUNTIME_TAG, f"Current time: {now:%Y-%m-%d %H:%M} ({now:%A})"]
    if session_key:
        lines.append(f"Conversation: {session_key}")
    lines += more
    return "\n".join(lines) + f"\n\n{text}"


def _carried(sections: Sequence[PromptSection]) -> tuple[list[PromptSection], list[PromptSection]]:
    """Returns the parts of the system prompt, and what goes with the newest message instead: the conversation's state.

    It changes whenever something is captured; before the messages it would have a model read all of them anew.
    """
    return [each for each in sections if not is_carried(each)], [each for each in sections if is_carried(each)]


def _newest(
    text: str,
    now: datetime,
    session_key: str,
    discretion_note: str,
    carried: Sequence[PromptSection],
    index: int,
    attachments: Sequence[Attachment],
) -> tuple[Message, PromptSection]:
    """Returns the newest message with what it carries, whose tokens its section leaves to the sections of these."""
    more = (*([discretion_note] if discretion_note else []), *(section.text for section in carried))
    newest: Message = {"role": "user", "content": with_runtime_context(text, now, session_key, *more)}
    newest |= attachment_field(attachments)
    section = message_section(newest, index)
    tokens = section.tokens - sum(each.tokens for each in carried)
    return newest, replace(section, tokens=max(0, tokens))


def extended(snapshot: PromptSnapshot, messages: Sequence[Message], begin: int) -> PromptSnapshot:
    """Returns a request with more messages at its end, the session's from the index `begin`: the next round of a
    turn."""
    sections = (message_section(message, begin + offset) for offset, message in enumerate(messages))
    return replace(
        snapshot,
        messages=(*snapshot.messages, *sections),
        request=(*snapshot.request, *map(sent_view, messages)),
        cut=(*snapshot.cut, *cut_results(messages)),
    )


def _left_out(selection: HistorySelection, total: int) -> Iterator[CutMessages]:
    """Yields the messages that are not sent, by why."""
    if selection.start:
        why = f"{_messages(selection.start)} before the pointer: consolidated into memory and the history log."
        yield CutMessages(why, ((0, selection.start),))
    reasons: dict[LeftOutReason, list[int]] = {}
    for index in sorted(selection.left_out):
        if selection.first_considered <= index < total:
            reasons.setdefault(selection.left_out[index], []).append(index)
    if selection.first_considered > selection.start:
        older = range(selection.start, selection.first_considered)
        reasons[LeftOutReason.BEYOND_LIMIT] = [*older, *reasons.get(LeftOutReason.BEYOND_LIMIT, ())]
    for reason in LeftOutReason:
        if numbers := reasons.get(reason):
            yield CutMessages.of(f"{_messages(len(numbers))}: {reason.value}.", numbers)


def _drop_forgotten(source: str, text: str, notices: list[str], is_forgotten: Callable[[str], bool]) -> str:
    """Returns a text without the lines that the person had forgotten, and says how many of them came back."""
    kept, back = without_forgotten(text, is_forgotten)
    if back:
        notices.append(came_back(source, back))
    return kept


def _compaction_without_forgotten(
    compaction: Compaction | None, is_forgotten: Callable[[str], bool]
) -> Compaction | None:
    """Returns a compaction whose summary, which may be older than a forgetting, does not say what was forgotten."""
    if compaction is None or not compaction.summary:
        return compaction
    return replace(compaction, summary=entry_without_forgotten(compaction.summary, is_forgotten)[0])


def came_back(source: str, count: int) -> str:
    """Returns the sentence that says how many lines came back into a file though the person had them forgotten."""
    return f"{source}: {_lines(count)} that you chose to forget and that came back."


def _lines(count: int) -> str:
    return f"{count:,} line" if count == 1 else f"{count:,} lines"


def _messages(count: int) -> str:
    return f"{count:,} message" if count == 1 else f"{count:,} messages"


def _active_skills(skills: Sequence[Skill], names: Sequence[str]) -> str:
    active = [skill for skill in skills if skill.text and not skill.missing and (skill.always or skill.name in names)]
    if not active:
        return ""
    return "# Active Skills\n\n" + SEPARATOR.join(f"### Skill: {skill.name}\n\n{skill.text}" for skill in active)


def _skill_list(skills: Sequence[Skill]) -> str:
    if not skills:
        return ""
    return f"# Skills\n\n{shipped_prompt('skills')}\n\n{skill_index(skills)}"


def _tool_section(schema: ToolSchema) -> PromptSection:
    return _section_of_tool(str(schema["function"]["name"]), json.dumps(schema))


@lru_cache(maxsize=128)
def _section_of_tool(name: str, schema: str) -> PromptSection:
    """Returns the section of a tool. Each prompt has it, and Python indents JSON slowly, with objects in circles."""
    text = json.dumps(json.loads(schema), ensure_ascii=False, indent=2)
    return PromptSection(name, "tool", text, estimate_tokens(schema))
