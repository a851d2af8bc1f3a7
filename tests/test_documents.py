"""README.md says what the code says: settings, slash commands, shortcuts, links."""

import json
import re
from pathlib import Path

import pytest

from mnemoscope.agent.commands.slash_commands import COMMANDS
from mnemoscope.domain.settings import FIELDS, Field, Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def row_of(field: Field) -> str:
    """How the table of settings begins for this one."""
    accepted = ", ".join(f"`{json.dumps(choice)}`" for choice in field.choices)
    if field.low is not None and field.high is not None:
        accepted = f"{int(field.low):,} to {int(field.high):,}"
    kinds = {bool: "true, false", str: "text"}
    default = json.dumps(getattr(Settings(), field.name))
    return f"| `{'.'.join(field.path)}` | `{default}` | {accepted or kinds[field.kind]} |"


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_the_readme_states_each_setting_with_its_default_and_what_it_accepts(field: Field) -> None:
    assert row_of(field) in README


def test_the_readme_lists_every_slash_command() -> None:
    assert [info.usage for info in COMMANDS if f"| `{info.usage}` |" not in README] == []


def test_the_readme_lists_every_shortcut_of_the_window() -> None:
    source = (ROOT / "app" / "mnemoscope" / "ui" / "shell" / "window_commands.py").read_text(encoding="utf-8")
    keyboard = README.partition("## Keyboard")[2].partition("\n## ")[0]
    # The panes are numbered there in one row; two keys make one larger.
    shortcuts = set(re.findall(r'"(Ctrl\+[^"{]+|Esc)"', source)) - {"Ctrl++", "Ctrl+="}
    assert len(shortcuts) > 10
    assert sorted(keys for keys in shortcuts if keys not in keyboard) == []


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    titles = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}
    for path, anchor in LINK.findall(text):
        assert not path or (ROOT / path).is_file(), path
        assert path or anchor in titles, anchor
