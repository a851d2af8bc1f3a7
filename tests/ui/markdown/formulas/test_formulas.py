"""Formulas are drawn by a process of their own: it may be late, refuse or die, and the window has the source."""

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.document.formula_object import OBJECT, with_sources
from mnemoscope.ui.markdown.formulas.drawn_formula import FormulaRequest
from mnemoscope.ui.markdown.formulas.formulas import Formulas, formulas, holds_formula
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.ui.chat.transcript.transcript_fixture import pane, said, settle, text_of

__all__ = ["pane"]

NO_HURRY = 90_000
FRACTION = FormulaRequest(r"\frac{a}{b}", False, 16.0, "#123456")
HANGS = (sys.executable, "-c", "import sys; print('{\"ready\": true}', flush=True); [None for _ in sys.stdin]")
DIES = (sys.executable, "-c", "raise SystemExit")
DIES_AT_WORK = (sys.executable, "-c", "print('{\"ready\": true}', flush=True); input(); raise SystemExit")


@pytest.fixture
def drawing() -> Iterator[Formulas]:
    made = formulas()
    made.begin(NO_HURRY)
    yield made
    made.end()
    assert not made.is_running


def waiting(source: Formulas, wanted: FormulaRequest) -> bool:
    source.look(wanted)
    return wanted not in source._known


def test_a_formula_is_drawn_in_its_size_and_colour(drawing: Formulas, qtbot: QtBot) -> None:
    assert drawing.look(FRACTION) is None
    qtbot.waitUntil(lambda: not waiting(drawing, FRACTION))
    formula = drawing.look(FRACTION)
    assert formula is not None
    assert b"#123456" in formula.svg
    assert b"<script" not in formula.svg
    assert 0 < formula.depth < formula.height


@pytest.mark.parametrize("tex", [r"\nosuchcommand{x}", "{", r"\frac{a}", "\x00"])
def test_what_the_library_refuses_has_no_picture(drawing: Formulas, qtbot: QtBot, tex: str) -> None:
    wanted = FormulaRequest(tex, True, 16.0, "#000000")
    qtbot.waitUntil(lambda: not waiting(drawing, wanted))
    assert drawing.look(wanted) is None


def test_what_is_late_twice_is_given_up_and_costs_its_process(qtbot: QtBot) -> None:
    made = Formulas(command=HANGS)
    made.begin(1)
    qtbot.waitUntil(lambda: not waiting(made, FRACTION))
    assert made.look(FRACTION) is None
    assert not made.is_running
    made.end()


@pytest.mark.parametrize("command", [DIES, ("/nowhere/at/all",)])
def test_a_process_that_does_not_start_is_not_begun_for_ever(qtbot: QtBot, command: tuple[str, ...]) -> None:
    made = Formulas(command=command)
    made.begin(NO_HURRY)
    made.look(FRACTION)
    qtbot.waitUntil(lambda: not made._is_on)
    assert made.look(FRACTION) is None
    assert not made.is_running


def test_a_formula_whose_process_dies_is_given_up(qtbot: QtBot) -> None:
    made = Formulas(command=DIES_AT_WORK)
    made.begin(NO_HURRY)
    qtbot.waitUntil(lambda: not waiting(made, FRACTION))
    assert made.look(FRACTION) is None
    made.end()


def test_nothing_is_started_where_it_is_off_or_too_long() -> None:
    made = Formulas()
    assert made.look(FRACTION) is None
    made.begin()
    assert made.look(FormulaRequest("x" * 2_001, False, 16.0, "#000000")) is None
    assert not made.is_running
    made.end()


def test_a_text_with_a_formula_over_several_lines_is_known() -> None:
    assert holds_formula("$$\na +\n b\n$$", {"\na +\n b\n"})
    assert holds_formula("so $a + b$", {"a + b"})
    assert not holds_formula("a + b", {"a + b"})


