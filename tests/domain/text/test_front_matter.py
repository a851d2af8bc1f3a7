"""Front matter is told from the text behind it."""

from __future__ import annotations

import pytest

from mnemoscope.domain.text.front_matter import without_front_matter


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("---\ntitle: Tea\n---\n# Tea\n", "# Tea\n"),
        ("--- \ntitle: Tea\n...\n", ""),
        ("---\n---", ""),
        ("---\ntitle: Tea\n", "---\ntitle: Tea\n"),
        ("# Tea\n\n---\n\nGreen.\n---\n", "# Tea\n\n---\n\nGreen.\n---\n"),
    ],
)
def test_what_stands_behind_the_second_line_of_dashes_is_the_text(text: str, rest: str) -> None:
    assert without_front_matter(text) == rest
