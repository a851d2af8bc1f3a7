"""Shows who wrote a line: a card over the window with its version, its entries and the way to the messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.memory.editor.memory_editor import forgotten_words
from mnemoscope.ui.memory.versions.origin_words import TitleOf
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.memory.versions.version_words import change_author_words, messages_words, subject_words
from mnemoscope.ui.support.locale_words import moment_words
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import LINK_INSET, Theme, set_role

_WIDTH: Final = 340
_SHOWN: Final = 3
"""Entries that are told; the rest are counted."""
_WORDS: Final = 160


class BlameCard(QFrame):
    """Stands over the window it is a child of. `gone`: it was hidden, and whether it had the keyboard; `entered` and
    `left` as the mouse does."""

    version_requested = Signal(str)
    """The version of this id is to be shown."""
    entry_requested = Signal(object)
    """The history entry of this `ConsolidationRecord` is to be shown."""
    grounds_requested = Signal(object)
    """The messages of a `ConsolidationRecord` that the line rests on are to be shown."""
    messages_requested = Signal(object)
    """All messages of a `ConsolidationRecord` are."""
    keep_requested = Signal()
    """The line was forgotten and came back, and is to be kept."""
    gone = Signal(bool)
    entered = Signal()
    left = Signal()

    def __init__(self, window: QWidget, title_of: TitleOf) -> None:
        super().__init__(window)
        leave_at_escape(self, self.leave)
        self._window, self._title_of = window, title_of
        self._within: list[QWidget] = []
        set_role(self, role="sheet")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16 - LINK_INSET, 12, 16, 12)
        self._column.setSpacing(6)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()

    def show_line(
        self,
        row: VersionRow | None,
        records: Sequence[ConsolidationRecord],
        *,
        unsaved: bool,
        is_forgotten: bool = False,
        can_keep: bool = False,
    ) -> None:
        """Shows who wrote a line; without a `row` it is in no version yet. `is_forgotten`: the person had it forgotten
        and it came back; `can_keep`: they can have it kept."""
        for part in self._within:
            part.hide()
            part.deleteLater()
        self._within = []
        if is_forgotten:
            self._add_label(forgotten_words(), "heading")
        if row is None:
            words = self.tr("Not saved yet. Whose it is shows here once it is.")
            self._add_label(words if unsaved else self.tr("Saved; its version is being made."), "muted")
        else:
            self._show_version(row, records)
        if is_forgotten and can_keep:
            # Last: the keyboard begins at the first thing that can be done.
            self._act([(self.tr("Keep it after all"), self.keep_requested.emit)])
        self._fit()

    def _fit(self) -> None:
        # A part that came after the card was shown counts for its height once it is shown too.
        for part in self._within:
            part.show()
        self.setAccessibleName("\n".join(label.text() for label in self._labels()))
        self.setFixedWidth(min(Theme.current().scaled(_WIDTH), self._window.width() - 16))
        self.setFixedHeight(self._column.heightForWidth(self.width()))

    def show_holders(self, holders: Sequence[str]) -> None:
        """Tells which memory files of other agents state the same."""
        if holders:
            self._add_label(self.tr("Also in: {files}").format(files=", ".join(holders)), "caption")
            self._fit()

    def stand_at(self, place: QPoint, line: int) -> None:
        """Shows the card below a place of the window that is `line` pixels high, or above it where there is no room."""
        window = self._window
        top = place.y() + line
        if top + self.height() > window.height() - 8:
            top = max(8, place.y() - self.height())
        self.move(max(8, min(place.x(), window.width() - self.width() - 8)), top)
        self.show()
        self.raise_()

    def leave(self) -> None:
        """Hides the card, and announces it."""
        if not self.isHidden():
            had_keyboard = self.isAncestorOf(self.window().focusWidget())
            self.hide()
            self.gone.emit(had_keyboard)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.entered.emit()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()
        super().leaveEvent(event)

    def take_keyboard(self) -> None:
        """Gives the keyboard to the first thing that can be done."""
        buttons = [part for part in self._within if isinstance(part, QPushButton)]
        (buttons[0] if buttons else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_version(self, row: VersionRow, records: Sequence[ConsolidationRecord]) -> None:
        when = moment_words(row.when) if row.when else ""
        if row.is_beginning and row.author == "Mnemoscope":
            self._add_label(self.tr("Written before versions were kept"), "heading")
            self._add_label(self.tr("Versions begin on {when}; the line stood there already.").format(when=when), "")
        else:
            self._add_label(f"{change_author_words(row.author)} · {when}", "heading")
            self._add_label(subject_words(row, self._title_of), "")
        # Of one consolidation the subject names the messages already.
        named = len(records) > 1 or row.author != "Consolidation"
        for record in records[:_SHOWN]:
            self._show_entry(record, named=named)
        if len(records) > _SHOWN:
            self._add_label(self.tr("and {count} more entries").format(count=len(records) - _SHOWN), "caption")
        self._act([(self.tr("Show this version"), lambda: self.version_requested.emit(row.id))])

    def _show_entry(self, record: ConsolidationRecord, *, named: bool) -> None:
        entry = " ".join(record.entry.split())
        if entry:
            self._add_label(shortened(entry, _WORDS), "muted")
        if named and record.stop > record.start:
            title = self._title_of(record.session_key, record.when)
            self._add_label(messages_words(record.start, record.stop, title), "caption")
        ways: list[tuple[str, Callable[[], object]]] = []
        if entry:
            ways.append((self.tr("Show in history"), lambda: self.entry_requested.emit(record)))
        if record.stop > record.start:
            ways.append((self.tr("Show messages"), lambda: self.grounds_requested.emit(record)))
        if (count := record.stop - record.start) > 1:
            all_of_them = self.tr("All {count}").format(count=count)
            ways.append((all_of_them, lambda: self.messages_requested.emit(record)))
        self._act(ways)

    def _add_label(self, words: str, role: str) -> None:
        label = plain_label(self, role, words)
        label.setIndent(LINK_INSET)
        self._column.addWidget(label)
        self._within.append(label)

    def _act(self, ways: Sequence[tuple[str, Callable[[], object]]]) -> None:
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        for words, handler in ways:
            button = QPushButton(words, holder)
            set_role(button, kind="link")
            button.clicked.connect(lambda _checked=False, run=handler: self._go(run))
            row.addWidget(button)
            self._within.append(button)
        row.addStretch(1)
        self._column.addWidget(holder)
        self._within.append(holder)

    def _go(self, way: Callable[[], object]) -> None:
        self.leave()
        way()

    def _labels(self) -> list[QLabel]:
        return [part for part in self._within if isinstance(part, QLabel)]
