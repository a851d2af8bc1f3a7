"""Each part of a message has an origin: the person, the model, a tool, a file or a paste.

It is known by the message's role and by fields of ours, never by the words, which anybody can forge. `origin` is "file"
on the result of reading one and absent if the role says it all. `quotes` lists what the person did not write but put
in, as [start, stop, "paste" | "file"] in characters of the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.attachment import attachments_of, names_of_images
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.text.fences import parts_of

PERSON: Final = "person"
MODEL: Final = "model"
TOOL: Final = "tool"
FILE: Final = "file"
PASTE: Final = "paste"
QuotedSpan = tuple[int, int, str]
"""[start, stop) of a content, in characters, and where it came from: PASTE or FILE."""
_BY_ROLE: Final[Mapping[str, str]] = {"user": PERSON, "assistant": MODEL}
_QUOTATION: Final = re.compile(r" {0,3}>")


@dataclass(frozen=True, slots=True)
class MessagePart:
    """Describes a stretch of a message's words with its origin: PERSON, MODEL, TOOL, FILE or PASTE."""

    origin: str
    text: str

    @property
    def is_quoted(self) -> bool:
        """Returns whether neither the person nor the model wrote it: it is material, never an instruction."""
        return self.origin not in (PERSON, MODEL)


def origin_of(message: Mapping[str, Any]) -> str:
    """Returns PERSON, MODEL, TOOL or FILE. A role or an origin that is not known counts as a tool's."""
    stated = message.get("origin")
    by_role = _BY_ROLE.get(str(message.get("role")), TOOL)
    if stated in (None, by_role):
        return by_role
    return FILE if stated in (FILE, PASTE) else TOOL


def parts_of_message(message: Mapping[str, Any]) -> list[MessagePart]:
    """Returns the message's words in order, each stretch with its origin."""
    text, origin = text_of(message), origin_of(message)
    if origin != PERSON:
        return [MessagePart(origin, text)] if text else []
    found: list[MessagePart] = []
    place = 0
    for start, stop, name in _quotes(message, text):
        found += [MessagePart(PERSON, text[place:start]), MessagePart(name, text[start:stop])]
        place = stop
    return [part for part in (*found, MessagePart(PERSON, text[place:])) if part.text.strip()]


def recorded_quotes(recorded: object, length: int) -> list[QuotedSpan]:
    """Returns the spans that a field `quotes` names in a text of that length; entries that do not fit are left out."""
    return [span for each in recorded if (span := _span(each, length))] if isinstance(recorded, list | tuple) else []


def quotes_in(message: Mapping[str, Any]) -> list[QuotedSpan]:
    """Returns the spans of a person's message that are recorded as put in rather than written; `[]` for anybody
    else's."""
    is_person = origin_of(message) == PERSON
    return recorded_quotes(message.get("quotes"), len(text_of(message))) if is_person else []


def origins_beside_role(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the origins that the role does not tell: FILE for a file's text, PASTE and FILE for parts a person put
    in. Of images that were sent without a word there is nothing to tell: they are shown."""
    images = attachments_of(message)
    if images and text_of(message) == names_of_images(images):
        return ()
    quoted = {origin for _, _, origin in quotes_in(message)}
    stated = {FILE} if origin_of(message) == FILE else set()
    return tuple(origin for origin in (PASTE, FILE) if origin in quoted | stated)


def _quotes(message: Mapping[str, Any], text: str) -> Iterator[QuotedSpan]:
    """Yields the spans that are recorded and those that the person marked themselves, in order and apart."""
    spans = recorded_quotes(message.get("quotes"), len(text))
    spans += [(start, stop, PASTE) for start, stop in _marked(text)]
    place = 0
    for start, stop, name in sorted(spans):
        if stop > place:
            yield max(start, place), stop, name
            place = stop


def _marked(text: str) -> Iterator[tuple[int, int]]:
    """Yields [start, stop) of what the person themselves marks as somebody else's: blocks of code, and quotations."""
    place, opened = 0, -1
    for line, part in parts_of(text.split("\n")):
        stop = place + len(line)
        if part == "text":
            if opened >= 0:
                yield opened, place - 1
                opened = -1
            if _QUOTATION.match(line):
                yield place, stop
        elif opened < 0:
            opened = place
        place = stop + 1
    if opened >= 0 and "\n" in text[opened:]:
        yield opened, len(text)


def _span(value: object, length: int) -> QuotedSpan | None:
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    start, stop, name = value
    if not isinstance(start, int) or not isinstance(stop, int) or not 0 <= start < stop <= length:
        return None
    return start, stop, FILE if name == FILE else PASTE
