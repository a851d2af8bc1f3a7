"""What holds neither words nor a picture is refused in words, and what can be sent is put in as ever."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from tests.ui.window_fixture import Opened, Stage, press, rest, sentences

SAID = (("user", "Tea?"), ("assistant", "Yes."))


def picture() -> QMimeData:
    made = QMimeData()
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    made.setImageData(image)
    return made


def sound() -> QMimeData:
    made = QMimeData()
    made.setData("audio/ogg", b"OggS")
    return made


async def pasting(stage: Stage, what: QMimeData) -> Opened:
    stage.make(*SAID)
    person = await stage.open()
    QGuiApplication.clipboard().setMimeData(what)
    person.composer.setFocus()
    press(person.composer.edit, "Ctrl+V")
    return person


async def test_what_holds_no_words_is_refused_in_words(stage: Stage) -> None:
    person = await pasting(stage, sound())
    assert "Only text and pictures" in await person.until_said("Only text and pictures")
    assert person.composer.draft() == ""
    QTest.keyClicks(person.composer.edit, "words")
    assert person.composer.draft() == "words"


async def test_of_an_empty_clipboard_nothing_is_said(stage: Stage) -> None:
    person = await pasting(stage, QMimeData())
    await rest(0.05)
    assert person.composer.draft() == ""
    assert not any("Only text" in one for one in sentences(person.chat))


async def test_text_beside_a_picture_is_put_in(stage: Stage) -> None:
    what = picture()
    what.setText("the caption")
    person = await pasting(stage, what)
    await rest(0.05)
    assert person.composer.draft() == "the caption"
    assert person.composer.images.items == ()
    assert not any("Only text" in one for one in sentences(person.chat))
