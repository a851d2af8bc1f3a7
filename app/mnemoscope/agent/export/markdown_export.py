"""A conversation as Markdown: what was said stands in it as it was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from mnemoscope.agent.export.exported_conversation import (
    ExportedConversation,
    ExportedEntry,
    ExportWords,
    entries_of,
)
from mnemoscope.domain.conversation.attachment import image_words
from mnemoscope.domain.text.escape_markdown import escaped_line
from mnemoscope.domain.text.fences import fenced

NO_PLACES: Final = MappingProxyType[str, str]({})


def markdown_parts(
    conversation: ExportedConversation, words: ExportWords, places: Mapping[str, str] = NO_PLACES
) -> Iterator[str]:
    """Yields the text of an export, a message at a time. `places`: where images lie, by their hash, as links have it;
    one that lies nowhere is told in words."""
    count = words.counted(conversation.messages)
    yield f"# {escaped_line(conversation.title) or words.untitled}\n\n*{count}*\n"
    for entry in entries_of(conversation, words):
        yield "\n" + "\n\n".join(_blocks(entry, places)) + "\n"


def _blocks(entry: ExportedEntry, places: Mapping[str, str]) -> Iterator[str]:
    if entry.kind == "pointer":
        yield f"---\n\n*{entry.words}*\n\n---"
        return
    if entry.kind == "gap":
        yield f"*{entry.words}*"
        return
    when = f" · {entry.when:%Y-%m-%d %H:%M}" if entry.when else ""
    yield f"## {escaped_line(entry.speaker)}{when}"
    if entry.words.strip():
        yield entry.words.strip("\n")
    for each in entry.images:
        place = places.get(each.sha256)
        yield f"![{escaped_line(each.name)}]({place})" if place else escaped_line(image_words(each))
    for aside in entry.asides:
        yield f"**{escaped_line(aside.title)}**"
        for label, text in aside.texts:
            if label:
                yield f"{label}:"
            yield fenced(text)
    for note in entry.notes:
        yield f"*{escaped_line(note)}*"
