"""A text's pictures are those of this workspace and of the web; whatever else it names stays text."""

import pytest

from mnemoscope.ui.markdown.page.html_writer import html_of
from mnemoscope.ui.markdown.reading.picture_links import MOST, PictureLink, pictures_in

HASH = "a1" * 32


def test_pictures_of_the_workspace_and_of_the_web_are_found_once() -> None:
    text = (
        f"Look: ![a plan](sessions/attachments/{HASH}) and\n\n- ![tea](https://example.org/tea.png?x=1)\n"
        f"- ![tea](https://example.org/tea.png?x=1)\n"
    )
    assert pictures_in(text) == [
        PictureLink("a plan", sha256=HASH),
        PictureLink("tea", address="https://example.org/tea.png?x=1", host="example.org"),
    ]
    assert len(pictures_in(" ".join(f"![p](https://example.org/{n})" for n in range(20)))) == MOST


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "data:image/png;base64,AAAA",
        "//server/share/a.png",
        "\\\\server\\share\\a.png",
        "/etc/passwd",
        "notes/plan.png",
        f"../sessions/attachments/{HASH}",
        f"sessions/attachments/{HASH}/../../config.json",
        "sessions/attachments/abc",
        "javascript:alert(1)",
        "mailto:a@example.org",
        "mnemo:LoadPicture/0/0",
        "https://",
    ],
)
def test_any_other_address_stays_text(address: str) -> None:
    assert pictures_in(f"![x]({address})") == []
    assert pictures_in(f"![x][r]\n\n[r]: {address}") == []


def test_what_is_code_or_too_deep_is_no_picture() -> None:
    assert pictures_in("`![x](https://example.org/a.png)`") == []
    assert pictures_in("```\n![x](https://example.org/a.png)\n```") == []
    assert pictures_in(">" * 5_000 + "![x](https://example.org/a.png)") == []


def test_an_export_loads_none() -> None:
    page = html_of(f"![x](https://example.org/a.png) ![y](sessions/attachments/{HASH})")
    assert "example.org" not in page
    assert "[image: x]" in page
