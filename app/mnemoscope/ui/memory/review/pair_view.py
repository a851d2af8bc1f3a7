"""Two facts that disagree, side by side: the words of each, where it comes from, and the scope in which it holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QDate, QPointF, Qt, Signal
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QPalette, QTextLayout
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from mnemoscope.domain.capture.captured_line import read_line
from mnemoscope.domain.disagreement.memory_check import PlacedPair
from mnemoscope.domain.disagreement.settlement import Settlement
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.text.diff import Range, word_spans
from mnemoscope.ui.memory.memory_sentences import file_name
from mnemoscope.ui.memory.review.typed_words import PairFields
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.widgets.accessibility.accessible_role import announce_role
from mnemoscope.ui.widgets.fields import DateEdit
from mnemoscope.ui.widgets.text.offsets import to_utf16
from mnemoscope.ui.widgets.theme import Theme, set_role


class PairView(QFrame):
    """Shows one pair. `scopes_changed` comes whenever a scope is another one, `edited` where the person typed it, or
    chose another day; `accepted` with Enter in one of the scopes."""

    scopes_changed = Signal()
    edited = Signal()
    accepted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="part")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Two facts that disagree"))
        announce_role(self, QAccessible.Role.Grouping)
        self._is_filling = False
        """Whether the fields are filled for another pair, which is no act of the person."""
        self._is_typed = False
        """Whether the person had something in the fields before."""
        self.old = FactCard(self.tr("Older"), "diff_del", self)
        self.new = FactCard(self.tr("Newer"), "diff_add", self)
        self.until = DateEdit(self)
        self.until.setDisplayFormat("yyyy-MM-dd")
        self.until.setCalendarPopup(True)
        self.until.setAccessibleName(self.tr("The day from which the newer fact holds"))
        self._until_label = QLabel(self.tr("&Replace from"), self)
        self._until_label.setBuddy(self.until)
        for card in (self.old, self.new):
            card.scope.textChanged.connect(lambda _text: self.scopes_changed.emit())
            card.scope.textChanged.connect(self._on_edited)
            card.scope.returnPressed.connect(self.accepted)
        self.until.dateChanged.connect(self._on_edited)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._until_label)
        row.addWidget(self.until)
        row.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setSpacing(8)
        grid.addWidget(self.old, 0, 0)
        grid.addWidget(self.new, 0, 1)
        grid.addLayout(row, 1, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(2, 1)
        self.show_scopes(False)

    @property
    def has_scopes(self) -> bool:
        """Returns whether each fact was given a scope."""
        return all(card.scope.text().strip() for card in (self.old, self.new))

    @property
    def fields(self) -> PairFields:
        """Returns what stands in the fields."""
        day = self.until.date()
        until = date(day.year(), day.month(), day.day())
        return PairFields(until, self.old.scope.text(), self.new.scope.text())

    def show_pair(self, placed: PlacedPair, source: str, today: date, typed: PairFields | None = None) -> None:
        """Shows a pair. `source` says where the newer one comes from, "" where only memory has it; `typed` is what the
        person had in the fields, None where nothing was typed yet."""
        self.old.show_fact(placed.pair.old, file_name(placed.old_path), "")
        self.new.show_fact(placed.pair.new, file_name(placed.new_path), source)
        cards = self.old.words, self.new.words
        for words, spans in zip(cards, word_spans(*(each.text() for each in cards)), strict=True):
            words.mark(spans)
        # What is struck is sent to no model any more: a fact that still holds for a while is none to be struck.
        since = self.tr("since {day}").format(day=today.isoformat())
        self._is_typed = typed is not None
        shown = typed or PairFields(today, self.tr("until {day}").format(day=today.isoformat()), since)
        self._is_filling = True
        self.until.setMaximumDate(QDate(today.year, today.month, today.day))
        self.until.setDate(QDate(shown.until.year, shown.until.month, shown.until.day))
        self.old.scope.setText(shown.old_scope)
        self.new.scope.setText(shown.new_scope)
        self._is_filling = False
        self.setAccessibleDescription(" · ".join(text for card in (self.old, self.new) for text in card.read_aloud))
        self.show_scopes(False)

    def show_scopes(self, shown: bool) -> None:
        """Has the person type in which scope each holds, or not."""
        cards, day = (self.old, self.new), (self._until_label, self.until)
        # What goes makes room first, as in the window around it.
        if shown:
            for part in day:
                part.hide()
        for card in cards:
            card.show_scope(shown)
        if not shown:
            for part in day:
                part.show()
        if shown:
            self.old.scope.setFocus(Qt.FocusReason.OtherFocusReason)
            if not self._is_typed:
                # What is offered goes with the first letter; what was typed does not.
                self.old.scope.selectAll()

    def settlement(self, choice: str) -> Settlement:
        """Returns the person's choice (`keep`, `replace` or `both`) with the day or the scopes in sight."""
        fields = self.fields
        if choice == "both":
            return Settlement("both", None, fields.old_scope, fields.new_scope)
        if choice == "replace":
            return Settlement("replace", fields.until)
        return Settlement("keep")

    def _on_edited(self) -> None:
        if not self._is_filling:
            self.edited.emit()


