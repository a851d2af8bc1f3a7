"""Shows at the composer, in few words, how much of the conversation is kept, which model answers, where words go."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ICON: Final = 16
_LETTERS: Final = 18
"""So many letters of a model's name fit; the middle of a longer one is left out."""
_LEAST_OF_END: Final = 5
"""So many letters of the end of a model's name tell something."""
_SHORT: Final = 9
"""Letters of a name that is shown whole or not at all."""
_FILE_OF_MODEL: Final = ".gguf"
"""Ends the names of the models of llama.cpp, and tells none from another."""
_QUANTISATION: Final = re.compile(r"[-_.](?:i?q\d\w*|b?f16|fp16|f32)$", re.IGNORECASE)
"""Ends the name of such a file, and says how exact its figures are: of many models it is the same."""
_LEAST_OF_BEGINNING: Final = 8
"""So many letters of the beginning of such a name tell something."""
_LEAST: Final = 48
"""Pixels; the line on where words go may be narrower than its words."""
_LEAST_OF_MODEL: Final = 32
"""Pixels of the model's chip without its name."""
_ICONS: Final = {
    Discretion.REMEMBERED: "brain",
    Discretion.READS_MEMORY: "eye",
    Discretion.TEMPORARY: "clock",
}


class ComposerChip(QPushButton):
    """Is a button among the composer's that shows a state in few words, and is hidden until it is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(self, kind="chip")
        self.hide()

    def _describe(self, whole: str, heard: str = "") -> None:
        """Shows the button, with a sentence for who rests the pointer on it, and for who hears it where that is another
        one."""
        self.setToolTip(plain_tooltip(whole))
        self.setAccessibleName(heard or whole)
        self.show()


class BriefChip(ComposerChip):
    """Shows an icon and words, which it leaves out where there is no room for them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_brief = False
        theme_notifier().changed.connect(self._show)

    def set_brief(self, brief: bool) -> None:
        """Leaves the words out or not."""
        if brief != self._is_brief:
            self._is_brief = brief
            self._show()

    def _show(self) -> None:
        """Shows what is so now, by `_show_parts`."""
        raise NotImplementedError

    def _show_parts(self, words: str, icon: str, role: str) -> None:
        self.setText("" if self._is_brief else words)
        self.setIcon(Theme.current().icon(icon, role))
        # Wider than high: that keeps the words away from it.
        self.setIconSize(QSize(_ICON + (0 if self._is_brief else 4), _ICON))


class ModelChip(BriefChip):
    """Shows an icon and the model's own name, or as much of its end as there is room for: names that begin alike are
    told apart by their ends. Of a file's name it shows the beginning: it ends in what many have in common. Hidden
    until one is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = ""
        self._end = ""
        """As much of the name as there is room for; "" where all or nothing of it is shown."""
        self._telling = ""
        """The part of a file's name that tells it from other files; "" where the name is no file's."""
        # A name holds no line as wide as it is: where it becomes narrower, the name is left out.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_LEAST_OF_MODEL)

    def show_model(self, name: str, whole: str) -> None:
        """Shows a model's name, without the ending of a file; `whole` is a sentence that names it in full."""
        self._name = name.removesuffix(_FILE_OF_MODEL)
        self._telling = "" if self._name == name else _QUANTISATION.sub("", self._name)
        self._describe(whole)
        self._show()

    def show_end(self, room: int) -> bool:
        """Shows the end of the name beside the icon, or the beginning of a file's, at most so many pixels wide with
        what is around it; returns False where that would tell nothing."""
        metrics = self.fontMetrics()
        alone, self._end = self.minimumWidth(), "…"
        self._show()
        letters = room + alone - (self.sizeHint().width() - metrics.horizontalAdvance(self._end))
        self._end = ""
        name = self._telling or self._name
        fewest = _LEAST_OF_BEGINNING if self._telling else _LEAST_OF_END
        is_short = len(name) <= _SHORT
        least = metrics.horizontalAdvance(name) if is_short else metrics.averageCharWidth() * fewest
        if not self.isHidden() and letters >= least:
            cut = Qt.TextElideMode.ElideRight if self._telling else Qt.TextElideMode.ElideLeft
            self._end = metrics.elidedText(name, cut, letters)
        self._show()
        return bool(self._end)

    def set_brief(self, brief: bool) -> None:
        """Leaves the name out or not."""
        self._end = ""
        super().set_brief(brief)
        self._show()

    def _show(self) -> None:
        metrics = self.fontMetrics()
        room = metrics.averageCharWidth() * _LETTERS
        words = self._name
        if metrics.horizontalAdvance(words) > room:
            cut = Qt.TextElideMode.ElideRight if self._telling else Qt.TextElideMode.ElideMiddle
            words = metrics.elidedText(self._telling or words, cut, room)
        self._show_parts(words, "cpu", "text_muted")
        if self._is_brief and self._end:
            self.setText(self._end)


class DestinationChip(ComposerChip):
    """Fits its words into whatever width and padding it has; hidden until they are known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words, self._brief = "", ""
        self.setMinimumWidth(_LEAST)

    def show_words(self, words: str, whole: str, brief: str = "") -> None:
        """Says where words go, in few words, or in fewer, `brief`; `whole` says it in full to who rests the pointer on
        it."""
        self._words, self._brief = words, brief or words
        self.setText(words)
        self._describe(whole)

    def set_brief(self, brief: bool) -> None:
        """Says it in the fewer words or not."""
        self.setText(self._brief if brief else self._words)

    def fit_into(self, room: int) -> None:
        """Gives its words at most this many pixels."""
        self.setMaximumWidth(max(_LEAST, self.around() + min(room, self._words_width())))

    def around(self) -> int:
        """Returns the pixels of its width that no words can have."""
        return self.sizeHint().width() - self._words_width()

    def shown_words(self) -> str:
        """Returns as much of the words as there is room for."""
        room = max(0, self.width() - self.around())
        if self._words_width() <= room:
            return self.text()
        # What is left after eliding may be wider by a fraction of a pixel, which is rounded up.
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, max(0, room - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown_words()
        with QPainter(self) as painter:
            self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)

    def _words_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.text())


class DiscretionChip(BriefChip):
    """Shows the switch: an icon and words, and a menu of the three kinds with a sentence each."""

    chosen = Signal(object)
    """The person wants this `Discretion`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = Discretion.REMEMBERED
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
        self.show_kind(self.kind)

    def show_kind(self, kind: Discretion) -> None:
        """Shows the kind of the conversation on show."""
        self.kind = kind
        self.choices[kind].setChecked(True)
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
        self._show_parts(name, _ICONS[self.kind], "text_muted" if self.kind is Discretion.REMEMBERED else "accent")
        for kind, action in self.choices.items():
            action.setIcon(Theme.current().icon(_ICONS[kind], "text"))
        heard = self.tr("Kept: {kind}. {sentence}").format(kind=name, sentence=sentence)
        self._describe(self._sentence_of(self.kind), heard)


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
