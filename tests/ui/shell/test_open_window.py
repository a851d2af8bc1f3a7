"""A workspace that is open already: its window comes to the front, and nothing else opens."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QWidget

from mnemoscope.bootstrap import open_core
from mnemoscope.ui.shell import open_window
from mnemoscope.ui.shell.application import ApplicationSetup
from mnemoscope.ui.shell.open_window import RaiseServer, bring_to_front, raise_open_window
from tests.ui.application_fixture import AppDriver, held_elsewhere, open_as_asked
from tests.ui.patient_bot import PatientBot
from tests.ui.window_fixture import Stage, question, until, words_in

KILLED = """
import os, signal, sys
from PySide6.QtCore import QCoreApplication
from PySide6.QtNetwork import QLocalServer
app = QCoreApplication([])
server = QLocalServer()
assert server.listen(sys.argv[1])
os.kill(os.getpid(), signal.SIGKILL)
"""


class Listener:
    """Listens as the window of a workspace does, and counts how often that was to come to the front, with which
    files."""

    def __init__(self, runtime: Path, root: Path) -> None:
        self.raised = 0
        self.shown: list[str] = []
        self._owner = QObject()
        self.server = RaiseServer(runtime, root, self._count, self._owner)

    def _count(self, shown: str) -> None:
        self.raised += 1
        self.shown.append(shown)


@pytest.fixture
def runtime() -> Iterator[Path]:
    # The path of a socket has room for a hundred characters, and pytest's folders are long.
    with TemporaryDirectory(prefix="mnemo-") as folder:
        made = Path(folder) / "mnemoscope"
        made.mkdir(mode=0o700)
        yield made


@pytest.fixture
def root(stage: Stage) -> Path:
    made = stage.make(("user", "Earlier."))
    stage.paths.own.lock_file.touch()
    return made


@pytest.fixture
async def listener(runtime: Path, root: Path) -> AsyncIterator[Listener]:
    made = Listener(runtime, root)
    yield made
    made.server.close()


def let_listen(driver: AppDriver, runtime: Path) -> None:
    """Gives the application a folder for sockets, as the program has one."""
    setup = ApplicationSetup(open_core, driver.sample, driver.settings_file, runtime_folder=runtime)
    driver.application._setup = setup


async def ended(*command: str, runtime: Path) -> int:
    """Runs a program and returns its exit code."""
    environment = os.environ | {"XDG_RUNTIME_DIR": str(runtime.parent)}
    run = partial(subprocess.run, [sys.executable, *command], env=environment, timeout=60, check=False)
    return (await asyncio.to_thread(run)).returncode


async def test_a_second_start_raises_the_open_window_and_ends(driver: AppDriver, runtime: Path, root: Path) -> None:
    # The first window makes the folder.
    os.rmdir(runtime)
    let_listen(driver, runtime)
    await open_as_asked(driver, root)
    window = driver.window.window
    window.showMinimized()
    await until(window.isMinimized, "a window put away")
    assert await ended("-m", "mnemoscope", str(root), runtime=runtime) == 0
    assert not window.isMinimized()
    assert question() is None
    await driver.window.close()
    assert os.listdir(runtime) == []


async def test_a_second_start_with_a_file_of_memory_shows_it_as_a_first_one_does(
    driver: AppDriver, runtime: Path, root: Path
) -> None:
    let_listen(driver, runtime)
    await open_as_asked(driver, root)
    pane = driver.window.window.memory
    driver.window.current.memory.show_file("memory/MEMORY.md")
    named = root / "memory" / ".." / "SOUL.md"
    assert await ended("-m", "mnemoscope", str(named), runtime=runtime) == 0
    assert pane.current.path == "SOUL.md"
    assert driver.window.window.focusWidget() is pane.editor
    note = root / "memory" / "note.md"
    note.write_text("A note.\n", "utf-8")
    assert await ended("-m", "mnemoscope", str(note), runtime=runtime) == 0
    assert pane.current.path == "SOUL.md", "a file that the pane does not show leaves what it shows"


async def test_only_what_was_named_at_the_start_is_asked_for(
    driver: AppDriver, listener: Listener, runtime: Path, root: Path
) -> None:
    let_listen(driver, runtime)
    listener.server.listen()
    async with held_elsewhere(root):
        await driver.application.start(root / "USER.md")
        assert await raise_open_window(runtime, root)
        driver.ask_to_open(root)
        assert not await driver.opened()
    assert listener.shown == ["USER.md", "", ""]


async def test_a_folder_chosen_in_another_window_raises_the_one_that_has_it(
    driver: AppDriver, listener: Listener, runtime: Path, root: Path
) -> None:
    let_listen(driver, runtime)
    await open_as_asked(driver, driver.sample())
    before = driver.application.current
    listener.server.listen()
    async with held_elsewhere(root):
        driver.ask_to_open(root)
        assert not await driver.opened()
    assert listener.raised == 1
    assert question() is None
    assert driver.application.current is before


async def test_who_only_looks_opens_a_window_of_their_own(
    driver: AppDriver, listener: Listener, runtime: Path, root: Path
) -> None:
    let_listen(driver, runtime)
    listener.server.listen()
    async with held_elsewhere(root):
        await driver.application.start(root, read_only=True)
        assert driver.window.bench.read_only
        assert listener.raised == 0
        assert await raise_open_window(runtime, root), "the window that looks took the place of the other"
        await driver.window.close()
        assert await raise_open_window(runtime, root), "the window that looked took the socket along"


async def test_without_an_answer_the_person_is_asked_as_ever(driver: AppDriver, runtime: Path, root: Path) -> None:
    let_listen(driver, runtime)
    silent = QLocalServer()
    assert silent.listen(open_window._socket_name(runtime, root))
    async with held_elsewhere(root):
        driver.ask_to_open(root)
        assert "is open in another Mnemoscope window" in words_in(await driver.asked())
        assert silent.hasPendingConnections()
        await driver.answer("Look around, read-only")
        assert await driver.opened()
        await driver.window.close()
    silent.close()


async def test_a_window_that_is_still_being_opened_is_waited_for(
    listener: Listener, runtime: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = asyncio.Event()
    ask = open_window._ask

    async def ask_and_note(link: QLocalSocket, name: str, request: bytes) -> bool:
        came = await ask(link, name, request)
        tried.set()
        return came

    monkeypatch.setattr(open_window, "_ask", ask_and_note)
    raising = asyncio.ensure_future(raise_open_window(runtime, root))
    await tried.wait()
    listener.server.listen()
    assert await raising
    assert listener.raised == 1


async def test_what_a_killed_window_left_is_not_in_the_way(listener: Listener, runtime: Path, root: Path) -> None:
    name = open_window._socket_name(runtime, root)
    assert await ended("-c", KILLED, name, runtime=runtime) < 0
    assert len(os.listdir(runtime)) == 1
    assert not await raise_open_window(runtime, root)
    assert listener.server.listen()
    assert await raise_open_window(runtime, root)
    assert listener.raised == 1


async def test_a_folder_that_others_may_write_is_not_trusted(listener: Listener, runtime: Path, root: Path) -> None:
    assert listener.server.listen()
    assert os.stat(open_window._socket_name(runtime, root)).st_mode & 0o077 == 0
    os.chmod(runtime, 0o777)
    assert not await raise_open_window(runtime, root)
    assert listener.raised == 0
    assert not Listener(runtime, root).server.listen()


async def test_a_folder_in_one_that_others_may_write_is_not_trusted(
    listener: Listener, runtime: Path, root: Path
) -> None:
    """They could put a folder of theirs in its place."""
    assert listener.server.listen()
    os.chmod(runtime.parent, 0o777)
    assert not await raise_open_window(runtime, root)
    assert listener.raised == 0
    assert not Listener(runtime, root).server.listen()


async def test_the_folders_that_are_made_are_the_persons_alone(runtime: Path, root: Path) -> None:
    owner = Listener(runtime.parent / "of-the-person" / "mnemoscope", root)
    before = os.umask(0)
    try:
        assert owner.server.listen()
    finally:
        os.umask(before)
        owner.server.close()


def test_a_window_that_comes_to_the_front_asks_for_attention(
    qtbot: PatientBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the desktop does not let a window come forward, it would do nothing at all."""
    window = QWidget()
    qtbot.addWidget(window)
    alerted: list[QWidget] = []
    monkeypatch.setattr(QApplication, "alert", alerted.append)
    bring_to_front(window)
    assert alerted == [window]


