"""What Qt says on stderr in a window without a screen."""

import subprocess
import sys

SHEET = """
from PySide6.QtCore import qCritical, qWarning
from PySide6.QtWidgets import QDialog, QMenu
from mnemoscope.ui.shell.application import make_application

app = make_application(["mnemoscope"])
sheet = QDialog()
sheet.open()
app.processEvents()
sheet.setFixedSize(200, 100)
app.processEvents()
sheet.raise_()
menu = QMenu(sheet)
menu.addAction("Copy")
menu.popup(sheet.pos())
app.processEvents()
menu.close()
qWarning("This plugin does not support foreign windows")
qCritical("something else is wrong")
sheet.close()
"""


def test_offscreen_what_needs_a_screen_is_left_out_and_every_other_message_is_told() -> None:
    done = subprocess.run([sys.executable, "-c", SHEET], check=True, capture_output=True, text=True, timeout=300)
    assert done.stderr.splitlines() == ["This plugin does not support foreign windows", "something else is wrong"]


def test_without_it_qt_would_say_so() -> None:
    silent = SHEET.replace("make_application([", "__import__('PySide6.QtWidgets').QtWidgets.QApplication([")
    done = subprocess.run([sys.executable, "-c", silent], check=True, capture_output=True, text=True, timeout=300)
    for what in ("propagateSizeHints()", "raise()", "grabbing the keyboard"):
        assert f"This plugin does not support {what}" in done.stderr
