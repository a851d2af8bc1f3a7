"""Brings the window that has a workspace open to the front when that workspace is opened once more.

The window that holds a workspace's lock listens on a local socket of the person's own. One request is understood, that
the window may come to the front, with or without one of memory's files that it is to show. It is answered once that was
asked of the desktop, which may not allow it: then the window asks for attention. Nothing of the workspace goes through,
and no path: a file is asked for by its name in the list of those that the memory pane shows, and another name is not
understood. Qt's network library is loaded when it is needed: a start needs none of it, and where the system lacks what
it links to, the window opens all the same and is only not found.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from mnemoscope.domain.memory.file_registry import EDITABLE_FILES
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

log = logging.getLogger(__name__)
_REQUEST: Final = b"raise"
_ANSWER: Final = b"done"
_LONGEST: Final = 64
"""Bytes of a request that are read; the name of the file to show is the longest part of it."""
_PATIENCE_SECONDS: Final = 1.0
_AGAIN_SECONDS: Final = 0.1
"""Between two tries to reach the window: one that is just being opened has the lock before it listens."""
_NAME_LENGTH: Final = 24


def bring_to_front(window: QWidget) -> None:
    """Asks the desktop to show a window before the others and give it the keyboard, also where it was minimized.

    Where the desktop does not let it come forward, the window asks for attention, in the task bar for one.
    """
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)


class RaiseServer(QObject):
    """Listens for second starts on behalf of the window that holds the lock of `root`, until it is closed.

    `come_to_front` takes the one of EDITABLE_FILES that is to be shown, "" where none was named. The server is to be
    closed before the lock is released: the socket's file is then that of the next window.
    """

    def __init__(self, runtime: Path, root: Path, come_to_front: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._runtime = runtime
        self._root = root
        self._come_to_front = come_to_front
        self._server: QLocalServer | None = None
        self._is_closed = False

    def listen(self) -> bool:
        """Begins to listen and returns whether it does. What a killed window left in the way is removed: whoever has
        the lock is the only one to listen here."""
        if self._is_closed:
            return False
        try:
            from PySide6.QtNetwork import QLocalServer

            for folder in (self._runtime.parent, self._runtime):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            name = _socket_name(self._runtime, self._root)
        except (ImportError, OSError) as error:
            log.info("a second start will not find this window: %s", error)
            return False
        self._server = server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._on_connection)
        QLocalServer.removeServer(name)
        if not server.listen(name):
            log.info("a second start will not find this window: %s", server.errorString())
        return server.isListening()

    def close(self) -> None:
        """Stops listening, now and for ever, and removes the socket."""
        self._is_closed = True
        if self._server is not None:
            self._server.close()

    def _on_connection(self) -> None:
        assert self._server is not None
        while self._server.hasPendingConnections():
            self._take(self._server.nextPendingConnection())

    def _take(self, link: QLocalSocket) -> None:
        """Answers what is asked, and ends the connection where nothing is within a second."""
        patience = QTimer(link)
        patience.setSingleShot(True)
        patience.timeout.connect(lambda: link.abort())
        patience.start(round(_PATIENCE_SECONDS * 1000))
        link.setReadBufferSize(_LONGEST)
        link.readyRead.connect(lambda: self._answer(link))
        link.disconnected.connect(link.deleteLater)
        self._answer(link)

    def _answer(self, link: QLocalSocket) -> None:
        if not link.canReadLine():
            return
        said = bytes(link.readLine(_LONGEST).data()).strip()
        # A window that is being closed shows nothing, and one that asks then is to open its own.
        if not self._is_closed and (shown := _REQUESTS.get(said)) is not None:
            self._come_to_front(shown)
            link.write(_ANSWER + b"\n")
        link.disconnectFromServer()


async def raise_open_window(runtime: Path, root: Path, shown: str = "") -> bool:
    """Asks the window that holds the lock of `root` to come to the front, and to show one of EDITABLE_FILES if that is
    named; returns whether it answered within a second that it does, or asks for attention where it may not."""
    try:
        from PySide6.QtNetwork import QLocalSocket

        name = _socket_name(runtime, root)
    except (ImportError, OSError) as error:
        log.info("the open window cannot be asked: %s", error)
        return False
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                if await _ask(QLocalSocket(), name, _request(shown)):
                    return True
                await asyncio.sleep(_AGAIN_SECONDS)
    except TimeoutError:
        return False


async def _ask(link: QLocalSocket, name: str, request: bytes) -> bool:
    """Asks once, and returns whether the answer is that the window does what it can to come."""
    answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def settle(came: bool) -> None:
        if not answered.done():
            answered.set_result(came)

    def read() -> None:
        if link.canReadLine():
            settle(bytes(link.readLine(_LONGEST).data()).strip() == _ANSWER)

    link.connected.connect(lambda: link.write(request + b"\n"))
    link.readyRead.connect(read)
    link.errorOccurred.connect(lambda _: settle(False))
    try:
        link.connectToServer(name)
        return await answered
    finally:
        link.blockSignals(True)
        link.abort()
        link.deleteLater()


def _request(shown: str) -> bytes:
    return b" ".join(filter(None, (_REQUEST, shown.encode())))


_REQUESTS: Final = {_request(shown): shown for shown in ("", *EDITABLE_FILES)}
"""The requests that are understood, with the file of memory that each asks for."""


def _socket_name(runtime: Path, root: Path) -> str:
    """Returns the name of the socket for a workspace: by its lock file, which is the same by whatever path it is
    reached. Raises OSError where there is none, or where others could put a socket into the folder, or another folder
    at its place: where the system has none for sockets, it lies in the one for temporary files, which is everybody's.
    """
    lock = WorkspacePaths.found(root).own.lock_file.stat()
    identity = hashlib.sha256(f"{lock.st_dev}:{lock.st_ino}".encode()).hexdigest()[:_NAME_LENGTH]
    if os.name != "posix":
        return f"mnemoscope-{identity}"
    for folder, of_others in ((runtime.parent, 0o022), (runtime, 0o077)):
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & of_others:
            raise PermissionError(f"{folder} is not this person's alone")
    return str(runtime / f"{identity}.socket")
