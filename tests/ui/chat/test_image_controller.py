"""Pictures are pasted, dropped and taken away; they are drafts as words are, and come back if not taken."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from mnemoscope.agent.workspace.remote_picture import RemotePictures
from mnemoscope.domain.conversation.attachment import LONGEST_SIDE, NO_IMAGES_TAKEN, attachment_field, attachments_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.llm import ModelTraits
from mnemoscope.store.files.chosen_text_file import read_text_file
from mnemoscope.store.sessions.attachment_store import AttachmentStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.image_controller import ImageController, PictureDialog
from mnemoscope.ui.chat.message_actions import EditMessage, LoadPicture, OpenImage, OpenPicture
from mnemoscope.ui.chat.picture_files import ready_bytes, ready_file
from mnemoscope.ui.chat.transcript.selection_copy import selection_markdown
from mnemoscope.ui.chat.transcript.transcript_find_bar import TranscriptFindBar
from mnemoscope.ui.markdown.document.document_writer import shown_size
from mnemoscope.ui.markdown.document.formula_object import OBJECT
from tests.support.scripted_provider import Gate, KnownModel, ScriptedProvider
from tests.ui.window_fixture import (
    Opened,
    Stage,
    as_killed,
    drafts_hold,
    messages_on_disk,
    rest,
    sentences,
    type_words,
    until,
    words_in,
)

SECRET = "taken at home"


def picture(width: int = 40, height: int = 30) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    image.setText("Comment", SECRET)
    return image


def png(width: int = 40, height: int = 30) -> bytes:
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(picture(width, height))
    return bytes(buffer.data().data())


def jpeg() -> bytes:
    """Returns a photograph's file, with what a camera writes beside the pixels."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"jpeg").write(picture())
    whole, exif = bytes(buffer.data().data()), b"Exif\0\0" + SECRET.encode()
    return whole[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + whole[2:]


def paste(person: Opened, image: QImage | None = None, data: bytes = b"") -> None:
    mime = QMimeData()
    if data:
        mime.setData("image/jpeg" if data.startswith(b"\xff\xd8") else "image/png", data)
    else:
        mime.setImageData(image or picture())
    person.composer.edit.insertFromMimeData(mime)


async def chips(person: Opened, count: int) -> None:
    await until(lambda: len(person.composer.images.items) == count, f"{count} images")


@pytest.mark.parametrize("data", [b"", png(), jpeg()], ids=["pixels", "PNG", "JPEG"])
async def test_a_pasted_picture_waits_in_a_chip_and_on_the_disk_without_its_metadata(stage: Stage, data: bytes) -> None:
    assert not data or SECRET.encode() in data
    stage.make()
    person = await stage.open()
    paste(person, data=data)
    await chips(person, 1)
    (attachment,) = person.composer.images.items
    kept = AttachmentStore(WorkspacePaths(stage.root).attachments_dir).read(attachment)
    assert kept is not None
    assert SECRET.encode() not in kept
    assert (attachment.width, attachment.height) == (40, 30)
    # A picture alone is a message.
    assert person.composer.button.isEnabled()


@pytest.mark.parametrize("refused", ["picture", "text"])
async def test_words_sent_at_once_stay_where_what_goes_with_them_is_refused(
    stage: Stage, tmp_path: Path, refused: str
) -> None:
    stage.make()
    person = await stage.open()
    composer = person.composer
    composer.set_draft("What grows here?")
    file = tmp_path / ("kiln.png" if refused == "picture" else "kiln.md")
    file.write_bytes(b"\x89PNG\0\xff")
    with composer.coming():
        composer.edit.files_dropped.emit([str(file)])
        composer.edit.setFocus()
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
        await until(lambda: any("kiln" in sentence for sentence in sentences(person.chat)), "why it is refused")
    await rest()
    assert composer.draft() == "What grows here?"
    assert messages_on_disk(stage.root, person.key) == []
    assert any("kiln" in sentence for sentence in sentences(person.chat))
    # They know now: what they send again goes.
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    await until(lambda: len(messages_on_disk(stage.root, person.key)) > 0, "the message")


async def test_what_takes_a_while_to_be_read_is_said_and_whether_the_message_waits_for_it(stage: Stage) -> None:
    stage.make()
    person = await stage.open(offline=ScriptedProvider("Moss."))
    composer = person.composer
    with composer.coming():
        assert not composer.arriving.isVisible()
        await until(composer.arriving.isVisible, "that something is read")
        assert composer.arriving.text() == "Reading what you added…"
        person.send("What grows here?")
        assert composer.arriving.text().endswith("sent once it is here.")
        assert messages_on_disk(stage.root, person.key) == []
    assert not composer.arriving.isVisible()
    await until(lambda: len(messages_on_disk(stage.root, person.key)) == 2, "the message and its answer")


async def test_below_an_image_there_is_no_share_of_its_height(stage: Stage) -> None:
    stage.make()
    store = AttachmentStore(WorkspacePaths(stage.root).attachments_dir)
    kept = store.keep(png(400, 160), 400, 160)
    person = await stage.open()
    sent = {"role": "user", "content": "What is this?", **attachment_field([kept])}
    await person.current.bench.loop.writer.append(person.session, sent)
    document = person.transcript.transcript.document
    await until(lambda: "\ufffc" in document.toPlainText(), "the image")
    rect = document.documentLayout().blockBoundingRect(document.find("\ufffc").block())
    shown = shown_size(400, 160)[1]
    assert shown <= rect.height() < shown + 12


async def test_dropped_pictures_are_images_and_other_files_text(stage: Stage, tmp_path: Path) -> None:
    stage.make()
    person = await stage.open()
    (tmp_path / "garden.png").write_bytes(png())
    (tmp_path / "list.txt").write_text("beans", encoding="utf-8")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in ("garden.png", "list.txt")])
    person.composer.edit.insertFromMimeData(mime)
    await chips(person, 1)
    await until(lambda: person.composer.files.items, "the chip of the file")
    assert person.composer.content().text == "list.txt:\n```txt\nbeans\n```"
    assert person.composer.images.items[0].name == "garden.png"


