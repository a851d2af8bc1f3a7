"""Offers *Forget…* in the menu of whatever shows text of memory or of a conversation: one way for all places.

A text or a list that only is read gets its menu by `offer_forgetting`; a menu that is there already gets the line by
`add_forget`. What is chosen is asked of the window by a `ForgetRequest`, which the controller of forgetting answers.
Where the window answers none, as one that only reads does not, nothing is offered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QTextBlock
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.text.offsets import PARAGRAPH
from mnemoscope.ui.widgets.theme import Theme

FORGET_KEYS: Final = "Ctrl+Shift+X"
_OFFERED: Final = "offers_forgetting"
"""The property of a window that answers wishes."""


class ForgetRequest(QEvent):
    """Asks a window to list the places of words that may be forgotten; `place` is where they were chosen."""

    TYPE: Final = QEvent.Type(QEvent.registerEventType())

    def __init__(self, words: str, place: QWidget) -> None:
        super().__init__(self.TYPE)
        self.words = words
        self.place = place


class ForgetMenu(QObject):
    """Adds the menu, and the keys, of a text or a list that only is read."""

    def __init__(self, view: QWidget, words: Callable[[], str], *, has_menu: bool = False) -> None:
        """`has_menu`: the view has a menu of its own, and only the keys are missing."""
        super().__init__(view)
        self._view = view
        self.line_of: Callable[[QTextBlock], str] = QTextBlock.text
        """Returns the words of a line of a text, without what is put before them."""
        self._has_menu = has_menu or isinstance(view, QLineEdit)
        self._words = words
        view.installEventFilter(self)
        if isinstance(view, QAbstractScrollArea):
            view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QContextMenuEvent) and not self._has_menu:
            return self._open(event)
        # In the window itself the command has these keys, in a dialog over it nobody else.
        if watched is self._view and _is_forget_key(event) and _can_forget(self._view):
            _wish_to_forget(self._view, self.words())
            return True
        return False

    def words(self) -> str:
        """Returns what is selected, or else the line or the row in question."""
        view = self._view
        line = self.line_of(view.textCursor().block()) if isinstance(view, QTextEdit | QPlainTextEdit) else ""
        return self._words() or line

    def menu(self, place: QPoint) -> QMenu:
        """Returns the menu for a place of the viewport; it goes when it is closed."""
        view, menu = self._view, QMenu(self._view)
        if isinstance(view, QTextEdit | QPlainTextEdit):
            words = self._words() or self.line_of(view.cursorForPosition(place).block())
            menu.addAction(tr("Copy"), view.copy).setEnabled(view.textCursor().hasSelection())
            link = view.anchorAt(place)
            if link.startswith(("https://", "http://")):
                menu.addAction(tr("Copy link"), lambda: QGuiApplication.clipboard().setText(link))
            menu.addAction(tr("Select all"), view.selectAll)
        else:
            words = self.words()
            copy = menu.addAction(tr("Copy"), lambda: QGuiApplication.clipboard().setText(words))
            copy.setEnabled(bool(words))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add_forget(menu, view, words)
        return menu

    def _open(self, event: QContextMenuEvent) -> bool:
        """Opens the menu for the place of an event; returns whether there is one."""
        view = self._view
        shown = view.viewport() if isinstance(view, QAbstractScrollArea) else view
        caret = shown.rect()
        if isinstance(view, QTextEdit | QPlainTextEdit):
            caret = view.cursorRect()
        elif isinstance(view, QAbstractItemView):
            caret = view.visualRect(view.currentIndex())
        place = menu_place(event, caret, shown)
        if isinstance(view, QAbstractItemView) and event.reason() == QContextMenuEvent.Reason.Mouse:
            clicked = view.indexAt(place)
            if clicked.isValid() and clicked.flags() & Qt.ItemFlag.ItemIsEnabled:
                view.setCurrentIndex(clicked)
        if not isinstance(view, QTextEdit | QPlainTextEdit) and not self.words():
            return False
        self.menu(place).popup(shown.mapToGlobal(place))
        return True


def offer_forgetting(view: QWidget, words: Callable[[], str] | None = None, *, has_menu: bool = False) -> ForgetMenu:
    """Gives a text or a list that only is read a menu with *Forget…*, or the keys of it alone where it `has_menu`.
    `words`: what is meant where it is no text in which they are selected."""
    return ForgetMenu(view, words or (lambda: selected_in(view)), has_menu=has_menu)


def add_forget(menu: QMenu, widget: QWidget, words: str) -> None:
    """Adds *Forget…* at the end of a menu of a widget, where its window answers wishes."""
    if not _can_forget(widget):
        return
    menu.addSeparator()
    forget = menu.addAction(Theme.current().icon("trash-2"), tr("Forget…"), lambda: _wish_to_forget(widget, words))
    forget.setShortcut(QKeySequence(FORGET_KEYS))
    forget.setEnabled(bool(words.strip()))


def answer_wishes(window: QWidget) -> None:
    """Marks a window, and the dialogs over it, as one that answers wishes."""
    window.setProperty(_OFFERED, True)


def _can_forget(widget: QWidget) -> bool:
    """Returns whether the window of a widget answers wishes."""
    return bool(_top_of(widget).property(_OFFERED))


def _wish_to_forget(widget: QWidget, words: str) -> None:
    """Asks the window of a widget to list the places of these words."""
    wish = ForgetRequest(words, widget)
    QApplication.sendEvent(_top_of(widget), wish)


def words_in(widget: QWidget | None) -> str:
    """Returns the text that is selected in a widget, the line of the caret where it can be typed, or what is meant in a
    list."""
    if widget is None:
        return ""
    offered = widget.findChild(ForgetMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return selected_in(widget) or (offered.words() if offered is not None else "")


def selected_in(widget: QWidget) -> str:
    """Returns the text that is selected in a widget, or the line of the caret where it can be typed."""
    if isinstance(widget, QLineEdit):
        return widget.selectedText()
    if not isinstance(widget, QPlainTextEdit | QTextEdit):
        return ""
    cursor = widget.textCursor()
    if cursor.hasSelection():
        return cursor.selectedText().replace(PARAGRAPH, "\n")
    return "" if widget.isReadOnly() else cursor.block().text()


def tr(text: str) -> str:
    """Returns the text in the window's language."""
    return QCoreApplication.translate("ForgetMenu", text)


def _is_forget_key(event: QEvent) -> bool:
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
        return False
    return QKeySequence(event.keyCombination()) == QKeySequence(FORGET_KEYS)


def _top_of(widget: QWidget) -> QWidget:
    """Returns the window that a widget belongs to, through all dialogs over it."""
    while (parent := widget.parentWidget()) is not None:
        widget = parent
    return widget
