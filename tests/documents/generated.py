"""Tables of settings and slash commands, and where a page holds a table that is made from the code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from mnemoscope.agent.commands.slash_commands import COMMANDS, CommandInfo
from mnemoscope.domain.settings import FIELDS, PROFILES, Field, Settings

ROOT: Final = Path(__file__).resolve().parents[2]
MANUAL: Final = ROOT / "resources" / "manual"
_END: Final = "<!-- end -->"


def settings_table() -> str:
    """Returns one row for each setting of config.json."""
    rows = [f"| `{'.'.join(each.path)}` | `{_default(each)}` | {_accepted(each)} | {each.meaning} |" for each in FIELDS]
    return "\n".join(["| key | default | accepts | meaning |", "|---|---|---|---|", *rows])


def slash_table() -> str:
    """Returns one row for each slash command."""
    rows = [f"| `{each.usage}` | {each.help} | {_profiles(each)} |" for each in COMMANDS]
    return "\n".join(["| command | what it does | profiles |", "|---|---|---|", *rows])


def with_table(page: str, name: str, table: str) -> str:
    """Returns the text of a page with this table between its two marks; ValueError if they are missing."""
    begin = f"<!-- generated: {name} -->"
    before, found, rest = page.partition(begin)
    _old, closed, after = rest.partition(_END)
    if not (found and closed):
        raise ValueError(f"the page has no place for the table of {name}")
    return f"{before}{begin}\n\n{table}\n\n{_END}{after}"


def _default(field: Field) -> str:
    return json.dumps(getattr(Settings(), field.name))


def _accepted(field: Field) -> str:
    if field.choices:
        return ", ".join(f"`{json.dumps(choice)}`" for choice in field.choices)
    if field.low is not None and field.high is not None:
        return f"{int(field.low):,} to {int(field.high):,}"
    return {bool: "true, false", str: "text", tuple: "a list"}[field.kind]


def _profiles(info: CommandInfo) -> str:
    return (
        "all" if info.profiles == frozenset(PROFILES) else ", ".join(each for each in PROFILES if each in info.profiles)
    )