async def test_an_image_is_taken_away_by_its_button(stage: Stage) -> None:
    stage.make()
    person = await stage.open()
    paste(person)
    await chips(person, 1)
    # The chip may be made anew once its picture is there; the former one goes with the next turn of the loop.
    buttons = partial(person.composer.images.findChildren, QToolButton)
    await until(lambda: len(buttons()) == 1, "the button of the image")
    (away,) = buttons()
    QTest.mouseClick(away, Qt.MouseButton.LeftButton)
    assert person.composer.images.items == ()
    assert person.composer.images.isHidden()


async def test_a_model_that_takes_none_says_so_and_words_and_image_stay(stage: Stage) -> None:
    stage.make()
    person = await stage.open()
    paste(person)
    await chips(person, 1)
    person.type(person.composer.edit, "What grows here?")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await person.until_said("The model takes no images.")
    await until(lambda: person.composer.draft() == "What grows here?", "the words again")
    assert len(person.composer.images.items) == 1
    assert person.session.messages == [] or not len(person.session.messages)


@pytest.mark.parametrize("way", ["image", "settings", "conversation"])
async def test_that_the_model_takes_none_is_past_with_the_image_or_the_model(stage: Stage, way: str) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    person = await stage.open()
    paste(person)
    await chips(person, 1)
    paste(person, picture(20, 10))
    await chips(person, 2)
    person.send("What grows here?")
    await person.until_said(NO_IMAGES_TAKEN)
    await until(lambda: person.composer.draft() == "What grows here?", "the words again")
    await chips(person, 2)
    images = person.composer.images
    await person.bench.config.change(temperature=0.3)
    images.remove(images.items[0])
    await until(lambda: person.bench.settings.temperature == 0.3, "another setting")
    assert NO_IMAGES_TAKEN in words_in(person.chat)
    if way == "image":
        images.remove(images.items[0])
    elif way == "settings":
        await person.bench.config.change(model="openai/gpt-4o-mini")
    else:
        await person.bench.conversations.choose_model(person.key, "openai/gpt-4o-mini")
    await until(lambda: NO_IMAGES_TAKEN not in words_in(person.chat), "that this is past")


