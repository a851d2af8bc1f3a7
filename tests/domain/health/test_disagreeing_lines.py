from __future__ import annotations

from datetime import date

import pytest

from mnemoscope.domain.health.disagreeing_lines import disagreeing_lines
from mnemoscope.domain.health.report import FindingKind, HealthFinding

TODAY = date(2026, 5, 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Rent is 940", "Rent is 1,020"),
        ("Lives in Graz", "Lives in Linz"),
        ("Drinks coffee", "Does not drink coffee"),
        ("住在北京", "住在上海"),
    ],
)
def test_lines_that_disagree_are_found_across_files_and_the_older_would_be_struck(old: str, new: str) -> None:
    texts = {"memory/MEMORY.md": f"# Facts\n\n- {old}\n- Bakes bread\n", "USER.md": f"- {new}\n"}
    struck = f"- ~~{old}~~ (until 2026-05-01)"
    assert disagreeing_lines(texts, TODAY) == [
        HealthFinding(FindingKind.DISAGREEMENT, "memory/MEMORY.md", 3, f"- {old}", new, struck, "USER.md")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rye loaf costs 4.20 euros", "Oil for the machine is bought for 9 euros"),
        ("Likes tea", "Likes walks"),
        ("Mother lives in Graz", "Works in Linz"),
        ("~~Lives in Graz~~ (until 2026-01-01)", "Lives in Linz"),
        ("不吃辣", "年糕只吃罐头"),
    ],
)
def test_lines_about_two_things_and_a_struck_line_disagree_with_nothing(one: str, other: str) -> None:
    assert disagreeing_lines({"memory/MEMORY.md": f"- {one}\n- {other}\n"}, TODAY) == []
