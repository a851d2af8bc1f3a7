"""The names of the places that may have words."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.domain.text.excerpt import shortened

_TITLE: Final = 40
"""Characters of a conversation's title that stand in a row."""
_OWN: Final = ".mnemoscope/"


def tr(text: str) -> str:
    """Returns the text in the window's language."""
    return QCoreApplication.translate("ForgettingWords", text)


def kind_name(kind: PlaceKind) -> str:
    """Returns the name of a kind of place."""
    return {
        PlaceKind.MEMORY: tr("Memory files"),
        PlaceKind.INSTRUCTIONS: tr("Instructions"),
        PlaceKind.HISTORY: tr("History"),
        PlaceKind.NOTES: tr("Notes"),
        PlaceKind.STATE: tr("State of a session"),
        PlaceKind.SUGGESTIONS: tr("Proposals, also decided ones"),
        PlaceKind.CAPTURES: tr("Log of captures"),
        PlaceKind.CHANGES: tr("Log of changes"),
        PlaceKind.VERSIONS: tr("Former texts"),
        PlaceKind.LEDGER: tr("Ledger"),
        PlaceKind.PROMPTS: tr("Exact prompts"),
        PlaceKind.TOOL_RESULTS: tr("Results of tools"),
        PlaceKind.RECORDS: tr("Other records"),
        PlaceKind.ATTACHMENTS: tr("Images"),
        PlaceKind.CONVERSATIONS: tr("Conversations"),
        PlaceKind.TEMPORARY: tr("Temporary conversations"),
        PlaceKind.BRANCHES: tr("Branches"),
        PlaceKind.ARCHIVE: tr("Archive"),
        PlaceKind.DRAFTS: tr("Drafts"),
        PlaceKind.TRASH: tr("Trash"),
        PlaceKind.QUARANTINE: tr("Quarantine"),
        PlaceKind.COMMITS: tr("Commits of git"),
        PlaceKind.INDEX: tr("Search index"),
        PlaceKind.OTHER: tr("Other files"),
        PlaceKind.OTHER_AGENTS: tr("Other agents"),
    }[kind]


def place_name(place: FoundPlace) -> str:
    """Returns what a place is called: a conversation by its title, a file that the program keeps for itself by what it
    is, and any other by its path, which a person knows it by."""
    if not place.path:
        return tr("In the memory of this program alone")
    if place.title:
        title = tr("“{title}”").format(title=shortened(place.title, _TITLE))
        is_older = place.kind is PlaceKind.PROMPTS and place.path.endswith(".1.log")
        return tr("{title}, earlier prompts").format(title=title) if is_older else title
    name = place.path.removeprefix(_OWN)
    return place.path if name == place.path else _own_name(place.kind, name) or place.path


def _own_name(kind: PlaceKind, name: str) -> str:
    """Returns what a file of the program's own is, by its name below the folder of these; "" where only the name
    says."""
    if kind is PlaceKind.INDEX:
        is_beside = name.endswith(("-wal", "-shm", "-journal"))
        return tr("Search index, newest entries") if is_beside else tr("Search index itself")
    if kind is PlaceKind.SUGGESTIONS:
        if name.startswith("suggestions/settled/"):
            return tr("A decided proposal")
        return tr("A proposal that waits") if name.startswith("suggestions/") else ""
    if kind is PlaceKind.CHANGES:
        file = unquote(name.removeprefix("changes/").removesuffix(".jsonl")) if "/" in name else "MEMORY.md"
        return tr("Changes of {file}").format(file=file)
    if name.startswith("imports/"):
        return tr("Record of an import")
    if name.startswith("compactions/"):
        return tr("What of a long conversation is not sent any more")
    names = {
        "captures.jsonl": tr("What was remembered, and what was not"),
        "captures.jsonl.1": tr("What was remembered earlier, and what was not"),
        "conversations.json": tr("List of conversations"),
        "dream.jsonl": tr("Runs of Dream"),
        "dream-place.json": tr("How far Dream has read"),
        "rejected-facts.jsonl": tr("What you would not have added to memory"),
    }
    kinds = {
        PlaceKind.PROMPTS: tr("Prompts of a branch, or of a conversation that is gone"),
        PlaceKind.VERSIONS: tr("A former text of memory"),
        PlaceKind.LEDGER: tr("Record of a consolidation"),
        PlaceKind.TOOL_RESULTS: tr("A long result of a tool"),
        PlaceKind.DRAFTS: tr("What is typed and not sent"),
    }
    if name.startswith("trash/messages/"):
        return tr("Deleted messages")
    return names.get(name) or kinds.get(kind, "")


def counted(name: str, count: int) -> str:
    """Returns a name with how often it has the words; the name alone for 0, where that is not known."""
    return f"{name} × {count:,}" if count else name
