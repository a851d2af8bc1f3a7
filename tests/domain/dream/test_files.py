"""The copies of files that Dream edits."""

from __future__ import annotations

import pytest

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup
from mnemoscope.domain.commits import FileChange
from mnemoscope.domain.dream.files import DreamFiles, file_edit, may_edit, plain_path
from mnemoscope.domain.dream.run import FileEdit

MEMORY = "memory/MEMORY.md"


@pytest.fixture
def copies() -> DreamFiles:
    return DreamFiles({MEMORY: "# Memory\n\n- likes tea\n- lives in Graz\n", "SOUL.md": "Be brief.\n"})


def test_an_edit_replaces_the_one_place_it_names(copies: DreamFiles) -> None:
    copies.edit(MEMORY, "likes tea", "likes green tea")
    assert copies.succeeded
    assert copies.changes() == [
        FileChange(
            MEMORY, "# Memory\n\n- likes tea\n- lives in Graz\n", "# Memory\n\n- likes green tea\n- lives in Graz\n"
        )
    ]


@pytest.mark.parametrize(("old", "said"), [("likes coffee", "is not in"), ("li", "stands 2 times in")])
def test_an_edit_of_no_place_or_several_changes_nothing(copies: DreamFiles, old: str, said: str) -> None:
    assert said in copies.edit(MEMORY, old, "x")
    assert not copies.succeeded
    assert copies.changes() == []


def test_an_empty_passage_adds_a_line_at_the_end(copies: DreamFiles) -> None:
    copies.edit("SOUL.md", "", "Be kind.")
    copies.edit("USER.md", "", "- Ann")
    assert [change.after for change in copies.changes()] == ["Be brief.\nBe kind.\n", "- Ann\n"]


def test_a_file_with_words_in_it_is_not_written_over(copies: DreamFiles) -> None:
    assert "is not empty" in copies.write(MEMORY, "all new")
    copies.write("USER.md", "- Ann\n")
    copies.write("skills/tea/SKILL.md", "Brew.\n")
    assert [change.path for change in copies.changes()] == ["USER.md", "skills/tea/SKILL.md"]


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md", "../SOUL.md", "/etc/passwd", "skills/../SOUL.md", "skills/x/.git/config", "skills/x/run.sh",
        "memory/history.jsonl", "memory/.dream_cursor", "SOUL.md\0", "skills/a/b/c.md", "./SOUL.md", "soul.md", "",
    ],
)  # fmt: skip
def test_no_other_file_is_open(copies: DreamFiles, path: str) -> None:
    assert not may_edit(path)
    for said in (copies.read(path), copies.edit(path, "", "x"), copies.write(path, "x")):
        assert "is not open here" in said
        assert not copies.succeeded


def test_what_is_undone_in_the_copies_is_no_change(copies: DreamFiles) -> None:
    copies.edit(MEMORY, "tea", "coffee")
    copies.edit(MEMORY, "coffee", "tea")
    assert copies.changes() == []


def test_an_edit_that_changes_nothing_says_so(copies: DreamFiles) -> None:
    assert "says this already" in copies.edit(MEMORY, "tea", "tea")
    assert not copies.succeeded


def test_a_file_does_not_grow_without_end(copies: DreamFiles) -> None:
    assert "100,000 are possible" in copies.edit(MEMORY, "", "x" * 100_001)


def test_the_size_of_an_edit_is_counted_in_lines() -> None:
    assert file_edit(FileChange(MEMORY, "a\nb\n", "a\nc\nd\n"), held=True) == FileEdit(MEMORY, 2, 1, held=True)


def test_a_line_that_is_removed_leaves_no_empty_one(copies: DreamFiles) -> None:
    copies.edit(MEMORY, "- likes tea", "")
    assert copies.now[MEMORY] == "# Memory\n\n- lives in Graz\n"
    copies.edit(MEMORY, "lives in ", "")
    assert copies.now[MEMORY] == "# Memory\n\n- Graz\n"


def test_a_file_is_not_emptied(copies: DreamFiles) -> None:
    assert "would empty SOUL.md" in copies.edit("SOUL.md", "Be brief.\n", "")
    assert not copies.succeeded
    assert copies.changes() == []


@pytest.mark.parametrize("words", ["- ...", "- string", "- (rest of memory unchanged)", "- The whole text"])
def test_words_that_stand_for_others_are_not_written(copies: DreamFiles, words: str) -> None:
    assert "stands for words" in copies.edit(MEMORY, "", words)
    assert copies.changes() == []


def test_a_line_that_stands_there_is_not_added_again(copies: DreamFiles) -> None:
    assert "says this already" in copies.edit(MEMORY, "", "- Likes tea.")
    assert (copies.succeeded, copies.stood) == (False, True)


def test_characters_that_no_file_of_words_holds_are_left_out(copies: DreamFiles) -> None:
    copies.edit(MEMORY, "", "- has a cat\0\r\n")
    copies.write("USER.md", "- Ann\ud800\n")
    assert copies.now[MEMORY].endswith("- has a cat\n")
    assert copies.now["USER.md"] == "- Ann\n"
    assert copies.cleaned == [AnswerCleanup.LINE_ENDS, AnswerCleanup.CONTROL, AnswerCleanup.HALVES]


@pytest.mark.parametrize(
    ("written", "path"), [("./SOUL.md", "SOUL.md"), ("MEMORY.md", MEMORY), ("workspace/USER.md", "USER.md")]
)
def test_a_path_may_be_written_from_the_workspace_on(written: str, path: str) -> None:
    assert plain_path(written) == path
