"""What the window says was remembered is what was to be remembered, not the wish for it."""

from __future__ import annotations

import pytest

from mnemoscope.domain.capture.capture_text import capture_text, without_wish
from mnemoscope.domain.capture.record import CaptureRecord


def record(category: str, text: str) -> CaptureRecord:
    return CaptureRecord("1", "2025-01-15T10:30:00", "key", "then", 0, category, text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Remember: I like tea", "I like tea"),
        ("Please remember: the gate code changes monthly", "the gate code changes monthly"),
        ("Remember that my sister lives in Leeds", "my sister lives in Leeds"),
        ("Remember this: I like tea", "I like tea"),
        ("remember, I park on level 3", "I park on level 3"),
        ("Don’t forget: dentist on Monday", "dentist on Monday"),
        ("Keep in mind that I am vegetarian", "I am vegetarian"),
        ("Save this for later: the gate sticks", "the gate sticks"),
        ("Запомни: я люблю чай", "я люблю чай"),
        ("Запомни, что сестра живёт в Твери", "сестра живёт в Твери"),
        ("Пожалуйста, запомни: код меняется", "код меняется"),
        ("Eslab qol: men choyni yaxshi ko‘raman", "men choyni yaxshi ko‘raman"),
        ("Yozib qo‘y: dorixona yopiq", "dorixona yopiq"),
        ("Эслаб қол: мен чойни яхши кўраман", "мен чойни яхши кўраман"),
        ("记住：我喜欢绿茶", "我喜欢绿茶"),
        ("请记住，我妹妹住在成都", "我妹妹住在成都"),
    ],
)
def test_a_wish_is_not_shown_with_what_it_is_about(text: str, shown: str) -> None:
    assert capture_text(record("remember", text)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Remember:",
        "Remember this",
        "Remember milk",
        "Remember that restaurant",
        "Remember where I parked",
        "The gate code is in the drawer, remember: second one",
        "Запомни молоко",
        "Запомни, когда встреча",
        "Sutni eslab qol",
        "记住牛奶",
        "Notes: the gate sticks",
    ],
)
def test_words_that_are_no_wish_set_apart_stay(text: str) -> None:
    assert without_wish(text) == text


def test_what_was_no_wish_is_shown_as_it_was_said() -> None:
    assert capture_text(record("decision", "Note: we use Postgres")) == "Note: we use Postgres"
