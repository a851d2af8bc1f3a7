"""A summary for history.jsonl without a language model: a fact line for what was stated, and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.llm.offline import request_reader
from mnemoscope.llm.offline.facts import facts_in
from mnemoscope.llm.offline.history_entry import history_entry

_HEADING: Final = "\n## Conversation to Summarise\n"
_KINDS: Final[Mapping[str, str]] = {"person": "permanent", "preference": "permanent"}
NOTHING: Final = "(nothing)"


def is_asked(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a part of a conversation is to be summarised."""
    return _HEADING in _question(messages) and any(message.get("role") == "system" for message in messages)


def summary(messages: Sequence[Mapping[str, Any]]) -> str:
    """Fact lines, or `(nothing)`. Only the person's own words become facts."""
    spoken = request_reader.conversation(_question(messages), request_reader.fence_in(messages))
    facts = [fact for line in spoken if line.role == "USER" for fact in facts_in(line.text)]
    lines = [f"- [{_KINDS.get(fact.kind, 'durable')}] {fact.text}" for fact in facts]
    happened = history_entry(spoken).partition("] ")[2].strip()
    lines += [f"- [ephemeral] {happened}"] if happened else []
    return "\n".join(dict.fromkeys(lines)) or NOTHING


def _question(messages: Sequence[Mapping[str, Any]]) -> str:
    asked = [text_of(message) for message in messages if message.get("role") == "user"]
    return "\n" + asked[-1] if asked else ""
