"""Small windows: nothing is covered, and what has no room comes when it is asked for."""

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMenu,
    QMenuBar,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.text_file import MOST_FILES, TextFile
from mnemoscope.domain.memory.file_registry import EDITABLE_FILES
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.composer.message_queue import WaitingMessage
from mnemoscope.ui.chat.message_actions import EditMessage
from mnemoscope.ui.memory.memory_pane import FileTabs
from mnemoscope.ui.shell.main_window import Header
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from mnemoscope.ui.widgets.scrolled_column import ScrolledColumn
from tests.ui.window_fixture import Opened, Stage, click, press, rest, until

SAID = (("user", "Tea?"), ("assistant", "Yes."))


def area(person: Opened, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(person.window, QPoint(0, 0)), widget.size())


def nothing_is_covered(person: Opened) -> bool:
    """Returns every pane on show lies within the window and over no other one."""
    window = person.window
    docks = [one for one in window.inspector.docks.values() if not one.isFloating()]
    docks = [one for one in docks if not one.visibleRegion().isEmpty()]
    shown = [area(person, one) for one in (window.chat, window.sessions, *docks) if one.isVisible()]
    within = all(window.rect().contains(one) for one in [*shown, area(person, person.composer.card)])
    card = area(person, person.composer.card)
    apart = not any(one.intersects(other) for at, one in enumerate(shown) for other in shown[at + 1 :])
    whole = person.chat.width() >= person.chat.minimumSizeHint().width()
    return within and apart and whole and area(person, window.chat).contains(card)


async def opened(stage: Stage, **how: Any) -> Opened:
    stage.make(*SAID, memory="# Facts\n\n- Likes tea\n")
    return await stage.open(**how)


async def resized(person: Opened, width: int, height: int) -> None:
    person.window.resize(width, height)
    await rest(0.1)
    await uncovered(person)


async def sized(stage: Stage, width: int, height: int, **how: Any) -> Opened:
    person = await opened(stage, **how)
    await resized(person, width, height)
    return person


async def uncovered(person: Opened) -> None:
    await until(lambda: nothing_is_covered(person), "every pane whole and apart")


@pytest.mark.parametrize("read_only", [False, True], ids=["writing", "reading"])
async def test_nothing_is_covered(stage: Stage, read_only: bool) -> None:
    person = await opened(stage, read_only=read_only)
    window, as_opened = person.window, person.window.size()
    for size in ((1440, 900), (1024, 700), (1280, 600), (860, 560), (760, 520), (720, 450)):
        # Each size is come to from the one that the window opened in.
        await resized(person, as_opened.width(), as_opened.height())
        await resized(person, *size)
        assert (window.width(), window.height()) == size
        assert window.sessions.isVisible() == (size[0] >= 900), size
        help_menu = window.menus.actions()[-1]
        assert window.menus.rect().contains(window.menus.actionGeometry(help_menu)), size


async def test_the_conversations_come_when_asked_for_and_cover_nothing(stage: Stage) -> None:
    person = await sized(stage, 720, 450)
    window = person.window
    window.inspector.show("memory")
    await rest(0.05)
    # In the text these keys make words bold.
    person.composer.edit.setFocus()
    person.press("Ctrl+B")
    await until(window.sessions.isVisible, "the conversations")
    await uncovered(person)
    person.press("Ctrl+B")
    await until(lambda: not window.sessions.isVisible(), "no conversations")
    await uncovered(person)
    await until(lambda: not window.inspector.docks["memory"].visibleRegion().isEmpty(), "the memory pane")
    person.press("Ctrl+Shift+E")
    await until(window.sessions._search.hasFocus, "the search of the conversations")
    window.resize(1440, 900)
    await until(window.sessions.isVisible, "the conversations beside it")
    docks = [dock for dock in window.inspector.docks.values() if not dock.isFloating()]
    await until(lambda: all(dock.isVisible() for dock in docks), "all panes")
    assert not window.inspector.customised


async def test_a_button_in_the_header_brings_the_conversations_back_while_they_are_hidden(stage: Stage) -> None:
    person = await sized(stage, 1440, 900)
    window = person.window
    bring = window.header.conversations_button
    assert not bring.isVisible()
    window.resize(720, 450)
    await until(bring.isVisible, "the button")
    await uncovered(person)
    assert window.header.rect().contains(bring.geometry())
    click(bring)
    await until(window.sessions.isVisible, "the conversations")
    assert not bring.isVisible()
    await uncovered(person)
    person.press("Ctrl+B")
    await until(bring.isVisible, "the button again")
    bring.setFocus()
    press(window, "Space")
    await until(window.sessions.isVisible, "the conversations, by the keyboard")
    # Hidden by choice in a wide window, they are a click away too.
    person.press("Ctrl+B")
    window.resize(1440, 900)
    await until(lambda: window.sessions.isVisible() or bring.isVisible(), "the conversations, or the button")
    if window.sessions.isVisible():
        person.press("Ctrl+B")
    await until(lambda: bring.isVisible() and not window.sessions.isVisible(), "the button in a wide window")
    click(bring)
    await until(window.sessions.isVisible, "the conversations beside the docks")
    await uncovered(person)


