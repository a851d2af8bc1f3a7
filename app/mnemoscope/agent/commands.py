"""Slash commands: what there is, and how the composer completes and reads them."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.frozen import frozen


@frozen
class CommandInfo:
    """One command as the composer and /help show it. `name` without the slash."""

    name: str
    usage: str
    help: str


@frozen
class Command:
    """What a person typed: a name without the slash, in lower case, and the rest of the line."""

    name: str
    argument: str


COMMANDS: Final = (
    CommandInfo("new", "/new", "Consolidate what is left, keep the transcript in the archive, and start afresh"),
    CommandInfo("memory", "/memory", "Show MEMORY.md, what is remembered for good"),
    CommandInfo("history", "/history [n]", "Show the last entries of the history log (5, or n)"),
    CommandInfo("consolidate", "/consolidate", "Move older messages into memory now, without waiting until it is due"),
    CommandInfo("compact", "/compact", "Sum up the conversation so far, so that a model is sent less of it"),
    CommandInfo("dream", "/dream", "Let Dream read what happened, and tend memory, now"),
    CommandInfo("dream-log", "/dream-log [sha]", "Show what Dream changed last, or one version of memory"),
    CommandInfo("dream-restore", "/dream-restore [sha]", "List Dream's changes, or undo one and keep everything later"),
    CommandInfo("dream-prompt", "/dream-prompt [init]", "Show how Dream is guided, or make a guide that you can edit"),
    CommandInfo("model", "/model [name]", "Show the model that answers, or choose another by name"),
    CommandInfo("help", "/help", "Show this list"),
    CommandInfo("stop", "/stop", "Stop the answer being written; what has arrived is kept"),
)
_COMMAND: Final = re.compile(r"/([A-Za-z][A-Za-z-]*)(?:\s+(.*))?", re.DOTALL)


def read_command(text: str) -> Command | None:
    """The command in a message, or None where it is an ordinary message (a path such as /etc/hosts is one)."""
    match = _COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    return Command(match[1].lower(), (match[2] or "").strip())


def complete(prefix: str) -> tuple[CommandInfo, ...]:
    """The commands that continue what stands in the composer; none once there is more than the command's name."""
    if not prefix.startswith("/") or any(char.isspace() for char in prefix):
        return ()
    return tuple(info for info in COMMANDS if info.name.startswith(prefix[1:].lower()))


def is_known(command: Command) -> bool:
    """Whether there is such a command."""
    return any(info.name == command.name for info in COMMANDS)


def help_text() -> str:
    """The list of commands, in Markdown."""
    return "\n".join(f"- `{info.usage}`  {info.help}." for info in COMMANDS)
