"""The images that go with the message being written: one chip each, with its picture and a button to take it away."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from mnemoscope.domain.conversation.attachment import MOST_IMAGES, Attachment
from mnemoscope.ui.chat.composer.chip_grid import ChipGrid
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import set_role

PICTURE: Final = QSize(72, 54)
"""The room of a chip's picture."""
_BESIDE: Final = 34
"""Pixels of a chip beside its picture."""


class ImageChips(ChipGrid[Attachment]):
    """The images of the message in the composer."""

    pictures_wanted = Signal(object)
    """`Attachment`s are shown whose pictures are not known yet."""

    def __init__(self, parent: QWidget) -> None:
        width = PICTURE.width() + _BESIDE
        super().__init__(MOST_IMAGES, width, parent, least=width, fills_row=False)
        self._pictures: dict[str, QPixmap] = {}
        self._labels: list[tuple[str, QLabel]] = []
        """What shows the picture of an image, each with the image's SHA-256."""
        self.setAccessibleName(self.tr("Images that go with the message"))
        self.changed.connect(self._want_pictures)

    def show_picture(self, attachment: Attachment, picture: QImage) -> None:
        """Shows the picture of an image."""
        size = picture.size().scaled(PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
        self._pictures[attachment.sha256] = QPixmap.fromImage(
            picture.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        )
        for sha256, label in self._labels:
            if sha256 == attachment.sha256:
                label.setPixmap(self._pictures[sha256])

    def refill(self) -> None:
        self._labels.clear()
        super().refill()

    def _want_pictures(self) -> None:
        unknown = tuple(each for each in self.items if each.sha256 not in self._pictures)
        if unknown:
            self.pictures_wanted.emit(unknown)

    def _chip(self, number: int, attachment: Attachment) -> QFrame:
        chip = QFrame(self)
        set_role(chip, role="waiting")
        name = attachment.name or self.tr("Image {number}").format(number=number)
        size = f"{attachment.width:,} × {attachment.height:,}"
        chip.setToolTip(plain_tooltip(f"{name} · {size}"))
        chip.setAccessibleName(f"{name}, {size}")
        picture = QLabel(chip)
        picture.setFixedSize(PICTURE)
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        picture.setPixmap(self._pictures.get(attachment.sha256, QPixmap()))
        self._labels.append((attachment.sha256, picture))
        away = square_tool(chip, self.tr("Take {name} away").format(name=name), 24, 14, "x")
        away.clicked.connect(partial(self.remove, attachment))
        row = QHBoxLayout(chip)
        row.setContentsMargins(4, 4, 2, 4)
        row.setSpacing(2)
        row.addWidget(picture)
        row.addWidget(away, 0, Qt.AlignmentFlag.AlignTop)
        return chip
