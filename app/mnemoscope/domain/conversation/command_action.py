"""A command's answer can offer buttons in the transcript, each of which runs a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

ACTIONS: Final = "_actions"
"""The field of a record that holds them; ours, which other programs pass over."""


@dataclass(frozen=True, slots=True)
class CommandAction:
    """Describes a button with its label and the command it sends, slash included."""

    label: str
    command: str


def as_field(actions: Iterable[CommandAction]) -> list[dict[str, str]]:
    """Returns the actions as the field of a record."""
    return [{"label": each.label, "command": each.command} for each in actions]


def actions_of(message: Mapping[str, Any]) -> tuple[CommandAction, ...]:
    """Returns the actions that a record offers; anything else in the field is passed over."""
    given = message.get(ACTIONS)
    found = (_action(each) for each in given) if isinstance(given, list) else ()
    return tuple(each for each in found if each is not None)


def _action(record: object) -> CommandAction | None:
    if not isinstance(record, Mapping):
        return None
    label, command = record.get("label"), record.get("command")
    if not isinstance(label, str) or not isinstance(command, str) or not command.startswith("/"):
        return None
    return CommandAction(label, command)
