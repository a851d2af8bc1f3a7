"""What memory says already is no reason to let a line through that puts its words together anew, or turns them."""

from __future__ import annotations

import time

import pytest

from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import Sources

BEFORE = """# Likes
- Tea

# Notes
- Allergic to penicillin
- Does not eat meat
- Never signs contracts without a lawyer
- Sister Ann lives in Leeds, number 0113 496 0000
- Owes Bob 300 pounds
- Pays Ms Clark 40 a month
- [ ] Wire the rent
"""


def reasons(old: str, new: str, said: str = "What does that page say?", quoted: str = "A page.") -> tuple[str, ...]:
    assert old in BEFORE
    return review(BEFORE, BEFORE.replace(old, new), sources=Sources(said, quoted=quoted)).reasons


TURNED = [
    ("- Allergic to penicillin", "- Not allergic to penicillin"),
    ("- Allergic to penicillin", "- Allergic to penicillin?"),
    ("- Does not eat meat", "- Does eat meat"),
    ("- Never signs contracts without a lawyer", "- Signs contracts without a lawyer"),
    ("- Owes Bob 300 pounds", "- Bob owes 300 pounds"),
    ("- Pays Ms Clark 40 a month", "- Pays Ms Clark 300 a month"),
    ("- [ ] Wire the rent", "- [x] Wire the rent"),
]


@pytest.mark.parametrize(("old", "new"), TURNED)
def test_a_fact_that_is_turned_in_known_words_waits_where_a_tool_spoke(old: str, new: str) -> None:
    assert reasons(old, new)


@pytest.mark.parametrize(("old", "new"), TURNED)
def test_where_the_person_says_so_or_nobody_else_spoke_it_does_not(old: str, new: str) -> None:
    assert reasons(old, new, said=new.lstrip("-[]x ")) == ()
    # But for an exchanged figure, which is made up where nobody spoke of it.
    assert reasons(old, new, quoted="") == () or "40 a month" in old


@pytest.mark.parametrize(
    "new",
    [
        "- Ann signs contracts without penicillin",
        "- Ms Clark's number is 0113 496 0000",
        "- Never eats meat without Ann",
        "- Ann owes 40 pounds",
    ],
)
def test_a_line_put_together_of_known_words_waits(new: str) -> None:
    assert reasons("- Tea\n", f"- Tea\n{new}\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- Allergic to penicillin\n- Does not eat meat", "- Allergic to penicillin; does not eat meat"),
        ("- Sister Ann lives in Leeds, number 0113 496 0000", "- Sister Ann: in Leeds, 0113 496 0000"),
        ("- Owes Bob 300 pounds", "- **Owes Bob** 300 pounds."),
    ],
    ids=["joined", "a word left out", "emphasised"],
)
def test_a_rewording_that_says_the_same_does_not_wait(old: str, new: str) -> None:
    assert reasons(old, new) == ()


def test_a_fact_under_another_heading_waits_where_a_tool_spoke() -> None:
    moved = BEFORE.replace("- Tea\n", "").replace("- Owes", "- Tea\n- Owes")
    found = review(BEFORE, moved, sources=Sources("Read it.", quoted="A page.")).reasons
    assert found == ("It would move “Tea” to “Notes”.",)
    assert review(BEFORE, moved, sources=Sources("Read it.")).reasons == ()
    assert review(BEFORE, moved, sources=Sources("Put tea among the notes.", quoted="A page.")).reasons == ()


@pytest.mark.slow
def test_a_thousand_lines_reworded_at_once_are_judged_in_a_moment() -> None:
    before = "# Notes\n" + "".join(f"- Thing {number} is not thing {number + 1}\n" for number in range(1_000))
    started = time.process_time()
    found = review(before, before.replace(" is", " was"), sources=Sources("Read it.", quoted="A page.")).reasons
    assert found == ("It would rewrite more than half of the memory.",)
    assert time.process_time() - started < 10
