"""Tells text from what is none, and keeps the style a text file has on disk, whatever is written to it: a byte order
mark, and CRLF at line ends."""

from __future__ import annotations

import codecs

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.text.characters import BOM
from mnemoscope.store.files.atomic import encode_text


def decoded_text(data: bytes, name: str, *, whole: bool = True) -> str:
    """Returns the text of a file, without a BOM; not `whole`: its last character may be cut and is then left out.

    Raises UnreadableFile where it is not UTF-8, or has a NUL byte: UTF-16 without a BOM is valid UTF-8 full of those.
    """
    place = data.find(b"\0")
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data.removeprefix(BOM), whole)
    except UnicodeDecodeError as error:
        sentence = f"{name} is not UTF-8 text (byte {error.start:,} cannot be read)."
    else:
        if place < 0:
            return text
        sentence = f"{name} is not UTF-8 text (byte {place:,} is zero)."
    raise UnreadableFile(sentence, next_step="It was left as it is. Save it as UTF-8, then try again.")


def in_style(text: str, before: bytes | None) -> bytes:
    """Returns the text as bytes with the BOM and the line ends of the file as it was; plain where there was none."""
    data = encode_text(text)
    if before is None:
        return data
    if is_crlf(before):
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return BOM + data if before.startswith(BOM) and not data.startswith(BOM) else data


def is_crlf(data: bytes) -> bool:
    """Returns whether every line ends with CRLF."""
    lines = data.count(b"\n")
    return lines > 0 and data.count(b"\r\n") == lines
