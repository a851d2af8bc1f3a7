"""Everything by keyboard, and everything named for those who hear the window."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.ui.chat.composer.attachment_chips import TextDialog
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import Opened, Stage, press, question, rest, type_words, until

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]
INTERACTIVE = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
)
PANES = ("composer", "transcript", "timeline", "memory", "history")


async def opened(stage: Stage, **core: Any) -> Opened:
    stage.make(*SAID, memory="# User\n\n- Name is Sam\n")
    person = await stage.open(**core)
    await rest(0.05)
    return person


def pane_with_keyboard(person: Opened) -> str:
    focus = person.window.focusWidget()
    for name in PANES:
        pane: QWidget = getattr(person, name)
        if focus is not None and (pane is focus or pane.isAncestorOf(focus)):
            return name
    return ""


async def test_tab_goes_from_pane_to_pane_in_reading_order(stage: Stage) -> None:
    person = await opened(stage)
    person.window.resize(1440, 900)
    await rest(0.05)
    person.composer.edit.setFocus()
    met: list[str] = []
    for _ in range(90):
        name = pane_with_keyboard(person)
        if name and met[-1:] != [name]:
            met.append(name)
        # In an editor Tab is a letter; with Ctrl it leaves.
        person.press("Ctrl+Tab" if person.memory.editor.hasFocus() else "Tab")
    assert met[: len(PANES) + 1] == [*PANES, "composer"]
    assert person.memory.editor.text() == "# User\n\n- Name is Sam\n"


@pytest.mark.parametrize("keys", ["Tab", "Shift+Tab"])
async def test_tab_never_stops_in_a_pane_behind_another_ones_tab(stage: Stage, keys: str) -> None:
    person = await opened(stage)
    person.window.resize(1366, 768)
    person.press("Ctrl+4")
    await rest(0.05)
    person.composer.edit.setFocus()
    met: list[QWidget] = []
    for _ in range(90):
        focus = person.window.focusWidget()
        assert focus is not None
        place = QRect(focus.mapTo(person.window, QPoint()), focus.size())
        assert person.window.rect().intersects(place), f"{type(focus).__name__} {focus.accessibleName()}"
        met.append(focus)
        leaves = person.memory.editor.hasFocus()
        person.press(f"Ctrl+{keys}" if leaves else keys)
    # All the way round, more than once.
    assert met.count(person.composer.edit) > 1
    assert any(person.window.prompt.widget.isAncestorOf(each) for each in met)


@pytest.mark.parametrize("keys", ["Tab", "Shift+Tab"])
async def test_tab_reaches_all_of_a_page_of_memory_and_leaves_it(stage: Stage, keys: str) -> None:
    person = await opened(stage)
    person.window.resize(1366, 768)
    person.memory.editor.replace_text("# User\n\n- Name is Sam\n- Likes tea\n")
    person.memory.save()
    await person.bench.commits.kept()
    person.current.actions["memory.changes"].trigger()
    view = person.memory.body.versions.widget
    await until(lambda: view.list.hasFocus() and view.current is not None, "the versions")
    await until(view.undo_button.isEnabled, "what the version changed")
    met: list[QWidget] = []
    for _ in range(90):
        focus = person.window.focusWidget()
        assert focus is not None
        met.append(focus)
        person.press(keys)
    buttons = [each for each in view.findChildren(QAbstractButton) if each.isVisible() and each.isEnabled()]
    for each in (*buttons, view.diff.text, person.window.memory.tabs, person.composer.edit):
        assert each in met, each.accessibleName() or each.toolTip()
    assert met.count(view.list) > 1, "all the way round"


async def test_shift_tab_goes_back_to_where_tab_came_from(stage: Stage) -> None:
    person = await opened(stage)
    person.composer.edit.setFocus()
    person.press("Tab")
    assert person.window.focusWidget() is not person.composer.edit
    person.press("Shift+Tab")
    assert person.window.focusWidget() is person.composer.edit


@pytest.mark.parametrize(("keys", "name"), [("Ctrl+1", "timeline"), ("Ctrl+2", "memory"), ("Ctrl+3", "history")])
async def test_a_number_with_ctrl_gives_a_pane_the_keyboard(stage: Stage, keys: str, name: str) -> None:
    person = await opened(stage)
    person.press(keys)
    assert pane_with_keyboard(person) == name
    person.press("Esc")
    await until(lambda: person.composer.edit.hasFocus(), "the composer with the keyboard")


async def test_ctrl_4_shows_the_prompt(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+4")
    await until(person.window.prompt.widget.isVisible, "the prompt pane")
    assert person.window.prompt.widget.isAncestorOf(person.window.focusWidget())
    await until(lambda: person.window.prompt.widget._prompt is not None, "the prompt")
    assert person.window.prompt.widget.tree.hasFocus(), "its parts, not a button above them"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
async def test_enter_presses_the_button_that_has_the_keyboard(stage: Stage, key: Qt.Key) -> None:
    stage.make()
    person = await stage.open()
    tool = next(each for each in person.memory.findChildren(QToolButton) if each.isVisible() and each.isCheckable())
    pressed = list[str]()
    tool.clicked.connect(lambda: pressed.append("once"))
    tool.setFocus()
    QTest.keyClick(tool, key)
    assert pressed == ["once"]


async def test_esc_in_any_pane_stops_the_answer(stage: Stage) -> None:
    gates = [Gate() for _ in range(3)]
    person = await opened(stage, offline=ScriptedProvider(*[["Some ", gate, "more"] for gate in gates]))
    for gate, keys in zip(gates, ("Ctrl+1", "Ctrl+2", "Ctrl+3"), strict=True):
        person.send("Tell me.")
        await gate.reached.wait()
        person.press(keys)
        person.press("Esc")
        await person.answered()
        assert person.composer.edit.hasFocus()


def row_places(person: Opened) -> list[tuple[object, QRect]]:
    """Returns the timeline's rows in sight with their places in the viewport."""
    view = person.timeline.view
    return [(row, rect) for _, row, rect in view.scene.in_sight(view.scrolling.top)]


