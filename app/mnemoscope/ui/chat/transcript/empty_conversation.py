"""Shows a conversation without messages: an icon, one sentence, three things to ask."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier


class EmptyConversation(QWidget):
    """Offers examples; `example_chosen` carries the words of the one that was pressed."""

    example_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # Its end may be cut off sooner than a window is kept from being low.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        sentence = QLabel(self.tr("Say something. What matters is kept and shown beside the chat."), self)
        sentence.setTextFormat(Qt.TextFormat.PlainText)
        sentence.setWordWrap(True)
        sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        set_role(sentence, role="lead")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        column.addStretch(3)
        column.addWidget(self._icon)
        column.addSpacing(4)
        column.addWidget(sentence)
        self._note = QLabel(self)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note.hide()
        set_role(self._note, role="caption")
        column.addWidget(self._note)
        column.addSpacing(12)
        self._sentence, self._buttons = sentence, [self._button(words) for words in self._examples()]
        for button in self._buttons:
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(4)
        self._restyle()
        theme_notifier().changed.connect(self._restyle)

    def note(self, words: str) -> None:
        """Says quietly what happened to the conversation before; "" for nothing."""
        self._note.setText(words)
        self._note.setVisible(bool(words))

    def set_read_only(self) -> None:
        """Offers nothing to say: there is nobody here to say it to."""
        self._sentence.setText(self.tr("Nothing has been said in this conversation."))
        for button in self._buttons:
            button.hide()

    def _examples(self) -> tuple[str, str, str]:
        return (
            self.tr("What do you remember about me?"),
            self.tr("Remember that I prefer short answers."),
            self.tr("What did we settle on last time?"),
        )

    def _button(self, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.setMinimumWidth(280)
        button.clicked.connect(lambda _checked=False: self.example_chosen.emit(words))
        return button

    def _restyle(self) -> None:
        icon = Theme.current().icon("message-square", "text_faint")
        self._icon.setPixmap(icon.pixmap(QSize(36, 36), self.devicePixelRatioF()))
