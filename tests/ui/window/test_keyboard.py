"""Everything by keyboard, and everything named for those who hear the window."""

from typing import Any

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QTabBar,
    QWidget,
)

from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import Opened, Stage, press, question, rest, until

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
    assert any(person.window.prompt.isAncestorOf(each) for each in met)


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
    await until(person.window.prompt.isVisible, "the prompt pane")
    assert person.window.prompt.isAncestorOf(person.window.focusWidget())


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


async def test_the_palette_finds_commands_and_conversations(stage: Stage) -> None:
    person = await opened(stage)
    stage.write_session(("user", "About kilns."), key="desktop:kilns")
    person.press("Ctrl+K")
    sheet = person.window.command_palette
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
    assert not person.window.command_palette.isVisible()
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
    await until(lambda: window.prompt._prompt is not None, "the prompt")
    places = [
        (person.composer.edit, chat.field),
        (person.transcript.view, chat.field),
        (person.timeline.view, chat.field),
        (person.memory.editor, person.memory.body.find_bar.find_field),
        (person.history.field, person.history.field),
        (window.prompt.tree, window.prompt.find_bar.find_field),
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
