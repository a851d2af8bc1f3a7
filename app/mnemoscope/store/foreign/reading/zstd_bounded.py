"""Takes apart what is compressed with Zstandard, never more of it than a bound: a small frame can grow beyond any
disk.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final

import zstandard

_WINDOW: Final = 1 << 27
_STEP: Final = 1 << 10
"""So many bytes are taken apart at once: a block of 128 KB has at least four, so no step makes more than 32 MB."""


class CompressionDamaged(ValueError):
    """Bytes are no whole Zstandard frames, or they grow beyond what is permitted. The text, which follows the name of
    what they stand in, says which."""


def decompressed(data: bytes, most: int) -> bytes:
    """Returns what the frames hold, `most` bytes at most. Raises CompressionDamaged, also where it is more."""
    with suppress(zstandard.ZstdError):
        if 0 <= zstandard.frame_content_size(data) <= most:
            # One frame that tells its length, as nearly all do, is taken apart in one step: it cannot grow beyond that.
            return zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompress(data, allow_extra_data=False)
    target = io.BytesIO()
    decompress(io.BytesIO(data), target, most)
    return target.getvalue()


def decompress(source: BinaryIO, target: BinaryIO, most: int) -> None:
    """Writes what the frames of `source` hold to `target`, `most` bytes at most. Raises CompressionDamaged, also where
    it is more; what was good until then is written."""
    left = most
    try:
        for chunk in _chunks(source):
            left -= len(chunk)
            if left < 0:
                raise CompressionDamaged(f"holds more than {most:,} bytes")
            target.write(chunk)
    except zstandard.ZstdError as error:
        raise CompressionDamaged("is damaged") from error


def beginning(source: BinaryIO, most: int) -> bytes:
    """Returns the first bytes that the frames of `source` hold, `most` of them or all; of damaged ones what is good."""
    context = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    data = bytearray()
    plain = context.stream_reader(source, read_size=_STEP, read_across_frames=True, closefd=False)
    with suppress(zstandard.ZstdError):
        while len(data) < most and (more := plain.read(min(_STEP, most - len(data)))):
            data += more
    return bytes(data)


def _chunks(source: BinaryIO) -> Iterator[bytes]:
    """Yields what the frames hold. Raises ZstdError, and CompressionDamaged where the last one is not whole."""
    context = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    frame = None
    data = b""
    while data := data or source.read(_STEP):
        frame = frame or context.decompressobj()
        yield frame.decompress(data)
        data = b""
        if frame.eof:
            data, frame = frame.unused_data, None
    if frame is not None:
        raise CompressionDamaged("is cut off")
