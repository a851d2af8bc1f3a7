"""The keys of every part of the window, beside those of its commands."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.ui.capture.hit_tree import CAPTURE_KEYS
from mnemoscope.ui.chat.composer.composer_edit import COMPLETER_KEYS, COMPOSER_KEYS
from mnemoscope.ui.chat.transcript.transcript_view import TRANSCRIPT_KEYS
from mnemoscope.ui.dream.dream_pane import DREAM_RUN_KEYS
from mnemoscope.ui.history.history_filters import HISTORY_FIELD_KEYS
from mnemoscope.ui.history.history_pane import HISTORY_KEYS
from mnemoscope.ui.history.history_view import HISTORY_ENTRY_KEYS
from mnemoscope.ui.manual.manual_window import MANUAL_KEYS, MANUAL_SEARCH_KEYS
from mnemoscope.ui.memory.editor.editing_keys import MEMORY_TEXT_KEYS
from mnemoscope.ui.memory.editor.memory_editor import MEMORY_LEAVING_KEYS
from mnemoscope.ui.memory.memory_document import MEMORY_FILE_KEYS
from mnemoscope.ui.memory.review.conflict_view import CONFLICT_KEYS, CONFLICT_STEPPING_KEYS
from mnemoscope.ui.memory.review.review_dialog import REVIEW_KEYS, REVIEW_LINE_KEYS, REVIEW_PAIR_KEYS
from mnemoscope.ui.memory.versions.diff_view import DIFF_KEYS
from mnemoscope.ui.sessions.sessions_pane import SESSIONS_KEYS
from mnemoscope.ui.shell.actions import KeyRow
from mnemoscope.ui.timeline.timeline_view import TIMELINE_KEYS
from mnemoscope.ui.widgets.accessibility.part_keys import PartKeys
from mnemoscope.ui.widgets.text.find_controls import FIND_KEYS, REPLACE_KEYS

KEY_TABLES: Final[tuple[PartKeys[Any], ...]] = (
    COMPOSER_KEYS,
    COMPLETER_KEYS,
    SESSIONS_KEYS,
    TRANSCRIPT_KEYS,
    FIND_KEYS,
    REPLACE_KEYS,
    TIMELINE_KEYS,
    MEMORY_FILE_KEYS,
    MEMORY_TEXT_KEYS,
    MEMORY_LEAVING_KEYS,
    CONFLICT_KEYS,
    CONFLICT_STEPPING_KEYS,
    REVIEW_LINE_KEYS,
    REVIEW_PAIR_KEYS,
    REVIEW_KEYS,
    DIFF_KEYS,
    HISTORY_KEYS,
    HISTORY_FIELD_KEYS,
    HISTORY_ENTRY_KEYS,
    DREAM_RUN_KEYS,
    CAPTURE_KEYS,
    MANUAL_KEYS,
    MANUAL_SEARCH_KEYS,
)
"""The tables of all parts, in the order of the window."""


def part_rows() -> list[KeyRow]:
    """Returns the keys that parts of the window answer themselves, as Help > Keys lists them."""
    words = QCoreApplication.translate("PartKeys", "{part}: {what}")
    return [
        KeyRow(
            f"part.{at}.{what}",
            words.format(part=table.part, what=what),
            keys,
            is_fixed=True,
            in_text=table.in_text,
            is_elsewhere=table.in_own_window,
        )
        for at, table in enumerate(KEY_TABLES)
        for keys, what in table.rows()
    ]
