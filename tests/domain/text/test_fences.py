"""Where code blocks begin and end in Markdown."""

from __future__ import annotations

import pytest

from mnemoscope.domain.text.fences import (
    ends_in_code,
    fenced,
    longer_than_any_backticks,
    open_fence,
    outside_code,
    parts_of,
    unfenced,
)

WITHIN = """before
```python
# no heading
```
after"""


def test_a_block_is_two_fences_and_the_code_between_them() -> None:
    assert [part for _, part in parts_of(WITHIN.split("\n"))] == ["text", "fence", "code", "fence", "text"]
    assert list(outside_code(WITHIN.split("\n"))) == ["before", "after"]
    assert not ends_in_code(WITHIN.split("\n"))


@pytest.mark.parametrize("line", ["``", "~~", "```a`b```", "\\```", "text ```"])
def test_these_lines_open_no_block(line: str) -> None:
    assert list(outside_code([line, "after"])) == [line, "after"]


@pytest.mark.parametrize("line", ["```", "  ~~~~ text", "      ```python", "~~~ a`b"])
def test_these_lines_open_one_that_goes_on_to_the_end(line: str) -> None:
    assert list(outside_code([line, "inside"])) == []
    assert ends_in_code([line, "inside"])


@pytest.mark.parametrize("line", ["~~~", "```", "```` python", "text"])
def test_a_block_is_not_closed_by_another_or_a_shorter_fence_nor_by_one_that_names_a_language(line: str) -> None:
    assert ends_in_code(["````", line])


def test_the_fence_that_is_open_is_the_one_that_closes_it() -> None:
    assert open_fence(["````", "```", "x"]) == "````"
    assert open_fence(["~~~", "```"]) == "~~~"
    assert open_fence(["```", "x", "```"]) == ""


def test_a_longer_fence_closes_a_block() -> None:
    assert not ends_in_code(["```", "x", "  `````  "])


def test_text_is_fenced_by_more_backticks_than_it_has() -> None:
    assert fenced("a\n```\nb", "diff") == "````diff\na\n```\nb\n````"
    assert fenced("a") == "```\na\n```"
    assert longer_than_any_backticks("a `b``") == "```"
    assert longer_than_any_backticks("a") == "`"


@pytest.mark.parametrize("text", ["```json\n{}\n```", "  ~~~\n{}~~~\n", "```json {} ```", "````\n{}\n````"])
def test_a_text_that_is_one_block_is_taken_out_of_its_fences(text: str) -> None:
    assert unfenced(text) == "{}"


@pytest.mark.parametrize("text", ["{}", "```\n{}", "Here:\n```\n{}\n```", "```\n{}\n```\nDone.", ""])
def test_any_other_text_is_no_block(text: str) -> None:
    assert unfenced(text) is None
