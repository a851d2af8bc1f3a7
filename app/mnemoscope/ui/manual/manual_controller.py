"""Opens the manual: its first page, or the page of the part of the window that has the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.manual import manual_window
from mnemoscope.ui.manual.manual import FIRST_PAGE, Manual, PageLink
from mnemoscope.ui.markdown.document import link_dialog
from mnemoscope.ui.support.external_actions import open_link


def page_in_focus() -> str:
    """Returns the name of the page about the innermost part that has the keyboard, or of the first page.

    A part of the window names its page in an attribute `manual_page` of its class.
    """
    part = QApplication.focusWidget()
    while part is not None:
        page = getattr(part, "manual_page", None)
        if isinstance(page, str):
            return page
        part = part.parentWidget()
    return FIRST_PAGE


class ManualController(QObject):
    """Keeps one manual window at most. `page_in_focus` names the page of the part that has the keyboard."""

    def __init__(
        self,
        parent: QObject,
        page_in_focus: Callable[[], str] = page_in_focus,
        open_outside: Callable[[str, QWidget], object] = open_link,
    ) -> None:
        super().__init__(parent)
        self._page_in_focus = page_in_focus
        self._open_outside = open_outside
        self._window: manual_window.ManualWindow | None = None

    @property
    def window(self) -> manual_window.ManualWindow | None:
        """Returns the manual's window while it is open."""
        return self._window

    def open(self, page: str = FIRST_PAGE) -> None:
        """Shows a page, in front of the other windows."""
        if self._window is None:
            self._window = manual_window.ManualWindow(Manual(shipped("resources", "manual")))
            self._window.link_requested.connect(self._ask_before_opening)
            self._window.finished.connect(self._on_finished)
        self._window.go_to(PageLink(page))
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        self._window.field.setFocus()

    def open_in_focus(self) -> None:
        """Shows the page of the part of the window that has the keyboard."""
        self.open(self._page_in_focus())

    def answer_in(self, dialog: QDialog) -> None:
        """Lets F1 work in a dialog, which has the window's own keys for itself."""
        QShortcut(QKeySequence("F1"), dialog, self.open_in_focus)

    def close(self) -> None:
        """Closes the manual with the window it was opened from."""
        if self._window is not None:
            self._window.close()

    def _ask_before_opening(self, address: str) -> None:
        if self._window is not None:
            window = self._window
            link_dialog.ask_to_open(address, window, lambda chosen: self._open_outside(chosen, window))

    def _on_finished(self) -> None:
        self._window = None
