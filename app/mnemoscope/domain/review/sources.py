"""The evidence gate compares new lines of memory with the sources of a conversation: who said what in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import tool_calls_of
from mnemoscope.domain.conversation.origin import PERSON, MessagePart, parts_of_message

MESSAGE_END: Final = "\x1e"
"""The separator of the messages within a text of `Sources`."""
LOOKED_BACK: Final = 200
"""Messages before those that are judged in which text of tools and files is looked for: a model had no more of them."""
_PATH_ARGUMENT: Final = re.compile(r'"path": ?"([\w./-]{1,80})"')


@dataclass(frozen=True, slots=True)
class Sources:
    """Holds the words of a conversation by who said them; messages are separated by `MESSAGE_END`.

    `spoken` are the person's own words; `answered` is what the assistant said before it had seen anything quoted;
    `quoted` are texts of tools and files and what was pasted. `dates` are the days of the conversation and the files it
    is about, which a model may name unsaid.
    """

    spoken: str = ""
    answered: str = ""
    quoted: str = ""
    dates: str = ""
    exchanges: tuple[tuple[str, str], ...] = ()
    """Later answers in turns that quoted nothing, each with what the person said before and after it."""


def sources_of(messages: Sequence[Mapping[str, Any]], earlier: Sequence[Mapping[str, Any]] = ()) -> Sources:
    """Returns who said what. `earlier` are messages before these, whose quoted text the model may still have had before
    it."""
    sorter = _SourceSorter()
    for message in (*earlier, *messages):
        for part in sorted(parts_of_message(message), key=lambda part: part.is_quoted):
            sorter.take(part)
        sorter.named += _named_files(message)
    days = dict.fromkeys(str(message.get("timestamp") or "")[:10] for message in messages)
    return sorter.sources((*days, *sorter.named))


class _SourceSorter:
    """Sorts parts by who said them; an answer stands beside what the person said before and after it.

    Once quoted text has come in, the assistant may only be repeating it. Its words count as its own before any quoted
    text, and later in a turn that brought none, if the person spoke of the same thing.
    """

    def __init__(self) -> None:
        self.spoken: list[str] = []
        self.quoted: list[str] = []
        self.named: list[str] = []
        self._answered: list[str] = []
        self._exchanges: list[tuple[int, str]] = []
        self._is_repeating = False

    def take(self, part: MessagePart) -> None:
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
        around = tuple(("\n".join(self.spoken[max(0, at - 1) : at + 1]), text) for at, text in self._exchanges)
        spoken, answered, quoted, said_by_name = (
            MESSAGE_END.join(each) for each in (self.spoken, self._answered, self.quoted, unsaid)
        )
        return Sources(spoken, answered, quoted, said_by_name, around)


def _named_files(message: Mapping[str, Any]) -> list[str]:
    """Returns the files of the workspace that the model named to its tools, since a note may say where something is."""
    given = (str((call.get("function") or {}).get("arguments")) for call in tool_calls_of(message))
    return [found[1] for arguments in given for found in _PATH_ARGUMENT.finditer(arguments)]
