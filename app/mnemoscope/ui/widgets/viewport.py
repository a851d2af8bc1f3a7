"""What of Qt's own making Python has to hold, found in a way that costs nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


def know_viewport(area: QAbstractScrollArea) -> None:
    """Make `area.viewport()` known to Python. Call it before anything asks for it.

    Of a plain widget it never saw PySide finds out what it is by making every class of widget there is, wizards and
    calendars included: 1.6 MB, for as long as the window lives. Found by its name it is taken for what it says it is.
    """
    surface = area.findChild(QWidget, "qt_scrollarea_viewport", Qt.FindChildOption.FindDirectChildrenOnly)
    assert surface is area.viewport()
