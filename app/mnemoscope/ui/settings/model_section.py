"""Sets which model answers, where its server is, its key, how much it reads and writes, and tries it; and which model
works in the background, and what a day may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from mnemoscope.agent.workspace.model_choice import KeyState
from mnemoscope.domain.llm import ModelTraits
from mnemoscope.domain.settings import BUILT_IN_MODEL, Settings
from mnemoscope.llm.destination import destination_of
from mnemoscope.llm.model_catalog import ModelChoice, key_name, provider_of
from mnemoscope.llm.model_check import most_price
from mnemoscope.llm.router import TypedModel
from mnemoscope.ui.settings.context_field import ContextField
from mnemoscope.ui.settings.model_test import ModelTest
from mnemoscope.ui.settings.price_note import PriceNote
from mnemoscope.ui.settings.section import LIMITS, TYPING_MS, Fold, Section, present
from mnemoscope.ui.widgets.fields import DoubleSpinBox
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme

_ANY_MODEL: Final = "openai/any"
"""Stands for the models of a server that is asked for their names while none of them is chosen."""


@dataclass(frozen=True, slots=True)
class KeyEntered:
    """Describes a key the person typed; `keep` asks for the system's keychain, otherwise it is known for this run
    only."""

    model: str
    api_base: str
    key: str
    keep: bool


class ModelSection(Section):
    """Sets the model's name, address, key, context, longest answer and temperature. What is asked of a server carries a
    TypedModel: what stands in the fields, set or not."""

    search_servers_requested = Signal()
    key_status_requested = Signal(str, str)
    """It is to be shown whether there is a key for this model at this address."""
    list_requested = Signal(object)
    """The server is to name its models."""
    context_requested = Signal(object)
    """The server is to name the model's context."""
    test_requested = Signal(object)
    """The model is to be tried."""
    test_stopped = Signal()
    facts_requested = Signal(object)
    """Asks for what is known of the model without asking its server."""
    named = Signal()
    """Another name or another address stands in the fields."""

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Model"))
        self._settings = settings
        self._can_keep, self._reading = True, False
        self._key_words = ""
        """The words for the place where the key is kept, or for its being missing; "" where none is needed."""
        self._is_looking = False
        """A server is asked for its models."""
        self._listed_at: str | None = None
        """The address whose models the line below it tells of; None where it tells of something else."""
        self._typed_addresses: dict[tuple[str, str], str] = {}
        """The addresses that the person typed, by the model they were typed for: its name, and the address of its row
        in the list, "" where it is in no row."""
        self._typed_keys: dict[str, str] = {}
        """The keys that the person typed and that are not in the field now, by the provider or the server that each was
        typed for."""
        self._key_is_for = ""
        """The provider or the server that the key in the field is for."""
        self._tested: tuple[str, str] | None = None
        """The name and address of the model whose test is shown."""
        self._make_fields()
        self.setFocusProxy(self._model)
        self._lay_out()
        self.show_choices(choices)
        self._model_changed()

    def values(self) -> dict[str, Any]:
        """Returns all but the key, by the name of the setting."""
        return {
            "model": self.model_name() or BUILT_IN_MODEL,
            "api_base": self._base.text().strip(),
            "context_window_tokens": self.context.tokens,
            "max_tokens": self._longest.value(),
            "temperature": round(self._temperature.value(), 2),
        }

    def typed(self) -> TypedModel:
        """Returns the model as it stands in the fields."""
        return TypedModel(self.model_name(), self._base.text().strip(), self._key.text().strip() or None)

    def take_key(self) -> KeyEntered | None:
        """Returns the key that was typed, once; None where none was, and for the built-in model, which needs none."""
        typed = self._key.text().strip()
        self._key.clear()
        self._typed_keys.clear()
        if not typed or self.model_name() in {BUILT_IN_MODEL, ""}:
            return None
        keep = self._keep.isChecked() and self._can_keep
        return KeyEntered(str(self.values()["model"]), self._base.text().strip(), typed, keep)

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Fills the list of models; the one in force stays chosen, also if it is not in the list."""
        self._model.fill_when_closed(partial(self._fill, choices))

    def _fill(self, choices: Sequence[ModelChoice]) -> None:
        wanted = self.model_name() or self._settings.model
        self._model.blockSignals(True)
        self._model.clear()
        for choice in choices:
            built_in = choice.id == BUILT_IN_MODEL
            self._model.addItem(self.tr("Built-in, no language model") if built_in else choice.label, choice)
        position = next((row for row, one in enumerate(choices) if one.id == wanted), -1)
        self._model.setCurrentIndex(position)
        if position < 0:
            self._model.setEditText(wanted)
        self._model.blockSignals(False)

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._model, self._servers, self._base, self._key, self._keep, self.context, self._longest):
            field.setEnabled(False)
        for field in (self._temperature, self.test.button):
            field.setEnabled(False)
        self._reading = True
        self._model_note.setText(self.tr("The workspace is open for reading only: these settings stay as they are."))

    def servers_found(self, count: int) -> None:
        """Says how the search for servers ended. The keyboard goes on to the names if it is still at the button."""
        self._is_looking = False
        if count and self.window().focusWidget() is self._find:
            self._model.setFocus(Qt.FocusReason.OtherFocusReason)
        self._found.setText(
            self.tr("%n models found on this computer: choose one under Name.", "", count)
            if count
            else self.tr("No model server answers on this computer. Start Ollama or LM Studio, then look again.")
        )
        present(self._found, self._found.text())

    def models_listed(self, api_base: str, count: int, problem: str = "") -> None:
        """Says how the models of the server at an address were listed; what comes of another than the one in the field
        is passed over. The keyboard goes on to the names if it is still at the button."""
        if api_base != self._listed_at:
            return
        self._is_looking = False
        if count and self.window().focusWidget() is self._list:
            self._model.setFocus(Qt.FocusReason.OtherFocusReason)
        self._found.setText(
            problem
            or (
                self.tr("%n models at this server: choose one under Name.", "", count)
                if count
                else self.tr("This server answers, and has no models.")
            )
        )
        present(self._found, self._found.text())

    def show_facts(self, typed: TypedModel, traits: ModelTraits) -> None:
        """Says what is known of a model without asking; what was asked about another one is passed over."""
        if self._is_of(typed):
            free = destination_of(typed.model or BUILT_IN_MODEL, typed.api_base).kind == "this computer"
            self.test.show_price(most_price(traits), is_free=free)
            self._price.show_price(self.model_name(), traits)

    def show_key_status(self, model: str, api_base: str, status: KeyState) -> None:
        """Says where the key of a model is, if it needs one; what was asked about another one is passed over."""
        if (model, api_base) != self._named():
            return
        words = {
            "keychain": self.tr("A key is kept in the system's keychain. Type a new one to replace it."),
            "this run": self.tr("A key is known for this run."),
            "environment": self.tr("The key is taken from the environment."),
            "": self.tr("This model needs a key. It is never written into the workspace."),
        }
        self._key.setPlaceholderText(self.tr("Unchanged") if status.origin else "")
        self._can_keep = status.can_keep
        self._key_words = words[status.origin] if status.needed or status.origin else ""
        if status.needed and not status.origin:
            self.server.unfold()
        self._key_note.setText(self._key_words)
        self.server.refresh()
        self._keep.setEnabled(status.can_keep and not self._reading)
        self._keep.setChecked(status.can_keep)
        self._keep.setText(
            self.tr("Keep the key in the system's keychain")
            if status.can_keep
            else self.tr("No keychain here: the key is kept for this run only")
        )

    def _is_of(self, asked: TypedModel) -> bool:
        """Returns whether what was asked about is still what stands in the fields."""
        return (asked.model, asked.api_base) == self._named()

    def _named(self) -> tuple[str, str]:
        return self.model_name(), self._base.text().strip()

    def model_name(self) -> str:
        """Returns the chosen or typed model's name as the provider takes it."""
        choice, typed = self._model.currentData(), self._model.currentText()
        if isinstance(choice, ModelChoice) and typed == self._model.itemText(self._model.currentIndex()):
            return choice.id
        return typed.strip()

    def focus_longest(self) -> None:
        """Goes to the length of the longest answer; to the name where the built-in model answers, which has none."""
        if self.model_name() in {BUILT_IN_MODEL, ""}:
            self._model.setFocus()
            return
        self.answers.unfold()
        self._longest.setFocus()
        self._longest.selectAll()
        present(self._longest, "")

    def focus_server(self, place: str) -> None:
        """Goes to the "key" or the "address" of the server; to the name where the built-in model answers, which has
        neither."""
        if self.model_name() in {BUILT_IN_MODEL, ""}:
            self._model.setFocus()
            return
        field = self._key if place == "key" else self._base
        self.server.unfold()
        field.setFocus()
        field.selectAll()
        present(field, "")

    def fold_server(self) -> None:
        """Leaves the name alone in sight where a model is set up: its server, key, test and context stay behind a
        button, until a key is missing."""
        self.form.setRowVisible(self.server, True)
        is_set_up = self.model_name() not in {BUILT_IN_MODEL, ""}
        self.server.button.setChecked(not is_set_up)
        if is_set_up:
            self._model.setToolTip(plain_tooltip(self._model_note.text()))
            self.form.setRowVisible(self._model_note, False)

    def ask_key_status(self) -> None:
        """Has `show_key_status` and `show_facts` called for what is chosen now; what was said of another model's price
        is over."""
        self.test.look_up_price()
        self._price.hide()
        self.key_status_requested.emit(self.model_name(), self._base.text().strip())
        self._facts_wait.start()

    def _make_fields(self) -> None:
        self._facts_wait = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._facts_wait.timeout.connect(self._ask_facts)
        # Tab goes in the order in which they are made: as they stand.
        self._model = self.typed_choice(self.tr("Model"))
        self._model.currentTextChanged.connect(lambda _text: self._model_changed())
        self._model.activated.connect(lambda _row: self._take_choice())
        if (name := self._model.lineEdit()) is not None:
            name.textEdited.connect(lambda _text: self._take_typed_name())
        self.server = Fold(self, self.tr("Address, key and test"), self._server_words)
        self._base = QLineEdit(self._settings.api_base, self)
        self._base.setPlaceholderText(self.tr("The provider's own address"))
        self._base.setAccessibleName(self.tr("Server address"))
        self._base.editingFinished.connect(self.ask_key_status)
        self._base.textChanged.connect(lambda _text: self._show_listable())
        self._base.textEdited.connect(lambda _text: self._on_address_edited())
        self._base.textEdited.connect(self._keep_address)
        self._base.textEdited.connect(lambda _text: self._keep_key())
        self._base.textChanged.connect(lambda _text: self.named.emit())
        self._servers = self._make_server_buttons()
        self._key = QLineEdit(self)
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setAccessibleName(self.tr("Key"))
        self._keep = QCheckBox(self.tr("Keep the key in the system's keychain"), self)
        self.test = ModelTest(self)
        self.test.started.connect(self._on_test)
        self.test.stopped.connect(self.test_stopped)
        self.context = ContextField(self._settings, self, self.tr("Context size"))
        self.context.requested.connect(self._on_context_requested)
        self.answers = Fold(self, self.tr("Length and temperature"), self._answer_words)
        self._longest = self.number(self._settings, "max_tokens", self.tr("Longest answer"), step=512)
        self._longest.setGroupSeparatorShown(True)
        self._longest.setSuffix(self.tr(" tokens"))
        self._temperature = DoubleSpinBox(self)
        self._temperature.setRange(0, 2)
        self._temperature.setDecimals(2)
        self._temperature.setSingleStep(0.1)
        self._temperature.setValue(self._settings.temperature)
        self._temperature.setAccessibleName(self.tr("Temperature"))

    def _server_words(self) -> str:
        """Returns where the server is, and whether its key is known."""
        address = self._base.text().strip() or self._base.placeholderText()
        return f"{address} · {self._key_words}" if self._key_words else address

    def _answer_words(self) -> str:
        """Returns how long answers are at most, and how varied."""
        return self.tr("up to {length} · {temperature}").format(
            length=self._longest.text(), temperature=self._temperature.text()
        )

    def _ask_facts(self) -> None:
        self.facts_requested.emit(self.typed())

    def _make_server_buttons(self) -> QWidget:
        holder = QWidget(self)
        holder.setMinimumHeight(Theme.current().height(CONTROL_HEIGHT))
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._list = QPushButton(self.tr("List its models"), holder)
        self._list.clicked.connect(self._on_list)
        self._find = QPushButton(self.tr("Look for local servers"), holder)
        self._find.clicked.connect(self._on_find)
        for button in (self._list, self._find):
            row.addWidget(button)
        row.addStretch(1)
        return holder

    def _lay_out(self) -> None:
        self.row(self.tr("Name"), self._model)
        self._model_note = self.note()
        self._price = PriceNote(self, self.model_name)
        self.row(self.tr("Server"), self.server)
        self.row(self.tr("Server address"), self._base)
        self.row("", self._servers)
        self._found = self.kept_line()
        self.row(self.tr("Key"), self._key)
        self.row("", self._keep)
        self._key_note = self.kept_line()
        # So far up that what a test finds has room below its button.
        self.row("", self.test.head)
        self.row("", self.test)
        self.context.add_rows()
        self.server.add(self._base, self._servers, self._found, self._key, self._keep, self._key_note)
        self.server.add(self.test.head, self.test, self.context, self.context.note)
        self.server.show_row(self.test, False)
        self.server.unfold()
        self.form.setRowVisible(self.server, False)
        self.row(self.tr("Answers"), self.answers)
        self.row(self.tr("Longest answer"), self._longest)
        self.row(self.tr("Temperature"), self._temperature)
        self._temperature_note = self.note(self.tr("0 takes the likeliest words each time; higher values vary more."))
        self.answers.add(self._longest, self._temperature, self._temperature_note)
        self._show_listable()
        self.named.connect(self._drop_what_was_said)
        self._key_is_for = self._asked_for_key()
        self.named.connect(self._take_typed_key)

    def _model_changed(self) -> None:
        name = self.model_name()
        built_in = name in {BUILT_IN_MODEL, ""}
        self._show_listable()
        # Nothing is asked of the built-in model, so there is nothing to pay either.
        self.test.price.setVisible(not built_in)
        self._model_note.setText(
            self.tr(
                "Built-in, no language model: it answers by quoting what it finds in memory and history. "
                "It has no key, context size or length to set."
            )
            if built_in
            else self.tr("Any name that litellm knows, such as openai/gpt-4o-mini or ollama/qwen3:8b.")
        )
        self.context.follow(*self._named())
        self.named.emit()
        self.ask_key_status()

    def _take_choice(self) -> None:
        """Takes the address that was typed for the row that is chosen, otherwise its own. The built-in model has none,
        and what the background model asks is not sent to another model's."""
        choice = self._model.currentData()
        if isinstance(choice, ModelChoice):
            self._base.setText(self._typed_addresses.get((choice.id, choice.api_base), choice.api_base))
            self.context.follow(*self._named())
            # Until now it was asked at the address of the model before.
            self.ask_key_status()

    def _on_context_requested(self) -> None:
        self._on_address_edited()
        self.context_requested.emit(self.typed())

    def _keep_address(self, address: str) -> None:
        """Keeps an address that was typed until the fields are gone, or another is typed or it is cleared."""
        choice, name = self._model.currentData(), self.model_name()
        of_row = choice.api_base if isinstance(choice, ModelChoice) and choice.id == name else ""
        if address.strip() and name != BUILT_IN_MODEL:
            self._typed_addresses[name, of_row] = address
        else:
            self._typed_addresses.pop((name, of_row), None)

    def _take_typed_name(self) -> None:
        """Takes the address that was typed for the model whose name is typed again."""
        if (address := self._typed_addresses.get((self.model_name(), ""))) is not None:
            self._base.setText(address)

    def _keep_key(self) -> None:
        """Keeps the key in the field for a server whose address is corrected. Where an address is typed for a model
        that had none, or is cleared, another one is named."""
        named = self._asked_for_key()
        if self._key_is_for.startswith("@") and named.startswith("@"):
            self._key_is_for = named

    def _take_typed_key(self) -> None:
        """Has the field hold the key that was typed for the provider or the server that is named now, and no other's:
        it would be kept for the wrong one, and sent there."""
        named = self._asked_for_key()
        if named == self._key_is_for:
            return
        if typed := self._key.text():
            self._typed_keys[self._key_is_for] = typed
        else:
            self._typed_keys.pop(self._key_is_for, None)
        self._key_is_for = named
        self._key.setText(self._typed_keys.get(named, ""))

    def _asked_for_key(self) -> str:
        """Returns who gets the key in the field: the server at the address, as `@host`, else the provider. What a
        server lists is asked with the same key, whatever model is named meanwhile."""
        model, address = self._named()
        if address and model in {BUILT_IN_MODEL, ""}:
            model = _ANY_MODEL
        _, at, name = key_name(model or BUILT_IN_MODEL, address).rpartition("@")
        return f"{at}{name}" or provider_of(model or BUILT_IN_MODEL)

    def _on_address_edited(self) -> None:
        """Keeps the context of the model whose address is corrected."""
        model, address = self._named()
        self.context.keep(model or BUILT_IN_MODEL, address)

    def _drop_what_was_said(self) -> None:
        """Shows nothing more of the models of another server, nor of the test of another model, which ends."""
        if self._listed_at not in (None, self._base.text().strip()):
            self._listed_at = None
            self._is_looking = False
            self._found.clear()
        if self._tested not in (None, self._named()):
            self._tested = None
            self.test.drop()
            self.server.show_row(self.test, False)

    def _on_find(self) -> None:
        if self._begins_to_look():
            self._listed_at = None
            self.search_servers_requested.emit()

    def _on_list(self) -> None:
        if self._begins_to_look():
            typed = self.typed()
            self._listed_at = typed.api_base
            self.list_requested.emit(typed)

    def _begins_to_look(self) -> bool:
        """Says that servers are asked for models, and returns whether they were not yet. The buttons stay as they are
        meanwhile: one that is switched off would lose the keyboard."""
        if self._is_looking:
            return False
        self._is_looking = True
        self._found.setText(self.tr("Looking…"))
        present(self._found, self._found.text())
        return True

    def _on_test(self) -> None:
        self._tested = self._named()
        self.server.show_row(self.test, True)
        self.test.begin()
        self.test_requested.emit(self.typed())

    def _show_listable(self) -> None:
        """Shows the rows that the model has, of the built-in one neither a test nor sizes, and offers what an address
        is asked with: a server may want the key before it lists its models."""
        has_address = bool(self._base.text().strip())
        self._list.setEnabled(has_address and not self._reading)
        is_built_in = self.model_name() in {BUILT_IN_MODEL, ""}
        for field in (self._key, self._keep):
            self.server.show_row(field, has_address or not is_built_in)
        for part in (self._key_note, self.test.head, self.context, self.context.note):
            self.server.show_row(part, not is_built_in)
        self.form.setRowVisible(self.answers, not is_built_in)
        for row in (self._longest, self._temperature, self._temperature_note):
            self.answers.show_row(row, not is_built_in)


