"""An image of twelve megapixels is pasted into the window: how long the window stands still until its chip is there."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.bench.bench_models import GapMeter
from tests.bench.rows import Row

SIDES = (4_000, 3_000)


def rows(quick: bool) -> Iterable[Row]:
    """Yields the figures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    app = make_application(["mnemoscope"])
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        return runner.run(_measure(Path(folder), 1 if quick else 20))


async def _measure(folder: Path, times: int) -> list[Row]:
    from PySide6.QtCore import QMimeData

    from tests.bench.bench_window import _window

    photograph, pixels = _photograph()
    async with _window(folder, lambda root: None) as current:
        while current.conversation.session is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(1.0)
        idle, encoded, decoded = list[float](), list[float](), list[float]()
        for _ in range(times):
            idle.append(await _left_alone())
            data = QMimeData()
            data.setData("image/jpeg", photograph)
            encoded.append(await _paste(current, data))
            data = QMimeData()
            data.setImageData(pixels)
            decoded.append(await _paste(current, data))
    what = (
        "an image of 12 megapixels pasted: the window's longest pause, as a file's bytes; decoded by another program; "
        f"while a thread only computes; the best of {times} times each, which a busy machine hinders least"
    )
    first, second = min(encoded), min(decoded)
    figure = f"{first:.1f} ms; {second:.1f} ms; {min(idle):.1f} ms"
    return [Row(what, figure, "16 ms; 16 ms; none set", max(first, second) <= 16)]


async def _left_alone() -> float:
    """Returns the longest pause while a thread computes that needs nothing of Python's: the machine's part."""
    meter = GapMeter()
    meter.start()
    await asyncio.sleep(0.05)
    await asyncio.to_thread(hashlib.sha256, bytes(300_000_000))
    return meter.stop()


async def _paste(current: Any, data: Any) -> float:
    """Pastes, waits until the picture stands above the message, and takes it away; returns milliseconds."""
    composer = current.main_window.chat.composer
    meter = GapMeter()
    meter.start()
    await asyncio.sleep(0.05)
    composer.edit.insertFromMimeData(data)
    while not composer.images.items:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.2)
    pause = meter.stop()
    composer.images.show_items(())
    await asyncio.sleep(0.05)
    return pause


def _photograph() -> tuple[bytes, Any]:
    """Returns a picture that is as hard to pack as a photograph, as JPEG and decoded."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImage

    width, height = SIDES
    noise = os.urandom(width * 4) * height
    rows = [noise[row * 4 : row * 4 + width * 4] for row in range(height)]
    image = QImage(b"".join(rows), width, height, width * 4, QImage.Format.Format_RGB32).copy()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # What the types say, bytes, is refused when it is called.
    image.save(buffer, "JPEG", 80)  # type: ignore[call-overload]
    return bytes(buffer.data().data()), image
