"""A bar in the pane that caused it: one plain sentence, one or two actions, and an id that the log has too."""

from __future__ import annotations

import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mnemoscope import __version__
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.square_button import keep_square, square_tool
from mnemoscope.ui.widgets.text.offsets import PARAGRAPH
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

log = logging.getLogger(__name__)

NoticeAction = tuple[str, Callable[[], object]]
LEVEL_ICONS: Final = {
    "info": ("info", "accent"),
    "success": ("circle-check", "success"),
    "warning": ("triangle-alert", "warning"),
    "danger": ("circle-alert", "danger"),
}
"""The levels, the gravest last, each with its icon and the colour of that."""

_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No letter that is taken for a digit or another one when it is read out."""
_LENGTH: Final = 5
_KNOWN: Final = 200
_LONG_WORD: Final = re.compile(r"\S{33,}")
_PIECE: Final = re.compile(r"\S{16}(?=\S)")
_BREAK: Final = "\u200b"
"""Is not seen, and lets a line end where it stands."""
_shown: OrderedDict[str, str] = OrderedDict()


class NoticeBar(QFrame):
    """Shows `sentence` at a level (`info`, `success`, `warning`, `danger`), its actions and a close button.

    A sentence of the core's is shown in the window's language; `sentence` and the details stay as the core said it.

    One that `stays` is there until it is closed; `about` is the key of the conversation it belongs to, or "".
    Where room is dear `brief` says the same in smaller letters: a few words, and a reason below them.
    `fault` is the id under which the log has it: a warning or a problem always bears one, a note where it is `noted`.
    `said` is what a server said in its own words: folded below, and in the details that are copied.
    Of two quick presses of its actions the first is taken alone.
    """

    closed = Signal()

    def __init__(
        self,
        level: str,
        sentence: str,
        actions: Sequence[NoticeAction] = (),
        *,
        closable: bool = True,
        brief: tuple[str, str] | None = None,
        noted: bool = False,
        said: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.level = level
        self.sentence = sentence
        self.said = said
        self.server_words: QLabel | None = None
        self.fault = problem_id(sentence) if noted or level in {"warning", "danger"} else ""
        self.stays = False
        self.about = ""
        set_role(self, role=f"bar-{level}")
        self.setAccessibleName(core_words(sentence))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._keyboard = FocusReturn(self)
        self._presses = SinglePress(self)
        self._mark = QLabel(self)
        self._mark.setAccessibleName(self._level_word(level))
        self._close = QToolButton(self)
        self._close.setVisible(closable)
        keep_square(self._close, 24, 16)
        set_role(self._close, kind="tight")
        self._close.setAccessibleName(self.tr("Close this message"))
        self._close.clicked.connect(self.dismiss)
        self._details = square_tool(self, self.tr("Copy details · {id}").format(id=self.fault), 24, 14, "copy")
        self._details.setVisible(bool(self.fault))
        self._details.clicked.connect(self.copy_details)
        if self.said:
            actions = (*actions, (self.tr("What the server said"), self._fold_server_words))
        if brief is None:
            self._lay_out(sentence, actions)
        else:
            self._lay_out_brief(*brief, actions)
            self.setToolTip(plain_tooltip(core_words(sentence)))
        self._restyle()
        theme_notifier().changed.connect(self._restyle)

    @property
    def details(self) -> str:
        """Returns the sentence with the id under which the log has it."""
        said = f"\n{self.said}\n" if self.said else ""
        return f"Mnemoscope {__version__} · {self.fault} · {datetime.now():%Y-%m-%d %H:%M}\n{self.sentence}\n{said}"

    def copy_details(self) -> None:
        """Puts the details on the clipboard."""
        QGuiApplication.clipboard().setText(self.details)
        self._details.setToolTip(self.tr("Copied. The log names it {id} too.").format(id=self.fault))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers in a menu what a small bar has no room for."""
        if self.fault:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(self.tr("Copy details · {id}").format(id=self.fault), self.copy_details)
            menu.popup(event.globalPos())

    def dismiss(self) -> None:
        """Takes the bar away."""
        # Whoever hears of it may hide what it stands in.
        self._keyboard.give_back()
        self.closed.emit()
        self.go()

    def go(self) -> None:
        """Goes without a word to anybody."""
        self._keyboard.give_back()
        self.hide()
        self.deleteLater()

    def _lay_out(self, sentence: str, actions: Sequence[NoticeAction]) -> None:
        label = BreakableLabel(core_words(sentence), self)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.setContentsMargins(0, 1, 0, 0)
        words = QHBoxLayout()
        # A link's words begin 5 px within it, where its focus ring has room: the sentence stands above them.
        words.setContentsMargins(5, 0, 0, 0)
        words.addWidget(label)
        middle.addLayout(words)
        if actions:
            middle.addSpacing(2)
            middle.addWidget(self._offers(actions))
        self._add_server_words(middle)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 9, 12 if self._details.isHidden() and self._close.isHidden() else 6, 7)
        row.setSpacing(3)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(middle, 1)
        for button in (self._details, self._close):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def _lay_out_brief(self, words: str, detail: str, actions: Sequence[NoticeAction]) -> None:
        top = QHBoxLayout()
        top.setSpacing(3)
        top.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._words(words, "heading", above=2), 1)
        for button in (self._details, self._close):
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        # Beneath the buttons at the right, too: a narrow pane has not much more than the offers need.
        below = QVBoxLayout()
        below.setContentsMargins(Theme.current().scaled(18) + 3, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self._words(core_words(detail), "caption"))
        below.addWidget(self._offers(actions))
        self._add_server_words(below)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 4, 4, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(below)
        self._mark.setContentsMargins(0, 3, 0, 0)

    def _add_server_words(self, column: QVBoxLayout) -> None:
        if self.said:
            self.server_words = self._words(self.said, "caption", above=2)
            self.server_words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.server_words.hide()
            column.addWidget(self.server_words)

    def _fold_server_words(self) -> None:
        if self.server_words is not None:
            self.server_words.setVisible(self.server_words.isHidden())

    def _words(self, text: str, role: str, above: int = 0) -> QLabel:
        label = BreakableLabel(text, self)
        # A link's words begin 5 px within it: the texts stand above them.
        label.setContentsMargins(5, above, 5, 0)
        set_role(label, role=role)
        return label

    def _offers(self, actions: Sequence[NoticeAction]) -> FlowRow:
        row = FlowRow(self)
        for text, handler in actions:
            button = QPushButton(text, self)
            set_role(button, kind="link")
            self._presses.connect_button(button, handler)
            row.add(button)
        return row

    def _level_word(self, level: str) -> str:
        words = {"info": self.tr("Note"), "success": self.tr("Done"), "warning": self.tr("Attention")}
        return words.get(level, self.tr("Problem"))

    def _restyle(self) -> None:
        theme = Theme.current()
        name, role = LEVEL_ICONS[self.level]
        side = theme.scaled(18)
        self._mark.setPixmap(theme.icon(name, role).pixmap(QSize(side, side), self.devicePixelRatioF()))
        self._close.setIcon(theme.icon("x", "text_muted"))


