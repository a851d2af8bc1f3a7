"""Shows at the composer how much of the conversation is kept, and lets the person choose."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ICONS: Final = {
    Discretion.REMEMBERED: "brain",
    Discretion.READS_MEMORY: "eye",
    Discretion.TEMPORARY: "clock",
}
_ICON: Final = 16


class DiscretionChip(QPushButton):
    """Shows the switch: an icon and words, and a menu of the three kinds with a sentence each."""

    chosen = Signal(object)
    """The person wants this `Discretion`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = Discretion.REMEMBERED
        self._is_brief = False
        self._names = {
            Discretion.REMEMBERED: self.tr("Remembered"),
            Discretion.READS_MEMORY: self.tr("Reads memory, writes none"),
            Discretion.TEMPORARY: self.tr("Temporary"),
        }
        self._sentences = {
            Discretion.REMEMBERED: self.tr("What is said becomes memory, as your settings say."),
            Discretion.READS_MEMORY: self.tr(
                "It is kept where no other program reads it, and nothing of it becomes memory."
            ),
            Discretion.TEMPORARY: self.tr("Nothing of it is on the disk: closing it, or a crash, loses it."),
        }
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(self, kind="chip")
        self.menu_of_kinds = QMenu(self)
        self.menu_of_kinds.setAccessibleName(self.tr("How much of this conversation is kept"))
        group = QActionGroup(self)
        self.choices: dict[Discretion, QAction] = {}
        for kind in self._names:
            action = QAction(self._sentence_of(kind), self)
            action.setCheckable(True)
            action.triggered.connect(partial(self._choose, kind))
            group.addAction(action)
            self.menu_of_kinds.addAction(action)
            self.choices[kind] = action
        self.clicked.connect(self.open_menu)
        theme_notifier().changed.connect(self._show)
        self.show_kind(self.kind)

    def show_kind(self, kind: Discretion) -> None:
        """Shows the kind of the conversation on show."""
        self.kind = kind
        self.choices[kind].setChecked(True)
        self._show()

    def set_brief(self, brief: bool) -> None:
        """Leaves the words out where there is no room for them."""
        if brief != self._is_brief:
            self._is_brief = brief
            self._show()

    def open_menu(self) -> None:
        """Offers the three kinds above the switch."""
        menu = self.menu_of_kinds
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height() - 4)))
        menu.setActiveAction(self.choices[self.kind])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers them at a right click and by the Menu key too."""
        self.open_menu()

    def name_of(self, kind: Discretion) -> str:
        """Returns what a kind is called."""
        return self._names[kind]

    def _sentence_of(self, kind: Discretion) -> str:
        return self.tr("{kind}: {sentence}").format(kind=self._names[kind], sentence=self._sentences[kind])

    def _choose(self, kind: Discretion) -> None:
        # What the press did to the tick is not what became of the conversation.
        self.choices[self.kind].setChecked(True)
        if kind is not self.kind:
            self.chosen.emit(kind)

    def _show(self) -> None:
        name, sentence = self._names[self.kind], self._sentences[self.kind]
        self.setText("" if self._is_brief else name)
        role = "text_muted" if self.kind is Discretion.REMEMBERED else "accent"
        self.setIcon(Theme.current().icon(_ICONS[self.kind], role))
        # Wider than high: that keeps the words away from it.
        self.setIconSize(QSize(_ICON + (0 if self._is_brief else 4), _ICON))
        for kind, action in self.choices.items():
            action.setIcon(Theme.current().icon(_ICONS[kind], "text"))
        self.setToolTip(plain_tooltip(self._sentence_of(self.kind)))
        self.setAccessibleName(self.tr("Kept: {kind}. {sentence}").format(kind=name, sentence=sentence))


class DiscretionStrip(QWidget):
    """Says above the text that what is said here is not remembered; hidden where it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._kind = Discretion.REMEMBERED
        self._icon = QLabel(self)
        self.words = plain_label(self, "caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.words, 1)
        theme_notifier().changed.connect(self._restyle)
        self.hide()

    def show_kind(self, kind: Discretion, since: int = 0) -> None:
        """Says what holds; `since` counts the messages that were said before it did."""
        self._kind = kind
        words = ""
        if kind is Discretion.TEMPORARY:
            words = self.tr("Temporary: nothing of this is kept. Closing it, or a crash, loses it.")
        elif kind is Discretion.READS_MEMORY:
            words = self.tr("Reads memory, writes none: nothing said here is remembered.")
            if since:
                words = self.tr(
                    "Reads memory, writes none, from message {number} on. What was said before stays as it is, and no "
                    "more of it becomes memory."
                ).format(number=f"{since + 1:,}")
        self.words.setText(words)
        self.setAccessibleName(words)
        self._restyle()
        self.setVisible(bool(words))

    def _restyle(self) -> None:
        side = Theme.current().scaled(_ICON)
        icon = Theme.current().icon(_ICONS[self._kind], "accent")
        self._icon.setPixmap(icon.pixmap(QSize(side, side), self.devicePixelRatioF()))
