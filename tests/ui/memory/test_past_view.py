"""The page of the past keeps no object for what Qt deletes."""

import subprocess
import sys

ITEMS = """
import gc
from PySide6.QtWidgets import QWidgetItem
from mnemoscope.ui.memory.past_view import PastView
from mnemoscope.ui.shell.application import make_application

app = make_application(["mnemoscope"])
page = PastView()
print(sum(item.widget() is page.date for item in gc.get_objects() if isinstance(item, QWidgetItem)))
"""


def test_python_knows_no_item_of_the_date_which_qt_deletes_when_it_is_moved() -> None:
    done = subprocess.run([sys.executable, "-c", ITEMS], check=True, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["0"]
