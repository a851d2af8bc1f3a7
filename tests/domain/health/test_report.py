"""A corrected text is the file without the line that has a fault, and with no other change."""

import pytest

from mnemoscope.domain.health.report import FindingKind, HealthFinding, without_entry

HERMES = "Likes tea\n§\nTODO: call Tom\nand Ann\n§\nLives in Graz\n"


def finding(row: str, line: int = 1, instead: str = "") -> HealthFinding:
    return HealthFinding(FindingKind.TASK_RESIDUE, "MEMORY.md", line, row, instead=instead)


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("Likes tea", "TODO: call Tom\nand Ann\n§\nLives in Graz\n"),
        ("Lives in Graz", "Likes tea\n§\nTODO: call Tom\nand Ann\n"),
        ("and Ann", "Likes tea\n§\nTODO: call Tom\n§\nLives in Graz\n"),
    ],
)
def test_an_entry_goes_with_what_divides_it_from_the_next(row: str, left: str) -> None:
    assert without_entry(HERMES, finding(row)) == left


def test_an_entry_of_one_line_leaves_one_divider() -> None:
    assert without_entry("a\n§\nb\n§\nc", finding("b", 3)) == "a\n§\nc"


def test_a_line_of_markdown_is_taken_out_or_put_right() -> None:
    text = "# Memory\n\n- a\n- b\n"
    assert without_entry(text, finding("- a", 3)) == "# Memory\n\n- b\n"
    assert without_entry(text, finding("- a", 3, "- c")) == "# Memory\n\n- c\n- b\n"
    assert without_entry(text, finding("- gone", 3)) is None
