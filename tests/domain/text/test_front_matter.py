"""Front matter is told from the text behind it."""

from __future__ import annotations

import pytest

from mnemoscope.domain.text.front_matter import split_front_matter, without_front_matter


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("---\ntitle: Tea\n---\n# Tea\n", "# Tea\n"),
        ("--- \ntitle: Tea\n...\n", ""),
        ("---\n---", ""),
        ("---\ntitle: Tea\n", "---\ntitle: Tea\n"),
        ("\ufeff---\r\ntitle: Tea\r\n---\r\n# Tea\r\nGreen.\r\n", "# Tea\r\nGreen.\r\n"),
        ("---\r\ntitle: Tea\r\n---\r", ""),
        ("\ufeff# Tea\r\n", "\ufeff# Tea\r\n"),
        ("# Tea\n\n---\n\nGreen.\n---\n", "# Tea\n\n---\n\nGreen.\n---\n"),
    ],
)
def test_what_stands_behind_the_second_line_of_dashes_is_the_text(text: str, rest: str) -> None:
    assert without_front_matter(text) == rest


def test_the_fields_of_a_file_from_windows_are_those_of_any_other() -> None:
    text = "---\ntitle: Tea\nlimit: 5\n---\n# Tea\n"
    windows = "\ufeff" + text.replace("\n", "\r\n")
    assert split_front_matter(windows) == ("title: Tea\nlimit: 5\n", "# Tea\r\n")
    assert split_front_matter(text) == ("title: Tea\nlimit: 5\n", "# Tea\n")
    assert split_front_matter("# Tea\n") == ("", "# Tea\n")
