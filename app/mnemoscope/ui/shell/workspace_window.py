"""One open workspace in one window: the desks, the commands, and a close that loses nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from mnemoscope.agent.commands.slash_commands import offered
from mnemoscope.agent.workspace.closed_conversations import ClosedConversations
from mnemoscope.agent.workspace.memory_files import DREAM_GUIDE
from mnemoscope.agent.workspace.repairs import export_text
from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.ui.capture.capture_controller import CaptureController
from mnemoscope.ui.chat.conversation_controller import ConversationController, Ways
from mnemoscope.ui.dream.dream_controller import DreamController
from mnemoscope.ui.history.controller import HistoryController
from mnemoscope.ui.memory.captures.captures_controller import CaptureNavigation, CapturesController
from mnemoscope.ui.memory.memory_controller import MemoryController
from mnemoscope.ui.search.controller import SearchController
from mnemoscope.ui.search.navigation import ways_of
from mnemoscope.ui.sessions.archive_controller import ArchiveController
from mnemoscope.ui.sessions.last_session import LastSession
from mnemoscope.ui.sessions.sessions_controller import SessionsController
from mnemoscope.ui.settings.settings_controller import SettingsController
from mnemoscope.ui.shell.actions import Actions
from mnemoscope.ui.shell.appearance import Appearance
from mnemoscope.ui.shell.disk_controller import DiskController, DiskWays
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.menus import fill_menus
from mnemoscope.ui.shell.navigator import Navigator
from mnemoscope.ui.shell.palette_offers import open_palette
from mnemoscope.ui.shell.read_only import ReadOnlyMode
from mnemoscope.ui.shell.time_travel_controller import TimeTravelController
from mnemoscope.ui.shell.titles import show_names
from mnemoscope.ui.shell.window_commands import window_commands
from mnemoscope.ui.support.appearance import Looks
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.drafts import Drafts
from mnemoscope.ui.support.tasks import Tasks

if TYPE_CHECKING:
    from mnemoscope.ui.memory.tool_changes_controller import ToolChangesController

log = logging.getLogger(__name__)
_CLOSE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Beyond:
    """What lies beyond one window: opening other folders and ending the program."""

    choose_folder: Callable[[], Awaitable[object]]
    create_folder: Callable[[], Awaitable[object]]
    open_sample: Callable[[], Awaitable[object]]
    recent: Callable[[], list[Path]]
    open_again: Callable[[Path], Awaitable[object]]
    open_to_write: Callable[[Path], Awaitable[object]] | None = None


class WorkspaceWindow(QObject):
    """Puts a core behind a window. `closed` comes after everything is saved."""

    closed = Signal()

    def __init__(self, core: Core, settings: QSettings, beyond: Beyond) -> None:
        super().__init__()
        self._core, self.bench, self._settings, self.beyond = core, core.bench, settings, beyond
        self.window = MainWindow()
        self.tasks = Tasks(self._on_error)
        self._bridge = Bridge(self.bench.bus, self)
        self._closing = self._is_gone = False
        self._last = LastSession(settings, self.bench.workspace.root)
        self.looks = Looks(settings, self.bench)
        self.showing = Navigator(self)
        self._make_conversation()
        self._make_panes()
        self._join_panes()
        self.search = SearchController(self.window, self.bench, self.tasks, ways_of(self))
        self.actions = Actions(self.window, window_commands(self))
        self.memory.blame_toggled.connect(self.actions["view.blame"].setChecked)
        fill_menus(self)
        self.appearance = Appearance(_application(), self.looks, settings, self)
        self._connect()

    def _make_conversation(self) -> None:
        """The desks of the conversation in front, of the list it is chosen from, and of what it is held with."""
        window, bench, bridge, tasks = self.window, self.bench, self._bridge, self.tasks
        self.settings_controller = SettingsController(window, bench, self._core.models, bridge, tasks, self.looks)
        self.sessions = SessionsController(window, bench, bridge, tasks)
        ways = Ways(
            self.settings_controller.open,
            self.sessions.new,
            self.showing.entry,
            self.sessions.refresh_soon,
            lambda name: self.actions.get(name),
            lambda key, when: self.memory.review(key, when),
        )
        self._drafts = Drafts(bench)
        self.conversation = ConversationController(window, bench, bridge, tasks, self._drafts, ways)
        self.conversation.on_opened = self._on_opened
        archive = SessionArchive(bench.workspace.paths.archive_dir)
        closed = ClosedConversations(archive, bench.memory, bench.disk)
        self.sessions.conversation = self.conversation
        self.sessions.archive = ArchiveController(window, tasks, closed, self.conversation)
        self.sessions.on_opened = self._last.note

    def _make_panes(self) -> None:
        """The desks of the panes beside it."""
        window, bench, bridge, tasks = self.window, self.bench, self._bridge, self.tasks
        self.memory = MemoryController(window, bench, bridge, tasks, self._drafts)
        ways_of_captures = CaptureNavigation(
            self.memory.show_line, self.settings_controller.change, self.showing.message
        )
        self.captures = CapturesController(window, bench, bridge, tasks, ways_of_captures)
        self.past = TimeTravelController(window, bench, tasks, self.conversation)
        self.capture = CaptureController(window, bench, tasks)
        disk_ways = DiskWays(self._try_refused, self._unsaved, self._everything, self.beyond.open_again)
        self.disk = DiskController(window, bench, bridge, tasks, disk_ways)
        self.history = HistoryController(window, bench, bridge, tasks, self.showing.messages)
        self.dream = DreamController(window, bench, bridge, tasks)
        if not bench.read_only:
            window.chat.transcript.transcript.change_met.connect(lambda: self.tool_changes.look())

    @cached_property
    def tool_changes(self) -> ToolChangesController:
        """What takes back the changes of memory that calls of tools made."""
        from mnemoscope.ui.memory.tool_changes_controller import ToolChangesController

        return ToolChangesController(self.window, self.bench, self._bridge, self.tasks)

    def _join_panes(self) -> None:
        """What one pane asks for, another one shows."""
        self.memory.past_wanted.connect(self.past.open)
        self.memory.entry_wanted.connect(self.showing.entry)
        self.memory.messages_wanted.connect(self.showing.messages)
        self.memory.undo_run = self.dream.undo_by_id
        self.dream.review_requested.connect(self.memory.review_any)
        self.dream.guide_requested.connect(lambda: self.memory.show_file(DREAM_GUIDE))
        self.dream.change_requested.connect(self.showing.change)
        self.settings_controller.profile_wanted.connect(self.dream.choose_profile)

    async def open(self) -> None:
        """Show the window, then fill it."""
        self.appearance.apply()
        self.window.restore(self._settings)
        show_names(self)
        self.window.show()
        self.window.restore_columns(self._settings)
        self._offer_commands()
        if self.bench.read_only:
            self.actions.forbid_writing()
            ReadOnlyMode(self.window, self.bench, self.tasks, self._way_to_write())
        self._core.approver.approver = self.window.chat
        await self.bench.recover()
        await self.memory.open()
        await self.history.open()
        await self.sessions.open_first(self._last.key())
        self._focus_chat()

    def close(self) -> None:
        """Save everything at once, stop what runs, and go within three seconds."""
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().create_task(self._close())

    def toggle_theme(self) -> None:
        """From light to dark and back."""
        dark = self.looks.theme == "dark"
        self.settings_controller.change({"theme": "light" if dark else "dark"})

    def escape(self) -> None:
        """Come back to the present; stop the answer, then go back to the composer."""
        if self.past.is_away:
            self.past.back()
            return
        if self.bench.loop.is_busy(self.conversation.key):
            self.conversation.stop()
        self._focus_chat()

    def show_folder(self) -> None:
        """Open the workspace in the system's file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.bench.workspace.root)))

    def _on_opened(self) -> None:
        self.captures.take_up(self.conversation.session)
        self.past.back()
        self.memory.watch()

    def _try_refused(self) -> None:
        self.conversation.try_refused()
        self.memory.try_refused()

    def _unsaved(self) -> dict[str, dict[str, Any]]:
        """What is typed and not in a file yet, as drafts by name."""
        return {**self.conversation.drafts.unsaved(self.conversation.key), **self.memory.unsaved()}

    def _everything(self) -> str:
        session, window = self.conversation.session, self.window
        messages = list(session.messages) if session is not None else []
        return export_text(messages, window.memory.main.editor.text(), unsent=window.chat.composer.draft())

    def _offer_commands(self) -> None:
        """The slash commands of the profile in force."""
        commands = offered(self.bench.settings.profile)
        self.window.chat.composer.commands.set_commands([(f"/{one.name}", one.usage, one.brief) for one in commands])

    def _focus_chat(self) -> None:
        chat = self.window.chat
        (chat.transcript if self.bench.read_only else chat.composer).setFocus()

    def open_again(self, root: Path) -> None:
        """Open a folder that was opened before."""
        self.tasks.spawn(_awaited(self.beyond.open_again(root)), "open recent")

    def _way_to_write(self) -> Callable[[], object] | None:
        way, root = self.beyond.open_to_write, self.bench.workspace.root
        return None if way is None else lambda: self.tasks.spawn(_awaited(way(root)), "open for writing")

    def _connect(self) -> None:
        window = self.window
        window.close_requested.connect(self.close)
        window.escaped.connect(self.escape)
        window.header.palette_clicked.connect(partial(open_palette, self))
        window.header.model_clicked.connect(self.settings_controller.open)
        window.header.workspace_clicked.connect(self.show_folder)
        window.timeline.model_requested.connect(self.settings_controller.open)
        window.timeline.undo_requested.connect(self.showing.undo)
        window.timeline.redo_requested.connect(self.showing.redo)
        if not self.bench.read_only:
            self.memory.desks[MEMORY_PATH].changes.listed.connect(window.timeline.model.show_changes)
        self.settings_controller.applied.connect(partial(show_names, self))
        self.settings_controller.applied.connect(self.appearance.follow)
        self.settings_controller.applied.connect(self._offer_commands)
        _application().applicationStateChanged.connect(self._on_state)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and not self._closing:
            self.tasks.spawn(self.memory.rescan(), "rescan")

    def _on_error(self, error: BaseException) -> None:
        if self._is_gone:
            # It is in the log; there is no window left to say it in.
            return
        if isinstance(error, MnemoscopeError):
            self.window.chat.say("danger", str(error))
        else:
            self.window.chat.say(
                "danger",
                self.tr("Something went wrong: {error}. What was saved is safe; the log has the details.").format(
                    error=error
                ),
            )

    async def _close(self) -> None:
        self.memory.flush_draft()
        self.window.remember(self._settings)
        self.appearance.remember()
        self._settings.sync()
        self.window.hide()
        self._hear_no_more()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.conversation.drafted()
                self.conversation.flush_draft()
                await self.history.close()
                # What runs ends first: nothing may ask a disk that is closed already.
                await self.bench.loop.drain(_CLOSE_SECONDS - 1)
                await self.tasks.cancel_all(1.0)
                await self.bench.close(0.5)
        except TimeoutError:
            log.warning("closing took longer than %s seconds", _CLOSE_SECONDS)
        self._let_go()
        self.closed.emit()

    async def abandon(self) -> None:
        """Give the workspace back after `open` failed. Neither layout nor drafts are kept."""
        self._closing = True
        self.window.hide()
        self._hear_no_more()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.history.close()
                await self.tasks.cancel_all(0.5)
        except Exception:
            log.exception("a window that failed to open could not be closed in order")
        finally:
            await self.bench.close(0.5)
            self._let_go()
            self.deleteLater()

    def _let_go(self) -> None:
        self._is_gone = True
        self.window.let_close()
        self.window.close()
        self.window.deleteLater()

    def _hear_no_more(self) -> None:
        """What happens from now on is no news to a window that is gone."""
        self._bridge.close()
        self.memory.close()
        for timer in self.window.findChildren(QTimer):
            timer.stop()


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


async def _awaited(work: Awaitable[object]) -> None:
    await work
