"""The lines above the entries: how many there are, which one is the current match, and the way to the next."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from mnemoscope.ui.history.labels import count_label, place_label, tr
from mnemoscope.ui.history.model import HistoryModel
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier


class HistoryHeader(QWidget):
    """Title and count; `matches` is a line of its own, with the place and two arrows, for beneath the field: what is
    typed into stays where it is when the line appears."""

    step_requested = Signal(int)
    counted = Signal(str)
    """How many entries there are, in words, for whoever shows the title."""

    def __init__(self, model: HistoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.count_label = ElidedLabel(self)
        set_role(self.count_label, role="caption")
        self.matches = QWidget(parent)
        self.place_label = QLabel(self.matches)
        set_role(self.place_label, role="caption")
        self.previous_button = self._arrow(tr("Previous match (Shift+F3)"), -1)
        self.next_button = self._arrow(tr("Next match (F3)"), 1)
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()
        self.refresh(None)

    def refresh(self, current: int | None) -> None:
        """Say what is found and which match is the current one."""
        self.count_label.setText(count_label(self._model) if self._model.ready else "")
        self.counted.emit(self.count_label.text())
        self.place_label.setText(place_label(self._model, current))
        self.matches.setVisible(self._model.query.has_text)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(bool(self._model.matches))

    def show_title(self, shown: bool) -> None:
        """Show the count, or leave it to whoever hears `counted`; the name stands in the tab or in the dock's title."""
        self.setVisible(shown)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.count_label, 1)
        row = QHBoxLayout(self.matches)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.place_label, 1)
        row.addWidget(self.previous_button)
        row.addWidget(self.next_button)

    def _arrow(self, name: str, step: int) -> QToolButton:
        button = QToolButton(self.matches)
        set_role(button, kind="tight")
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setAutoRepeat(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.step_requested.emit(step))
        return button

    def _restyle(self) -> None:
        theme = Theme.current()
        side = max(24, int(self.fontMetrics().height() * 1.4))
        for button, name in ((self.previous_button, "chevron-up"), (self.next_button, "chevron-down")):
            button.setIcon(theme.icon(name, "text_muted"))
            button.setIconSize(QSize(theme.scaled(16), theme.scaled(16)))
            button.setFixedSize(side, side)
        self.setFixedHeight(max(28, side + 2))
        self.matches.setFixedHeight(side)