def menu_shown() -> QMenu:
    """Returns the menu that is open."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize("pane", ["transcript", "editor", "timeline", "history", "list", "composer"])
async def test_a_key_opens_the_menu_of_what_has_the_keyboard_where_its_caret_is(stage: Stage, pane: str) -> None:
    said = [turn for number in range(30) for turn in (("user", f"Say {number}."), ("assistant", f"{number}."))]
    stage.make(*said, memory="# Facts\n\n" + "- One\n" * 60)
    stage.paths.history_file.write_text("".join(f"[2026-11-0{n} 09:00] Entry {n}.\n\n" for n in range(1, 9)), "utf-8")
    person = await stage.open()
    if pane == "editor":
        person.press("Ctrl+2")
        await rest()
    if pane == "history":
        person.press("Ctrl+3")
        await person.until(lambda: len(person.history.view.cards), "the entries")
    views: dict[str, QAbstractScrollArea] = {
        "transcript": person.transcript.view,
        "editor": person.memory.editor,
        "timeline": person.timeline.view,
        "history": person.history.view,
        "list": person.window.sessions.findChildren(QListView)[0],
        "composer": person.composer.edit,
    }
    view = views[pane]
    view.setFocus()
    if pane == "transcript":
        # The caret is far out of sight, above.
        person.transcript.view.moveCursor(QTextCursor.MoveOperation.Start)
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    await rest()
    places: dict[str, Callable[[], QRect]] = {
        "transcript": lambda: view.viewport().rect().adjusted(0, 0, 0, 20 - view.viewport().height()),
        "editor": lambda: person.memory.editor.cursorRect(),
        "composer": lambda: person.composer.edit.cursorRect(),
        "list": lambda: views["list"].visualRect(views["list"].currentIndex()),  # type: ignore[attr-defined]
        "history": lambda: dict(person.history.view.in_sight())[person.history.view.current or 0],
        "timeline": lambda: next(rect for row, rect in row_places(person) if row == person.timeline.view.current),
    }
    for keys in ("Shift+F10", "Menu"):
        if keys == "Menu":
            caret = QRectF(view.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)).center().toPoint()
            event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, caret, view.mapToGlobal(caret))
            QApplication.sendEvent(view, event)
        else:
            person.press(keys)
        await person.until(lambda: QApplication.activePopupWidget() is not None, "the menu")
        menu = menu_shown()
        place, words = menu.geometry(), [action.text() for action in menu.actions()]
        menu.close()
        assert words, keys
        current = places[pane]()
        # The screen may have no room for it below or beside.
        line = QRect(view.viewport().mapToGlobal(current.topLeft()), current.size())
        assert place.adjusted(-6, -6, 6, 6).intersects(line), (keys, place, line)
        if pane == "transcript":
            assert "Copy message" in words, keys
        await person.until(lambda: QApplication.activePopupWidget() is None, "no menu")


async def test_a_chip_offers_by_key_what_its_buttons_do(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Yes."))
    person = await stage.open()
    person.composer.files.add(TextFile("notes.md", "Words."))
    person.composer.discretion.setFocus()
    person.press("Shift+F10")
    assert QApplication.activePopupWidget() is person.composer.discretion.menu_of_kinds
    menu_shown().close()
    away = next(each for each in person.composer.files.findChildren(QAbstractButton) if "away" in each.toolTip())
    away.setFocus()
    person.press("Shift+F10")
    offered = {action.text(): action for action in menu_shown().actions()}
    assert list(offered) == ["Read notes.md", "Take notes.md away"]
    menu_shown().close()
    offered["Take notes.md away"].trigger()
    assert person.composer.files.items == ()


async def test_the_key_opens_the_menu_in_a_dialog_too(stage: Stage) -> None:
    person = await stage.open()
    dialog = TextDialog("Notes", "Words.", person.window)
    dialog.open()
    await person.until(dialog.isActiveWindow, "the dialog")
    dialog.findChildren(QPlainTextEdit)[0].setFocus()
    press(dialog, "Shift+F10")
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    dialog.reject()
    assert isinstance(popup, QMenu)


@pytest.mark.parametrize("place", ["transcript", "button"])
async def test_what_is_typed_in_the_transcript_goes_to_the_message(stage: Stage, place: str) -> None:
    stage.make(("user", "Hello."), ("assistant", "Yes."))
    person = await stage.open()
    person.type(person.composer.edit, "See: ")
    view = person.transcript.view
    (view if place == "transcript" else person.composer.discretion).setFocus()
    person.press("t")
    assert person.composer.edit.hasFocus()
    type_words(person.composer.edit, "ea")
    view.setFocus()
    QTest.keyClicks(view, "s/")
    assert person.composer.draft() == "See: teas/"
    view.setFocus()
    QApplication.clipboard().setText(" and milk")
    person.press("Ctrl+V")
    assert person.composer.draft() == "See: teas/ and milk"
    person.composer.set_draft("")


async def test_the_keys_of_the_transcript_stay_its_own(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Yes."))
    person = await stage.open()
    view = person.transcript.view
    view.setFocus()
    for keys in ("Space", "PgDown", "Home", "Ctrl+A", "Ctrl+C", "Up"):
        person.press(keys)
        assert (person.composer.draft(), view.hasFocus()) == ("", True), keys
    assert "Hello." in QApplication.clipboard().text()


async def test_nothing_is_typed_into_a_window_that_only_reads(stage: Stage) -> None:
    stage.make(("user", "Hello."), ("assistant", "Yes."))
    person = await stage.open(read_only=True)
    person.transcript.view.setFocus()
    person.press("t")
    assert (person.composer.draft(), person.transcript.view.hasFocus()) == ("", True)


async def test_the_palette_finds_commands_and_conversations(stage: Stage) -> None:
    person = await opened(stage)
    stage.write_session(("user", "About kilns."), key="desktop:kilns")
    person.press("Ctrl+K")
    sheet = person.window.command_palette.widget
    await until(sheet.isVisible, "the palette")
    field = sheet.findChild(QLineEdit)
    assert field is not None
    assert field.hasFocus()
    person.type(field, "about kilns")
    person.press("Return")
    await until(lambda: person.key == "desktop:kilns", "the conversation chosen")
    assert not sheet.isVisible()
    person.press("Ctrl+K")
    await until(sheet.isVisible, "the palette again")
    person.press("Esc")
    await until(lambda: not sheet.isVisible(), "the palette gone")


async def test_what_is_typed_right_behind_the_palettes_key_is_typed_into_it(stage: Stage) -> None:
    """One key after the other, and the loop did not run in between: nothing reaches the message field, nothing is
    sent, and Enter goes to the conversation that was not known yet when it was pressed."""
    person = await opened(stage)
    stage.write_session(("user", "About kilns."), key="desktop:kilns")
    before = person.timeline.model.total
    for keys in ("Ctrl+K", *"about", "Space", *"kilns", "Return"):
        person.press(keys)
    assert person.composer.draft() == ""
    await until(lambda: person.key == "desktop:kilns", "the conversation chosen")
    assert not person.window.command_palette.widget.isVisible()
    assert person.timeline.model.total <= before
    assert person.composer.draft() == ""


async def test_ctrl_n_begins_a_conversation_with_the_keyboard_in_the_composer(stage: Stage) -> None:
    person = await opened(stage)
    before = person.key
    person.press("Ctrl+2")
    person.press("Ctrl+N")
    await until(lambda: person.key != before, "a new conversation")
    await person.until_ready()
    await until(lambda: person.composer.edit.hasFocus(), "the composer with the keyboard")
    assert person.timeline.model.total == 0


async def test_larger_smaller_and_back(stage: Stage) -> None:
    person = await opened(stage)

    def size() -> float:
        return person.composer.edit.font().pointSizeF() + person.composer.edit.font().pixelSize()

    ordinary = size()
    person.press("Ctrl++")
    await until(lambda: size() > ordinary, "larger letters")
    person.press("Ctrl+0")
    await until(lambda: size() == ordinary, "letters of their ordinary size")
    person.press("Ctrl+-")
    await until(lambda: size() < ordinary, "smaller letters")
    person.press("Ctrl+0")
    await until(lambda: size() == ordinary, "their ordinary size again")
    for _ in range(20):
        person.press("Ctrl++")
    assert person.current.appearance._zoom == 2.0
    person.press("Ctrl+0")


async def test_settings_open_and_close_by_keyboard(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+,")
    await until(question, "the settings")
    sheet = question()
    assert sheet is not None
    assert not unnamed(sheet)
    person.press("Ctrl+,")
    dialog = person.current.settings_controller.dialog
    assert dialog is not None
    assert dialog is sheet
    dialog.reject()
    await until(lambda: person.current.settings_controller.dialog is None, "the settings gone")


def unnamed(root: QWidget) -> list[str]:
    """Interactive widgets that say nothing of themselves."""
    found = []
    for widget in root.findChildren(QWidget):
        words = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
        if isinstance(widget, INTERACTIVE) and not words and not _is_qts_own(widget):
            found.append(" < ".join(type(one).__name__ for one in _parents(widget)))
    return found


def _parents(widget: QWidget) -> list[QObject]:
    """Returns the widget, what it is in, and what that is in."""
    parent = widget.parent()
    above = parent.parent() if parent else None
    return [each for each in (widget, parent, above) if each is not None]


def _is_qts_own(widget: QWidget) -> bool:
    """Parts of Qt's own controls, and what only scrolls its content and never has the keyboard."""
    if widget.objectName().startswith("qt_") or isinstance(widget.parent(), QTabBar | QAbstractSpinBox):
        return True
    if isinstance(widget, QAbstractButton):
        return isinstance(widget.parent(), QLineEdit)
    if isinstance(widget, QHeaderView):
        return True
    in_combo_box = isinstance(widget, QAbstractItemView) and isinstance(_parents(widget)[-1], QComboBox)
    return in_combo_box or widget.focusPolicy() == Qt.FocusPolicy.NoFocus


