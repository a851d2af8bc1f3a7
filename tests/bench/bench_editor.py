"""The editor of a memory file: keys in a file of 5,000 lines with its preview open, beside a small file, in one run.

Spelling is looked at too, where the system has dictionaries.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from mnemoscope.store.spelling.enchant import system_dictionaries
from mnemoscope.store.spelling.own_words import OwnWords
from tests.bench.rows import Row

SMALL, LARGE = 50, 5_000
_KEYS = 300
_QUICK_KEYS = 60


def text_of(lines: int) -> str:
    """Returns a memory file of about so many lines."""
    section = "## Section {n}\n\n- [ ] fact {n} with **bold** and `code`\n- another fact of {n}\n  - a part of it\n"
    return "".join(section.format(n=number) for number in range(lines // 5))


def keys_in(lines: int, keys: int) -> tuple[float, float]:
    """Returns the milliseconds of this process's own time that a key and its painting take: p99 of letters, and p99 of
    Enter and Tab in a list. The preview has its time too, as often as it draws itself."""
    # Qt only here: the table is also printed where it is not installed.
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QTextCursor
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from mnemoscope.ui.memory.memory_document import MemoryDocument

    pane = MemoryDocument()
    pane.resize(1_000, 800)
    pane.show()
    pane.show_memory(text_of(lines), "v1")
    editor = pane.editor
    editor.setFocus()
    editor.go_to_line(editor.blockCount() // 2)
    editor.moveCursor(QTextCursor.MoveOperation.EndOfBlock)
    QApplication.processEvents()
    letters, lists = list[float](), list[float]()
    for number in range(keys):
        begun = process_time()
        if number % 20 == 10:
            QTest.keyClick(editor, Qt.Key.Key_Return)
        elif number % 20 == 11:
            QTest.keyClick(editor, Qt.Key.Key_Tab)
        else:
            QTest.keyClick(editor, Qt.Key.Key_A if number % 7 else Qt.Key.Key_Space)
        QApplication.processEvents()
        took = (process_time() - begun) * 1_000
        (lists if number % 20 in (10, 11) else letters).append(took)
    pane.show_memory("", "v2")
    pane.deleteLater()
    QApplication.processEvents()
    return _p99(letters), _p99(lists)


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def rows(quick: bool) -> Iterable[Row]:
    """Yields the figures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from mnemoscope.ui.support.spelling import spelling
    from mnemoscope.ui.widgets.theme import apply_theme

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    keys = _QUICK_KEYS if quick else _KEYS
    with TemporaryDirectory() as folder:
        settings = QSettings(f"{folder}/spelling.ini", QSettings.Format.IniFormat)
        spelling().begin(system_dictionaries, OwnWords(Path(folder, "dictionary.txt")), settings)
        keys_in(SMALL, 20)
        small, _ = keys_in(SMALL, keys)
        letter, in_list = keys_in(LARGE, keys)
        spelling().end()
    figure = f"{letter:.1f} ms; {in_list:.1f} ms; {letter / max(small, 0.1):.1f} x"
    yield Row(
        f"a key in a memory file of {LARGE:,} lines with its preview open, p99; Enter and Tab in a list; the first "
        f"beside a file of {SMALL} lines",
        figure,
        "16 ms; 16 ms; none set",
        letter <= 16 and in_list <= 16,
    )
