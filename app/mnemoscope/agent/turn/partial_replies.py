"""Keeps the answer being written on disk once a second, so that a kill costs at most its last second.

One JSON object at `.mnemoscope/drafts/partial-<hash of the key>.json`; gone once the answer is in the session file.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from mnemoscope.agent.turn.conversation_writer import ConversationWriter, interrupted_message
from mnemoscope.store.files.atomic import encode_text, make_folder, remove_file, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session_manager import SessionManager

log = logging.getLogger(__name__)

_INTERVAL: Final = 1.0
"""Seconds between two writes of one answer."""


@dataclass(frozen=True, slots=True)
class PartialReply:
    """Describes an answer that was being written. It would have become message `index` of the session created at
    `created_at`."""

    session_key: str
    created_at: str
    index: int
    model: str
    text: str = ""


class PartialReplies:
    """Keeps the answers on their way, one a session."""

    def __init__(self, folder: Path, disk: Disk, *, calls: FileCalls = REAL_CALLS) -> None:
        self.folder = folder
        self.disk = disk
        self.interval = _INTERVAL
        self._calls = calls

    def begin(self, partial: PartialReply, *, kept: bool = True) -> PartialReplyWriter:
        """Follows one answer from its first piece; one that is not `kept` stays in memory until it is whole."""
        return PartialReplyWriter(self, partial, kept=kept)

    def path_of(self, session_key: str) -> Path:
        """Returns where a session's partial answer is kept."""
        name = hashlib.sha256(session_key.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        return self.folder / f"partial-{name}.json"

    def write(self, partial: PartialReply) -> None:
        """Keeps what has arrived, durably."""
        # Its parent is there as long as the workspace is: where it was moved away, nothing is built in its place.
        make_folder(self.folder, calls=self._calls)
        data = encode_text(json.dumps(asdict(partial), ensure_ascii=False))
        replace_bytes(self.path_of(partial.session_key), data, calls=self._calls)

    def left_behind(self) -> list[PartialReply]:
        """Returns what a process that ended in the middle of answers left."""
        found = (_read(file) for file in sorted(self.folder.glob("partial-*.json")))
        return [partial for partial in found if partial is not None]

    async def recover(self, sessions: SessionManager, writer: ConversationWriter) -> list[str]:
        """Stores the answers a killed process left half-written, marked interrupted; returns the sessions they
        belong to.
        """
        recovered = []
        for partial in await self.disk.run(self.left_behind):
            session = await self.disk.run(sessions.load, partial.session_key)
            is_same = session is not None and session.created_at.isoformat() == partial.created_at
            if session is not None and is_same and len(session.messages) == partial.index and partial.text.strip():
                await writer.append(session, interrupted_message(partial.text, partial.model))
                recovered.append(partial.session_key)
            await self.disk.run(self.forget, partial.session_key)
        return recovered

    def forget(self, session_key: str) -> None:
        """Drops a session's partial answer."""
        path = self.path_of(session_key)
        if path.exists():
            remove_file(path, calls=self._calls)


class PartialReplyWriter:
    """Follows one answer on its way to the disk.

    Where its `with` block is left without `finish`, the answer did not get into the session file: what waits for its
    second is written at once, since the disk may be closed by then.
    """

    def __init__(self, replies: PartialReplies, start: PartialReply, *, kept: bool) -> None:
        self._replies = replies
        self._kept = kept
        self._start = start
        self._timer: asyncio.TimerHandle | None = None
        self._text: Callable[[], str] = str
        self._last: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._cancel():
            self._write()

    def grow(self, text: Callable[[], str]) -> None:
        """Notes that more has arrived; `text` gives all of it when it is time to write."""
        self._text = text
        if self._kept and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._replies.interval, self._save)

    def finish(self) -> None:
        """Drops the copy: the answer is in the session file, or there was none. Runs after any write still queued."""
        self._cancel()
        self._replies.disk.submit(self._replies.forget, self._start.session_key).add_done_callback(_log_failure)

    def _cancel(self) -> bool:
        """Returns whether a write waited for its second."""
        waiting, self._timer = self._timer, None
        if waiting is not None:
            waiting.cancel()
        return waiting is not None

    def _save(self) -> None:
        self._timer = None
        if self._last is not None and not self._last.done():
            self.grow(self._text)
        else:
            self._write()

    def _write(self) -> None:
        start = self._start
        partial = PartialReply(start.session_key, start.created_at, start.index, start.model, self._text())
        self._last = self._replies.disk.submit(self._replies.write, partial)
        self._last.add_done_callback(_log_failure)


def _log_failure(future: Future[None]) -> None:
    if not future.cancelled() and future.exception() is not None:
        log.warning("a partial answer could not be kept: %s", future.exception())


def _read(file: Path) -> PartialReply | None:
    try:
        document = json.loads(file.read_bytes())
        return PartialReply(
            str(document["session_key"]),
            str(document["created_at"]),
            int(document["index"]),
            str(document["model"]),
            str(document["text"]),
        )
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        log.warning("a partial answer could not be read: %s", file.name)
        return None
