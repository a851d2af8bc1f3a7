"""Tries a model by one press: what it costs is said before, and what it can do is listed as it is found."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollBar, QSizePolicy, QWidget

from mnemoscope.llm.model_check import MOST_TOKENS, REQUESTS, Ability, TrialFinding, TrialOutcome
from mnemoscope.ui.settings.section import present, scroll_area_of
from mnemoscope.ui.support.money import cost_words
from mnemoscope.ui.translation.core_words import settings_words
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_MARKS = {
    TrialOutcome.YES: ("check", "success"),
    TrialOutcome.IN_TEXT: ("check", "success"),
    TrialOutcome.NO: ("x", "text_muted"),
    TrialOutcome.REFUSED: ("x", "text_muted"),
    TrialOutcome.UNKNOWN: ("circle-alert", "warning"),
}
_MARK_SIZE = 16


class ModelTest(QWidget):
    """Lists what was found. `head` stands in a row of its own above it: there `button` begins and stops it, and `price`
    says what it costs. `started` and `stopped` are presses."""

    started = Signal()
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self._follows = True
        """Whether the last line is kept in sight as lines come: until the person scrolls."""
        self._bar: QScrollBar | None = None
        self._found: list[tuple[TrialOutcome, QLabel, QLabel]] = []
        """The outcome of each question, with the label of its mark and that of its words."""
        self._waiting = plain_label(self, "caption", self.tr("Asking the model…"))
        self._waiting.hide()
        self.head = QWidget(self)
        self.button = QPushButton(self.tr("Test"), self.head)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        SinglePress(self).connect_button(self.button, self._on_press)
        self.price = plain_label(self.head, "caption")
        row = QHBoxLayout(self.head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.button)
        row.addWidget(self.price, 1)
        # Where no price is shown, the button stands at the left all the same.
        row.addStretch(0)
        self._grid = QGridLayout(self)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.addWidget(self._waiting, len(Ability) + 2, 1)
        # The lines stand from the top: the room that is kept for others is below them.
        self._grid.setRowStretch(len(Ability) + 3, 1)
        theme_notifier().changed.connect(self._restyle)
        self.look_up_price()

    @property
    def is_running(self) -> bool:
        """Returns whether a test goes on."""
        return self._running

    def look_up_price(self) -> None:
        """Says that it is not known yet what a test costs."""
        self._show_price(self.tr("looking up the price…"))

    def show_price(self, dollars: float | None, *, is_free: bool) -> None:
        """Says what a test costs at most: `dollars`, None where no price is known; free where the model runs on this
        computer."""
        if is_free:
            price = self.tr("on a server of this computer")
        elif dollars is None:
            price = self.tr("the price is not known")
        else:
            price = self.tr("at most {price}").format(price=cost_words(dollars))
        self._show_price(price)

    def _show_price(self, price: str) -> None:
        words = self.tr("{requests} short requests, up to {tokens} tokens").format(
            requests=REQUESTS, tokens=f"{MOST_TOKENS:,}"
        )
        self.price.setText(f"{words} · {price}")
        self.button.setAccessibleDescription(self.price.text())

    def begin(self) -> None:
        """Shows that a test goes on, and nothing of the one before."""
        self._clear()
        self._running = self._follows = True
        area = scroll_area_of(self)
        if area is not None and self._bar is None:
            self._bar = area.verticalScrollBar()
            self._bar.actionTriggered.connect(self._on_scrolled)
        self.button.setText(self.tr("Stop"))
        self._waiting.show()
        self._fit()
        # The room for all that is to come, at once: line by line, the button would move under the pointer each time.
        present(self, self._waiting.text())

    def show_finding(self, finding: TrialFinding) -> None:
        """Adds what was found of one ability."""
        self._add(finding.outcome, _finding_words(finding))

    def show_context(self, tokens: int) -> None:
        """Adds the context, 0 where it is not known."""
        self._add(TrialOutcome.YES if tokens else TrialOutcome.UNKNOWN, _context_words(tokens))

    def drop(self) -> None:
        """Shows nothing of the test any more, and stops it where it goes on."""
        if self._running:
            self._running = False
            self.stopped.emit()
        self._waiting.hide()
        self.button.setText(self.tr("Test"))
        self._clear()

    def end(self, problem: str = "") -> None:
        """Shows that the test is over; `problem` is why it could not be finished. Nothing is said of one that was
        dropped."""
        if not self._running:
            return
        self._running = False
        self._waiting.hide()
        self.button.setText(self.tr("Test"))
        if problem:
            self._add(TrialOutcome.UNKNOWN, problem)
        self._fit()

    def words(self) -> list[str]:
        """Returns the findings as they stand there."""
        return [label.text() for _, _, label in self._found]

    def event(self, event: QEvent) -> bool:
        """Takes the height that the sentences need at this width: the form around it asks for less. While a test goes
        on, it is at least that of a line for each ability and for the context."""
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return done

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            line = max(Theme.current().scaled(_MARK_SIZE), self.fontMetrics().height()) + self._grid.verticalSpacing()
            expected = (len(Ability) + 1) * line if self._running else 0
            self.setMinimumHeight(max(expected, layout.totalHeightForWidth(self.width())))

    def _on_press(self) -> None:
        (self.stopped if self._running else self.started).emit()

    def _on_scrolled(self, _action: int) -> None:
        """Leaves a person where they scrolled to. Bringing a line into sight moves the bar without an action."""
        self._follows = False

    def _add(self, outcome: TrialOutcome, words: str) -> None:
        row = len(self._found)
        mark, label = QLabel(self), plain_label(self, words=words)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(mark, row, 0)
        self._grid.addWidget(label, row, 1)
        self._found.append((outcome, mark, label))
        self._mark(outcome, mark)
        if self._follows:
            present(label, words)

    @staticmethod
    def _mark(outcome: TrialOutcome, mark: QLabel) -> None:
        name, role = _MARKS[outcome]
        side = Theme.current().scaled(_MARK_SIZE)
        mark.setPixmap(Theme.current().icon(name, role).pixmap(side, side))

    def _clear(self) -> None:
        for _, mark, label in self._found:
            for widget in (mark, label):
                self._grid.removeWidget(widget)
                widget.deleteLater()
        self._found.clear()

    def _restyle(self) -> None:
        for outcome, mark, _ in self._found:
            self._mark(outcome, mark)


def _context_words(tokens: int) -> str:
    """Returns a sentence about a model's context."""
    return (
        _tr("Reads up to {tokens} tokens.").format(tokens=f"{tokens:,}") if tokens else _tr("Its context is not told.")
    )


