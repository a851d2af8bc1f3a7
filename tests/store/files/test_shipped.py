"""What ships with the program is found wherever it is installed."""

from __future__ import annotations

from mnemoscope.store.files.shipped import shipped, shipped_prompt


def test_a_prompt_is_the_text_of_its_file_without_the_last_line_break() -> None:
    text = shipped("resources", "prompts", "summary.md").read_text("utf-8")
    assert shipped_prompt("summary") + "\n" == text
