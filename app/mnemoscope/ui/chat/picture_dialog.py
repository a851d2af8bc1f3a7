"""A picture as large as the screen lets it be; Esc or a click closes it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.accessibility.accessible_role import announce_role
from mnemoscope.ui.widgets.accessibility.focus_ring import RING
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.theme import set_role


class PictureView(QFrame):
    """Paints a picture in its middle, no larger than it is, and smaller where there is less room."""

    def __init__(self, image: QImage, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._image = image
        set_role(self, role="part")
        self.setAccessibleName(name)
        announce_role(self, QAccessible.Role.Graphic)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return self._image.size().boundedTo(QSize(1_200, 900)) + QSize(*(2 * [2 * RING]))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            room = self.contentsRect().size().boundedTo(self._image.size())
            size = self._image.size().scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
            left, top = (self.width() - size.width()) // 2, (self.height() - size.height()) // 2
            painter.translate(left, top)
            painter.scale(size.width() / self._image.width(), size.height() / self._image.height())
            painter.drawImage(0, 0, self._image)


class PictureDialog(Dialog):
    """Shows one picture."""

    def __init__(self, image: QImage, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = PictureView(image, name, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.addWidget(self.view)
        self.resize(self.view.sizeHint() + QSize(24, 24))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.accept()
