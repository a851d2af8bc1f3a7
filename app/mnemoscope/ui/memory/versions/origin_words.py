"""Says where a text of memory came from, in the window's words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.ui.support.locale_words import in_words

TitleOf = Callable[[str, str], str]
"""Returns the title of the conversation that had this key at this time (naive local ISO 8601): /new hands keys on. It
is "" where the title is not known yet."""


def by_key(key: str, _when: str) -> str:
    """Returns the key itself, where no titles are known."""
    return key


def origin_words(origin: MemoryOrigin, title_of: TitleOf = by_key) -> str:
    """Returns where a version comes from: `In the editor, 10:42`, `Consolidation of messages 1 to 40 of “Tea”`,
    `Another program, 10:42`, and the like; without the conversation where its title is not known."""
    if origin.kind == "consolidation":
        return _consolidation_words(origin, title_of(origin.session_key, origin.when))
    if origin.kind == "capture":
        title = title_of(origin.session_key, origin.when)
        words = (
            _tr("Remembered from message {number} of “{title}”") if title else _tr("Remembered from message {number}")
        )
        return words.format(number=origin.start + 1, title=title)
    if origin.kind == "mcp":
        return _tr("{name} (its own claim), through MCP").format(name=origin.detail)
    names = {
        "editor": _tr("In the editor"),
        "outside": _tr("Another program"),
        "agent": _tr("A tool of the assistant"),
        "kept": _tr("Remembered after all, by you"),
        "restore": _tr("An earlier version, restored"),
        "undo": _tr("A change undone"),
        "review": _tr("A proposal, reviewed by you"),
        "recovered": _tr("Written just before a crash"),
        "forgotten": _tr("Forgotten words taken out"),
    }
    if origin.kind == "dream":
        words = (
            _tr("Dream, from entry {first}")
            if origin.start == origin.stop
            else _tr("Dream, from entries {first} to {last}")
        )
        return words.format(first=origin.start, last=origin.stop)
    when = when_words(origin.when)
    name = names.get(origin.kind, _tr("Not known"))
    return f"{name}, {when}" if when else name


def _consolidation_words(origin: MemoryOrigin, title: str) -> str:
    first, last = message_numbers(origin.start, origin.stop)
    if title:
        one = _tr("Consolidation of message {first} of “{title}”")
        several = _tr("Consolidation of messages {first} to {last} of “{title}”")
    else:
        one = _tr("Consolidation of message {first}")
        several = _tr("Consolidation of messages {first} to {last}")
    return (one if first == last else several).format(first=first, last=last, title=title)


def others_words(suggestion: Suggestion) -> str:
    """Returns which other program says that it made a proposal, or which import brought it, and when; "" if neither."""
    if suggestion.claimed_by:
        words, name = _tr("{name} (its own claim), through MCP · {when}"), suggestion.claimed_by
    elif suggestion.brought_from:
        words, name = _tr("From an import of {name} · {when}"), suggestion.brought_from
    else:
        return ""
    return words.format(name=name, when=when_words(suggestion.when) or suggestion.when)


def messages_of_suggestion(suggestion: Suggestion) -> str:
    """Returns from which messages of its conversation a proposal was made, and when: `From messages 3–5 · 10:42`."""
    first, last = message_numbers(suggestion.start, suggestion.stop)
    words = _tr("From message {first} · {when}") if first == last else _tr("From messages {first}–{last} · {when}")
    return words.format(first=first, last=last, when=when_words(suggestion.when) or suggestion.when)


def when_words(when: str) -> str:
    """Returns `10:42` today, else `3 March 2026 10:42`; "" for no time."""
    try:
        moment = datetime.fromisoformat(when)
    except ValueError:
        return ""
    today = datetime.now().date() == moment.date()
    if today:
        return f"{moment:%H:%M}"
    return in_words(moment, _tr("d MMMM yyyy HH:mm"))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Memory", text)


def change_words(change: MemoryChange, title_of: TitleOf) -> str:
    """Returns `Another program, 10:42 · +2 −1 facts`: whose change it is and how many facts it brought and took."""
    return " · ".join(filter(None, (origin_words(change.origin, title_of), fact_counts(change))))


def fact_counts(change: MemoryChange) -> str:
    """Returns how many facts a change brought and took: `+2 −1 facts`, `+1 fact`, or "" for none."""
    added, removed = change.count_added, change.count_removed
    if added and removed:
        return _tr("+{added} −{removed} facts").format(added=added, removed=removed)
    if added:
        return QCoreApplication.translate("Memory", "+%n facts", "", added)
    return QCoreApplication.translate("Memory", "−%n facts", "", removed) if removed else ""
