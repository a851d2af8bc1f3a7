"""The window and each of its dialogs fit the screen they open on, and so do those left on a larger one."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mnemoscope.ui

EXPECTED = {
    "window",
    "settings",
    "conversation.restore",
    "capture.rules",
    "dream.profile",
    "help.manual",
    "help.commands",
    "help.about",
    "question",
    "link",
    "save",
    "folder",
    "damage",
    "message",
    "pane",
    "window again",
    "pane again",
}


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "scale"), [(1366, 768, "1"), (1600, 1000, "2")], ids=["laptop", "dense"])
def test_everything_fits_the_screen(tmp_path: Path, width: int, height: int, scale: str) -> None:
    screens = tmp_path / "screens.json"
    one = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screens.write_text(json.dumps({"screens": [one | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), "utf-8")
    platform = f"offscreen:configfile={screens}"
    environment = {**os.environ, "QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": scale}
    command = [sys.executable, "-m", "tests.ui.window.small_screen_child", str(tmp_path)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    seen = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert {one["name"] for one in seen} == EXPECTED
    assert all(one["screen"][2:] == [width // int(scale), height // int(scale)] for one in seen)
    beyond = [one for one in seen if not one["within"]]
    assert beyond == []
    assert [one for one in seen if one["lost"]] == []


def test_no_dialog_and_no_field_goes_its_own_way() -> None:
    """A new one made of Qt's own class would neither fit the screen nor leave the wheel alone."""
    qts = {"QDialog", "QMessageBox", "QFileDialog"}
    fields = {"QComboBox", "QFontComboBox", "QSpinBox", "QDoubleSpinBox", "QSlider", "QDial", "QTabWidget", "QTabBar"}
    fields |= {"QDateEdit", "QTimeEdit", "QDateTimeEdit"}
    homes = {
        "ui/widgets/fields.py": fields,
        "ui/widgets/screen_fit.py": {"QDialog"},
        "ui/support/external_actions.py": {"QFileDialog"},
        "ui/shell/workspace_window.py": {"QMessageBox"},
    }
    package = Path(mnemoscope.ui.__file__).parent.parent
    strays = []
    for path in sorted(package.glob("ui/**/*.py")):
        name = path.relative_to(package).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            bases = node.bases if isinstance(node, ast.ClassDef) else [node.func] if isinstance(node, ast.Call) else []
            used = {base.id for base in bases if isinstance(base, ast.Name)} & (qts | fields)
            strays += [(name, one) for one in used - homes.get(name, set())]
    assert strays == []
