"""The text files beside a message that is being written: read and taken away by key."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.attachment import Attachment
from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.ui.chat.composer.attachment_chips import TextDialog
from mnemoscope.ui.chat.composer.composer import Composer

LONG = "\n".join(f"Glaze {number}: cone {number % 4 + 5}" for number in range(400))


def with_file(qtbot: QtBot, text: str) -> Composer:
    composer = Composer()
    qtbot.addWidget(composer)
    composer.resize(600, 300)
    composer.show()
    composer.files.add(TextFile("glazes.txt", text))
    composer.edit.setFocus()
    return composer


def tab_to(composer: Composer, name: str) -> QToolButton:
    """Presses Tab until the button of that name has the keyboard."""
    for _ in range(40):
        QTest.keyClick(composer.window().focusWidget(), Qt.Key.Key_Tab)
        held = composer.window().focusWidget()
        if isinstance(held, QToolButton) and held.accessibleName() == name:
            return held
    raise AssertionError(f"Tab does not reach “{name}”")


def test_a_file_is_read_by_key_and_taken_away_by_key(qtbot: QtBot) -> None:
    composer = with_file(qtbot, LONG)
    button = tab_to(composer, "Read glazes.txt")
    QTest.keyClick(button, Qt.Key.Key_Space)
    dialog = composer.findChild(TextDialog)
    assert dialog is not None
    assert (dialog.windowTitle(), dialog.text.toPlainText()) == ("glazes.txt", LONG)
    QTest.keyClick(dialog.text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert dialog.text.textCursor().atEnd()
    QTest.keyClicks(dialog.text, "changed")
    assert dialog.text.toPlainText() == LONG
    QTest.keyClick(dialog.text, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(dialog.text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == LONG.rpartition("\n")[2]
    QTest.keyClick(dialog.text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: composer.findChild(TextDialog) is None)
    away = tab_to(composer, "Take glazes.txt away")
    QTest.keyClick(away, Qt.Key.Key_Space)
    assert composer.files.items == ()


def test_the_keyboard_stays_at_a_chip_when_chips_are_placed_anew_or_a_picture_comes(qtbot: QtBot) -> None:
    composer = with_file(qtbot, LONG)
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.darkGreen)
    images = [Attachment("0" * 63 + str(number), "image/png", 40, 30, 99, f"{number}.png") for number in range(6)]
    composer.images.show_items(images)
    for number in range(4):
        composer.files.add(TextFile(f"{number}.txt", "cone 6"))
    qtbot.waitUntil(lambda: composer.files.findChildren(QToolButton)[-1].isVisible())
    for name in ("Take 3.png away", "Read 1.txt"):
        held = tab_to(composer, name)
        composer.images.show_picture(images[3], picture)
        composer.resize(300, 500)
        qtbot.waitUntil(lambda: composer.images.geometry().width() < 320)
        composer.resize(900, 500)
        qtbot.waitUntil(lambda: composer.images.geometry().width() > 600)
        assert composer.window().focusWidget() is held
    assert any(label.pixmap().width() for label in composer.images.findChildren(QLabel))
