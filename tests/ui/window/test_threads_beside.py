"""What other threads do does not hold up a frame."""

import subprocess
import sys

ASKED = """
import sys
from mnemoscope.ui.shell.application import make_application

make_application(["mnemoscope"])
print(sys.getswitchinterval())
"""


def test_the_window_need_not_wait_for_the_interpreter_as_long_as_python_would_have_it() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], check=True, capture_output=True, text=True, timeout=300)
    assert float(done.stdout) <= 0.001
