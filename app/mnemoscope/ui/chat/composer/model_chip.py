"""Names the model that answers, at the composer; a press offers another one."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ICON: Final = 16
_LETTERS: Final = 18
"""So many letters of a name fit; the middle of a longer one is left out."""


class ModelChip(QPushButton):
    """An icon and the model's own name, without the provider before it; hidden until one is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = ""
        self._is_brief = False
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(self, kind="chip")
        self.hide()
        theme_notifier().changed.connect(self._show)

    def show_model(self, name: str, whole: str) -> None:
        """Shows a model's name; `whole` is a sentence that names it in full."""
        self._name = name
        self.setToolTip(plain_tooltip(whole))
        self.setAccessibleName(whole)
        self.show()
        self._show()

    def set_brief(self, brief: bool) -> None:
        """Leaves the name out where there is no room for it."""
        if brief != self._is_brief:
            self._is_brief = brief
            self._show()

    def _show(self) -> None:
        own = self._name.rpartition("/")[2] or self._name
        metrics = self.fontMetrics()
        room = metrics.averageCharWidth() * _LETTERS
        self.setText("" if self._is_brief else metrics.elidedText(own, Qt.TextElideMode.ElideMiddle, room))
        self.setIcon(Theme.current().icon("cpu", "text_muted"))
        # Wider than high: that keeps the name away from it.
        self.setIconSize(QSize(_ICON + (0 if self._is_brief else 4), _ICON))
