"""The page of the model from the settings, floating above the message field, with what answers in this conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from mnemoscope.domain.settings import Settings
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.ui.settings.context_field import ContextField
from mnemoscope.ui.settings.model_section import ModelSection
from mnemoscope.ui.settings.price_note import PriceNote
from mnemoscope.ui.settings.section import Section, changed_values
from mnemoscope.ui.widgets.dialogs.floating_sheet import FloatingSheet
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.theme import Theme, set_role

_WIDTH: Final = 560
_GAP: Final = 6
"""Pixels between the chip and the sheet above it, and at least between the sheet and the window's edges."""
_FRAME: Final = 2 * 12 + 2
_LEAST: Final = 280
"""With less room than this above the chip, the sheet lies over it."""


@dataclass(frozen=True, slots=True)
class ConversationModels:
    """Holds the models that a conversation can have: `labels` gives their names with what they are called, "" for the
    one of the settings, and more of them once a server named some; `now` is in force."""

    labels: Callable[[], Mapping[str, str]]
    now: str
    choose: Callable[[str], None]


class ModelSheet(FloatingSheet):
    """Edits the model's settings; `applied` carries the changed values by name, `key_entered` a KeyEntered.

    Escape, *Cancel* and a click beside it leave everything as it is. A click beside it does nothing once something was
    typed: a key or an address is not lost by a slip.
    """

    manual_page: ClassVar = "models"
    applied = Signal(dict)
    key_entered = Signal(object)
    settings_requested = Signal()
    """All settings are to be shown in its place, see `give_way`."""
    closed = Signal()

    def __init__(
        self, window: QWidget, settings: Settings, choices: Sequence[ModelChoice], here: ConversationModels
    ) -> None:
        super().__init__(window)
        self.setAccessibleName(self.tr("Model"))
        self._settings = settings
        self._here = here
        self._anchor: QWidget | None = None
        self._rows_height = 0
        self._body = QWidget(self)
        # Tab goes in the order in which they are made: as they stand.
        self.conversation = self._make_conversation()
        self.model = ModelSection(settings, choices, self._body)
        self._name_sections()
        # With all of it in sight, a test finds room below its button.
        self.model.server.button.toggled.connect(self._unfold_answers)
        self.model.fold_server()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(4, 0, 12, 0)
        column.setSpacing(8)
        column.addWidget(self.conversation)
        column.addWidget(self.model)
        column.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._body)
        self._body.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        self._footer = self._make_footer()
        self.hold(self._scroll, self._footer, below=12)
        self._outer.setStretch(0, 1)
        self._outer.setStretch(1, 0)
        self.model.named.connect(self._follow_models)
        self._follow_models()
        self._before_typing = self._typed()
        self._body.installEventFilter(self)

    def open_above(self, anchor: QWidget, place: str = "") -> None:
        """Floats above a part of the window, as high as its rows need and there is room, with the keyboard in the
        model's "key" or "address" where that is what is wanted."""
        self._anchor = anchor
        self.float_over(self.model, Theme.current().scaled(_WIDTH), margin=4 * _GAP)
        if place:
            self.model.focus_server(place)

    def save(self) -> None:
        """Announces what was changed, and closes."""
        if entered := self.model.take_key():
            self.key_entered.emit(entered)
        self.applied.emit(changed_values(self._settings, self.model.values(), self._size_here()))
        chosen = self._chosen.currentData()
        if chosen != self._here.now:
            self._here.choose(chosen)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the height that the rows need, also when one comes or goes; scrolls to what Tab reaches."""
        if watched is self._body and event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keeps Tab within the sheet, and what it reaches in sight."""
        done = super().focusNextPrevChild(forward)
        if (reached := self._window.focusWidget()) is not None and self._body.isAncestorOf(reached):
            self._scroll.ensureWidgetVisible(reached, 0, 24)
        return done

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Saves at Enter in a field; Escape closes."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.save()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Closes at a click beside the card, unless that would lose what was typed."""
        if self._typed() == self._before_typing:
            super().mousePressEvent(event)

    def leave(self, held: QWidget | None) -> None:
        """Goes when a command takes the keyboard away, unless that would lose what was typed: then it takes it back."""
        if self._typed() == self._before_typing:
            super().leave(held)
        else:
            (held or self.model).setFocus()

    def give_way(self) -> bool:
        """Closes for another page with the same settings, unless that would lose what was typed: then it takes the
        keyboard. Returns whether it closed."""
        if self._typed() != self._before_typing:
            self.model.setFocus()
            return False
        self.hide()
        return True

    def hideEvent(self, event: QHideEvent) -> None:
        """Ends with the sheet: it is made anew with what is set then."""
        super().hideEvent(event)
        if self._anchor is not None and not event.spontaneous():
            self._anchor = None
            self.closed.emit()
            self.deleteLater()

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Offers the models there are, for the settings and for the conversation; what is chosen stays."""
        self.model.show_choices(choices)
        self._chosen.fill_when_closed(self._offer_models_anew)

    def conversation_model(self) -> str:
        """Returns the model that is chosen for the conversation, "" for the one of the settings."""
        return str(self._chosen.currentData() or "")

    def ask_facts(self) -> None:
        """Has the price and the context size follow the model that is chosen for the conversation; that of the settings
        has a page of its own below."""
        self._follow_models()
        self.price.look_up()

    def _typed(self) -> tuple[object, ...]:
        return (*self.model.values().values(), self.model.typed().key, self._chosen.currentData(), self._size_here())

    def _follow_models(self) -> None:
        """Offers the context size of the model that is chosen for the conversation, where that of the settings below is
        another one."""
        model = self.conversation_model()
        self.context.follow_where_set(model, self.model.typed().api_base, (self.model.model_name(),))

    def _size_here(self) -> dict[str, int]:
        """Returns the context size of the model that is chosen for the conversation, by its name."""
        is_offered = self._conversation_form.isRowVisible(self.context)
        return {self.conversation_model(): self.context.tokens} if is_offered else {}

    def _unfold_answers(self, unfolded: bool) -> None:
        if unfolded:
            self.model.answers.unfold()

    def _make_conversation(self) -> Section:
        section = Section(self._body)
        section.set_title(self.tr("This conversation"))
        self._chosen = ComboBox(section)
        self._chosen.setAccessibleName(self.tr("Model for this conversation"))
        section.row(self.tr("Answered by"), self._chosen)
        self.price = PriceNote(section, self.conversation_model)
        self._conversation_form = section.form
        self.context = ContextField(self._settings, section, self.tr("Context size of the model for this conversation"))
        self.context.add_rows()
        self._offer_models(section, self._here.now)
        self._chosen.currentIndexChanged.connect(lambda _index: self.ask_facts())
        return section

    def _offer_models(self, section: Section, chosen: str) -> None:
        labels = self._here.labels()
        with QSignalBlocker(self._chosen):
            self._chosen.clear()
            for model, label in labels.items():
                self._chosen.addItem(label, model)
            self._chosen.setCurrentIndex(max(0, self._chosen.findData(chosen)))
        section.setVisible(len(labels) > 1)

    def _offer_models_anew(self) -> None:
        self._offer_models(self.conversation, self._chosen.currentData())
        self._name_sections()

    def _name_sections(self) -> None:
        """Says of the model of the settings when it answers: always, where there is no other to choose above it."""
        elsewhere = self.tr("The model that answers where a conversation has none of its own")
        self.model.set_title(self.tr("The model that answers") if self.conversation.isHidden() else elsewhere)

    def _make_footer(self) -> QWidget:
        footer = QWidget(self)
        row = QHBoxLayout(footer)
        row.setContentsMargins(4, 8, 12, 0)
        row.setSpacing(8)
        all_settings = QPushButton(self.tr("All settings…"), footer)
        set_role(all_settings, kind="link")
        all_settings.clicked.connect(self.settings_requested)
        save = QPushButton(self.tr("Save"), footer)
        set_role(save, kind="primary")
        save.clicked.connect(self.save)
        cancel = QPushButton(self.tr("Cancel"), footer)
        cancel.clicked.connect(self.hide)
        row.addWidget(all_settings)
        row.addStretch(1)
        row.addWidget(save)
        row.addWidget(cancel)
        return footer

    def _place(self) -> None:
        if self._anchor is None:
            return
        self.setGeometry(self._window.rect())
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        least = self._body.minimumSizeHint().width() + bar + _FRAME
        width = min(max(self._widest, least), self.width() - 2 * _GAP)
        corner = self._anchor.mapTo(self._window, QPoint(0, 0))
        left = max(_GAP, min(corner.x(), self.width() - width - _GAP))
        layout = self._body.layout()
        if layout is not None and not self.model.form.isRowVisible(self.model.test):
            # What a test finds has no height of its own: the sheet would grow upwards, and take the button of the test
            # away from under the pointer.
            self._rows_height = layout.totalHeightForWidth(width - _FRAME - bar)
        wanted = self._rows_height + self._footer.sizeHint().height() + _FRAME + 8
        bottom = corner.y() - _GAP
        if bottom - _GAP < min(wanted, _LEAST):
            bottom = self.height() - _GAP
        top = max(_GAP, bottom - wanted)
        self._outer.setContentsMargins(left, top, self.width() - width - left, self.height() - bottom)
        self._outer.activate()
