"""Names the folder, the model and the memory profile that are in force, and offers another model."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.llm import own_name
from mnemoscope.domain.settings import DREAM, THREE_TIER, TWO_LAYER, is_built_in
from mnemoscope.store.files.display_names import path_words
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.chat.model_choice_controller import ModelChoiceController
from mnemoscope.ui.settings import model_sheet
from mnemoscope.ui.settings.settings_controller import SettingsController
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.trust.trust_controller import TrustController
from mnemoscope.ui.support.glossary import Word, meaning_of

_LONGEST_PATH: Final = 40
"""Characters of a folder's path from which on the header shows its name alone."""


class HeaderController(QObject):
    """Keeps true what the window names in several places: header, title, composer, status line and memory pane.

    The model of the conversation in front goes before the model of the settings.
    """

    def __init__(
        self,
        window: MainWindow,
        bench: Workbench,
        *,
        conversation: ConversationController,
        models: ModelChoiceController,
        settings: SettingsController,
        trust: TrustController,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bench = bench
        self._conversation = conversation
        self._models = models
        self._settings = settings
        self._trust = trust
        settings.applied.connect(self.show)
        models.chosen.connect(self.show_model)
        window.chat.composer.model_clicked.connect(self.open_model)
        conversation.answers.model_requested.connect(self.open_model_at)

    def show(self) -> None:
        """Names folder, model and memory profile."""
        self._show_folder()
        self._name_model()
        self._show_profile()

    def show_model(self) -> None:
        """Names the model of the conversation in front, and where its words go."""
        self._name_model()
        self._trust.show()

    def choose_model(self) -> None:
        """Goes to where the model that the window's head names is chosen: the settings, or the sheet of a conversation
        that has a model of its own."""
        if self._models.now():
            self.open_model()
        else:
            self._settings.open()

    def open_model(self) -> None:
        """Offers other models above the message field; a folder that is not trusted yet is looked at first."""
        self.open_model_at("")

    def open_model_at(self, place: str) -> None:
        """Offers other models with the keyboard in the field `place` of the settings' model: "key", "address", or ""
        for its name, where it also is if the conversation has a model of its own."""
        if self._bench.trust.state.is_waiting or self._bench.read_only:
            self._trust.show_all()
            return
        models, key = self._models, self._conversation.key
        here = model_sheet.ConversationModels(models.labels, models.now(), partial(models.choose_in, key))
        self._window.layouts.show_chat()
        self._settings.open_model(self._window.chat.composer.model, here, "" if here.now else place)

    def _show_folder(self) -> None:
        root = self._bench.workspace.root
        short, whole = path_words(root), str(root)
        words = short if short.startswith("~") and len(whole) < _LONGEST_PATH else root.name
        self._window.header.show_workspace(words, whole, read_only=self._bench.read_only)
        self._window.setWindowTitle(f"{root.name} — Mnemoscope")

    def _name_model(self) -> None:
        here = self._models.now()
        model = here or self._bench.settings.model
        built_in = is_built_in(model)
        name, full = (self.tr("Built-in"),) * 2 if built_in else (own_name(model), model)
        short, whole = (
            self.tr("{model} · this conversation").format(model=each) if here else each for each in (name, full)
        )
        self._window.header.show_model(short, whole, built_in=built_in)
        self._window.chat.composer.show_model(name, self.tr("Answers: {model}. Choose another one").format(model=whole))

    def _show_profile(self) -> None:
        settings = self._bench.settings
        names = {
            TWO_LAYER: self.tr("Standard memory"),
            DREAM: self.tr("Dream memory"),
            THREE_TIER: self.tr("Three tiers"),
        }
        words = names.get(settings.profile, settings.profile)
        if settings.captures and settings.capture_paused:
            words += f" · {self.tr('capture is paused')}"
        meanings = {TWO_LAYER: Word.STANDARD, DREAM: Word.DREAM, THREE_TIER: Word.THREE_TIERS}
        meaning = meanings.get(settings.profile)
        self._window.status.show_profile(words, meaning_of(meaning) if meaning else "")
        self._window.memory.main.set_keeping(settings.profile, settings.memory_window)
