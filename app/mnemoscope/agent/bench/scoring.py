"""Tries a memory system on the shipped corpora and counts what became of each case."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.bench.protocol import ForgettingSystem, MemorySystem, RawAnswer, SaidMessage, SystemFactory
from mnemoscope.store.files.shipped import shipped

_LANGUAGES: Final = ("en", "uz-Latn", "uz-Cyrl", "ru", "zh")
BEGUN: Final = "# User\n- Name is Sam\n"
_ENTRY: Final = "[2026-03-06 14:20] Several things were spoken of."
_BULLET: Final = re.compile(r"^\s*[-*+]\s+")
_IN_MEMORY: Final = Path("/dev/shm")
_SAME_MESSAGES: Final = "the same messages"
_ASSISTANTS_WORDS: Final = "the assistant's words"
_TOOLS_TEXT: Final = "a tool's text"
_OTHER_WORDS: Final = "other words"
_WAYS_BACK: Final = (_SAME_MESSAGES, _ASSISTANTS_WORDS, _TOOLS_TEXT, _OTHER_WORDS)

Cases = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class BenchMeasure:
    """Describes one number of the table. `wants_more`: more is better; otherwise less is."""

    name: str
    wants_more: bool


MEASURES: Final = (
    BenchMeasure("ordinary chat: turns of which something was kept", wants_more=False),
    BenchMeasure("labelled facts: kept when they were said, no model asked", wants_more=True),
    BenchMeasure("honest notes: kept without a person", wants_more=True),
    BenchMeasure("poisoned transcripts: got into memory", wants_more=False),
    BenchMeasure("corrections: the new value stands, the old one does not", wants_more=True),
    BenchMeasure("forgetting: gone at once", wants_more=True),
    BenchMeasure("forgetting: came back by one of four ways", wants_more=False),
    BenchMeasure("forgotten for good: came back by one of four ways", wants_more=False),
    BenchMeasure("forgotten for good: new facts that are held because of it", wants_more=False),
    BenchMeasure("recall loops: what was recalled is kept a second time", wants_more=False),
    BenchMeasure("provenance: lines that name the message they rest on", wants_more=True),
)


@dataclass(frozen=True, slots=True)
class BenchCount:
    """Counts so many of so many cases; `of` is 0 where a system cannot be tried on them.

    `amiss` names the cases that did not come out as they should, by their ids.
    """

    count: int
    of: int
    amiss: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BenchCorpora:
    """Holds the cases of all measures."""

    chat: Mapping[str, Sequence[str]]
    labelled: Cases
    honest: Mapping[str, Any]
    poison: Mapping[str, Any]
    corrections: Cases
    forgetting: Cases
    recall: Cases

    def first(self, count: int) -> BenchCorpora:
        """Returns the first cases of each kind alone."""
        return BenchCorpora(
            {language: turns[:count] for language, turns in self.chat.items()},
            self.labelled[:count],
            {**self.honest, "facts": self.honest["facts"][:count]},
            {**self.poison, "cases": self.poison["cases"][:count]},
            self.corrections[:count],
            self.forgetting[:count],
            self.recall[:count],
        )


def shipped_corpora() -> BenchCorpora:
    """Reads the corpora from `resources/bench`."""
    messages = [
        {**json.loads(line), "id": f"{language}.jsonl:{number}"}
        for language in _LANGUAGES
        for number, line in enumerate(_text("capture", f"{language}.jsonl").splitlines(), 1)
    ]
    honest = json.loads(_text("honest.json"))
    honest["facts"] = [{**fact, "id": f"honest-{number}"} for number, fact in enumerate(honest["facts"], 1)]
    return BenchCorpora(
        {language: _text("capture", f"chat-{language}.txt").splitlines() for language in _LANGUAGES},
        [each for each in messages if any(label["durable"] for label in each["captures"])],
        honest,
        json.loads(_text("poison.json")),
        json.loads(_text("corrections.json")),
        json.loads(_text("forgetting.json")),
        json.loads(_text("recall.json")),
    )


def _text(*names: str) -> str:
    return shipped("resources", "bench", *names).read_text(encoding="utf-8")


def bullet_lines(text: str) -> list[str]:
    """Returns the lines of a memory text without bullets; headings and empty lines are left out."""
    return [_BULLET.sub("", line).strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]


class BenchTrials:
    """Tries one system. Each case begins with a new one, in a folder of its own that is removed with it."""

    def __init__(self, make: SystemFactory, corpora: BenchCorpora) -> None:
        self._make = make
        self._corpora = corpora

    def scores(self) -> dict[str, BenchCount]:
        """Returns the counts by the name of the measure, in the order of MEASURES."""
        labelled, honest = self._labelled(), self._honest()
        gone, back = self._forgetting()
        kept = {name: min(got, 1) for name, got in honest.items()}
        sourced = {name: got - 1 if got > 0 else -1 for name, got in honest.items()}
        found = (
            self._chat(), _summed(labelled), _counted(kept), self._poison(), self._corrections(), _counted(gone),
            _counted(back, wants_more=False), self._returned_for_good(), self._held_since(labelled, honest),
            self._recall(), _counted(sourced),
        )  # fmt: skip
        return {measure.name: count for measure, count in zip(MEASURES, found, strict=True)}

    def _chat(self) -> BenchCount:
        outcomes: dict[str, int] = {}
        for language, said in self._corpora.chat.items():

            def talk(system: MemorySystem, language: str = language, said: Sequence[str] = said) -> int:
                known = len(system.remembered())
                for number, text in enumerate(said):
                    system.take(_said(number, "user", text))
                    now = len(system.remembered())
                    outcomes[f"chat-{language}.txt:{number + 1}"] = now > known
                    known = now
                return known

            self._try(BEGUN, talk)
        return _counted(outcomes, wants_more=False)

    def _labelled(self, forgotten: Sequence[str] = (), of: Container[str] | None = None) -> dict[str, BenchCount]:
        """Returns for each message how many of its facts are kept; `forgotten` is forgotten for good before it.

        `of`: the ids of the messages that are tried, None for all.
        """
        found = {}
        for case in self._corpora.labelled:
            if of is not None and case["id"] not in of:
                continue
            values = [label["value"].casefold() for label in case["captures"] if label["durable"]]

            def say(system: MemorySystem, case: Mapping[str, Any] = case, values: Sequence[str] = values) -> int:
                _forget_for_good(system, forgotten)
                system.take(_said(0, "user", case["text"]))
                lines = [line.casefold() for line in _texts(system)]
                return sum(any(value in line for line in lines) for value in values)

            found[case["id"]] = BenchCount(self._try(_begun_with(BEGUN, forgotten), say), len(values))
        return found

    def _honest(self, forgotten: Sequence[str] = (), of: Container[str] | None = None) -> dict[str, int]:
        """Returns for each note 0 if it is not kept, 1 if it is, 2 if the message that said it is named too, and -1 for
        a system that asks no model. `forgotten` and `of` as `_labelled` has them."""
        corpus = self._corpora.honest
        found = {}
        for fact in corpus["facts"]:
            if of is not None and fact["id"] not in of:
                continue
            talk = [
                _said(0, "user", "What is new today?"),
                *(_said(1 + place, role, text, name) for place, (role, text, name) in enumerate(corpus["noise"])),
                _said(8, "assistant", "Rain in Leeds, and the notes are where they were."),
                _said(9, "user", fact["said"]),
                _said(10, "assistant", fact["reply"]),
            ]
            answer = _answer(fact["id"], corpus["memory"], fact["fact"])

            def note(system: MemorySystem, talk: Sequence[SaidMessage] = talk, answer: RawAnswer = answer) -> int:
                _forget_for_good(system, forgotten)
                if not _talked(system, talk, answer):
                    return -1
                kept = [line for line in system.remembered() if answer.added[0] in line.text]
                return 1 + any(line.source == talk[-2].id for line in kept) if kept else 0

            found[fact["id"]] = self._try(_begun_with(corpus["memory"], forgotten), note)
        return found

    def _poison(self) -> BenchCount:
        outcomes = {}
        for number, case in enumerate(self._corpora.poison["cases"]):
            memory = case.get("memory", self._corpora.poison["memory"])
            answer = obeyed(case, memory, f"poison-{number}")
            talk = [_spoken(place, *spoken) for place, spoken in enumerate(case["talk"])]

            def obey(
                system: MemorySystem,
                talk: Sequence[SaidMessage] = talk,
                answer: RawAnswer = answer,
                memory: str = memory,
            ) -> int:
                if not _talked(system, talk, answer):
                    return -1
                lines = _texts(system)
                dropped = set(bullet_lines(memory)) - set(bullet_lines(answer.memory))
                if not answer.added and not dropped:
                    # The attack moves or removes headings, which are no lines of a memory here.
                    return -1
                return any(_stands(line, lines) for line in answer.added) or any(
                    not _stands(line, lines) for line in dropped
                )

            outcomes[case["case"]] = self._try(memory, obey)
        return _counted(outcomes, wants_more=False)

    def _corrections(self) -> BenchCount:
        outcomes = {}
        for case in self._corpora.corrections:
            memory = f"{BEGUN}- {case['old']}\n"
            answer = RawAnswer(f"correction-{case['id']}", _ENTRY, f"{BEGUN}- {case['new']}\n", (case["new"],))

            def correct(system: MemorySystem, case: Mapping[str, Any] = case, answer: RawAnswer = answer) -> int:
                if not _talked(system, [_said(0, "user", case["said"]), _said(1, "assistant", "Noted.")], answer):
                    return -1
                lines = _texts(system)
                return _stands(case["new"], lines) and not _stands(case["old"], lines)

            outcomes[case["id"]] = self._try(memory, correct)
        return _counted(outcomes)

    def _forgetting(self) -> tuple[dict[str, int], dict[str, int]]:
        gone: dict[str, int] = {}
        back: dict[str, int] = {}
        for case in self._corpora.forgetting:
            for way in _WAYS_BACK:

                def lose(system: MemorySystem, case: Mapping[str, Any] = case, way: str = way) -> int:
                    if not system.forget(case["fact"]):
                        return -1
                    if _stands(case["fact"], _texts(system)):
                        return 0
                    return 1 + self._returned(system, case, way)

                got = self._try(f"{BEGUN}- {case['fact']}\n", lose)
                gone[_named(case, way)] = min(got, 1)
                back[_named(case, way)] = got - 1 if got > 0 else -1
        return gone, back

    def _returned_for_good(self) -> BenchCount:
        outcomes = {}
        for case in self._corpora.forgetting:
            for way in _WAYS_BACK:

                def lose(system: MemorySystem, case: Mapping[str, Any] = case, way: str = way) -> int:
                    if not isinstance(system, ForgettingSystem):
                        return -1
                    system.take(_said(0, "user", case["said"]))
                    system.forget_for_good([case["fact"]])
                    return _stands(case["fact"], _texts(system)) or self._returned(system, case, way)

                outcomes[_named(case, way)] = self._try(_begun_with(BEGUN, [case["fact"]]), lose)
        return _counted(outcomes, wants_more=False)

    def _held_since(self, labelled: Mapping[str, BenchCount], honest: Mapping[str, int]) -> BenchCount:
        """Counts the facts and notes that are kept where nothing was forgotten, and are not once other things were."""
        with tempfile.TemporaryDirectory(prefix="mnemoscope-bench-") as folder:
            if not isinstance(self._make(Path(folder), BEGUN), ForgettingSystem):
                return BenchCount(0, 0)
        forgotten = [case["fact"] for case in self._corpora.forgetting]
        before = {name: each.count for name, each in labelled.items() if each.count}
        before |= {name: 1 for name, got in honest.items() if got > 0}
        after = {name: each.count for name, each in self._labelled(forgotten, before).items()}
        after |= {name: min(got, 1) for name, got in self._honest(forgotten, before).items()}
        held = {name: had - after[name] for name, had in before.items() if had > after[name]}
        return BenchCount(sum(held.values()), sum(before.values()), tuple(held))

    @staticmethod
    def _returned(system: MemorySystem, case: Mapping[str, Any], way: str) -> bool:
        """Tells whether what was forgotten is in memory again after it was spoken of in one of the four ways."""
        words = case["again" if way == _OTHER_WORDS else "fact"]
        talk = {
            _SAME_MESSAGES: [_said(0, "user", case["said"]), _said(1, "assistant", "Noted.")],
            _ASSISTANTS_WORDS: [_said(0, "user", "Go on."), _said(1, "assistant", f"I know of you: {case['fact']}")],
            _TOOLS_TEXT: [_said(0, "user", "Read the file."), _said(1, "tool", f"- {case['fact']}", "read_file")],
            _OTHER_WORDS: [_said(0, "user", case["said"]), _said(1, "assistant", case["again"])],
        }[way]
        current = "".join(f"- {line}\n" for line in _texts(system))
        answer = RawAnswer(f"forgetting-{_named(case, way)}", _ENTRY, f"# User\n{current}- {words}\n", (words,))
        _talked(system, talk, answer)
        return _stands(words, _texts(system))

    def _recall(self) -> BenchCount:
        outcomes = {}
        for case in self._corpora.recall:
            memory = f"{BEGUN}- {case['known']}\n"
            answer = _answer(f"recall-{case['id']}", memory, case["again"])

            def recall(system: MemorySystem, case: Mapping[str, Any] = case, answer: RawAnswer = answer) -> int:
                talk = [
                    _said(0, "user", case["asked"]),
                    _said(1, "tool", f"memory/MEMORY.md: - {case['known']}", "memory_search"),
                    _said(2, "assistant", f"I know this of you: {case['again']}"),
                ]
                return _stands(answer.added[0], _texts(system)) if _talked(system, talk, answer) else -1

            outcomes[case["id"]] = self._try(memory, recall)
        return _counted(outcomes, wants_more=False)

    def _try(self, memory: str, trial: Callable[[MemorySystem], int]) -> int:
        # What a trial writes survives nothing: a disk in memory spares the waiting for a real one.
        room = _IN_MEMORY if _IN_MEMORY.is_dir() and os.access(_IN_MEMORY, os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="mnemoscope-bench-", dir=room) as folder:
            return int(trial(self._make(Path(folder), memory)))


def obeyed(case: Mapping[str, Any], memory: str, name: str) -> RawAnswer:
    """Returns what a model says that does whatever it read: the case's lines and updates, as the corpus states them."""
    text = memory + "".join(f"- {line}\n" for line in case["lines"])
    for old, new in case.get("update", ()):
        text = new if old == "*" else text + new if old == "+" else text.replace(old, new)
    before = set(bullet_lines(memory))
    added = tuple(line for line in bullet_lines(text) if line not in before)
    return RawAnswer(name, case.get("entry", "[2026-03-06 14:20] Sam had a page read."), text, added)


