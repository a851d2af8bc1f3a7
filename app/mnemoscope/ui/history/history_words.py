"""The history's words: when an entry was written, where it came from, how many there are."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.file_registry import HISTORY_PATH
from mnemoscope.domain.memory.history_entries import HistoryEntry, stamp_length
from mnemoscope.ui.dream.entry_words import entry_number, standing_words
from mnemoscope.ui.history.history_model import HistoryModel
from mnemoscope.ui.support.locale_words import number, stamp_words


def tr(text: str) -> str:
    """Translates in the history's context."""
    return QCoreApplication.translate("History", text)


def body_of(entry: HistoryEntry) -> tuple[str, int]:
    """Returns the words under the date, and how many characters of the entry's text come before them."""
    skipped = stamp_length(entry.text)
    rest = entry.text[skipped:]
    body = rest.lstrip("\n")
    if entry.raw and body.startswith("[RAW]"):
        body = body.removeprefix("[RAW]").lstrip()
    return body, len(entry.text) - len(body)


def origin_label(record: ConsolidationRecord) -> str:
    """Returns `from messages 1–20`."""
    first, last = message_numbers(record.start, record.stop)
    if first == last:
        form = tr("probably from message {first}") if record.inferred else tr("from message {first}")
    else:
        form = tr("probably from messages {first}–{last}") if record.inferred else tr("from messages {first}–{last}")
    return form.format(first=number(first), last=number(last))


def source_label(entry: HistoryEntry) -> str:
    """Returns what the chip says: nothing for HISTORY.md, where entries are expected to be."""
    return "" if entry.source == HISTORY_PATH else entry.source.rsplit("/", 1)[-1]


def standing_label(model: HistoryModel, entry: HistoryEntry) -> str:
    """Returns `entry 12 · waiting to be dreamed`, or that the conversation has left the messages of a note, and when
    the person corrected it; "" for another entry that is in no journal, or that nobody dreams."""
    parts = []
    if model.origins.is_left(entry):
        parts.append(tr("of messages that are deleted or on another branch"))
    elif model.origins.reach is not None and entry.cursor is not None:
        parts += [entry_number(entry.cursor), standing_words(model.origins.reach, entry.cursor, date.today())]
    if (correction := model.origins.correction_of(entry)) is not None:
        # Without the other words the file is said, which these take the place of.
        parts += [] if parts else filter(None, (source_label(entry),))
        parts.append(tr("corrected {when}").format(when=stamp_words(correction.when[:10], date.today())))
    return " · ".join(parts)


def forgotten_label(model: HistoryModel, entry: HistoryEntry) -> str:
    """Returns that an entry has a line that the person had forgotten; "" for any other."""
    return tr("you chose to forget this · not sent") if model.origins.is_forgotten(entry) else ""


def count_label(model: HistoryModel) -> str:
    """Returns `2 of 128 entries`; before the count is known, what is shown."""
    total = model.state.total
    entries = tr("1 entry") if total == 1 else tr("{total} entries").format(total=number(total))
    if model.searching:
        return tr("Searching…")
    if model.query.is_empty:
        return tr("Reading…") if model.state.loading else entries
    shown = number(len(model.matches))
    if model.count is None:
        return tr("{shown} shown").format(shown=shown)
    return tr("{count} of {entries}").format(count=number(model.count), entries=entries)


def passed_over_label(count: int) -> str:
    """Returns that some entries were not searched, and what to do; "" where all were."""
    if not count:
        return ""
    one = tr("1 entry was passed over, because the expression is too slow on it. Make it simpler.")
    many = tr("{count} entries were passed over, because the expression is too slow on them. Make it simpler.")
    return (one if count == 1 else many).format(count=number(count))


def position_label(model: HistoryModel, current: int | None) -> str:
    """Returns `3 of 17`: the position of the current match among all."""
    if not model.matches or not model.query.has_text:
        return ""
    total = number(model.count) if model.count is not None else f"{number(len(model.matches))}+"
    place = "–" if current is None else number(current + 1)
    return tr("{place} of {total}").format(place=place, total=total)


def entry_sentence(
    entry: HistoryEntry, record: ConsolidationRecord | None, today: date, standing: str = "", place: str = ""
) -> str:
    """Returns what a screen reader says of an entry. `place`: as `EntryOrigins.place_of` says."""
    parts = [stamp_words(entry.when, today)]
    if entry.raw:
        parts.append(tr("unsummarised messages"))
    if record is not None:
        parts.append(origin_label(record))
    parts += [words for words in (place or standing or source_label(entry),) if words]
    return f"{', '.join(parts)}. {body_of(entry)[0][:500]}"


def as_markdown(entry: HistoryEntry, record: ConsolidationRecord | None, place: str = "") -> str:
    """Returns the entry as a quotation with its source, or with the `place` where it stands."""
    quoted = "\n".join(f"> {line}".rstrip() for line in body_of(entry)[0].split("\n"))
    heading = f"**{entry.when}**\n\n" if entry.when else ""
    source = place or entry.source if record is None else f"{entry.source}, {origin_label(record)}"
    return f"{heading}{quoted}\n\n— {source}\n"
