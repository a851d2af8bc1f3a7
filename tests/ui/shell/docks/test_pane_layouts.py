"""Room: a pane has the whole window for a while, and three layouts serve the three uses."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QTabBar, QToolButton

from mnemoscope.agent.tools.approval import ApprovalRequest
from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.shell.docks.inspector import LAYOUTS
from tests.ui.window_fixture import Opened, Stage, rest, until

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(8)]
MEMORY = "# Facts\n\n" + "".join(f"- Fact number {number} of the kiln and its shelf\n" for number in range(40))


async def opened(stage: Stage, width: int = 1440, height: int = 900) -> Opened:
    if not stage.root.exists():
        stage.make(*SAID, memory=MEMORY, pointer=4)
    person = await stage.open()
    person.window.resize(width, height)
    await rest(0.05)
    return person


def shown(person: Opened) -> dict[str, tuple[int, int]]:
    """Returns the docks in sight, by name, with their sizes."""
    docks = person.window.inspector.docks.items()
    return {name: (dock.width(), dock.height()) for name, dock in docks if not dock.visibleRegion().isEmpty()}


def rows_of_source(person: Opened) -> int:
    editor = person.memory.editor
    return editor.viewport().height() // editor.fontMetrics().lineSpacing()


@pytest.mark.parametrize("height", [900, 860])
async def test_the_first_layout_shows_sixteen_lines_of_source(stage: Stage, height: int) -> None:
    """On a screen of 900 pixels a frame and a title leave 860."""
    person = await opened(stage, height=height)
    person.memory.editor.setFocus()
    person.type(person.memory.editor, "Fires at night. ")
    person.press("Ctrl+S")
    strip = person.memory.body.strip
    await until(strip.isVisible, "who changed it last, which stands below the text")
    await rest(0.05)
    assert rows_of_source(person) >= 16
    assert {"timeline", "memory", "history"} <= set(shown(person))


@pytest.mark.parametrize(("lines", "height"), [(16, 900), (14, 860)])
async def test_so_many_lines_of_the_samples_memory_are_to_be_seen_though_long_ones_are_wrapped(
    stage: Stage, lines: int, height: int
) -> None:
    shutil.copytree(shipped("workspace"), stage.root)
    person = await stage.open()
    person.window.resize(1440, height)
    strip = person.memory.body.strip
    await until(strip.isVisible, "who changed it last, which stands below the text")
    await rest(0.05)
    editor = person.memory.editor
    last = QTextCursor(editor.document().findBlockByNumber(lines - 1))
    last.movePosition(QTextCursor.MoveOperation.EndOfBlock)
    assert editor.cursorRect(last).bottom() <= editor.viewport().height()


@pytest.mark.parametrize("keys", ["Alt+1", "Alt+2", "Alt+3"])
async def test_a_small_window_does_not_grow_when_its_panes_are_arranged(stage: Stage, keys: str) -> None:
    """While panes are added one by one none of them is among tabs: their titles would need more than there is."""
    person = await opened(stage, 675, 351)
    person.press("Ctrl+2")
    size = person.window.size()
    person.press(keys)
    await rest(0.05)
    assert person.window.size() == size


async def test_a_small_window_does_not_grow_when_something_is_sought_in_memory(stage: Stage) -> None:
    person = await opened(stage, 675, 351)
    person.press("Ctrl+2")
    figures, size = person.memory.body.figures, person.window.size()
    for keys in ("Ctrl+F", "Ctrl+H"):
        person.press(keys)
        await rest(0.05)
        assert (person.window.size(), figures.isVisible()) == (size, False)
        QTest.keyClick(person.memory.body.find_bar.widget.find_field, Qt.Key.Key_Escape)
        await until(figures.isVisible, "what stands below the text")
    assert person.window.size() == size


async def test_a_small_window_does_not_grow_when_the_prompt_is_shown(stage: Stage) -> None:
    person = await opened(stage, 675, 351)
    size, prompt = person.window.size(), person.window.prompt.widget
    person.press("Ctrl+4")
    await until(lambda: prompt.pages.currentIndex() == 1 and prompt.detail.built is not None, "the prompt")
    assert person.window.size() == size


async def test_what_comes_when_the_window_grows_goes_to_memory_unless_the_line_was_moved(stage: Stage) -> None:
    person = await opened(stage, 1280, 820)
    history = person.window.inspector.docks["history"]
    height = history.height()
    person.window.resize(1440, 900)
    await rest(0.05)
    assert (rows_of_source(person) >= 16, history.height()) == (True, height)
    line = person.window.inspector.docks["memory"].geometry().bottom() + 1
    for kind, y in (
        (QEvent.Type.MouseButtonPress, line),
        (QEvent.Type.MouseMove, line - 150),
        (QEvent.Type.MouseButtonRelease, line - 150),
    ):
        at = QPointF(history.geometry().center().x(), y)
        left, held = Qt.MouseButton.LeftButton, kind is not QEvent.Type.MouseButtonRelease
        buttons = left if held else Qt.MouseButton.NoButton
        event = QMouseEvent(kind, at, person.window.mapToGlobal(at), left, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(person.window, event)
        await rest(0.02)
    await until(lambda: history.height() > height + 100, "the line moved by the person")
    moved = history.height()
    assert person.window.inspector.divided
    person.window.resize(1400, 880)
    await rest(0.05)
    assert history.height() > moved - 50


async def test_f11_gives_the_pane_with_the_keyboard_all_the_room_and_gives_it_back(stage: Stage) -> None:
    person = await opened(stage)
    for keys, pane in (("Ctrl+1", "timeline"), ("Ctrl+2", "memory"), ("Ctrl+3", "history"), ("Ctrl+4", "prompt")):
        await has_all_the_room_for_a_while(person, keys, pane)


async def has_all_the_room_for_a_while(person: Opened, keys: str, pane: str) -> None:
    person.press(keys)
    await until(lambda: pane in shown(person), f"the pane {pane}")
    before, chat = shown(person), person.chat.width()
    held = person.window.focusWidget()
    person.press("F11")
    await until(lambda: list(shown(person)) == [pane], f"the pane {pane} alone")
    await until(lambda: shown(person)[pane][0] == person.window.width(), "as wide as the window")
    assert not person.chat.isVisible()
    assert person.window.focusWidget() is held
    assert person.current.actions["view.maximise"].isChecked()
    person.press("F11")
    await until(lambda: shown(person) == before, "all panes as they were")
    await until(lambda: person.chat.width() == chat, "the chat as it was")
    assert person.window.focusWidget() is held
    assert not person.current.actions["view.maximise"].isChecked()
    assert not person.window.inspector.customised


async def test_the_chat_can_have_all_the_room_too(stage: Stage) -> None:
    person = await opened(stage)
    before, width = shown(person), person.chat.width()
    person.composer.edit.setFocus()
    person.press("F11")
    await until(lambda: not shown(person) and person.chat.width() == person.window.width(), "the chat alone")
    assert not person.window.sessions.isVisible()
    person.press("F11")
    await until(lambda: shown(person) == before, "all panes as they were")
    assert person.window.sessions.isVisible()
    await until(lambda: person.chat.width() == width, "the chat as it was")


async def test_a_double_click_on_a_title_does_the_same(stage: Stage) -> None:
    person = await opened(stage)
    before = shown(person)
    dock = person.window.inspector.docks["timeline"]
    title = dock.titleBarWidget()
    QTest.mouseDClick(title, Qt.MouseButton.LeftButton, pos=QPoint(30, title.height() // 2))
    await until(lambda: list(shown(person)) == ["timeline"], "the timeline alone")
    QTest.mouseDClick(title, Qt.MouseButton.LeftButton, pos=QPoint(30, title.height() // 2))
    await until(lambda: shown(person) == before, "all panes as they were")
    assert not dock.isFloating()
    # Among tabs a pane's title is its tab.
    tabs = next(
        bar
        for bar in person.window.findChildren(QTabBar)
        if bar.isVisible()
        and [bar.tabText(place) for place in range(bar.count())] == ["Memory", "Prompt", "Dream", "Health"]
    )
    QTest.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    await until(lambda: list(shown(person)) == ["memory"], "the memory pane alone")
    button = next(
        one
        for one in person.window.inspector.docks["memory"].findChildren(QToolButton)
        if one.isVisible() and one.accessibleName().startswith("Maximise or restore")
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await until(lambda: shown(person) == before, "all panes as they were")


async def test_what_is_wanted_elsewhere_brings_the_panes_back(stage: Stage) -> None:
    person = await opened(stage)
    for way in ("Ctrl+3", "Ctrl+N", "Esc"):
        person.press("Ctrl+2")
        person.press("F11")
        await until(lambda: list(shown(person)) == ["memory"], "the memory pane alone")
        person.press(way)
        await until(lambda: person.chat.isVisible() and len(shown(person)) == 3, f"all panes after {way}")
    person.press("Ctrl+2")
    person.press("F11")
    asking = asyncio.ensure_future(person.chat.ask(ApprovalRequest(("ls",), Path("/w"))))
    await until(lambda: person.chat.approval.widget.isVisible(), "the question in sight")
    person.click("Deny", person.chat)
    assert await asking == "deny"


async def test_a_layout_for_each_use(stage: Stage) -> None:
    person = await opened(stage)
    chat = shown(person)
    person.press("Alt+2")
    await until(lambda: list(shown(person)) == ["memory"], "memory beside the chat")
    split = person.memory.body.split
    assert split.source_card.isVisible()
    await until(lambda: split.preview_card.x() > split.source_card.x(), "them side by side")
    assert person.memory.editor.hasFocus()
    assert person.chat.isVisible()
    await until(lambda: person.chat.width() < shown(person)["memory"][0], "more room for memory")
    person.press("Alt+3")
    await until(lambda: list(shown(person)) == ["timeline", "memory", "history"], "what there is to audit")
    assert split.preview_card.isHidden()
    assert person.memory.editor.blame.isVisible()
    await until(lambda: shown(person)["memory"][0] > chat["memory"][0], "room for lines")
    person.press("Alt+1")
    await until(lambda: shown(person) == chat, "what it was")
    assert split.preview_card.isVisible()
    assert not person.memory.editor.blame.isVisible()
    assert person.window.sessions.isVisible()
    assert person.composer.edit.hasFocus()
    assert [person.current.actions[f"view.layout.{name}"].isChecked() for name in LAYOUTS] == [True, False, False]


@pytest.mark.parametrize("size", [(1366, 768), (1024, 700), (860, 560), (760, 520)])
async def test_each_layout_fits_a_small_window(stage: Stage, size: tuple[int, int]) -> None:
    person = await opened(stage, *size)
    for keys in ("Alt+2", "Alt+3", "Alt+1"):
        person.press(keys)
        await rest(0.1)
        assert (person.window.width(), person.window.height()) == size
        for dock in person.window.inspector.docks.values():
            if not dock.visibleRegion().isEmpty():
                corner = dock.mapTo(person.window, QPoint(0, 0))
                assert person.window.rect().contains(corner)
                assert corner.x() + dock.width() <= person.window.width()
        if keys == "Alt+1":
            assert person.chat.isVisible()
    # Where the text takes all the room, Esc leads to the chat.
    person.press("Alt+2")
    person.press("Esc")
    await until(lambda: person.chat.isVisible() and person.composer.edit.hasFocus(), "the chat")


async def test_in_a_window_made_wide_the_panes_get_their_share_of_the_width(stage: Stage) -> None:
    person = await opened(stage, 1440, 900)
    await until(lambda: {"timeline", "memory"} < set(shown(person)), "the wide form")
    person.window.resize(1920, 1000)
    await until(lambda: shown(person)["memory"][0] >= 490, "a wider memory")
    assert shown(person)["timeline"][0] >= 350
    person.window.resize(1440, 900)
    await until(lambda: shown(person)["memory"][0] <= 420, "memory as wide as before")


async def test_in_a_short_window_the_history_is_a_tab_so_that_each_pane_has_the_height(stage: Stage) -> None:
    person = await opened(stage, 1366, 740)
    await until(lambda: set(shown(person)) == {"timeline", "memory"}, "the history behind memory")
    assert shown(person)["memory"][1] > 560
    for keys, name in (("Ctrl+3", "history"), ("Ctrl+4", "prompt"), ("Ctrl+6", "health")):
        person.press(keys)
        await until(person.window.inspector.panes[name].isVisible, f"{name} in its tab")
        await until(lambda: len(shown(person)) == 2, "nothing else beside the timeline")
        assert shown(person)[name][1] > 560
    person.window.resize(1366, 860)
    await until(lambda: {"timeline", "history"} < set(shown(person)), "the history below")
    person.window.resize(1366, 740)
    await until(lambda: len(shown(person)) == 2, "one tab in sight again")


@pytest.mark.parametrize("size", [(1366, 740), (1024, 740)])
async def test_auditing_in_a_short_window_shows_many_lines_with_the_history_in_a_tab(
    stage: Stage, size: tuple[int, int]
) -> None:
    person = await opened(stage, *size)
    person.press("Alt+3")
    await until(lambda: set(shown(person)) == {"timeline", "memory"}, "the history behind memory")
    await rest(0.05)
    assert rows_of_source(person) >= 20
    person.press("Ctrl+3")
    await until(lambda: shown(person).get("history", (0, 0))[1] > 560, "the history in its tab")
    person.window.resize(size[0], 860)
    await until(lambda: set(shown(person)) == {"timeline", "memory", "history"}, "the history below")


async def test_memory_has_its_share_of_a_window_that_is_resized(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Alt+2")
    await until(lambda: shown(person).get("memory", (0, 0))[0] > 900, "the room for memory")
    wide = shown(person)["memory"][0]
    person.window.resize(1100, 800)
    await until(lambda: shown(person)["memory"][0] < wide, "less for memory")
    assert person.chat.width() >= 320
    person.window.resize(1440, 900)
    await until(lambda: shown(person)["memory"][0] == wide, "what it had")


async def test_layout_and_maximised_pane_survive_a_restart(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Alt+3")
    person.press("Ctrl+3")
    person.press("F11")
    await until(lambda: list(shown(person)) == ["history"], "the history alone")
    await person.close()
    again = await opened(stage)
    await until(lambda: list(shown(again)) == ["history"], "the history alone, again")
    again.press("F11")
    await until(lambda: list(shown(again)) == ["timeline", "memory", "history"], "what there is to audit")
    assert again.current.actions["view.layout.audit"].isChecked()
    assert again.memory.editor.blame.isVisible()
    again.press("Alt+1")
    await until(lambda: again.window.sessions.isVisible(), "the conversations")


async def test_each_layout_keeps_what_a_person_made_of_it(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Alt+2")
    person.window.inspector.docks["history"].setFloating(True)
    person.press("Alt+1")
    await until(lambda: not person.window.inspector.docks["history"].isFloating(), "the history in its place")
    await person.close()
    again = await opened(stage)
    assert not again.window.inspector.docks["history"].isFloating()
    again.press("Alt+2")
    await until(lambda: again.window.inspector.docks["history"].isFloating(), "the history that floats")
    again.current.actions["view.reset"].trigger()
    await until(lambda: not again.window.inspector.docks["history"].isFloating(), "the history in its place")


async def test_how_source_and_preview_share_the_room_is_so_in_each_file_and_after_a_restart(stage: Stage) -> None:
    stage.make(memory="# Facts\n\n- Likes tea\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    source = person.memory.body.split.source_card
    splitter = person.memory.body.split.findChild(QSplitter)
    assert splitter is not None
    handle = splitter.handle(1)
    await until(handle.isVisible, "the preview below the source")
    await rest(0.05)
    before = source.height()
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(handle, middle - QPoint(0, 80))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle - QPoint(0, 80))
    moved = source.height()
    assert before - 100 <= moved <= before - 60
    person.window.resize(1440, 960)
    person.window.resize(1440, 900)
    await until(lambda: abs(source.height() - moved) <= 2, "the room that was shared out by hand")
    person.window.memory.show_file("SOUL.md")
    other = person.window.memory.document("SOUL.md").body.split.source_card
    await until(lambda: abs(other.height() - moved) <= 30, "another file divided in the same way")
    await person.close()
    again = await stage.open()
    again.window.resize(1440, 900)
    await until(lambda: abs(again.memory.body.split.source_card.height() - moved) <= 2, "as it was left")
    again.window.reset_layout()
    await until(lambda: abs(again.memory.body.split.source_card.height() - before) <= 2, "as on the first day")
