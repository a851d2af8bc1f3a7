"""The bars of one pane, one per cause: a newer one about the same thing takes the older one's place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of, follow_in_tab_order
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.notices.notice_bar import LEVEL_ICONS, NoticeAction, NoticeBar
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SPACING: Final = 8


class NoticeStack(QWidget):
    """Holds NoticeBars by name; takes no room while there are none. Tab comes to them behind the part `above`.

    Several bars for which there is no room (`fit`) are one line with their count, which shows them on a press.
    """

    def __init__(self, above: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: dict[str, NoticeBar] = {}
        self._folded: frozenset[str] = frozenset()
        self._room: int | None = None
        self._is_showing = False
        """Bars are being shown or hidden, which gives parts around them another size at once."""
        self._gives_way = False
        """Whether all are out of sight for a while, since something else needs their room."""
        self._is_open = False
        """Whether several bars for which there is no room are in sight all the same."""
        self._line = FoldedBars(self)
        self._line.button.clicked.connect(self._turn)
        theme_notifier().changed.connect(self._show_bars)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(_SPACING)
        self._column.addWidget(self._line)
        follow_in_tab_order(self._line, controls_of(above)[-1])
        self.hide()

    def put(
        self,
        name: str,
        level: str,
        sentence: str,
        actions: Sequence[NoticeAction] = (),
        *,
        closable: bool = True,
        brief: tuple[str, str] | None = None,
        noted: bool = False,
    ) -> NoticeBar:
        """Shows a bar, in place of the one of this name; `brief` as NoticeBar's."""
        self.take(name)
        bar = NoticeBar(level, sentence, actions, closable=closable, brief=brief, noted=noted, parent=self)
        bar.closed.connect(lambda: self._forget(name, bar))
        self._bars[name] = bar
        self._column.addWidget(bar)
        follow_in_tab_order(bar, self._line.button)
        self._show_bars()
        return bar

    def fit(self, room: int) -> None:
        """Makes the bars one line where there are several, and together higher than `room` pixels."""
        self._room = room
        if not self._is_showing:
            self._show_bars()

    def fold(self, names: Iterable[str]) -> None:
        """Keeps the bars of these names out of sight, however long they are there, and no others."""
        self._folded = frozenset(names)
        self._show_bars()

    def give_way(self, gives_way: bool) -> None:
        """Keeps all bars out of sight while something else needs their room."""
        if gives_way != self._gives_way:
            self._gives_way = gives_way
            self._show_bars()

    def _in_question(self) -> list[NoticeBar]:
        """Returns the bars that no page keeps out of sight, oldest first."""
        return [bar for name, bar in self._bars.items() if not self._gives_way and name not in self._folded]

    def _show_bars(self) -> None:
        self._is_showing = True
        try:
            self._show_what_fits()
        finally:
            self._is_showing = False

    def _show_what_fits(self) -> None:
        bars = self._in_question()
        is_short = self._lacks_room(bars)
        if is_short and self._line.isHidden():
            # Nothing that has the keyboard is hidden.
            focus = QApplication.focusWidget()
            self._is_open = focus is not None and any(bar.isAncestorOf(focus) for bar in bars)
        self.setVisible(bool(bars))
        self._line.setVisible(is_short)
        if is_short:
            self._line.show_bars(bars, is_open=self._is_open)
        for bar in self._bars.values():
            # A layout shows what it is given only when the event loop runs again.
            bar.setVisible(bar in bars and (self._is_open or not is_short))

    def _lacks_room(self, bars: Sequence[NoticeBar]) -> bool:
        heights = [max(bar.heightForWidth(self.width()), bar.sizeHint().height()) + _SPACING for bar in bars]
        return self._room is not None and len(bars) > 1 and sum(heights) - _SPACING > self._room

    def _turn(self) -> None:
        self._is_open = not self._is_open
        self._show_bars()

    def take(self, name: str) -> None:
        """Removes the bar of this name, if it is there."""
        bar = self._bars.pop(name, None)
        if bar is not None:
            self._column.removeWidget(bar)
            bar.go()
        self._show_bars()

    def take_with(self, words: str) -> None:
        """Removes the bars that say these words."""
        for name in [name for name, bar in self._bars.items() if words in bar.sentence]:
            self.take(name)

    def bar(self, name: str) -> NoticeBar | None:
        """Returns the bar of this name."""
        return self._bars.get(name)

    def _forget(self, name: str, bar: NoticeBar) -> None:
        if self._bars.get(name) is bar:
            del self._bars[name]
        self._show_bars()


class FoldedBars(QFrame):
    """Says in one line how many bars there are, and what the newest of the gravest says."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._mark = QLabel(self)
        self._words = ElidedLabel(self)
        self.button = QPushButton(self.tr("Show all"), self)
        self.button.setAccessibleName(self.button.text())
        set_role(self.button, kind="link")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 6, 3)
        row.setSpacing(_SPACING)
        row.addWidget(self._mark)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        self.hide()

    def show_bars(self, bars: Sequence[NoticeBar], *, is_open: bool) -> None:
        """Counts these bars, oldest first; `is_open` where they are in sight below."""
        levels = list(LEVEL_ICONS)
        gravest = max(reversed(bars), key=lambda bar: levels.index(bar.level))
        set_role(self, role=f"bar-{gravest.level}")
        name, role = LEVEL_ICONS[gravest.level]
        theme = Theme.current()
        side = theme.scaled(18)
        self._mark.setPixmap(theme.icon(name, role).pixmap(QSize(side, side), self.devicePixelRatioF()))
        count = self.tr("%n messages", "bars of a pane", len(bars))
        self._words.setText(count if is_open else f"{count} · {core_words(gravest.sentence)}")
        self.setAccessibleName(self._words.text())
        self.button.setText(self.tr("Fold") if is_open else self.tr("Show all"))
        self.button.setAccessibleName(f"{self.button.text()}: {count}")
