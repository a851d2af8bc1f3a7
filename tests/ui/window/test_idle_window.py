"""What an idle window does not hold: figures of memory are kept by what is not built, which a test can count."""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_an_idle_window_on_the_sample_has_imported_nothing_it_does_not_need(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bench.window_process", "window", str(tmp_path), repr(time.time())]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300)
    assert json.loads(done.stdout.splitlines()[-1])["unneeded"] == []


KINDS = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QWidget
from tests.bench import window_process

def kinds(of):
    return {of.__name__}.union(*map(kinds, type.__subclasses__(of)))

window_process.report = lambda *seconds: print(*kinds(QWidget))
window_process.run_window(time.time(), Path(sys.argv[1]))
"""


def test_no_class_of_widgets_is_made_that_the_window_has_no_use_for(tmp_path: Path) -> None:
    """One plain widget of Qt's own that Python is handed makes them all."""
    command = [sys.executable, "-c", KINDS, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300)
    made = set(done.stdout.split())
    assert {"QWidget", "QMainWindow"} <= made
    assert not made & {"QWizard", "QCalendarWidget", "QMdiArea", "QRhiWidget"}
