"""Whole windows over real folders: what a person does with keys and mouse, and what shows then.

`stage` gives a folder that is a workspace, and opens windows on it, one after another or side by side. Whatever is
still open when the test ends is closed, and its end is waited for.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget
from shiboken6 import isValid

from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.llm import ChatRequest, LLMResponse
from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.llm.local_embedder import LocalEmbedder
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.shell.workspace_window import WorkspaceWindow
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.support.own_time import Watch
from tests.support.scripted_provider import ScriptedProvider

PATIENCE = 90.0
"""Seconds after which a wait is given up: none is over by luck, so a busy machine may take its time."""
CLOSE_SECONDS = 3.0
_LOOK_SECONDS = 0.02
KEY = "desktop:test"
_TURNS = 10


def qt_loop() -> asyncio.AbstractEventLoop:
    """Returns the window's loop, in place of asyncio's own."""
    app = QApplication.instance() or QApplication(["mnemoscope-tests"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    return WindowLoop(app)


async def until(shows: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Waits until `shows()` is true; the test fails naming `what` when it does not come true."""
    ends = monotonic() + seconds
    while not shows():
        if monotonic() > ends:
            pytest.fail(f"this did not show: {what}")
        await asyncio.sleep(0.005)


async def rest(seconds: float = 0.05) -> None:
    """Lets queued events, and timers that are due by then, run; where it is slow, in no fewer turns of the loop.

    For what must not happen. What has to happen is waited for with `until`.
    """
    ends = monotonic() + seconds
    while monotonic() < ends:  # noqa: ASYNC110 - whatever is queued, not one thing
        await asyncio.sleep(0.005)
    for _ in range(_TURNS):
        await asyncio.sleep(0)


def messages_on_disk(root: Path, key: str = KEY) -> list[dict[str, Any]]:
    """Returns the messages that a program started now would read."""
    session = SessionManager(root, read_only=True).load(key)
    return [] if session is None else [dict(message) for message in session.messages]


def drafts_hold(paths: WorkspacePaths, *words: str) -> bool:
    """Returns whether the drafts on disk hold all these words."""
    kept = []
    for file in paths.own.drafts_dir.glob("*.json"):
        with suppress(FileNotFoundError):  # One may be done with at this moment.
            kept.append(file.read_bytes())
    return all(any(json.dumps(one)[1:-1].encode() in draft for draft in kept) for one in words)


def as_killed(root: Path, name: str = "after-kill") -> Path:
    """Returns a copy beside a workspace, as a kill at this moment would leave it: files come and go while it is
    made."""
    copy = root.with_name(name)
    with suppress(shutil.Error):
        shutil.copytree(root, copy)
    return copy


def tree(root: Path) -> dict[str, bytes | None]:
    """Returns every file with its bytes, every folder with None."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in sorted(root.rglob("*"))
    }


def press(widget: QWidget, keys: str) -> None:
    """Press one key or chord, as `Ctrl+K`, in what has the keyboard in this window or the popup over it."""
    chord = QKeySequence(keys)[0]  # type: ignore[index]  # a sequence, whatever its stub says
    window = QApplication.activePopupWidget() or widget.window()
    target = window.focusWidget() or widget
    QTest.keyClick(target, chord.key(), chord.keyboardModifiers())


def click(widget: QWidget, where: QPoint | None = None) -> None:
    """Clicks with the left button, in the middle unless told where."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where or widget.rect().center())


def type_words(widget: QWidget, words: str) -> None:
    """Types key by key; the end of a line is the Return key."""
    for number, line in enumerate(words.split("\n")):
        if number:
            QTest.keyClick(widget, Qt.Key.Key_Return)
        QTest.keyClicks(widget, line)


def button(pane: QWidget, words: str) -> QAbstractButton | None:
    """Returns the visible button of that text within a pane."""
    found = pane.findChildren(QAbstractButton)
    return next(
        (one for one in found if one.isVisible() and words in {one.text().replace("&", ""), one.toolTip()}), None
    )