class BreakableLabel(QLabel):
    """Shows a text of which a line can end within a long word, such as a path or a hash: as a whole it would make the
    label as wide as it is. What is selected is copied as the text has it."""

    def __init__(self, text: str, parent: QWidget) -> None:
        breakable = _LONG_WORD.sub(lambda word: _PIECE.sub(lambda piece: piece[0] + _BREAK, word[0]), text)
        super().__init__(breakable, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:
        """Returns the least size; the height is for the width that there is, so that no line is squeezed."""
        hint = super().minimumSizeHint()
        if not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            return hint
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(max(hint.width(), self.width()))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def copy(self, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        """Copies what is selected, if anything is."""
        if self.hasSelectedText():
            words = self.selectedText().replace(_BREAK, "").replace(PARAGRAPH, "\n")
            QGuiApplication.clipboard().setText(words, mode)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if QGuiApplication.clipboard().supportsSelection():
            # Where the middle button pastes what is selected.
            self.copy(QClipboard.Mode.Selection)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers to copy where the text can be selected; else what the bar offers."""
        if not self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            event.ignore()
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy"), self.copy).setEnabled(self.hasSelectedText())
        menu.addAction(self.tr("Select all"), lambda: self.setSelection(0, len(self.text())))
        menu.popup(event.globalPos())


class FlowRow(QWidget):
    """Holds what is added from left to right, and begins another line where the width is used up; parts that are hidden
    take no room."""

    def __init__(self, parent: QWidget, spacing: int = 4) -> None:
        super().__init__(parent)
        self._spacing = spacing
        self._parts: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, part: QWidget) -> None:
        """Adds a part at the end."""
        part.setParent(self)
        part.show()
        self._parts.append(part)
        self.updateGeometry()

    def arrange(self) -> None:
        """Places the parts anew: one was shown or hidden, or says something else."""
        for part, place in self._places(self.width()):
            part.setGeometry(place)
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        """Returns the pixels that all lines take."""
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        """Returns the size of all in one line."""
        widths = [part.sizeHint().width() + self._spacing for part in self._shown()]
        width = max(0, sum(widths) - self._spacing)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Returns the size of all, one below the other; the height is for the width that there is."""
        widest = max((part.sizeHint().width() for part in self._shown()), default=0)
        return QSize(widest, self.heightForWidth(max(widest, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part, place in self._places(self.width()):
            part.setGeometry(place)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if not part.isHidden()]

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        left = top = line = 0
        for part in self._shown():
            size = part.sizeHint()
            if left and left + size.width() > width:
                left, top, line = 0, top + line, 0
            yield part, QRect(left, top, size.width(), size.height())
            left, line = left + size.width() + self._spacing, max(line, size.height())


class FocusReturn(QObject):
    """Remembers what had the keyboard before `part` took it."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part)
        self._part = part
        self._before: QWidget | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    @property
    def is_here(self) -> bool:
        """Returns whether the part has the keyboard."""
        return self._has(self._part.window().focusWidget())

    def give_back(self) -> None:
        """Gives the keyboard back to what had it before, where the part that is about to go has it."""
        if self.is_here and self._before is not None and isValid(self._before):
            self._before.setFocus()

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and self._has(new) and not self._has(old):
            self._before = old

    def _has(self, widget: QWidget | None) -> bool:
        return widget is not None and self._part.isAncestorOf(widget)


class QuietLine(QWidget):
    """Shows `words`, and behind them a link that runs `handler`."""

    def __init__(self, words: str, action: str, handler: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        set_role(label, role="caption")
        self.button = QPushButton(action, self)
        set_role(self.button, kind="link")
        self.button.clicked.connect(lambda _checked=False: handler())
        self.setAccessibleName(words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.button)
        row.addStretch(1)
        self._keyboard = FocusReturn(self)

    def go(self) -> None:
        """Goes."""
        self._keyboard.give_back()
        self.hide()
        self.deleteLater()


def problem_id(sentence: str) -> str:
    """Returns the id of what is about to be shown, five letters; the log gets the sentence with it, without quotes.

    The same sentence keeps its id while the program runs, and is logged once: bars are made anew when a pane changes.
    """
    if (known := _shown.get(sentence)) is not None:
        _shown.move_to_end(sentence)
        return known
    made = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    _shown[sentence] = made
    if len(_shown) > _KNOWN:
        _shown.popitem(last=False)
    log.warning("shown as %s: %s", made, _unquoted(sentence))
    return made


def _unquoted(sentence: str) -> str:
    """Returns the first line, and nothing of what the person or a model wrote."""
    return re.sub(r"“[^”]*”?", "“…”", sentence.partition("\n")[0])
