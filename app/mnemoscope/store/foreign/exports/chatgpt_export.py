"""ChatGPT's export of all data: a zip or folder with `conversations.json`, or `conversations-000.json` and on.

What is taken from which fact (third-party knowledge; the format has no official description):
- a conversation is a tree: `mapping` of node ids to `{parent, children, message}`; the chat is the way from
  `current_node` up; where none is named, from the newest leaf. Other leaves are branches;
- `author.role` is user, assistant, tool or system. `user_editable_context` and `model_editable_context` are the
  instructions and the memory that were put in, whoever's role they carry, and no message of anybody;
- an assistant's message with a `recipient` other than "all" is the call of a tool of that name. `thoughts` and
  `reasoning_recap` are thinking; `is_visually_hidden_from_conversation` is not shown there and no message here;
- its memory is not listed, but can be recovered: calls to `bio` hold a memory a line, and `model_set_context` lists all
  of them with their days. The newest list counts, with the calls after it: what only older lists hold was deleted;
- marks of citations, between U+E200 and U+E201 or in lenticular brackets with a dagger, are left out;
- `is_do_not_remember` says that nothing of the conversation was to be remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import msgspec

from mnemoscope.domain.foreign.foreign_records import (
    LONG_AGO,
    ForeignCall,
    ForeignConversation,
    ForeignMemory,
    ForeignRecord,
    RecordKind,
)
from mnemoscope.domain.text.fences import fenced
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from mnemoscope.store.foreign.exports.export_transcript import (
    ExportTranscript,
    parents_of,
)
from mnemoscope.store.foreign.exports.listed_export import ListedExport
from mnemoscope.store.foreign.reading.record_values import list_in, object_in, stated_moment, text_in

CONVERSATIONS: Final = r"conversations(-\d+)?\.json"
_CITATION: Final = re.compile("\ue200[^\ue200\ue201]{0,2000}\ue201|【[^【】\n]{0,200}†[^【】\n]{0,200}】")
_LISTED: Final = re.compile(r"^\s*(?:\d+\.|[-*•])\s*(?:\[(\d{4}-\d\d-\d\d)\]\.?)?\s*(.+?)\s*$")
_THINKING: Final = frozenset({"thoughts", "reasoning_recap"})
_PUT_IN: Final = frozenset({"user_editable_context", "model_editable_context"})
_ROLES: Final = {"user": RecordKind.PERSON, "assistant": RecordKind.ANSWER, "tool": RecordKind.RESULT}
_LONGEST_RAW: Final = 2_000


class ChatGptExport(ListedExport):
    """Reads ChatGPT's export."""

    format_name = "chatgpt"
    title = "ChatGPT"

    def __init__(self, files: ExportFiles) -> None:
        self._gathered = _Memories()
        super().__init__(files, CONVERSATIONS)
        self._memories = self._gathered.now()

    def memories(self) -> Sequence[ForeignMemory]:
        """Returns what ChatGPT remembered when the export was made, as far as its conversations tell."""
        return self._memories

    def _key(self, conversation: Mapping[str, Any]) -> str:
        return _id(conversation) if isinstance(conversation.get("mapping"), dict) else ""

    def _listed(self, key: str, name: str, conversation: Mapping[str, Any], size: int) -> ForeignConversation:
        self._gathered.take_from(key, conversation)
        return ForeignConversation(
            id=key,
            path=name,
            title=" ".join(text_in(conversation.get("title")).split()),
            created_at=stated_moment(conversation.get("create_time")),
            updated_at=stated_moment(conversation.get("update_time")),
            size=size,
            is_discreet=conversation.get("is_do_not_remember") is True,
        )

    def _transcript(self, conversation: Mapping[str, Any]) -> ExportTranscript:
        nodes = _nodes(conversation)
        ids = [key for key, _ in nodes]
        parents = parents_of(ids, [text_in(node.get("parent")) for _, node in nodes])
        records = [_record(key, node) for key, node in nodes]
        records = [
            _answering(record, records[parents[place]] if parents[place] >= 0 else None)
            for place, record in enumerate(records)
        ]
        current = text_in(conversation.get("current_node"))
        return ExportTranscript(records, parents, ids.index(current) if current in ids else -1)


class _Memories:
    """Gathers what the conversations tell of ChatGPT's memory."""

    def __init__(self) -> None:
        self._noted: list[ForeignMemory] = []
        self._newest: tuple[datetime, str] | None = None

    def take_from(self, key: str, conversation: Mapping[str, Any]) -> None:
        """Takes in the calls to `bio` of one conversation, and the list of memories that was put into it."""
        begun = stated_moment(conversation.get("create_time")) or LONG_AGO
        for place, (_, node) in enumerate(_nodes(conversation)):
            message = object_in(node.get("message"))
            content = object_in(message.get("content"))
            when = stated_moment(message.get("create_time")) or begun
            if message.get("recipient") == "bio" and object_in(message.get("author")).get("role") == "assistant":
                for line in _text_of(content).splitlines():
                    if text := _memory_line(line)[1]:
                        self._noted.append(ForeignMemory(text, when, key, place))
            if content.get("content_type") == "model_editable_context":
                listed = text_in(content.get("model_set_context"))
                # An empty list says that nothing was remembered any more.
                if "model_set_context" in content and (self._newest is None or when >= self._newest[0]):
                    self._newest = when, listed

    def now(self) -> list[ForeignMemory]:
        """Returns what was remembered at the end, each once, the oldest first."""
        found: dict[str, ForeignMemory] = {}
        notes_by_words = {_words(each.text): each for each in self._noted}
        since = LONG_AGO
        if self._newest is not None:
            since, listed = self._newest
            for text, when in _entries(listed):
                said = notes_by_words.get(_words(text))
                found.setdefault(_words(text), said or ForeignMemory(text, when))
        for each in self._noted:
            if self._newest is None or (each.when or LONG_AGO) > since:
                found.setdefault(_words(each.text), each)
        return list(found.values())


