"""Shows the health of another agent's memory, beside the window that shows that memory."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.ui.health.health_view import HealthView
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, bounded
from mnemoscope.ui.widgets.theme import Theme


class HealthDialog(Dialog):
    """Holds a view that proposes nothing."""

    manual_page: ClassVar = "health"

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.view = HealthView(self)
        self.view.set_read_only()
        self.view.show_busy()
        self.view.read_again.hide()
        buttons = self.closing_buttons(is_default=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.view, 1)
        column.addWidget(buttons)
        self.resize(bounded(QSize(Theme.current().scaled(640), Theme.current().scaled(620)), self))
