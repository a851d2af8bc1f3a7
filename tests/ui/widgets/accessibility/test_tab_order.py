"""Tab goes through every page as it stands: from its top to what can be done about it at the bottom."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from tests.ui.window_fixture import Opened, Stage, until

_ROW = 6
"""Pixels by which what stands in one row may differ in height."""


async def opened(stage: Stage) -> Opened:
    stage.make(("user", "Hello."), ("assistant", "Hello."), memory="# A\n\n- a\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    return person


def stops(person: Opened, page: QWidget, first: QWidget) -> list[QWidget]:
    """Returns where Tab goes within a page, from its first control on."""
    first.setFocus()
    found = list[QWidget]()
    for _ in range(40):
        here = person.window.focusWidget()
        if here is None or not page.isAncestorOf(here) or (found and here is found[0] is not found[-1]):
            break
        # Day, month and year are stops within one control.
        found += [here] if here not in found else []
        # In an editor Tab is a letter; with Ctrl it leaves.
        is_text = isinstance(here, MemoryEditor)
        modifier = Qt.KeyboardModifier.ControlModifier if is_text else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(here, Qt.Key.Key_Tab, modifier)
    return found


def climbs(page: QWidget, found: list[QWidget]) -> list[tuple[str, str]]:
    """Returns the pairs of which the second stands above the first."""
    stops = [(stop.mapTo(page, QPoint(0, 0)).y(), stop.accessibleName() or type(stop).__name__) for stop in found]
    return [(one[1], next_one[1]) for one, next_one in pairwise(stops) if next_one[0] + _ROW < one[0]]


async def test_from_the_list_of_versions_to_the_difference_and_to_what_can_be_done(stage: Stage) -> None:
    person = await opened(stage)
    for number in range(3):
        saved = await person.bench.disk.run(person.bench.memory.editing.read_text)
        await person.bench.memory.editing.save_text(f"# A\n\n- a{number}\n", saved.digest)
    await person.bench.commits.kept()
    person.current.memory.changes.open()
    page = person.memory.body.versions.widget
    await until(lambda: page.undo_button.isEnabled(), "the newest version")
    found = stops(person, page, page.travel_button)
    assert page.undo_button in found
    assert found.index(page.back_button) < found.index(page.diff.text) < found.index(page.undo_button)
    assert climbs(page, found) == []


async def test_the_source_comes_before_its_preview(stage: Stage) -> None:
    person = await opened(stage)
    await until(lambda: person.memory.body.split.preview.isVisible(), "room for the preview beside its source")
    found = stops(person, person.window.memory, person.window.memory.tabs)
    assert found.index(person.memory.editor) < found.index(person.memory.body.split.preview)
    assert climbs(person.window.memory, found) == []


async def test_the_prompt_and_dream_are_met_behind_memory_in_their_own_order(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+4")
    await until(lambda: person.window.prompt.built, "the prompt pane")
    pane = person.window.prompt.widget
    await until(lambda: pane.tree.isVisible(), "the prompt")
    found = stops(person, pane, pane.past_button)
    assert found[-1] is not found[0]
    assert pane.tree in found
    assert climbs(pane, found) == []


async def test_the_slider_of_the_past_comes_before_what_was_then(stage: Stage) -> None:
    person = await opened(stage)
    saved = await person.bench.disk.run(person.bench.memory.editing.read_text)
    await person.bench.memory.editing.save_text("# A\n\n- b\n", saved.digest)
    await person.bench.commits.kept()
    person.current.past.open()
    await until(lambda: person.window.memory.in_past, "the past")
    page = person.window.memory.past.widget
    await until(lambda: page.split.isVisible(), "what was then")
    found = stops(person, page, page.back_button)
    assert found.index(page.slider) < found.index(page.split.editor) < found.index(page.all_button)
    assert climbs(page, found) == []
