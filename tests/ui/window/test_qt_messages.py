"""What Qt says on stderr in a window without a screen."""

import subprocess
import sys

SHEET = """
from PySide6.QtCore import qCritical, qWarning
from PySide6.QtWidgets import QDialog
from mnemoscope.ui.shell.application import make_application

app = make_application(["mnemoscope"])
sheet = QDialog()
sheet.open()
app.processEvents()
sheet.setFixedSize(200, 100)
app.processEvents()
qWarning("This plugin does not support raise()")
qCritical("something else is wrong")
sheet.close()
"""


def test_offscreen_one_message_of_qt_is_left_out_and_every_other_is_told() -> None:
    done = subprocess.run([sys.executable, "-c", SHEET], check=True, capture_output=True, text=True, timeout=300)
    assert done.stderr.splitlines() == ["This plugin does not support raise()", "something else is wrong"]


def test_without_it_qt_would_say_so() -> None:
    silent = SHEET.replace("make_application([", "__import__('PySide6.QtWidgets').QtWidgets.QApplication([")
    done = subprocess.run([sys.executable, "-c", silent], check=True, capture_output=True, text=True, timeout=300)
    assert "This plugin does not support propagateSizeHints()" in done.stderr