def _finding_words(finding: TrialFinding) -> str:
    """Returns a sentence about one ability of a model, with what the server said against it."""
    sentences = {
        (Ability.ANSWERS, TrialOutcome.YES): _tr("Answers."),
        (Ability.ANSWERS, TrialOutcome.NO): _tr("Its answer was empty."),
        (Ability.STREAMS, TrialOutcome.YES): _tr("Streams: words are shown as they come."),
        (Ability.STREAMS, TrialOutcome.NO): _tr("Does not stream: its answer came in one piece."),
        (Ability.TOOLS, TrialOutcome.YES): _tr("Calls tools."),
        (Ability.TOOLS, TrialOutcome.IN_TEXT): _tr("Writes tool calls into its text, where memory finds them."),
        (Ability.TOOLS, TrialOutcome.NO): _tr("Did not call the tool it was asked to call."),
        (Ability.TOOLS, TrialOutcome.REFUSED): _tr("Takes no tools."),
        (Ability.TOOLS, TrialOutcome.UNKNOWN): _tr("Tools could not be tried."),
        (Ability.SCHEMA, TrialOutcome.YES): _tr("Keeps to a schema."),
        (Ability.SCHEMA, TrialOutcome.NO): _tr("Does not keep to a schema; memory asks it in another way."),
        (Ability.SCHEMA, TrialOutcome.REFUSED): _tr("Takes no schema; memory asks it in another way."),
        (Ability.SCHEMA, TrialOutcome.UNKNOWN): _tr("A schema could not be tried."),
        (Ability.IMAGES, TrialOutcome.YES): _tr("Sees images."),
        (Ability.IMAGES, TrialOutcome.NO): _tr("Did not see what the image shows."),
        (Ability.IMAGES, TrialOutcome.REFUSED): _tr("Takes no images."),
        (Ability.IMAGES, TrialOutcome.UNKNOWN): _tr("Images could not be tried."),
    }
    words = sentences[finding.ability, finding.outcome]
    return (
        f"{words} {settings_words(finding.sentence)}"
        if finding.sentence and finding.outcome is TrialOutcome.UNKNOWN
        else words
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModelTest", text)
