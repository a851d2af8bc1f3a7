"""What is noted of a capture says each thing once, in words."""

from __future__ import annotations

import pytest

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.capture.rules import CATEGORIES
from mnemoscope.ui.memory.captures.capture_words import category_name, record_words, title_words


def record(text: str, index: int = 0) -> CaptureRecord:
    born = "2026-11-22T09:00:00"
    return CaptureRecord("1", "2026-11-22T09:30:00", "desktop:x", born, index, "preference", text, memory_line="- Tea")


@pytest.mark.parametrize("title", ["I prefer tea", "I prefer…", "I prefer tea. And you?"])
def test_a_conversation_called_by_the_captured_words_is_not_told_beside_them(title: str) -> None:
    words = record_words(record("I prefer tea", 2), lambda _key, _when: title)
    assert title_words(record("I prefer tea")) == "I prefer tea"
    assert words.startswith("Remembered · preference · message 3 · ")


def test_any_other_conversation_is_named() -> None:
    assert "“Trip”, message 1" in record_words(record("I prefer tea"), lambda _key, _when: "Trip")


def test_every_category_has_a_name_for_people() -> None:
    names = [category_name(category) for category in CATEGORIES]
    assert names == ["Correction", "Name", "Preference", "Decision", "Specific value", "To remember"]
