"""Makes the controllers of one open workspace, joins them to the panes and to each other, opens the window, closes it.

What a command does stands in the controller that the command names, in `window_commands`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from mnemoscope.agent.commands.slash_commands import offered
from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import DREAM_GUIDE
from mnemoscope.ui.agents.agents_controller import AgentsController
from mnemoscope.ui.agents.agents_search import AgentsSearch
from mnemoscope.ui.capture.capture_workbench_controller import CaptureWorkbenchController
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.chat.discretion_controller import DiscretionController, may_close
from mnemoscope.ui.chat.message_actions import ExportMessages, OpenResult
from mnemoscope.ui.chat.model_choice_controller import ModelChoiceController
from mnemoscope.ui.dream.dream_controller import DreamController
from mnemoscope.ui.forgetting.forgetting_controller import ForgettingController
from mnemoscope.ui.health.health_controller import HealthController
from mnemoscope.ui.history.entry_correction_controller import EntryCorrectionController
from mnemoscope.ui.history.history_controller import HistoryController
from mnemoscope.ui.manual.manual_controller import ManualController
from mnemoscope.ui.memory.captures_controller import CapturesController
from mnemoscope.ui.memory.memory_controller import MemoryController
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.review.review_controller import ReviewController, waiting_words
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.memory.tool_changes_controller import ToolChangesController
from mnemoscope.ui.prompt.prompt_controller import PromptController
from mnemoscope.ui.search.search_controller import SearchController
from mnemoscope.ui.sessions import export_controller
from mnemoscope.ui.sessions.archive_controller import ArchiveController
from mnemoscope.ui.sessions.import_controller import ImportController
from mnemoscope.ui.sessions.sessions_controller import LastSession, SessionsController
from mnemoscope.ui.settings.settings_controller import SettingsController
from mnemoscope.ui.shell.actions import Actions, native_keys
from mnemoscope.ui.shell.application_actions import ApplicationActions
from mnemoscope.ui.shell.disk_controller import DiskController
from mnemoscope.ui.shell.header_controller import HeaderController
from mnemoscope.ui.shell.help.help_controller import HelpController
from mnemoscope.ui.shell.layout_controller import LayoutController
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.navigator import Navigator
from mnemoscope.ui.shell.notification_controller import NotificationController
from mnemoscope.ui.shell.palette.palette_controller import PaletteController
from mnemoscope.ui.shell.read_only import ReadOnlyMode
from mnemoscope.ui.shell.recent_folders import RecentMenu
from mnemoscope.ui.shell.time_travel_controller import TimeTravelController
from mnemoscope.ui.shell.trust.trust_controller import TrustController
from mnemoscope.ui.shell.window_commands import TEXT, menu_titles, window_commands
from mnemoscope.ui.shell.workspace_watcher import WorkspaceWatcher
from mnemoscope.ui.support.appearance import Appearance
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.drafts import Drafts
from mnemoscope.ui.support.spelling import spelling
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.timeline.timeline_controller import TimelineController
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.menus import submenu

log = logging.getLogger(__name__)
_BETWEEN_KEYS = re.compile(r"(?<=.)\+(?=.)")
_CLOSE_SECONDS = 3.0


class WorkspaceWindow(QObject):
    """Composes one window: `main_window` is what is seen, and the other attributes are the controllers behind it.

    They are made from the conversation outwards: the controllers of the panes are handed those of the conversation, and
    those of the sheets are handed both. What they need of each other beyond that is joined once all are there, as is
    the navigation, which is handed to all of them first; the commands come then, which name them.
    """

    closing = Signal()
    """The window begins to close; the lock of the workspace is still held."""
    closed = Signal()
    """The window is gone, and everything is saved."""

    def __init__(self, core: Core, settings: QSettings, application: ApplicationActions) -> None:
        super().__init__()
        self._core = core
        self._settings = settings
        self._closing = False
        self._is_gone = False
        self._has_opened = False
        self._asks = False
        """Whether the person is asked what becomes of temporary conversations."""
        self.bench = core.bench
        self.application = application
        self.main_window = MainWindow()
        self.tasks = Tasks(self._on_error)
        self._bridge = Bridge(self.bench.bus, self)
        self._drafts = Drafts(self.bench)
        self._last = LastSession(settings, self.bench.workspace.root)
        self.appearance = Appearance(_application(), settings, self.bench, self)
        self.navigation = Navigator(self.main_window, self.bench, self.tasks)
        self.actions = Actions(self.main_window)
        self._make_conversation()
        self._make_panes()
        self._make_sheets()
        self.navigation.join(
            conversation=self.conversation, sessions=self.sessions, timeline=self.timeline, memory=self.memory
        )
        self.actions.add(window_commands(self))
        self.actions.keys_changed.connect(self._pass_on_keys)
        self.actions.load_keys(self._settings)
        self._name_keys()
        self._join_panes()
        self._join_window()
        self._fill_menus()
        self.memory.blame_toggled.connect(self.actions["view.blame"].setChecked)
        self.actions["view.notifications"].setChecked(self.notifications.is_on)
        spelling().answered.connect(self._show_spelling)
        self._show_spelling()

    @property
    def models(self) -> ModelChoices:
        """Returns the models that are offered here."""
        return self._core.models

    def _pass_on_keys(self, command: str, keys: list[str]) -> None:
        """Has the text of the memory files answer the keys of its commands, and the header name the palette's."""
        if command.startswith(TEXT):
            self.main_window.memory.set_editing_keys(command.removeprefix(TEXT), keys)
        elif command == "palette":
            self._name_palette_keys(keys)

    def _name_palette_keys(self, keys: Sequence[str]) -> None:
        # A plus between two keys is left out; one that is a key itself stays.
        self.main_window.header.show_palette_keys(_BETWEEN_KEYS.sub(" ", native_keys(keys)))

    def _name_keys(self) -> None:
        """Has the buttons that name the keys of a command name those in force."""
        window = self.main_window
        self._name_palette_keys(self.actions.keys_of("palette"))
        self.actions.name_keys("conversation.new", window.sessions.new_button)
        for title in window.inspector.titles():
            self.actions.name_keys("view.maximise", title.maximise_button)
        for document in window.memory.documents.values():
            self._name_keys_of(document)
        window.memory.document_built.connect(self._name_keys_of)

    def _name_keys_of(self, document: MemoryDocument) -> None:
        self.actions.name_keys("memory.save", document.toolbar.save_button)
        self.actions.name_keys("find", document.toolbar.find_button)

    def _make_conversation(self) -> None:
        """Makes the controllers of the conversation in front and of the list it is chosen from."""
        window, bench, bridge, tasks = self.main_window, self.bench, self._bridge, self.tasks
        current = CurrentConversation()
        self.timeline = TimelineController(window.timeline, window.chat.transcript, bench, bridge, tasks, current)
        self.conversation = ConversationController(
            window.chat,
            bench,
            bridge,
            tasks,
            drafts=self._drafts,
            current=current,
            timeline=self.timeline,
            navigation=self.navigation,
            commands=self.actions,
            status=window.status,
            models=self._core.models,
        )
        self.prompt = PromptController(
            window, window.prompt, window.chat.composer.sent_text, bench, bridge, tasks, current
        )
        archive = ArchiveController(window.chat, window.timeline, bench.closed, self.conversation)
        self.sessions = SessionsController(
            window.sessions,
            window.chat,
            bench,
            bridge,
            tasks,
            conversation=self.conversation,
            archive=archive,
            last=self._last,
        )
        self.discretion = DiscretionController(
            window.chat,
            bench,
            bridge,
            tasks,
            conversation=self.conversation,
            open_session=self.sessions.open,
        )
        self.imports = ImportController(window.chat, bench, tasks)
        self.imports.conversation_requested.connect(self.sessions.open)
        keep = None if bench.read_only else self.imports.ask_about
        self.agents = AgentsController(window, tasks, self._settings, keep, bench.workspace.root)
        self._current = current
        self._archive = archive

    @cached_property
    def exports(self) -> export_controller.ExportController:
        """Returns what exports and prints, which is made when something is first exported or printed."""
        return export_controller.ExportController(
            self.main_window.chat,
            self.main_window.sessions,
            self.bench,
            self.tasks,
            current=self._current,
            archive=self._archive,
        )

    def _make_panes(self) -> None:
        """Makes the controllers of the panes beside it."""
        window, bench, bridge, tasks = self.main_window, self.bench, self._bridge, self.tasks
        notices, status, navigation = window.chat, window.status, self.navigation
        services = MemoryServices(
            bench,
            bridge,
            tasks,
            drafts=self._drafts,
            notices=notices,
            status=status,
            titles=window.sessions,
            navigation=navigation,
            holders_of=self.agents.facts.holders_of,
        )
        self.dream = DreamController(window, window.dream, bench, bridge, tasks, notices=notices, navigation=navigation)
        self.memory = MemoryController(window.memory, services, self.dream.undo_by_id)
        self.watcher = WorkspaceWatcher(bench, bridge, tasks, window)
        self.memory.not_saved.connect(self.watcher.on_not_saved)
        self._drafts.kept.connect(self.watcher.on_draft)
        self.reviews = ReviewController(window, services)
        self.reviews.counted.connect(lambda count, days: window.header.show_waiting(waiting_words(count, days)))
        self.reviews.found.connect(window.sessions.show_waiting)
        self.captures = CapturesController(window.memory, window.chat.transcript, services)
        self.tool_changes = ToolChangesController(window.chat.transcript, bench, bridge, tasks, notices, status)
        self.history = HistoryController(window.history, bench, bridge, tasks, navigation)
        self.corrections = EntryCorrectionController(window.history, bench, tasks, notices)

    def _make_sheets(self) -> None:
        """Makes the controllers of what lies over the panes, and of what concerns the whole window."""
        window, bench, bridge, tasks = self.main_window, self.bench, self._bridge, self.tasks
        self.settings_controller = SettingsController(
            window,
            bench,
            bridge,
            tasks,
            models=self._core.models,
            appearance=self.appearance,
            notices=window.chat,
            status=window.status,
        )
        self.model_choice = ModelChoiceController(
            window.chat, bench, tasks, self.conversation, self.conversation.models
        )
        self.trust = TrustController(window.chat, bench, bridge, tasks, model_here=self.model_choice.now)
        self.header = HeaderController(
            window,
            bench,
            conversation=self.conversation,
            models=self.model_choice,
            settings=self.settings_controller,
            trust=self.trust,
        )
        self.capture_workbench = CaptureWorkbenchController(window, bench, tasks, self._drafts, window.chat)
        self.agents_search = AgentsSearch(self.agents, tasks, self._settings)
        self.search = SearchController(window, bench, tasks, self.navigation, window.status, others=self.agents_search)
        window.sessions.everything_requested.connect(self.search.open_with)
        self.health = HealthController(
            window, window.health, bench, bridge, tasks, notices=window.chat, navigation=self.navigation
        )
        self.forgetting = ForgettingController(
            window,
            bench,
            bridge,
            tasks,
            notices=window.chat,
            others=self.agents,
            flush_drafts=self._flush_drafts,
            typed=(self.conversation.drafts, self.reviews.typed, self.capture_workbench, window.memory),
        )
        self.manual = ManualController(self)
        self.help = HelpController(window, self._core, tasks, self._settings, self.actions, self.manual)
        self.notifications = NotificationController(window, bridge, self._settings)
        self.past = TimeTravelController(
            window.memory,
            bench,
            tasks,
            chat=window.chat,
            prompt_pane=window.prompt,
            conversation=self.conversation,
            timeline=self.timeline,
            prompt=self.prompt,
            navigation=self.navigation,
        )
        self.layouts = LayoutController(
            window,
            bench,
            actions=self.actions,
            conversation=self.conversation,
            memory=self.memory,
            past=self.past,
        )
        self.palette = PaletteController(
            window.command_palette,
            bench,
            tasks,
            actions=self.actions,
            application=self.application,
            sessions=self.sessions,
            memory=window.memory,
            navigation=self.navigation,
            status=window.status,
        )
        self.disk = DiskController(
            window,
            bench,
            bridge,
            tasks,
            conversation=self.conversation,
            timeline=self.timeline,
            memory=self.memory,
            application=self.application,
        )

    def _join_panes(self) -> None:
        """Joins what one pane asks for to the one that shows it."""
        window = self.main_window
        self.conversation.opened.connect(self._on_opened)
        self.conversation.loaded.connect(self._on_loaded)
        self.conversation.changed.connect(self.prompt.refresh_soon)
        self.timeline.pointer_moved.connect(self.conversation.changed)
        self.prompt.measured.connect(self.conversation.answers.usage.note_prompt)
        window.chat.composer.draft_changed.connect(self.prompt.on_draft)
        window.chat.transcript.message_actions.on(OpenResult, lambda action: self.prompt.open_whole(action.name))
        window.chat.transcript.message_actions.on(
            ExportMessages, lambda action: self.exports.ask(range(action.start, action.stop))
        )
        window.sessions.export_requested.connect(lambda: self.exports.ask())
        window.sessions.export_of_several_requested.connect(lambda names: self.exports.ask_for_several(names))
        if not self.bench.read_only:
            window.chat.transcript.transcript.change_met.connect(self.tool_changes.look)
        self.memory.controllers[MEMORY_PATH].changes.listed.connect(window.timeline.model.show_changes)
        window.memory.outline_requested.connect(self.palette.open_outline)
        window.timeline.view.outcome_followed.connect(self.memory.show_outcome)
        window.timeline.view.facts_followed.connect(self.memory.show_facts)
        window.timeline.view.entry_activated.connect(self.navigation.show_entry)
        window.timeline.view.chain_followed.connect(self.dream.follow)
        window.timeline.write_requested.connect(window.chat.composer.setFocus)
        window.timeline.header.model_requested.connect(partial(self.settings_controller.open, "background"))
        window.timeline.header.limit_requested.connect(partial(self.settings_controller.open, "limit"))
        window.timeline.view.undo_requested.connect(self.memory.undo_consolidation)
        window.timeline.view.redo_requested.connect(self.memory.redo_consolidation)
        window.history.explanation_requested.connect(lambda: self.manual.open("memory-systems"))
        self.memory.past_requested.connect(self.past.open)
        self.memory.copy_requested.connect(self.agents.facts.open)
        self.conversation.answer_receipts.forget_requested.connect(self.forgetting.forget)
        self.conversation.answer_receipts.capture_requested.connect(self.captures.open_log)
        self.conversation.answer_receipts.entry_correction_requested.connect(self.corrections.open)
        self.corrections.refused.connect(self.conversation.answer_receipts.show_sentence)
        self.corrections.done.connect(self.conversation.answer_receipts.show_sentence)
        # What was read before has the words still.
        self.forgetting.carried_out.connect(self.conversation.answer_receipts.close)
        self.forgetting.carried_out.connect(self.sessions.archive.read_again)
        self.forgetting.carried_out.connect(self.past.back)
        self.forgetting.carried_out.connect(self.reviews.read_sources_again)
        self.dream.review_requested.connect(self.memory.review_any)
        self.dream.guide_requested.connect(lambda: self.memory.show_file(DREAM_GUIDE))
        self.settings_controller.profile_requested.connect(self.dream.choose_profile)
        self.agents.found.connect(window.sessions.agents.show_agents)
        window.sessions.agent_chosen.connect(self.agents.open_store)
        opening = (
            self.settings_controller,
            self.capture_workbench,
            self.agents,
            self.agents.facts,
            self.conversation.answer_receipts,
            self.corrections,
            self.forgetting,
            self.reviews,
            self.reviews.left_out,
        )
        for dialogs in opening:
            dialogs.opened.connect(self.manual.answer_in)

    def _join_window(self) -> None:
        """Joins what concerns the whole window."""
        window = self.main_window
        window.close_requested.connect(self.close)
        window.chat.attention_requested.connect(window.layouts.show_chat)
        window.inspector.showing.connect(lambda name: self.health.read_if_stale() if name == "health" else None)
        window.header.palette_clicked.connect(self.palette.open)
        window.header.review_clicked.connect(self.reviews.open)
        self.imports.review_requested.connect(self.reviews.open)
        window.header.model_clicked.connect(self.header.choose_model)
        window.header.workspace_clicked.connect(self.actions["workspace.show"].trigger)
        self.reviews.counted.connect(lambda count, _days: self.notifications.show_waiting(count))
        self.notifications.conversation_requested.connect(self.sessions.open)
        self.notifications.review_requested.connect(self.reviews.open)
        self.settings_controller.applied.connect(self.appearance.follow)
        self.settings_controller.applied.connect(self._follow_settings)
        _application().applicationStateChanged.connect(self._on_state)

    def _fill_menus(self) -> None:
        menus = self.actions.fill(self.main_window.menus, menu_titles(self))
        recent = RecentMenu(menus["file"], self.application.recent, self.bench.workspace.root, self._open_again)
        menus["file"].insertMenu(self.actions["workspace.create"], recent)
        shown = submenu(menus["view"], self.tr("Panes shown"))
        for dock in self.main_window.inspector.docks.values():
            shown.addAction(dock.toggleViewAction())

    async def open(self) -> None:
        """Shows the window, then fills it."""
        self.appearance.apply()
        self.main_window.restore(self._settings)
        self.header.show()
        self.main_window.show()
        self.main_window.restore_columns(self._settings)
        if self.main_window.chat.isVisible():
            # Keys that come before the conversation does would press the first button of the bar.
            self.layouts.focus_chat()
        self._follow_settings()
        if self.bench.read_only:
            self.actions.forbid_writing()
            ReadOnlyMode(self.main_window, self.bench, self.tasks, self._open_to_write)
        self._core.approver.fill(self.main_window.chat)
        await self.bench.recover()
        await self.memory.open()
        self.watcher.watch()
        await self.reviews.start()
        await self.history.open()
        if not self.conversation.key:
            await self.sessions.open_first(self._last.key())
        self.layouts.show_chosen()
        self.tasks.spawn(self.agents.look_for_places(), "agents")
        self.tasks.spawn(self.agents_search.prune(), "agents search")

    def close(self) -> None:
        """Saves everything at once, stops what runs, and goes within three seconds."""
        if self._closing or self._asks:
            return
        if self.bench.sessions.temporary.sessions():
            self._asks = True
            self.tasks.spawn(self._ask_and_close(), "close")
        else:
            self._closing = True
            asyncio.get_running_loop().create_task(self._close())

    async def _ask_and_close(self) -> None:
        """Closes the window, unless the person keeps it for what is kept nowhere else."""
        keys = [session.key for session in self.bench.sessions.temporary.sessions()]
        try:
            may = await may_close(self.main_window, self.bench, keys)
        finally:
            self._asks = False
        if may and not self._closing:
            self._closing = True
            asyncio.get_running_loop().create_task(self._close())

    def _show_spelling(self) -> None:
        self.actions["memory.check_spelling"].setChecked(spelling().is_on)

    def _follow_settings(self) -> None:
        """Ticks whether capture pauses, and offers the slash commands of the profile in force."""
        self.actions["capture.pause"].setChecked(self.bench.settings.capture_paused)
        commands = offered(self.bench.settings.profile)
        self.main_window.chat.composer.edit.completer.set_commands(
            [(f"/{one.name}", one.usage, core_words(one.brief)) for one in commands]
        )

    def _on_opened(self) -> None:
        if self._has_opened:
            # The first one is opened by the start, which leaves the panes as they were left.
            self.main_window.layouts.show_chat()
        self._has_opened = True
        self.captures.show_conversation(self.conversation.session)
        self.memory.show_conversation(self.conversation.key)
        self.past.back()
        self.watcher.watch()

    def _on_loaded(self) -> None:
        self.header.show_model()
        self.prompt.refresh_soon()

    def _open_again(self, root: Path) -> None:
        self.tasks.spawn(self.application.open_again(root), "open recent")

    def _open_to_write(self) -> None:
        self.tasks.spawn(self.application.open_folder(self.bench.workspace.root), "open for writing")

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and not self._closing:
            self.tasks.spawn(self.watcher.rescan(), "rescan")

    def _on_error(self, error: BaseException) -> None:
        if self._is_gone:
            # It is in the log; there is no window left to say it in.
            return
        words = str(error)
        if not isinstance(error, MnemoscopeError):
            words = self.tr("Something went wrong: {error}. What was saved is safe; the log has the details.").format(
                error=error
            )
        self.main_window.chat.notify("danger", words)

    def _flush_drafts(self) -> None:
        """Has what is typed and not sent or saved kept at once."""
        self.memory.flush_draft()
        self.reviews.flush_draft()
        self.capture_workbench.flush_draft()
        self.conversation.flush_draft()

    async def _close(self) -> None:
        self._flush_drafts()
        self.main_window.remember(self._settings)
        self.appearance.remember()
        self._settings.sync()
        self._put_away()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.conversation.drafted()
                self.conversation.flush_draft()
                await self.history.close()
                # What runs ends first: nothing may ask a disk that is closed already.
                await self.bench.loop.drain(_CLOSE_SECONDS - 1)
                await self.tasks.cancel_all(1.0)
        except TimeoutError:
            log.warning("closing took longer than %s seconds", _CLOSE_SECONDS)
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.bench.close(0.5)
        except TimeoutError:
            log.warning("the workspace took longer than %s seconds to be closed", _CLOSE_SECONDS)
        self._delete_window()
        self.closed.emit()

    async def abandon(self) -> None:
        """Gives the workspace back after `open` failed. Neither layout nor drafts are kept."""
        self._closing = True
        self._put_away()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.history.close()
                await self.tasks.cancel_all(0.5)
        except Exception:
            log.exception("a window that failed to open could not be closed in order")
        finally:
            await self.bench.close(0.5)
            self._delete_window()
            self.deleteLater()

    def _delete_window(self) -> None:
        self._is_gone = True
        self.main_window.let_close()
        self.main_window.close()
        self.main_window.deleteLater()

    def _put_away(self) -> None:
        """Hides the window and those it opened; whatever happens from now on is no news to them."""
        self.closing.emit()
        self.main_window.hide()
        self.agents.facts.stop()
        self.agents.close()
        self.agents_search.close()
        self.manual.close()
        self._bridge.close()
        self.watcher.close()
        for timer in self.main_window.findChildren(QTimer):
            timer.stop()


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
