"""Ctrl+K: find any command or conversation by typing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from PySide6.QtCore import (
    QEvent,
    QObject,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from mnemoscope.domain.text.characters import HAN
from mnemoscope.ui.widgets.dialogs.floating_sheet import TOP, FloatingSheet, paint_chosen
from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.theme import Theme, set_role

_ROW_HEIGHT = 36
_MOST_ROWS = 11


_FILLERS: Final = frozenset(("a", "an", "and", "as", "for", "in", "my", "of", "on", "please", "the", "this", "to"))
"""Words of a typed phrase that say nothing about what is looked for."""
_PARTS: Final = re.compile(rf"[{HAN}]+|[^\s{HAN}]+")
"""The words of what is typed: Chinese and what stands beside it need no space in between."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Holds one line of the palette. `also` are phrases that people type for it, which are found and not shown."""

    text: str
    hint: str
    run: Callable[[], object]
    icon: str = ""
    enabled: bool = True
    also: tuple[str, ...] = ()


def rank(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """Returns the choices that hold every typed word: those that begin with them first, then those whose text holds
    them, then those that are also called so; all of them for no words."""
    phrase = " ".join(typed.casefold().split())
    words = [each for each in _PARTS.findall(phrase) if each not in _FILLERS] or phrase.split()
    found = [(place, choice) for choice in choices if choice.enabled and (place := _place(choice, phrase, words)) >= 0]
    return [choice for _, choice in sorted(found, key=lambda each: each[0])]


def _place(choice: Choice, phrase: str, words: Sequence[str]) -> int:
    """Returns how far back a choice comes for these words, or -1 where it does not hold them all."""
    text = choice.text.casefold()
    if text.startswith(phrase):
        return 0
    if all(word in text for word in words):
        return 1
    also = [each.casefold() for each in choice.also]
    if any(each.startswith(phrase) for each in also):
        return 2
    # In a language with spaces a word is one from its beginning: "ink" is not meant by "think".
    known = [text, *also, *(part for each in (text, *also) for part in _PARTS.findall(each))]
    return 3 if all(any(_means(each, word) for each in known) for word in words) else -1


def _means(known: str, word: str) -> bool:
    return known.startswith(word) or (not word.isascii() and word in known)


class _ChoiceModel(RowsModel[Choice]):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        choice = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return choice.text
        return choice if role == Qt.ItemDataRole.UserRole else None


class _ChoicePainter(QStyledItemDelegate):
    has_icons = True
    """Whether room is left for an icon before the words of every row."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, Theme.current().height(_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, choice = Theme.current(), index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect
        side = theme.scaled(16)
        paint_chosen(painter, option)
        if choice.icon:
            top = rect.top() + (rect.height() - side) // 2
            theme.icon(choice.icon, "text_muted").paint(painter, QRect(rect.left() + 14, top, side, side))
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("body"))
        flags = Qt.AlignmentFlag.AlignVCenter
        lead = side + 26 if self.has_icons else 14
        hint_room = QFontMetrics(theme.font("caption")).horizontalAdvance(choice.hint) + 32 if choice.hint else 16
        words = rect.adjusted(lead, 0, -min(hint_room, rect.width() // 2), 0)
        text = painter.fontMetrics().elidedText(choice.text, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, flags, text)
        painter.setPen(theme.color("text_faint"))
        painter.setFont(theme.font("caption"))
        hint = rect.adjusted(max(0, rect.width() - hint_room) if choice.hint else 0, 0, -16, 0)
        hint.setLeft(max(hint.left(), rect.left() + rect.width() // 2))
        shown = painter.fontMetrics().elidedText(choice.hint, Qt.TextElideMode.ElideMiddle, hint.width())
        painter.drawText(hint, flags | Qt.AlignmentFlag.AlignRight, shown)


class CommandPalette(FloatingSheet):
    """Shows a sheet with one field and the matching commands; Enter runs the first."""

    manual_page: ClassVar = "commands"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Command palette"))
        self._all: Sequence[Choice] = ()
        self._are_more_to_come = self._enter_waits = False
        self._field = QLineEdit(self)
        self._field.setAccessibleName(self.tr("Command"))
        self._field.textChanged.connect(self._filter)
        self._field.returnPressed.connect(self._run_current)
        self._field.installEventFilter(self)
        self._model = _ChoiceModel(self)
        self._list = QListView(self)
        self._list.setModel(self._model)
        self._painter = _ChoicePainter(self._list)
        self._list.setItemDelegate(self._painter)
        self._list.setAccessibleName(self.tr("Commands"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.clicked.connect(lambda _index: self._run_current())
        self._nothing = QLabel(self)
        set_role(self._nothing, role="muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hold(self._field, self._list, self._nothing, below=8)

    def offer(self, choices: Sequence[Choice], *, asks: str = "", are_more_to_come: bool = False) -> None:
        """Opens over the parent with these choices; `asks` says what is chosen, where that is no command.

        It has the keyboard at once: what takes time to be found is added when it is there, if `are_more_to_come`.
        """
        self._all = choices
        self._are_more_to_come, self._enter_waits = are_more_to_come, False
        self._field.setPlaceholderText(asks or self.tr("Type a command or the name of a conversation"))
        self._field.setAccessibleName(asks or self.tr("Command"))
        self._nothing.setText(
            self.tr("Nothing matches. Try fewer letters.")
            if asks
            else self.tr("No command matches. Try fewer letters.")
        )
        self._field.clear()
        self._filter("")
        self.float_over(self._field, 588, margin=80)

    def add(self, choices: Sequence[Choice]) -> None:
        """Adds what was to come behind what there is. Enter that was pressed on words that nothing matched yet runs
        what matches them now."""
        if not (self.isVisible() and self._are_more_to_come):
            return
        self._are_more_to_come = False
        self._all = [*self._all, *choices]
        current = self._list.currentIndex().data(Qt.ItemDataRole.UserRole) if self._model.rows else None
        self._fill(self._field.text())
        if current in self._model.rows:
            self._list.setCurrentIndex(self._model.index(self._model.rows.index(current)))
        if self._enter_waits:
            self._run_current()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Moves through the list by Up, Down and the page keys in the field."""
        keys = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
        pressed = watched is self._field and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in keys:
            QApplication.sendEvent(self._list, event)
            return True
        return super().eventFilter(watched, event)

    def _filter(self, typed: str) -> None:
        self._enter_waits = False
        self._fill(typed)

    def _fill(self, typed: str) -> None:
        self._painter.has_icons = any(choice.icon for choice in self._all)
        found = rank(self._all, typed)
        self._model.show(found)
        self._list.setVisible(bool(found))
        row = Theme.current().height(_ROW_HEIGHT)
        room = self._window.height() - TOP - self._field.sizeHint().height() - 80
        rows = max(3, min(len(found), _MOST_ROWS, room // row))
        # Its frame is that of the window's style once it has been given it.
        self._list.ensurePolished()
        self._list.setFixedHeight(min(rows, max(1, len(found))) * row + 2 * self._list.frameWidth())
        self._nothing.setVisible(not found)
        if found:
            self._list.setCurrentIndex(self._model.index(0))

    def _run_current(self) -> None:
        index = self._list.currentIndex()
        if not index.isValid():
            self._enter_waits = self._are_more_to_come
            return
        choice: Choice = index.data(Qt.ItemDataRole.UserRole)
        self.hide()
        choice.run()
