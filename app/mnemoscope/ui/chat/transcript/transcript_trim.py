"""Rows far from the reader taken away again, so that a document stays small however long the conversation is."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor

from mnemoscope.ui.chat.transcript.transcript_document import TranscriptDocument


def trim_above(transcript: TranscriptDocument, first: int) -> None:
    """Take away the messages before `first`."""
    keep = [row for row in transcript.rows if row.index >= first]
    drawn = next((row for row in keep if row.drawn), None)
    if drawn is None or drawn.start.position() == 0:
        return
    with transcript.editing() as cursor:
        cursor.setPosition(drawn.start.position())
        block, chars = cursor.blockFormat(), cursor.blockCharFormat()
        cursor.setPosition(0, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.setBlockFormat(block)
        cursor.setBlockCharFormat(chars)
    transcript.rows = keep


def trim_below(transcript: TranscriptDocument, stop: int) -> None:
    """Take away the messages from `stop` on."""
    gone = next((row for row in transcript.rows if row.index >= stop and row.drawn), None)
    if gone is not None and gone.start.position() > 0:
        with transcript.editing() as cursor:
            cursor.setPosition(gone.start.position() - 1)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
    transcript.rows = [row for row in transcript.rows if row.index < stop]