def _entries(listed: str) -> Iterator[tuple[str, datetime | None]]:
    """Yields the entries of a list of memories; a line without a number goes on with the one before it."""
    text, when = "", None
    for line in listed.splitlines():
        match = _LISTED.match(line)
        if match is None and line.strip():
            text = f"{text} {line.strip()}".strip()
            continue
        if match is None:
            continue
        if text:
            yield text, when
        text, when = match[2], stated_moment(match[1])
    if text:
        yield text, when


def _memory_line(line: str) -> tuple[datetime | None, str]:
    match = _LISTED.match(line)
    return (stated_moment(match[1]), match[2]) if match else (None, line.strip())


def _words(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!")


def _id(conversation: Mapping[str, Any]) -> str:
    return text_in(conversation.get("id")) or text_in(conversation.get("conversation_id"))


def _nodes(conversation: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(str(key), object_in(node)) for key, node in object_in(conversation.get("mapping")).items()]


def _record(key: str, node: Mapping[str, Any]) -> ForeignRecord:
    message = object_in(node.get("message"))
    if not message:
        return ForeignRecord(RecordKind.ASIDE if node.get("message") is None else RecordKind.UNKNOWN, key)
    content, metadata = object_in(message.get("content")), object_in(message.get("metadata"))
    role = text_in(object_in(message.get("author")).get("role"))
    text = _text_of(content)
    recipient = text_in(message.get("recipient")) or "all"
    kind = _kind(role, content, metadata, text)
    is_call = kind is RecordKind.ANSWER and recipient != "all"
    calls = (ForeignCall(key, recipient, _arguments(text_in(content.get("text")) or text)),) if is_call else ()
    return ForeignRecord(
        kind=kind,
        id=key,
        text="" if is_call else text,
        when=stated_moment(message.get("create_time")),
        model=text_in(metadata.get("model_slug")),
        calls=calls,
        tool=text_in(object_in(message.get("author")).get("name")) if kind is RecordKind.RESULT else "",
        images=_images(content),
        raw=_raw(message) if kind is RecordKind.UNKNOWN else "",
    )


def _kind(role: str, content: Mapping[str, Any], metadata: Mapping[str, Any], text: str) -> RecordKind:
    kind = text_in(content.get("content_type"))
    if role not in ("system", *_ROLES):
        return RecordKind.UNKNOWN
    if role == "system" or kind in _PUT_IN or kind in _THINKING:
        return RecordKind.ASIDE
    if metadata.get("is_visually_hidden_from_conversation") is True or metadata.get("is_user_system_message") is True:
        return RecordKind.ASIDE
    if not text and not _images(content):
        # An empty answer stands where something was begun and nothing came.
        return RecordKind.ASIDE if not content or "parts" in content or "text" in content else RecordKind.UNKNOWN
    return _ROLES[role]


def _answering(record: ForeignRecord, before: ForeignRecord | None) -> ForeignRecord:
    """Returns a result with the id of the call that it follows: these have no ids of their own."""
    if record.kind is not RecordKind.RESULT or before is None:
        return record
    answers = before.calls[-1].id if before.calls else before.answers
    return replace(record, answers=answers)


def _text_of(content: Mapping[str, Any]) -> str:
    kind = text_in(content.get("content_type"))
    if kind == "code":
        language = text_in(content.get("language"))
        language = "" if language == "unknown" else language
        text = text_in(content.get("text"))
        return fenced(text, language) if text else ""
    parts = [text for part in list_in(content.get("parts")) if (text := _text_of_part(part))]
    for name in ("text", "result", "summary"):
        if not parts and text_in(content.get(name)):
            parts = [text_in(content.get(name))]
    if kind in ("tether_quote", "sonic_webpage"):
        parts = [each for each in (text_in(content.get("title")), text_in(content.get("url"))) if each] + parts
    return _CITATION.sub("", "\n".join(parts)).strip()


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    kind = object_in(part).get("content_type")
    return text_in(object_in(part).get("text")) if kind != "image_asset_pointer" else "[image]"


def _images(content: Mapping[str, Any]) -> int:
    return sum(object_in(part).get("content_type") == "image_asset_pointer" for part in list_in(content.get("parts")))


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"input": text}


def _raw(message: Mapping[str, Any]) -> str:
    return msgspec.json.encode(message).decode("utf-8", "replace")[:_LONGEST_RAW]