def sentences(pane: QWidget) -> list[str]:
    """Returns the bars on show in a pane."""
    return [bar.sentence for bar in pane.findChildren(NoticeBar) if bar.isVisibleTo(pane)]


def words_in(pane: QWidget) -> str:
    """Returns all labels on show in a pane."""
    return "\n".join(label.text() for label in pane.findChildren(QLabel) if label.isVisible())


def question() -> QDialog | None:
    """Returns the question on the screen."""
    found = (one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible())
    return next(found, None)


class TwoMinds(ScriptedProvider):
    """One script for the conversation and one, `memory`, for consolidations, so that neither takes the other's turn."""

    def __init__(self, *talk: Any, memory: ScriptedProvider | None = None, last: Any = None) -> None:
        super().__init__(*talk, last=last)
        self.memory = memory or ScriptedProvider()

    async def complete(self, request: ChatRequest) -> LLMResponse:
        return await self.memory.complete(request)


class Opened:
    """One window, and the person in front of it."""

    def __init__(self, current: WorkspaceWindow) -> None:
        self.current, self.bench, self.window = current, current.bench, current.main_window
        self.chat, self.timeline = current.main_window.chat, current.main_window.timeline
        self.memory, self.history = current.main_window.memory.main, current.main_window.history
        self.composer, self.transcript = self.chat.composer, self.chat.transcript
        self.is_closed = False
        self._closed = asyncio.get_running_loop().create_future()
        current.closed.connect(self._on_closed)

    @property
    def key(self) -> str:
        """Returns the conversation on show."""
        return self.current.conversation.key

    @property
    def session(self) -> Session:
        """Returns the conversation on show, whole."""
        session = self.current.conversation.session
        assert session is not None
        return session

    @property
    def text(self) -> str:
        """Returns the text of the transcript."""
        return self.transcript.view.toPlainText()

    def type(self, widget: QWidget, words: str) -> None:
        """Types, key by key."""
        widget.setFocus()
        QTest.keyClicks(widget, words)

    def send(self, words: str) -> None:
        """Types a message and press Enter."""
        self.type(self.composer.edit, words)
        QTest.keyClick(self.composer.edit, Qt.Key.Key_Return)

    async def say(self, words: str) -> None:
        """Sends a message and wait for its answer."""
        self.send(words)
        await self.answered()

    async def answered(self) -> None:
        """Waits until nothing is being written any more."""
        await rest(0.01)
        await until(lambda: not self.bench.loop.is_busy(self.key) and not self.composer.busy, "the answer's end")

    def press(self, keys: str) -> None:
        """Press a key or chord where the keyboard is."""
        press(self.window, keys)

    def click(self, words: str, pane: QWidget | None = None) -> None:
        """Clicks the button of that text."""
        found = button(pane or self.window, words)
        assert found is not None, f"no button “{words}”"
        assert found.isEnabled(), f"the button “{words}” is disabled"
        click(found)

    def rows(self, kind: RowKind = RowKind.MESSAGE) -> dict[int, QRect]:
        """Returns the timeline's rows of a kind that are in sight, by number."""
        view = self.timeline.view
        return {row.number: rect for _, row, rect in view.scene.in_sight(view.scrolling.top) if row.kind is kind}

    def entries(self) -> list[str]:
        """Returns the texts of the entries that the history lists."""
        return [match.entry.text for match in self.history.model.matches]

    async def until(self, shows: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Waits until something shows."""
        await until(shows, what, seconds)

    async def until_said(self, words: str, pane: QWidget | None = None) -> str:
        """Waits for a bar whose sentence holds these words; the whole sentence."""
        where = pane or self.window
        await until(
            lambda: any(words in one for one in sentences(where)),
            f"a bar that says “{words}”, only {sentences(where)}",
        )
        return next(one for one in sentences(where) if words in one)

    async def until_ready(self) -> None:
        """Waits until the whole conversation is open, in every pane."""
        conversation = self.current.conversation
        await until(lambda: conversation.session is not None and not conversation.is_opening, "the whole conversation")

    async def close(self) -> None:
        """Closes the window, and waits for its end."""
        if self.is_closed:
            return
        self.window.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.shield(self._closed)
        if isValid(self.current):
            self.current.deleteLater()
        await rest(0.01)

    async def seconds_to_close(self) -> float:
        """Closes the window; how long it took, in seconds, without those that other programs had the processor."""
        watch = Watch()
        closing = asyncio.ensure_future(self.close())
        while not closing.done():
            # Threads end meanwhile, and with each what is known of it.
            watch.seconds()
            await asyncio.wait({closing}, timeout=_LOOK_SECONDS)
        await closing
        return watch.seconds()

    def _on_closed(self) -> None:
        self.is_closed = True
        if not self._closed.done():
            self._closed.set_result(None)


class Stage:
    """A workspace in a folder of its own, and the windows that are opened on it."""

    def __init__(self, folder: Path, local: LocalEmbedder | None = None) -> None:
        self._local = local
        self.folder, self.root, self.ini = folder, folder / "home", folder / "window.ini"
        self.paths = WorkspacePaths(self.root)
        self._opened: list[Opened] = []

    def make(self, *said: tuple[str, str], memory: str = "", pointer: int = 0, **config: Any) -> Path:
        """Makes the workspace: a conversation, MEMORY.md and config.json (`agents.defaults` in `config`)."""
        create_workspace(self.root, template=shipped("resources", "blank"))
        if memory:
            self.paths.memory_file.write_text(memory, "utf-8")
        if config:
            self.paths.config_file.write_text(json.dumps({"agents": {"defaults": config}}), "utf-8")
        if said:
            self.write_session(*said, pointer=pointer)
        return self.root

    def write_session(self, *said: tuple[str, str], key: str = KEY, pointer: int = 0) -> Path:
        """Returns a conversation as a file; returns it."""
        manager = SessionManager(self.root)
        session = manager.get_or_create(key)
        for role, content in said:
            session.add_message(role, content)
        session.last_consolidated = pointer
        manager.save(session)
        path = manager.path_of(key)
        assert path is not None
        return path

    async def open(self, root: Path | None = None, *, read_only: bool = False, **core: Any) -> Opened:
        """Opens a window; `core` as `open_core` takes it."""
        if root is None and not self.paths.own.folder.exists():
            self.make()
        core.setdefault("local", self._local)
        opened = self.show(open_core(root or self.root, read_only, **core))
        await opened.current.open()
        await opened.until_ready()
        return opened

    def show(self, core: Core) -> Opened:
        """Returns a window over this core, not opened yet."""
        settings = QSettings(str(self.ini), QSettings.Format.IniFormat)
        opened = Opened(WorkspaceWindow(core, settings, OneWindow()))
        self._opened.append(opened)
        return opened

    async def close_all(self) -> None:
        """Closes what is still open."""
        for opened in self._opened:
            await opened.close()


class OneWindow:
    """An application that has one window and opens no other: it notes which folders were asked for."""

    def __init__(self) -> None:
        self.asked: list[Path] = []

    async def choose_folder(self, *, read_only: bool = False) -> bool:
        return False

    async def create_folder(self) -> bool:
        return False

    async def open_sample(self) -> bool:
        return False

    async def open_folder(self, folder: Path, *, read_only: bool = False) -> bool:
        self.asked.append(folder)
        return False

    async def open_again(self, folder: Path) -> bool:
        self.asked.append(folder)
        return False

    def recent(self) -> list[Path]:
        return []


@pytest.fixture
async def stage(tmp_path: Path, request: pytest.FixtureRequest, local_embedder: LocalEmbedder) -> AsyncIterator[Stage]:
    """Yields a folder to make a workspace in, and windows on it. What they began has come to its end with them."""
    made = Stage(tmp_path, local_embedder)
    yield made
    await made.close_all()
    begun = asyncio.all_tasks() - {asyncio.current_task()}
    if begun and "driver" not in request.fixturenames:
        await asyncio.wait(begun, timeout=PATIENCE)
