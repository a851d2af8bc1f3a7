"""Sets how a workspace's memory is kept: its profile, capture, notes by day, and how a full context is made room in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.llm import ModelTraits
from mnemoscope.domain.settings import (
    BEST_LOCAL_EMBEDDING,
    DREAM,
    LAYER_CHOICES,
    LOCAL_EMBEDDING,
    PROFILES,
    THREE_TIER,
    TWO_LAYER,
    WORDS_ALONE,
    Settings,
    embedding_model_in_force,
    is_on_this_computer,
)
from mnemoscope.llm.local_embedder import has_best_embedding, install_command, runs_best_embedding
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.ui.settings.context_field import ContextField
from mnemoscope.ui.settings.price_note import PriceNote
from mnemoscope.ui.settings.section import TYPING_MS, Section
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.money import cost_words
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.theme import Theme, set_role

_UNDER_WORDS: Final = 24
"""So far right of a button's mark do its words stand."""


_MEANINGS = {TWO_LAYER: Word.STANDARD, DREAM: Word.DREAM, THREE_TIER: Word.THREE_TIERS}


class MemorySection(Section):
    """Sets the profile and the memory window. `profile_changed` carries the profile that is chosen in the dialog."""

    profile_changed = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Memory"))
        self._profiles = QButtonGroup(self)
        self.row(self.tr("How memory is kept"), self._make_choice(settings.profile))
        self._window = self.number(settings, "memory_window", self.tr("Memory window"))
        self._window.setSuffix(self.tr(" messages"))
        self.row(self.tr("Memory window"), self._window)
        self._window_note = self.note(self.tr("When this many messages are not yet consolidated, the older half is."))
        self._check = QCheckBox(self.tr("Compare all facts once a week"), self)
        self._check.setChecked(settings.weekly_check)
        self.row("", self._check)
        self.note(
            self.tr(
                "What you save, and what is captured, is compared right after it is written. What disagrees waits for "
                "review; no file is changed. Each pair is asked about once."
            )
        )
        self._profiles.buttonClicked.connect(lambda _button: self._on_profile())
        self._on_profile()

    @property
    def profile(self) -> str:
        """Returns the profile that is chosen."""
        chosen = self._profiles.checkedButton()
        return str(chosen.property("profile")) if chosen is not None else TWO_LAYER

    def choose(self, profile: str) -> None:
        """Chooses a profile as a click would; one that is not offered is passed over."""
        for button in self._profiles.buttons():
            if button.property("profile") == profile:
                button.click()

    def focus_profile(self) -> None:
        """Goes to how memory is kept."""
        chosen = self._profiles.checkedButton()
        if chosen is not None:
            chosen.setFocus()

    def focus_window(self) -> None:
        """Goes to the memory window; to how memory is kept where nothing is counted."""
        if self.profile != TWO_LAYER:
            self.focus_profile()
            return
        self._window.setFocus()
        self._window.selectAll()

    def values(self) -> dict[str, Any]:
        """Returns profile, window and the weekly check, by the name of the setting."""
        return {
            "profile": self.profile,
            "memory_window": self._window.value(),
            "weekly_check": self._check.isChecked(),
        }

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        self._window.setEnabled(False)
        self._check.setEnabled(False)
        for button in self._profiles.buttons():
            button.setEnabled(False)

    def _make_choice(self, now: str) -> QWidget:
        """Returns a button and a sentence for each profile."""
        explained = {
            TWO_LAYER: (
                self.tr("Standard · as in nanobot 0.1.4"),
                self.tr("Each consolidation adds an entry to HISTORY.md and rewrites MEMORY.md."),
            ),
            DREAM: (
                self.tr("Dream · as in nanobot from 0.1.5"),
                self.tr(
                    "Summaries go to a history log, and Dream edits SOUL.md, USER.md and MEMORY.md by small steps."
                ),
            ),
            THREE_TIER: (
                self.tr("Three tiers · as in Qanot"),
                self.tr("Facts are remembered before each answer, exchanges in daily notes; nothing is rewritten."),
            ),
        }
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        for profile in PROFILES:
            title, sentence = explained[profile]
            column.addSpacing(6 if column.count() else 0)
            button = QRadioButton(title, holder)
            button.setProperty("profile", profile)
            button.setChecked(profile == now)
            button.setAccessibleDescription(sentence)
            button.setToolTip(meaning_of(_MEANINGS[profile]))
            self._profiles.addButton(button)
            column.addWidget(button)
            words = self.explanation(sentence, holder)
            words.setIndent(0)
            words.setContentsMargins(Theme.current().scaled(_UNDER_WORDS), 0, 0, 0)
            column.addWidget(words)
        return holder

    def _on_profile(self) -> None:
        counted = self.profile == TWO_LAYER
        for field in (self._window, self._window_note):
            self.form.setRowVisible(field, counted)
        self.profile_changed.emit(self.profile)


