"""Undoes a change of a file, and keeps what was added to it since."""

from __future__ import annotations

from mnemoscope.domain.merge.three_way import merge_memory


def with_what_came_since(name: str, before: bytes, after: bytes | None, now: bytes | None) -> bytes | None:
    """Returns what a file held `before` a change that left `after`, with what was added until `now`; None for contents:
    no file. Returns None where both cannot be had: something was changed otherwise meanwhile."""
    if now in (after, before):
        return before
    if after and now is not None and now.startswith(after) and after.endswith(b"\n"):
        return before + now[len(after) :]
    if after is None or now is None or not name.endswith(".md"):
        return None
    try:
        texts = [data.decode("utf-8") for data in (after, now, before)]
    except UnicodeDecodeError:
        return None
    merged = merge_memory(*texts)
    return None if merged.conflicts else merged.text.encode("utf-8")
