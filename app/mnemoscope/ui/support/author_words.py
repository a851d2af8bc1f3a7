"""Says in the window's words who wrote a line of memory: in the list of what was remembered, and in the search."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def tr(text: str) -> str:
    """Translates in the context of authors."""
    return QCoreApplication.translate("Authors", text)


def author_words(kind: str) -> str:
    """Returns who that was, as it stands after "by"; "" where nobody knows. `kind`: that of a MemoryOrigin."""
    return {
        "editor": tr("you, in the editor"),
        "outside": tr("another program, or by hand"),
        "consolidation": tr("a consolidation"),
        "agent": tr("a tool"),
        "dream": tr("Dream"),
        "capture": tr("you, in an earlier message"),
        "kept": tr("you, in an earlier message"),
        "review": tr("a proposal you reviewed"),
    }.get(kind, "")
