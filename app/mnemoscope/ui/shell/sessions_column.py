"""The column of conversations: gives way where a window is narrow, and comes back when it is asked for."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QDockWidget

from mnemoscope.ui.sessions.sessions_pane import SessionsPane
from mnemoscope.ui.shell.inspector import Inspector

COMFORT: Final = 118
"""Pixels beyond what everything takes at the least, below which the conversations hide themselves: with docks at the
side and text of the ordinary size that is in windows of less than 900."""


class SessionsColumn:
    """Shows and hides the panel. In a window too narrow for all, the docks make room while it is asked for."""

    def __init__(self, panel: SessionsPane, inspector: Inspector) -> None:
        self._panel, self._inspector = panel, inspector
        self._wanted = True
        self._narrow = False
        self._room = True
        self._least = 0
        self._away: list[QDockWidget] = []
        self._in_front: list[QDockWidget] = []
        self._widths: list[int] = []

    @property
    def width(self) -> int:
        """What the column takes at the least, with its edge; 0 while it is hidden."""
        return 0 if self._panel.isHidden() else self._panel.minimumWidth() + 1

    def fit(self, width: int, least: int) -> None:
        """Fits the column into a window `width` wide in which everything else takes `least`."""
        # Docks that made room are only away for a while.
        self._least = max(self._least, least) if self._away else least
        needed = self._least + self._panel.minimumWidth() + 1
        narrow, self._room = width < needed + COMFORT, width >= needed
        if narrow != self._narrow:
            self._narrow = narrow
            self.put_back()
            self._panel.setVisible(self._wanted and not narrow)
        elif not self._room and self.width and not self._away:
            self._panel.hide()

    def toggle(self) -> None:
        """Show or hide the conversations."""
        if self._panel.isHidden():
            self.show()
        else:
            self.hide()

    def show(self) -> None:
        """Show the conversations, in place of the docks where there is no room for both."""
        if not self._panel.isHidden():
            return
        if not self._narrow:
            self._wanted = True
        if not self._room:
            self._send_docks_away()
        self._panel.show()

    def hide(self) -> None:
        """Hide the conversations."""
        if not self._narrow:
            self._wanted = False
        self._panel.hide()
        self.put_back()

    def put_back(self) -> bool:
        """Bring the docks back that made room; whether there were any."""
        away, self._away = self._away, []
        for dock in away:
            dock.show()
        for dock in self._in_front:
            dock.raise_()
        if self._in_front:
            self._inspector.resize(self._in_front, self._widths)
        self._in_front = []
        return bool(away)

    def reset(self) -> None:
        """Shows the column as on the first day."""
        self.put_back()
        self._wanted = True
        self._panel.setVisible(not self._narrow)

    def _send_docks_away(self) -> None:
        docks = self._inspector.docks.values()
        self._away = [dock for dock in docks if not dock.isHidden() and not dock.isFloating()]
        self._in_front = [dock for dock in self._away if not dock.visibleRegion().isEmpty()]
        self._widths = [dock.width() for dock in self._in_front]
        for dock in self._away:
            dock.hide()
