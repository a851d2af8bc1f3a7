"""What an idle window does not hold: figures of memory are kept by what is not built, which a test can count."""

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_an_idle_window_on_the_sample_has_imported_nothing_it_does_not_need(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bench.window_process", "window", str(tmp_path), repr(time.time())]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout.splitlines()[-1])["unneeded"] == []