class CaptureSection(Section):
    """Sets capture as the profile has it, on or off, and the pause."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Capture"))
        self._choice = ComboBox(self)
        self._choice.setAccessibleName(self.tr("Capture"))
        self._choice.addItems(["", self.tr("On"), self.tr("Off")])
        self._choice.setCurrentIndex(LAYER_CHOICES.index(settings.capture))
        self.row(self.tr("What you say"), self._choice)
        self.note(
            self.tr("Your name, preferences, decisions and corrections are written to memory before you are answered.")
        )
        self._paused = QCheckBox(self.tr("Paused: nothing is kept for the moment"), self)
        self._paused.setChecked(settings.capture_paused)
        self.row("", self._paused)
        self._choice.currentIndexChanged.connect(lambda _index: self._follow())
        self.follow_profile(settings.profile)

    def follow_profile(self, profile: str) -> None:
        """Says what the first choice means with this profile."""
        self._by_profile = profile != DREAM
        words = self.tr("Default: on") if self._by_profile else self.tr("Default: off")
        self._choice.setItemText(0, words)
        self._follow()

    def values(self) -> dict[str, Any]:
        """Returns the choice and the pause."""
        return {
            "capture": LAYER_CHOICES[self._choice.currentIndex()],
            "capture_paused": self._paused.isChecked(),
        }

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        self._choice.setEnabled(False)
        self._paused.setEnabled(False)

    def _follow(self) -> None:
        choice = LAYER_CHOICES[self._choice.currentIndex()]
        self._paused.setEnabled(self._choice.isEnabled() and (choice == "on" or (not choice and self._by_profile)))


class NotesSection(Section):
    """Notes by day, the guard of a full context, and the search by meaning.

    `zone_typed` asks whether there is a time zone of that name; `show_zone_problem` is the answer. `facts_requested`
    asks what is known of the model that embeds; `show_facts` is the answer."""

    zone_typed = Signal(str)
    facts_requested = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Notes and context"))
        self._problem = ""
        self._notes = self._layer(settings.daily_notes, self.tr("Daily notes"))
        self._guard = self._layer(settings.context_guard, self.tr("Context"))
        self._guard.setToolTip(meaning_of(Word.CONTEXT))
        self._zone = QLineEdit(settings.time_zone, self)
        self._zone.setPlaceholderText(self.tr("The system's, or such as Asia/Tashkent"))
        self._zone.setAccessibleName(self.tr("Time zone"))
        self._budget = self.number(settings, "memory_budget_tokens", self.tr("Memory in a prompt"), step=500)
        self._budget.setGroupSeparatorShown(True)
        self._budget.setSuffix(self.tr(" tokens"))
        self.row(self.tr("Daily notes"), self._notes)
        self.note(self.tr("After each answer, a line of both sides goes into the day's file."))
        self.row(self.tr("Context"), self._guard)
        self.note(
            self.tr(
                "A working buffer at half of the model's context, and beyond 60 % only the first and last messages."
            )
        )
        self.row(self.tr("Time zone"), self._zone)
        self._zone_note = self.note()
        self.row(self.tr("Memory in a prompt"), self._budget)
        self._add_meaning(settings.embedding_model)
        self._wait = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._wait.timeout.connect(lambda: self.zone_typed.emit(self._zone.text().strip()))
        self._zone.textChanged.connect(lambda _text: self._wait.start())
        self.show_zone_problem(self._zone.text().strip(), "")
        self.follow_profile(settings.profile)

    def follow_profile(self, profile: str) -> None:
        """Says what the first choice of each layer means with this profile."""
        words = self.tr("Default: on") if profile == THREE_TIER else self.tr("Default: off")
        for box in (self._notes, self._guard):
            box.setItemText(0, words)

    @property
    def problem(self) -> str:
        """Returns why the time zone cannot be followed, as far as that was asked; "" where it can."""
        return self._problem

    def values(self) -> dict[str, Any]:
        """Returns all values, by the name of the setting."""
        return {
            "daily_notes": self._notes.currentData(),
            "context_guard": self._guard.currentData(),
            "time_zone": self._zone.text().strip(),
            "memory_budget_tokens": self._budget.value(),
            "embedding_model": self._embedding_model(),
        }

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._notes, self._guard, self._zone, self._budget, self._meaning):
            field.setEnabled(False)

    def focus_meaning(self) -> None:
        """Goes to the model by which the search finds what has the same meaning."""
        self._meaning.setFocus()

    def focus_zone(self) -> None:
        """Goes to the time zone that there is none of."""
        self._zone.setFocus()
        self._zone.selectAll()

    def show_zone_problem(self, zone: str, problem: str) -> None:
        """Says why `zone` cannot be followed, "" where it can; an answer on what was typed before is passed over."""
        if zone == self._zone.text().strip():
            self._problem = problem
            self._zone_note.setText(problem)
            set_role(self._zone_note, role="danger-caption" if problem else "caption")
            self.form.setRowVisible(self._zone_note, bool(problem))

    def ask_facts(self) -> None:
        """Has `show_facts` called for a model on a server that is chosen now."""
        model = embedding_model_in_force(Settings(embedding_model=self._embedding_model()))
        if model and not is_on_this_computer(model):
            self.facts_requested.emit(model)

    def show_facts(self, model: str, traits: ModelTraits, *, is_free: bool) -> None:
        """Says what the model that embeds costs; `is_free`: its server is on this computer. What was asked about
        another one is passed over."""
        if model != embedding_model_in_force(Settings(embedding_model=self._embedding_model())):
            return
        price = traits.input_price
        words = self.tr("What it costs is not known, so it does not count towards the daily limit.")
        if price is not None:
            words = self.tr("{sent} for a million tokens that are sent.").format(sent=cost_words(price * 1e6))
        self._price.setText(words)
        self.form.setRowVisible(self._price, not is_free)

    def _add_meaning(self, model: str) -> None:
        """Adds the choice of the model that embeds, and says what the one that is chosen gets to see."""
        self._meaning = self.typed_choice(
            self.tr("Search by meaning"), self.tr("The name of a model, such as ollama/nomic-embed-text")
        )
        self._meaning.addItem(self.tr("A small model of this computer"), "")
        self._meaning.addItem(self.tr("A larger model of this computer"), BEST_LOCAL_EMBEDDING)
        self._meaning.addItem(self.tr("By words alone"), WORDS_ALONE)
        self.row(self.tr("Search by meaning"), self._meaning)
        self._meaning_note = self.note()
        self._price = self.note()
        self._facts_wait = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._facts_wait.timeout.connect(self.ask_facts)
        self._install_note = self.note(self.tr("It is not installed yet. Type this in a terminal:"))
        # In a field, because a path has no place to break a line at.
        self._install = QLineEdit(install_command(model=BEST_LOCAL_EMBEDDING), self)
        self._install.setReadOnly(True)
        self._install.setCursorPosition(0)
        self._install.setAccessibleName(self.tr("The command that installs it"))
        self.row("", self._install)
        known = self._meaning.findData(model)
        self._meaning.setCurrentIndex(known)
        if known < 0:
            self._meaning.setEditText(model)
        self._meaning.currentTextChanged.connect(lambda _text: self._show_meaning())
        self._show_meaning()

    def _embedding_model(self) -> str:
        """Returns the name of the model that is chosen or typed, as the setting has it."""
        typed = self._meaning.currentText()
        listed = self._meaning.findText(typed, Qt.MatchFlag.MatchExactly)
        return str(self._meaning.itemData(listed)) if listed >= 0 else typed.strip()

    def _show_meaning(self) -> None:
        model = embedding_model_in_force(Settings(embedding_model=self._embedding_model()))
        sentences = {
            LOCAL_EMBEDDING: self.tr("It finds what says the same in other words, and sends nothing."),
            BEST_LOCAL_EMBEDDING: self.tr(
                "It is the one that knows Uzbek: 91 MB to download and 100 MB on the disk, some 35 ms a passage, and "
                "nothing is sent. It needs Linux on an x86-64 processor with AVX2."
            ),
            "": self.tr("Only what has the words is found. Nothing is sent."),
        }
        sent = self.tr(
            "All of memory, notes and conversations, and what you search for, is sent to its server: the server "
            "address of the model, or the provider's own."
        )
        self._meaning_note.setText(sentences.get(model, sent))
        lacks = model == BEST_LOCAL_EMBEDDING and runs_best_embedding() and not has_best_embedding()
        for row in (self._install_note, self._install):
            self.form.setRowVisible(row, lacks)
        self.form.setRowVisible(self._price, False)
        if model not in sentences:
            self._facts_wait.start()

    def _layer(self, chosen: str, name: str) -> ComboBox:
        """Returns a choice of the profile's way, on, or off."""
        words = {"": "", "on": self.tr("On"), "off": self.tr("Off")}
        box = ComboBox(self)
        for choice in LAYER_CHOICES:
            box.addItem(words[choice], choice)
        box.setCurrentIndex(LAYER_CHOICES.index(chosen))
        box.setAccessibleName(name)
        return box


