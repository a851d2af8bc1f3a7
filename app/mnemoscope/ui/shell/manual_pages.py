"""Maps each part of the window to its manual page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtWidgets import QApplication, QWidget

from mnemoscope.ui.capture.capture_dialog import CaptureDialog
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.dream.dream_pane import DreamPane
from mnemoscope.ui.history.pane import HistoryPane
from mnemoscope.ui.manual.manual import FIRST_PAGE
from mnemoscope.ui.memory.captures.captures_view import CapturesView
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.memory.review.conflict_view import ConflictView
from mnemoscope.ui.memory.review.incoming import IncomingView
from mnemoscope.ui.memory.review.suggestion_view import SuggestionView
from mnemoscope.ui.memory.versions.versions_view import VersionsView
from mnemoscope.ui.prompt.prompt_pane import PromptPane
from mnemoscope.ui.search.sheet import SearchSheet
from mnemoscope.ui.sessions.sessions_pane import SessionsPane
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.shell.command_palette import CommandPalette
from mnemoscope.ui.timeline.timeline_pane import TimelinePane

MANUAL_PAGES: Final[Mapping[type[QWidget], str]] = {
    CaptureDialog: "capture",
    CapturesView: "capture",
    ChatColumn: "chat",
    CommandPalette: "commands",
    ConflictView: "review",
    DreamPane: "dream",
    HistoryPane: "history",
    IncomingView: "review",
    MemoryPane: "memory",
    PromptPane: "prompt",
    SearchSheet: "search",
    SessionsPane: "conversations",
    SettingsDialog: "settings",
    SuggestionView: "review",
    TimelinePane: "timeline",
    VersionsView: "versions",
}


def page_in_focus() -> str:
    """Returns the name of the page about the innermost part that has the keyboard, or of the first page."""
    part = QApplication.focusWidget()
    while part is not None:
        if type(part) in MANUAL_PAGES:
            return MANUAL_PAGES[type(part)]
        part = part.parentWidget()
    return FIRST_PAGE
