"""Lists the slash commands, and reads one from a message."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.conversation.command_action import CommandAction
from mnemoscope.domain.settings import DREAM, PROFILES


@dataclass(frozen=True, slots=True)
class CommandInfo:
    """Describes one command. `name` without the slash; `brief` as the composer's list shows it, `help` as /help does.

    `profiles`: those in which it is offered.
    """

    name: str
    usage: str
    brief: str
    help: str
    profiles: frozenset[str] = frozenset(PROFILES)


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """Describes a command as a person typed it: a name without the slash, in lower case, and the rest of the line."""

    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds the answer of a command, in Markdown, and the actions it offers next."""

    text: str
    actions: tuple[CommandAction, ...] = ()


_DREAM: Final = frozenset({DREAM})
COMMANDS: Final = (
    CommandInfo(
        "new",
        "/new",
        "Consolidate what is left, then begin anew",
        "Consolidate what is left, keep the conversation in the archive, and begin a new one",
    ),
    CommandInfo("memory", "/memory", "Show what MEMORY.md holds", "Show MEMORY.md, which is in every prompt"),
    CommandInfo(
        "history", "/history [n]", "Show the newest log entries", "Show the last entries of the history log (5, or n)"
    ),
    CommandInfo(
        "consolidate",
        "/consolidate",
        "Move older messages into memory now",
        "Move older messages into memory now, without waiting until it is due",
        frozenset(PROFILES) - _DREAM,
    ),
    CommandInfo(
        "compact",
        "/compact",
        "Sum up the conversation so far",
        "Sum up the conversation so far, so that a model is sent less of it",
        _DREAM,
    ),
    CommandInfo(
        "dream", "/dream", "Let Dream tend memory now", "Let Dream read what happened, and tend memory, now", _DREAM
    ),
    CommandInfo(
        "dream-log",
        "/dream-log [sha]",
        "Show what Dream changed",
        "Show what Dream changed last, or one version of memory",
        _DREAM,
    ),
    CommandInfo(
        "dream-restore",
        "/dream-restore [sha]",
        "Undo a change of Dream's",
        "List Dream's changes, or undo one and keep everything later",
        _DREAM,
    ),
    CommandInfo(
        "dream-prompt",
        "/dream-prompt [init]",
        "Show how Dream is guided",
        "Show how Dream is guided, or make a guide that you can edit",
        _DREAM,
    ),
    CommandInfo(
        "model",
        "/model [name]",
        "Show the model, or take another",
        "Show the model that answers, or choose another by name",
    ),
    CommandInfo("help", "/help", "Show this list", "Show this list"),
    CommandInfo(
        "stop",
        "/stop",
        "Stop the answer, keep what has come",
        "Stop the answer being written; what has arrived is kept",
    ),
)
ASIDE: Final = (
    "`/{name}` belongs to the *dream* profile. Choose *Dream* under *Settings, How memory is kept* to use it."
)
"""Said where a command is typed that the profile in force has no use for."""
_COMMAND: Final = re.compile(r"/([A-Za-z][A-Za-z-]*)(?:\s+(.*))?", re.DOTALL)


def read_command(text: str) -> SlashCommand | None:
    """Returns the command in a message, or None if it is an ordinary message (a path such as /etc/hosts is one)."""
    match = _COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    return SlashCommand(match[1].lower(), (match[2] or "").strip())


def offered(profile: str) -> tuple[CommandInfo, ...]:
    """Returns the commands that are of use in a profile."""
    return tuple(info for info in COMMANDS if profile in info.profiles)


def is_known(command: SlashCommand) -> bool:
    """Returns whether there is such a command, in any profile."""
    return any(info.name == command.name for info in COMMANDS)


def help_text(profile: str) -> str:
    """Returns the list of commands, in Markdown."""
    return "\n".join(f"- `{info.usage}`  {info.help}." for info in offered(profile))
