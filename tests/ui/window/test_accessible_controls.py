"""Controls tell assistive programs their names and roles, are reached by keys, and show that they have the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMargins, QMimeData, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QMenu, QPushButton, QToolButton, QWidget

from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.ui.sessions.export_dialog import ExportDialog, ExportScope
from mnemoscope.ui.support.spelling import Spelling
from tests.ui.spelling_fixture import few_words
from tests.ui.window_fixture import Opened, Stage, until

__all__ = ["few_words"]

BUTTONS = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
}


def name_and_role(widget: QWidget) -> tuple[str, QAccessible.Role]:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    # On Linux Qt tells what is chosen in a list as its name; the name proper goes by the control beside it.
    name = widget.accessibleName() if isinstance(widget, QComboBox) else interface.text(QAccessible.Text.Name)
    return name, interface.role()


def look_of(widget: QWidget) -> bytes:
    """Returns the pixels of a control with what is drawn around it."""
    top = widget.window()
    area = widget.rect().translated(widget.mapTo(top, widget.rect().topLeft()) - widget.rect().topLeft())
    picture = top.grab(area.marginsAdded(QMargins(4, 4, 4, 4))).toImage()
    return bytes(picture.constBits())  # The picture owns these bytes: it has to live until they are copied.


async def assert_reached_and_seen(widget: QWidget, beside: QWidget) -> None:
    """A control takes the keyboard by Tab, says so, and looks otherwise with it than without."""
    assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    beside.setFocus(Qt.FocusReason.TabFocusReason)
    await until(beside.hasFocus, "the keyboard beside")
    without = look_of(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    await until(widget.hasFocus, "the keyboard here")
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    assert interface.state().focused
    assert look_of(widget) != without


async def opened(stage: Stage) -> Opened:
    stage.make(("user", "Hello."), memory="# Home\n\n- the gardne\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    await person.until_ready()
    return person


async def test_what_stands_at_the_message(stage: Stage) -> None:
    person = await opened(stage)
    composer = person.composer
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.darkGreen)
    data = QMimeData()
    data.setImageData(picture)
    composer.edit.insertFromMimeData(data)
    await until(lambda: composer.images.items, "the image in its chip")
    QTest.keyClicks(composer.edit, "Which glaze?")
    composer.files.add(TextFile("plan.md", "cone 6"))
    away, without = (row.findChildren(QToolButton)[-1] for row in (composer.images, composer.files))
    # Chips that were just added stand one over another until they are laid out.
    chips = (away, without)
    await until(lambda: all(each.visibleRegion().boundingRect() == each.rect() for each in chips), "the chips")
    names = []
    for control in (composer.attach_button, composer.discretion, composer.button, away, without):
        name, role = name_and_role(control)
        assert role in BUTTONS
        names.append(name)
        await assert_reached_and_seen(control, composer.edit)
    assert names[0] == "Add images or text files"
    assert all(names)
    assert "Image 1" in names[3]
    assert names[4] == "Take plan.md away"
    # Space on the chip's button takes the image away, as a click does.
    away.setFocus()
    QTest.keyClick(away, Qt.Key.Key_Space)
    assert composer.images.items == ()
    without = composer.files.findChildren(QToolButton)[-1]
    without.setFocus()
    QTest.keyClick(without, Qt.Key.Key_Space)
    assert composer.files.items == ()


async def test_the_editor_and_what_stands_above_it(stage: Stage, few_words: Spelling) -> None:
    person = await opened(stage)
    document = person.memory
    name, role = name_and_role(document.editor)
    assert (name, role) == ("Source of MEMORY.md", QAccessible.Role.EditableText)
    buttons = [each for each in document.toolbar.findChildren(QAbstractButton) if each.isVisible() and each.isEnabled()]
    assert len(buttons) >= 4
    for button in buttons:
        assert name_and_role(button)[0]
    # Spelling is in the menu of the text, by keys alone, and each entry has its name.
    document.editor.setFocus()
    await until(lambda: bool(few_words.is_wrong("gardne")), "the misspelled word")
    cursor = document.editor.textCursor()
    cursor.setPosition(document.editor.text().index("gardne") + 1)
    document.editor.setTextCursor(cursor)
    menu = document.editor.menu()
    spelled = next(each for each in menu.findChildren(QMenu) if each.title() == "Spelling")
    for actions in (menu.actions(), spelled.actions()):
        assert all(each.text() for each in actions if not each.isSeparator())
    interface = QAccessible.queryAccessibleInterface(spelled)
    assert interface is not None
    kinds = {interface.child(at).role() for at in range(interface.childCount())}
    assert kinds & {QAccessible.Role.CheckBox, QAccessible.Role.MenuItem, QAccessible.Role.RadioButton}
    menu.close()


@pytest.mark.parametrize("several", [0, 3])
async def test_the_dialog_of_an_export(stage: Stage, several: int) -> None:
    person = await opened(stage)
    dialog = ExportDialog(person.window, title="Home", selected=0, form="md", conversations=several)
    dialog.open()
    fields = dialog.findChildren(QComboBox)
    assert [name_and_role(each) for each in fields] == [
        ("What is exported", QAccessible.Role.ComboBox),
        ("Form of the export", QAccessible.Role.ComboBox),
    ]
    buttons = [each for each in dialog.findChildren(QPushButton) if each.isVisible()]
    assert {name_and_role(each) for each in buttons} == {
        ("Export…", QAccessible.Role.Button),
        ("Cancel", QAccessible.Role.Button),
    }
    await assert_reached_and_seen(fields[0], fields[1])
    await assert_reached_and_seen(buttons[0], fields[1])
    QTest.keyClick(fields[1], Qt.Key.Key_End)
    assert dialog.wish.form == "json"
    assert dialog.wish.scope is (ExportScope.CHOSEN if several else ExportScope.CONVERSATION)
    dialog.reject()


async def test_the_trial_of_a_model(stage: Stage) -> None:
    person = await opened(stage)
    controller = person.current.settings_controller
    controller.open()
    await until(lambda: controller.dialog is not None, "the settings")
    dialog = controller.dialog
    assert dialog is not None
    section = dialog.model
    for control in (section.test.button, *section.findChildren(QComboBox)):
        name, _role = name_and_role(control)
        assert name
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
    interface = QAccessible.queryAccessibleInterface(section.test.button)
    assert interface is not None
    # What it costs is told with the button.
    assert "requests" in interface.text(QAccessible.Text.Description)
    dialog.reject()
    await until(lambda: controller.dialog is None, "the settings closed")