async def test_an_unsent_image_is_there_at_the_next_start(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    person = await stage.open()
    paste(person)
    await chips(person, 1)
    before = person.composer.images.items
    await person.close()
    again = await stage.open()
    await chips(again, 1)
    assert again.composer.images.items == before


async def test_an_image_of_a_message_is_shown_and_opened(stage: Stage) -> None:
    stage.make()
    store = AttachmentStore(WorkspacePaths(stage.root).attachments_dir)
    kept = store.keep(png(), 40, 30, "garden.png")
    gone = store.keep(png(20, 10), 20, 10, "gone.png")
    store.path_of(gone).unlink()
    person = await stage.open()
    await person.current.bench.loop.writer.append(
        person.session, {"role": "user", "content": "Look.", **attachment_field([kept, gone])}
    )
    document = person.transcript.transcript
    await until(lambda: document.row_of(0) is not None, "the message")
    await until(lambda: document.image_at(0, 1) == gone, "both images")
    person.transcript.message_actions.run(OpenImage(0, 0))
    await until(lambda: person.window.findChildren(PictureDialog), "the image as large as it is")
    person.window.findChildren(PictureDialog)[0].close()
    person.transcript.message_actions.run(OpenImage(0, 1))
    await person.until_said("is not in sessions/attachments any more")
    assert attachments_of(person.session.messages[0]) == (kept, gone)


class Web(RemotePictures):
    """Has one picture; `asked` notes the addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = list[str]()

    async def load(self, address: str) -> bytes:
        self.asked.append(address)
        if address.endswith("/tea.png"):
            return png()
        raise MnemoscopeError("The image could not be loaded.", next_step="Open the address instead.")


async def test_pictures_that_a_text_links_to_are_shown_from_the_workspace_and_loaded_when_asked_for(
    stage: Stage,
) -> None:
    stage.make()
    store = AttachmentStore(WorkspacePaths(stage.root).attachments_dir)
    kept = store.keep(png(20, 10), 20, 10)
    person = await stage.open()
    controller = next(iter(person.window.findChildren(ImageController)))
    web = controller.remote = Web()
    text = (
        f"![plan](sessions/attachments/{kept.sha256}) ![tea](https://example.org/tea.png) "
        "![no](http://example.org/no.png) ![file](file:///etc/passwd)"
    )
    await person.current.bench.loop.writer.append(person.session, {"role": "assistant", "content": text})
    document = person.transcript.transcript
    plan = f"linked:{kept.sha256}"
    await until(lambda: document.linked.get(plan) == (20, 10), "the picture of the workspace")
    shown = document.document.toPlainText().replace("\u00a0", " ")
    # Links of the same words could not be told apart by a screen reader.
    assert "Load the image “tea” from example.org" in shown
    assert "Load the image “no” from example.org" in shown
    assert "[image: file]" in shown
    assert web.asked == []
    person.transcript.message_actions.run(LoadPicture(0, 1))
    await until(lambda: "linked:https://example.org/tea.png" in document.linked, "the picture of the web")
    left = document.document.toPlainText()
    assert "Load the image “tea”" not in left
    assert "Load the image “no” from example.org" in left
    person.transcript.message_actions.run(LoadPicture(0, 2))
    await person.until_said("could not be loaded")
    assert web.asked == ["https://example.org/tea.png", "http://example.org/no.png"]
    person.transcript.message_actions.run(OpenPicture(0, 1))
    await until(lambda: person.window.findChildren(PictureDialog), "the picture as large as it is")
    person.window.findChildren(PictureDialog)[0].close()
    # Nothing of it is kept in the folder.
    assert [path.name for path in store.folder.iterdir()] == [kept.sha256]


async def test_a_linked_picture_stands_where_its_text_has_it_and_is_found_and_copied_as_its_source(
    stage: Stage,
) -> None:
    stage.make()
    store = AttachmentStore(WorkspacePaths(stage.root).attachments_dir)
    kept = store.keep(png(20, 10), 20, 10)
    person = await stage.open()
    source = f"![the plan](sessions/attachments/{kept.sha256})"
    text = f"Before it, {source} and behind it.\n\n| what | seen |\n|---|---|\n| kiln | {source} |\n\nThe end."
    await person.current.bench.loop.writer.append(person.session, {"role": "assistant", "content": text})
    document = person.transcript.transcript
    await until(lambda: document.document.toPlainText().count(OBJECT) == 2, "both pictures")
    shown = document.document.toPlainText()
    assert f"Before it, {OBJECT} and behind it." in shown
    assert "[image:" not in shown
    start = shown.index("Before it")
    assert selection_markdown(document, start + 7, start + 20) == f"it, {source} and beh"
    assert source in selection_markdown(document, 0, len(shown))
    person.transcript.setFocus()
    person.press("Ctrl+F")
    found = person.window.findChild(TranscriptFindBar)
    assert found is not None
    await until(found.isVisible, "the find bar")
    field = found.findChild(QLineEdit)
    assert field is not None
    type_words(field, "the plan")
    await until(lambda: found.count.text() == "2 of 2", "the pictures found by their words")


def test_a_large_picture_is_bounded_and_a_broken_one_refused(tmp_path: Path) -> None:
    ready = ready_bytes(png(LONGEST_SIDE * 2, 300))
    assert (ready.width, ready.height) == (LONGEST_SIDE, 150)
    for name, data in (("a.png", png()[:50]), ("b.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"), ("c.jpg", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(MnemoscopeError, match="no picture that can be read"):
            ready_file(tmp_path / name)
    with pytest.raises(MnemoscopeError, match="cannot be read"):
        ready_file(tmp_path / "missing.png")


@pytest.mark.parametrize("is_slow", ["image", "text"])
async def test_what_is_sent_right_after_an_image_and_a_text_file_were_chosen_goes_with_both(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_slow: str
) -> None:
    stage.make()
    person = await stage.open()
    (tmp_path / "shed.png").write_bytes(png())
    (tmp_path / "notes.txt").write_text("The roof is the first job.", "utf-8")
    held = threading.Event()

    def slowly(read: Callable[[Path], Any]) -> Callable[[Path], Any]:
        return lambda path: held.wait(30) and read(path)

    if is_slow == "image":
        monkeypatch.setattr("mnemoscope.ui.chat.image_controller.ready_file", slowly(ready_file))
    else:
        module = "mnemoscope.ui.chat.conversation_controller"
        monkeypatch.setattr(f"{module}.read_text_file", slowly(read_text_file))
    sent: list[ComposerText] = []
    person.composer.submitted.connect(sent.append)
    person.composer.set_draft("What is this?")
    person.composer.edit.files_dropped.emit([str(tmp_path / "shed.png"), str(tmp_path / "notes.txt")])
    composer = person.composer
    await rest()
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    held.set()
    await until(lambda: sent, "the message")
    assert [each.name for each in sent[0].images] == ["shed.png"]
    assert "The roof is the first job." in sent[0].text
    assert (composer.images.items, composer.files.items, composer.draft()) == ((), (), "")
    assert len(sent) == 1


class StartingProcess(KnownModel):
    """A model of which nothing is known until its process has started."""

    def __init__(self, gate: Gate, traits: ModelTraits) -> None:
        super().__init__("It is green.", "It is greener.", traits=traits)
        self.gate = gate

    async def warm(self, model: str | None = None) -> None:
        pass

    async def traits(self, model: str | None = None) -> ModelTraits:
        self.gate.reached.set()
        await self.gate.open.wait()
        return await super().traits(model)


def waiting_in(person: Opened) -> str:
    waiting = person.composer.waiting
    return words_in(waiting) if waiting.isVisible() else ""


async def sent_at_the_start(stage: Stage, *, images: bool | None) -> tuple[Opened, Gate]:
    """Returns a window in which a message with an image was sent while the model's process starts."""
    stage.make(("user", "Earlier."), ("assistant", "Yes."), model="lm_studio/any")
    gate = Gate()
    person = await stage.open(remote=StartingProcess(gate, ModelTraits(images=images)))
    paste(person)
    await chips(person, 1)
    gate.reached.clear()
    person.send("What grows here?")
    await gate.reached.wait()
    await until(lambda: "What grows here?" in waiting_in(person), "the message on its way")
    assert "Being sent" in waiting_in(person)
    assert not visible_buttons(person.composer.waiting)
    return person, gate


def visible_buttons(widget: QWidget) -> list[str]:
    return [one.text() for one in widget.findChildren(QPushButton) if one.isVisible()]


async def test_a_message_with_an_image_is_shown_while_the_models_process_starts(stage: Stage) -> None:
    person, gate = await sent_at_the_start(stage, images=True)
    assert person.composer.draft() == ""
    type_words(person.composer.edit, "And the next")
    gate.open.set()
    await until(lambda: "It is green." in person.text, "the answer")
    await person.answered()
    assert waiting_in(person) == ""
    assert attachments_of(messages_on_disk(stage.root)[2])
    assert person.composer.draft() == "And the next"
    await until(lambda: not drafts_hold(stage.paths, "What grows here?"), "no draft of what was sent")


@pytest.mark.parametrize("way", ["refused", "stopped"])
async def test_it_comes_back_whole_where_the_model_takes_none_or_it_is_stopped(stage: Stage, way: str) -> None:
    person, gate = await sent_at_the_start(stage, images=False)
    if way == "refused":
        gate.open.set()
        await person.until_said(NO_IMAGES_TAKEN)
    else:
        QTest.keyClick(person.composer.edit, Qt.Key.Key_Escape)
    await until(lambda: person.composer.draft() == "What grows here?", "the words again")
    await chips(person, 1)
    assert waiting_in(person) == ""
    assert len(person.session.messages) == 2
    gate.open.set()


async def test_it_is_held_beside_what_was_typed_meanwhile(stage: Stage) -> None:
    person, gate = await sent_at_the_start(stage, images=False)
    type_words(person.composer.edit, "And the next")
    gate.open.set()
    await person.until_said(NO_IMAGES_TAKEN)
    await until(lambda: "Not sent" in waiting_in(person), "that it is held")
    await until(lambda: "What grows here?" in waiting_in(person), "the message that is held")
    assert person.composer.draft() == "And the next"
    await until(
        lambda: all(drafts_hold(stage.paths, words) for words in ("What grows here?", "And the next")), "both drafts"
    )


async def test_it_is_there_after_a_kill_with_what_was_typed_meanwhile(stage: Stage) -> None:
    person, _gate = await sent_at_the_start(stage, images=True)
    type_words(person.composer.edit, "And the next")
    await until(
        lambda: all(drafts_hold(stage.paths, words) for words in ("What grows here?", "And the next")), "both drafts"
    )
    copy = as_killed(stage.root)
    await person.close()
    again = await stage.open(root=copy)
    await until(lambda: "What grows here?" in waiting_in(again), "the message of before")
    assert again.composer.draft() == "And the next"


@pytest.mark.parametrize("way", ["typed", "sent"])
async def test_a_conversation_with_nothing_but_an_unsent_image_is_there_at_the_next_start(
    stage: Stage, way: str
) -> None:
    stage.make(model="lm_studio/any")
    gate = Gate()
    person = await stage.open(remote=StartingProcess(gate, ModelTraits(images=True)))
    paste(person)
    await chips(person, 1)
    words = "What grows here?" if way == "sent" else ""
    if words:
        person.send(words)
        await gate.reached.wait()
        assert await person.current.conversation.drafts.is_any(person.key)
    await person.close()
    again = await stage.open()
    await chips(again, 1)
    assert again.composer.draft() == words


async def test_an_edited_message_with_an_image_is_shown_too_and_takes_its_place(stage: Stage) -> None:
    person, gate = await sent_at_the_start(stage, images=True)
    gate.open.set()
    await until(lambda: "It is green." in person.text, "the answer")
    await person.answered()
    gate.open.clear()
    gate.reached.clear()
    person.transcript.message_actions.run(EditMessage(2))
    await until(lambda: person.composer.draft() == "What grows here?", "the words")
    type_words(person.composer.edit, " And there?")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await gate.reached.wait()
    await until(lambda: "What grows here? And there?" in waiting_in(person), "the message on its way")
    gate.open.set()
    await until(lambda: "It is greener." in person.text, "the other answer")
    await person.answered()
    assert waiting_in(person) == ""
    said = [one["content"] for one in messages_on_disk(stage.root)]
    assert said[2:] == ["What grows here? And there?", "It is greener."]