@pytest.mark.parametrize(
    "said",
    [b"close\n", b"x" * 1000, b"raise /etc/passwd\n", b"raise ../SOUL.md\n", b"raise AGENTS.md\n", b"raise \xff\n"],
)
async def test_another_request_is_not_answered(listener: Listener, runtime: Path, root: Path, said: bytes) -> None:
    assert listener.server.listen()
    link = QLocalSocket()
    link.connectToServer(open_window._socket_name(runtime, root))
    link.write(said)
    await until(lambda: link.state() == QLocalSocket.LocalSocketState.UnconnectedState, "the end of the connection")
    assert link.readAll().isEmpty()
    assert listener.raised == 0


async def test_a_window_that_closes_shows_nothing_more_and_does_not_say_that_it_came(
    listener: Listener, runtime: Path, root: Path
) -> None:
    assert listener.server.listen()
    link = QLocalSocket()
    link.connectToServer(open_window._socket_name(runtime, root))
    await until(lambda: listener.server.findChild(QLocalSocket) is not None, "that it was accepted")
    listener.server.close()
    link.write(b"raise SOUL.md\n")
    await until(lambda: link.state() == QLocalSocket.LocalSocketState.UnconnectedState, "the end of the connection")
    assert link.readAll().isEmpty()
    assert listener.shown == []


async def test_a_window_that_closed_while_it_was_opened_listens_no_more(
    listener: Listener, runtime: Path, root: Path
) -> None:
    listener.server.close()
    assert not listener.server.listen()
    assert os.listdir(runtime) == []
