"""The images and the text files that go with a message, above the text that is being written, side by side in as many
columns as there is room for.

Each is a chip with a button to take it away; that of an image shows its picture, that of a text file has a way to read
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase, QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from mnemoscope.domain.conversation.attachment import MOST_IMAGES, Attachment
from mnemoscope.domain.conversation.text_file import MOST_FILES, TextFile
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.menus import offer_buttons
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_PICTURE: Final = QSize(72, 54)
"""The room of a chip's picture."""
_GAP: Final = 8
_BESIDE: Final = 34
"""Pixels of a chip beside its picture."""
_FILE_WIDTH: Final = 216
"""Pixels that the chip of a file has at least, where there is as much room."""
_ICON: Final = 16
_SHOWN_LINES: Final = 12
"""Lines of a file that its chip shows on hover."""
_SHOWN_WIDTH: Final = 100
"""Characters of each of them."""
ItemT = TypeVar("ItemT")


class ChipGrid(QWidget, Generic[ItemT]):
    """Shows a chip for each of its items, and is hidden while it has none. `_chip` makes the chip of one."""

    changed = Signal()
    """An item was added or taken away, or stands in the place of another one."""

    def __init__(self, most: int, width: int, parent: QWidget, *, least: int, fills_row: bool) -> None:
        """`most`: how many items there can be; `width`: the pixels of a chip; `least`: those it can do with. Where it
        `fills_row`, the chips share the room of a row; else they keep their width."""
        super().__init__(parent)
        self.items: tuple[ItemT, ...] = ()
        self._most = most
        self._width = width
        self._least = least
        self._fills_row = fills_row
        self._chips: list[QFrame] = []
        self._columns = 1
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self.hide()

    def show_items(self, items: Sequence[ItemT]) -> None:
        """Shows these in place of those before, as many as there can be."""
        if tuple(items) == self.items:
            return
        self.items = tuple(items[: self._most])
        self.refill()
        self.changed.emit()

    def add(self, item: ItemT) -> bool:
        """Adds an item, unless it is there as it is; returns whether there was room for it."""
        if item in self.items:
            return True
        if len(self.items) >= self._most:
            return False
        self.show_items((*self.items, item))
        return True

    def remove(self, item: ItemT) -> None:
        """Takes an item away from the message."""
        self.show_items(tuple(each for each in self.items if each != item))

    def refill(self) -> None:
        """Makes every chip anew."""
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(number, item) for number, item in enumerate(self.items, 1)]
        for chip in self._chips:
            offer_buttons(chip)
        self._place()
        self.setVisible(bool(self.items))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = max(1, (event.size().width() + _GAP) // (self._width + _GAP))
        if columns != self._columns:
            self._columns = columns
            self._place()

    def minimumSizeHint(self) -> QSize:
        """Returns a size as wide as one chip at its narrowest: what does not fit beside it goes below."""
        return QSize(self._least, super().minimumSizeHint().height())

    def _chip(self, number: int, item: ItemT) -> QFrame:
        """Returns the chip of an item, counted from 1."""
        raise NotImplementedError

    def _place(self) -> None:
        """Puts the chips side by side. They stay the same, so that whoever is at one by key stays there."""
        while self._grid.takeAt(0) is not None:
            pass
        for at, chip in enumerate(self._chips):
            self._grid.addWidget(chip, at // self._columns, at % self._columns)
        for column in range(self._most + 1):
            stretches = column < min(self._columns, self._most) if self._fills_row else column == self._columns
            self._grid.setColumnStretch(column, int(stretches))


class ImageChips(ChipGrid[Attachment]):
    """Shows the images of the message in the composer."""

    pictures_requested = Signal(object)
    """`Attachment`s are shown whose pictures are not known yet."""

    def __init__(self, parent: QWidget) -> None:
        width = _PICTURE.width() + _BESIDE
        super().__init__(MOST_IMAGES, width, parent, least=width, fills_row=False)
        self._pictures: dict[str, QPixmap] = {}
        self._labels: list[tuple[str, QLabel]] = []
        """The labels that show the pictures of images, each with the image's SHA-256."""
        self.setAccessibleName(self.tr("Images that go with the message"))
        self.changed.connect(self._want_pictures)

    def show_picture(self, attachment: Attachment, picture: QImage) -> None:
        """Shows the picture of an image."""
        size = picture.size().scaled(_PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
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
            self.pictures_requested.emit(unknown)

    def _chip(self, number: int, attachment: Attachment) -> QFrame:
        chip = QFrame(self)
        set_role(chip, role="waiting")
        name = attachment.name or self.tr("Image {number}").format(number=number)
        size = f"{attachment.width:,} × {attachment.height:,}"
        chip.setToolTip(plain_tooltip(f"{name} · {size}"))
        chip.setAccessibleName(f"{name}, {size}")
        picture = QLabel(chip)
        picture.setFixedSize(_PICTURE)
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


class FileChips(ChipGrid[TextFile]):
    """Shows the text files of the message in the composer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(MOST_FILES, _FILE_WIDTH, parent, least=_FILE_WIDTH // 2, fills_row=True)
        self.setAccessibleName(self.tr("Text files that go with the message"))
        theme_notifier().changed.connect(self.refill)

    def _chip(self, _number: int, file: TextFile) -> QFrame:
        chip = QFrame(self)
        set_role(chip, role="waiting")
        size = self.tr("%n lines", "", file.lines)
        chip.setAccessibleName(f"{file.name}, {size}")
        beginning = [line[:_SHOWN_WIDTH] for line in file.text.split("\n")[:_SHOWN_LINES]]
        chip.setToolTip(plain_tooltip("\n".join((file.name, self._meaning(), "", *beginning))))
        mark = QLabel(chip)
        icon = Theme.current().icon("scroll-text", "text_muted")
        mark.setPixmap(icon.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
        name = ElidedLabel(chip)
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setText(file.name)
        lines = QLabel(size, chip)
        set_role(lines, role="caption")
        look = square_tool(chip, self.tr("Read {name}").format(name=file.name), 24, 14, "eye")
        look.clicked.connect(partial(self._read, file))
        away = square_tool(chip, self.tr("Take {name} away").format(name=file.name), 24, 14, "x")
        away.clicked.connect(partial(self.remove, file))
        row = QHBoxLayout(chip)
        row.setContentsMargins(8, 4, 2, 4)
        row.setSpacing(8)
        row.addWidget(mark)
        row.addWidget(name, 1)
        row.addWidget(lines)
        row.addWidget(look)
        row.addWidget(away)
        return chip

    def _read(self, file: TextFile) -> None:
        TextDialog(file.name, file.text, self.window()).open()

    def _meaning(self) -> str:
        return self.tr("Sent as quoted text, not taken for your own words")


class TextDialog(Dialog):
    """Shows one text to be read, scrolled and copied from, with the cursor at its beginning; Esc closes it. `name` is
    its title."""

    def __init__(self, name: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        # Read-only, it would have no cursor to walk with.
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.text.setTabChangesFocus(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(name)
        self.text.setPlainText(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.text)
        self.resize(680, 560)
