"""The sources of the window's modules are not read when it is imported."""

from __future__ import annotations

import subprocess
import sys

_IMPORTS = """
import linecache
from mnemoscope.ui.shell.import_hook import take_off_import_hook

take_off_import_hook()
import mnemoscope.desktop
print(sum("mnemoscope" in name for name in linecache.cache))
"""


def test_no_source_of_the_window_is_read_or_kept() -> None:
    done = subprocess.run([sys.executable, "-c", _IMPORTS], check=True, capture_output=True, text=True)
    assert int(done.stdout) == 0
