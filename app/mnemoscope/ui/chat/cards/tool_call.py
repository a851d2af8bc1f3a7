"""One tool call as the transcript knows it: what was asked, how far it is, what came of it. No Qt widgets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mnemoscope.agent.tools.command_quoting import shown_command
from mnemoscope.domain.conversation.message import NOT_RUN, NOT_WRITTEN, Message, tool_call_name, tool_calls_of
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.ui.chat.transcript_words import tr


@dataclass(slots=True, eq=False)
class ToolCall:
    """Describes one tool call as its card shows it; `milliseconds` below 0 means not known."""

    call_id: str
    name: str
    arguments: str = ""
    summary: str = ""
    milliseconds: float = -1.0
    succeeded: bool = True
    running: bool = False
    waits: bool = False
    """It runs, but for a person who has not said yet whether it may."""
    unfolded: bool = False
    result: str | None = None
    whole: str = ""
    """The file that has all of its result, "" where all of it is here."""
    change: str = ""
    """The change of MEMORY.md it made, by its id; "" for none."""
    undone: bool | None = None
    """Whether that change was taken back; None where it is not known, or nothing can be done about it here."""
    is_file: bool = False
    """Its result is what a file says."""

    @property
    def is_held(self) -> bool:
        """Returns whether it wanted to write memory, and its text waits for the person."""
        return (self.result or self.summary).startswith(NOT_WRITTEN)


def tool_calls_shown(message: Message) -> list[ToolCall]:
    """Returns the calls a message declares, and the reasoning it came with as one more card, all folded."""
    calls = [
        ToolCall(str(call.get("id") or ""), tool_call_name(call), _arguments_of(call))
        for call in tool_calls_of(message)
    ]
    reasoning = message.get("reasoning_content")
    if isinstance(reasoning, str) and reasoning.strip():
        thought = ToolCall("reasoning", tr("Reasoning"), result=reasoning.strip())
        thought.summary = _count_of_lines(thought.result or "")
        calls.insert(0, thought)
    return calls


def _arguments_of(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    arguments = function.get("arguments") if isinstance(function, Mapping) else call.get("arguments")
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False, default=str) if arguments else ""


def command_line(call: ToolCall) -> str:
    """Returns what an exec call would run, as the card that asks about it shows it, or "" for any other call."""
    values = arguments_of(call) if call.name == "exec" else None
    argv = values.get("argv") if isinstance(values, dict) else None
    if not argv or not isinstance(argv, list) or not all(isinstance(word, str) for word in argv):
        return ""
    return shown_command(argv)


def short_arguments(call: ToolCall) -> str:
    """Returns the command, or the argument a person knows a call by, quoted, or all of them as JSON in one line."""
    if command := command_line(call):
        return command[:200]
    values = arguments_of(call)
    if values is None:
        return " ".join(call.arguments.split())[:200]
    if isinstance(values, dict):
        words = [value for value in values.values() if isinstance(value, str)]
        if words:
            return f'"{" ".join(words[0].split())[:200]}"'
        if not values:
            return ""
    return " ".join(json.dumps(values, ensure_ascii=False).split())[:200]


def arguments_of(call: ToolCall) -> Any:
    """Returns what the JSON of its arguments holds, or None if it is no JSON."""
    return parsed_json(call.arguments) if call.arguments else {}


def result_summary(result: str) -> str:
    """Returns a few words on what a tool gave back."""
    first = result.strip().split("\n", 1)[0]
    if first.startswith(NOT_RUN):
        return first
    if "\n" in result.strip() or len(first) > 40:
        return _count_of_lines(result)
    return first or tr("nothing")


def _count_of_lines(text: str) -> str:
    lines = text.strip().count("\n") + 1
    return tr("1 line") if lines == 1 else tr("{count} lines").format(count=lines)
