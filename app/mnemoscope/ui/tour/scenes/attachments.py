"""Pictures and files that go with a message, a picture that was sent, and one of the web before it is loaded."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.ui.chat.message_actions import OpenImage
from mnemoscope.ui.tour.driver import Scene
from mnemoscope.ui.tour.one_slot_server import OneSlotServer
from mnemoscope.ui.tour.stage import Scenes
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog

_SEEN = (
    "A bowl in **celadon**: the glaze is even, with a lighter band at the rim where it ran thin. The oatmeal would be "
    "warmer and speckled."
)
_LINKED = """This is the tile that was fired next to it, from the glaze library:

![Celadon on stoneware, 1222 °C](https://images.glaze-library.example/tiles/celadon-1222.jpg)

Compare the colour where it pools."""


class AttachmentScenes(Scenes):
    """Plays the scenes of what goes with messages, in a conversation of their own."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.chip, self.refused, self.sent, self.whole, self.remote, self.files)

    async def chip(self) -> None:
        """Pastes a picture; it waits beside the words."""
        await self.stage.begin_conversation()
        composer = self.window.chat.composer
        composer.edit.picture_pasted.emit(_picture())
        await self.driver.until(lambda: composer.images.items, "the picture in its chip")
        self.stage.type("Which glaze is this?")
        await self.stage.shoot(
            "images", "A picture goes with a message,", "to models that take them; it waits in a chip and is a draft."
        )

    async def refused(self) -> None:
        """Sends the picture to the built-in model, which takes none and says so."""
        composer = self.window.chat.composer
        words = composer.draft()
        self.stage.send("")
        await self.stage.until_said("The model takes no images. Take the image away")
        await self.stage.answered()
        await self.driver.until(lambda: composer.draft() == words and composer.images.items, "words and picture again")
        self.driver.expect(self._index() is None, "a conversation without the picture")
        await self.stage.shoot(
            "image-refused",
            "A model that takes no images says so",
            "before anything is sent: the words and the picture are in the composer again, for another model.",
        )

    async def sent(self) -> None:
        """Sends the picture to a model that takes it."""
        async with OneSlotServer(_SEEN) as server:
            config = self.current.bench.config
            await config.change(model="openai/qwen2.5-vl", api_base=server.address)
            self.stage.send("")
            await self.stage.answered()
            await config.change(model="offline", api_base="")
        self.driver.expect(self._index() is not None, "a message with its picture")
        await self.stage.shoot(
            "image-sent",
            "The picture stands with its message,",
            "kept once beside the conversation, without what its file says of place and camera.",
        )

    async def whole(self) -> None:
        """Opens the picture."""
        actions = self.window.chat.transcript.message_actions
        await self.shoot_dialog(
            Dialog,
            lambda: actions.run(OpenImage(self._index() or 0, 0)),
            "image-whole",
            "A click or Enter shows it whole;",
            "Esc or a click closes it again.",
        )

    async def remote(self) -> None:
        """Has an answer link to a picture of the web, which is not loaded."""
        self.stage.model.talk = [LLMResponse(_LINKED)]
        await self.stage.say("Show me a fired tile of it")
        await self.driver.until(
            lambda: "images.glaze-library.example" in self.window.chat.transcript.view.toPlainText(), "the host"
        )
        await self.stage.shoot(
            "image-remote",
            "A picture of the web is not loaded by itself:",
            "the link says from which host it would come, and one click loads this one.",
        )

    async def files(self) -> None:
        """Drops a text file on the message; it waits in a chip, and goes as quoted text."""
        composer, file = self.window.chat.composer, self.current.bench.workspace.root / "shop" / "postage.py"
        composer.edit.files_dropped.emit([str(file)])
        await self.driver.until(lambda: composer.files.items, "the file in its chip")
        self.stage.type("What would a parcel of 900 g cost?")
        await self.stage.shoot(
            "files",
            "Text files go with a message,",
            "from the same button: as quoted text under their names, never taken for words of yours.",
        )
        composer.set_draft("")

    def _index(self) -> int | None:
        """Returns which message of the conversation has a picture with it, None for none."""
        session = self.current.conversation.session
        messages = session.messages if session is not None else []
        return next((index for index, each in enumerate(messages) if attachments_of(each)), None)


def _picture() -> QImage:
    """Returns a bowl on a board, as a picture that a person might paste."""
    image = QImage(640, 480, QImage.Format.Format_RGB32)
    image.fill(QColor("#e9e2d6"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#b08a5b"))
        painter.drawRect(0, 360, 640, 120)
        painter.setBrush(QColor("#7fa38f"))
        painter.drawChord(150, 130, 340, 340, 180 * 16, 180 * 16)
        painter.setBrush(QColor("#96b8a5"))
        painter.drawEllipse(150, 275, 340, 50)
    return image
