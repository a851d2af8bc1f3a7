"""Lines that say what was forgotten are left out, whatever stands before their words."""

from __future__ import annotations

import json

import pytest

from mnemoscope.domain.forgetting.forgotten_lines import (
    LEFT_OUT,
    entry_without_forgotten,
    results_with_marks,
    with_lines_back,
    with_marks,
    without_forgotten,
)


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


def test_a_line_of_a_long_entry_is_known_behind_the_part_that_it_is_of() -> None:
    text = "[2026-01-02 10:00] [RAW] (characters 1 to 20,000 of 24,000) Has a locker\n  Likes tea"
    assert without_forgotten(text, is_forgotten)[1] == 1


def test_a_mark_stands_in_the_place_of_a_line_and_the_line_comes_back_there() -> None:
    before = "# User\n- Has a locker\n- Likes tea\n"
    marked, count = with_marks(before, is_forgotten)
    assert (marked, count) == (f"# User\n{LEFT_OUT}\n- Likes tea\n", 1)
    edited = marked.replace("Likes tea", "Likes coffee")
    assert with_lines_back(edited, before, is_forgotten) == "# User\n- Has a locker\n- Likes coffee\n"


def test_a_text_that_left_a_mark_out_is_none() -> None:
    before = "- Has a locker\n- Likes tea\n"
    assert with_lines_back("- Likes tea\n", before, is_forgotten) is None
    assert with_lines_back(f"{LEFT_OUT}\n{LEFT_OUT}\n", before, is_forgotten) is None
    assert with_lines_back("- Likes coffee\n", "- Likes tea\n", is_forgotten) == "- Likes coffee\n"


def test_only_the_lines_near_either_end_are_looked_at_where_the_middle_is_cut() -> None:
    text = "\n".join(["- Has a locker", *(["- Likes tea"] * 20), "- Has a locker", *(["- Likes tea"] * 20)])
    assert with_marks(text, is_forgotten, 30)[1] == 1
    assert with_marks(text, is_forgotten)[1] == 2
    assert with_marks(text.rstrip("\n") + "\n- Has a locker", is_forgotten, 30)[1] == 2


def test_only_what_tools_gave_has_marks() -> None:
    messages = [{"role": role, "content": "- Has a locker\n- Likes tea"} for role in ("user", "assistant", "tool")]
    said, answered, gave = results_with_marks(messages, is_forgotten)
    assert (said, answered) == (messages[0], messages[1])
    assert gave["content"] == f"{LEFT_OUT}\n- Likes tea"


def test_a_text_in_a_line_of_json_is_known_line_by_line() -> None:
    row = json.dumps({"cursor": 7, "content": "- [durable] Has a locker\n- Likes “tea”"})
    assert with_marks(row, is_forgotten) == (LEFT_OUT, 1)
    assert with_lines_back(LEFT_OUT, row, is_forgotten) == row
    assert with_marks('  "said": "Likes \\"tea\\"",', is_forgotten)[1] == 0
