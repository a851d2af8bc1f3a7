"""The timeline's words: what a row, an entry, a reason and a count are called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from typing import Any, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.deletion import may_come_back
from mnemoscope.domain.conversation.history_selection import LeftOutReason
from mnemoscope.domain.conversation.message import (
    DAMAGED_ROLE,
    NOT_RUN,
    NOT_WRITTEN,
    SUMMARY_ROLE,
    first_words,
    is_command,
    is_deleted,
    message_numbers,
    text_of,
    tool_calls_of,
)
from mnemoscope.domain.conversation.origin import FILE, PASTE, origins_beside_role
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import Outcome
from mnemoscope.domain.memory.history_entries import entry_time
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.ui.support.locale_words import in_words, number
from mnemoscope.ui.support.not_run_words import not_run_words
from mnemoscope.ui.translation.core_words import core_answer
from mnemoscope.ui.widgets.text.scripts import isolated

_DAY_LENGTH = 10
_ROW_LENGTH: Final = 400
"""Characters of a row: more than fit where the timeline has a large screen for itself."""
_VALUE_LENGTH: Final = 160
"""Characters of each argument of a call."""


class RowMark(Enum):
    """Names the marks of rows: the shape tells what the message is, never the colour alone."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    COMMAND = "command"
    DELETED = "deleted"
    FORGOTTEN = "forgotten"
    DAMAGED = "damaged"


_NAMES = {
    RowMark.USER: QT_TRANSLATE_NOOP("Timeline", "You"),
    RowMark.ASSISTANT: QT_TRANSLATE_NOOP("Timeline", "Assistant"),
    RowMark.TOOL: QT_TRANSLATE_NOOP("Timeline", "Tool"),
    RowMark.SYSTEM: QT_TRANSLATE_NOOP("Timeline", "System"),
    RowMark.COMMAND: QT_TRANSLATE_NOOP("Timeline", "Command"),
    RowMark.DELETED: QT_TRANSLATE_NOOP("Timeline", "Message deleted"),
    RowMark.FORGOTTEN: QT_TRANSLATE_NOOP("Timeline", "Message forgotten"),
    RowMark.DAMAGED: QT_TRANSLATE_NOOP("Timeline", "Damaged record"),
}
_REASONS = {
    LeftOutReason.BEYOND_LIMIT: QT_TRANSLATE_NOOP("Timeline", "older than the last ones sent · not sent"),
    LeftOutReason.BEFORE_USER_TURN: QT_TRANSLATE_NOOP("Timeline", "before your first message here · not sent"),
    LeftOutReason.ORPHAN_RESULT: QT_TRANSLATE_NOOP("Timeline", "result without its call · not sent"),
    LeftOutReason.INCOMPLETE_CALLS: QT_TRANSLATE_NOOP("Timeline", "call without all its results · not sent"),
    LeftOutReason.COMMAND: QT_TRANSLATE_NOOP("Timeline", "a command · never sent"),
    LeftOutReason.COMPACTED: QT_TRANSLATE_NOOP("Timeline", "compacted · a marker is sent in its place"),
    LeftOutReason.DELETED: QT_TRANSLATE_NOOP("Timeline", "deleted · never sent"),
    LeftOutReason.DAMAGED: QT_TRANSLATE_NOOP("Timeline", "damaged record · not sent"),
}
_REASON_SENTENCES = {
    LeftOutReason.BEFORE_USER_TURN: QT_TRANSLATE_NOOP(
        "Timeline",
        "What the model is sent begins with a message of yours; this one comes before the first of them, so it is not "
        "sent.",
    ),
    LeftOutReason.ORPHAN_RESULT: QT_TRANSLATE_NOOP(
        "Timeline",
        "The model is sent a tool's result only together with the call that asked for it, and that call is not among "
        "the messages that are sent.",
    ),
    LeftOutReason.INCOMPLETE_CALLS: QT_TRANSLATE_NOOP(
        "Timeline", "The model is sent a tool call only together with its results, and not all of them are here."
    ),
}


def tr(text: str) -> str:
    """Translates in the timeline's context."""
    return QCoreApplication.translate("Timeline", text)


def mark_of(message: Mapping[str, Any]) -> RowMark:
    """Returns which mark stands for a message."""
    if is_deleted(message):
        return RowMark.DELETED if may_come_back(message) else RowMark.FORGOTTEN
    if is_command(message):
        return RowMark.COMMAND
    role = message.get("role")
    if role == DAMAGED_ROLE:
        return RowMark.DAMAGED
    return {"user": RowMark.USER, "assistant": RowMark.ASSISTANT, "tool": RowMark.TOOL}.get(str(role), RowMark.SYSTEM)


