"""Chooses how much of a conversation is kept, at its beginning or in the middle of it."""

from __future__ import annotations

from functools import partial

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.conversation.discretion import Discretion, Transition, is_temporary, transition
from mnemoscope.domain.errors import KeptOut
from mnemoscope.domain.events import DiscretionChanged, EventBus, SessionsChanged
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.write_access import WriteAccess


class DiscretionSwitch:
    """Switches the kinds of one workspace's conversations. What changes is announced."""

    def __init__(
        self, sessions: SessionManager, loop: AgentLoop, bus: EventBus, disk: Disk, access: WriteAccess
    ) -> None:
        self._sessions = sessions
        self._loop = loop
        self._bus = bus
        self._disk = disk
        self._access = access

    async def begin_temporary(self, *, anew: bool = False) -> Session:
        """Begins a conversation that is kept nowhere; returns the one in which nothing was said yet, where there is one
        and none is to be begun `anew`."""
        self._access.require()
        temporary = self._sessions.temporary
        empty = None if anew else next((each for each in temporary.sessions() if not len(each.messages)), None)
        session = empty or temporary.create()
        self._bus.publish(SessionsChanged())
        return session

    async def change(self, key: str, wanted: Discretion) -> None:
        """Makes a conversation a discreet one from here on, or a remembered one again with all that was said in it.

        Raises KeptOut where that is no change of one conversation: a temporary one is kept by `keep`, and none on the
        disk becomes temporary. Raises StorageError, with nothing changed, while it is at work or the disk refuses.
        """
        self._access.require()
        change = transition(self._sessions.discretion_of(key), wanted)
        if change is Transition.NONE:
            return
        if change not in (Transition.STOP, Transition.RESUME):
            raise KeptOut("The kind of this conversation cannot be changed in that way.", next_step="")
        with self._loop.kept_idle({key}):
            session = await self._disk.run(self._sessions.get_or_create, key)
            await self._disk.run(self._change, session, wanted)
        self._announce(session)

    async def keep(self, key: str, wanted: Discretion) -> Session:
        """Keeps a temporary conversation as one of another kind, under a key of its own, with what was said in it.

        Returns that one; the temporary one is closed. Raises StorageError, with nothing changed, while it is at work or
        the disk refuses.
        """
        self._access.require()
        if transition(self._sessions.discretion_of(key), wanted) is not Transition.KEEP:
            raise KeptOut("Only a temporary conversation has to be kept.", next_step="")
        with self._loop.kept_idle({key}):
            session = self._sessions.get_or_create(key)
            kept = await self._disk.run(partial(self._sessions.keep_temporary, session, wanted))
        self._announce(kept)
        return kept

    def close(self, key: str) -> None:
        """Closes a temporary conversation: nothing of it is left. Raises StorageError while it is at work."""
        if is_temporary(key):
            with self._loop.kept_idle({key}):
                self._sessions.temporary.close(key)
            self._bus.publish(SessionsChanged())

    def _change(self, session: Session, wanted: Discretion) -> None:
        """Changes the kind once what was begun before is written."""
        self._loop.consolidation.memory.finish_pending(session)
        self._sessions.set_discretion(session, wanted)

    def _announce(self, session: Session) -> None:
        self._bus.publish(DiscretionChanged(session.key, session.discretion, session.discreet_since))
        self._bus.publish(SessionsChanged())
