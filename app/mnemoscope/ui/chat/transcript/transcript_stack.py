"""The place of the conversation: its messages, or what stands there while there are none."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from mnemoscope.ui.widgets.lazy import follow_in_tab_order

if TYPE_CHECKING:
    from mnemoscope.ui.chat.transcript.empty_conversation import EmptyConversation


class TranscriptStack(QWidget):
    """One of the two at a time."""

    example_chosen = Signal(str)

    def __init__(self, view: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._view, self._note, self._is_read_only = view, "", False
        self._stack = QStackedLayout(self)
        self._stack.addWidget(view)

    @property
    def shows_messages(self) -> bool:
        """Whether the messages are on show."""
        return self._stack.currentWidget() is self._view

    def show_messages(self, *, there_are_any: bool) -> None:
        """Show them, or that there are none."""
        if not there_are_any or self._built is not None:
            self._stack.setCurrentWidget(self._view if there_are_any else self.empty)

    @cached_property
    def empty(self) -> EmptyConversation:
        """What a conversation without messages shows, built for the first of them."""
        from mnemoscope.ui.chat.transcript.empty_conversation import EmptyConversation

        empty = EmptyConversation(self)
        if self._is_read_only:
            empty.set_read_only()
        empty.note(self._note)
        empty.example_chosen.connect(self.example_chosen)
        self._stack.addWidget(empty)
        follow_in_tab_order(empty, self._view)
        return empty

    def note(self, words: str) -> None:
        """Say quietly, while nothing is said here, what happened to the conversation before; "" for nothing."""
        self._note = words
        if self._built is not None:
            self._built.note(words)

    def set_read_only(self) -> None:
        """There is nobody to say anything to."""
        self._is_read_only = True
        if self._built is not None:
            self._built.set_read_only()

    @property
    def _built(self) -> EmptyConversation | None:
        """What shows that there are none, if it is there already."""
        return self.empty if "empty" in vars(self) else None