def mark_name(mark: RowMark) -> str:
    """Returns who a message is from."""
    return tr(str(_NAMES[mark]))


def contained_words(message: Mapping[str, Any]) -> str:
    """Returns what a message holds that its mark does not tell: `pasted`, `file`, or ""."""
    names = {PASTE: tr("pasted"), FILE: tr("file")}
    return ", ".join(names[origin] for origin in origins_beside_role(message))


def image_count(count: int) -> str:
    """Returns how many images go with a message, "" for none."""
    return "" if not count else tr("an image") if count == 1 else tr("{0} images").format(count)


def row_words(message: Mapping[str, Any]) -> str:
    """Returns a message in one line: its first words, after the tool's name for a result, or the calls it makes."""
    if is_deleted(message):
        return mark_name(mark_of(message))
    if is_command(message) and message.get("role") == "assistant":
        return _begun({**message, "content": core_answer(text_of(message))})
    words = _begun(message)
    if message.get("role") == SUMMARY_ROLE:
        return f"{tr('summary')}  {isolated(words)}".rstrip()
    if message.get("role") == DAMAGED_ROLE:
        return words or mark_name(RowMark.DAMAGED)
    if message.get("role") == "tool":
        words = tr("waiting for review") if words.startswith(NOT_WRITTEN) else words
        words = not_run_words(words) if words.startswith(NOT_RUN) else words
        return f"{message.get('name') or tr('result')}  {isolated(words)}".rstrip()
    if not words:
        words = ", ".join(each.name for each in attachments_of(message) if each.name)
    calls = tool_calls_of(message)
    content = message.get("content")
    if calls and not (isinstance(content, str) and content.strip()):
        return shortened(", ".join(map(_call_words, calls)), _ROW_LENGTH)
    return words


def _begun(message: Mapping[str, Any]) -> str:
    """Returns the first words of a message, with an ellipsis where it says more than a row ever has room for."""
    return shortened(first_words(message, _ROW_LENGTH + 1), _ROW_LENGTH)


