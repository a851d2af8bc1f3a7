"""Reads the states of conversations, SESSION-STATE.md, as their messages on show have them."""

from __future__ import annotations

from collections.abc import Callable

from mnemoscope.domain.capture.active_state import active_state, left_rows
from mnemoscope.domain.conversation.inactive_messages import inactive_on
from mnemoscope.store.capture.session_state_files import SessionStates
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.sessions.session import Session


class ActiveStates:
    """Reads the states of one workspace's conversations without what was said in messages that are deleted, or lie on
    other branches alone. Blocks on the disk."""

    def __init__(self, states: SessionStates, log: CaptureLog, session_of: Callable[[str], Session | None]) -> None:
        """`session_of`: the conversation under a key, None where there is none."""
        self._states = states
        self._log = log
        self._session_of = session_of

    def text_of(self, session_key: str) -> str:
        """Returns the state of a conversation. Raises UnreadableFile."""
        text = self._states.read(session_key).text
        session = self._session_of(session_key) if text else None
        if session is None:
            return text
        is_left = inactive_on(session.branch, session.other_branches, session.messages)
        return active_state(text, self._log.kept_of(session_key), is_left)

    def left_rows(self) -> frozenset[str]:
        """Returns the lines of SESSION-STATE.md in the root that only messages said which are left. Raises
        UnreadableFile."""
        owner = self._states.owner()
        return left_rows(self._states.read(owner).text, self.text_of(owner)) if owner else frozenset()
