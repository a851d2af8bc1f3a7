"""Whole sentences about a row: for a screen reader, a tool tip, and the clipboard."""

from __future__ import annotations

from html import escape

from mnemoscope.domain.conversation.message import first_words, message_number, text_of
from mnemoscope.domain.dream.journal import plain_entry
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.store.sessions.stated_time import parse_time
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.words import (
    clock,
    entry_span,
    full_moment,
    kept_words,
    mark_name,
    number,
    pointer_words,
    reason_words,
    tr,
)

_TIP_LENGTH = 280


def row_sentence(model: TimelineModel, row: TimelineRow) -> str:
    """Returns `Message 41, you, 09:41, settled: What did we say…`, or the like for any other row."""
    if row.kind is RowKind.POINTER:
        return pointer_words(row.number)
    if row.kind is RowKind.KEPT:
        return kept_words(model.total - row.number)
    if row.kind is RowKind.ENTRY:
        return _entry_sentence(model, row.number)
    facts = model.reader.facts(row.number)
    speaker = ", ".join(filter(None, (mark_name(facts.mark).lower(), facts.origin)))
    return tr("Message {0}, {1}, {2}, {3}: {4}").format(
        message_number(row.number), speaker, clock(facts.when), standing(model, row.number), facts.words[:120]
    )


def standing(model: TimelineModel, index: int) -> str:
    """Returns where a message stands: settled, being consolidated, left out and why, or waiting."""
    if model.is_settled(index):
        return tr("settled")
    if model.is_running(index):
        return tr("being consolidated")
    reason = model.left_out(index)
    if reason is not None:
        return reason_words(reason)
    return tr("kept next time") if model.is_kept(index) else tr("not settled")


def _entry_sentence(model: TimelineModel, place: int) -> str:
    record, numbers = model.groups.records[place], model.groups.numbers(place)
    parts = [tr("History entry"), entry_span(record, numbers.start, numbers.stop)]
    if record.inferred:
        parts.append(tr("inferred"))
    if record.held_for_review:
        parts.append(tr("held for review"))
    if model.links.is_undone(record):
        parts.append(tr("undone"))
    parts += [link.words for link in model.links.chain(record)]
    parts.append(tr("unfolded") if place in model.unfolded else tr("folded"))
    return f"{', '.join(parts)}: {plain_entry(record.entry[:200])}"


def row_tip(model: TimelineModel, row: TimelineRow) -> str:
    """Returns what hovering over a row tells, as rich text with everything of the person's escaped."""
    if row.kind is RowKind.MESSAGE:
        return _message_tip(model, row.number)
    if row.kind is RowKind.ENTRY:
        record = model.groups.records[row.number]
        link = tr("The link is inferred from times: another program wrote this workspace.") if record.inferred else ""
        held = tr("The new memory text waits for your decision in Memory.") if record.held_for_review else ""
        facts = [f"+ {fact}" for fact in record.facts_added[:8]] + [f"− {fact}" for fact in record.facts_removed[:8]]
        how = tr("Click: its messages. Double-click or Enter: the entry in History.")
        chain = " · ".join(step.words for step in model.links.chain(record))
        return _rich([plain_entry(record.entry[:600]), *facts, link, held, chain, how])
    if row.kind is RowKind.POINTER:
        return _rich([tr("Everything above is in the history and in memory. What is below is sent word for word.")])
    return _rich([tr("The next consolidation takes what is above this line and leaves the rest as it is.")])


def _message_tip(model: TimelineModel, index: int) -> str:
    facts, message = model.reader.facts(index), model.reader.message(index)
    words = first_words(message, _TIP_LENGTH + 1)
    head = " · ".join(filter(None, (mark_name(facts.mark), facts.origin, full_moment(facts.when))))
    count = tr("message {0} · about {1} tokens · {2}").format(
        message_number(index), number(facts.tokens), standing(model, index)
    )
    return _rich([head, count, f"{words[:_TIP_LENGTH]}…" if len(words) > _TIP_LENGTH else words])


def _rich(lines: list[str]) -> str:
    told = [escape(line, quote=False).replace("\n", "<br>") for line in lines if line]
    return f"<qt>{'<br>'.join(told)}</qt>"


def row_copy(model: TimelineModel, row: TimelineRow) -> str:
    """Returns a row's text for the clipboard: what it stands for, whole."""
    if row.kind is RowKind.MESSAGE:
        return text_of(model.reader.message(row.number)) or model.reader.facts(row.number).words
    if row.kind is RowKind.ENTRY:
        return model.groups.records[row.number].entry
    return row_sentence(model, row)


def row_markdown(model: TimelineModel, row: TimelineRow) -> str:
    """Returns a message as Markdown, with who said it and when."""
    message = model.reader.message(row.number)
    facts = model.reader.facts(row.number)
    when = full_moment(parse_time(message.get("timestamp")))
    return f"**{mark_name(facts.mark)}** · {when}\n\n{row_copy(model, row)}\n"
