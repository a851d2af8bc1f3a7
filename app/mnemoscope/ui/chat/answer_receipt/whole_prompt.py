"""The page of a receipt with the whole request that the answer was asked for with, to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.answer_receipt.sent_request import SentRequest
from mnemoscope.domain.context.prompt_snapshot import ALTERED
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.text.plain_text import plain_box, plain_label
from mnemoscope.ui.widgets.theme import Theme


class WholePrompt(QWidget):
    """Shows the whole request. It is asked for when the page is first seen: its images are read for that alone."""

    prompt_requested = Signal()
    """The request is to be read, with its images."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sent: SentRequest | None = None
        self._is_asked_for = False
        self.text = plain_box(self, self.tr("Whole prompt"))
        offer_forgetting(self.text)
        flags = self.text.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.text.setTextInteractionFlags(flags)
        self.text.setFont(Theme.current().font("code"))
        self.state = plain_label(self, "caption")
        self.copy = QPushButton(self.tr("Copy as JSON"), self)
        self.copy.setToolTip(self.tr("Copies the request as it was sent, with the data of its images"))
        self.copy.setEnabled(False)
        self.copy.clicked.connect(self._on_copy)
        self.data = QCheckBox(self.tr("Show the data of images"), self)
        self.data.toggled.connect(self._fill)
        self.data.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.copy)
        row.addWidget(self.data)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.text, 1)
        column.addWidget(self.state)
        column.addLayout(row)

    def show_request(self, sent: SentRequest) -> None:
        """Shows a request, and says what of it is not kept."""
        self.sent = sent
        self.copy.setEnabled(True)
        self.data.setVisible(sent.has_images)
        words = [
            self.tr(
                "This is the request to the letter, but for keys and passwords, which are never written down, and for "
                "what was forgotten since."
            )
        ]
        if not sent.has_options:
            words = [
                self.tr("An earlier version kept this prompt, without the length and temperature that were asked for.")
            ]
        if sent.doubt == ALTERED:
            words = [core_words(ALTERED)]
        elif sent.doubt:
            words.append(core_words(sent.doubt))
        if sent.gone:
            words.append(self.tr("%n images are not there any more: words stand in their place.", "", sent.gone))
        self.state.setText(" ".join(words))
        self._fill()

    def show_nothing(self, words: str) -> None:
        """Says why there is no request to show."""
        self._is_asked_for = True
        self.text.setPlainText(words)
        self.state.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Asks for the request when it is first seen."""
        super().showEvent(event)
        if not self._is_asked_for:
            self._is_asked_for = True
            self.prompt_requested.emit()

    def _fill(self) -> None:
        if self.sent is not None:
            place = self.text.verticalScrollBar().value()
            self.text.setPlainText(self.sent.as_text(with_data=self.data.isChecked()))
            self.text.verticalScrollBar().setValue(place)

    def _on_copy(self) -> None:
        if self.sent is not None:
            QGuiApplication.clipboard().setText(self.sent.as_json())
