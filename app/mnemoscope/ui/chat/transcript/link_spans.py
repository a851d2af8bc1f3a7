"""Finds what can be pressed in the text of the transcript: a piece of text has either an address or an action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor

from mnemoscope.ui.chat.message_actions import MessageAction
from mnemoscope.ui.chat.transcript.transcript_document import TranscriptDocument
from mnemoscope.ui.markdown.document.document_writer import fragments_of


@dataclass(frozen=True, slots=True)
class LinkSpan:
    """Tells that the characters [start, stop) of the document have an action, or else lead to an address."""

    start: int
    stop: int
    action: MessageAction | None
    address: str


def link_spans(transcript: TranscriptDocument, block: QTextBlock) -> Iterator[LinkSpan]:
    """Yields what can be pressed in a block, in the order of the text; neighbours that do the same are one."""
    found = [(each, *_target_of(transcript, each.charFormat())) for each in fragments_of(block)]
    for (action, address), run in groupby(found, key=lambda each: each[1:]):
        if action is not None or address:
            parts = [fragment for fragment, *_ in run]
            yield LinkSpan(parts[0].position(), parts[-1].position() + parts[-1].length(), action, address)


def _target_of(transcript: TranscriptDocument, form: QTextCharFormat) -> tuple[MessageAction | None, str]:
    action = transcript.actions.action_of(form)
    return action, form.anchorHref() if action is None else ""


def link_span_at(transcript: TranscriptDocument, position: int) -> LinkSpan | None:
    """Returns what can be pressed at a position of the document, if there is anything."""
    after = QTextCursor(transcript.document)
    after.setPosition(min(position + 1, transcript.document.characterCount() - 1))
    if not any(_target_of(transcript, after.charFormat())):
        # Most text leads nowhere. It is told without a look at all of its block, which may be very long.
        return None
    spans = link_spans(transcript, transcript.document.findBlock(position))
    return next((each for each in spans if each.start <= position < each.stop), None)


def link_span_after(transcript: TranscriptDocument, position: int) -> LinkSpan | None:
    """Returns the first that begins at a position of the document or later."""
    block = transcript.document.findBlock(position)
    while block.isValid():
        for each in link_spans(transcript, block):
            if each.start >= position:
                return each
        block = block.next()
    return None


def link_span_before(transcript: TranscriptDocument, position: int) -> LinkSpan | None:
    """Returns the last that ends at a position of the document or earlier."""
    block = transcript.document.findBlock(position)
    while block.isValid():
        for each in reversed(list(link_spans(transcript, block))):
            if each.stop <= position:
                return each
        block = block.previous()
    return None