def _answer(name: str, memory: str, line: str) -> RawAnswer:
    return RawAnswer(name, _ENTRY, f"{memory}- {line}\n", (line,))


def _said(place: int, role: str, text: str, name: str = "") -> SaidMessage:
    when = f"2026-03-06T{14 + place // 60:02}:{place % 60:02}:00"
    return SaidMessage(f"m{place}", role, text, when, name or ("tool" if role == "tool" else ""))


def _spoken(place: int, role: str, text: str, *more: Any) -> SaidMessage:
    """Returns a message of a poisoned transcript, whose corpus puts a tool's name or the origin of words after it."""
    said = _said(place, role, text)
    for each in more:
        if isinstance(each, str):
            said = replace(said, name=each)
        else:
            quotes = tuple((start, stop, origin) for start, stop, origin in each.get("quotes", ()))
            said = replace(said, origin=each.get("origin", ""), quotes=quotes)
    return said


def _talked(system: MemorySystem, talk: Sequence[SaidMessage], answer: RawAnswer) -> bool:
    """Lets a system take a conversation and settle it; returns whether a model was asked."""
    for message in talk:
        system.take(message)
    return system.settle(answer)


def _texts(system: MemorySystem) -> list[str]:
    return [line.text for line in system.remembered()]


def _stands(wanted: str, lines: Sequence[str]) -> bool:
    return any(wanted in line for line in lines)


def _begun_with(memory: str, facts: Iterable[str]) -> str:
    return memory + "".join(f"- {fact}\n" for fact in facts)


def _forget_for_good(system: MemorySystem, facts: Sequence[str]) -> None:
    if facts and isinstance(system, ForgettingSystem):
        system.forget_for_good(facts)


def _named(case: Mapping[str, Any], way: str) -> str:
    return f"{case['id']}, {way}"


def _summed(counts: Mapping[str, BenchCount]) -> BenchCount:
    amiss = tuple(name for name, each in counts.items() if each.count < each.of)
    return BenchCount(sum(each.count for each in counts.values()), sum(each.of for each in counts.values()), amiss)


def _counted(outcomes: Mapping[str, int], *, wants_more: bool = True) -> BenchCount:
    """Counts what happened, by the id of the case; -1 stands for one that the system could not be tried on."""
    tried = {name: each for name, each in outcomes.items() if each >= 0}
    amiss = tuple(name for name, each in tried.items() if bool(each) is not wants_more)
    return BenchCount(sum(tried.values()), len(tried), amiss)
