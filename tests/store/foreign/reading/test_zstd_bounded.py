"""What is compressed is taken apart as far as a bound, whatever it says of itself."""

from __future__ import annotations

import io

import pytest
import zstandard

from mnemoscope.store.foreign.reading.zstd_bounded import CompressionDamaged, decompress, decompressed

TEXT = b"words " * 50_000


def frame(data: bytes, *, tells_length: bool = True) -> bytes:
    return zstandard.ZstdCompressor(level=1, write_content_size=tells_length).compress(data)


@pytest.mark.parametrize("tells_length", [True, False])
def test_frames_are_taken_apart_whether_they_tell_their_length_or_not(tells_length: bool) -> None:
    one = frame(TEXT, tells_length=tells_length)
    assert decompressed(one, len(TEXT)) == TEXT
    assert decompressed(one + one, 2 * len(TEXT)) == 2 * TEXT
    assert decompressed(b"", 0) == b""


@pytest.mark.parametrize("tells_length", [True, False])
def test_what_grows_beyond_the_bound_is_damage(tells_length: bool) -> None:
    bomb = frame(b"\0" * 50_000_000, tells_length=tells_length)
    assert len(bomb) < 10_000
    target = io.BytesIO()
    with pytest.raises(CompressionDamaged, match="holds more than 1,000,000 bytes"):
        decompress(io.BytesIO(bomb), target, 1_000_000)
    assert len(target.getvalue()) <= 1_000_000
    with pytest.raises(CompressionDamaged, match="holds more than"):
        decompressed(bomb, 1_000_000)


def test_a_frame_that_lies_of_its_length_is_damage() -> None:
    data = bytearray(frame(TEXT))
    data[5] ^= 0xFF
    with pytest.raises(CompressionDamaged):
        decompressed(bytes(data), len(TEXT) * 2)


@pytest.mark.parametrize("data", [frame(TEXT)[:-1], frame(TEXT)[:3], b"no frame at all", frame(TEXT) + b"more"])
def test_what_is_no_whole_frame_is_damage(data: bytes) -> None:
    with pytest.raises(CompressionDamaged, match=r"is cut off|is damaged"):
        decompressed(data, len(TEXT) * 2)
