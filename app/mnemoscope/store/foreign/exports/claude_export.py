"""Claude's export of all data: one zip with `conversations.json`, or a set of zips that a manifest names.

What is taken from which fact (third-party knowledge; the format has no official description):
- a conversation has `uuid`, `name`, times in ISO 8601, and `chat_messages`, each with `uuid`, `sender` ("human" or
  "assistant"), `text`, `content` (blocks of text, thinking, tool_use, tool_result), `attachments` with the text that
  was taken out of a file, and `files`. Newer ones name `parent_message_uuid`; without it a conversation is a list;
- blocks say more than `text`, which joins them and marks what it cannot show. A block of thinking is no words of the
  answer. A tool_result stands in the answer that called; it is one message of its own, and what the answer says before
  and after it is one message, as its one `uuid` is;
- the text of an attached file is not the person's own words: it is kept apart;
- memories are Markdown: `conversations_memory`, and `project_memories` by project; some have `memory_files`. There is
  one object or a list of them. In the newer layout they are a zip of their own, a file an account;
- `light_metadata` holds personal data and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import msgspec

from mnemoscope.domain.foreign.foreign_records import (
    ForeignCall,
    ForeignConversation,
    ForeignMemory,
    ForeignRecord,
    RecordKind,
)
from mnemoscope.domain.foreign.message_tree import NO_PARENT
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from mnemoscope.store.foreign.exports.export_transcript import (
    ExportTranscript,
)
from mnemoscope.store.foreign.exports.listed_export import ListedExport
from mnemoscope.store.foreign.reading.json_array import decoded_object
from mnemoscope.store.foreign.reading.markdown_facts import memories_in
from mnemoscope.store.foreign.reading.record_values import list_in, object_in, stated_moment, text_in

CONVERSATIONS: Final = r"conversations([-_]\d+)?\.json|conversations([-_]\d+)?/.*\.json"
MEMORIES: Final = r"memories([-_]\d+)?\.json|memories([-_]\d+)?/.*\.json"
_ROOT: Final = "00000000-0000-4000-8000-000000000000"
"""The parent that the first message of a conversation names."""


class ClaudeExport(ListedExport):
    """Reads Claude's export."""

    format_name = "claude"
    title = "Claude"

    def __init__(self, files: ExportFiles) -> None:
        super().__init__(files, CONVERSATIONS)
        self._memories = list(self._read_memories())

    def memories(self) -> Sequence[ForeignMemory]:
        """Returns the lines of Claude's memory."""
        return self._memories

    def _key(self, conversation: Mapping[str, Any]) -> str:
        return text_in(conversation.get("uuid")) if isinstance(conversation.get("chat_messages"), list) else ""

    def _listed(self, key: str, name: str, conversation: Mapping[str, Any], size: int) -> ForeignConversation:
        return ForeignConversation(
            id=key,
            path=name,
            title=" ".join(text_in(conversation.get("name")).split()),
            created_at=stated_moment(conversation.get("created_at")),
            updated_at=stated_moment(conversation.get("updated_at")),
            size=size,
        )

    def _transcript(self, conversation: Mapping[str, Any]) -> ExportTranscript:
        messages = [object_in(each) for each in list_in(conversation.get("chat_messages"))]
        is_tree = sum(bool(text_in(each.get("parent_message_uuid"))) for each in messages) > 1
        records: list[ForeignRecord] = []
        parents: list[int] = []
        ends: dict[str, int] = {}
        last = NO_PARENT
        for message in messages:
            stated = text_in(message.get("parent_message_uuid"))
            above = ends.get(stated, NO_PARENT if stated == _ROOT else last) if is_tree else last
            for record in _records(message):
                records.append(record)
                parents.append(above)
                above = len(records) - 1
            last = above
            ends.setdefault(text_in(message.get("uuid")), above)
        return ExportTranscript(records, parents, ends.get(text_in(conversation.get("current_leaf_message_uuid")), -1))

    def _read_memories(self) -> Iterator[ForeignMemory]:
        seen: set[str] = set()
        for _, raw in self._elements(MEMORIES):
            found = decoded_object(raw) or {}
            texts = [("", found.get("conversations_memory"))]
            texts += [(str(project), text) for project, text in object_in(found.get("project_memories")).items()]
            for file in list_in(found.get("memory_files")):
                file = object_in(file)
                texts.append((text_in(file.get("path") or file.get("name")), file.get("content") or file.get("text")))
            for about, text in texts:
                for memory in memories_in(text_in(text), f"Project {about}" if about else ""):
                    if memory.text not in seen:
                        seen.add(memory.text)
                        yield memory