class BackgroundSection(Section):
    """Sets the model that consolidates, and what models may cost a day."""

    named = Signal()
    """Another name stands in the field."""

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("In the background"))
        self._model = self.typed_choice(self.tr("Model in the background"), self.tr("The model that answers"))
        self.context = ContextField(settings, self, self.tr("Context size of the model in the background"))
        self._limit = DoubleSpinBox(self)
        self._limit.setRange(0, LIMITS["spending_limit"][1])
        self._limit.setDecimals(2)
        self._limit.setSingleStep(0.5)
        self._limit.setPrefix("$")
        self._limit.setSpecialValueText(self.tr("No limit"))
        self._limit.setValue(settings.spending_limit)
        self._limit.setAccessibleName(self.tr("Daily limit"))
        self.row(self.tr("Model"), self._model)
        self.note(self.tr("Consolidates, and dreams where Dream has no model of its own. Another one may cost less."))
        self.price = PriceNote(self, self.model_name)
        self.context.add_rows()
        self.row(self.tr("Daily limit"), self._limit)
        self.note(
            self.tr("When so much was spent today, nothing is done in the background until tomorrow. The chat goes on.")
        )
        self.show_choices(choices)
        self._model.setCurrentText(settings.background_model)
        self._model.currentTextChanged.connect(lambda _text: self._on_typed())

    def values(self) -> dict[str, Any]:
        """Returns both, by the name of the setting."""
        return {"background_model": self.model_name(), "spending_limit": round(self._limit.value(), 2)}

    def focus_model(self) -> None:
        """Goes to the model."""
        self._model.setFocus()

    def focus_limit(self) -> None:
        """Goes to what a day may cost."""
        self._limit.setFocus()
        self._limit.selectAll()

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._model, self.context, self._limit):
            field.setEnabled(False)

    def model_name(self) -> str:
        """Returns the name that is typed or chosen, "" for the model that answers."""
        return self._model.currentText().strip()

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Fills the list of models; what is typed stays."""
        self._model.fill_when_closed(partial(self._fill, choices))

    def _fill(self, choices: Sequence[ModelChoice]) -> None:
        typed = self._model.currentText()
        self._model.clear()
        self._model.addItem("")
        self._model.addItems([choice.id for choice in choices])
        self._model.setCurrentText(typed)

    def _on_typed(self) -> None:
        self.price.look_up_soon()
        self.named.emit()
