"""One rollout of Codex: its lines indexed in one pass, and decoded when somebody looks at one. See `codex`."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    MESSAGES,
    CompactionMark,
    ForeignCall,
    ForeignRecord,
    RecordKind,
    TranscriptShape,
)
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.reading.json_lines import (
    JsonLines,
    damage_sentences,
    growing_tails,
    lenient_decoder,
    line_or_nothing,
)
from mnemoscope.store.foreign.reading.record_values import json_value, raw_shown, stated_moment, text_in

_PERSON, _ANSWER, _RESULT, _SUMMARY, _ASIDE, _UNKNOWN, _DAMAGED = (
    KINDS.index(kind)
    for kind in (
        RecordKind.PERSON,
        RecordKind.ANSWER,
        RecordKind.RESULT,
        RecordKind.SUMMARY,
        RecordKind.ASIDE,
        RecordKind.UNKNOWN,
        RecordKind.DAMAGED,
    )
)
CALLS: Final = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "tool_search_call",
        "image_generation_call",
    }
)
OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_ASIDES: Final = frozenset(
    {
        "reasoning",
        "compaction",
        "compaction_summary",
        "context_compaction",
        "compaction_trigger",
        "ghost_snapshot",
        "additional_tools",
        "agent_message",
    }
)
"""Items of known types that are no message."""
_LINES: Final = frozenset(
    {
        "session_meta",
        "turn_context",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "realtime_item",
    }
)
"""Lines of known types that hold no message."""
_EVENTS: Final = frozenset(
    {
        "user_message",
        "agent_message",
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "agent_reasoning_section_break",
        "token_count",
        "context_compacted",
        "thread_rolled_back",
        "turn_aborted",
        "turn_started",
        "turn_complete",
        "task_started",
        "task_complete",
        "turn_diff",
        "entered_review_mode",
        "exited_review_mode",
        "patch_apply_begin",
        "patch_apply_end",
        "patch_apply_updated",
        "mcp_tool_call_begin",
        "mcp_tool_call_end",
        "web_search_begin",
        "web_search_end",
        "exec_command_begin",
        "exec_command_end",
        "exec_command_output_delta",
        "view_image_tool_call",
        "image_generation_begin",
        "image_generation_end",
        "item_started",
        "item_completed",
        "plan_update",
        "plan_delta",
        "thread_goal_updated",
        "thread_name_updated",
        "thread_settings_applied",
        "sub_agent_activity",
        "error",
        "warning",
        "stream_error",
        "background_event",
        "deprecation_notice",
        "session_configured",
        "shutdown_complete",
        "model_reroute",
        "collab_agent_spawn_begin",
        "collab_agent_spawn_end",
        "collab_agent_interaction_begin",
        "collab_agent_interaction_end",
        "collab_waiting_begin",
        "collab_waiting_end",
        "collab_close_begin",
        "collab_close_end",
        "collab_resume_begin",
        "collab_resume_end",
        "hook_started",
        "hook_completed",
        "guardian_assessment",
        "guardian_warning",
        "undo_started",
        "undo_completed",
        "terminal_interaction",
        "raw_response_item",
        "request_user_input",
        "request_permissions",
        "elicitation_request",
        "exec_approval_request",
        "apply_patch_approval_request",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
    }
)
_INJECTED: Final = re.compile(
    r"\s*(?:# AGENTS\.md instructions\b|<(?:environment_context|environments|user_instructions|collaboration_mode"
    r"|skill|user_shell_command|turn_aborted|subagent_notification|permissions|apps_instructions|hook_prompt|goal_context"
    r"|legacy_goal_context|additional_context|extension_context|recommended_plugins|model_switch)\b)"
)
"""The beginnings of what Codex itself puts into a user's message."""
_SUMMARISED: Final = "Another language model started to solve this problem"
_EXIT_CODE: Final = re.compile(r"(?:Exit code:|Process exited with code)\s*(-?\d+)", re.IGNORECASE)
_REFUSED: Final = re.compile(
    r"\s*(?:apply_patch verification failed|failed to|error|aborted|execution error|invalid patch|invalid hunk"
    r"|patch rejected|exec_command failed|the user (?:rejected|denied))",
    re.IGNORECASE,
)
_TAIL_BYTES: Final = 1 << 19


