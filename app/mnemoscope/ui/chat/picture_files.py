"""Pictures made ready to be kept and sent: scaled to what models take, without what a file says beside its pixels.

All of it is done in a thread: decoding twelve megapixels takes longer than a frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QImageWriter

from mnemoscope.domain.conversation.attachment import LONGEST_SIDE, MOST_BYTES
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.ui.chat.transcript_words import tr

SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"})
"""Files that are taken for pictures."""
_FORMATS: Final = frozenset({"png", "jpeg", "jpg", "webp", "gif", "bmp"})
"""As the bytes tell; a drawing with scripts or addresses in it is none of them."""
_MOST_READ: Final = 60_000_000
"""Bytes of a picture's file that are read."""
_MOST_PIXELS: Final = 120_000_000
_QUALITIES: Final = (90, 80, 65, 50)
_THUMBNAIL: Final = QSize(480, 360)
"""The room of a picture in the conversation, at twice its size there."""


@dataclass(frozen=True, slots=True)
class ReadyPicture:
    """Describes a picture as it is kept: its bytes, as PNG or JPEG, its pixels, and a small one to be shown."""

    data: bytes
    width: int
    height: int
    thumbnail: QImage


def is_picture(path: str) -> bool:
    """Returns whether a file is taken for a picture, by its name."""
    return Path(path).suffix.lower() in SUFFIXES


def ready_file(path: Path) -> ReadyPicture:
    """Makes the picture of a file ready. Raises MnemoscopeError where it is none, or cannot be read."""
    try:
        if path.stat().st_size > _MOST_READ:
            raise _refusal(tr("“{name}” is too large. Make it smaller, then try again."), path.name)
        return ready_bytes(path.read_bytes(), path.name)
    except OSError as error:
        raise _refusal(tr("“{name}” cannot be read. Choose another picture."), path.name) from error


def ready_bytes(data: bytes, name: str = "") -> ReadyPicture:
    """Makes a picture that is still a file's bytes ready. Raises MnemoscopeError where it is none."""
    buffer = QBuffer()
    buffer.setData(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    if bytes(reader.format().data()).decode() not in _FORMATS:
        raise _refusal(tr("“{name}” is no picture that can be read. Choose another one."), name)
    size = reader.size()
    if size.isValid():
        if size.width() * size.height() > _MOST_PIXELS:
            raise _refusal(tr("“{name}” has too many pixels. Make it smaller, then try again."), name)
        if max(size.width(), size.height()) > LONGEST_SIDE:
            reader.setScaledSize(_bounded(size))
    image = reader.read()
    if image.isNull():
        raise _refusal(tr("“{name}” is no picture that can be read. Choose another one."), name)
    return ready_image(image)


def ready_image(image: QImage) -> ReadyPicture:
    """Makes a picture that is decoded already ready: a photograph as JPEG, what is small or has holes as PNG."""
    size = _bounded(image.size())
    if size != image.size():
        image = _scaled(image, size)
    form = QImage.Format.Format_ARGB32 if image.hasAlphaChannel() else QImage.Format.Format_RGB32
    bare = image.convertToFormat(form)
    # A copy of the pixels alone: without texts, colour profiles and places.
    clean = QImage(bare.constBits(), bare.width(), bare.height(), bare.bytesPerLine(), form).copy()
    return ReadyPicture(_encoded(clean), clean.width(), clean.height(), thumbnail_of(clean))


def thumbnail_of(image: QImage) -> QImage:
    """Returns the picture as small as it is shown in a conversation."""
    if image.width() <= _THUMBNAIL.width() and image.height() <= _THUMBNAIL.height():
        return image
    return image.scaled(_THUMBNAIL, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _bounded(size: QSize) -> QSize:
    longest = max(size.width(), size.height())
    if longest <= LONGEST_SIDE:
        return size
    bounded = size.scaled(LONGEST_SIDE, LONGEST_SIDE, Qt.AspectRatioMode.KeepAspectRatio)
    return bounded.expandedTo(QSize(1, 1))


def _scaled(image: QImage, size: QSize) -> QImage:
    """Scales a large picture by way of a file in memory: PySide lets other threads run while Qt reads and writes
    pictures, and holds the window up for as long as `QImage.scaled` takes."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    # Of the formats that need no packing, PNG alone keeps holes; at quality 100 Qt does not pack it.
    writer = QImageWriter(buffer, b"png" if image.hasAlphaChannel() else b"bmp")
    writer.setQuality(100)
    if writer.write(image):
        buffer.seek(0)
        reader = QImageReader(buffer)
        reader.setScaledSize(size)
        made = reader.read()
        if not made.isNull():
            return made
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _encoded(image: QImage) -> bytes:
    """Returns PNG where that is small or there are holes, else JPEG, as fine as fits. Raises MnemoscopeError."""
    png = _written(image, b"png", -1)
    if 0 < png.size() <= MOST_BYTES and (image.hasAlphaChannel() or png.size() <= 400_000):
        return bytes(png.data().data())
    for quality in _QUALITIES:
        jpeg = _written(image, b"jpeg", quality)
        if 0 < jpeg.size() <= MOST_BYTES:
            return bytes(jpeg.data().data())
    raise _refusal(tr("“{name}” cannot be made small enough. Choose another picture."), "")


def _written(image: QImage, form: bytes, quality: int) -> QBuffer:
    """Returns a buffer with the picture in it, or an empty one: its bytes are copied only where they are kept."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, form)
    writer.setQuality(quality)
    return buffer if writer.write(image) else QBuffer()


def _refusal(sentence: str, name: str) -> MnemoscopeError:
    return MnemoscopeError(sentence.format(name=name or tr("The picture")))
