"""The bars of one pane, one per cause: a newer one about the same thing takes the older one's place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar
from mnemoscope.ui.widgets.tab_order import controls_of, follow_in_tab_order


class NoticeStack(QWidget):
    """Holds NoticeBars by name; takes no room while there are none. Tab comes to them behind the part `above`."""

    def __init__(self, above: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._above = above
        self._bars: dict[str, NoticeBar] = {}
        self._folded: frozenset[str] = frozenset()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
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
        follow_in_tab_order(bar, controls_of(self._above)[-1])
        self._show_bars()
        return bar

    def fold(self, names: Iterable[str]) -> None:
        """Keeps the bars of these names out of sight, however long they are there, and no others."""
        self._folded = frozenset(names)
        self._show_bars()

    def _show_bars(self) -> None:
        self.setVisible(bool(self._bars.keys() - self._folded))
        for name, bar in self._bars.items():
            # A layout shows what it is given only when the event loop runs again.
            bar.setVisible(name not in self._folded)

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
