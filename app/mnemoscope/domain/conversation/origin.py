"""Whose words a message holds. Told by its role and by fields of ours, never by the words, which anybody can forge.

`origin`: "file" on the result of reading one; absent where the role says it all. `quotes`: what the person did not
write but put in, as a list of [start, stop, "paste" | "file"] in characters of the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mnemoscope.domain.conversation.message import text_of, tool_calls_of
from mnemoscope.domain.text.fences import parts_of

if TYPE_CHECKING:
    from mnemoscope.domain.review.evidence import Sources

PERSON: Final = "person"
MODEL: Final = "model"
TOOL: Final = "tool"
FILE: Final = "file"
PASTE: Final = "paste"
LOOKED_BACK: Final = 200
"""Messages before those that are judged in which text of tools and files is looked for: a model had no more of them."""
Quote = tuple[int, int, str]
"""[start, stop) of a content, in characters, and where it came from: PASTE or FILE."""
_BY_ROLE: Final[Mapping[str, str]] = {"user": PERSON, "assistant": MODEL}
_QUOTATION: Final = re.compile(r" {0,3}>")

_PATH_ARGUMENT: Final = re.compile(r'"path": ?"([\w./-]{1,80})"')


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a message's words and whose they are: PERSON, MODEL, TOOL, FILE or PASTE."""

    origin: str
    text: str

    @property
    def is_quoted(self) -> bool:
        """Whether neither of the two wrote it: material, never an instruction."""
        return self.origin not in (PERSON, MODEL)


def origin_of(message: Mapping[str, Any]) -> str:
    """PERSON, MODEL, TOOL or FILE. What is neither a role nor an origin that is known counts as a tool's."""
    stated = message.get("origin")
    by_role = _BY_ROLE.get(str(message.get("role")), TOOL)
    if stated in (None, by_role):
        return by_role
    return FILE if stated in (FILE, PASTE) else TOOL


def parts_of_message(message: Mapping[str, Any]) -> list[Part]:
    """The message's words in order, each stretch with its origin."""
    text, origin = text_of(message), origin_of(message)
    if origin != PERSON:
        return [Part(origin, text)] if text else []
    found: list[Part] = []
    place = 0
    for start, stop, name in _quotes(message, text):
        found += [Part(PERSON, text[place:start]), Part(name, text[start:stop])]
        place = stop
    return [part for part in (*found, Part(PERSON, text[place:])) if part.text.strip()]


def recorded_quotes(recorded: object, length: int) -> list[Quote]:
    """What a field `quotes` says of a text of that length; entries that fit none are left out."""
    return [span for each in recorded if (span := _span(each, length))] if isinstance(recorded, list | tuple) else []


def quotes_in(message: Mapping[str, Any]) -> list[Quote]:
    """What of a person's message is recorded as put in rather than written; `[]` for anybody else's."""
    is_person = origin_of(message) == PERSON
    return recorded_quotes(message.get("quotes"), len(text_of(message))) if is_person else []


def origins_to_tell(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Origins that its role does not tell: FILE for what a file says, PASTE and FILE for parts a person put in."""
    quoted = {origin for _, _, origin in quotes_in(message)}
    stated = {FILE} if origin_of(message) == FILE else set()
    return tuple(origin for origin in (PASTE, FILE) if origin in quoted | stated)


def sources_of(messages: Sequence[Mapping[str, Any]], earlier: Sequence[Mapping[str, Any]] = ()) -> Sources:
    """Who said what. `earlier`: messages before these, whose quoted text the model may still have had before it."""
    teller = _Teller()
    for message in (*earlier, *messages):
        for part in sorted(parts_of_message(message), key=lambda part: part.is_quoted):
            teller.take(part)
        teller.named += _named_files(message)
    days = dict.fromkeys(str(message.get("timestamp") or "")[:10] for message in messages)
    return teller.sources((*days, *teller.named))


class _Teller:
    """Sorts parts by who said them; an answer stands beside what the person said before and after it.

    What the assistant says once quoted text has come in, it may only be repeating. Its words count as its own before
    any quoted text, and later in a turn that brought none, where the person spoke of the same thing.
    """

    def __init__(self) -> None:
        self.spoken: list[str] = []
        self.quoted: list[str] = []
        self.named: list[str] = []
        self._answered: list[str] = []
        self._exchanges: list[tuple[int, str]] = []
        self._is_repeating = False

    def take(self, part: Part) -> None:
        if part.is_quoted:
            self.quoted.append(part.text)
            self._is_repeating = True
        elif part.origin == PERSON:
            self.spoken.append(part.text)
            self._is_repeating = False
        elif not self.quoted:
            self._answered.append(part.text)
        elif not self._is_repeating:
            self._exchanges.append((len(self.spoken), part.text))

    def sources(self, unsaid: Sequence[str]) -> Sources:
        from mnemoscope.domain.review.evidence import MESSAGE_END, Sources  # its rules: not before something is judged

        around = tuple(("\n".join(self.spoken[max(0, at - 1) : at + 1]), text) for at, text in self._exchanges)
        spoken, answered, quoted, said_by_name = (
            MESSAGE_END.join(each) for each in (self.spoken, self._answered, self.quoted, unsaid)
        )
        return Sources(spoken, answered, quoted, said_by_name, around)


def _named_files(message: Mapping[str, Any]) -> list[str]:
    """Files of the workspace that the model named to its tools: a note may say where something is."""
    given = (str((call.get("function") or {}).get("arguments")) for call in tool_calls_of(message))
    return [found[1] for arguments in given for found in _PATH_ARGUMENT.finditer(arguments)]


def _quotes(message: Mapping[str, Any], text: str) -> Iterator[Quote]:
    """In order and apart: those that are recorded, and what the person marked themselves."""
    spans = recorded_quotes(message.get("quotes"), len(text))
    spans += [(start, stop, PASTE) for start, stop in _marked(text)]
    place = 0
    for start, stop, name in sorted(spans):
        if stop > place:
            yield max(start, place), stop, name
            place = stop


def _marked(text: str) -> Iterator[tuple[int, int]]:
    """Yield [start, stop) of what the person themselves marks as somebody else's: blocks of code, and quotations."""
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


def _span(value: object, length: int) -> Quote | None:
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    start, stop, name = value
    if not isinstance(start, int) or not isinstance(stop, int) or not 0 <= start < stop <= length:
        return None
    return start, stop, FILE if name == FILE else PASTE
