"""Holds the conversation that the window shows, which its controllers share."""

from __future__ import annotations

from mnemoscope.domain.events import SessionEvent
from mnemoscope.store.sessions.session import Session


class CurrentConversation:
    """Holds the conversation on show. `session` is None while it is still being opened."""

    def __init__(self) -> None:
        self.key = ""
        self.session: Session | None = None

    def select(self, key: str) -> None:
        """Brings another conversation on show."""
        self.key, self.session = key, None

    def is_of(self, event: SessionEvent) -> bool:
        """Returns whether an event concerns the conversation on show."""
        return event.session_key == self.key

    def is_live(self, event: SessionEvent) -> bool:
        """Returns whether it concerns the one whose messages are on show, and not still being opened."""
        return self.is_of(event) and self.session is not None
