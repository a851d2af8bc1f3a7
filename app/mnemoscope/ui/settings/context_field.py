"""A field for the tokens that a model's context holds: typed, or asked of the model's server."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from mnemoscope.domain.settings import Settings, is_built_in
from mnemoscope.llm.router import TypedModel
from mnemoscope.ui.settings.section import Section, make_compact, present
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme


class ContextField(QWidget):
    """Sets the context size of one model at a time; `requested` when its server is to be asked.

    What is set, typed or asked stays with the model it is of, by name and address, for as long as the field is there.
    """

    requested = Signal()

    def __init__(self, settings: Settings, section: Section, title: str) -> None:
        """`title` is for a screen reader."""
        super().__init__(section)
        self._settings = settings
        self._section = section
        self._sizes: dict[tuple[str, str], int] = {}
        self._model = settings.model, settings.api_base
        """The name and address of the model whose context stands in the field."""
        self._is_asking = False
        self.setMinimumHeight(Theme.current().height(CONTROL_HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.number = section.number(settings, "context_window_tokens", title, step=1024)
        self.number.setGroupSeparatorShown(True)
        self.number.setSuffix(self.tr(" tokens"))
        self.number.setSpecialValueText(self.tr("As the built-in table says"))
        self.number.valueChanged.connect(lambda _tokens: self.keep())
        self.ask = QPushButton(self.tr("Ask the server"), self)
        self.ask.setAccessibleDescription(title)
        self.ask.clicked.connect(self._on_ask)
        make_compact(self.number)
        row.addWidget(self.number)
        row.addWidget(self.ask)
        row.addStretch(1)
        self.setFocusProxy(self.number)

    @property
    def tokens(self) -> int:
        """Returns the context size that stands in the field; 0 for none that is set."""
        return self.number.value()

    def add_rows(self) -> None:
        """Adds the field to its section, and the line below it that says what a server told."""
        self._section.row(self.tr("Context size"), self)
        self.note = self._section.kept_line()

    def follow(self, model: str, api_base: str) -> None:
        """Shows the context that is known of a model: that of another does not hold for it."""
        if (model, api_base) != self._model:
            self._model = model, api_base
            self.number.setValue(self._sizes.get(self._model, self._settings.context_size(model, api_base)))
            self._is_asking = False
            self.note.clear()

    def follow_where_set(self, model: str, api_base: str, beside: Collection[str]) -> None:
        """Shows the field for a model that has one of its own: neither for none nor the built-in one, nor for one whose
        context is set elsewhere in the settings, `beside`."""
        self.follow(model, api_base)
        has_own = not is_built_in(model) and model not in beside
        for row in (self, self.note):
            self._section.form.setRowVisible(row, has_own)

    def keep(self, model: str = "", api_base: str = "") -> None:
        """Keeps what stands in the field as the context of its model, or of the model as it is named now, whose address
        was corrected."""
        self._model = (model, api_base) if model else self._model
        self._sizes[self._model] = self.number.value()

    def show_answer(self, asked: TypedModel, tokens: int, most: int, problem: str = "") -> None:
        """Says what a server tells of the context, or without an address what is known of the model without asking
        anybody, and takes it into the field; what was asked about another model is passed over."""
        self._is_asking = False
        if (asked.model, asked.api_base) != self._model:
            self.note.clear()
            return
        is_asked = bool(asked.api_base)
        if tokens:
            self.number.setValue(tokens)
            words = self.tr("The server gives this model {tokens} tokens.")
            if not is_asked:
                words = self.tr("The model reads {tokens} tokens by the table of models; nobody was asked.")
            words = words.format(tokens=f"{tokens:,}")
        elif not is_asked:
            words = self.tr("The table of models does not say how much this model reads.")
        elif most:
            words = self.tr(
                "The model can hold {tokens} tokens. How many its server gives it is not told: often far fewer."
            ).format(tokens=f"{most:,}")
        else:
            words = self.tr("The server does not tell how much this model reads.")
        self.note.setText(problem or words)
        present(self.note, self.note.text())

    def _on_ask(self) -> None:
        # The button stays as it is meanwhile: one that is switched off would lose the keyboard.
        if not self._is_asking:
            self._is_asking = True
            self.note.setText(self.tr("Asking…"))
            present(self.note, self.note.text())
            self.requested.emit()
