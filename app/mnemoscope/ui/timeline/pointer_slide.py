"""The pointer on its way to a new place: the one motion of the timeline that means something."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QStyle, QWidget

_SLIDE_MS: Final = 240


class PointerSlide(QObject):
    """Counts from 0.0 to 1.0 while the pointer slides from message `start` to message `stop`."""

    moved = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self.allowed = True
        self.start = self.stop = 0
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setDuration(_SLIDE_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self.moved)
        self._animation.finished.connect(self.moved)

    @property
    def running(self) -> bool:
        """Returns whether the pointer is on its way."""
        return self._animation.state() == QVariantAnimation.State.Running

    @property
    def progress(self) -> float:
        """Returns how far it came, 1.0 when it stands."""
        return float(self._animation.currentValue()) if self.running else 1.0

    def run(self, start: int, stop: int) -> None:
        """Slides forward, where motion is wanted at all. A pointer that goes back stands there at once."""
        self.end()
        self.start, self.stop = start, stop
        if self.allowed and stop > start and self._widget.isVisible() and system_animates(self._widget):
            self._animation.start()

    def end(self) -> None:
        """Stands at the new place now."""
        if self.running:
            self._animation.stop()


def system_animates(widget: QWidget) -> bool:
    """Returns whether things may move: a system can be told that less motion is wanted."""
    return widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget) > 0
