"""The desk Dream edits at, its batches, and the records of its runs."""

from __future__ import annotations

import json

import pytest

from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.dream.files import DreamFiles, file_edit, may_edit
from mnemoscope.domain.dream.run import DreamRun, FileEdit, Spend, run_of

MEMORY = "memory/MEMORY.md"


@pytest.fixture
def desk() -> DreamFiles:
    return DreamFiles({MEMORY: "# Memory\n\n- likes tea\n- lives in Graz\n", "SOUL.md": "Be brief.\n"})


def test_an_edit_replaces_the_one_place_it_names(desk: DreamFiles) -> None:
    desk.edit(MEMORY, "likes tea", "likes green tea")
    assert desk.succeeded
    assert desk.changes() == [
        FileChange(
            MEMORY, "# Memory\n\n- likes tea\n- lives in Graz\n", "# Memory\n\n- likes green tea\n- lives in Graz\n"
        )
    ]


@pytest.mark.parametrize(("old", "said"), [("likes coffee", "is not in"), ("li", "stands 2 times in")])
def test_an_edit_of_no_place_or_several_changes_nothing(desk: DreamFiles, old: str, said: str) -> None:
    assert said in desk.edit(MEMORY, old, "x")
    assert not desk.succeeded
    assert desk.changes() == []


def test_an_empty_passage_adds_a_line_at_the_end(desk: DreamFiles) -> None:
    desk.edit("SOUL.md", "", "Be kind.")
    desk.edit("USER.md", "", "- Ann")
    assert [change.after for change in desk.changes()] == ["Be brief.\nBe kind.\n", "- Ann\n"]


def test_a_file_with_words_in_it_is_not_written_over(desk: DreamFiles) -> None:
    assert "is not empty" in desk.write(MEMORY, "all new")
    desk.write("USER.md", "- Ann\n")
    desk.write("skills/tea/SKILL.md", "Brew.\n")
    assert [change.path for change in desk.changes()] == ["USER.md", "skills/tea/SKILL.md"]


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md", "../SOUL.md", "/etc/passwd", "skills/../SOUL.md", "skills/x/.git/config", "skills/x/run.sh",
        "memory/history.jsonl", "memory/.dream_cursor", "SOUL.md\0", "skills/a/b/c.md", "./SOUL.md", "soul.md", "",
    ],
)  # fmt: skip
def test_no_other_file_is_open(desk: DreamFiles, path: str) -> None:
    assert not may_edit(path)
    for said in (desk.read(path), desk.edit(path, "", "x"), desk.write(path, "x")):
        assert "is not open here" in said
        assert not desk.succeeded


def test_what_is_undone_on_the_desk_is_no_change(desk: DreamFiles) -> None:
    desk.edit(MEMORY, "tea", "coffee")
    desk.edit(MEMORY, "coffee", "tea")
    assert desk.changes() == []


def test_an_edit_that_changes_nothing_says_so(desk: DreamFiles) -> None:
    assert "says this already" in desk.edit(MEMORY, "tea", "tea")
    assert not desk.succeeded


def test_a_file_does_not_grow_without_end(desk: DreamFiles) -> None:
    assert "100,000 are possible" in desk.edit(MEMORY, "", "x" * 100_001)


def test_a_run_is_read_back_as_it_was_recorded() -> None:
    run = DreamRun(
        "a1", "2026-04-03T00:02:00", 1.5, "manual", "m", 3, 7, 5, 2, Spend(10, 2, None), "changed",
        edits=(FileEdit(MEMORY, 1, 2),), commit="abcdef01",
    )  # fmt: skip
    assert run_of(json.loads(json.dumps(run.as_record()))) == run
    assert run_of({"id": "a1"}) is None
    assert run_of([1, 2]) is None
    assert run_of("words") is None


def test_spend_with_an_unknown_price_is_unknown() -> None:
    spend = Spend().plus({"prompt_tokens": 5, "completion_tokens": 2}, 0.25).plus({"prompt_tokens": 1}, None)
    assert (spend.tokens, spend.money) == (8, None)


def test_the_size_of_an_edit_is_counted_in_lines() -> None:
    assert file_edit(FileChange(MEMORY, "a\nb\n", "a\nc\nd\n"), held=True) == FileEdit(MEMORY, 2, 1, held=True)
