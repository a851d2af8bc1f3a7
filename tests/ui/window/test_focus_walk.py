"""Whoever walks with Tab meets every control of the window, its pages and its dialogs once, in the order of reading,
sees a ring around it, and hears its name and what it is."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from tests.ui.window.focus_walk import ring_fault
from tests.ui.window.test_small_screens import dialogs_there_are


def walked(folder: Path, theme: str, scale: int) -> list[dict[str, Any]]:
    """Returns what a walk through everything met, at the size that most laptops have."""
    one = {"name": "one", "x": 0, "y": 0, "width": 1366 * scale, "height": 768 * scale, "dpr": 1}
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [one | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), "utf-8")
    platform = f"offscreen:configfile={screens}"
    environment = {**os.environ, "QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": str(scale)}
    command = [sys.executable, "-m", "tests.ui.window.focus_walk_child", str(folder), theme]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "scale"), [pytest.param("light", 1, marks=pytest.mark.long), ("dark", 2)])
def test_tab_meets_everything_once_with_its_ring_name_and_role(tmp_path: Path, theme: str, scale: int) -> None:
    report = walked(tmp_path, theme, scale)
    assert report[-1]["name"] == "message", "the last that it opens"
    assert dialogs_there_are() - {one["kind"] for one in report} == set(), "open it in small_screen_child"
    for kind in ("faults", "missed", "climbs"):
        assert {one["name"]: one[kind] for one in report if one[kind]} == {}, kind
    names = [one["name"] for one in report]
    assert {"receipt: Answer again", "health: Growth", "versions", "conflicts", "past"} <= set(names)
    assert sum(len(one["stops"]) for one in report) > 500


def pictured(*rings: tuple[int, int, int, int]) -> QImage:
    """Returns a white picture with frames of the ring's width in blue."""
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        for left, top, width, height in rings:
            painter.fillRect(left, top, width, height, QColor("#2563EB"))
    return image


def test_what_counts_as_a_ring() -> None:
    around = ((5, 5, 50, 2), (5, 33, 50, 2), (5, 5, 2, 30), (53, 5, 2, 30))
    assert ring_fault(pictured(*around), pictured(), 1) == ""
    assert ring_fault(pictured(*around[:3]), pictured(), 1) == "no ring at the right"
    assert ring_fault(pictured((20, 10, 1, 18)), pictured(), 1) == "no ring", "a caret"
    assert ring_fault(pictured(*around), pictured(*around), 1) == "no ring", "it is there without the keyboard too"