class _Part(msgspec.Struct):
    type: str = ""
    text: str = ""


class _Payload(msgspec.Struct):
    type: str = ""
    role: str = ""
    content: list[_Part] | str = ""
    message: str = ""
    call_id: str = ""
    id: str = ""
    num_turns: int = 0
    replacement_history: list[_Payload] | None = None


class _RolloutLine(msgspec.Struct):
    timestamp: str = ""
    type: str = ""
    payload: _Payload | None = None


_decode_line: Final = lenient_decoder(_RolloutLine)


@dataclass
class _Shape:
    """Collects what is known of a rollout without its words, a line at a time."""

    kinds: bytearray = field(default_factory=bytearray)
    active: array[int] = field(default_factory=lambda: array("q"))
    keys: array[int] = field(default_factory=lambda: array("q"))
    """A number for each active message by which it is known again."""
    event_places: dict[int, list[int]] = field(default_factory=lambda: {_PERSON: [], _ANSWER: []})
    """The places of the events that tell what somebody said."""
    ends: list[int] = field(default_factory=list)
    """The last messages of what was taken back."""
    marks: list[tuple[int, int | None, datetime | None, int]] = field(default_factory=list)
    """The place of the first message that is kept, that of the summary, when, and the place up to which only some are
    kept, 0 where all are."""

    def take(self, place: int, line: _RolloutLine | None) -> None:
        """Adds a line; None for one that is damaged."""
        kind = _DAMAGED if line is None else _kind_of(line)
        self.kinds.append(kind)
        payload = line.payload if line is not None and line.payload is not None else None
        if line is None or payload is None:
            return
        if line.type == "response_item" and kind in (_PERSON, _ANSWER, _RESULT):
            self.active.append(place)
            self.keys.append(_key(payload))
        elif line.type == "compacted":
            self._compact(place, payload, stated_moment(line.timestamp))
        elif line.type == "event_msg":
            if payload.type in ("user_message", "agent_message") and payload.message.strip():
                self.event_places[_PERSON if payload.type == "user_message" else _ANSWER].append(place)
            elif payload.type == "thread_rolled_back":
                self._roll_back(payload.num_turns)

    def shape(self, damage: Sequence[str]) -> TranscriptShape:
        """Returns what was collected."""
        kinds, active = bytearray(self.kinds), array("q", self.active)
        for kind, places in self.event_places.items():
            # Twins are passed over; a file that has nothing but them is read from them.
            if kind not in (self.kinds[place] for place in self.active):
                for place in places:
                    kinds[place] = kind
                active = array("q", sorted([*active, *places]))
        marks = tuple(
            CompactionMark(bisect_left(active, first), summary, when, bisect_left(active, place) if place else 0)
            for first, summary, when, place in self.marks
        )
        return TranscriptShape(
            bytes(kinds), active, {}, marks, tuple(sorted(set(self.ends) - set(active))), tuple(damage)
        )

    def _compact(self, place: int, payload: _Payload, when: datetime | None) -> None:
        places: dict[int, list[int]] = {}
        for at, key in enumerate(self.keys):
            places.setdefault(key, []).append(at)
        first, at, kept = place, len(self.keys), 0
        for item in reversed(payload.replacement_history or []):
            # Of the same words the last ones before what is known to be kept.
            same = places.get(_key(item), ())
            if before := bisect_left(same, at):
                at = same[before - 1]
                first = self.active[at]
                kept += 1
        # Newer versions keep what the person said, and of the answers between nothing.
        is_scattered = kept < len(self.keys) - at
        self.marks.append((first, place if payload.message.strip() else None, when, place if is_scattered else 0))

    def _roll_back(self, turns: int) -> None:
        begun = [at for at, place in enumerate(self.active) if self.kinds[place] == _PERSON]
        if turns <= 0 or not begun:
            return
        start = begun[max(0, len(begun) - turns)]
        self.ends.append(self.active[-1])
        gone = self.active[start]
        del self.active[start:], self.keys[start:]
        # A compaction of what was taken back is undone with it.
        self.marks = [mark for mark in self.marks if (mark[1] if mark[1] is not None else mark[0]) < gone]


