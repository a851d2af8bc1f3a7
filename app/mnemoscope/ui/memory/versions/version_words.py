"""A version in the window's words: whose it is, what it was, when, and what it came from."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.commits import (
    CHANGE,
    CONVERSATION,
    ENTRIES,
    FORGETTING_SUBJECT,
    MESSAGES_TRAILER,
    RESTORES,
    SUGGESTION,
    TRANSACTION,
    UNDOES_CHANGE,
    CommitInfo,
    span_of,
)
from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.ui.memory.versions.origin_words import TitleOf, fact_counts
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.support.locale_words import in_words, time_words

CHIPS: Final = {
    "You": ("accent_soft", "text"),
    "Outside": ("warning_soft", "warning"),
    "Agent": ("sunken", "text_muted"),
    "Capture": ("sunken", "text_muted"),
    "Consolidation": ("pointer_soft", "pointer"),
    "Dream": ("pointer_soft", "pointer"),
    "Unknown": ("sunken", "text_muted"),
    "Mnemoscope": ("sunken", "text_muted"),
}
"""Ground and letters of an author's chip, as colour roles; violet is what was settled into memory."""


_IDS: Final = frozenset({TRANSACTION, CHANGE, UNDOES_CHANGE, RESTORES, SUGGESTION})


def tr(text: str) -> str:
    """Translates in the context of versions."""
    return QCoreApplication.translate("Versions", text)


def change_author_words(author: str) -> str:
    """Returns whose change it is; a name another program gave is left as it is."""
    words = {
        "You": tr("You"),
        "Outside": tr("Outside"),
        "Agent": tr("Agent"),
        "Capture": tr("Capture"),
        "Consolidation": tr("Consolidation"),
        "Dream": tr("Dream"),
        "Unknown": tr("Not known"),
        "Mnemoscope": tr("Mnemoscope"),
    }
    return words.get(author, author)


def subject_words(row: VersionRow, title_of: TitleOf) -> str:
    """Returns what it was, in a few words, with how many facts it brought and took."""
    return " · ".join(part for part in (_what(row, title_of), _counts(row)) if part)


def brief_words(commit: CommitInfo, now: datetime) -> str:
    """Returns `You · 3 Mar`, `messages 1–40 · 3 Mar`, `entries 12–14 · 14:20`: whose it is, or what it came from; of
    what stood there when versions began, that nobody knows."""
    when = datetime.fromtimestamp(commit.seconds)
    day = f"{when:%H:%M}" if when.date() == now.date() else in_words(when, tr("d MMM"))
    if when.year != now.year:
        day = in_words(when, tr("MMM yyyy"))
    if commit.author == "Mnemoscope":
        return f"{tr('before versions')} · {day}"
    return f"{_source(commit) or change_author_words(commit.author)} · {day}"


def messages_words(start: int, stop: int, title: str) -> str:
    """Returns `Messages 1 to 40 of “Tea”`, which are `messages[start:stop]` of the conversation of that title, or
    `Messages 1 to 40` without a title."""
    first, last = message_numbers(start, stop)
    if not title:
        return _span(tr("Message {first}"), tr("Messages {first} to {last}"), first, last)
    words = tr("Message {first} of “{title}”") if first == last else tr("Messages {first} to {last} of “{title}”")
    return words.format(first=first, last=last, title=title)


def _source(commit: CommitInfo) -> str:
    if commit.author == "Consolidation" and (messages := span_of(commit.named(MESSAGES_TRAILER))):
        return _span(tr("message {first}"), tr("messages {first}–{last}"), *message_numbers(*messages))
    if commit.author == "Dream" and (entries := span_of(commit.named(ENTRIES))):
        return _span(tr("entry {first}"), tr("entries {first}–{last}"), *entries)
    return ""


def _span(one: str, several: str, first: int, last: int) -> str:
    return (one if first == last else several).format(first=first, last=last)


def trailer_words(row: VersionRow, title_of: TitleOf, *, without_ids: bool = False) -> list[str]:
    """Returns what it came from, a line each; what is not known here stands as git has it; all of it but mere ids if
    `without_ids`."""
    return [_trailer(name, value, row, title_of) for name, value in row.trailers if not (without_ids and name in _IDS)]


def brief_name(row: VersionRow) -> str:
    """Returns `You 10:42`: enough to tell two versions apart in a heading."""
    return f"{change_author_words(row.author)} {time_words(row.when)}".strip()


def version_sentence(row: VersionRow, title_of: TitleOf) -> str:
    """Returns the whole of it, for who hears the window."""
    parts = (change_author_words(row.author), subject_words(row, title_of), time_words(row.when))
    return ", ".join(part for part in parts if part)


def _what(row: VersionRow, title_of: TitleOf) -> str:
    origin = row.origin
    if origin.kind == "consolidation":
        return messages_words(origin.start, origin.stop, title_of(origin.session_key, origin.when))
    if origin.kind == "capture":
        return messages_words(origin.start, origin.start + 1, title_of(origin.session_key, origin.when))
    if origin.kind == "dream":
        words = tr("Entry {first}") if origin.start == origin.stop else tr("Entries {first} to {last}")
        return words.format(first=origin.start, last=origin.stop)
    names = {
        "editor": tr("Edited"),
        "outside": tr("Changed by another program"),
        "agent": tr("Changed by a tool"),
        "kept": tr("Remembered after all"),
        "restore": tr("An earlier version restored"),
        "undo": tr("A change undone"),
        "review": tr("A proposal reviewed"),
        "recovered": tr("Written just before a crash"),
        "forgotten": tr("Forgotten words taken out"),
    }
    if row.is_beginning and row.author == "Mnemoscope":
        return tr("As it was when versions began")
    summary = row.commit.subject if row.commit else tr("Not known")
    before, colon, rest = summary.partition(": ")
    if rest == FORGETTING_SUBJECT:
        return names["forgotten"]
    return names.get(origin.kind) or (rest if colon and "." in before else summary)


def _counts(row: VersionRow) -> str:
    return "" if row.change is None else fact_counts(row.change)


def _trailer(name: str, value: str, row: VersionRow, title_of: TitleOf) -> str:
    if name == CONVERSATION:
        title = title_of(value, row.origin.when or (row.when.isoformat() if row.when else ""))
        return tr("Conversation: {title}").format(title=title or value)
    span = span_of(value)
    if name == MESSAGES_TRAILER and span:
        return _span(tr("Message: {first}"), tr("Messages: {first} to {last}"), *message_numbers(*span))
    if name == ENTRIES and span:
        return _span(tr("History entry: {first}"), tr("History entries: {first} to {last}"), *span)
    names = {
        TRANSACTION: tr("Transaction: {value}"),
        CHANGE: tr("Change: {value}"),
        UNDOES_CHANGE: tr("Undoes the change {value}"),
        RESTORES: tr("Restores the version {value}"),
        SUGGESTION: tr("Proposal: {value}"),
    }
    return names[name].format(value=value[:16]) if name in names else f"{name}: {value}"
