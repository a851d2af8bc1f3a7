"""Shows that a pane has nothing: an icon, one sentence, one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ICON = 32


class EmptyState(QWidget):
    """Stands centred in whatever room it gets."""

    def __init__(
        self,
        icon: str,
        sentence: str,
        action: str,
        handler: Callable[[], object],
        parent: QWidget,
        *,
        padding: int = 24,
    ) -> None:
        """`padding`: pixels above and below."""
        super().__init__(parent)
        self._icon = icon
        self._mark = QLabel(self)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = QLabel(sentence, self)
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self.sentence, role="muted")
        self.button = QPushButton(action, self)
        self.button.clicked.connect(lambda _checked=False: handler())
        column = QVBoxLayout(self)
        column.setContentsMargins(24, padding, 24, padding)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._mark)
        column.addWidget(self.sentence)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the keyboard to the button. With a focus proxy Tab, met after its button, would go round for ever."""
        self.button.setFocus(event.reason())

    def set_icon(self, name: str) -> None:
        """Shows another icon. One that is shown already is not drawn again."""
        if name != self._icon:
            self._icon = name
            self._restyle()

    def _restyle(self) -> None:
        picture = Theme.current().icon(self._icon, "text_faint")
        self._mark.setPixmap(picture.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
