"""Tells what of a selection in the transcript is there to be read, and puts that on the clipboard: its Markdown, and
the same as rich text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextBlock, QTextCursor

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.text.fences import FENCE_MARK
from mnemoscope.ui.chat.cards.tool_card import FOLDED_SIGN, UNFOLDED_SIGN
from mnemoscope.ui.chat.message_actions import FoldCall
from mnemoscope.ui.chat.transcript.transcript_document import Row, TranscriptDocument
from mnemoscope.ui.chat.transcript_words import tr
from mnemoscope.ui.markdown.document.document_writer import fragments_of
from mnemoscope.ui.markdown.document.formula_object import OBJECT, with_sources
from mnemoscope.ui.markdown.document.text_style import CardKind, Mark
from mnemoscope.ui.markdown.page import html_writer
from mnemoscope.ui.markdown.reading.untrusted_text import line_ends, source_lines, spelling_of

_FENCE: Final = re.compile(FENCE_MARK)


def mime_of(transcript: TranscriptDocument, cursor: QTextCursor) -> QMimeData:
    """Returns a selection as Markdown and as rich text, which has no colours: it may go to a page of any."""
    markdown = selection_markdown(transcript, cursor.selectionStart(), cursor.selectionEnd())
    made = QMimeData()
    made.setText(markdown)
    made.setHtml(html_writer.html_of(markdown))
    return made


def selection_markdown(transcript: TranscriptDocument, start: int, end: int) -> str:
    """Returns the Markdown between two positions: whole blocks as they were written, parts of one as plain text."""
    parts: list[tuple[Row, str]] = []
    for row in transcript.rows:
        if row.drawn:
            first, stop = transcript.range_of(row)
            if first < end and stop > start:
                words = _words_of(transcript, row, max(start, first), min(end, stop))
                # Who selects past the end of a folded message selects all of it.
                words += transcript.hidden_of(row) if end >= stop else ""
                parts += [(row, words)] if words else []
    if len(parts) == 1:
        return parts[0][1]
    return "\n\n".join(f"**{_speaker(row)}**\n\n{words}" for row, words in parts)


def read_ranges(
    transcript: TranscriptDocument, first: QTextBlock, last: QTextBlock, start: int, end: int
) -> list[tuple[int, int]]:
    """Returns the parts of [start, end) that are copied: without captions, what is offered and what is told of a
    message. Looks at the blocks from `first` to `last` alone; what lies around them belongs to the parts beside."""
    ranges, begun = [], start
    block = first
    while block.isValid() and block.blockNumber() <= last.blockNumber():
        for passed, stop in _passed_in(transcript, block):
            if passed > begun:
                ranges.append((begun, min(passed, end)))
            begun = max(begun, stop)
        block = block.next()
    return [each for each in (*ranges, (begun, end)) if each[0] < each[1]]


def _passed_in(transcript: TranscriptDocument, block: QTextBlock) -> Iterator[tuple[int, int]]:
    """Yields the parts of a block that are there to be pressed or looked at, and are not copied."""
    form = block.blockFormat()
    if form.intProperty(Mark.CARD_KIND) == CardKind.TOOL:
        for each in fragments_of(block):
            action = transcript.actions.action_of(each.charFormat())
            is_offer = action is not None and not isinstance(action, FoldCall)
            if is_offer or each.text() in (FOLDED_SIGN, UNFOLDED_SIGN):
                yield each.position(), each.position() + each.length()
    elif form.boolProperty(Mark.CHROME):
        yield block.position(), block.position() + block.length()


def _read_in(transcript: TranscriptDocument, block: QTextBlock) -> list[tuple[int, int]]:
    return read_ranges(transcript, block, block, block.position(), block.position() + block.length() - 1)


def code_as_written(transcript: TranscriptDocument, number: int) -> str:
    """Returns what stands between the fences of a code card as it was written, byte for byte: with its tabs, the blanks
    at the ends of lines, the line ends, the last one too. Of an answer that is still coming, what is shown."""
    shown = transcript.codes.get(number, "")
    block = transcript.document.lastBlock()
    while block.isValid() and _card(block) != number:
        block = block.previous()
    last = block.blockNumber()
    while block.isValid() and _card(block.previous()) == number and _is_code(block.previous()):
        block = block.previous()
    row = transcript.row_at(block.position()) if block.isValid() else None
    if not shown or row is None or not _is_code(block):
        return shown
    text = text_of(row.message)
    lines, ends = source_lines(text), line_ends(text)
    ahead = _lines_ahead(block, lines)
    if ahead is None or last + ahead >= len(lines):
        return shown
    written = ""
    while block.isValid() and block.blockNumber() <= last:
        place = block.blockNumber() + ahead
        written += _written(block.text(), lines[place]) + ends[place]
        block = block.next()
    return written


def _written(shown: str, line: str) -> str:
    """Returns a whole line of code as it was written: also the blanks at its end that are not shown."""
    bare = line.rstrip(" \t")
    spelt = "".join(spelling_of(shown, line))
    return (
        "".join(spelling_of(shown, bare)) + line[len(bare) :] if spelt == shown and not line.endswith(shown) else spelt
    )


def _speaker(row: Row) -> str:
    names = {"user": tr("You"), "assistant": tr("Assistant")}
    return names.get(str(row.message.get("role")), str(row.message.get("role")))


def _words_of(transcript: TranscriptDocument, row: Row, start: int, end: int) -> str:
    # A folded message may be cut within a line.
    lines = source_lines(text_of(row.message).removesuffix(transcript.hidden_of(row)))
    block = transcript.document.findBlock(start)
    if _is_code(block) and (code := _code_between(block, lines, start, end)) is not None:
        return code
    words, taken = "", 0
    first, is_whole = 0, False
    card, ahead = 0, None
    while block.isValid() and block.position() <= end:
        form = block.blockFormat()
        before, first, last = first, form.intProperty(Mark.FIRST_LINE), form.intProperty(Mark.LAST_LINE)
        if first != before:
            # Asked once for all blocks of the same lines: code has as many as it has lines.
            is_whole = bool(first) and _is_whole(block, start, end)
        if is_whole:
            if first > taken:
                # What stood on adjacent lines, such as the items of a list, stays so.
                between = "\n" if taken and first == taken + 1 else "\n\n"
                words = _joined(words, "\n".join(lines[first - 1 : last]), between)
                taken = last
        elif _is_code(block):
            # Also a blank line of code is one.
            if card == _card(block):
                words += "\n"
            else:
                words += "\n\n" if words else ""
                card, ahead = _card(block), _lines_ahead(block, lines)
            words += _code_of(block, ahead, lines, start, end)
        else:
            read = (_plain(block, max(start, first), min(end, stop)) for first, stop in _read_in(transcript, block))
            words = _joined(words, "".join(read), "\n\n")
        block = block.next()
    return words


def _is_code(block: QTextBlock) -> bool:
    form = block.blockFormat()
    return form.intProperty(Mark.CARD_KIND) == CardKind.CODE and not form.boolProperty(Mark.CHROME)


def _code_between(block: QTextBlock, lines: Sequence[str], start: int, end: int) -> str | None:
    """Returns the code between two positions without its fence; None where they do not lie in one card."""
    card, ahead, parts = _card(block), _lines_ahead(block, lines), []
    while block.isValid() and block.position() <= end:
        if not _is_code(block) or _card(block) != card:
            return None
        parts.append(_code_of(block, ahead, lines, start, end))
        block = block.next()
    return "\n".join(parts)


def _lines_ahead(block: QTextBlock, lines: Sequence[str]) -> int | None:
    """Returns what the number of any block of a code card is less than the place of its line among `lines`; None where
    they do not have it."""
    opened, top = block.blockFormat().intProperty(Mark.FIRST_LINE) - 1, block
    if not 0 <= opened < len(lines):
        return None
    while _is_code(top.previous()) and _card(top.previous()) == _card(block):
        top = top.previous()
    # The line of a fence is not drawn; code that is only indented has none.
    fence = bool(_FENCE.search(lines[opened])) and not _is_drawn(top, lines[opened])
    return opened + fence - top.blockNumber()


def _code_of(block: QTextBlock, ahead: int | None, lines: Sequence[str], start: int, end: int) -> str:
    """Returns what is selected of a line of code, as it was written rather than as it is shown."""
    if ahead is None:
        return _plain(block, start, end)
    shown, place = block.text(), block.blockNumber() + ahead
    spelt = spelling_of(shown, lines[place] if place < len(lines) else "")
    return "".join(spelt[_column(shown, start - block.position()) : _column(shown, end - block.position())])


def _is_drawn(block: QTextBlock, line: str) -> bool:
    return bool(block.text()) and line.endswith(block.text())


def _card(block: QTextBlock) -> int:
    return block.blockFormat().intProperty(Mark.CARD)


def _column(text: str, units: int) -> int:
    """Returns how many characters of `text` a number of the document's positions are, which are of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * max(units, 0)].decode("utf-16-le", "ignore"))


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
    text = block.text()
    first, stop = _column(text, start - block.position()), _column(text, end - block.position())
    text = text[first:stop]
    if OBJECT in text:
        text = with_sources(block, max(start, block.position()), end)
    return text.replace("\u2028", "\n").replace("\u200b", "")
