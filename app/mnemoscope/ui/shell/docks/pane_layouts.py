"""Maximises one pane for a while, and arranges the panes for the three uses of the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.shell.docks.inspector import LAYOUTS, DockTitle, Inspector

CHAT: Final = "chat"
"""The pane that is no dock."""


class SideColumn(Protocol):
    """Is the list of conversations at the left."""

    @property
    def wanted(self) -> bool:
        """Returns whether it is in sight as soon as there is room for it."""
        ...

    def want(self, wanted: bool) -> None:
        """Brings it in sight where there is room for it, or hides it."""
        ...

    def put_back(self) -> bool:
        """Brings the docks back that made room for it; returns whether there were any."""
        ...


class PaneLayouts(QObject):
    """Maximises panes and chooses layouts. `centre` holds chat and conversations; `arrange` lays the docks out for the
    window as it is."""

    chosen = Signal(str)
    """This layout is in force, one of LAYOUTS."""
    maximised = Signal(str)
    """This pane has all the room; "" where none has."""

    def __init__(
        self, inspector: Inspector, centre: QWidget, side: SideColumn, arrange: Callable[[bool], None]
    ) -> None:
        super().__init__(inspector)
        self._inspector = inspector
        self._centre = centre
        self._side = side
        self._arrange = arrange
        self.pane = ""
        """The pane that has all the room."""
        self._docks_before = QByteArray()
        self._side_before = True
        self._side_of_chat = True
        self._own: dict[str, QByteArray] = {}
        """The person's own arrangement of the docks in a layout, by the layout's name."""
        inspector.maximise_requested.connect(self.toggle)
        inspector.showing.connect(self._on_showing)

    def toggle(self, pane: str) -> None:
        """Gives a pane all the room, or lets the others come back."""
        if self.pane:
            self.restore()
        else:
            self._maximise(pane)

    def restore(self) -> None:
        """Has all panes where they were, if one of them has all the room."""
        if not self.pane:
            return
        pane, self.pane = self.pane, ""
        held = self._centre.window().focusWidget()
        # First what stands beside the docks: they would take its room.
        self._centre.show()
        self._side.want(self._side_before)
        self._inspector.take_back(self._docks_before)
        self._show_title(pane, maximised=False)
        self._arrange(False)
        self._fit_centre()
        if held is not None and held.isVisible():
            held.setFocus()
        self.maximised.emit("")

    def show_chat(self) -> None:
        """Has the chat in sight, whatever is maximised; where the layout has no room for it, in the one for talking."""
        if self.pane and self.pane != CHAT:
            self.restore()
        if self._centre.isHidden():
            self.choose(LAYOUTS[0])

    def choose(self, layout: str) -> None:
        """Arranges the panes for a use, or as a person arranged them for it the last time."""
        self.restore()
        self._keep_own()
        before, self._inspector.layout = self._inspector.layout, layout
        if before == LAYOUTS[0]:
            self._side_of_chat = self._side.wanted
        self._centre.show()
        self._side.want(layout == LAYOUTS[0] and self._side_of_chat)
        own = self._own.get(layout)
        self._inspector.customised = False
        if own is None or not self._inspector.restore(own):
            self._arrange(True)
        self._fit_centre()
        self.chosen.emit(layout)

    def follow(self) -> None:
        """Arranges the docks for a window of another size, unless one pane has all of it."""
        if not self.pane:
            self._arrange(False)
            self._fit_centre()

    def reset(self) -> None:
        """Forgets how the layout was arranged by a person."""
        self.restore()
        self._own.pop(self._inspector.layout, None)
        self._centre.show()
        self._arrange(True)
        self._fit_centre()

    def restore_layout(self, settings: QSettings) -> None:
        """Has the panes in the layout they were left in."""
        for layout in LAYOUTS:
            own = settings.value(_key(layout))
            if isinstance(own, QByteArray):
                self._own[layout] = own
        layout = settings.value("window/layout")
        self._inspector.layout = layout if layout in LAYOUTS else LAYOUTS[0]
        if self._inspector.layout != LAYOUTS[0]:
            self._side.want(False)
        own = self._own.get(self._inspector.layout)
        if own is None or not self._inspector.restore(own):
            self._arrange(True)
        self._fit_centre()

    def restore_maximised(self, settings: QSettings) -> None:
        """Gives the pane all the room that had it, once the window is shown."""
        pane = settings.value("window/maximised")
        if pane == CHAT or pane in self._inspector.docks:
            self._maximise(pane)

    def remember(self, settings: QSettings) -> None:
        """Notes layout, docks and which pane has all the room; docks only where a person arranged them."""
        settings.setValue("window/maximised", self.pane)
        self.restore()
        self._keep_own()
        settings.setValue("window/layout", self._inspector.layout)
        for layout in LAYOUTS:
            if layout in self._own:
                settings.setValue(_key(layout), self._own[layout])
            else:
                settings.remove(_key(layout))

    def _maximise(self, pane: str) -> None:
        held = self._centre.window().focusWidget()
        self._side.put_back()
        self._side_before = self._side.wanted
        self._docks_before = self._inspector.save()
        self.pane = pane
        if pane == CHAT:
            self._centre.show()
            self._side.want(False)
        else:
            self._centre.hide()
        self._inspector.show_alone("" if pane == CHAT else pane)
        self._show_title(pane, maximised=True)
        if held is not None and held.isVisible():
            held.setFocus()
        elif pane != CHAT:
            self._inspector.pane(pane).setFocus()
        self.maximised.emit(pane)

    def _on_showing(self, name: str) -> None:
        if self.pane and name != self.pane:
            self.restore()

    def _keep_own(self) -> None:
        layout = self._inspector.layout
        if self._inspector.customised:
            self._own[layout] = self._inspector.save()
        else:
            self._own.pop(layout, None)

    def _fit_centre(self) -> None:
        """Hides the chat where the layout leaves it no room."""
        self._centre.setVisible(self._inspector.has_room_for_chat(self._centre.window().width()))

    def _show_title(self, pane: str, *, maximised: bool) -> None:
        dock = self._inspector.docks.get(pane)
        title = dock.titleBarWidget() if dock is not None else None
        if isinstance(title, DockTitle):
            title.show_maximised(maximised)


def _key(layout: str) -> str:
    """Returns under which name the docks of a layout are kept; those for talking have always been kept under this."""
    return "window/docks" if layout == LAYOUTS[0] else f"window/docks-{layout}"
