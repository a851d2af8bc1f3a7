"""Two facts that disagree are settled as the person says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from mnemoscope.domain.disagreement.memory_check import Disagreement, PlacedPair
from mnemoscope.domain.disagreement.settlement import (
    PairItem,
    Settlement,
    items_with_pairs,
    pair_id,
    pairs_of,
    settled,
    settled_text,
    with_scope,
    without_pair,
)
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion

DAY = date(2026, 3, 12)
PAIR = Disagreement("- Lives in Graz", "- Lives in Linz")
PLACED = PlacedPair(PAIR, MEMORY_PATH, MEMORY_PATH)
STRUCK = "- ~~Lives in Graz~~ (until 2026-03-12)"
BEFORE = "# Memory\n\n- Lives in Graz\n- Has a cat\n"
PROPOSED = f"# Memory\n\n{STRUCK}\n- Has a cat\n- Lives in Linz\n- Likes tea\n"
BOTH = Settlement("both", None, "until May", "at work")
PASSAGES = (
    MemoryConflict("- Lives in Graz", "- Lives in Graz", STRUCK),
    MemoryConflict("", "", "- Lives in Linz"),
    MemoryConflict("", "", "- Likes tea"),
)
HELD = Suggestion("1", "2026-03-12", BEFORE, PROPOSED, (PAIR.sentence, "Other."), "", 0, 0, PASSAGES)


@pytest.mark.parametrize(
    ("settlement", "facts"),
    [
        (Settlement("keep"), "- Lives in Graz"),
        (Settlement("replace", DAY), f"{STRUCK}\n- Lives in Linz"),
        (BOTH, "- Lives in Graz (until May)\n- Lives in Linz (at work)"),
    ],
)
def test_each_choice_settles_the_pair_whether_the_new_line_stands_or_not(settlement: Settlement, facts: str) -> None:
    for text in (BEFORE, BEFORE.replace("- Lives in Graz", "- Lives in Graz\n- Lives in Linz")):
        assert settled_text(text, PLACED, MEMORY_PATH, settlement) == BEFORE.replace("- Lives in Graz", facts)


def test_nothing_is_settled_where_the_old_line_is_gone() -> None:
    assert settled(replace(HELD, before="- Has a cat\n"), PLACED, BOTH, {}) is None


def test_a_scope_is_one_bracket_and_no_markup() -> None:
    assert with_scope("- Lives in Graz ", " (at *work*\n) ") == "- Lives in Graz (at \\*work\\*)"
    assert with_scope("- Lives in Graz", " () ") == "- Lives in Graz"


def test_a_pair_is_one_item_whatever_passages_it_has_and_the_rest_waits_beside_it() -> None:
    pair, other = items_with_pairs([HELD])
    assert isinstance(pair, PairItem)
    assert pair.pair == PAIR
    assert pair.reasons == (PAIR.sentence, "Other.")
    assert other.after == "- Likes tea"
    assert [type(item) for item in items_with_pairs([replace(HELD, conflicts=PASSAGES[:2])])] == [PairItem]


def test_a_pair_and_what_waits_beside_it_have_their_own_reasons() -> None:
    of_pair, of_rest = "You did not say “Lives in Linz”.", "You did not say “Likes tea”."
    pair, other = items_with_pairs([replace(HELD, reasons=(PAIR.sentence, of_pair, of_rest, "Other."))])
    assert pair.reasons == (PAIR.sentence, of_pair, "Other.")
    assert other.reasons == (of_rest, "Other.")
    done = settled(pair.suggestion, PLACED, BOTH, {})
    assert done is not None
    assert done.left is not None
    assert done.left.reasons == (of_rest, "Other.")


def test_what_waits_for_another_reason_has_no_pair() -> None:
    held = replace(HELD, reasons=("Nobody spoke of “Likes tea”.",))
    assert pairs_of(held) == ()
    assert len(items_with_pairs([held])) == 3


def test_a_proposal_without_its_pair_says_the_rest_of_it() -> None:
    assert without_pair(HELD, PAIR) == BEFORE + "- Likes tea\n"
    stood = replace(HELD, before=BEFORE + "- Lives in Linz\n")
    assert "- Lives in Linz" in without_pair(stood, PAIR)


def test_a_pair_is_known_again_with_its_scopes_and_in_the_other_order() -> None:
    scoped = Disagreement("- Lives in Linz (at work)", "- Lives in Graz (until May)")
    assert pair_id("memory/MEMORY.md", PAIR) == pair_id("memory/MEMORY.md", scoped)
    assert pair_id("memory/MEMORY.md", PAIR) != pair_id("USER.md", PAIR)
    assert pair_id("memory/MEMORY.md", PAIR, "USER.md") == pair_id("USER.md", PAIR, "memory/MEMORY.md")
    assert pair_id("memory/MEMORY.md", PAIR, "USER.md") != pair_id("USER.md", PAIR)


@pytest.mark.parametrize(
    ("settlement", "old", "new"),
    [
        (Settlement("keep"), "- Lives in Graz\n* Lives in Graz.", ""),
        (
            Settlement("replace", DAY),
            f"{STRUCK}\n* ~~Lives in Graz.~~ (until 2026-03-12)",
            "- Lives in Linz\nLives in Linz\n",
        ),
        (
            BOTH,
            "- Lives in Graz (until May)\n* Lives in Graz. (until May)",
            "- Lives in Linz (at work)\nLives in Linz (at work)\n",
        ),
    ],
)
def test_a_fact_that_stands_twice_is_settled_in_both_places(settlement: Settlement, old: str, new: str) -> None:
    text = "# Lives in Graz\n- Lives in Graz\n* Lives in Graz.\n- Lives in Linz\nLives in Linz\n"
    assert settled_text(text, PLACED, MEMORY_PATH, settlement) == f"# Lives in Graz\n{old}\n{new}"


@pytest.mark.parametrize("settlement", [Settlement("keep"), Settlement("replace", DAY), BOTH])
def test_what_was_struck_at_an_earlier_time_keeps_its_day(settlement: Settlement) -> None:
    once = "- ~~Lives in Graz~~ (until 2020-01-31)\n- ~~Lives in Linz~~ (until 2021-01-31)\n"
    text = f"{once}- Lives in Graz\n"
    after = settled_text(text, PLACED, MEMORY_PATH, settlement)
    assert after.startswith(once)
    assert after != text or settlement.choice == "keep"
    held = replace(HELD, before=text, proposed=f"{once}{STRUCK}\n- Lives in Linz\n")
    assert without_pair(held, PAIR) == text
