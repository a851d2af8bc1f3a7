"""Lines that say what was forgotten are left out, whatever stands before their words."""

from __future__ import annotations

import pytest

from mnemoscope.domain.forgetting.forgotten_lines import entry_without_forgotten, without_forgotten


def is_forgotten(words: str) -> bool:
    return words == "Has a locker"


@pytest.mark.parametrize(
    "line",
    [
        "Has a locker",
        "- Has a locker",
        "[2026-01-02 10:00] Has a locker",
        "- [2025-01-15T10:30:00+00:00] **decision**: Has a locker",
        "- **preference**: Has a locker",
        "  - [durable] Has a locker",
        "- [2026-01-02 10:00] - [durable] Has a locker",
    ],
)
def test_a_line_is_known_without_its_time_kind_and_category(line: str) -> None:
    assert without_forgotten(f"# User\n{line}\n- Likes tea", is_forgotten) == ("# User\n- Likes tea", 1)


def test_the_time_stays_where_the_entry_goes_on() -> None:
    text = "[2026-01-02 10:00] Has a locker\n  - [durable] Likes tea\n[2026-01-02 11:00] Spoke of tea"
    kept = "[2026-01-02 10:00] […]\n  - [durable] Likes tea\n[2026-01-02 11:00] Spoke of tea"
    assert without_forgotten(text, is_forgotten) == (kept, 1)


def test_a_text_without_any_stays_as_it_is() -> None:
    text = "# User\n\n- [2026-01-02] Likes a locker\n"
    assert without_forgotten(text, is_forgotten) == (text, 0)


def test_an_entry_keeps_what_it_says_besides() -> None:
    text = "[2026-01-02 10:00] Spoke of tea. The code is 7. Left.\n  - The code is 7\nAnother day."
    entry, said = entry_without_forgotten(text, lambda words: "code is 7" in words)
    assert entry == "[2026-01-02 10:00] Spoke of tea. […] Left.\n  - […]\nAnother day."
    assert said == ["The code is 7.", "The code is 7"]


def test_a_line_whose_sentences_say_it_together_goes_whole() -> None:
    entry, said = entry_without_forgotten("The gym. Its code: 7.", lambda words: "gym" in words and "7" in words)
    assert (entry, said) == ("[…]", ["The gym. Its code: 7."])
    assert entry_without_forgotten("Something else.", lambda _: False) == ("Something else.", [])
