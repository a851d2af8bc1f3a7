"""The pointer on its way to a new place: the one motion of the timeline that means something."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QVariantAnimation

SLIDE_MS: Final = 240


class PointerSlide(QObject):
    """Counts from 0.0 to 1.0 while the pointer slides from message `start` to message `stop`."""

    moved = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.allowed = True
        self.start = self.stop = 0

    @cached_property
    def _motion(self) -> QVariantAnimation:
        from PySide6.QtCore import QEasingCurve, QVariantAnimation

        motion = QVariantAnimation(self)
        motion.setStartValue(0.0)
        motion.setEndValue(1.0)
        motion.setDuration(SLIDE_MS)
        motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        motion.valueChanged.connect(self.moved)
        motion.finished.connect(self.moved)
        return motion

    @property
    def running(self) -> bool:
        """Whether the pointer is on its way."""
        return "_motion" in vars(self) and self._motion.state() == self._motion.State.Running

    @property
    def progress(self) -> float:
        """How far it came, 1.0 when it stands."""
        return float(self._motion.currentValue()) if self.running else 1.0

    def run(self, start: int, stop: int) -> None:
        """Slide forward, where motion is wanted at all. A pointer that goes back stands there at once."""
        self.end()
        self.start, self.stop = start, stop
        if self.allowed and stop > start and self._system_moves():
            self._motion.start()

    def end(self) -> None:
        """Stand at the new place now."""
        if self.running:
            self._motion.stop()

    def _system_moves(self) -> bool:
        widget = self.parent()
        if not isinstance(widget, QWidget) or not widget.isVisible():
            return False
        from PySide6.QtWidgets import QStyle

        return widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget) > 0
