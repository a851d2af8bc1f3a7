"""The files that make up a workspace's memory."""

from __future__ import annotations

import pytest

from mnemoscope.domain.memory.file_registry import is_daily_note


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("memory/2026-11-22.md", True), ("memory/ideas.md", False), ("memories/2026-11-22.md", False)],
)
def test_a_daily_note_is_told_by_its_place_and_name(name: str, is_one: bool) -> None:
    assert is_daily_note(name) is is_one
