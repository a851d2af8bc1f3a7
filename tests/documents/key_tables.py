"""The tables of the keys that parts of the window answer themselves, and where the manual has them. They need Qt."""

from __future__ import annotations

from typing import Any, Final

from mnemoscope.ui.history.history_filters import HISTORY_FIELD_KEYS
from mnemoscope.ui.history.history_pane import HISTORY_KEYS
from mnemoscope.ui.history.history_view import HISTORY_ENTRY_KEYS
from mnemoscope.ui.memory.review.conflict_view import CONFLICT_KEYS, CONFLICT_STEPPING_KEYS
from mnemoscope.ui.memory.review.review_dialog import REVIEW_KEYS, REVIEW_LINE_KEYS, REVIEW_PAIR_KEYS
from mnemoscope.ui.sessions.sessions_pane import SESSIONS_KEYS
from mnemoscope.ui.shell.help.window_keys import KEY_TABLES
from mnemoscope.ui.timeline.timeline_view import TIMELINE_KEYS
from mnemoscope.ui.widgets.accessibility.part_keys import PartKeys

PLACES: Final[tuple[tuple[str, str, tuple[PartKeys[Any], ...]], ...]] = (
    ("commands", "parts", KEY_TABLES),
    ("conversations", "conversations", (SESSIONS_KEYS,)),
    ("history", "history", (HISTORY_KEYS, HISTORY_FIELD_KEYS, HISTORY_ENTRY_KEYS)),
    ("memory", "conflict", (CONFLICT_KEYS, CONFLICT_STEPPING_KEYS)),
    ("review", "lines", (REVIEW_LINE_KEYS, REVIEW_KEYS)),
    ("review", "pairs", (REVIEW_PAIR_KEYS,)),
    ("timeline", "timeline", (TIMELINE_KEYS,)),
)
"""The page of the manual, the name of the table there, and the keys it has."""
_NAMING_PARTS: Final = {"commands", "history"}
"""The pages that say of each row to which part it belongs."""


def keys_table(page: str, tables: tuple[PartKeys[Any], ...]) -> str:
    """Returns a row for each thing that keys do."""
    rows = [(table.part, ", ".join(keys), words) for table in tables for keys, words in table.rows()]
    first = 0 if page in _NAMING_PARTS else 1
    lines = [" | ".join(row[first:]) for row in [("where", "keys", "what they do"), *rows]]
    return "\n".join([f"| {lines[0]} |", "|" + "---|" * (3 - first), *(f"| {line} |" for line in lines[1:])])
