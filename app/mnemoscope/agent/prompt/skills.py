"""Skills: instructions in `skills/<name>/SKILL.md`, some always in the prompt, the others read when needed.

Format: front matter between `---` lines with `name`, `description`, `always: true`, and, as nanobot writes it, a
`metadata` value in JSON whose `nanobot` object may say `always` and `requires: {bins, env}`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.text.front_matter import split_front_matter
from mnemoscope.domain.text.json_text import parsed_object
from mnemoscope.store.files.shipped import shipped

SKILL_FILE: Final = "SKILL.md"
_SKILL_LIMIT: Final = 32_000
"""Characters read of one skill."""
_TRUE: Final = frozenset({"true", "yes", "1"})


@dataclass(frozen=True, slots=True)
class Skill:
    """Describes one skill. `location` is relative for the workspace's own; `missing` names what it needs and lacks."""

    name: str
    description: str
    location: str
    text: str
    always: bool
    missing: tuple[str, ...] = ()


def find_skills(workspace: Path) -> list[Skill]:
    """Returns the workspace's skills and the shipped ones, by name; the workspace's own stand before a shipped one."""
    found: dict[str, Skill] = {}
    for folder, root in ((shipped("resources", "skills"), None), (workspace / "skills", workspace)):
        for skill in _skills_in(folder, root):
            found[skill.name] = skill
    return sorted(found.values(), key=lambda skill: skill.name)


def skill_index(skills: Iterable[Skill]) -> str:
    """Returns the index a model sees: name, description and where to read the whole."""
    return "\n".join(["<skills>", *map(_index_entry, skills), "</skills>"])


def _index_entry(skill: Skill) -> str:
    lines = [
        f'  <skill available="{str(not skill.missing).lower()}">',
        f"    <name>{escape(skill.name, quote=False)}</name>",
        f"    <description>{escape(skill.description, quote=False)}</description>",
        f"    <location>{escape(skill.location, quote=False)}</location>",
    ]
    if skill.missing:
        lines.append(f"    <requires>{escape(', '.join(skill.missing), quote=False)}</requires>")
    return "\n".join([*lines, "  </skill>"])


def _skills_in(folder: Path, root: Path | None) -> list[Skill]:
    try:
        files = sorted(home / SKILL_FILE for home in folder.iterdir() if (home / SKILL_FILE).is_file())
    except OSError:
        return []
    read = (_read_skill(file, str(file.relative_to(root) if root else file)) for file in files)
    return [skill for skill in read if skill is not None]


def _read_skill(file: Path, location: str) -> Skill | None:
    try:
        with file.open(encoding="utf-8-sig", errors="replace") as stream:
            content = stream.read(_SKILL_LIMIT)
    except OSError:
        return None
    stated, text = split_front_matter(content)
    fields = _fields_in(stated)
    theirs = _nanobot_metadata(fields.get("metadata", ""))
    return Skill(
        name=fields.get("name") or file.parent.name,
        description=fields.get("description") or file.parent.name,
        location=location,
        text=text.strip(),
        always=fields.get("always", "").lower() in _TRUE or theirs.get("always") is True,
        missing=_missing(theirs.get("requires")),
    )


def _fields_in(stated: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in stated.splitlines():
        name, colon, value = line.partition(":")
        if colon and not name.startswith((" ", "\t", "#")):
            fields[name.strip()] = _unquoted(value.strip())
    return fields


def _unquoted(value: str) -> str:
    is_quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if is_quoted else value


def _nanobot_metadata(value: str) -> Mapping[str, Any]:
    inner = parsed_object(value).get("nanobot")
    return inner if isinstance(inner, dict) else {}


def _missing(requires: object) -> tuple[str, ...]:
    if not isinstance(requires, Mapping):
        return ()
    programs = [name for name in _texts(requires.get("bins")) if shutil.which(name) is None]
    variables = [name for name in _texts(requires.get("env")) if name not in os.environ]
    return (*programs, *variables)


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
