"""Who speaks in a passage that begins with a name."""

import pytest

from mnemoscope.domain.search.line_heads import speaker_of


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Nora: I planted dahlias.", "Nora"),
        ("- **Nora**: I planted dahlias.", "Nora"),
        ("[2026-03-06 14:20] Mary Ann Lee: Hello there.", "Mary Ann Lee"),
        ("Катя: я посадила георгины.", "Катя"),
        ("小明：我种了花。", "小明"),
    ],
)
def test_a_name_before_a_colon_speaks(text: str, speaker: str) -> None:
    assert speaker_of(text) == speaker


@pytest.mark.parametrize("text", ["I planted dahlias.", "https://example.org", "At 14:20 we leave", ""])
def test_nobody_speaks_where_no_name_stands(text: str) -> None:
    assert speaker_of(text) == ""
