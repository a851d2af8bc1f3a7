"""F1 in a whole window: the manual opens at the page of the part in use, and goes with its window."""

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from mnemoscope.ui.manual.manual_window import ManualWindow
from tests.ui.window_fixture import Opened, Stage, press, rest, until

PARTS = {
    "Ctrl+1": "timeline",
    "Ctrl+2": "memory",
    "Ctrl+3": "history",
    "Ctrl+4": "prompt",
    "Ctrl+5": "dream",
    "Ctrl+6": "health",
    "Ctrl+Shift+E": "conversations",
    "Ctrl+Shift+F": "search",
    "Ctrl+K": "commands",
}


@pytest.fixture
async def person(stage: Stage) -> Opened:
    stage.make(("user", "Hello."), ("assistant", "Good day."))
    return await stage.open()


async def manual_of(person: Opened) -> ManualWindow:
    await until(lambda: person.current.manual.window is not None, "the manual")
    window = person.current.manual.window
    assert window is not None
    await until(window.isVisible, "its window")
    return window


async def close_manual(person: Opened) -> None:
    (await manual_of(person)).reject()
    await until(lambda: person.current.manual.window is None, "the manual gone")
    person.window.activateWindow()


def is_hidden(part: QWidget) -> bool:
    return not part.isVisible()


def has_keyboard(person: Opened, pane: QWidget) -> bool:
    return person.window.pane_with_keyboard() is pane


def tab_in_sight(person: Opened, words: str) -> tuple[QTabBar, QPoint] | None:
    """Returns the bar in which the tab of a pane can be clicked, and where, once the panes of a wide window are laid
    out."""
    for bar in person.window.findChildren(QTabBar):
        names = [bar.tabText(place) for place in range(bar.count())]
        if bar.isVisible() and names == ["Memory", "Prompt", "Dream", "Health"]:
            return bar, bar.tabRect(names.index(words)).center()
    return None


async def test_f1_in_the_message_field_opens_the_page_about_the_chat(person: Opened) -> None:
    person.composer.edit.setFocus()
    person.press("F1")
    assert (await manual_of(person)).page == "chat"


async def test_f1_opens_the_page_of_the_part_in_use(person: Opened) -> None:
    for keys, page in PARTS.items():
        person.composer.edit.setFocus()
        person.press(keys)
        await until(lambda: QApplication.focusWidget() is not person.composer.edit, "the keyboard out of the message")
        part = QApplication.focusWidget()
        assert part is not None
        person.press("F1")
        assert (await manual_of(person)).page == page
        await close_manual(person)
        if page in {"search", "commands"}:
            press(part, "Esc")
            await until(partial(is_hidden, part), "the sheet gone")


async def test_f1_opens_the_page_of_the_pane_whose_tab_was_clicked(person: Opened) -> None:
    person.window.resize(1440, 900)
    for tab, page in (("Prompt", "prompt"), ("Dream", "dream"), ("Health", "health")):
        person.composer.edit.setFocus()
        await until(partial(tab_in_sight, person, tab), "the tab")
        found = tab_in_sight(person, tab)
        assert found is not None
        bar, centre = found
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=centre)
        await until(partial(has_keyboard, person, person.window.inspector.pane(page)), "the keyboard in the pane")
        person.press("F1")
        assert (await manual_of(person)).page == page
        await close_manual(person)


async def test_a_pane_that_comes_to_the_front_by_itself_takes_no_keyboard(person: Opened) -> None:
    person.window.resize(1440, 900)
    person.composer.edit.setFocus()
    person.window.inspector.docks["health"].raise_()
    await rest(0.05)
    assert QApplication.focusWidget() is person.composer.edit


async def test_f1_in_the_settings_opens_their_page_and_both_can_be_used(person: Opened) -> None:
    person.press("Ctrl+,")
    dialog = person.current.settings_controller.dialog
    assert dialog is not None
    await until(dialog.isActiveWindow, "the settings in front")
    press(dialog, "F1")
    window = await manual_of(person)
    assert window.page == "settings"
    QTest.keyClicks(window.field, "profile")
    assert window.results.count() > 0
    dialog.reject()


async def test_the_menu_opens_the_first_page(person: Opened) -> None:
    person.current.actions["help.manual"].trigger()
    assert (await manual_of(person)).page == "index"


async def test_the_manual_closes_with_its_window(person: Opened) -> None:
    person.press("F1")
    window = await manual_of(person)
    closed: list[int] = []
    window.finished.connect(closed.append)
    await person.close()
    assert closed


async def test_escape_in_the_manual_leaves_the_window_alone(person: Opened) -> None:
    person.type(person.composer.edit, "half a sentence")
    person.press("F1")
    window = await manual_of(person)
    QTest.keyClick(window.field, Qt.Key.Key_Escape)
    await until(lambda: person.current.manual.window is None, "the manual gone")
    assert person.composer.edit.toPlainText() == "half a sentence"
    assert person.window.isVisible()
