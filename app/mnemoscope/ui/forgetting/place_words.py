"""The names of the places that may have words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.forgetting.plan import PlaceKind


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
        PlaceKind.SUGGESTIONS: tr("Proposals, also settled ones"),
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


def counted(name: str, count: int) -> str:
    """Returns a name with how often it has the words; the name alone for 0, where that is not known."""
    return f"{name} × {count:,}" if count else name