def test_the_conversation_shows_it_and_copies_its_source(drawing: Formulas, pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "Well?"), said("assistant", r"So $\sqrt{k}$ is 5.")])
    assert r"$\sqrt{k}$" in text_of(pane)
    qtbot.waitUntil(lambda: OBJECT in text_of(pane))
    settle(qtbot, pane)
    assert r"$\sqrt{k}$" not in text_of(pane)
    block = QTextCursor(pane.transcript.document.find(OBJECT)).block()
    assert with_sources(block, block.position(), block.position() + block.length()) == r"So $\sqrt{k}$ is 5."
    cursor = pane.transcript.document.find("is 5")
    cursor.setPosition(block.position() + 3, QTextCursor.MoveMode.KeepAnchor)
    pane.view.setTextCursor(cursor)
    assert pane.view.createMimeDataFromSelection().text().startswith(r"$\sqrt{k}$")
    pane.grab()


@pytest.fixture(params=["light", "dark"])
def either_look(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[None]:
    before = "dark" if Theme.current().dark else "light"
    apply_theme(qapp, request.param)
    yield
    apply_theme(qapp, before)


@pytest.mark.usefixtures("either_look")
def test_a_selected_formula_has_the_colours_of_selected_words(
    drawing: Formulas, pane: Transcript, qtbot: QtBot
) -> None:
    pane.show_messages("k", [said("user", "Well?"), said("assistant", "$$M + N$$")])
    qtbot.waitUntil(lambda: OBJECT in text_of(pane))
    settle(qtbot, pane)
    formula = pane.transcript.document.find(OBJECT)
    words = Theme.current().color("text").name()
    assert words in _colours_of(pane, formula)
    pane.view.setTextCursor(formula)
    shown, palette = _colours_of(pane, formula), pane.view.palette()
    assert {palette.highlight().color().name(), palette.highlightedText().color().name()} <= shown
    assert words not in shown


def _colours_of(pane: Transcript, formula: QTextCursor) -> set[str]:
    """Returns the colours of the pixels where a formula is painted."""
    start, end = QTextCursor(formula), QTextCursor(formula)
    start.setPosition(formula.selectionStart())
    end.setPosition(formula.selectionEnd())
    place = pane.view.cursorRect(start).united(pane.view.cursorRect(end)).adjusted(2, 0, -2, 0)
    image = pane.view.viewport().grab(place).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_words_are_found_in_the_source_of_a_formula_and_a_screen_reader_is_told_it(
    drawing: Formulas, pane: Transcript, qtbot: QtBot
) -> None:
    answer = said("assistant", r"An alpha first, then $\alpha + 1$, and $\beta$ at last.")
    pane.show_messages("k", [said("user", "Well?"), answer])
    qtbot.waitUntil(lambda: text_of(pane).count(OBJECT) == 2)
    settle(qtbot, pane)
    bar = pane.find_bar
    bar.start()
    bar.field.setText("ALPHA")
    assert len(bar._matches) == 2
    words, formula = bar._matches
    assert words.selectedText() == "alpha"
    assert formula.selectedText() == OBJECT
    bar.field.setText("gamma")
    assert bar._matches == []
    cursor = QTextCursor(formula)
    cursor.setPosition(formula.selectionStart() - 1)
    pane.view.setTextCursor(cursor)
    assert pane.view.formula_at_caret() == ""
    QTest.keyClick(pane.view, Qt.Key.Key_Right)
    assert pane.view.formula_at_caret() == r"$\alpha + 1$"
    bar.dismiss()


def test_a_streamed_answer_has_its_formulas_at_its_end(drawing: Formulas, pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "Well?")])
    pane.begin_reply()
    pane.add_delta(r"So $\sqrt{m}$")
    pane.stream.flush()
    wanted = next(iter([*drawing._waiting, *([drawing._now] if drawing._now else [])]))
    qtbot.waitUntil(lambda: not waiting(drawing, wanted))
    pane.append_message(1, said("assistant", r"So $\sqrt{m}$"))
    pane.end_reply()
    assert OBJECT in text_of(pane)
