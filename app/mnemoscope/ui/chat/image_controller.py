"""Images in one conversation: pasted, dropped or chosen, kept before they are sent, and shown where they were sent."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAccessible, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from mnemoscope.agent.workspace.remote_picture import RemotePictures
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.attachment import MOST_IMAGES, NO_IMAGES_TAKEN, Attachment
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.message_actions import LoadPicture, OpenImage, OpenPicture
from mnemoscope.ui.chat.picture_files import (
    SUFFIXES,
    ReadyPicture,
    is_picture,
    ready_bytes,
    ready_file,
    ready_image,
    thumbnail_of,
)
from mnemoscope.ui.markdown.reading.picture_links import PictureLink
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.external_actions import pick_files
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.accessible_role import announce_role
from mnemoscope.ui.widgets.accessibility.focus_ring import RING
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.theme import set_role

_LINKED: Final = 12
"""Pictures that texts link to and that are held in their full size."""
_THUMBNAILS: Final = 64
"""Small pictures that are held at once."""


class ImageController(QObject):
    """Takes pictures to the disk and to the composer, and brings those of messages into the transcript."""

    def __init__(
        self, chat: ChatColumn, bench: Workbench, bridge: Bridge, tasks: Tasks, current: CurrentConversation
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._thumbnails: OrderedDict[str, QImage] = OrderedDict()
        self._refused_by = ("", "")
        """The models of the settings and of the conversation, when it was said that the model takes no images."""
        composer, transcript = chat.composer, chat.transcript
        composer.edit.picture_pasted.connect(self._on_pasted)
        composer.edit.files_dropped.connect(self._on_dropped)
        composer.files_requested.connect(lambda: tasks.spawn(self._choose(), "choose files"))
        composer.images.pictures_requested.connect(lambda wanted: tasks.spawn(self._show_chips(wanted), "chips"))
        composer.images.changed.connect(self._on_chips)
        bridge.on(events.Noticed, self._on_noticed)
        for kind in (events.SettingsChanged, events.SessionsChanged):
            bridge.on(kind, lambda _event: self._on_models())
        transcript.transcript.images_met.connect(self._on_met)
        transcript.message_actions.on(OpenImage, self._open)
        self.remote = RemotePictures()
        """Loads pictures of the web."""
        self._linked: OrderedDict[str, QImage] = OrderedDict()
        """The pictures that texts link to, as large as they are kept in memory, by their names."""
        self._loading: set[str] = set()
        transcript.transcript.linked_met.connect(self._on_linked)
        transcript.message_actions.on(LoadPicture, self._load)
        transcript.message_actions.on(OpenPicture, self._open_linked)

    # In

    def _on_pasted(self, picture: bytes | QImage) -> None:
        ready = partial(ready_image, picture) if isinstance(picture, QImage) else partial(ready_bytes, picture)
        self._tasks.spawn(self._add(asyncio.to_thread(ready), ""), "paste a picture")

    def _on_dropped(self, paths: list[str]) -> None:
        pictures = [path for path in paths if is_picture(path)]
        if pictures:
            self._tasks.spawn(self._add_files(pictures), "drop pictures")

    async def _choose(self) -> None:
        """Lets the person choose files, and takes them in as if they had been dropped on the message."""
        pictures = " ".join(f"*{suffix}" for suffix in sorted(SUFFIXES))
        kinds = f"{self.tr('Images and text files')} (*);;{self.tr('Images')} ({pictures})"
        paths = await pick_files(self._chat.window(), self.tr("Add images or text files"), kinds)
        if paths:
            self._chat.composer.edit.files_dropped.emit(list(map(str, paths)))
        self._chat.composer.edit.setFocus()

    async def _add_files(self, paths: Iterable[str]) -> None:
        with self._chat.composer.coming():
            for path in list(paths)[: MOST_IMAGES + 1]:
                await self._add(asyncio.to_thread(ready_file, Path(path)), Path(path).name)

    async def _add(self, making: Awaitable[ReadyPicture], name: str) -> None:
        """Keeps a picture on the disk, then puts it to the message that is being written."""
        if not self._bench.read_only:
            with self._chat.composer.coming():
                await self._keep(making, name)

    async def _keep(self, making: Awaitable[ReadyPicture], name: str) -> None:
        key, chips = self._current.key, self._chat.composer.images
        try:
            ready = await making
            attachment = await self._bench.loop.keep_image(key, ready.data, ready.width, ready.height, name)
        except MnemoscopeError as error:
            self._chat.composer.hold_back()
            self._chat.notify("warning", core_words(str(error)))
            return
        if key != self._current.key:
            return
        self._remember(attachment, ready.thumbnail)
        if not chips.add(attachment):
            self._chat.composer.hold_back()
            words = self.tr("A message takes {count} images at most.").format(count=MOST_IMAGES)
            self._chat.notify("info", words)
            return
        chips.show_picture(attachment, ready.thumbnail)

    # Refused by the model

    def _models(self) -> tuple[str, str]:
        session = self._current.session
        return self._bench.settings.model, session.model if session is not None else ""

    def _on_noticed(self, event: events.Noticed) -> None:
        if event.sentence == NO_IMAGES_TAKEN:
            self._refused_by = self._models()

    def _on_chips(self) -> None:
        if not self._chat.composer.images.items:
            self._chat.dismiss_notices_with(NO_IMAGES_TAKEN)

    def _on_models(self) -> None:
        if self._current.session is not None and self._models() != self._refused_by:
            self._chat.dismiss_notices_with(NO_IMAGES_TAKEN)

    # Out

    async def _show_chips(self, wanted: Iterable[Attachment]) -> None:
        for attachment in wanted:
            picture = await self._picture(attachment)
            if picture is not None:
                self._chat.composer.images.show_picture(attachment, picture)

    def _on_met(self, attachment: Attachment) -> None:
        """Shows an image of a message: at once where it is known, else when it was read."""
        known = self._thumbnails.get(attachment.sha256)
        if known is not None:
            self._chat.transcript.transcript.show_image(attachment, known)
        else:
            self._tasks.spawn(self._show_met(attachment), "images")

    async def _show_met(self, attachment: Attachment) -> None:
        picture = await self._picture(attachment)
        self._chat.transcript.transcript.show_image(attachment, picture)

    async def _picture(self, attachment: Attachment) -> QImage | None:
        """Returns a small picture of an image, or None where it is gone or damaged."""
        known = self._thumbnails.get(attachment.sha256)
        if known is None:
            data = await self._bench.disk.run(self._bench.loop.services.attachments.read, attachment)
            known = await asyncio.to_thread(_small, data) if data is not None else None
            if known is not None:
                self._remember(attachment, known)
        return known

    def _remember(self, attachment: Attachment, thumbnail: QImage) -> None:
        self._thumbnails[attachment.sha256] = thumbnail
        while len(self._thumbnails) > _THUMBNAILS:
            self._thumbnails.popitem(last=False)

    # What texts link to

    def _on_linked(self, picture: PictureLink) -> None:
        """Shows a picture of this workspace that a text links to."""
        if picture.name not in self._loading:
            self._loading.add(picture.name)
            self._tasks.spawn(self._show_kept(picture), "linked image")

    async def _show_kept(self, picture: PictureLink) -> None:
        data = await self._bench.disk.run(self._bench.loop.services.attachments.read_hash, picture.sha256)
        if data is not None:
            # One that cannot be read stays the description that stands in the text.
            with suppress(MnemoscopeError):
                await self._show_linked(picture, data)
        self._loading.discard(picture.name)

    def _load(self, action: LoadPicture) -> None:
        picture = self._chat.transcript.transcript.picture_at(action.index, action.place)
        if picture is not None and picture.address and picture.name not in self._loading:
            self._loading.add(picture.name)
            self._tasks.spawn(self._load_remote(picture), "load a picture")

    async def _load_remote(self, picture: PictureLink) -> None:
        """Loads a picture of the web, which a person asked for; nothing of it is kept on the disk."""
        try:
            await self._show_linked(picture, await self.remote.load(picture.address))
        except MnemoscopeError as error:
            self._chat.notify("warning", core_words(str(error)))
        finally:
            self._loading.discard(picture.name)

    async def _show_linked(self, picture: PictureLink, data: bytes) -> None:
        """Shows a picture from its bytes. Raises MnemoscopeError where they are none."""
        ready = await asyncio.to_thread(ready_bytes, data, picture.words)
        whole = await asyncio.to_thread(QImage.fromData, ready.data)
        self._linked[picture.name] = whole
        while len(self._linked) > _LINKED:
            self._linked.popitem(last=False)
        self._chat.transcript.show_linked(picture.name, ready.thumbnail)

    def _open_linked(self, action: OpenPicture) -> None:
        picture = self._chat.transcript.transcript.picture_at(action.index, action.place)
        image = self._linked.get(picture.name) if picture is not None else None
        if picture is not None and image is not None:
            PictureDialog(image, picture.words or self.tr("Image"), self._chat.window()).open()
        elif picture is not None:
            # It was let go of: it is fetched once more.
            (self._load(LoadPicture(action.index, action.place)) if picture.address else self._on_linked(picture))

    def _open(self, action: OpenImage) -> None:
        self._tasks.spawn_once(partial(self._show_whole, action), f"image {action}")

    async def _show_whole(self, action: OpenImage) -> None:
        attachment = self._chat.transcript.transcript.image_at(action.index, action.place)
        if attachment is None:
            return
        data = await self._bench.disk.run(self._bench.loop.services.attachments.read, attachment)
        image = await asyncio.to_thread(QImage.fromData, data) if data is not None else QImage()
        if image.isNull():
            self._chat.notify("info", self.tr("The image is not in sessions/attachments any more, or is damaged."))
            return
        PictureDialog(image, attachment.name or self.tr("Image"), self._chat.window()).open()


def _small(data: bytes) -> QImage | None:
    image = QImage.fromData(data)
    return None if image.isNull() else thumbnail_of(image)


class PictureView(QFrame):
    """Paints a picture in its middle, no larger than it is, and smaller where there is less room."""

    def __init__(self, image: QImage, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._image = image
        set_role(self, role="part")
        self.setAccessibleName(name)
        announce_role(self, QAccessible.Role.Graphic)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return self._image.size().boundedTo(QSize(1_200, 900)) + QSize(*(2 * [2 * RING]))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            room = self.contentsRect().size().boundedTo(self._image.size())
            size = self._image.size().scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
            left, top = (self.width() - size.width()) // 2, (self.height() - size.height()) // 2
            painter.translate(left, top)
            painter.scale(size.width() / self._image.width(), size.height() / self._image.height())
            painter.drawImage(0, 0, self._image)


class PictureDialog(Dialog):
    """Shows one picture."""

    def __init__(self, image: QImage, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = PictureView(image, name, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.view)
        self.resize(self.view.sizeHint() + QSize(24, 24))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.accept()