async def test_without_docks_there_is_room_for_the_conversations(stage: Stage) -> None:
    person = await sized(stage, 720, 450)
    for dock in person.window.inspector.docks.values():
        dock.setFloating(True)
    await until(person.window.sessions.isVisible, "the conversations")
    await uncovered(person)


async def test_docks_a_person_arranged_come_back_too(stage: Stage) -> None:
    person = await sized(stage, 720, 450)
    person.window.inspector.customised = True
    person.press("Ctrl+B")
    await until(person.window.sessions.isVisible, "the conversations")
    await uncovered(person)
    person.press("Ctrl+B")
    await until(lambda: not person.window.sessions.isVisible(), "no conversations")
    await until(lambda: not person.window.inspector.docks["timeline"].visibleRegion().isEmpty(), "the timeline")


async def test_a_name_can_be_changed_where_the_list_is_hidden(stage: Stage) -> None:
    person = await sized(stage, 720, 450)
    person.current.actions["conversation.rename"].trigger()
    await until(person.window.sessions._editor.isVisible, "the name's editor")


async def test_conversations_hidden_by_choice_stay_hidden(stage: Stage) -> None:
    person = await sized(stage, 1440, 900)
    person.press("Ctrl+B")
    person.window.resize(720, 450)
    await rest(0.05)
    person.window.resize(1440, 900)
    await rest(0.05)
    assert not person.window.sessions.isVisible()
    person.current.actions["view.reset"].trigger()
    assert person.window.sessions.isVisible()


async def test_a_long_draft_in_a_low_window_is_not_cut_off(stage: Stage) -> None:
    person = await sized(stage, 720, 450)
    person.composer.set_draft("\n".join("line" for _ in range(20)))
    await rest(0.1)
    await uncovered(person)
    assert person.window.height() <= 450


async def test_what_waits_and_what_goes_with_a_message_is_scrolled_in_a_low_window(stage: Stage) -> None:
    person = await sized(stage, 683, 356)
    composer = person.composer
    composer.files.show_items([TextFile(f"{number}.md", "words") for number in range(MOST_FILES)])
    composer.waiting.show_waiting([WaitingMessage(ComposerText(words), held=True) for words in ("One", "Two", "Three")])
    person.transcript.message_actions.run(EditMessage(0))
    composer.files.show_items([TextFile(f"{number}.md", "words") for number in range(MOST_FILES)])
    await rest(0.1)
    await uncovered(person)
    assert person.window.height() <= 356
    field = QRect(composer.edit.mapTo(composer.card, QPoint(0, 0)), composer.edit.size())
    assert composer.card.rect().contains(field)
    areas = composer.card.findChildren(ScrolledColumn)
    assert all(each.verticalScrollBar().isVisible() for each in areas)
    for part in (composer.files, composer.waiting):
        for each in part.findChildren(QAbstractButton):
            chip = each.parentWidget()
            assert chip is not None
            assert chip.rect().contains(each.geometry())
    # Whoever goes through them by key has each whole in sight.
    composer.edit.setFocus()
    met = set[QWidget]()
    while (here := person.window.focusWidget()) not in met:
        assert here is not None
        met.add(here)
        if composer.card.isAncestorOf(here):
            assert here.visibleRegion().boundingRect() == here.rect()
        person.press("Tab")
    assert met >= {each for each in composer.files.findChildren(QAbstractButton) if each.isVisible()}
    assert met >= {each for each in composer.waiting.findChildren(QAbstractButton) if each.isVisible()}
    composer.leave_editing()
    composer.files.show_items([])
    composer.waiting.show_waiting([])
    assert [each.isVisible() for each in areas] == [False, False]


async def test_large_text_makes_the_smallest_window_larger(stage: Stage) -> None:
    person = await sized(stage, 1440, 900)
    before = person.window.minimumSize()
    for _ in range(5):
        person.current.actions["zoom.in"].trigger()
    await until(lambda: person.window.minimumHeight() > before.height(), "a larger smallest height")
    person.window.resize(1, 1)
    await rest(0.1)
    await uncovered(person)
    person.current.actions["zoom.reset"].trigger()


async def test_docks_a_person_arranged_side_by_side_keep_the_window_wide_enough(stage: Stage) -> None:
    person = await sized(stage, 1440, 900)
    person.window.inspector.customised = True
    # The screen of the tests is smaller than that: to fit it the window may be smaller than its panes ask for.
    person.window.setMinimumSize(0, 0)
    person.window.resize(1, 1)
    await until(lambda: person.window.width() > 720, "a wider window")
    await uncovered(person)


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)])
async def test_a_failed_consolidation_is_told_whole_and_moves_no_pane(stage: Stage, size: tuple[int, int]) -> None:
    person = await sized(stage, *size)
    window = person.window
    window.inspector.show("timeline")
    await rest(0.05)
    before = [dock.geometry() for dock in window.inspector.docks.values()]
    window.timeline.consolidation_failed("The model answered without calling the tool that saves what it was told.", 3)
    (bar,) = window.timeline.header.findChildren(NoticeBar)
    await until(lambda: bar.height() >= bar.heightForWidth(bar.width()), "the whole reason")
    assert [dock.geometry() for dock in window.inspector.docks.values()] == before
    bar.dismiss()
    await rest(0.05)
    assert [dock.geometry() for dock in window.inspector.docks.values()] == before


