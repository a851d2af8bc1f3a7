"""Delivers the core's events to Qt: slots are called on the window's thread and end with the object that owns them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain.events import Event, EventBus

E = TypeVar("E", bound=Event)


class Bridge(QObject):
    """Emits every event of one bus as a Qt signal, and hands it to the slots registered for its type."""

    happened = Signal(object)
    """This `Event` came over the bus."""

    def __init__(self, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._slots: dict[type[Event], list[Callable[[Event], object]]] = defaultdict(list)
        self.happened.connect(self._dispatch)
        self._unsubscribe = bus.subscribe(self.happened.emit)

    def on(self, kind: type[E], slot: Callable[[E], object]) -> None:
        """Calls `slot` for every event of exactly this type."""
        self._slots[kind].append(slot)  # type: ignore[arg-type]

    def close(self) -> None:
        """Stops listening to the bus."""
        self._unsubscribe()
        self._slots.clear()

    def _dispatch(self, event: Event) -> None:
        for slot in tuple(self._slots[type(event)]):
            slot(event)
