"""The ways from what was found to the place where it stands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mnemoscope.ui.search.controller import SearchNavigation

if TYPE_CHECKING:
    from mnemoscope.ui.shell.workspace_window import WorkspaceWindow

_TELLING: Final = 60
"""Characters of a passage by which the history finds its entry."""


def ways_of(window: WorkspaceWindow) -> SearchNavigation:
    """Those of one window."""
    return SearchNavigation(
        window.showing.message,
        lambda path, spot: window.tasks.spawn(_open_archived(window, path, spot), "open archived"),
        partial(_show_line, window),
        partial(_show_entry, window),
    )


async def _open_archived(window: WorkspaceWindow, path: str, spot: int) -> None:
    archive, name = window.sessions.archive, path.rpartition("/")[2]
    assert archive is not None
    closed = next((one for one in await archive.overviews() if one.path.name == name), None)
    if closed is not None:
        archive.open(closed, spot)


def _show_line(window: WorkspaceWindow, path: str, text: str) -> bool:
    if not path.endswith("MEMORY.md"):
        window.memory.show_file(path)
        return True
    rows = window.window.memory.main.editor.text().split("\n")
    # A passage begins and ends with words; the line in the file may be indented.
    row = next((row for row in rows if row.strip() == text), None)
    return row is not None and window.memory.show_line(row)


def _show_entry(window: WorkspaceWindow, text: str) -> None:
    from mnemoscope.domain.search.ranking import said  # not before something was searched

    window.window.inspector.show("history")
    words = said(text).partition("\n")[0].strip()
    window.window.history.search_for(words[:_TELLING].rsplit(" ", 1)[0] if len(words) > _TELLING else words)
