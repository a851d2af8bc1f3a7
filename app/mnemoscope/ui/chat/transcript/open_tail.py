"""The open end of an answer being written: blocks that are taken away and drawn again until they are closed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextCursor

from mnemoscope.ui.chat.transcript.transcript_document import TranscriptDocument
from mnemoscope.ui.markdown.block_splitter import Block
from mnemoscope.ui.markdown.text_style import Mark


@dataclass(slots=True)
class OpenCode:
    """The open fence as far as it is drawn."""

    first_line: int
    number: int
    start: int
    drawn: str


class OpenTail:
    """What is drawn behind the place where the document ended when this was made."""

    def __init__(self, transcript: TranscriptDocument) -> None:
        self._transcript = transcript
        self.code: OpenCode | None = None
        self.has_text = False
        self._start = QTextCursor(transcript.document)
        self._start.movePosition(QTextCursor.MoveOperation.End)
        self._start.setKeepPositionOnInsert(True)
        self._is_spare = self._start.blockFormat().boolProperty(Mark.SPARE)

    def clear(self) -> None:
        """Take away the open blocks that were drawn last."""
        self.code = None
        if not self.has_text:
            return
        # A copy would bring its anchor along, which insertions move even where the position is kept.
        cursor = QTextCursor(self._transcript.document)
        cursor.setPosition(self._start.position())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if self._is_spare:
            cursor.setBlockFormat(self._transcript.style.spare_block)
            cursor.setBlockCharFormat(self._transcript.style.spare_chars)
        self.has_text = False

    def grow_code(self, block: Block) -> bool:
        """Add what is new of a fence to the card that is drawn; says whether that was possible."""
        code = self.code
        if code is None or block.kind != "code" or block.first_line != code.first_line:
            return False
        if not block.text.startswith(code.drawn):
            return False
        new = block.text[len(code.drawn) :]
        if new:
            cursor = QTextCursor(self._transcript.document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(new, self._transcript.style.code)
            code.drawn = block.text
        return True
