"""Puts a selection in the transcript on the clipboard: its Markdown, and the same as rich text."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import tostring

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextBlock, QTextCursor

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.ui.chat.transcript.transcript_document import Row, TranscriptDocument
from mnemoscope.ui.chat.words import tr
from mnemoscope.ui.markdown.reader import tree_of
from mnemoscope.ui.markdown.text_style import Mark

_OURS: Final = ("first", "last", "info", "part", "continued", "rows", "note", "task")
"""Attributes of the tree that say something to the window alone."""
_BOXES: Final = {"open": "☐ ", "done": "☑ "}


def mime_of(transcript: TranscriptDocument, cursor: QTextCursor) -> QMimeData:
    """Returns a selection as Markdown and as rich text, which has no colours: it may go to a page of any."""
    markdown = markdown_of(transcript, cursor.selectionStart(), cursor.selectionEnd())
    made = QMimeData()
    made.setText(markdown)
    made.setHtml(_html_of(markdown))
    return made


def _html_of(markdown: str) -> str:
    tree = tree_of(markdown)
    tree.set("style", "white-space: pre-wrap")
    for element in tree.iter():
        if box := _BOXES.get(element.get("task", "")):
            words = element[0] if len(element) else element
            words.text = f"{box}{words.text or ''}"
        for name in _OURS:
            element.attrib.pop(name, None)
    return tostring(tree, encoding="unicode", method="html")


def markdown_of(transcript: TranscriptDocument, start: int, end: int) -> str:
    """Returns the Markdown between two positions: whole blocks as they were written, parts of one as plain text."""
    parts: list[tuple[Row, str]] = []
    for row in transcript.rows:
        if row.drawn:
            first, stop = transcript.range_of(row)
            if first < end and stop > start:
                words = _words_of(transcript, row, max(start, first), min(end, stop))
                parts += [(row, words)] if words else []
    if len(parts) == 1:
        return parts[0][1]
    return "\n\n".join(f"**{_speaker(row)}**\n\n{words}" for row, words in parts)


def _speaker(row: Row) -> str:
    names = {"user": tr("You"), "assistant": tr("Assistant")}
    return names.get(str(row.message.get("role")), str(row.message.get("role")))


def _words_of(transcript: TranscriptDocument, row: Row, start: int, end: int) -> str:
    lines = text_of(row.message).replace("\r\n", "\n").split("\n")
    words, taken = "", 0
    block = transcript.document.findBlock(start)
    while block.isValid() and block.position() <= end:
        form = block.blockFormat()
        first, last = form.intProperty(Mark.FIRST_LINE), form.intProperty(Mark.LAST_LINE)
        if first and _is_whole(block, start, end):
            if first > taken:
                # What stood on adjacent lines, such as the items of a list, stays so.
                between = "\n" if taken and first == taken + 1 else "\n\n"
                words = _joined(words, "\n".join(lines[first - 1 : last]), between)
                taken = last
        elif not form.boolProperty(Mark.CHROME) or row.calls:
            words = _joined(words, _plain(block, start, end), "\n\n")
        block = block.next()
    return words


def _joined(words: str, more: str, between: str) -> str:
    if not more.strip():
        return words
    return words + between + more if words else more


def _is_whole(block: QTextBlock, start: int, end: int) -> bool:
    """Returns whether all blocks drawn of the same lines lie within the selection."""
    lines = block.blockFormat().intProperty(Mark.FIRST_LINE)
    first = last = block
    while _same(first.previous(), lines):
        first = first.previous()
    while _same(last.next(), lines):
        last = last.next()
    top = first.position()
    if first.blockFormat().boolProperty(Mark.CHROME) and first.next().isValid():
        top = first.next().position()
    return start <= top and last.position() + last.length() - 1 <= end


def _same(block: QTextBlock, lines: int) -> bool:
    return block.isValid() and bool(lines) and block.blockFormat().intProperty(Mark.FIRST_LINE) == lines


def _plain(block: QTextBlock, start: int, end: int) -> str:
    text = block.text()[max(start - block.position(), 0) : max(end - block.position(), 0)]
    return text.replace("\u2028", "\n").replace("\u200b", "")