async def test_every_control_has_a_name(stage: Stage) -> None:
    person = await opened(stage)
    assert not unnamed(person.window)


async def test_every_control_that_can_be_seen_can_be_reached_or_done_by_keyboard(stage: Stage) -> None:
    person = await opened(stage)
    lost = [
        f"{type(one).__name__} {one.accessibleName() or one.text()}"
        for one in person.window.findChildren(QAbstractButton)
        if one.isVisible() and not one.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert not [name for name in lost if not name.startswith("QToolButton qt_")]


async def test_every_action_has_words_and_no_shortcut_is_used_twice(stage: Stage) -> None:
    person = await opened(stage)
    actions = [person.current.actions[command.id] for command in person.current.actions.commands()]
    assert all(action.text() for action in actions)
    # Those of the text hold while the keyboard is in it, and come before the window's.
    window_wide = [command for command in person.current.actions.commands() if not command.id.startswith("text.")]
    in_text = [command for command in person.current.actions.commands() if command.id.startswith("text.")]
    for commands in (window_wide, in_text):
        keys = [keys for command in commands for keys in command.shortcuts]
        assert len(keys) == len(set(keys))


async def test_ctrl_f_finds_in_the_pane_that_has_the_keyboard(stage: Stage) -> None:
    stage.make(("user", "Tea?"), ("assistant", "Yes."), memory="# User\n\n- Likes tea\n")
    person = await stage.open()
    window, chat = person.window, person.chat.transcript.find_bar
    person.press("Ctrl+4")
    await until(lambda: window.prompt.widget._prompt is not None, "the prompt")
    places = [
        (person.composer.edit, chat.field),
        (person.transcript.view, chat.field),
        (person.timeline.view, chat.field),
        (person.memory.editor, person.memory.body.find_bar.widget.find_field),
        (person.history.field, person.history.field),
        (window.prompt.widget.tree, window.prompt.widget.find_bar.widget.find_field),
        (window.sessions._list, window.sessions._search),
    ]
    for place, field in places:
        for name in ("timeline", "memory", "history", "prompt"):
            if window.inspector.docks[name].isAncestorOf(place):
                window.inspector.show(name)
        await rest(0)
        place.setFocus()
        press(window, "Ctrl+F")
        assert QApplication.focusWidget() is field, place
        chat.dismiss()
