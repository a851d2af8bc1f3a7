"""Tool tips say words as they are: Qt would read a name like `<img src=…>` as HTML."""

from __future__ import annotations

from html import escape


def plain_tooltip(text: str) -> str:
    """Returns what to set as a tool tip so that `text` is shown to the letter."""
    # Only with a tag, or what stands for one, does Qt take it for HTML.
    if "<" not in text and "&" not in text:
        return text
    shown = escape(text, quote=False).replace("\n", "<br>")
    return f"<qt>{shown}</qt>"
