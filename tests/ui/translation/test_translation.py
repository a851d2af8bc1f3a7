"""The translation is Qt's own form of the words, so that any thread of Qt can look in it."""

from __future__ import annotations

import os
import subprocess
import sys

from PySide6.QtCore import QTranslator

from mnemoscope.ui.translation.translation import SourceTranslator, compiled_catalog

WORDS = {
    ("Pane", "Save"): ("保存",),
    ("Pane", "It's “new” & <b>"): ("新",),
    ("List", "Save"): ("存",),
    ("List", "%n words"): ("%n word", "%n words"),
    ("", "no context"): ("x",),
}


def test_each_text_is_found_in_its_context_and_form() -> None:
    translator = SourceTranslator(WORDS)
    assert translator.translate("Pane", "Save") == "保存"
    assert translator.translate("List", "Save") == "存"
    assert translator.translate("Pane", "It's “new” & <b>") == "新"
    assert translator.translate("", "no context") == "x"
    assert [translator.translate("List", "%n words", None, count) for count in (0, 1, 2, 11)] == [
        "%n words", "%n word", "%n words", "%n words"
    ]  # fmt: skip
    assert not translator.translate("Pane", "no context")
    assert not translator.translate("Pane", "Load")


def test_many_texts_with_equal_hashes_are_told_apart() -> None:
    # The hash of ELF files forgets what stands more than eight letters before the end, but for some bits.
    words = {("Pane", f"{number:04} times of the same beginning and end"): (str(number),) for number in range(3_000)}
    translator = SourceTranslator(words)
    assert all(translator.translate(*key) == form for key, (form,) in words.items())


def test_qt_asks_no_python_for_a_translation() -> None:
    assert "translate" not in vars(SourceTranslator)
    translator = QTranslator()
    data = compiled_catalog(WORDS)
    assert translator.load(data)
    assert translator.translate("Pane", "Save") == "保存"


def test_images_are_decoded_in_several_threads_of_a_translated_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.translation.translation_child"],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "decoded\n", done.stderr
