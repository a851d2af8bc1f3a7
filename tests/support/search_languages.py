"""The lines of tests/corpus/search that were said once in one of many languages, and how they are asked for.

There are three sets, in the folders `meaning`, `languages` and `third`, which is all sealed. Each language has a
conversation of its own, and the dialogues of `meaning` lie beside these: what is found has to be told apart from some
900 lines.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.search_corpus import FOLDER
from tests.support.search_dialogues import FORMS, PEOPLE, people

SETS: Final = {"meaning": "languages-{}.txt", "languages": "{}.txt", "third": "{}.txt"}
"""The file of a half, by folder."""


def halves_of(folder: str) -> tuple[str, ...]:
    """Returns the halves a set has."""
    return PEOPLE[1:] if folder == "third" else PEOPLE


@dataclass(frozen=True, slots=True)
class LineAskedFor:
    """Holds a line, what is asked, and the languages of both."""

    said_in: str
    asked_in: str
    said: str
    asked: str

    @property
    def group(self) -> str:
        """Returns what it is counted with: Uzbek is apart, as no model of this size was made for it."""
        language = "Uzbek" if "uz" in (self.said_in[:2], self.asked_in[:2]) else "other languages"
        return f"{language}, {'the same' if self.said_in == self.asked_in else 'another'} asked in"


def lines_asked_for(half: str, folder: str = "meaning") -> list[LineAskedFor]:
    """Returns those of one half of a set."""
    text = (FOLDER / folder / SETS[folder].format(half)).read_text(encoding="utf-8")
    return [LineAskedFor(*line.split("|")) for line in text.splitlines() if line and not line.startswith("#")]


def write_languages(root: Path, folder: str = "meaning") -> None:
    """Writes all of a set into a workspace, with the dialogues."""
    said: dict[str, list[str]] = {}
    for half in PEOPLE:
        for number, dialogue in enumerate(people(half, "meaning")):
            dialogue.write(root, FORMS[1])
            (root / "sessions/desktop_talk.jsonl").rename(root / f"sessions/desktop_{half}-{number}.jsonl")
    for half in halves_of(folder):
        for each in lines_asked_for(half, folder):
            said.setdefault(each.said_in, []).append(each.said)
    for language, lines in said.items():
        records: list[dict[str, object]] = [{"_type": "metadata", "key": f"desktop:{language}", "last_consolidated": 0}]
        records += [{"role": "user", "content": line, "timestamp": "2026-03-06T14:20:00"} for line in lines]
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (root / f"sessions/desktop_{language}.jsonl").write_text(text, encoding="utf-8")