def _is_at(tabs: QTabBar, at: int) -> bool:
    return tabs.currentIndex() == at


def tabs_of(person: Opened) -> QTabBar:
    """Returns the tabs of the column of panes."""
    bars = person.window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return next(bar for bar in bars if bar.isVisible())


async def test_the_names_of_all_panes_are_readable_at_700_pixels(stage: Stage) -> None:
    person = await sized(stage, 700, 700)
    tabs = tabs_of(person)
    assert tabs.count() == 6
    assert tabs.elideMode() == Qt.TextElideMode.ElideNone
    assert all(tabs.rect().contains(tabs.tabRect(at)) for at in range(tabs.count()))


async def test_with_large_text_the_names_scroll_and_none_is_cut_short(stage: Stage) -> None:
    person = await sized(stage, 1024, 700)
    for _ in range(4):
        person.press("Ctrl++")
    await until(lambda: tabs_of(person).sizeHint().width() > tabs_of(person).width(), "names too long for the column")
    tabs = tabs_of(person)
    arrows = [one for one in tabs.findChildren(QToolButton) if one.isVisible()]
    assert len(arrows) == 2
    room = tabs.width() - sum(arrow.width() for arrow in arrows)
    for at, key in ((5, "Ctrl+6"), (0, "Ctrl+1")):
        person.press(key)
        await until(partial(_is_at, tabs, at), "another pane")
        place = tabs.tabRect(at)
        assert place.left() >= 0
        assert place.right() <= room
    person.current.actions["zoom.reset"].trigger()


async def test_the_keyboard_stays_where_it_is_when_the_panes_are_arranged_anew(stage: Stage) -> None:
    person = await sized(stage, 1440, 900)
    editor = person.memory.editor
    for pane, size in ((editor, (1024, 700)), (editor, (1440, 900)), (person.composer.edit, (1024, 700))):
        pane.setFocus()
        person.window.resize(*size)
        await uncovered(person)
        await rest(0.1)
        assert person.window.focusWidget() is pane
        assert pane.isVisible()


def test_a_long_name_of_a_model_is_cut_before_a_menu_is_hidden(qtbot: QtBot) -> None:
    menus = QMenuBar()
    for name in ("File", "Edit", "Conversation", "Memory", "View", "Help"):
        menus.addMenu(name)
    header = Header(menus)
    qtbot.addWidget(header)
    header.resize(683, 40)
    header.show()
    header.show_workspace("home", "/home", read_only=False)
    long = "SmolLM2-135M-Instruct.Q4_1.gguf"
    header.show_model(long, f"openai//srv/{long}", built_in=False)
    model = next(one for one in header.findChildren(QPushButton) if one.accessibleName() == "Model")
    assert menus.width() >= menus.sizeHint().width()
    assert "…" in model.text()
    header.resize(1_366, 40)
    assert model.text().strip() == long


def test_a_memory_file_whose_tab_has_no_room_is_scrolled_to_and_named_on_hover(qtbot: QtBot) -> None:
    tabs = FileTabs(EDITABLE_FILES)
    qtbot.addWidget(tabs)
    tabs.show_waiting({EDITABLE_FILES[0]: 10})
    tabs.resize(tabs.sizeHint().width() // 2, tabs.sizeHint().height())
    with qtbot.waitExposed(tabs):
        tabs.show()
    last = tabs.count() - 1
    assert tabs.tabRect(last).right() > tabs.width()
    tabs.choose(EDITABLE_FILES[last])
    assert tabs.tabRect(last).right() <= tabs.width()
    assert tabs.tabToolTip(last) == EDITABLE_FILES[last]
    assert tabs.tabToolTip(0).startswith(EDITABLE_FILES[0])


def test_menus_that_have_no_room_are_behind_a_button(qtbot: QtBot) -> None:
    menus = QMenuBar()
    for name in ("File", "Edit", "Conversation", "Memory", "View", "Help"):
        menus.addMenu(name).addAction(name)
    header = Header(menus)
    qtbot.addWidget(header)
    header.resize(683, 40)
    header.show()
    assert not header.more_menus.isVisible()
    header.resize(360, 40)
    qtbot.waitUntil(header.more_menus.isVisible)
    assert header.more_menus.geometry().left() >= menus.geometry().right()
    QTest.mouseClick(header.more_menus, Qt.MouseButton.LeftButton)
    opened = QApplication.activePopupWidget()
    assert isinstance(opened, QMenu)
    assert [action.text() for action in opened.actions()][-2:] == ["View", "Help"]
    opened.close()
    header.resize(683, 40)
    assert not header.more_menus.isVisible()
