"""Merging MEMORY.md three ways."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.merge.three_way import Conflict, merge_memory

CORPUS = json.loads((Path(__file__).parents[2] / "corpus" / "memory_merge.json").read_text("utf-8"))
BASE = "# User\n- Name is Sam\n- Likes tea\n- Lives in Paris\n- Has a dog\n\n# Project\n- Uses Python\n"


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["name"])
def test_the_corpus_is_merged_as_it_says(case: dict[str, Any]) -> None:
    found = merge_memory(case["base"], case["ours"], case["theirs"])
    assert (found.text, found.proposed, len(found.conflicts)) == (case["text"], case["proposed"], case["conflicts"])


def test_a_rewrite_the_person_asked_for_is_merged() -> None:
    rewrite = "# Profile\n- Sam, in Paris with a dog\n- Python programmer\n"
    found = merge_memory(BASE, BASE + "- mine\n", rewrite, rewrites=True)
    assert "- mine" in found.text
    assert "# Profile" in found.text


def test_what_the_person_wrote_once_more_is_not_deleted_without_a_word() -> None:
    found = merge_memory("- Has a dog\n", "- Has a dog\n- Has a dog\n", "# Empty\n")
    assert found.text.count("- Has a dog") == 2
    assert found.conflicts == (Conflict("- Has a dog", "- Has a dog", ""),)


def test_one_sided_changes_are_taken_to_the_letter() -> None:
    changed = BASE + "\n\n- odd   spacing"
    assert merge_memory(BASE, BASE, changed).text == changed
    assert merge_memory(BASE, changed, BASE).text == changed
    assert merge_memory(BASE, changed, changed).text == changed


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (BASE + "- mine\n", BASE + "- theirs\n", BASE + "- mine\n- theirs\n"),
        (
            BASE.replace("Sam", "Samuel"),
            BASE.replace("Likes tea", "Likes green tea"),
            BASE.replace("Sam", "Samuel").replace("Likes tea", "Likes green tea"),
        ),
        (BASE.replace("- Likes tea\n", ""), BASE + "- theirs\n", BASE.replace("- Likes tea\n", "") + "- theirs\n"),
        (BASE + "\n# Mine\n- m\n", BASE + "- theirs\n", BASE + "- theirs\n\n# Mine\n- m\n"),
        (
            BASE + "\n# Tea\n- a\n\n# Zoo\n- z\n",
            BASE + "\n# Tea\n- b\n",
            BASE + "\n# Tea\n- a\n- b\n\n# Zoo\n- z\n",
        ),
        (
            BASE.replace("- Has a dog\n", "- Has a dog\n- mine\n"),
            BASE.replace("- Has a dog\n", "- Has a dog\n- theirs\n"),
            BASE.replace("- Has a dog\n", "- Has a dog\n- mine\n- theirs\n"),
        ),
    ],
    ids=["same place", "neighbours", "deleted by the person", "under its heading", "same new section", "inside"],
)
def test_changes_that_do_not_meet_are_both_kept(ours: str, theirs: str, merged: str) -> None:
    found = merge_memory(BASE, ours, theirs)
    assert (found.text, found.conflicts) == (merged, ())
    assert merge_memory(BASE, found.text, theirs).text == merged


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("- Likes coffee and tea\n", "- Likes green tea\n"), ("", "- Likes green tea\n"), ("- Likes white tea\n", "")],
    ids=["both reworded", "deleted by the person", "deleted by the model"],
)
def test_where_both_changed_a_line_the_persons_stands(mine: str, theirs: str) -> None:
    line = "- Likes tea\n"
    found = merge_memory(BASE, BASE.replace(line, mine), BASE.replace(line, theirs))
    assert found.text == BASE.replace(line, mine)
    assert found.proposed == BASE.replace(line, theirs)
    assert found.conflicts == (Conflict("- Likes tea", mine.strip(), theirs.strip()),)


def test_a_line_the_person_deleted_does_not_come_back_by_being_moved() -> None:
    ours = BASE.replace("- Likes tea\n", "")
    assert merge_memory(BASE, ours, ours + "- Likes tea\n").text == ours


def test_a_rewrite_of_more_than_half_is_never_merged() -> None:
    rewrite = "# Profile\n- Sam, in Paris with a dog\n- Python programmer\n"
    found = merge_memory(BASE, BASE + "- mine\n", rewrite)
    assert found.text == BASE + "- mine\n"
    assert found.proposed == rewrite
    assert len(found.conflicts) == 1


def test_without_a_base_nothing_counts_as_deleted() -> None:
    assert merge_memory(None, "# A\n- x\n- y\n", "# A\n- x\n- z\n").text == "# A\n- x\n- y\n- z\n"


def test_a_code_block_is_one_unit() -> None:
    base = "# Code\n```\na = 1\n\nb = 2\n```\n- after\n"
    found = merge_memory(base, base.replace("a = 1", "a = 3"), base + "- more\n")
    assert found.text == base.replace("a = 1", "a = 3") + "- more\n"


@pytest.mark.slow
def test_thousands_of_equal_lines_do_not_hang() -> None:
    base = "- x\n" * 20_000
    found = merge_memory(base, base + "- mine\n", base + "- theirs\n")
    assert found.text == base + "- mine\n"


CHOICES = ["# A", "# B", "- a one", "- b two", "- c three", "plain text", "", "  nested"]
LINES = st.lists(st.sampled_from(CHOICES), max_size=9)


@given(LINES, LINES, LINES)
def test_nothing_the_person_wrote_is_lost_but_what_the_model_plainly_deleted(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    texts = ["".join(f"{line}\n" for line in lines) for lines in (base, ours, theirs)]
    found = merge_memory(*texts)
    kept = set(found.text.split("\n"))
    assert {line for line in ours if line.strip() and line not in base} <= {line for line in kept if line}
    assert not any(mark in found.text for mark in ("<<<<", ">>>>", "====", "||||"))


@pytest.mark.slow
@given(LINES, LINES, st.lists(st.sampled_from(["- new x", "- fresh y"]), max_size=2, unique=True))
def test_growth_that_was_merged_is_not_merged_twice(base: list[str], ours: list[str], grown: list[str]) -> None:
    old, mine, theirs = ("".join(f"{line}\n" for line in lines) for lines in (base, ours, [*base, *grown]))
    merged = merge_memory(old, mine, theirs).text
    again = merge_memory(old, merged, theirs).text
    for line in grown:
        assert again.split("\n").count(line) == merged.split("\n").count(line)


def test_a_heading_stays_under_which_something_was_put_since() -> None:
    before = "# Memory\n\n## About\n- tea\n"
    after = f"{before}\n## Captured\n\n- a cat\n"
    assert merge_memory(after, f"{after}- a dog\n", before).text == f"{before}\n## Captured\n\n- a dog\n"
    below = f"{after}- a dog\n\n## Work\n- Oslo\n"
    assert merge_memory(after, below, before).text == f"{before}\n## Captured\n\n- a dog\n\n## Work\n- Oslo\n"
    elsewhere = f"{after}\n## Work\n- Oslo\n"
    assert merge_memory(after, elsewhere, before).text == f"{before}\n## Work\n- Oslo\n"


def test_a_bullet_above_the_rest_of_one_that_is_gone_is_not_merged_twice() -> None:
    base, theirs = "- Has a cat\n  with stripes\n", "- Name is Sam\n- Has a cat\n  with stripes\n"
    once = merge_memory(base, "  with stripes\n", theirs)
    assert once.text == "- Name is Sam\n  with stripes\n"
    assert merge_memory(base, once.text, theirs).text == once.text
