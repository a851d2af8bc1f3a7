"""Edits that a model gives as one object."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mnemoscope.domain.answers.answer_reading import NoStructuredAnswer
from mnemoscope.domain.dream.edits import MOST_EDITS, AskedEdit, edits_schema, make_edits, read_edits
from mnemoscope.domain.dream.files import DreamFiles
from mnemoscope.domain.llm import LLMResponse

MEMORY = "memory/MEMORY.md"


def read(value: Any) -> Any:
    return read_edits(LLMResponse(json.dumps(value)))


def test_an_edit_is_a_file_with_old_and_new_words() -> None:
    given = read({"edits": [{"file": "USER.md", "old": "tea", "new": "coffee"}], "summary": " It changed. "})
    assert given.edits == (AskedEdit("USER.md", "tea", "coffee"),)
    assert (given.words, given.as_text) == ("It changed.", False)


def test_the_same_edit_twice_is_one() -> None:
    assert len(read({"edits": [{"file": "USER.md", "old": "", "new": "- x"}] * 40}).edits) == 1


@pytest.mark.parametrize(
    "edits",
    [
        [{"file": "USER.md"}],
        [{"file": "USER.md", "old": "tea"}],
        [{"file": "USER.md", "old": "", "new": ""}],
        [{"file": "USER.md", "old": {"a": 1}, "new": "x"}],
        [{"file": "USER.md", "old": "", "new": True}],
        ["- likes tea"],
        7,
        [{"file": "USER.md", "old": "", "new": f"- {number}"} for number in range(MOST_EDITS + 1)],
    ],
)
def test_what_is_no_whole_edit_is_no_answer(edits: Any) -> None:
    with pytest.raises(NoStructuredAnswer):
        read({"edits": edits})


def test_deep_nesting_is_no_answer() -> None:
    nested: Any = {"file": "USER.md", "old": "", "new": "- x"}
    for _ in range(60):
        nested = [nested]
    with pytest.raises(NoStructuredAnswer):
        read({"edits": nested})


def test_edits_are_made_in_their_order_and_each_refusal_is_told_once() -> None:
    files = DreamFiles({MEMORY: "# Memory\n\n- likes tea\n"})
    changes = [("likes tea", "likes coffee"), ("likes coffee", "likes milk"), ("wine", "x"), ("wine", "y")]
    made = make_edits(files, read({"edits": [{"file": MEMORY, "old": old, "new": new} for old, new in changes]}))
    assert (made.made, made.stood, len(made.refused)) == (2, 0, 1)
    assert files.now[MEMORY] == "# Memory\n\n- likes milk\n"
    assert made.problem() == f"Nothing was changed: this text is not in {MEMORY}."
    assert made.complaint() == f"{made.problem()} Give the exact words of one place."


def test_the_schema_names_the_files_that_may_be_edited() -> None:
    schema = edits_schema(("skills/tea/SKILL.md", "AGENTS.md"))
    names = schema["properties"]["edits"]["items"]["properties"]["file"]["enum"]
    assert names == ["SOUL.md", "USER.md", MEMORY, "skills/tea/SKILL.md"]
