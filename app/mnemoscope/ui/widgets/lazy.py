"""What a window builds when it is first needed, in the Tab order where it belongs.

A widget costs some 20 KB, most of it the style sheet's tables: what nobody opened is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLayout, QSplitter, QVBoxLayout, QWidget

PaneT = TypeVar("PaneT", bound=QWidget)


class LazyPane(QWidget, Generic[PaneT]):
    """Keeps the place of a pane, which is built when it is first seen or given the keyboard."""

    def __init__(self, build: Callable[[QWidget], PaneT], least_width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build = build
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setMinimumWidth(least_width)

    @cached_property
    def pane(self) -> PaneT:
        """The pane itself."""
        pane = self._build(self)
        self._column.addWidget(pane)
        follow_in_tab_order(pane, self)
        self.setFocusProxy(pane)
        return pane

    @property
    def built(self) -> PaneT | None:
        """The pane if it is there already."""
        return self.pane if "pane" in vars(self) else None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Painted is what a person sees: a dock behind another one counts as shown."""
        if self.built is None:
            QTimer.singleShot(0, self, lambda: self.pane)
        super().paintEvent(event)


def controls_of(part: QWidget) -> list[QWidget]:
    """What takes the keyboard by Tab within a part, as it stands there.

    They are told by the layouts: walking the focus chain would make PySide owners of what it returns, and make all its
    classes of widgets first.
    """
    # The list of a combo box is a window of its own.
    return [each for each in _within(part) if _takes_tab(each) and each.window() is part.window()]


def _within(part: QWidget) -> Iterator[QWidget]:
    for child in _children_as_they_stand(part):
        yield child
        yield from _within(child)


def _children_as_they_stand(part: QWidget) -> list[QWidget]:
    """In the order of the splitter or the layout they are in, then those that are in none, as they were made."""
    if isinstance(part, QSplitter):
        placed = [widget for place in range(part.count()) if (widget := part.widget(place)) is not None]
    else:
        layout = part.layout()
        placed = list(_laid_out(layout)) if layout is not None else []
    others = part.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [*placed, *(each for each in others if each not in placed)]


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        if (widget := item.widget()) is not None:
            yield widget
        elif (inner := item.layout()) is not None:
            yield from _laid_out(inner)


def _takes_tab(control: QWidget) -> bool:
    return bool(control.focusPolicy() & Qt.FocusPolicy.TabFocus) and control.focusProxy() is None


def follow_in_tab_order(part: QWidget, before: QWidget) -> None:
    """Have Tab reach the controls of a part that was just built behind the control `before`."""
    last = before
    for control in controls_of(part):
        QWidget.setTabOrder(last, control)
        last = control
