"""What other threads do neither holds up a frame nor deletes what is Qt's."""

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


COLLECTED = """
import threading
from PySide6.QtCore import QObject, QTimer
from mnemoscope.ui.shell.application import make_application

app = make_application(["mnemoscope"])
deleted_on = []

class Held(QObject):
    def __init__(self):
        super().__init__()
        self.me = self

    def __del__(self):
        deleted_on.append(threading.current_thread())

def allocate():
    for _ in range(200):
        [[number] for number in range(5_000)]

for _ in range(50):
    Held()
beside = threading.Thread(target=allocate)
beside.start()
beside.join()
assert deleted_on == [], deleted_on
kept = [[number] for number in range(5_000)]

def look():
    if len(deleted_on) == 50:
        app.quit()

timer = QTimer()
timer.timeout.connect(look)
timer.start(10)
app.exec()
print({thread is threading.main_thread() for thread in deleted_on})
"""


def test_what_only_a_cycle_holds_is_deleted_on_the_windows_thread_alone() -> None:
    command = [sys.executable, "-c", COLLECTED]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "{True}\n", "")