def _call_words(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    source = function if isinstance(function, Mapping) else call
    arguments = source.get("arguments")
    if isinstance(arguments, str):
        arguments = parsed_json(arguments[:2000])
    values = list(arguments.values()) if isinstance(arguments, Mapping) else []
    shown = " ".join(
        shortened(" ".join(_value_words(value)[:_ROW_LENGTH].split()), _VALUE_LENGTH) for value in values[:2]
    )
    return f"{source.get('name') or '?'}  {isolated(shown)}".rstrip()


def _value_words(value: object) -> str:
    """Returns a list, such as the words of a command, without its brackets."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def clock(moment: datetime | None) -> str:
    """Returns hours and minutes, or a dash."""
    return "–" if moment is None else f"{moment.hour:02d}:{moment.minute:02d}"


def short_day(day: date) -> str:
    """Returns a day in the width of a clock time: `12 Mar`."""
    return in_words(day, tr("d MMM"))


def day_and_clock(moment: datetime) -> str:
    """Returns the day and the time to the minute: `12 March 2026 09:41`."""
    return in_words(moment, tr("d MMMM yyyy HH:mm"))


def full_moment(moment: datetime | None) -> str:
    """Returns the day and the time in full."""
    if moment is None:
        return tr("time unknown")
    return in_words(moment, tr("dddd d MMMM yyyy HH:mm:ss"))


def entry_moment(record: ConsolidationRecord, today: date, *, brief: bool = False) -> str:
    """Returns the time an entry states, as the history shows it, else when it was made; the year where it is not this
    one. `brief` has the month shortened."""
    stamp = entry_time(record.entry) or record.when
    moment = parse_time(stamp)
    if moment is None:
        return stamp[:16] or tr("time unknown")
    is_now = moment.year == today.year
    if len(stamp) == _DAY_LENGTH:
        long, short = (tr("d MMMM"), tr("d MMM")) if is_now else (tr("d MMMM yyyy"), tr("d MMM yyyy"))
    elif is_now:
        long, short = tr("d MMMM HH:mm"), tr("d MMM HH:mm")
    else:
        long, short = tr("d MMMM yyyy HH:mm"), tr("d MMM yyyy HH:mm")
    return in_words(moment, short if brief else long)


def entry_span(record: ConsolidationRecord, start: int, stop: int) -> str:
    """Returns which messages an entry was made from and what memory gained: `messages 1–20 · +3 facts`."""
    return "".join(span_parts(record, start, stop))


def span_parts(record: ConsolidationRecord, start: int, stop: int) -> tuple[str, str, str]:
    """Returns what `entry_span` says in three parts, to be written one after the other: which messages, the facts that
    were added, and those that were removed; "" for what there was none of."""
    first, last = message_numbers(start, stop)
    source = tr("message {0}").format(first) if first == last else tr("messages {0}–{1}").format(first, last)
    added, removed = len(record.facts_added), len(record.facts_removed)
    gained = (tr("+{0} fact") if added == 1 else tr("+{0} facts")).format(added) if added else ""
    return f"{source} · " if added else source, gained, " · " + tr("−{0}").format(removed) if removed else ""


def left_out_words(reason: LeftOutReason) -> str:
    """Returns why a message is not sent, short enough for its row."""
    return tr(str(_REASONS[reason]))


def left_out_sentence(reason: LeftOutReason | None) -> str:
    """Returns the rule by which a message is not sent, "" where its row has said enough."""
    return tr(str(_REASON_SENTENCES[reason])) if reason in _REASON_SENTENCES else ""


_OUTCOMES = {
    Outcome.IN_MEMORY: (
        QT_TRANSLATE_NOOP("Timeline", "in memory"),
        QT_TRANSLATE_NOOP("Timeline", "Its facts are in memory; a click shows the change."),
    ),
    Outcome.WAITING: (
        QT_TRANSLATE_NOOP("Timeline", "waiting for review"),
        QT_TRANSLATE_NOOP("Timeline", "Its memory text waits for your decision; a click opens the review."),
    ),
    Outcome.ACCEPTED: (
        QT_TRANSLATE_NOOP("Timeline", "accepted"),
        QT_TRANSLATE_NOOP("Timeline", "You accepted its memory text; a click shows the change."),
    ),
    Outcome.PARTLY: (
        QT_TRANSLATE_NOOP("Timeline", "partly accepted"),
        QT_TRANSLATE_NOOP(
            "Timeline", "Only a part of its memory text is in memory, as you decided; a click shows the change."
        ),
    ),
    Outcome.EDITED: (
        QT_TRANSLATE_NOOP("Timeline", "edited"),
        QT_TRANSLATE_NOOP("Timeline", "Its facts were changed in memory since; a click shows the change."),
    ),
    Outcome.REJECTED: (
        QT_TRANSLATE_NOOP("Timeline", "rejected"),
        QT_TRANSLATE_NOOP("Timeline", "You rejected its memory text: nothing of it went into memory."),
    ),
    Outcome.UNDONE: (
        QT_TRANSLATE_NOOP("Timeline", "undone"),
        QT_TRANSLATE_NOOP("Timeline", "What it wrote to memory was taken back; a click shows the change."),
    ),
    Outcome.GONE: (
        QT_TRANSLATE_NOOP("Timeline", "gone from memory"),
        QT_TRANSLATE_NOOP("Timeline", "Its facts were taken out of memory since; a click shows the change."),
    ),
    Outcome.OUTDATED: (
        QT_TRANSLATE_NOOP("Timeline", "out of date"),
        QT_TRANSLATE_NOOP(
            "Timeline",
            "Nothing of its memory text was left to decide: memory said it already, or the lines it would change were "
            "gone.",
        ),
    ),
    Outcome.LEFT_OUT: (
        QT_TRANSLATE_NOOP("Timeline", "left out"),
        QT_TRANSLATE_NOOP("Timeline", "Nothing of it went into memory: you had deleted or rejected it before."),
    ),
}


def outcome_words(outcome: Outcome) -> str:
    """Returns what became of a consolidation's facts, short enough for its card."""
    return tr(str(_OUTCOMES[outcome][0]))


def outcome_sentence(outcome: Outcome) -> str:
    """Returns a sentence on what became of a consolidation's facts."""
    return tr(str(_OUTCOMES[outcome][1]))


def branch_mark(choice: BranchChoice | None) -> str:
    """Returns which of how many branches goes on at a message, "" where it is the only way."""
    return f"{choice.here + 1}/{len(choice.places)}" if choice is not None else ""


def branch_words(choice: BranchChoice | None) -> str:
    """Returns which of how many branches goes on at a message, for who hears it; "" where it is the only way."""
    if choice is None:
        return ""
    return tr("branch {number} of {count}").format(number=choice.here + 1, count=len(choice.places))


def pointer_words(pointer: int) -> str:
    """Returns what the pointer's line says."""
    if not pointer:
        return tr("Nothing consolidated yet")
    return tr("Consolidated up to here · {0}").format(number(pointer))


def kept_words(count: int) -> str:
    """Returns what the line above the kept window says."""
    return tr("Stays word for word · {0}").format(number(count))


def message_count(count: int) -> str:
    """Returns `82 messages`."""
    return tr("1 message") if count == 1 else tr("{0} messages").format(number(count))
