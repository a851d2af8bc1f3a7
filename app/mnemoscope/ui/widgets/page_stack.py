"""Pages of which one is in sight, each known by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QWidget

from mnemoscope.ui.widgets.accessibility.tab_order import controls_of, follow_in_tab_order
from mnemoscope.ui.widgets.lazy_widget import LazyWidget

PageT = TypeVar("PageT", bound=QWidget)


class PageStack(QStackedWidget):
    """Shows one of its pages. A page out of sight asks for no room, and the keyboard goes along with the page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, QWidget] = {}
        self._late: dict[str, LazyWidget[Any]] = {}
        """The pages that are added once they are wanted."""
        self._focused: dict[str, QWidget] = {}
        """The widget that takes the keyboard, where that is not the page itself."""

    def add_page(self, name: str, page: PageT, focused: QWidget | None = None) -> PageT:
        """Adds a page and returns it; `focused` is its part that takes the keyboard."""
        self._pages[name] = page
        if focused is not None:
            self._focused[name] = focused
        self.addWidget(page)
        if page is not self.currentWidget():
            page.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        return page

    def add_late_page(self, name: str, build: Callable[[], PageT]) -> LazyWidget[PageT]:
        """Adds a page that is built when it is first wanted; Tab reaches it where it reaches the first page."""

        def add() -> PageT:
            first = next(iter(self._pages.values()))
            page = self.add_page(name, build())
            if controls := controls_of(first):
                follow_in_tab_order(page, controls[-1])
            return page

        late = self._late[name] = LazyWidget(add)
        return late

    @property
    def page(self) -> str:
        """Returns the name of the page in sight."""
        return next(name for name, page in self._pages.items() if page is self.currentWidget())

    def show_page(self, name: str) -> None:
        """Shows a page; the keyboard goes with it if it was on another one. On the page that is shown already it stays
        where it is."""
        page = self._late[name].widget if name in self._late else self._pages[name]
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus) and not page.isAncestorOf(focus)
        for other in self._pages.values():
            policy = QSizePolicy.Policy.Preferred if other is page else QSizePolicy.Policy.Ignored
            other.setSizePolicy(policy, policy)
        self.setCurrentWidget(page)
        if had_focus:
            self._focused.get(name, page).setFocus()
