"""The dialogues of tests/corpus/search/dialogues, as a workspace keeps them, and what is asked about each.

Two people talk over months. What is asked has few words of the lines that answer it, and is asked within its own
dialogue. `tuned/` was looked at while ranking was made; `held/` was opened when that was finished, and is only
measured.

Those of tests/corpus/search/people are asked about as by a reader of the dialogue, and those of
tests/corpus/search/meaning in other words than its lines; their read-me tells how they were made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tests.support.search_corpus import FOLDER

HALVES: Final = ("tuned", "held")
PEOPLE: Final = ("open", "sealed")
"""The halves of the questions of tests/corpus/search/people; ranking was finished before the second was looked at."""
FORMS: Final = ("daily notes", "a conversation")
_BETWEEN: Final = timedelta(seconds=40)


@dataclass(frozen=True, slots=True)
class Asked:
    """Holds a question, and the lines of the dialogue that answer it."""

    question: str
    lines: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reached:
    """Holds shares of the questions, 0 to 1: with a line that answers at the first place, and among the first ten; with
    all such lines there."""

    first: float
    any_of_ten: float
    all_of_ten: float


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Holds two people's talk: (when, who speaks first, line) in order, and what is asked about it."""

    turns: tuple[tuple[datetime, bool, str], ...]
    asked: tuple[Asked, ...]

    def write(self, root: Path, form: str) -> None:
        """Writes it into a workspace as daily notes with a time a turn, or as one conversation."""
        (self._write_notes if form == FORMS[0] else self._write_conversation)(root)

    def _write_notes(self, root: Path) -> None:
        notes: dict[str, list[str]] = {}
        for when, _, line in self.turns:
            notes.setdefault(f"{when:%Y-%m-%d}", []).append(f"## [{when:%H:%M:%S}]\n{line}\n")
        (root / "memory").mkdir(parents=True, exist_ok=True)
        for day, parts in notes.items():
            text = f"# Daily Notes — {day}\n\n" + "\n".join(parts)
            (root / "memory" / f"{day}.md").write_text(text, encoding="utf-8")

    def _write_conversation(self, root: Path) -> None:
        records: list[dict[str, object]] = [{"_type": "metadata", "key": "desktop:talk", "last_consolidated": 0}]
        records += [
            {"role": "user" if is_first else "assistant", "content": line, "timestamp": when.isoformat()}
            for when, is_first, line in self.turns
        ]
        (root / "sessions").mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (root / "sessions/desktop_talk.jsonl").write_text("".join(lines), encoding="utf-8")


def dialogues(half: str) -> list[Dialogue]:
    """Returns the dialogues of one half."""
    return [_read(path) for path in sorted((FOLDER / "dialogues" / half).glob("*.json"))]


def people(half: str, name: str = "people") -> list[Dialogue]:
    """Returns the dialogues of tests/corpus/search/people, or of another folder in its form, with one half of their
    questions."""
    folder = FOLDER / name
    asked: dict[str, list[dict[str, Any]]] = {}
    for line in (folder / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        asked.setdefault(question["dialogue"], []).append(question)
    known = [path for path in sorted((folder / "dialogues").glob("*.txt")) if path.stem in asked]
    return [_read_people(path, asked[path.stem]) for path in known]


def reached(answers: Iterable[tuple[Asked, list[str]]]) -> Reached:
    """Returns how many questions were answered, by what was found for each, the best first."""
    found = [(one.lines, texts[:10]) for one, texts in answers]
    count = len(found)
    return Reached(
        sum(bool(texts) and texts[0] in lines for lines, texts in found) / count,
        sum(not lines.isdisjoint(texts) for lines, texts in found) / count,
        sum(lines.issubset(texts) for lines, texts in found) / count,
    )


def answers(one: Dialogue, find: Callable[[str], list[str]]) -> list[tuple[Asked, list[str]]]:
    """Returns what is found for each question about a dialogue."""
    return [(asked, find(asked.question)) for asked in one.asked]


def _read(path: Path) -> Dialogue:
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    lines: dict[str, str] = {}
    turns = []
    for session in read["sessions"]:
        begin = datetime.fromisoformat(session["date"])
        for number, turn in enumerate(session["turns"]):
            lines[turn["id"]] = f"{turn['who']}: {turn['text']}"
            turns.append((begin + number * _BETWEEN, turn["who"] == read["people"][0], lines[turn["id"]]))
    asked = (Asked(each["question"], frozenset(lines[turn] for turn in each["evidence"])) for each in read["questions"])
    return Dialogue(tuple(turns), tuple(asked))


def _read_people(path: Path, questions: Iterable[dict[str, Any]]) -> Dialogue:
    first, *sessions = path.read_text(encoding="utf-8").split("\n\n# ")
    speaker = first.partition(" and ")[0]
    lines: dict[str, str] = {}
    turns = []
    for number, session in enumerate(sessions, 1):
        begin, *said = session.strip().split("\n")
        for place, line in enumerate(said, 1):
            lines[f"{number}:{place}"] = line
            when = datetime.fromisoformat(begin) + (place - 1) * _BETWEEN
            turns.append((when, line.startswith(f"{speaker}: "), line))
    asked = (Asked(each["question"], frozenset(lines[turn] for turn in each["evidence"])) for each in questions)
    return Dialogue(tuple(turns), tuple(asked))
