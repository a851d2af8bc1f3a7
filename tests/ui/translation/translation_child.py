"""Decodes images in several threads at once in a translated program, as a window does that opens a conversation with
images: `python -m tests.ui.translation.translation_child` says "decoded"."""

from __future__ import annotations

import sys
import threading

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.translation.translation import install_translation

_THREADS = 6


def main() -> None:
    """Decodes them, and hangs where Qt waits for the interpreter while it holds the lock of its image formats."""
    app = QApplication([])
    installed = install_translation(app, "en")
    picture, data = QImage(64, 64, QImage.Format.Format_RGB32), QByteArray()
    picture.fill(0)
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(picture)
    # Another thread has its turn whenever Python code runs.
    sys.setswitchinterval(1e-6)
    together = threading.Barrier(_THREADS)

    def decode() -> None:
        together.wait()
        for _ in range(20):
            assert not QImage.fromData(data.data()).isNull()

    threads = [threading.Thread(target=decode) for _ in range(_THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert installed
    print("decoded")


if __name__ == "__main__":
    main()