def _kind_of(line: _RolloutLine) -> int:
    payload = line.payload
    if payload is None:
        return _UNKNOWN
    if line.type == "response_item":
        return _kind_of_item(payload)
    if line.type == "compacted":
        return _SUMMARY
    if line.type == "event_msg":
        return _ASIDE if payload.type in _EVENTS else _UNKNOWN
    return _ASIDE if line.type in _LINES else _UNKNOWN


def _kind_of_item(item: _Payload) -> int:
    if item.type == "message":
        if item.role == "assistant":
            return _ANSWER
        return _PERSON if item.role == "user" and _said(item.content) else _ASIDE
    if item.type in CALLS:
        return _ANSWER
    if item.type in OUTPUTS:
        return _RESULT
    return _ASIDE if item.type in _ASIDES else _UNKNOWN


def _said(content: list[_Part] | str) -> bool:
    """Tells whether a user's message holds anything that Codex did not put there itself: words, or an image."""
    if isinstance(content, str):
        return is_own_text(content)
    return any(part.type == "input_image" or is_own_text(part.text) for part in content)


def is_own_text(text: str) -> bool:
    return bool(text.strip()) and not _INJECTED.match(text) and not text.startswith(_SUMMARISED)


def _key(item: _Payload) -> int:
    if item.type == "message":
        content = item.content
        text = content if isinstance(content, str) else "\n".join(part.text for part in content)
        return hash((item.role, text))
    return hash((item.type in OUTPUTS, item.call_id or item.id))


class CodexTranscript:
    """Reads one rollout. Its lines are indexed, and decoded when somebody looks at one."""

    def __init__(self, path: Path) -> None:
        """Raises UnreadableFile."""
        self._lines = JsonLines(path, _decode_line)
        self._collected = _Shape()
        self._shape = TranscriptShape(b"", array("q"))
        self.read_on()

    @property
    def shape(self) -> TranscriptShape:
        """Returns the active path, branches, compactions and damage."""
        return self._shape

    def read_on(self) -> bool:
        """Reads what was appended; returns False where the file does not begin any more with what was read. Raises
        UnreadableFile."""
        if len(self._lines) and not self._lines.continues():
            return False
        for place, line in self._lines.read():
            self._collected.take(place, line)
        self._shape = self._collected.shape(damage_sentences(self._lines))
        return True

    def record(self, place: int) -> ForeignRecord:
        """Returns one record. A record that cannot be read any more is damaged; raises IndexError beyond the last."""
        try:
            raw = self._lines.line(place)
            return _record(self._lines.record(place), raw, KINDS[self._shape.kinds[place]])
        except RecordDamaged as damage:
            return ForeignRecord(
                RecordKind.DAMAGED,
                text=f"This record {damage}.",
                raw=raw_shown(line_or_nothing(self._lines, place).decode("utf-8", "replace")),
            )

    def path_to(self, place: int) -> Sequence[int]:
        """Returns the places of the messages from the first one to the one at a place."""
        active = self._shape.active
        own = bisect_left(active, place)
        if own < len(active) and active[own] == place:
            return active[: own + 1]
        # What was taken back follows what stood before it.
        messages = (_PERSON, _ANSWER, _RESULT)
        start = max((active[at] for at in range(own)), default=-1)
        return [*active[:own], *(at for at in range(start + 1, place + 1) if self._shape.kinds[at] in messages)]

    def close(self) -> None:
        """Does nothing: no file stays open."""


def newest_messages(path: Path, count: int) -> Sequence[ForeignRecord]:
    """Returns the newest messages of a rollout, oldest first: `count` of them, where so many are in its last 32 MB.
    Raises UnreadableFile."""
    found: list[ForeignRecord] = []
    for lines in growing_tails(path, _TAIL_BYTES, 64 * _TAIL_BYTES):
        found = [record for raw in lines if (record := _message(raw)) is not None]
        if len(found) >= count:
            break
    return found[-count:] if count > 0 else []


