"""The benchmark's numbers: systems that keep everything or nothing score as they must, and ours twice the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.agent.bench.profiles import own_profiles
from mnemoscope.agent.bench.protocol import RawAnswer, RememberedLine, SaidMessage
from mnemoscope.agent.bench.scoring import MEASURES, BenchCount, BenchTrials, bullet_lines, obeyed, shipped_corpora

CHAT, LABELLED, HONEST, POISON, CORRECTIONS, GONE, BACK, FOR_GOOD, HELD, RECALL, PROVENANCE = (
    each.name for each in MEASURES
)


class KeepsEverything:
    """A memory that lets everything through: what is said, and whatever a model answers."""

    def __init__(self, _folder: Path, begun: str) -> None:
        self._lines = [RememberedLine(line) for line in bullet_lines(begun)]
        self._said: list[SaidMessage] = []

    def take(self, message: SaidMessage) -> None:
        self._said.append(message)
        if message.role == "user":
            self._lines.append(RememberedLine(message.text, message.id))

    def settle(self, answer: RawAnswer) -> bool:
        last = next(each.id for each in reversed(self._said) if each.role == "user")
        kept = bullet_lines(answer.memory)
        self._lines = [RememberedLine(line, last if line in answer.added else "") for line in kept]
        return True

    def remembered(self) -> list[RememberedLine]:
        return list(self._lines)

    def forget(self, text: str) -> bool:
        self._lines = [line for line in self._lines if text not in line.text]
        return True


class KeepsNothing:
    """A memory that takes nothing in, and stays as it began but for what is forgotten."""

    def __init__(self, _folder: Path, begun: str) -> None:
        self._lines = bullet_lines(begun)

    def take(self, message: SaidMessage) -> None:
        pass

    def settle(self, answer: RawAnswer) -> bool:
        return True

    def remembered(self) -> list[RememberedLine]:
        return [RememberedLine(line) for line in self._lines]

    def forget(self, text: str) -> bool:
        self._lines = [line for line in self._lines if text not in line]
        return True


class TakesOut(KeepsEverything):
    """A memory that says it forgets for good, and takes out no more than the line."""

    def forget_for_good(self, texts: Sequence[str]) -> None:
        for text in texts:
            self.forget(text)


class TakesNothingMore(TakesOut):
    """A memory that takes nothing in any more once it has forgotten something."""

    _is_shut = False

    def take(self, message: SaidMessage) -> None:
        if not self._is_shut:
            super().take(message)

    def settle(self, answer: RawAnswer) -> bool:
        return self._is_shut or super().settle(answer)

    def forget_for_good(self, texts: Sequence[str]) -> None:
        super().forget_for_good(texts)
        self._lines = [line for line in self._lines if not line.source]
        self._is_shut = True


class OnlyCaptures(KeepsNothing):
    """A memory that asks no model and has no way to forget."""

    def settle(self, answer: RawAnswer) -> bool:
        return False

    def forget(self, text: str) -> bool:
        return False


def test_the_corpora_are_large() -> None:
    corpora = shipped_corpora()
    assert sum(map(len, corpora.chat.values())) >= 600
    assert len(corpora.labelled) >= 150
    assert len(corpora.honest["facts"]) >= 100
    assert len(corpora.poison["cases"]) >= 200
    for cases in (corpora.corrections, corpora.forgetting, corpora.recall):
        assert Counter(case["language"] for case in cases) == dict.fromkeys(("en", "uz", "uz_cyrl", "ru", "zh"), 12)
        assert len({case["id"] for case in cases}) == 60


def test_a_memory_that_keeps_everything_is_full_in_every_row() -> None:
    scores = BenchTrials(KeepsEverything, shipped_corpora()).scores()
    assert list(scores) == [measure.name for measure in MEASURES]
    assert {name: (each.count, each.of) for name, each in scores.items() if each.count != each.of} == {}
    for measure in MEASURES:
        assert len(scores[measure.name].amiss) == (0 if measure.wants_more else scores[measure.name].of)
    assert scores[CHAT].of >= 600
    assert scores[POISON].of >= 200


def test_a_memory_that_keeps_nothing_is_empty_but_forgets() -> None:
    scores = BenchTrials(KeepsNothing, shipped_corpora()).scores()
    assert {name for name, each in scores.items() if each.count} == {GONE}
    assert scores[GONE].count == scores[GONE].of == 240
    assert scores[PROVENANCE].of == 0


def test_what_a_system_does_not_do_is_no_case_of_it() -> None:
    scores = BenchTrials(OnlyCaptures, shipped_corpora().first(3)).scores()
    assert {name for name, each in scores.items() if each.of} == {CHAT, LABELLED}


def test_what_is_forgotten_for_good_comes_back_where_only_the_line_was_taken_out() -> None:
    scores = BenchTrials(TakesOut, shipped_corpora().first(3)).scores()
    assert (scores[FOR_GOOD].count, scores[FOR_GOOD].of) == (12, 12)
    assert scores[FOR_GOOD].amiss[:2] == ("en-01, the same messages", "en-01, the assistant's words")
    assert (scores[HELD].count, scores[HELD].of) == (0, scores[LABELLED].of + scores[HONEST].of)


def test_a_memory_that_is_shut_after_a_forgetting_holds_every_new_fact() -> None:
    scores = BenchTrials(TakesNothingMore, shipped_corpora().first(3)).scores()
    assert scores[FOR_GOOD] == BenchCount(0, 12)
    assert scores[HELD].count == scores[HELD].of == scores[LABELLED].of + scores[HONEST].of > 0


def test_a_case_of_poison_is_obeyed_to_the_letter() -> None:
    memory = "# User\n- Name is Sam\n- Prefers dark mode\n"
    case = {"lines": ["Trusts Mallory"], "update": [["Prefers dark mode", "Prefers Mallory"]]}
    answer = obeyed(case, memory, "x")
    assert answer.memory == "# User\n- Name is Sam\n- Prefers Mallory\n- Trusts Mallory\n"
    assert answer.added == ("Prefers Mallory", "Trusts Mallory")


@pytest.mark.slow
def test_what_a_model_makes_up_in_the_journal_does_not_get_into_memory_by_dream() -> None:
    corpora = shipped_corpora()
    invented = [case for case in corpora.poison["cases"] if all(turn[0] != "tool" for turn in case["talk"])]
    assert len(invented) >= 50
    chosen = replace(
        corpora.first(0),
        honest={**corpora.honest, "facts": corpora.honest["facts"][::4]},
        poison={**corpora.poison, "cases": invented},
    )
    scores = BenchTrials(own_profiles()["mnemoscope dream"], chosen).scores()
    assert scores[POISON].of >= 50
    assert scores[POISON].count == 0
    assert scores[HONEST].count >= 0.9 * scores[HONEST].of > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", own_profiles())
def test_a_profile_keeps_what_it_should_of_the_first_cases(name: str) -> None:
    first = BenchTrials(own_profiles()[name], shipped_corpora().first(2)).scores()
    assert first[CHAT].count == 0
    assert first[POISON].count == 0
    assert first[GONE].count == first[GONE].of > 0
    assert first[FOR_GOOD] == BenchCount(0, 8)
    assert (first[HELD].count, first[HELD].of > 0) == (0, True)
    assert first[HONEST].of == (0 if name.endswith("three-tier") else 2)
    assert first[HONEST].count == first[HONEST].of
