"""Compressed streams are found within bytes by how they begin, and unpacked up to bounds that no stream gets round:
gzip, zlib, bzip2, xz, and the deflated files of a zip archive, which docx, xlsx and odt are too."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final, Protocol

_BEGINNING: Final = re.compile(
    rb"(?P<gzip>\x1f\x8b\x08)|(?P<zlib>\x78[\x01\x5e\x9c\xda])|(?P<bzip2>BZh[1-9]1AY&SY)|(?P<xz>\xfd7zXZ\x00)"
    rb"|(?P<zip>PK\x03\x04.{4}\x08\x00)",
    re.DOTALL,
)
_FIRST: Final = (
    b"\x1f\x8b\x08",
    b"\x78\x01",
    b"\x78\x5e",
    b"\x78\x9c",
    b"\x78\xda",
    b"BZh",
    b"\xfd7zXZ",
    b"PK\x03\x04",
)
"""The bytes that those begin with, which are faster to look for one by one."""
LONGEST_BEGINNING: Final = 10
"""Bytes by which a stream is known."""
LONGEST_HEAD: Final = 32
"""Bytes of a file by which `is_closed` knows it."""
_ZIP_HEAD: Final = 30
"""Bytes before the name of a file in a zip archive."""
PIECE: Final = 16_384
"""Bytes handed over at a time: what a damaged stream holds before the damage is not lost."""
_MOST_OF_STREAM: Final = 32_000_000
"""Bytes that are unpacked of one stream."""
_MOST: Final = 128_000_000
_MOST_MEMORY: Final = 100_000_000
"""Bytes that xz may ask for."""

_CLOSED: Final = re.compile(
    rb"\x28\xb5\x2f\xfd|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x04\x22\x4d\x18|LZIP|age-encryption\.org/"
    rb"|-----BEGIN PGP MESSAGE"
    # A zip archive whose first file is encrypted, or packed otherwise than by deflate, bzip2 or xz.
    rb"|PK\x03\x04.{2}(?:[\x01\x03\x05\x07\x09\x0b\x0d\x0f].{3}|.{2}(?!\x00\x00|\x08\x00|\x0c\x00|\x5f\x00).{2})",
    re.DOTALL,
)
"""The first bytes of files that nothing here can look into: zstd, 7z, rar, lz4 and lzip, encrypted files, and zip
archives whose first file is encrypted or packed in another way."""


def is_closed(head: bytes) -> bool:
    """Returns whether a file that begins with these bytes is packed or encrypted so that nothing here reads it."""
    return _CLOSED.match(head) is not None


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


_DECOMPRESSORS: Final[dict[str, Callable[[], _Decompressor]]] = {
    "gzip": partial(zlib.decompressobj, 31),
    "zlib": zlib.decompressobj,
    "zip": partial(zlib.decompressobj, -15),
    "bzip2": bz2.BZ2Decompressor,
    "xz": partial(lzma.LZMADecompressor, memlimit=_MOST_MEMORY),
}


@dataclass(slots=True)
class UnpackingBounds:
    """Holds how many bytes may still be unpacked of one text or file."""

    bytes: int = _MOST


def beginnings(data: bytes) -> list[int]:
    """Returns where a compressed stream seems to begin."""
    places: list[int] = []
    for first in _FIRST:
        place = data.find(first)
        while place >= 0:
            if _BEGINNING.match(data, place):
                places.append(place)
            place = data.find(first, place + 1)
    return sorted(places)


def streams(data: bytes, bounds: UnpackingBounds) -> Iterator[bytes]:
    """Yields what each compressed stream within bytes holds, as far as the bounds allow."""
    end = 0
    for start in beginnings(data):
        if start >= end:
            found, size = unpacked_stream((data[at : at + PIECE] for at in range(start, len(data), PIECE)), bounds)
            end = start + size
            if found:
                yield found


def unpacked_stream(pieces: Iterable[bytes], bounds: UnpackingBounds) -> tuple[bytes, int]:
    """Returns what the stream holds that begins with these bytes, as far as it can be read, and its size in bytes, 0
    where it does not end."""
    rest = iter(pieces)
    first = next(rest, b"")
    match = _BEGINNING.match(first)
    most = min(_MOST_OF_STREAM, bounds.bytes)
    if match is None or most <= 0:
        return b"", 0
    skipped = _zip_head(first) if match.lastgroup == "zip" else 0
    reader = _DECOMPRESSORS[str(match.lastgroup)]()
    found = bytearray()
    size = skipped
    for piece in chain([first[skipped:]], rest):
        try:
            found += reader.decompress(piece, most - len(found))
        except (zlib.error, lzma.LZMAError, OSError, EOFError):
            break
        size += len(piece)
        if reader.eof or len(found) >= most:
            break
    bounds.bytes -= len(found)
    return bytes(found), size - len(reader.unused_data) if reader.eof else 0


def _zip_head(data: bytes) -> int:
    return _ZIP_HEAD + int.from_bytes(data[26:28], "little") + int.from_bytes(data[28:30], "little")
