"""Holds the composer's text with its images, and notes what of it the person put in rather than wrote. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mnemoscope.domain.conversation.attachment import Attachment, attachment_field, read_attachments
from mnemoscope.domain.conversation.origin import QuotedSpan, recorded_quotes


@dataclass(frozen=True, slots=True)
class ComposerText:
    """A text with its quotes: what was pasted or came from a file, in characters, in order and apart. `images` go with
    it."""

    text: str = ""
    quotes: tuple[QuotedSpan, ...] = ()
    images: tuple[Attachment, ...] = ()

    @classmethod
    def of_draft(cls, draft: Mapping[str, Any] | None) -> ComposerText:
        """Makes the text from what `as_draft` made; quotes that do not fit the text are dropped."""
        if not draft:
            return cls()
        text = str(draft.get("text", ""))
        quotes = tuple(recorded_quotes(draft.get("quotes"), len(text)))
        return cls(text, quotes, read_attachments(draft.get("attachments")))

    def as_draft(self) -> dict[str, Any]:
        """Returns the text as JSON holds it."""
        draft: dict[str, Any] = {"text": self.text, **attachment_field(self.images)}
        return draft | ({"quotes": [list(quote) for quote in self.quotes]} if self.quotes else {})

    def stripped(self) -> ComposerText:
        """Returns the text without white space around it, as it is sent."""
        start = len(self.text) - len(self.text.lstrip())
        text = self.text.strip()
        return replace(self, text=text, quotes=cut_quotes(self.quotes, start, start + len(text)))


def cut_quotes(quotes: Sequence[QuotedSpan], start: int, stop: int) -> tuple[QuotedSpan, ...]:
    """Returns what of the quotes lies within [start, stop) of their text, counted from `start`."""
    kept = ((max(first, start) - start, min(last, stop) - start, origin) for first, last, origin in quotes)
    return tuple(quote for quote in kept if quote[0] < quote[1])


def joined(first: ComposerText, then: ComposerText) -> ComposerText:
    """Returns one text after the other, each with its quotes, and the images of both."""
    size = len(first.text)
    moved = tuple((start + size, stop + size, origin) for start, stop, origin in then.quotes)
    images = tuple(dict.fromkeys((*first.images, *then.images)))
    return ComposerText(first.text + then.text, first.quotes + moved, images)
