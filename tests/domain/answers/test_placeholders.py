"""What a model answers instead of a memory is no memory, however it types its apostrophes."""

from __future__ import annotations

import pytest

from mnemoscope.domain.answers.placeholders import is_refusal


@pytest.mark.parametrize("text", ["Xo'p", "Xoʻp.", "Xo‘p", "I can’t do that", "I canʼt do that"])
def test_a_bare_ok_and_a_refusal_are_known_by_any_apostrophe(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize("text", ["Xo‘jayin Toshkentda", "Ann’s dog is Rex"])
def test_a_fact_is_no_refusal(text: str) -> None:
    assert not is_refusal(text, is_fact=True)
