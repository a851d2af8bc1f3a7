"""The style a text file has on disk, kept whatever is written to it: a byte order mark, and CRLF at line ends."""

from __future__ import annotations

from mnemoscope.domain.text.characters import BOM
from mnemoscope.store.files.atomic import encode_text


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
