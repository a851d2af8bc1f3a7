"""The card of one tool call: what it is and what came of it in one line, the rest folded away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QTextBlockFormat, QTextCharFormat

from mnemoscope.domain.conversation.message import NOT_RUN
from mnemoscope.domain.conversation.origin import FILE
from mnemoscope.ui.chat.cards.tool_call import ToolCall, command_line, short_arguments
from mnemoscope.ui.chat.message_actions import (
    FoldCall,
    MessageAction,
    OpenResult,
    RedoChange,
    ReviewSuggestion,
    UndoChange,
)
from mnemoscope.ui.chat.transcript_words import origin_name, tr
from mnemoscope.ui.markdown.document.document_writer import DocumentWriter
from mnemoscope.ui.markdown.document.text_style import CARD_PADDING, CardKind, Mark
from mnemoscope.ui.markdown.reading.untrusted_text import laid_out_json, tidied
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.not_run_words import not_run_words
from mnemoscope.ui.widgets.text.scripts import isolated

_GAP: Final = 24
"""Pixels between what was asked and what came of it, at least."""
_RESULT_LIMIT: Final = 6_000
"""Characters of a tool's result shown in an unfolded card."""
FOLDED_SIGN: Final = "▸  "
UNFOLDED_SIGN: Final = "▾  "


class ToolCard:
    """Writes cards through a `DocumentWriter`."""

    def __init__(self, writer: DocumentWriter) -> None:
        self.writer, self.style = writer, writer.style

    def write(self, call: ToolCall, index: int, *, first: bool = False) -> None:
        """Writes the card, folded or not."""
        made = self.writer.begin_card(self.style.block(0 if first else 14, line=120), CardKind.TOOL)
        self.writer.begin_block(made, self.style.body)
        right = self._outcome(call)
        self._tool_header(call, index, right)
        if call.unfolded:
            self._tool_body(call, made)

    def _tool_header(self, call: ToolCall, index: int, right: str) -> None:
        fold = FoldCall(index, call.call_id)
        sign = self.style.action(fold, self.style.chars("code"), "text_muted")
        name = self.style.action(fold, self.style.chars(bold=True), "text")
        words = self.style.chars("code", "text_muted")
        triangle = UNFOLDED_SIGN if call.unfolded else FOLDED_SIGN
        self.writer.words(triangle, sign)
        line = self.writer.width - 2 * CARD_PADDING - _GAP - _advance(triangle, sign)
        called = _elided(call.name, name, line * 0.7)
        self.writer.words(called, name)
        words_of_link, action = self._offer(call, index)
        offer = f"  {words_of_link}" if words_of_link else ""
        room = line - _advance(called, name) - _advance(offer, self.style.body)
        # What came of it gives way to what was asked as far as the middle, and no further.
        asked = tidied(short_arguments(call))
        asked_room = _advance(f"  {asked}", words) if asked else 0.0
        right = _elided(right, self.style.body, max(room - asked_room, room / 2))
        shown = _elided(asked, words, room - _advance(right, self.style.body) - _advance("  ", words))
        if len(shown) > 3:
            self.writer.words(f"  {isolated(shown)}", words)
        role = "text_muted" if call.succeeded or call.summary.startswith(NOT_RUN) else "danger"
        asks = call.is_held or call.waits
        form = self.style.chars("body", "warning" if asks else role)
        if call.is_held:
            form.setToolTip(meaning_of(Word.WAITING))
        self.writer.words(f"\t{right}", form)
        if action is not None:
            self.writer.words(offer, self.style.action(action, self.style.body))

    def _offer(self, call: ToolCall, index: int) -> tuple[str, MessageAction | None]:
        """Returns what can be done about what the call did to memory: the words of the link, and the action."""
        if call.is_held:
            return tr("Review"), ReviewSuggestion(index)
        if call.undone is None:
            return "", None
        return (tr("Bring back"), RedoChange(call.change)) if call.undone else (tr("Undo"), UndoChange(call.change))

    def _outcome(self, call: ToolCall) -> str:
        if call.running:
            return tr("waiting for your approval") if call.waits else tr("running…")
        if call.is_held:
            return tr("waiting for review")
        if call.undone:
            return tr("Undone")
        if call.summary.startswith(NOT_RUN):
            return tidied(not_run_words(call.summary))
        took = f" · {call.milliseconds:.0f} ms" if 0 <= call.milliseconds < 1_000 else ""
        took = f" · {call.milliseconds / 1000:.1f} s" if call.milliseconds >= 1_000 else took
        failed = "" if call.succeeded else tr("failed: ")
        words = call.summary if call.succeeded else call.summary.removeprefix("Error").lstrip(": ")
        failed = f"{origin_name(FILE)} · {failed}" if call.is_file and call.succeeded else failed
        return f"{failed}{isolated(tidied(words[:60]).replace(chr(10), ' '))}{took}"

    def _tool_body(self, call: ToolCall, header: QTextBlockFormat) -> None:
        lines = QTextBlockFormat(header)
        lines.setTopMargin(6)
        lines.clearProperty(Mark.CHROME)
        if command := command_line(call):
            self._body_part(tr("Command"), command, lines)
        elif call.arguments and call.arguments != "{}":
            self._body_part(tr("Arguments"), laid_out_json(call.arguments), lines)
        if call.result is not None:
            title = tr("Text") if call.call_id == "reasoning" else tr("Result")
            self._body_part(title, call.result or tr("(empty)"), lines)
        if call.whole:
            self.writer.begin_block(QTextBlockFormat(lines), self.style.body)
            link = self.style.action(OpenResult(call.whole), self.style.body)
            self.writer.words(tr("Open the whole result"), link)

    def _body_part(self, title: str, text: str, lines: QTextBlockFormat) -> None:
        self.writer.begin_block(QTextBlockFormat(lines), self.style.caption)
        self.writer.words(title, self.style.caption)
        text = text.rstrip()
        shown = text if len(text) <= _RESULT_LIMIT else text[:_RESULT_LIMIT] + "\n…"
        below = QTextBlockFormat(lines)
        below.setTopMargin(2)
        self.writer.begin_block(below, self.style.code)
        self.writer.words(tidied(shown).replace("\n", "\u2028"), self.style.code)


def _advance(text: str, form: QTextCharFormat) -> float:
    """Returns how many pixels a text takes."""
    return QFontMetricsF(form.font()).horizontalAdvance(text)


def _elided(text: str, form: QTextCharFormat, room: float) -> str:
    """Returns as much of a text as goes into so many pixels."""
    return QFontMetricsF(form.font()).elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0))