class FactCard(QFrame):
    """Shows one of the two facts: its words, with those marked in which it differs from the other one, its source, and
    a field for its scope."""

    def __init__(self, title: str, ground: str, parent: QWidget) -> None:
        """`ground` is the role of the colour behind the words that differ."""
        super().__init__(parent)
        set_role(self, role="card")
        self._name = title
        self.title = QLabel(title, self)
        self.words = MarkedLabel(ground, self)
        self.source = QLabel(self)
        self._scope_label = QLabel(self.tr("Where or when it holds"), self)
        self.scope = QLineEdit(self)
        self.scope.setMaxLength(80)
        self.scope.setAccessibleName(self.tr("Where or when this holds: {fact}").format(fact=title))
        self._scope_label.setBuddy(self.scope)
        for label in (self.title, self.source, self._scope_label):
            set_role(label, role="caption")
        offer_forgetting(self, self.words.text)
        self.source.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.words, self.source):
            label.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        for part in (self.title, self.words, self.source):
            column.addWidget(part)
        # The scopes of both cards stand at one height, however many lines are above them.
        column.addStretch(1)
        for field in (self._scope_label, self.scope):
            column.addWidget(field)

    @property
    def read_aloud(self) -> tuple[str, str]:
        """Returns which of the two it is, with its file, and its words."""
        return self.title.text(), self.words.text()

    def show_fact(self, line: str, file: str, source: str) -> None:
        """Shows a line of a memory file as it reads, the file's name, and where the line comes from."""
        self.title.setText(f"{self._name} · {file}")
        kept = read_line(line)
        self.words.setText(kept.text if kept else fact_text(line))
        self.show_source(source)

    def show_source(self, source: str) -> None:
        """Says where the fact comes from; "" while it is not known."""
        self.source.setText(source)
        self.source.setVisible(bool(source))

    def show_scope(self, shown: bool) -> None:
        """Shows the field for its scope, or hides it."""
        self._scope_label.setVisible(shown)
        self.scope.setVisible(shown)


class MarkedLabel(QLabel):
    """Shows words over as many lines as they need, some of them marked by a ground and a line below."""

    def __init__(self, ground: str, parent: QWidget) -> None:
        """`ground` is the role of the colour behind the words that are marked."""
        super().__init__(parent)
        self._ground = ground
        self._spans: tuple[Range, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def mark(self, spans: Sequence[Range]) -> None:
        """Marks the characters in these ranges of the text, and no others any more."""
        self._spans = tuple(spans)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        layout = QTextLayout(self.text(), self.font())
        layout.setFormats([self._format_of(*span) for span in self._spans])
        place, height = self.contentsRect(), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(place.width())
            line.setPosition(QPointF(0, height))
            height += line.height()
        layout.endLayout()
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            layout.draw(painter, QPointF(place.left(), place.top() + max(0.0, (place.height() - height) / 2)))

    def _format_of(self, start: int, stop: int) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start = to_utf16(self.text(), start)
        made.length = to_utf16(self.text(), stop) - made.start
        made.format.setBackground(Theme.current().color(self._ground))
        made.format.setFontUnderline(True)
        return made
