"""A new text is compared with the one that stands."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import partial
from itertools import combinations
from pathlib import Path

from mnemoscope.domain.disagreement.fact_comparison import disagree
from mnemoscope.domain.disagreement.memory_check import (
    Disagreement,
    brought_disagreements,
    checked,
    disagreeing_places,
    disagreements_in,
    disagreements_with_others,
    new_disagreements,
    with_struck_lines,
)
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import SOUL_PATH
from mnemoscope.domain.review.memory_review import Proposal

DAY = date(2026, 3, 12)
BEFORE = "# Memory\n\n- Has a cat\n- Lives in Graz\n"
PAIR = Disagreement("- Lives in Graz", "- Lives in Linz")
STRUCK = "- ~~Lives in Graz~~ (until 2026-03-12)"


def test_a_new_line_is_compared_with_those_that_stand_even_if_the_proposal_drops_them() -> None:
    for proposed in (BEFORE + "- Lives in Linz\n", BEFORE.replace("Graz", "Linz")):
        assert brought_disagreements(BEFORE, proposed) == (PAIR,)
    assert brought_disagreements(BEFORE, BEFORE + "- Likes tea\n") == ()


def test_what_was_struck_already_states_nothing() -> None:
    before = BEFORE.replace("- Lives in Graz", STRUCK)
    assert brought_disagreements(before, before + "- Lives in Linz\n") == ()


def test_a_checked_proposal_keeps_the_old_line_struck_and_says_why_it_waits() -> None:
    found = checked(BEFORE, Proposal(BEFORE.replace("Graz", "Linz"), ("It would drop “Lives in Graz”.", "Other.")), DAY)
    assert found.text == f"# Memory\n\n- Has a cat\n{STRUCK}\n- Lives in Linz\n"
    assert found.reasons == ("Two facts disagree: “Lives in Graz” and “Lives in Linz”.", "Other.")


def test_a_proposal_without_disagreement_is_left_as_it_is() -> None:
    proposal = Proposal(BEFORE + "- Likes tea\n", ())
    assert checked(BEFORE, proposal, DAY) is proposal


def test_a_long_fact_is_shortened_in_the_reason() -> None:
    assert len(Disagreement("- Lives in Graz " + "near " * 60, "- Lives in Linz").sentence) < 200


def test_an_old_line_that_is_nowhere_in_the_text_is_put_struck_before_the_new_one() -> None:
    assert with_struck_lines("- Lives in Linz\n", [PAIR], DAY) == f"{STRUCK}\n- Lives in Linz\n"
    assert with_struck_lines("- Has a cat\n", [PAIR], DAY) == "- Has a cat\n"
    assert with_struck_lines(f"{STRUCK}\n- Lives in Linz\n", [PAIR], DAY) == f"{STRUCK}\n- Lives in Linz\n"


def test_what_the_person_corrected_in_their_own_words_needs_no_review() -> None:
    proposal = Proposal(BEFORE.replace("Graz", "Linz"), ())
    assert checked(BEFORE, proposal, DAY, "I moved to Linz in May.") is proposal
    assert checked(BEFORE, proposal, DAY, "How is the weather in Linz?").reasons
    lost = Proposal(BEFORE.replace("Graz", "Linz"), ("It would drop “Lives in Graz”.", "It would drop “Has a cat”."))
    assert checked(BEFORE, lost, DAY, "I moved to Linz in May.").reasons == ("It would drop “Has a cat”.",)


def test_lines_of_one_text_that_disagree_are_found_wherever_they_stand() -> None:
    text = "# Memory\n\n- Lives in Graz\n- Has a cat\n\n## Later\n- Lives in Linz\n- Lives in Linz.\n"
    assert [placed.pair for placed in disagreements_in({"a": text})] == [
        Disagreement("- Lives in Graz", "- Lives in Linz.")
    ]
    assert disagreements_in({"a": BEFORE}) == ()
    assert disagreements_in({"a": f"{STRUCK}\n- Lives in Linz\n"}) == ()


def test_lines_of_two_texts_that_disagree_are_found_with_their_files_and_those_of_the_first_are_older() -> None:
    texts = {"MEMORY.md": BEFORE, "USER.md": "- Lives in Linz\n- Has a dog\n"}
    (placed,) = disagreements_in(texts)
    assert (placed.pair, placed.old_path, placed.new_path) == (PAIR, "MEMORY.md", "USER.md")


def test_a_new_line_that_disagrees_with_another_file_waits_though_the_person_said_it() -> None:
    others = {"USER.md": "# User\n\n- Lives in Graz\n- ~~Lives in Wels~~ (until 2020-01-31)\n"}
    before = "# Memory\n\n- Has a cat\n"
    proposal = Proposal(f"{before}- Lives in Linz\n", ())
    found = checked(before, proposal, DAY, "I moved to Linz in May.", others)
    assert found.reasons == ("Two memory files disagree: USER.md says “Lives in Graz”, this one “Lives in Linz”.",)
    assert found.text == proposal.text
    assert disagreements_with_others(before, f"{before}- Likes tea\n", others) == ()
    assert disagreements_with_others(before, before, others) == ()


def test_of_two_lines_the_one_that_ends_a_fact_is_the_newer_one() -> None:
    for text in ("- Has a cat\n- No longer has a cat\n", "- No longer has a cat\n- Has a cat\n"):
        pairs = [placed.pair for placed in disagreements_in({"a": text})]
        assert len(pairs) == 1
        assert {pairs[0].old, pairs[0].new} == {"- Has a cat", "- No longer has a cat"}


def test_the_lines_of_one_person_disagree_with_no_other_of_them() -> None:
    text = (Path(__file__).parents[3] / "resources/bench/honest.json").read_text(encoding="utf-8")
    lines = [f"- {fact['fact']}" for fact in json.loads(text)["facts"]]
    # They are of many people, so only what does not depend on whose fact it is may be compared.
    of_one = [line for line in lines if not re.search("[Ll]ives|[Ww]ork|住|Жив|ашайди|ashaydi|Nurse|кофе|Kofe", line)]
    assert len(of_one) > 80
    assert disagreements_in({"a": "\n".join(of_one)}) == ()


def test_lines_in_two_languages_are_compared_as_the_pair_of_them_is_read() -> None:
    lines = ["- Has a cat", "- Lives in Tashkent", "- Toshkentda yashaydi", "- Endi Samarqandda yashaydi"]
    asked = [(lines[old], lines[new]) for old, new in disagreeing_places(lines)]
    assert asked == [pair for pair in combinations(lines, 2) if disagree(*pair) or disagree(*reversed(pair))]
    assert asked


def test_comparing_ends_once_nobody_waits_for_the_pairs_with_what_was_found_so_far() -> None:
    text = "".join(f"- Lives in {town}\n" for town in ("Graz", "Linz", "Wels", "Steyr"))
    for find in (
        partial(disagreements_in, {"a": text}),
        partial(new_disagreements, "a", "", {"b": text, "a": text}),
    ):
        answers = iter((True, True))
        some, all_of_them = find(lambda answers=answers: next(answers, False)), find()
        assert some == all_of_them[: len(some)]
        assert 0 < len(some) <= 2 < len(all_of_them)
        assert find(lambda: False) == ()


def test_a_checked_proposal_leaves_what_was_struck_at_an_earlier_time() -> None:
    once = "- ~~Lives in Graz~~ (until 2020-01-31)\n"
    proposal = Proposal(f"{once}- Lives in Linz\n", ())
    assert checked(f"{once}- Lives in Graz\n", proposal, DAY).text == f"{once}{STRUCK}\n- Lives in Linz\n"


def test_soul_is_compared_with_itself_and_of_other_files_only_what_both_say_of_answers() -> None:
    texts = {
        MEMORY_PATH: "- Lives in Graz\n- Wants detailed answers\n",
        SOUL_PATH: "- Lives in Sam's computer\n- Answers are short\n- Never use emoji\n- Use emoji\n",
    }
    found = {(each.pair.old, each.pair.new) for each in disagreements_in(texts)}
    assert found == {("- Wants detailed answers", "- Answers are short"), ("- Never use emoji", "- Use emoji")}
    before, proposed = "", "- Lives in Linz\n- Likes long answers\n"
    (sentence,) = disagreements_with_others(before, proposed, {SOUL_PATH: texts[SOUL_PATH]})
    assert "SOUL.md says “Answers are short”, this one “Likes long answers”" in sentence
    fresh = new_disagreements(SOUL_PATH, "", texts | {SOUL_PATH: "- Lives in Linz\n- Answers are short\n"})
    assert [each.pair.old for each in fresh] == ["- Wants detailed answers"]


def test_what_is_wanted_without_something_is_wanted_all_the_same() -> None:
    pairs = (
        ("- Wants short answers without preamble", "- Likes short answers"),
        ("- Просит отвечать кратко и без вступлений", "- Отвечай кратко и по делу"),
    )
    for one, other in pairs:
        assert not disagree(one, other)
        assert not disagree(other, one)
    for one, other in (
        ("- Drinks coffee without sugar", "- Drinks coffee with sugar"),
        ("- Lives without a car", "- Has a car"),
        ("- Wants answers without emoji", "- Likes emoji in answers"),
        ("- Пьёт кофе без сахара", "- Пьёт кофе с сахаром"),
    ):
        assert disagree(one, other)
        assert disagree(other, one)
