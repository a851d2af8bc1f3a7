"""The Dream pane: what waits, the run at work, and a card for each of the last runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.dream.run import DreamRun, DreamState, Spend
from mnemoscope.domain.settings import DREAM, Settings
from mnemoscope.ui.dream.dream_words import (
    duration,
    edit_words,
    exact,
    facts_words,
    introduction,
    near_moment,
    next_words,
    outcome_icon,
    run_outcome_words,
    spend_words,
    today_words,
    tr,
    undone_words,
    unread_words,
    without_dream,
)
from mnemoscope.ui.support.answer_words import answer_words
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.pane import Pane
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SHOWN_RUNS = 50
_SLOW_SECONDS: Final = 10
"""From here on it is said for how long a run is at work."""
_OUTCOME_ICON: Final = 16


class DreamPane(Pane):
    """Knows neither disk nor model: it is told how things stand and says what is wanted."""

    manual_page: ClassVar = "dream"
    run_requested = Signal()
    stop_requested = Signal()
    pause_requested = Signal(bool)
    """Dream is to pause; with False, to go on."""
    show_requested = Signal(object)
    """It is to be shown what this `DreamRun` changed."""
    undo_requested = Signal(object)
    """The changes of this `DreamRun` are to be taken back."""
    review_requested = Signal()
    profile_requested = Signal()
    """The person wants Dream to tend this workspace's memory."""
    guide_requested = Signal()
    """The person wants to see how Dream is guided."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Dream"))
        self._read_only = False
        self._runs: Sequence[DreamRun] = ()
        self._is_known = False
        """Whether a state was shown yet."""
        self.head = DreamHead(self)
        self.head.run_requested.connect(self.run_requested)
        self.head.stop_requested.connect(self.stop_requested)
        self.head.pause_requested.connect(self.pause_requested)
        self.introduction = DreamIntroduction(self)
        self.introduction.use_pressed.connect(self.profile_requested)
        self.guide = QPushButton(self.tr("How Dream is guided"), self)
        set_role(self.guide, kind="link")
        self.guide.clicked.connect(lambda _checked=False: self.guide_requested.emit())
        self._cards = QWidget(self)
        set_role(self._cards, role="canvas")
        self._column = QVBoxLayout(self._cards)
        # The ring of what scrolls keeps clear of the first card.
        self._column.setContentsMargins(12, 6, 12, 12)
        self._column.setSpacing(8)
        self._column.addWidget(self.introduction)
        self._column.addStretch(1)
        self._lay_out()
        # What is right is not known before the state is.
        self.introduction.hide()
        self._heir: QWidget = self.head.run

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the keyboard to what stands for the pane. With a focus proxy Tab would go round for ever."""
        self._heir.setFocus(event.reason())

    def show_state(self, state: DreamState, now: datetime, settings: Settings) -> None:
        """Shows how things stand; before the first run also what Dream does by these settings, when, and its cost."""
        in_force = settings.profile == DREAM
        # A button that goes would hand the keyboard on to Pause, and one more Enter would switch Dream off.
        had_keyboard = self.window().focusWidget() in {self.head.run, self.head.stop}
        self.head.show_state(state, now)
        self.head.setVisible(in_force or bool(state.waiting or state.runs))
        self.introduction.show_settings(settings, offers=not in_force and not self._read_only)
        self.introduction.setVisible(not in_force or not state.runs)
        self.guide.setVisible(in_force)
        self._show_runs(state.runs[:_SHOWN_RUNS], now)
        # The keyboard goes to what can be pressed; to the newest record sooner than to Pause.
        records = self.cards[:1]
        for card in records:
            # One that was just made is not in sight before the layout is, and takes no keyboard.
            card.show()
        of_dream = (self.head.stop, self.head.run, *records, self.head.pause)
        ways: Sequence[QWidget] = of_dream if in_force else (self.introduction.use,)
        self._heir = next((way for way in ways if way.isEnabled() and not way.isHidden()), self.guide)
        if had_keyboard:
            self._heir.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self._is_known and self._scroll.hasFocus():
            # The keyboard came before anything could be pressed.
            self._heir.setFocus(Qt.FocusReason.OtherFocusReason)
        self._is_known = True

    def set_read_only(self) -> None:
        """Takes away every offer that writes, where the workspace is only read."""
        self._read_only = True
        self.head.set_read_only()
        self.introduction.use.hide()

    def reveal(self, run: DreamRun) -> None:
        """Brings the record of a run into sight and gives it the keyboard; older ones than are listed are not there."""
        card = next((card for card in self.cards if card.run.id == run.id), None)
        if card is not None:
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)
            # Cards that were just made have no place yet.
            QTimer.singleShot(0, card, lambda: self._scroll.ensureWidgetVisible(card, 0, 8))

    def lines(self) -> list[str]:
        """Returns what the pane says at the moment, label by label."""
        return [label.text() for label in self.findChildren(QLabel) if label.isVisible()]

    @property
    def cards(self) -> list[RunCard]:
        """Returns the cards on show, the newest first."""
        # No item of the column is asked for: Qt deletes it with its card, and Python's object for it would be taken for
        # whatever comes to stand at its address.
        placed = [card for card in self.findChildren(RunCard) if self._column.indexOf(card) >= 0]
        return sorted(placed, key=self._column.indexOf)

    def _show_runs(self, runs: Sequence[DreamRun], now: datetime) -> None:
        if tuple(runs) == tuple(self._runs):
            return
        self._runs = runs
        # Without runs there is only something to read, which the keys scroll.
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus if runs else Qt.FocusPolicy.StrongFocus)
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        for place, run in enumerate(runs):
            card = RunCard(run, now, read_only=self._read_only, parent=self._cards)
            card.show_requested.connect(self.show_requested)
            card.undo_requested.connect(self.undo_requested)
            card.review_requested.connect(self.review_requested)
            card.reached.connect(partial(self._have_tab_stop_at, card))
            card.stepped.connect(self._step)
            card.be_stop(place == 0)
            self._column.insertWidget(place, card)

    def _have_tab_stop_at(self, stop: RunCard) -> None:
        """Has Tab come to this card and its buttons; the arrow keys go to the others."""
        for card in self.cards:
            card.be_stop(card is stop)

    def _step(self, way: int) -> None:
        """Gives the keyboard to another card, so many further down, the first or the last where there are fewer."""
        cards = self.cards
        at = next((place for place, card in enumerate(cards) if card.hasFocus()), 0)
        card = cards[min(max(at + way, 0), len(cards) - 1)]
        card.setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll.ensureWidgetVisible(card, 0, 8)

    def _lay_out(self) -> None:
        scroll = self._scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        set_role(scroll, role="read")
        scroll.setWidget(self._cards)
        scroll.setAccessibleName(self.tr("Runs of Dream"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        margin = QVBoxLayout()
        margin.setContentsMargins(12, 6, 12, 0)
        link = LinkRow()
        link.addWidget(self.guide)
        link.addStretch(1)
        margin.addLayout(link)
        column.addLayout(margin)
        column.addWidget(scroll, 1)


class DreamIntroduction(QFrame):
    """Says what Dream does, when, and what it costs, as long as there is no run; offers it where it is not in use."""

    use_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._instead = plain_label(self)
        self.use = QPushButton(self.tr("Use Dream here…"), self)
        self.use.clicked.connect(lambda _checked=False: self.use_pressed.emit())
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(2)
        column.addWidget(self._instead)
        column.addSpacing(6)
        column.addWidget(self.use, 0, Qt.AlignmentFlag.AlignLeft)

    def show_settings(self, settings: Settings, *, offers: bool) -> None:
        """Shows it by these settings. `offers` says whether Dream may be taken into use here."""
        said = introduction(settings)
        while len(self._labels) < len(said):
            self._add_labels()
        for (heading, words), (title, sentences) in zip(self._labels, said, strict=True):
            heading.setText(title)
            words.setText(sentences)
        self._instead.setText(without_dream(settings.profile))
        self._instead.setVisible(settings.profile != DREAM)
        self.use.setVisible(offers)

    def _add_labels(self) -> None:
        heading, words = plain_label(self, "caption"), plain_label(self)
        place = 3 * len(self._labels)
        self._column.insertWidget(place, heading)
        self._column.insertWidget(place + 1, words)
        self._column.insertSpacing(place + 2, 6)
        self._labels.append((heading, words))


class DreamHead(QWidget):
    """Says what waits and when the next run comes; while a run is at work, how far it is."""

    run_requested = Signal()
    stop_requested = Signal()
    pause_requested = Signal(bool)
    """Dream is to pause; with False, to go on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = DreamState()
        self._read_only = False
        self.waiting = self._label("heading")
        self._clock = QElapsedTimer()
        self._second = QTimer(self, interval=1_000)
        self._second.timeout.connect(self._show_time)
        self.next = self._label("caption")
        self.spent = self._label("caption")
        self.at_work = self._label("caption")
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName(self.tr("Dream is at work"))
        self.run = QPushButton(self.tr("Run now"), self)
        set_role(self.run, kind="primary")
        presses = SinglePress(self)
        presses.connect_button(self.run, self.run_requested.emit)
        self.stop = QPushButton(self.tr("Stop"), self)
        presses.connect_button(self.stop, self.stop_requested.emit)
        self.pause = QPushButton(self.tr("Pause"), self)
        presses.connect_button(self.pause, lambda: self.pause_requested.emit(not self._state.paused))
        self._lay_out()
        for part in (self.stop, self.bar, self.at_work):
            part.hide()

    def show_state(self, state: DreamState, now: datetime) -> None:
        """Shows how things stand."""
        self._state = state
        if not state.running:
            self._clock.invalidate()
            self._second.stop()
            self.waiting.setText(unread_words(state))
        else:
            if not self._clock.isValid():
                self._clock.start()
            self._second.start()
            self._show_time()
        self.next.setText(next_words(state, now))
        self.next.setVisible(not state.running)
        spent = state.spent_today
        self.spent.setText(today_words(spent, state.day_limit))
        self.spent.setVisible(bool(self.spent.text()))
        self.pause.setText(self.tr("Resume") if state.paused else self.tr("Pause"))
        self.pause.setVisible(state.enabled and not self._read_only)
        self.run.setEnabled(bool(state.waiting) and not self._read_only)
        self.run.setVisible(not state.running and bool(state.waiting or state.runs))
        self.stop.setVisible(state.running)
        self.bar.setVisible(state.running)
        self.at_work.setVisible(state.running and bool(self.at_work.text()))
        if not state.running:
            self.at_work.clear()

    def show_begun(self, first: int, last: int, clock: QElapsedTimer) -> None:
        """Shows that a run reads these entries; the clock was started with it."""
        self._clock = clock
        words = tr("Reading entry {first}") if first == last else tr("Reading entries {first} to {last}")
        self.at_work.setText(words.format(first=first, last=last))
        self.at_work.setVisible(True)

    def show_progress(self, rounds: int, tokens: int, last: str) -> None:
        """Shows how far the run is: rounds asked, tokens spent, what was done last."""
        words = tr("Round {rounds} · {spend}").format(rounds=rounds, spend=spend_words(Spend(tokens, 0, 0.0)))
        self.at_work.setText(f"{words} · {core_words(last)}" if last else words)
        self.at_work.setVisible(True)

    def _show_time(self) -> None:
        """Says that a run is at work and, once that takes a while, for how long."""
        words, seconds = self.tr("Dream is reading"), self._clock.elapsed() // 1_000
        self.waiting.setText(f"{words} · {duration(seconds)}" if seconds >= _SLOW_SECONDS else words)

    def set_read_only(self) -> None:
        """Takes away what writes, where the workspace is only read."""
        self._read_only = True
        self.run.setEnabled(False)
        self.pause.hide()

    def _label(self, role: str) -> QLabel:
        label = plain_label(self, role)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        return label

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self.waiting, self.next, self.spent):
            words.addWidget(label)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.run, self.stop, self.pause):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 0)
        column.setSpacing(8)
        column.addLayout(words)
        column.addWidget(self.bar)
        column.addWidget(self.at_work)
        column.addLayout(buttons)


class RunCard(QFrame):
    """Shows one run of Dream: how it ended, what it read, changed and cost, and the way back.

    `now` is when it is shown. With `read_only` no way back is offered."""

    show_requested = Signal(object)
    """The person wants to see what this DreamRun changed."""
    undo_requested = Signal(object)
    """The person wants what this `DreamRun` changed taken back."""
    review_requested = Signal()
    reached = Signal()
    """The keyboard came here, or a button of the card was pressed."""
    stepped = Signal(int)
    """The person goes to the card that is so many further down."""

    def __init__(self, run: DreamRun, now: datetime, *, read_only: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self.run = run
        self._pressed = list[QPushButton]()
        self._mark = QLabel(self)
        self._outcome = QLabel(run_outcome_words(run), self)
        set_role(self._outcome, role="heading")
        when = QLabel(near_moment(datetime.fromisoformat(run.when), now), self)
        when.setToolTip(exact(run.when))
        set_role(when, role="caption")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._mark)
        head.addWidget(self._outcome)
        head.addStretch(1)
        head.addWidget(when)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(4)
        column.addLayout(head)
        for words, role in self._lines():
            column.addWidget(self._line(words, role))
        buttons = self._buttons(read_only)
        if buttons.count():
            column.addLayout(buttons)
        self.setAccessibleName(f"{self._outcome.text()}, {when.text()}, {facts_words(run)}")
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def be_stop(self, is_stop: bool) -> None:
        """Has Tab come to the card and its buttons, or pass them over."""
        for each in (self, *self._pressed):
            each.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.ClickFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.hasFocus() and DREAM_RUN_KEYS.press(self, event)):
            super().keyPressEvent(event)

    def _go_to_newest(self) -> None:
        self.stepped.emit(-_SHOWN_RUNS)

    def _go_to_oldest(self) -> None:
        self.stepped.emit(_SHOWN_RUNS)

    def _lines(self) -> list[tuple[str, str]]:
        edits = "   ".join(edit_words(edit) for edit in self.run.edits)
        lines = [
            (edits, "body"),
            (core_words(self.run.reason), "body"),
            (self.run.words, "muted"),
            (undone_words(self.run), "body"),
            (facts_words(self.run), "caption"),
            (answer_words(self.run.asked, self.run.cleaned), "caption"),
        ]
        return [(words, role) for words, role in lines if words]

    def _line(self, words: str, role: str) -> QLabel:
        label = plain_label(self, words=words)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if role != "body":
            set_role(label, role=role)
        return label

    def _buttons(self, read_only: bool) -> QHBoxLayout:
        row = LinkRow()
        row.setSpacing(4)
        held = any(edit.held for edit in self.run.edits)
        if held and not read_only:
            row.addWidget(self._button(self.tr("Review"), self.review_requested.emit))
        if any(not edit.held for edit in self.run.edits):
            row.addWidget(self._button(self.tr("Show change"), lambda: self.show_requested.emit(self.run)))
            if not (read_only or self.run.undone):
                row.addWidget(self._button(self.tr("Undo…"), lambda: self.undo_requested.emit(self.run)))
        if row.count():
            row.addStretch(1)
        return row

    def _button(self, words: str, handler: Callable[[], object]) -> QPushButton:
        button = QPushButton(words, self)
        set_role(button, kind="link")
        button.pressed.connect(self.reached)
        button.clicked.connect(lambda _checked=False: handler())
        self._pressed.append(button)
        return button

    def _restyle(self) -> None:
        name, role = outcome_icon(self.run)
        side = Theme.current().scaled(_OUTCOME_ICON)
        self._mark.setPixmap(Theme.current().icon(name, role).pixmap(QSize(side, side), self.devicePixelRatioF()))


DREAM_RUN_KEYS: Final[PartKeys[RunCard]] = PartKeys(
    "Dream, a run",
    PartKey("go to the run above", {"Up": lambda card: card.stepped.emit(-1)}),
    PartKey("go to the run below", {"Down": lambda card: card.stepped.emit(1)}),
    PartKey("go to the newest run", {"Home": RunCard._go_to_newest, "Ctrl+Home": RunCard._go_to_newest}),
    PartKey("go to the oldest run that is shown", {"End": RunCard._go_to_oldest, "Ctrl+End": RunCard._go_to_oldest}),
)