def _message(raw: bytes) -> ForeignRecord | None:
    """Returns the message that a line holds, None for any other line."""
    try:
        line = _decode_line(raw)
        kind = KINDS[_kind_of(line)]
        if line.type != "response_item" or kind not in MESSAGES:
            return None
        return _record(decode_object(raw), raw, kind)
    except RecordDamaged:
        return None


def _record(line: Mapping[str, Any], raw: bytes, kind: RecordKind) -> ForeignRecord:
    payload = line.get("payload")
    item: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {}
    name = text_in(item.get("name")) or text_in(item.get("type"))
    call_id = text_in(item.get("call_id")) or text_in(item.get("id"))
    is_call = kind is RecordKind.ANSWER and text_in(item.get("type")) in CALLS
    text, images = item_words(item)
    return ForeignRecord(
        kind,
        id=text_in(item.get("id")) or call_id,
        text="" if is_call else text,
        when=stated_moment(line.get("timestamp")),
        calls=(ForeignCall(call_id, name, item_arguments(item)),) if is_call else (),
        answers=call_id if kind is RecordKind.RESULT else "",
        failed=kind is RecordKind.RESULT and has_failed(item.get("output")),
        images=images,
        raw=raw_shown(raw.decode("utf-8", "replace")),
    )


def item_words(item: Mapping[str, Any]) -> tuple[str, int]:
    """Returns the words of an item, and how many images it has."""
    if "output" in item:
        return _output_text(item["output"]), 0
    content = item.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping)]
        images = sum(part.get("type") == "input_image" for part in parts)
        texts = [text for part in parts if (text := text_in(part.get("text")))]
        # What Codex put beside the person's words is not theirs.
        own = [text for text in texts if is_own_text(text)] if item.get("role") == "user" else texts
        return "\n".join(own or texts), images
    for name in ("content", "message", "text"):
        if found := text_in(item.get(name)):
            return found, 0
    summary = item.get("summary")
    parts = [part for part in summary if isinstance(part, Mapping)] if isinstance(summary, list) else []
    return "\n".join(text for part in parts if (text := text_in(part.get("text")))), 0


def item_arguments(item: Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(item.get("input"), str):
        return {"input": item["input"]}
    if isinstance(item.get("action"), Mapping):
        return dict(item["action"])
    found = json_of(item.get("arguments"))
    return found if isinstance(found, dict) else {}


def _output_text(output: object) -> str:
    """Returns the words of an output: text, text in JSON, or a list of parts."""
    if isinstance(output, list):
        return "\n".join(text_in(part.get("text")) for part in output if isinstance(part, Mapping))
    if isinstance(output, Mapping):
        inner = output.get("content", output.get("output"))
        return "" if isinstance(inner, Mapping) else _output_text(inner)
    inner = json_of(output)
    return text_in(inner["output"]) if isinstance(inner, dict) and "output" in inner else text_in(output)


def has_failed(output: object) -> bool:
    """Tells whether an output says that the call did nothing."""
    if isinstance(output, Mapping) and output.get("success") is False:
        return True
    parsed = output if isinstance(output, Mapping) else json_of(output)
    if isinstance(parsed, Mapping):
        metadata = parsed.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, Mapping) else parsed.get("exit_code")
        if type(code) is int:
            return code != 0
    text = _output_text(output)
    code_found = _EXIT_CODE.search(text[:400])
    return code_found[1] != "0" if code_found else bool(_REFUSED.match(text))


def json_of(value: object) -> object:
    """Returns what a text holds as JSON, None where it is no JSON object."""
    return json_value(value) if isinstance(value, str) and value.lstrip().startswith("{") else None


def object_of(line: bytes) -> Mapping[str, Any]:
    """Returns the object that a line holds, {} where it holds none."""
    try:
        return decode_object(line)
    except RecordDamaged:
        return {}
