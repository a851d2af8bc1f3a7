"""A long message shows its beginning: whole lines, and only where enough is hidden by it."""

import pytest

from mnemoscope.domain.conversation.fold import FOLDED_FROM, SHOWN_LINES, folded_length


@pytest.mark.parametrize("text", ["", "a", "x" * 100_000, "a\n" * (FOLDED_FROM - 1), "x" * 5_000 + "\n" * 3])
def test_what_is_short_or_has_no_place_to_be_cut_at_is_shown_whole(text: str) -> None:
    assert folded_length(text) is None


def test_the_first_lines_are_shown() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    length = folded_length(text)
    assert length is not None
    assert text[:length].splitlines() == [f"line {number}" for number in range(SHOWN_LINES)]
    assert text[length] == "\n"


def test_one_long_paragraph_is_cut_behind_a_word() -> None:
    text = "word " * 2_000
    length = folded_length(text)
    assert length is not None
    assert 0 <= SHOWN_LINES * 88 - length < len("word ")
    assert text[:length].endswith("word")
    assert text[length] == " "
    # So is one that follows short lines.
    beside = folded_length("a\nb\n" + text)
    assert beside is not None
    assert length - 3 * 88 < beside < length


def test_a_long_paragraph_without_blanks_is_cut_behind_a_sign() -> None:
    text = "明天去买茶，" * 1_000
    length = folded_length(text)
    assert length is not None
    assert text[:length].endswith("，")


def test_long_lines_count_as_the_lines_they_take() -> None:
    text = "\n".join(["word " * 200] * 6)
    length = folded_length(text)
    assert length is not None
    assert text[:length].count("\n") == 1