class DreamSection(Section):
    """Sets when Dream runs, with which model, and its limits. `cron_typed` asks whether an expression can be followed;
    `show_cron_problem` is the answer."""

    cron_typed = Signal(str)
    named = Signal()
    """Another model stands in the field."""

    def __init__(self, settings: Settings, choices: Sequence[ModelChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Dream"))
        self._problem = ""
        self._enabled = QCheckBox(self.tr("Let Dream run by itself"), self)
        self._enabled.setChecked(settings.dream_enabled)
        self._hours = self.number(settings, "dream_interval_hours", self.tr("Every so many hours"))
        self._hours.setSuffix(self.tr(" hours"))
        self._hours.setPrefix(self.tr("every "))
        self._cron = QLineEdit(settings.dream_cron, self)
        self._cron.setPlaceholderText(self.tr("Instead of the hours, such as 0 */4 * * *"))
        self._cron.setAccessibleName(self.tr("Cron expression"))
        self._model = self.typed_choice(self.tr("Model for Dream"), self.tr("The model that answers"))
        self._model.addItem("")
        self._model.addItems([choice.id for choice in choices])
        self._model.setCurrentText(settings.dream_model)
        self.context = ContextField(settings, self, self.tr("Context size of the model for Dream"))
        self._model.currentTextChanged.connect(lambda _text: self._on_named())
        self._tokens = self.number(settings, "dream_max_tokens", self.tr("Tokens a run"), step=10_000)
        self._tokens.setSuffix(self.tr(" tokens"))
        self._tokens.setSpecialValueText(self.tr("No limit"))
        self._tokens.setGroupSeparatorShown(True)
        self._day = self.number(settings, "dream_day_tokens", self.tr("Tokens a day"), step=100_000)
        self._day.setSuffix(self.tr(" tokens"))
        self._day.setSpecialValueText(self.tr("No limit"))
        self._day.setGroupSeparatorShown(True)
        self._idle = self.number(
            settings, "idle_compact_minutes", self.tr("Minutes until an idle conversation is consolidated")
        )
        self._idle.setSuffix(self.tr(" minutes"))
        self._idle.setSpecialValueText(self.tr("Never"))
        self._lay_out()
        self._wait = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._wait.timeout.connect(lambda: self.cron_typed.emit(self._cron.text().strip()))
        self._cron.textChanged.connect(lambda _text: self._wait.start())
        self._enabled.toggled.connect(lambda _on: self._show_state())
        self._show_state()

    @property
    def problem(self) -> str:
        """Returns why the cron expression cannot be followed, as far as that was asked; "" where it can."""
        return self._problem

    def values(self) -> dict[str, Any]:
        """Returns all values, by the name of the setting."""
        return {
            "dream_enabled": self._enabled.isChecked(),
            "dream_interval_hours": self._hours.value(),
            "dream_cron": self._cron.text().strip(),
            "dream_model": self.model_name(),
            "dream_max_tokens": self._tokens.value(),
            "dream_day_tokens": self._day.value(),
            "idle_compact_minutes": self._idle.value(),
        }

    def set_read_only(self) -> None:
        """Lets nothing here be changed."""
        for field in (self._enabled, self._hours, self._cron, self._model, self._tokens, self._day, self._idle):
            field.setEnabled(False)
        self.context.setEnabled(False)

    def model_name(self) -> str:
        """Returns the name that is typed or chosen, "" for the model in the background."""
        return self._model.currentText().strip()

    def ask_cron(self) -> None:
        """Has what stands there looked at now."""
        self._wait.stop()
        self.cron_typed.emit(self._cron.text().strip())

    def show_cron_problem(self, cron: str, problem: str) -> None:
        """Says why `cron` cannot be followed, "" where it can; an answer on what was typed before is passed over."""
        if cron == self._cron.text().strip():
            self._problem = problem
            self._show_state()

    def focus_cron(self) -> None:
        """Goes to the expression that cannot be followed."""
        self._cron.setFocus()
        self._cron.selectAll()

    def _lay_out(self) -> None:
        self.row("", self._enabled)
        self._off = self.note(self.tr("Entries wait until you run it. Nothing is lost."))
        self.row(self.tr("How often"), self._hours)
        self.row(self.tr("Cron expression"), self._cron)
        self._cron_note = self.note()
        self.row(self.tr("Model"), self._model)
        self.price = PriceNote(self, self.model_name)
        self.context.add_rows()
        self.row(self.tr("Tokens a run"), self._tokens)
        self.row(self.tr("Tokens a day"), self._day)
        self.row(self.tr("Consolidate when idle"), self._idle)
        self.note(self.tr("A conversation in which nothing was said for so long is summed up."))

    def _on_named(self) -> None:
        self.price.look_up_soon()
        self.named.emit()

    def _show_state(self) -> None:
        on = self._enabled.isChecked()
        self.form.setRowVisible(self._off, not on)
        takes_precedence = bool(self._cron.text().strip()) and not self._problem
        words = self._problem or (self.tr("It stands before the hours.") if takes_precedence else "")
        self._cron_note.setText(words)
        set_role(self._cron_note, role="danger-caption" if self._problem else "caption")
        self.form.setRowVisible(self._cron_note, bool(words))
