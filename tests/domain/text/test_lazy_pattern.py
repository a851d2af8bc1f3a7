"""A long pattern costs nothing before it is tried, and is then as if it had been compiled at once."""

from __future__ import annotations

import re

import pytest

from mnemoscope.domain.text.lazy_pattern import LazyPattern


def test_it_finds_and_replaces_as_the_pattern_does() -> None:
    late, now = LazyPattern(r"(t)ea\b", re.IGNORECASE), re.compile(r"(t)ea\b", re.IGNORECASE)
    text = "Tea, tea and teapots"
    for _ in range(2):
        assert (
            [found[0] for found in late.finditer(text)] == [found[0] for found in now.finditer(text)] == ["Tea", "tea"]
        )
        found = late.search(text)
        assert found is not None
        assert found.span() == (0, 3)
        assert late.search("coffee") is None
        assert late.sub(r"\1ar", text) == now.sub(r"\1ar", text) == "Tar, tar and teapots"
        assert late.sub(lambda match: match[0].upper(), text) == "TEA, TEA and teapots"


def test_it_is_compiled_when_it_is_first_tried() -> None:
    broken = LazyPattern("(")
    with pytest.raises(re.error):
        broken.search("anything")
