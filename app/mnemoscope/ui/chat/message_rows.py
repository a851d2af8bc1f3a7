"""How one message looks: its caption, its bubble or plain text, its tool cards, its notes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtGui import QFontMetricsF, QTextBlockFormat, QTextCursor

from mnemoscope.domain.command_action import actions_of
from mnemoscope.domain.frozen import frozen
from mnemoscope.domain.message import (
    DAMAGED_ROLE,
    NOT_RUN,
    NOT_WRITTEN,
    Message,
    is_command,
    text_of,
    tool_call_name,
    tool_calls_of,
)
from mnemoscope.domain.origin import FILE, Quote, origins_to_tell, quotes_in
from mnemoscope.domain.plain_words import closed
from mnemoscope.ui.chat.action_row import write_actions
from mnemoscope.ui.chat.document_writer import DocumentWriter, Scope, next_number
from mnemoscope.ui.chat.markdown_blocks import Block, definitions_of, split_blocks
from mnemoscope.ui.chat.markdown_guard import printable, shortened, tidied
from mnemoscope.ui.chat.text_style import CARD_PADDING, INTERNAL, CardKind, Mark
from mnemoscope.ui.widgets.scripts import isolated

MESSAGE_SPACE: Final = 22
RESULT_LIMIT: Final = 6_000
"""Characters of a tool's result shown in an unfolded card."""


def tr(text: str) -> str:
    """Text in the window's language."""
    return QCoreApplication.translate("Transcript", text)


@dataclass(slots=True, eq=False)
class ToolCall:
    """One tool call as its card shows it; `milliseconds` below 0 means not known."""

    call_id: str
    name: str
    arguments: str = ""
    summary: str = ""
    milliseconds: float = -1.0
    succeeded: bool = True
    running: bool = False
    unfolded: bool = False
    result: str | None = None
    is_file: bool = False
    """Its result is what a file says."""

    @property
    def is_held(self) -> bool:
        """Whether it wanted to write memory, and its text waits for the person."""
        return (self.result or self.summary).startswith(NOT_WRITTEN)


@dataclass(slots=True)
class CodeCard:
    """A code card that is still without colours; `start` stands at its first line, wherever that moves."""

    start: QTextCursor
    code: str
    language: str


@frozen
class RowPlace:
    """Where a message stands: its index, the day to announce above it, and whether it is the first of the document."""

    index: int
    day: date | None = None
    first: bool = False


def card_address(index: int, call: ToolCall) -> str:
    """What the header of a call's card links to."""
    return f"{INTERNAL}fold/{index}/{call.call_id}"


def moment_of(message: Mapping[str, Any]) -> datetime | None:
    """When a message was written, or `None` where its timestamp is missing or malformed."""
    stamp = message.get("timestamp")
    try:
        return datetime.fromisoformat(stamp) if isinstance(stamp, str) else None
    except ValueError:
        return None


def origin_name(origin: str) -> str:
    """What words are that nobody in the conversation wrote: `pasted` or `file`."""
    return tr("file") if origin == FILE else tr("pasted")


def _lines_of(text: str, quote: Quote) -> range:
    start, stop, _ = quote
    first = printable(text[:start]).count("\n")
    return range(first, first + printable(text[start:stop].rstrip()).count("\n") + 1)


def tool_calls_shown(message: Message) -> list[ToolCall]:
    """The calls a message declares, and the reasoning it came with as one more card, all folded."""
    calls = [
        ToolCall(str(call.get("id") or ""), tool_call_name(call), _arguments_of(call))
        for call in tool_calls_of(message)
    ]
    reasoning = message.get("reasoning_content")
    if isinstance(reasoning, str) and reasoning.strip():
        thought = ToolCall("reasoning", tr("Reasoning"), result=reasoning.strip())
        thought.summary = _count_of_lines(thought.result or "")
        calls.insert(0, thought)
    return calls


def _arguments_of(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    arguments = function.get("arguments") if isinstance(function, Mapping) else call.get("arguments")
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False, default=str) if arguments else ""


def short_arguments(arguments: str) -> str:
    """The one argument a person recognises a call by, quoted, or all of them as JSON in one line."""
    try:
        values = json.loads(arguments) if arguments else {}
    except (ValueError, RecursionError):
        return " ".join(arguments.split())[:200]
    if isinstance(values, dict):
        words = [value for value in values.values() if isinstance(value, str)]
        if words:
            return f'"{" ".join(words[0].split())[:200]}"'
        if not values:
            return ""
    return " ".join(json.dumps(values, ensure_ascii=False).split())[:200]


def result_summary(result: str) -> str:
    """A few words on what a tool gave back."""
    first = result.strip().split("\n", 1)[0]
    if first.startswith(NOT_RUN):
        return first
    if "\n" in result.strip() or len(first) > 40:
        return _count_of_lines(result)
    return first or tr("nothing")


def _count_of_lines(text: str) -> str:
    lines = text.strip().count("\n") + 1
    return tr("1 line") if lines == 1 else tr("{count} lines").format(count=lines)


