"""Whole sentences about a row: for a screen reader, a tool tip, and the clipboard."""

from __future__ import annotations

from html import escape

from mnemoscope.domain.conversation.message import first_words, message_number, text_of
from mnemoscope.domain.memory.history_entries import entry_time
from mnemoscope.domain.memory.journal_entry import plain_entry
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.ui.support.answer_words import answer_words, is_notable
from mnemoscope.ui.support.glossary import Word, meaning_of, name_of
from mnemoscope.ui.support.locale_words import number
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.timeline_words import (
    RowMark,
    branch_words,
    clock,
    day_and_clock,
    entry_span,
    full_moment,
    image_count,
    kept_words,
    left_out_sentence,
    left_out_words,
    mark_name,
    outcome_sentence,
    outcome_words,
    pointer_words,
    tr,
)

_TIP_LENGTH = 280


def row_sentence(model: TimelineModel, row: TimelineRow) -> str:
    """Returns `Message 41, you, 09:41, consolidated: What did we say…`, or the like for any other row. The first
    message of a day has the day before its time."""
    if row.kind is RowKind.POINTER:
        return pointer_words(row.number)
    if row.kind is RowKind.KEPT:
        return kept_words(model.total - row.number)
    if row.kind is RowKind.ENTRY:
        return _entry_sentence(model, row.number)
    content = model.reader.content(row.number)
    speaker = ", ".join(filter(None, (mark_name(content.mark).lower(), content.origin, image_count(content.images))))
    marked = tr("marked") if row.number in model.marked else ""
    branch = branch_words(model.branches.get(row.number))
    stands = ", ".join(filter(None, (_standing(model, row.number), branch, marked)))
    return tr("Message {0}, {1}, {2}, {3}: {4}").format(
        message_number(row.number), speaker, _time_of(model, row), stands, content.words[:120]
    )


def _time_of(model: TimelineModel, row: TimelineRow) -> str:
    content = model.reader.content(row.number)
    if content.when is None:
        return clock(None)
    is_new_day = content.new_day
    if model.filter.active and (place := model.stack.place_of_row(row)) is not None:
        # The message before may not be listed.
        above = (model.stack.row(each) for each in reversed(range(place)))
        listed = next((each for each in above if each.kind is RowKind.MESSAGE), None)
        before = model.reader.content(listed.number).when if listed is not None else None
        is_new_day = before is None or before.date() != content.when.date()
    return day_and_clock(content.when) if is_new_day else clock(content.when)


def _standing(model: TimelineModel, index: int) -> str:
    """Returns where a message stands: consolidated, being consolidated, left out and why, or waiting."""
    if model.is_consolidated(index):
        return tr("consolidated")
    if model.is_running(index):
        return tr("being consolidated")
    reason = model.left_out(index)
    if reason is not None:
        is_forgotten = model.reader.content(index).mark is RowMark.FORGOTTEN
        return tr("forgotten · never sent") if is_forgotten else left_out_words(reason)
    return tr("stays word for word") if model.is_kept(index) else tr("not consolidated")


def _entry_sentence(model: TimelineModel, place: int) -> str:
    record, numbers = model.groups.records[place], model.groups.numbers(place)
    parts = [tr("History entry"), entry_span(record, numbers.start, numbers.stop)]
    if record.inferred:
        parts.append(tr("matched by time"))
    if (found := model.links.outcome(record)) is not None:
        parts.append(outcome_words(found.outcome))
    parts += [link.words for link in model.links.chain(record)]
    if is_notable(record.asked, record.cleaned):
        parts.append(answer_words(record.asked, record.cleaned))
    parts.append(tr("unfolded") if place in model.unfolded else tr("folded"))
    return f"{', '.join(parts)}: {plain_entry(record.entry[:200])}"


def row_tip(model: TimelineModel, row: TimelineRow) -> str:
    """Returns what hovering over a row tells, as rich text with everything of the person's escaped."""
    if row.kind is RowKind.MESSAGE:
        return _message_tip(model, row.number)
    if row.kind is RowKind.ENTRY:
        record = model.groups.records[row.number]
        link = f"{name_of(Word.BY_TIME)}: {meaning_of(Word.BY_TIME)}" if record.inferred else ""
        found = model.links.outcome(record)
        became = outcome_sentence(found.outcome) if found else ""
        facts = [f"+ {fact}" for fact in record.facts_added[:8]] + [f"− {fact}" for fact in record.facts_removed[:8]]
        how = tr("Click: its messages. Double-click or Enter: the entry in History.")
        chain = " · ".join(step.words for step in model.links.chain(record))
        asked = answer_words(record.asked, record.cleaned)
        made = parse_time(record.when)
        # The card has the date that the entry states: when it was said, as the model read it.
        dated = tr("Consolidated {when}. The date on the card is the entry's own.").format(when=full_moment(made))
        is_on_card = made is None or record.when.replace("T", " ").startswith(entry_time(record.entry))
        return _rich(
            [plain_entry(record.entry[:600]), "" if is_on_card else dated, *facts, link, became, chain, asked, how]
        )
    if row.kind is RowKind.POINTER:
        return _rich([meaning_of(Word.CONSOLIDATED), tr("What is below this line is sent word for word.")])
    return _rich([meaning_of(Word.WORD_FOR_WORD)])


def _message_tip(model: TimelineModel, index: int) -> str:
    content, message = model.reader.content(index), model.reader.message(index)
    words = first_words(message, _TIP_LENGTH + 1)
    images = image_count(content.images)
    head = " · ".join(filter(None, (mark_name(content.mark), content.origin, images, full_moment(content.when))))
    count = tr("message {0} · about {1} tokens · {2}").format(
        message_number(index), number(content.tokens), _standing(model, index)
    )
    why = left_out_sentence(model.left_out(index))
    return _rich([head, count, why, shortened(words, _TIP_LENGTH)])


def _rich(lines: list[str]) -> str:
    escaped = [escape(line, quote=False).replace("\n", "<br>") for line in lines if line]
    return f"<qt>{'<br>'.join(escaped)}</qt>"


def row_copy(model: TimelineModel, row: TimelineRow) -> str:
    """Returns a row's text for the clipboard: what it stands for, whole."""
    if row.kind is RowKind.MESSAGE:
        return text_of(model.reader.message(row.number)) or model.reader.content(row.number).words
    if row.kind is RowKind.ENTRY:
        return model.groups.records[row.number].entry
    return row_sentence(model, row)


def row_markdown(model: TimelineModel, row: TimelineRow) -> str:
    """Returns a message as Markdown, with who said it and when."""
    message = model.reader.message(row.number)
    content = model.reader.content(row.number)
    when = full_moment(parse_time(message.get("timestamp")))
    return f"**{mark_name(content.mark)}** · {when}\n\n{row_copy(model, row)}\n"
