"""The window, its panes and each dialog fit the screen they open on, and so do those left on a larger one."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.source_trees import modules_with, tree_of


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "scale", "language"),
    [
        pytest.param(1366, 768, "2", "en", id="small, English"),
        pytest.param(1366, 768, "2", "zh_CN", id="small, Chinese"),
        # The find bar has the bars of a low pane give way at one height, and at another it leaves them where they are.
        pytest.param(1600, 1000, "2", "en", id="dense, English"),
        # What fits a small screen fits a larger one.
        pytest.param(1366, 768, "1", "en", id="laptop, English", marks=pytest.mark.long),
        pytest.param(1366, 768, "1", "zh_CN", id="laptop, Chinese", marks=pytest.mark.long),
        pytest.param(1600, 1000, "2", "zh_CN", id="dense, Chinese", marks=pytest.mark.long),
    ],
)
def test_everything_fits_the_screen(tmp_path: Path, width: int, height: int, scale: str, language: str) -> None:
    screens = tmp_path / "screens.json"
    one = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screens.write_text(json.dumps({"screens": [one | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), "utf-8")
    platform = f"offscreen:configfile={screens}"
    environment = {**os.environ, "QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": scale}
    command = [sys.executable, "-m", "tests.ui.window.small_screen_child", str(tmp_path), language]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    reports = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    seen = [one for one in reports if "frame" in one]
    assert seen[-1]["name"] == "pane again", "the last that it opens"
    assert dialogs_there_are() - {one["kind"] for one in seen} == set(), "open it in small_screen_child"
    assert all(one["screen"][2:] == [width // int(scale), height // int(scale)] for one in seen)
    beyond = [one for one in seen if not one["within"]]
    assert beyond == []
    assert [one for one in seen if one["lost"]] == []
    panes = [one for one in reports if "needs" in one]
    assert {"versions", "past", "find in memory", "find in the prompt"} <= {one["name"] for one in panes}
    # Within a frame as a window manager draws it.
    room = width // int(scale) - 8, height // int(scale) - 40
    assert [one for one in panes if one["needs"][0] > room[0] or one["needs"][1] > room[1]] == []
    assert [one for one in panes if one["has"] != panes[0]["has"]] == [], "the window does not grow by itself"
    assert [one for one in reports if one.get("cut")] == []
    # What a person decides there is in sight with what it is decided by.
    whole = {"versions", "review", "conflicts", "compare", "captures", "past turns", "memory", "history"}
    whole |= {"find in the prompt", "find in the prompt, with a sentence", "past turns and find in the prompt"}
    assert {one["name"]: one["scrolled"] for one in panes if one["name"] in whole and one["scrolled"]} == {}
    assert whole <= {one["name"] for one in panes}


def dialogs_there_are() -> set[str]:
    """Returns the names of all classes of dialogs of the program."""
    found = {"Dialog"}
    while more := {name for path in modules_with(*found) for name in _made_of(found, tree_of(path))} - found:
        found |= more
    return found - {"Dialog"}


def _made_of(bases: set[str], tree: ast.Module) -> Iterator[str]:
    """Yields the classes of a module that have one of these as their base."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and bases & {ast.unparse(base) for base in node.bases}:
            yield node.name


def test_no_dialog_and_no_field_goes_its_own_way() -> None:
    """A new one made of Qt's own class would neither fit the screen nor leave the wheel alone."""
    qts = {"QDialog", "QMessageBox", "QFileDialog"}
    fields = {"QComboBox", "QFontComboBox", "QSpinBox", "QDoubleSpinBox", "QSlider", "QDial", "QTabWidget", "QTabBar"}
    fields |= {"QDateEdit", "QTimeEdit", "QDateTimeEdit"}
    homes = {
        "ui/widgets/fields.py": fields,
        "ui/widgets/dialogs/screen_fit.py": {"QDialog"},
        "ui/support/external_actions.py": {"QFileDialog"},
        "ui/shell/help/help_controller.py": {"QMessageBox"},
    }
    strays = []
    for path in modules_with(*qts, *fields):
        for node in ast.walk(tree_of(path)):
            bases = node.bases if isinstance(node, ast.ClassDef) else [node.func] if isinstance(node, ast.Call) else []
            used = {base.id for base in bases if isinstance(base, ast.Name)} & (qts | fields)
            strays += [(path.as_posix(), one) for one in used - homes.get(path.as_posix(), set())]
    assert strays == []
