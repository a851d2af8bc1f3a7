"""Reads a text file that the person chose, from any folder. It is never written."""

from __future__ import annotations

import os
import stat
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
    if len(data) > LIMIT:
        raise _refused(f"“{path.name}” is longer than {LIMIT // 1000:,} kB.", "Copy the passage that matters.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(f"“{path.name}” is no text in UTF-8.", "Save it as UTF-8, or copy its text.") from error
    if "\0" in text:
        raise _refused(f"“{path.name}” is no text file.", "Only text and pictures can be put into a message.")
    if not text.strip():
        raise _refused(f"“{path.name}” is empty.", "Choose one with words in it.")
    return text


def _read(descriptor: int) -> bytes:
    data = b""
    while len(data) <= LIMIT and (piece := os.read(descriptor, LIMIT + 1 - len(data))):
        data += piece
    return data


def _refused(sentence: str, step: str) -> UnreadableFile:
    return UnreadableFile(sentence, next_step=f"It was not put in. {step}")
