"""Puts a fact into the text of a memory file, in the form in which its agent keeps facts.

Nothing else of the text changes but blank lines at its end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from mnemoscope.domain.copying.fact_target import FactForm
from mnemoscope.domain.memory.facts import fact_key, fact_lines, fact_text
from mnemoscope.domain.text.characters import on_one_line
from mnemoscope.domain.text.fences import open_fence, parts_of
from mnemoscope.domain.text.json_text import parsed_object

DIVIDER: Final = "\n§\n"
"""Stands between two entries of a memory file of Hermes."""
_BULLET: Final = re.compile(r"[-*+]\s+\S")
_OBSERVATION: Final = re.compile(r"\s*[-*+]\s+\[(?![ xX/-]?\])[^\[\]()]+\](?!\()\s+(?P<words>\S.*)")
_CONTEXT: Final = re.compile(r"\s+\([^()]*\)\s*$")
_TAGS: Final = re.compile(r"(?:\s+#[^\s#]+)+\s*$")
_PERSON: Final = "default_user"
"""The name under which the memory server's own prompt keeps who is spoken with."""
_PERSONS: Final = frozenset({_PERSON, "user", "me"})
"""Names and types of what stands for who is spoken with. A "person" may be anybody they know."""
_SLUG_WORDS: Final = 6
_LONGEST_SLUG: Final = 48


def plain_fact(line: str) -> str:
    """Returns a line of a memory file as a fact by itself: without a list's mark, hidden characters and line breaks.
    The observations of an entity are one."""
    if line.lstrip().startswith("{") and (observations := facts_in(line, FactForm.ENTITY)):
        return on_one_line("; ".join(observations))
    observation = _OBSERVATION.fullmatch(line)
    return on_one_line(observation["words"] if observation else fact_text(line))


def facts_in(text: str, form: FactForm) -> list[str]:
    """Returns the facts that a text states, each without its mark."""
    if form is FactForm.SECTION:
        return [words for entry in text.split(DIVIDER) if (words := on_one_line(entry))]
    if form is FactForm.ENTITY:
        return [each for _, record in _records(text) for each in _observations(record)]
    return [_without_marks(line, form) for line in fact_lines(text)]


def states(text: str, fact: str, form: FactForm) -> bool:
    """Returns whether a text states a fact in the same words; case, marks and punctuation do not matter."""
    wanted = fact_key(fact)
    return bool(wanted) and any(fact_key(each) == wanted for each in facts_in(text, form))


def with_fact(text: str, fact: str, form: FactForm) -> str:
    """Returns the text with the fact in it. A text of lines that end with `\\n` stays one."""
    if form is FactForm.SECTION:
        body = text.rstrip()
        end = "\n" if text.endswith("\n") and body else ""
        return f"{body}{DIVIDER if body else ''}{fact}{end}"
    if form is FactForm.NOTE:
        return f"Add this to memory:\n\n- {fact}\n"
    if form is FactForm.ENTITY:
        return _with_observation(text, fact)
    return _with_line(text, fact, form)


def codex_note_name(fact: str, when: datetime) -> str:
    """Returns the name of the file in which Codex is told a fact: the moment, and some of its words."""
    words = re.findall(r"[a-z0-9]+", fact.casefold())[:_SLUG_WORDS]
    slug = "-".join(words)[:_LONGEST_SLUG].strip("-") or "fact"
    return f"{when:%Y-%m-%dT%H-%M-%S}-{slug}.md"


def _with_line(text: str, fact: str, form: FactForm) -> str:
    """Returns the text with a line more: an observation behind the last one, a bullet at the end."""
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    if fence := open_fence(lines):
        # A fence that was never closed takes in whatever follows.
        lines.append(fence)
    outside = [number for number, (_, part) in enumerate(parts_of(lines)) if part == "text"]
    seen = [number for number in outside if _BULLET.match(lines[number])]
    mark = lines[seen[-1]][0] if seen else "-"
    at, row = len(lines), f"{mark} {fact}"
    if form is FactForm.OBSERVATION:
        row = f"{mark} [fact] {fact}"
        before = [number for number in outside if _OBSERVATION.fullmatch(lines[number])]
        at = before[-1] + 1 if before else at
    gap = [""] if at == len(lines) and lines and lines[-1].strip() and at - 1 not in seen else []
    lines[at:at] = [*gap, row]
    return "\n".join(lines) + "\n"


def _without_marks(line: str, form: FactForm) -> str:
    found = _OBSERVATION.fullmatch(line) if form is FactForm.OBSERVATION else None
    if found is None:
        return fact_text(line)
    return _TAGS.sub("", _CONTEXT.sub("", found["words"]))


def _records(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the records of a text of JSON lines with the numbers of their lines; what is damaged is passed over."""
    for number, line in enumerate(text.split("\n")):
        if record := parsed_object(line):
            yield number, record


def _observations(record: dict[str, Any]) -> list[str]:
    held = record.get("observations")
    return [each for each in held if isinstance(each, str)] if isinstance(held, list) else []


def _with_observation(text: str, fact: str) -> str:
    """Returns the lines with an observation of the person more: of the entity that stands for them, else a new one."""
    people = [
        (record.get("name") != _PERSON, number, record)
        for number, record in _records(text)
        if record.get("type") == "entity" and isinstance(record.get("observations"), list) and _is_person(record)
    ]
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    if people:
        _, number, record = min(people, key=lambda each: each[:2])
        lines[number] = _line({**record, "observations": [*record["observations"], fact]})
    else:
        lines.append(_line({"type": "entity", "name": _PERSON, "entityType": "person", "observations": [fact]}))
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def _is_person(record: dict[str, Any]) -> bool:
    return not _PERSONS.isdisjoint(str(record.get(field)).casefold() for field in ("name", "entityType"))


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
