"""The images that go with the message being written: one chip each, with its picture and a button to take it away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QWidget

from mnemoscope.domain.conversation.attachment import MOST_IMAGES, Attachment
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import set_role

PICTURE: Final = QSize(72, 54)
"""The room of a chip's picture."""
_BESIDE: Final = 34
"""Pixels of a chip beside its picture."""
_GAP: Final = 8


class ImageChips(QWidget):
    """Hidden while no image goes with the message."""

    changed = Signal()
    """An image was added or taken away."""
    pictures_wanted = Signal(object)
    """`Attachment`s are shown whose pictures are not known yet."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.attachments: tuple[Attachment, ...] = ()
        self._pictures: dict[str, QPixmap] = {}
        self._chips: list[QFrame] = []
        self._labels: list[tuple[str, QLabel]] = []
        """What shows the picture of an image, each with the image's SHA-256."""
        self._columns = 1
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self.setAccessibleName(self.tr("Images that go with the message"))
        self.hide()

    def show_images(self, attachments: Sequence[Attachment]) -> None:
        """Shows these in place of those before."""
        if tuple(attachments) == self.attachments:
            return
        self.attachments = tuple(attachments[:MOST_IMAGES])
        self._refill()
        self.changed.emit()
        unknown = tuple(each for each in self.attachments if each.sha256 not in self._pictures)
        if unknown:
            self.pictures_wanted.emit(unknown)

    def add(self, attachment: Attachment) -> bool:
        """Adds an image, unless it is there; returns whether there was room for it."""
        if attachment in self.attachments:
            return True
        if len(self.attachments) >= MOST_IMAGES:
            return False
        self.show_images((*self.attachments, attachment))
        return True

    def remove(self, attachment: Attachment) -> None:
        """Takes an image away from the message."""
        self.show_images(tuple(each for each in self.attachments if each != attachment))

    def show_picture(self, attachment: Attachment, picture: QImage) -> None:
        """Shows the picture of an image."""
        size = picture.size().scaled(PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
        self._pictures[attachment.sha256] = QPixmap.fromImage(
            picture.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        )
        for sha256, label in self._labels:
            if sha256 == attachment.sha256:
                label.setPixmap(self._pictures[sha256])

    def _refill(self) -> None:
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._labels.clear()
        self._chips = [self._chip(number, attachment) for number, attachment in enumerate(self.attachments, 1)]
        self._place()
        self.setVisible(bool(self.attachments))

    def _place(self) -> None:
        """Puts the chips side by side. They stay the same, so that whoever is at one by key stays there."""
        while self._grid.takeAt(0) is not None:
            pass
        for at, chip in enumerate(self._chips):
            self._grid.addWidget(chip, at // self._columns, at % self._columns)
        for column in range(MOST_IMAGES + 1):
            self._grid.setColumnStretch(column, int(column == self._columns))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = max(1, event.size().width() // (PICTURE.width() + _BESIDE + _GAP))
        if columns != self._columns:
            self._columns = columns
            self._place()

    def minimumSizeHint(self) -> QSize:
        """Returns a size as wide as one chip: what does not fit beside it goes below."""
        return QSize(PICTURE.width() + _BESIDE, super().minimumSizeHint().height())

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
