"""What was rejected is known again in other words, by hashes alone, and something else is not taken for it."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from mnemoscope.domain.capture.captured_line import struck_line
from mnemoscope.domain.disagreement.memory_check import Disagreement
from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import items_of
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.forgetting.rejected_texts import MOST as MOST_TEXTS
from mnemoscope.store.forgetting.rejected_texts import RejectedTexts
from mnemoscope.store.forgetting.rejections import Rejections
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.transactions.ledger import LEFT_OUT, Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import FailingAt

WHEN = "2026-05-12T10:00:00"
MEMORY = "# User\n\n- Name is Sam\n- Likes tea\n"
CORPUS = Path(__file__).parents[2] / "corpus"
MOST = 0.01


@pytest.fixture
def calls() -> FailingAt:
    """Returns the file calls that rejections are written with."""
    return FailingAt()


@pytest.fixture
def rejections(tmp_path: Path, calls: FailingAt) -> Rejections:
    paths = WorkspacePaths(tmp_path).own
    added = Tombstones(paths.rejected_file, TombstoneKey(), calls=calls)
    return Rejections(added, added.beside(paths.rejected_removals_file), RejectedTexts(paths.rejected_facts_file))


@pytest.fixture
def ledger(tmp_path: Path, rejections: Rejections) -> Ledger:
    return Ledger(WorkspacePaths(tmp_path), split=rejections.split)


def adding(*lines: str, name: str = "aa") -> Suggestion:
    passages = tuple(MemoryConflict("", "", line) for line in lines)
    reasons = tuple(f"Nobody spoke of “{line}”." for line in lines)
    proposed = MEMORY + "".join(f"{line}\n" for line in lines)
    return Suggestion(name, WHEN, MEMORY, proposed, reasons, "desktop:x", 0, 2, passages)


def whole(proposed: str) -> Suggestion:
    return Suggestion("bb", WHEN, MEMORY, proposed, (), "", 0, 0)


def test_the_same_fact_in_other_words_is_left_out_and_another_value_waits(
    rejections: Rejections, ledger: Ledger, tmp_path: Path
) -> None:
    rejections.remember(adding("- Sam is allergic to peanuts"), WHEN)
    ledger.add_suggestion(adding("- Allergy of Sam: peanuts", name="cc"))
    assert ledger.suggestions() == []
    assert [each.id for each in ledger.left_out()] == ["cc"]
    assert rejections.when(ledger.left_out()[0]) == WHEN
    ledger.add_suggestion(adding("- Sam is allergic to walnuts", name="dd"))
    assert [each.id for each in ledger.suggestions()] == ["dd"]
    assert "peanut" not in WorkspacePaths(tmp_path).own.rejected_file.read_text("ascii")


def test_only_the_rejected_line_of_a_proposal_is_left_out_and_its_reason_with_it(
    rejections: Rejections, ledger: Ledger
) -> None:
    rejections.remember(adding("- Lives in Linz"), WHEN)
    ledger.add_suggestion(adding("- Sam lives in Linz", "- Has a cat"))
    (waits,), (out,) = ledger.suggestions(), ledger.left_out()
    assert (waits.proposed, waits.reasons) == (f"{MEMORY}- Has a cat\n", ("Nobody spoke of “- Has a cat”.",))
    assert (out.id, out.proposed) == ("aax", f"{MEMORY}- Sam lives in Linz\n")
    # A recovery holds it once more: it neither waits twice nor comes in by that.
    ledger.add_suggestion(adding("- Sam lives in Linz", "- Has a cat"))
    assert (ledger.suggestions(), ledger.left_out()) == ([waits], [out])


def test_what_would_be_struck_for_a_rejected_line_is_left_out_with_it(rejections: Rejections, ledger: Ledger) -> None:
    pair = Disagreement("- Name is Sam", "- Name is Max")
    struck = struck_line(pair.old, date(2026, 3, 12))
    passages = tuple(MemoryConflict(*each) for each in (("", "", struck), (pair.old, pair.old, ""), ("", "", pair.new)))
    proposed = MEMORY.replace(pair.old, struck) + f"{pair.new}\n"
    brought = Suggestion("cc", WHEN, MEMORY, proposed, (pair.sentence,), "desktop:x", 0, 2, passages)
    rejections.remember(adding(pair.new), WHEN)
    ledger.add_suggestion(brought)
    assert (ledger.suggestions(), ledger.left_out()) == ([], [brought])


def test_what_was_left_out_stays_out_until_it_is_let_in(rejections: Rejections, ledger: Ledger) -> None:
    fact = adding("- Lives in Linz")
    rejections.remember(fact, WHEN)
    for _ in range(2):
        ledger.add_suggestion(fact)
        assert (ledger.suggestions(), ledger.left_out()) == ([], [fact])
        assert ledger.suggestion_states().settled == {"aa": LEFT_OUT}
    ledger.add_left_out(fact)
    assert (ledger.suggestions(), ledger.left_out()) == ([fact], [])
    rejections.lift_suggestion(fact)
    rejections.lift_suggestion(fact)
    assert rejections.since("- Lives in Linz") is None


def test_what_waits_already_is_left_out_when_it_moves_after_the_same_was_rejected(
    rejections: Rejections, ledger: Ledger
) -> None:
    fact = adding("- Lives in Linz")
    ledger.add_suggestion(fact)
    rejections.remember(adding("- Lives in Linz", name="zz"), WHEN)
    assert ledger.suggestions() == [fact]
    ledger.add_suggestion(fact)
    assert (ledger.suggestions(), ledger.left_out()) == ([], [fact])


def test_one_side_of_the_persons_own_is_no_proposal(rejections: Rejections, ledger: Ledger) -> None:
    rejections.remember(adding("- Lives in Linz"), WHEN)
    passage = MemoryConflict("", "", "- Lives in Linz", theirs_from=MemoryOrigin("undo", WHEN))
    undone = replace(adding("- Lives in Linz"), conflicts=(passage,))
    ledger.add_suggestion(undone)
    assert ledger.suggestions() == [undone]


def test_a_line_that_should_stay_is_not_proposed_to_go_again(rejections: Rejections, ledger: Ledger) -> None:
    removal = whole("# User\n\n- Name is Sam\n")
    rejections.remember(removal, WHEN)
    ledger.add_suggestion(removal)
    assert ledger.suggestions() == []
    # To say something else in its place is another proposal.
    ledger.add_suggestion(whole("# User\n\n- Name is Sam\n- Likes green tea\n"))
    assert len(ledger.suggestions()) == 1
    rejections.lift(MEMORY, "# User\n\n- Name is Sam\n", "one")
    assert rejections.split(removal) == (removal, None)
    rejections.reinstate("one")
    assert rejections.split(removal) == (None, removal)


def test_what_a_text_put_back_does_not_say_is_rejected_again(rejections: Rejections) -> None:
    rejections.remember(adding("- Lives in Linz"), WHEN)
    said = f"{MEMORY}- Lives in Linz\n"
    rejections.lift(MEMORY, said, "one")
    rejections.reinstate_gone(said, said, "one")
    assert rejections.since("- Lives in Linz") is None
    rejections.reinstate_gone(said, MEMORY, "one")
    assert rejections.since("- Lives in Linz") == WHEN


def test_a_whole_text_that_is_rejected_says_nothing_of_each_of_its_facts(rejections: Rejections) -> None:
    rejections.remember(whole(f"{MEMORY}- Has a cat\n- Has a dog\n- Lives in Linz\n- Works at Ada\n"), WHEN)
    assert rejections.since("- Lives in Linz") is None


LINES = ("- Has a cat", "- Has a dog called Rex", "- Lives in Linz", "- Works at Ada as a welder")


def test_many_facts_rejected_together_are_left_out_together_and_one_of_them_only_is_marked(
    rejections: Rejections,
) -> None:
    rejections.remember(whole(MEMORY + "".join(f"{line}\n" for line in LINES)), WHEN)
    again = whole(MEMORY + "".join(f"{line}\n" for line in reversed(LINES)))
    assert rejections.split(again) == (None, again)
    other = whole(MEMORY + "".join(f"{line}\n" for line in (*LINES[:3], "- Plays the viola in Graz")))
    waits, out = rejections.split(other)
    assert out is None
    assert waits is not None
    assert len([each for each in waits.reasons if each.startswith("It resembles")]) == 3
    for line in LINES:
        assert rejections.since(line) is None
        waits, out = rejections.split(adding(line, name="cc"))
        assert out is None
        assert waits is not None
        assert waits.reasons[-1].startswith(f"It resembles “{line[2:]}”, which you rejected on 2026-05-12")
    rejections.remember(adding(LINES[2]), WHEN)
    assert rejections.since(LINES[2]) == WHEN
    rejections.lift(MEMORY, f"{MEMORY}{LINES[2]}\n", "one")
    waits, _ = rejections.split(adding(LINES[2], name="dd"))
    assert waits is not None
    assert not [each for each in waits.reasons if each.startswith("It resembles")]


def test_a_whole_memory_that_is_rejected_says_nothing(rejections: Rejections) -> None:
    rejections.remember(whole(MEMORY + "".join(f"- Owns book number {number}\n" for number in range(61))), WHEN)
    assert rejections.facts() == []


def test_what_the_person_writes_is_rejected_no_more(rejections: Rejections) -> None:
    rejections.remember(adding("- Lives in Linz"), WHEN)
    rejections.lift(MEMORY, f"{MEMORY}- Lives in Graz\n", "one")
    assert rejections.since("- Lives in Linz") == WHEN
    rejections.lift(MEMORY, f"{MEMORY}- Lives in Linz now\n", "two")
    assert rejections.since("- Lives in Linz") is None
    assert rejections.when(adding("- Lives in Linz")) == ""


def test_a_rejection_that_cannot_be_remembered_is_one_all_the_same(
    rejections: Rejections, calls: FailingAt, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    calls.at = lambda path: path == WorkspacePaths(tmp_path).own.rejected_file
    with caplog.at_level(logging.WARNING):
        rejections.remember(adding("- Lives in Linz"), WHEN)
    assert "what was rejected is not remembered" in caplog.text
    assert rejections.since("- Lives in Linz") is None


def test_without_the_key_nothing_is_left_out(rejections: Rejections, tmp_path: Path) -> None:
    rejections.remember(adding("- Lives in Linz"), WHEN)
    paths = WorkspacePaths(tmp_path).own
    other, texts = Tombstones(paths.rejected_file, TombstoneKey()), RejectedTexts(paths.rejected_facts_file)
    rejections = Rejections(other, other.beside(paths.rejected_removals_file), texts)
    assert rejections.split(adding("- Lives in Linz"))[1] is None


# It takes no branch that no other test takes.
@pytest.mark.no_cover
def test_honest_facts_near_a_rejected_one_still_wait(tmp_path: Path, is_long: bool) -> None:
    """Every other fact is rejected; with `--long` each."""
    cases = json.loads((CORPUS / "forgetting.json").read_text("utf-8"))["facts"][:: 1 if is_long else 2]
    near = left = again = known = 0
    for number, case in enumerate(cases):
        added = Tombstones(tmp_path / f"{number}.json", TombstoneKey())
        rejections = Rejections(added, added.beside(tmp_path / f"{number}-removed.json"), RejectedTexts(tmp_path / "t"))
        rejections.remember(adding(f"- {case['forgotten']}"), WHEN)
        near += len(case["near"])
        again += len(case["again"])
        left += sum(rejections.split(adding(f"- {each}"))[1] is not None for each in case["near"])
        known += sum(rejections.split(adding(f"- {each}"))[1] is not None for each in case["again"])
    assert near > 100
    assert left / near <= MOST, f"{left} of {near} honest facts were left out"
    assert known / again >= 0.9, f"{known} of {again} other wordings were left out"


def test_honest_notes_of_other_people_still_wait(rejections: Rejections) -> None:
    facts = json.loads(shipped("resources", "bench", "honest.json").read_text("utf-8"))["facts"]
    rejected, others = facts[::20], [fact["fact"] for number, fact in enumerate(facts) if number % 20]
    for fact in rejected:
        rejections.remember(adding(f"- {fact['fact']}"), WHEN)
    left = [fact for fact in others if rejections.split(adding(f"- {fact}"))[1] is not None]
    assert len(left) / len(others) <= MOST, left


def test_what_the_person_settled_is_not_left_out_when_it_is_to_wait_again(
    rejections: Rejections, ledger: Ledger
) -> None:
    fact = adding("- Lives in Linz")
    ledger.add_suggestion(fact)
    ledger.settle(fact.id, "reject")
    rejections.remember(fact, WHEN)
    ledger.add_suggestion(fact)
    assert (ledger.suggestions(), ledger.left_out()) == ([fact], [])


@pytest.mark.parametrize(
    ("rejected", "again"),
    [
        ("Keeps the spare keys in the blue tin", "The blue tin is where the spare keys are stored"),
        ("The boat is a 1998 Beneteau Oceanis", "Owner of a Beneteau Oceanis from 1998"),
        ("Bag weighs twelve kilograms", "The bag weighs 12 kg"),
        ("每天晚上和男朋友跑步", "晚间和男友跑步"),
    ],
)
def test_what_is_said_with_another_word_for_having_or_for_a_unit_is_left_out(
    rejections: Rejections, rejected: str, again: str
) -> None:
    rejections.remember(adding(f"- {rejected}"), WHEN)
    assert rejections.split(adding(f"- {again}"))[0] is None


@pytest.mark.parametrize(
    ("rejected", "other"),
    [
        ("Keeps the spare keys in the blue tin", "Bought a blue tin of paint"),
        ("Bag weighs twelve kilograms", "Bag weighs fourteen kilograms"),
        ("Has a meeting with Priya on Mondays", "Has a meeting with Omar on Fridays"),
    ],
)
def test_another_thing_of_the_same_kind_waits(rejections: Rejections, rejected: str, other: str) -> None:
    rejections.remember(adding(f"- {rejected}"), WHEN)
    assert rejections.split(adding(f"- {other}"))[0] is not None


def test_the_words_of_what_is_rejected_are_kept_until_it_is_taken_back(
    rejections: Rejections, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert rejections.facts() == []
    for fact in ("Lives in Linz", "Has a cat called Mau", "Lives in Linz"):
        rejections.remember(adding(f"- {fact}"), WHEN)
    rejections.remember(whole("# User\n\n- Name is Sam\n"), WHEN)
    assert rejections.facts() == ["Lives in Linz", "Has a cat called Mau"]
    rejections.lift(MEMORY, f"{MEMORY}- Lives in Linz now\n", "one")
    assert [fact for fact in rejections.facts() if rejections.since(fact)] == ["Has a cat called Mau"]
    rejections.reinstate("one")
    assert rejections.facts() == ["Lives in Linz", "Has a cat called Mau"]
    rejections.remember(adding("- Works at Ada"), WHEN)
    file = WorkspacePaths(tmp_path).own.rejected_facts_file
    assert file.read_text("utf-8").splitlines()[1:] == ['{"fact": "Lives in Linz"}', '{"fact": "Works at Ada"}']
    file.write_text('no JSON\n{"fact": 3}\n{"fact": "Works at Ada"}\n')
    assert rejections.facts() == ["Works at Ada"]
    file.unlink()
    file.mkdir()
    assert rejections.facts() == []
    assert "what was rejected cannot be told" in caplog.text


def test_only_the_newest_words_are_kept(tmp_path: Path) -> None:
    texts = RejectedTexts(tmp_path / "texts.jsonl")
    texts.write(str(number) for number in range(MOST_TEXTS + 2))
    assert (texts.read()[0], texts.read()[-1], len(texts.read())) == ("2", str(MOST_TEXTS + 1), MOST_TEXTS)


def test_what_is_noted_as_alike_waits_and_is_marked_as_long_as_the_other_is_rejected(
    rejections: Rejections, ledger: Ledger
) -> None:
    rejections.remember(adding("- Lives in Linz"), WHEN)
    rejections.note_alike("Has a flat by the Danube", "Lives in Linz", says_the_same=True)
    rejections.note_alike("Has a boat on the Danube", "Lives in Linz", says_the_same=False)
    assert rejections.since("- Has a flat by the Danube") is None
    mark = "It resembles “Lives in Linz”, which you rejected on 2026-05-12"
    assert rejections.objection("- Has a flat by the Danube") == mark
    flat, boat = "- Has a flat by the Danube", "- Has a boat on the Danube"
    ledger.add_suggestion(adding("- Likes rain", flat))
    [waiting] = ledger.suggestions()
    assert [each.reasons for each in items_of(waiting)] == [
        ("Nobody spoke of “- Likes rain”.",),
        (f"Nobody spoke of “{flat}”.", f"{mark}: “{flat[2:]}”."),
    ]
    ledger.add_suggestion(waiting)
    assert ledger.suggestions() == [waiting]
    rejections.lift(MEMORY, f"{MEMORY}{boat}\n", "none")
    assert rejections.since("- Lives in Linz") == WHEN, "it only resembles it"
    rejections.lift(MEMORY, f"{MEMORY}{flat}\n", "one")
    assert rejections.since("- Lives in Linz") is None
    assert rejections.objection(flat) == ""
    rejections.remember(adding("- Lives in Linz"), WHEN)
    assert rejections.objection(flat) == mark
    for number in range(1_000):
        rejections.note_alike(f"Owns boat {number}", "Lives in Linz", says_the_same=True)
    assert rejections.objection(flat) == "", "of very many they begin anew"


@pytest.mark.parametrize(
    ("rejected", "later"),
    [
        ("The report of Falcon is written by Nora", "Nora checks the report of Falcon"),
        ("Dislikes meetings before ten in the morning", "Has a weekly meeting with Priya at ten in the morning"),
    ],
)
def test_what_may_be_something_else_is_not_left_out_but_marked(
    rejections: Rejections, ledger: Ledger, rejected: str, later: str
) -> None:
    rejections.remember(adding(f"- {rejected}"), WHEN)
    ledger.add_suggestion(adding(f"- {later}", name="cc"))
    [waiting] = ledger.suggestions()
    assert waiting.reasons[-1] == f"It resembles “{rejected}”, which you rejected on 2026-05-12: “{later}”."
    assert ledger.left_out() == []


def test_of_what_is_rejected_no_words_are_kept_of_only_the_hashes_tell(rejections: Rejections, tmp_path: Path) -> None:
    rejections.remember(adding("- Sam is allergic to peanuts"), WHEN)
    WorkspacePaths(tmp_path).own.rejected_facts_file.unlink()
    assert rejections.since("- Allergy of Sam: peanuts") == WHEN
    assert rejections.objection("- Allergy of Sam: peanuts") == ""


@pytest.mark.parametrize(
    ("rejected", "later"),
    [
        ("Sister Clara lives in Toronto", "Sister Clara works as a vet"),
        ("Lent Nora 500 euros", "Borrowed 500 euros from Nora"),
    ],
)
def test_what_says_another_thing_of_the_same_is_proposed_as_anything_else(
    rejections: Rejections, rejected: str, later: str
) -> None:
    rejections.remember(adding(f"- {rejected}"), WHEN)
    assert rejections.objection(f"- {later}") == ""


@pytest.mark.parametrize(
    ("rejected", "later"),
    [
        ("Gave up cigarettes in the spring", "Has not smoked since spring"),
        ("Wakes at 5:40 every day", "Gets up at 5.40 am, each day"),
        ("Начальник снимает квартиру в Перми", "Руководитель арендует в Перми квартиру"),
        ("Hamkasbi bilan ertalab yuguradi", "Тонгда ҳамкасби билан югуради"),
        ("老公怕狗", "丈夫对小狗感到恐惧"),
    ],
)
def test_a_fact_in_words_that_the_program_knows_for_the_same_resembles_it(
    rejections: Rejections, rejected: str, later: str
) -> None:
    rejections.remember(adding(f"- {rejected}"), WHEN)
    assert rejected in rejections.objection(f"- {later}")


def test_another_value_resembles_nothing(rejections: Rejections) -> None:
    rejections.remember(adding("- Pays 900 euros of rent for the flat"), WHEN)
    assert rejections.objection("- Pays 950 euros of rent for the flat") == ""
    assert rejections.objection("- Pays rent for the flat") != ""


def test_one_side_of_a_conflict_of_the_persons_own_is_not_marked(rejections: Rejections, ledger: Ledger) -> None:
    rejections.remember(adding("- The report of Falcon is written by Nora"), WHEN)
    passage = MemoryConflict("", "", "- Nora checks the report of Falcon", theirs_from=MemoryOrigin("undo", WHEN))
    undone = replace(adding("- Nora checks the report of Falcon"), conflicts=(passage,))
    ledger.add_suggestion(undone)
    assert ledger.suggestions() == [undone]


def test_of_several_that_a_fact_resembles_one_that_is_rejected_still_is_named(rejections: Rejections) -> None:
    later = "- Clara, the sister, sings to goats in Toronto"
    for fact in ("Sister Clara lives in Toronto", "Sister Clara sings in a choir of goats"):
        rejections.remember(adding(f"- {fact}"), WHEN)
    assert "in a choir" in rejections.objection(later)
    rejections.lift(MEMORY, f"{MEMORY}- Sister Clara sings in a choir of goats\n", "one")
    assert "lives in Toronto" in rejections.objection(later)
    rejections.lift(MEMORY, f"{MEMORY}- Sister Clara lives in Toronto\n", "two")
    assert rejections.objection(later) == ""