class MessageRows:
    """Writes messages one after the other through a `DocumentWriter`; collects the code cards to be coloured."""

    def __init__(self, writer: DocumentWriter, codes: dict[int, str], *, offers: bool = True) -> None:
        """`offers`: whether what a command offers to do next can be done here."""
        self.writer, self._offers = writer, offers
        self.style = writer.style
        self.uncoloured: list[CodeCard] = []
        self._codes = codes

    def write(self, message: Message, calls: list[ToolCall], place: RowPlace) -> None:
        """Write all of one message."""
        if place.day is not None:
            self._day(place.day, first=place.first)
            place = RowPlace(place.index, None, first=False)
        if message.get("role") == DAMAGED_ROLE:
            self._note_card(text_of(message), tr("Damaged record"), place)
        elif message.get("role") == "tool":
            self.tool_card(calls[0], place.index, first=place.first)
        else:
            self._spoken(message, calls, place)

    def _spoken(self, message: Message, calls: list[ToolCall], place: RowPlace) -> None:
        text = closed(text_of(message)) if message.get("interrupted") else text_of(message)
        role, muted = str(message.get("role")), is_command(message)
        reasoning = [call for call in calls if call.call_id == "reasoning"]
        if text.strip() or message.get("interrupted") or not calls:
            chip = ", ".join(map(origin_name, origins_to_tell(message)))
            words = self._speaker(role, message)
            self.caption(words, place.index, first=place.first, copies=bool(text.strip()), chip=chip)
        for call in reasoning:
            self.tool_card(call, place.index)
        bubble = next_number() if role == "user" and not muted else 0
        put_in = tuple(_lines_of(text, quote) for quote in quotes_in(message)) if bubble else ()
        self.words(text, bubble=bubble, muted=muted or role == "system", index=place.index, put_in=put_in)
        if message.get("interrupted"):
            self.interrupted()
        for call in calls:
            if call not in reasoning:
                self.tool_card(call, place.index)
        if muted and self._offers and (offered := actions_of(message)):
            write_actions(self.writer, offered, place.index)

    # Captions and notes

    def _speaker(self, role: str, message: Message) -> str:
        names = {"user": tr("You"), "assistant": tr("Assistant"), "system": tr("System")}
        name = tr("Command") if is_command(message) and role == "user" else names.get(role, role)
        when = moment_of(message)
        return f"{name} · {when:%H:%M}" if when else name

    def caption(
        self, words: str, index: int, *, first: bool = False, copies: bool = True, more: str = "", chip: str = ""
    ) -> None:
        """Write the line above a message; `more` is what it is doing, beside a link to stop it; `chip` is set apart."""
        made = self.style.block(0 if first else MESSAGE_SPACE, line=120)
        made.setProperty(Mark.CHROME, True)
        made.setProperty(Mark.CAPTION, index + 1)
        self.writer.begin_block(made, self.style.caption)
        self.writer.words(words, self.style.caption)
        if chip:
            self.writer.words("  ", self.style.caption)
            self.writer.words(f"\u00a0{chip}\u00a0", self.style.chip)
        if more:
            self.writer.words(f" · {more}  ", self.style.caption)
            self.writer.words(tr("Stop Esc"), self.style.link(f"{INTERNAL}stop"))
        elif copies:
            self.writer.words("  ", self.style.caption)
            # In the canvas's colour until the pointer is over the message.
            self.writer.words(tr("Copy"), self.style.link(f"{INTERNAL}copy/{index}", role="canvas"))

    def _day(self, day: date, *, first: bool) -> None:
        made = self.style.block(0 if first else MESSAGE_SPACE, line=120)
        made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        made.setProperty(Mark.CHROME, True)
        self.writer.begin_block(made, self.style.caption)
        words = QLocale().toString(QDate(day.year, day.month, day.day), tr("dddd d MMMM yyyy"))
        self.writer.words(words, self.style.chars("caption", "text_faint"))

    def interrupted(self) -> None:
        """Say that an answer was broken off."""
        self._note(tr("Interrupted"), "warning", tr("Regenerate"), f"{INTERNAL}regenerate")

    def _note(self, words: str, role: str, link: str, href: str, more: tuple[tuple[str, str], ...] = ()) -> None:
        made = self.style.block(8, line=120)
        made.setProperty(Mark.CHROME, True)
        self.writer.begin_block(made, self.style.caption)
        self.writer.words(f"{words}  ", self.style.chars("caption", role))
        for text, target in ((link, href), *more):
            self.writer.words(text, self.style.link(target))
            self.writer.words("   ", self.style.caption)

    # Words

    def words(self, text: str, *, bubble: int, muted: bool, index: int, put_in: tuple[range, ...] = ()) -> None:
        """Write a message's Markdown; the lines `put_in` are no words of who sent it."""
        shown, left_out = shortened(text)
        blocks = split_blocks(tidied(shown))
        scope = Scope(bubble, muted, definitions_of(blocks), put_in)
        self.blocks(blocks, scope)
        if left_out:
            words = tr("{count} more characters are not shown here.").format(count=f"{left_out:,}")
            save = ((tr("Save…"), f"{INTERNAL}save/{index}"),)
            self._note(words, "text_muted", tr("Show all as text"), f"{INTERNAL}all/{index}", save)

    def blocks(self, blocks: list[Block], scope: Scope, *, first: bool = True) -> None:
        """Write blocks of Markdown; the first of a message keeps close to its caption."""
        for block in blocks:
            number = self.writer.write(block, scope, first=first)
            if first and block.kind != "definition":
                self._open_message(scope)
                first = False
            if number:
                self.code_is_complete(number, block)

    def code_is_complete(self, number: int, block: Block) -> None:
        """Remember a code card's text for Copy, and that it waits for its colours."""
        self._codes[number] = block.text
        start = QTextCursor(self.writer.cursor.document())
        start.setPosition(self.writer.code_start)
        self.uncoloured.append(CodeCard(start, block.text, block.info))

    def _open_message(self, scope: Scope) -> None:
        """The first block's distance from the caption; inside a bubble also the bubble's padding."""
        cursor = self.writer.cursor
        made = cursor.blockFormat()
        if made.intProperty(Mark.CARD) or made.boolProperty(Mark.SPARE):
            return
        made.setTopMargin(14 if scope.bubble else 3)
        cursor.setBlockFormat(made)

    # Cards

    def tool_card(self, call: ToolCall, index: int, *, first: bool = False) -> None:
        """Write the card of one tool call, folded or not."""
        made = self.writer.begin_card(self.style.block(0 if first else 14, line=120), CardKind.TOOL)
        self.writer.begin_block(made, self.style.body)
        right = self._outcome(call)
        self._tool_header(call, index, right)
        if call.unfolded:
            self._tool_body(call, made)

    def _tool_header(self, call: ToolCall, index: int, right: str) -> None:
        href = card_address(index, call)
        sign = self.style.link(href, self.style.chars("code"), "text_muted")
        name = self.style.link(href, self.style.chars(bold=True), "text")
        words = self.style.chars("code", "text_muted")
        self.writer.words("▾  " if call.unfolded else "▸  ", sign)
        self.writer.words(call.name, name)
        metrics = QFontMetricsF(self.style.chars("body").font())
        right = metrics.elidedText(right, Qt.TextElideMode.ElideRight, self.writer.width * 0.65)
        room = self.writer.width - 2 * CARD_PADDING - 60
        room -= sum(
            QFontMetricsF(form.font()).horizontalAdvance(text) for form, text in ((name, call.name), (sign, right))
        )
        arguments = tidied(short_arguments(call.arguments))
        review = f"  {tr('Review')}" if call.is_held else ""
        room -= QFontMetricsF(self.style.body.font()).horizontalAdvance(review)
        shown = QFontMetricsF(words.font()).elidedText(arguments, Qt.TextElideMode.ElideRight, max(room, 0))
        if len(shown) > 3:
            self.writer.words(f"  {isolated(shown)}", words)
        role = "text_muted" if call.succeeded or call.summary.startswith(NOT_RUN) else "danger"
        self.writer.words(f"\t{right}", self.style.chars("body", "warning" if call.is_held else role))
        if review:
            self.writer.words(review, self.style.link(f"{INTERNAL}review/{index}", self.style.body))

    def _outcome(self, call: ToolCall) -> str:
        if call.running or call.is_held:
            return tr("running…") if call.running else tr("held for review")
        if call.summary.startswith(NOT_RUN):
            words = tidied(call.summary.removeprefix(NOT_RUN)[:60]).replace(chr(10), " ")
            return tr("was not run: {0}").format(isolated(words))
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
        if call.arguments and call.arguments != "{}":
            self._body_part(tr("Arguments"), _pretty(call.arguments), lines)
        if call.result is not None:
            title = tr("Text") if call.call_id == "reasoning" else tr("Result")
            self._body_part(title, call.result or tr("(empty)"), lines)

    def _body_part(self, title: str, text: str, lines: QTextBlockFormat) -> None:
        self.writer.begin_block(QTextBlockFormat(lines), self.style.caption)
        self.writer.words(title, self.style.caption)
        text = text.rstrip()
        shown = text if len(text) <= RESULT_LIMIT else text[:RESULT_LIMIT] + "\n…"
        below = QTextBlockFormat(lines)
        below.setTopMargin(2)
        self.writer.begin_block(below, self.style.code)
        self.writer.words(tidied(shown).replace("\n", "\u2028"), self.style.code)

    def _note_card(self, text: str, title: str, place: RowPlace) -> None:
        base = self.style.block(0 if place.first else 14, line=120)
        made = self.writer.begin_card(base, CardKind.MUTED, tab=False)
        self.writer.begin_block(made, self.style.caption)
        self.writer.words(f"{title}  ", self.style.chars("caption", "warning", bold=True))
        self.writer.words(tidied(text)[:600].replace("\n", " "), self.style.caption)


def _pretty(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return arguments
