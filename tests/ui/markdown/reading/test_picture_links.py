"""A text's pictures are those of this workspace and of the web; whatever else it names stays text."""

import pytest

from mnemoscope.ui.markdown.page.html_writer import html_of
from mnemoscope.ui.markdown.reading.picture_links import MOST, PictureLink, names_of, pictures_in

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
        "app:picture/0",
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


@pytest.mark.parametrize(
    ("markdown", "names"),
    [
        ("![Tea](https://a.org/1.png) ![Cups](https://a.org/2.png)", ["Tea", "Cups"]),
        ("![](https://a.org/the%20kiln.png?w=9) ![](https://a.org/cups.png)", ["the kiln.png", "cups.png"]),
        ("![Tea](https://a.org/1.png) ![Tea](https://a.org/2.png)", ["Tea 1", "Tea 2"]),
        ("![](https://a.org/) ![](https://b.org/) ![Tea](https://a.org/1.png)", ["1", "2", "Tea"]),
        (f"![{'very ' * 20}long](https://a.org/1.png)", [("very " * 8)[:39].rstrip() + "…"]),
    ],
)
def test_each_of_several_pictures_has_a_name_of_its_own(markdown: str, names: list[str]) -> None:
    assert names_of(pictures_in(markdown)) == names
