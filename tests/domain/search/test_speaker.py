"""Who speaks in a passage, and what is said without the name."""

import pytest

from mnemoscope.domain.search.speaker import speaker_of, speech_of


@pytest.mark.parametrize(
    ("text", "speaker", "speech"),
    [
        ("Nora: I planted dahlias.", "Nora", "I planted dahlias."),
        ("- **Nora**: I planted dahlias.", "Nora", "I planted dahlias."),
        ("[2026-03-06 14:20] Mary Ann Lee: Hello there.", "Mary Ann Lee", "Hello there."),
        ("Катя: я посадила георгины.", "Катя", "я посадила георгины."),
        ("小明：我种了花。", "小明", "我种了花。"),
    ],
)
def test_a_name_before_a_colon_speaks(text: str, speaker: str, speech: str) -> None:
    assert (speaker_of(text), speech_of(text)) == (speaker, speech)


@pytest.mark.parametrize("text", ["I planted dahlias.", "https://example.org", "At 14:20 we leave", "Nora:", ""])
def test_where_nobody_is_named_all_is_said(text: str) -> None:
    assert speech_of(text) == text


def test_what_is_no_name_is_part_of_what_is_said() -> None:
    for text in ("note: buy milk", "What I wanted to say is this: buy milk"):
        assert speech_of(text) == text
