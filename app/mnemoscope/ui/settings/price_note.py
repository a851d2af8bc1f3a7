"""The line below the name of a model that says what a million of its tokens cost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from mnemoscope.domain.llm import ModelTraits
from mnemoscope.domain.settings import is_built_in
from mnemoscope.ui.settings.section import TYPING_MS, Section
from mnemoscope.ui.support.money import cost_words


class PriceNote(QObject):
    """Stands in a section below the row that was added last, while a model is in it that may have a price; empty until
    the price is known. `requested` carries the name of a model of which something is to be known; no server is
    asked."""

    requested = Signal(str)

    def __init__(self, section: Section, model_name: Callable[[], str]) -> None:
        """`model_name` returns the model that is typed or chosen, "" for none."""
        super().__init__(section)
        self._form = section.form
        self._model_name = model_name
        self._label = section.kept_line()
        self._wait = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._wait.timeout.connect(self.look_up)
        self.hide()

    def hide(self) -> None:
        """Says nothing: what was said of another model's price is over."""
        self._label.clear()
        self._form.setRowVisible(self._label, not is_built_in(self._model_name()))

    def look_up(self) -> None:
        """Asks for the price of the model that stands there now."""
        self.hide()
        if name := self._model_name():
            self.requested.emit(name)

    def look_up_soon(self) -> None:
        """Asks for it once nobody types any more."""
        self.hide()
        self._wait.start()

    def show_price(self, model: str, traits: ModelTraits) -> None:
        """Says what a model costs; what was asked about another one is passed over."""
        if model == self._model_name():
            self._label.setText(_token_price_words(traits))


def _token_price_words(traits: ModelTraits) -> str:
    """Returns what a million tokens cost, "" where no price is known."""
    if traits.input_price is None or traits.output_price is None:
        return ""
    words = QCoreApplication.translate(
        "ModelSection", "{sent} for a million tokens that are sent, {written} for a million that it writes"
    )
    return words.format(sent=cost_words(traits.input_price * 1e6), written=cost_words(traits.output_price * 1e6))