def _records(message: Mapping[str, Any]) -> Iterator[ForeignRecord]:
    """Yields the messages that one of an export is: an answer with calls is followed by what each gave back."""
    sender, id_ = text_in(message.get("sender")), text_in(message.get("uuid"))
    when = stated_moment(message.get("created_at"))
    if sender == "human":
        text, quotes = _said(message)
        images = len(list_in(message.get("files")))
        kind = RecordKind.PERSON if text or images else RecordKind.ASIDE
        yield ForeignRecord(kind, id_, text, when, images=images, quotes=quotes)
        return
    if sender != "assistant":
        raw = msgspec.json.encode(message)[:2_000].decode("utf-8", "replace")
        yield ForeignRecord(RecordKind.UNKNOWN, id_, _words(message), when, raw=raw)
        return
    blocks = [object_in(each) for each in list_in(message.get("content"))]
    if not any(each.get("type") in ("tool_use", "tool_result") for each in blocks):
        text = _words(message)
        yield ForeignRecord(RecordKind.ANSWER if text else RecordKind.ASIDE, id_, text, when)
        return
    yield from _parts(blocks, id_, when)


def _parts(blocks: Sequence[Mapping[str, Any]], id_: str, when: datetime | None) -> Iterator[ForeignRecord]:
    """Yields an answer with all that it says and calls, and then what each call gave back."""
    answer, results, called = ForeignRecord(RecordKind.ANSWER, id_, "", when), list[ForeignRecord](), ""
    for number, block in enumerate(blocks):
        kind = block.get("type")
        if kind == "tool_result":
            results.append(
                ForeignRecord(
                    kind=RecordKind.RESULT,
                    id=f"{id_}/{number}",
                    text=_text_of_blocks(block.get("content")),
                    when=stated_moment(block.get("stop_timestamp")) or when,
                    answers=text_in(block.get("tool_use_id")) or called,
                    tool=text_in(block.get("name")),
                    failed=block.get("is_error") is True,
                )
            )
        elif kind == "tool_use":
            called = text_in(block.get("id")) or f"{id_}/{number}"
            call = ForeignCall(called, text_in(block.get("name")) or "tool", object_in(block.get("input")))
            answer = replace(answer, calls=(*answer.calls, call))
        elif kind == "text" and (text := text_in(block.get("text")).strip()):
            answer = replace(answer, text=f"{answer.text}\n\n{text}".strip())
    if answer.text or answer.calls:
        yield answer
    yield from results


def _words(message: Mapping[str, Any]) -> str:
    return _text_of_blocks(message.get("content")) or text_in(message.get("text")).strip()


def _said(message: Mapping[str, Any]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Returns the person's words with the texts of attached files after them, and the spans that are files'."""
    text, spans = _words(message), list[tuple[int, int]]()
    for each in list_in(message.get("attachments")):
        content = text_in(object_in(each).get("extracted_content"))
        if content:
            text += "\n\n" if text else ""
            quoted = f"[{text_in(object_in(each).get('file_name')) or 'file'}]\n{content}"
            spans.append((len(text), len(text) + len(quoted)))
            text += quoted
    return text, tuple(spans)


def _text_of_blocks(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    blocks = [object_in(each) for each in list_in(content)]
    return "\n\n".join(
        text for each in blocks if each.get("type") == "text" and (text := text_in(each.get("text")).strip())
    )
