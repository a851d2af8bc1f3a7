"""Reads a text file that the person chose, from any folder. It is never written."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.files.atomic import READ_FLAGS, storage_errors

LIMIT: Final = 200_000
"""Bytes of the longest file that is taken into a message."""


def read_text_file(path: Path) -> str:
    """Returns the text of a regular UTF-8 file of at most LIMIT bytes. Raises UnreadableFile for anything else, and for
    a file without a word in it."""
    # Without blocking: a pipe would be waited for.
    with storage_errors(path, "read"):
        descriptor = os.open(path, READ_FLAGS)
        try:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            data = _read(descriptor) if is_file else b"\0"
        finally:
            os.close(descriptor)
    if _is_binary(data):
        raise _refused(f"“{path.name}” is no text file.", "Only text and pictures can be put into a message.")
    if len(data) > LIMIT:
        raise _refused(f"“{path.name}” is longer than {LIMIT // 1000:,} kB.", "Copy the passage that matters.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(f"“{path.name}” is no text in UTF-8.", "Save it as UTF-8, or copy its text.") from error
    if not text.strip():
        raise _refused(f"“{path.name}” is empty.", "Choose one with words in it.")
    return text


def _read(descriptor: int) -> bytes:
    data = b""
    while len(data) <= LIMIT and (piece := os.read(descriptor, LIMIT + 1 - len(data))):
        data += piece
    return data


def _is_binary(data: bytes) -> bool:
    """Returns whether the file is no text in any encoding, such as a PDF or an archive; text in UTF-16 has zeros too,
    and begins with its mark."""
    return data.startswith(b"%PDF-") or (b"\0" in data and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)))


def _refused(sentence: str, step: str) -> UnreadableFile:
    return UnreadableFile(sentence, next_step=f"It was not put in. {step}")
