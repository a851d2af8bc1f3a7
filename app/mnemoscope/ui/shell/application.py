"""The Qt application on an asyncio loop: starts, opens workspaces, and ends when the last window is closed."""

from __future__ import annotations

import asyncio
import linecache
import logging
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QSettings,
    QtMsgType,
    qFormatLogMessage,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from mnemoscope import __version__
from mnemoscope.agent.workspace.workbench import Core
from mnemoscope.domain.errors import LeadsOut, MnemoscopeError, StorageError, WorkspaceInUse, WorkspaceReadOnly
from mnemoscope.domain.memory.file_registry import EDITABLE_FILES
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.spelling.own_words import OwnWords
from mnemoscope.store.workspace.lock import OURS
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import (
    WorkspaceReport,
    create_workspace,
    folder_to_open,
    inspect_workspace,
    names_to_create,
)
from mnemoscope.ui.markdown.formulas.formulas import formulas
from mnemoscope.ui.shell import workspace_window
from mnemoscope.ui.shell.garbage_collection import GarbageCollection
from mnemoscope.ui.shell.open_window import RaiseServer, bring_to_front, raise_open_window
from mnemoscope.ui.shell.read_only import why_read_only
from mnemoscope.ui.shell.recent_folders import RecentFolders
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.support.external_actions import name_new_folder, pick_folder
from mnemoscope.ui.support.spelling import Dictionaries, spelling
from mnemoscope.ui.timeline.introduction import Introduction
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.translation.translation import install_translation
from mnemoscope.ui.widgets.dialogs.question import ask
from mnemoscope.ui.widgets.notices.notice_bar import problem_id
from mnemoscope.ui.widgets.theme import apply_theme, set_role

log = logging.getLogger(__name__)
_ABANDON_SECONDS = 0.5
_INTRODUCED: Final = "window/introduced"
_NEW_FOLDER: Final = "Mnemoscope"
"""The name of a folder that is to become a workspace, unless the person gives it another."""
_OWN_WORDS: Final = "dictionary.txt"
_LOOK_ONCE: Final = "look once"
"""Consent to open a folder only to be looked at, which is not remembered."""
_SAID_WITHOUT_A_SCREEN: Final = frozenset(
    f"This plugin does not support {what}" for what in ("propagateSizeHints()", "raise()", "grabbing the keyboard")
)


@dataclass(frozen=True, slots=True)
class ApplicationSetup:
    """Holds what the application needs from outside: how a core is made and where the sample goes."""

    open_core: Callable[..., Core]
    """As `bootstrap.open_core`: called with the folder, whether it is only looked at, and which links out of it the
    person agreed to."""
    sample: Callable[[], Path]
    settings_file: Path
    dictionaries: Callable[[], Dictionaries | None] | None = None
    """Opens the dictionaries that spelling is checked with; None where there are none, or it is not to be checked."""
    runtime_folder: Path | None = None
    """The folder in which windows listen for second starts; None where they do not."""


class Application(QObject):
    """Owns the windows. `run_until_closed` is the main coroutine."""

    def __init__(self, setup: ApplicationSetup) -> None:
        super().__init__()
        self._setup = setup
        self.settings = QSettings(str(setup.settings_file), QSettings.Format.IniFormat)
        self._recent = RecentFolders(self.settings)
        self.current: workspace_window.WorkspaceWindow | None = None
        self._given: Path | None = None
        """The path that was named at the start, while it is being opened."""
        self._ended: asyncio.Future[None] | None = None

    async def run_until_closed(self, workspace: Path | None, *, read_only: bool = False) -> None:
        """Opens the named workspace, the last one, or the sample; returns when its window is closed, or when another
        window that has it open came to the front."""
        self._ended = asyncio.get_running_loop().create_future()
        formulas().begin()
        own = OwnWords(self._setup.settings_file.with_name(_OWN_WORDS))
        if self._setup.dictionaries is not None:
            spelling().begin(self._setup.dictionaries, own, self.settings)
        try:
            await self.start(workspace, read_only=read_only)
            await self._ended
        finally:
            formulas().end()
            spelling().end()

    async def start(self, workspace: Path | None, *, read_only: bool = False) -> None:
        """Opens the first window: the folder named or that of the file named, the last one, or the sample; without
        one, the program ends."""
        last = None if workspace else self._last()
        if workspace is not None:
            self._given = workspace
            opened = await self.open_folder(folder_to_open(workspace), read_only=read_only)
            if self.current is not None:
                self._show_file(self.current, self._given_file(self.current.bench.workspace.paths))
            self._given = None
        elif last:
            opened = await (self.open_folder(last, read_only=True) if read_only else self.open_again(last))
        else:
            opened = await self.open_folder(self._setup.sample(), read_only=read_only)
        self._introduce()
        if not opened and self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _given_file(self, paths: WorkspacePaths) -> str:
        """Returns which of memory's files in a folder was named at the start; "" where none of them was."""
        if self._given is None:
            return ""
        given = _real_place(self._given.expanduser())
        return next((name for name in EDITABLE_FILES if _real_place(paths.file(name)) == given), "")

    @staticmethod
    def _show_file(window: workspace_window.WorkspaceWindow, name: str) -> None:
        """Brings one of memory's files to the front, if one is named."""
        if name:
            window.memory.show_file(name)

    def _introduce(self) -> None:
        """Points at the pointer's line at the first start, whatever folder it opened, and never again."""
        if self.current is not None and not self.settings.value(_INTRODUCED, False, bool):
            introduced = partial(self.settings.setValue, _INTRODUCED, True)
            Introduction.point_once_possible(self.current.main_window.timeline.view, introduced)

    async def open_sample(self) -> bool:
        """Opens the sample workspace, copied to the person's data folder the first time."""
        return await self.open_folder(self._setup.sample())

    async def choose_folder(self, *, read_only: bool = False) -> bool:
        """Lets the person choose a folder to open, or only to look around in."""
        title = self.tr("Look around in a workspace") if read_only else self.tr("Open workspace")
        folder = await pick_folder(self._window(), title)
        return await self.open_folder(folder, read_only=read_only) if folder else False

    async def create_folder(self) -> bool:
        """Lets the person name a folder, and makes a workspace there; one that is there already is opened, which asks
        before anything is put into it."""
        title = self.tr("Create workspace")
        folder = await name_new_folder(self._window(), title, _NEW_FOLDER, self.tr("Create"))
        if folder is None:
            return False
        if folder.exists():
            return await self.open_folder(folder)
        try:
            self._create(folder)
        except MnemoscopeError as error:
            return await self._show_failure(error)
        return await self.open_folder(folder)

    def _create(self, root: Path) -> None:
        """Makes a workspace that has the theme and the language of the window on show, unless the folder has settings
        already. Raises StorageError."""
        create_workspace(root, template=shipped("resources", "blank"))
        paths = WorkspacePaths(root)
        if self.current is not None and not paths.config_file.exists():
            look, usual = self.current.appearance, Settings()
            chosen = {"theme": look.theme, "language": look.language}
            changed = {name: value for name, value in chosen.items() if value != getattr(usual, name)}
            if changed:
                SettingsStore(paths).change(**changed)

    async def open_folder(self, folder: Path, *, read_only: bool = False) -> bool:
        """Opens a folder in place of the one on show; nothing is written without consent.

        One that is on show already comes to the front, unless it is only looked at and now is to be written. With
        `read_only` it is looked at this once: how it is opened the next time stays as it was.
        """
        report = inspect_workspace(folder)
        if read_only:
            return await self._open_as(report, _LOOK_ONCE)
        if self._shows(report.root, to_write=True):
            return True
        consent = await self._consent(report)
        if consent == "choose":
            return await self.choose_folder()
        return await self._open_as(report, consent) if consent else False

    async def _open_as(self, report: WorkspaceReport, consent: str, **agreed: str) -> bool:
        """Opens a folder as the person consented to; `agreed_links` names the links out of it that they agreed to."""
        only_looks = consent in {"read-only", _LOOK_ONCE}
        if self._shows(report.root, to_write=not only_looks):
            # It was looked at before the question, or was opened while that was on the screen.
            return not only_looks or await self._is_only_looked_at()
        try:
            if consent == "create":
                self._create(report.root)
            core = self._setup.open_core(report.root, only_looks, **agreed)
        except LeadsOut as error:
            return await self._ask_about_links(report.root, error)
        except WorkspaceInUse as error:
            if await self._raise_open(report.root, error):
                # Without a window of its own the program ends then; one that is there has nothing to say.
                return False
            return await self._offer_read_only(report.root, error)
        except WorkspaceReadOnly as error:
            return await self._offer_read_only(report.root, error)
        except MnemoscopeError as error:
            return await self._show_failure(error)
        return await self._show(core, once=consent == _LOOK_ONCE)

    async def _is_only_looked_at(self) -> bool:
        """Returns whether the window on show only reads, as was asked for, and says so where it writes."""
        if self.current is None or self.current.bench.read_only:
            return True
        title = self.tr("This folder is open here to write")
        sentence = self.tr(
            "It is not opened once more to be only looked at. To look around in it without writing, open another "
            "folder first."
        )
        await self._ask(title, sentence, [])
        return False

    async def open_again(self, folder: Path) -> bool:
        """Opens a folder as the person chose the last time: to write, or only to be looked at."""
        if not self._recent.was_looked_at(folder):
            return await self.open_folder(folder)
        report = inspect_workspace(folder)
        return self._shows(report.root, to_write=False) or await self._open_as(report, "read-only")

    def recent(self) -> list[Path]:
        """Returns the folders opened before, newest first."""
        return self._recent.folders()

    def _shows(self, root: Path, *, to_write: bool) -> bool:
        """Brings the window to the front if it has this folder open as wanted; returns whether it has."""
        if self.current is None or not self._is_of_current(root):
            return False
        if to_write and self.current.bench.read_only:
            return False
        bring_to_front(self.current.main_window)
        return True

    def _is_of_current(self, root: Path) -> bool:
        """Returns whether the window on show is of this folder, and not of another that was at its place before."""
        if self.current is None or not root.exists():
            return False
        try:
            self.current.bench.sessions.require_root()
        except StorageError:
            return False
        return root.samefile(self.current.bench.workspace.root)

    async def _show(self, core: Core, *, once: bool) -> bool:
        """Puts a window over the core; returns whether it opened. One that fails gives the workspace back, and says
        why. How it is opened is not remembered where that is for this `once`."""
        before = self.current
        workspace = core.bench.workspace
        self._recent.note(workspace.root, looking=None if once else why_read_only(workspace) == "looking")
        if before is not None:
            core.models.offer_also(before.models)
        window: workspace_window.WorkspaceWindow | None = None
        try:
            self.current = window = workspace_window.WorkspaceWindow(core, self.settings, self)
            window.closed.connect(partial(self._on_closed, window))
            server = self._raise_server(window)
            await window.open()
            if server is not None:
                server.listen()
        except Exception as error:
            log.exception("%s could not be opened", workspace.root.name)
            self.current = before
            await (window.abandon() if window else core.bench.close(_ABANDON_SECONDS))
            return await self._show_failure(error)
        if before is not None:
            before.close()
        return True

    def _raise_server(self, window: workspace_window.WorkspaceWindow) -> RaiseServer | None:
        """Makes what lets second starts find a window until it begins to close, if it is one that writes."""
        workspace, runtime = window.bench.workspace, self._setup.runtime_folder
        if runtime is None or workspace.read_only:
            return None

        def come_to_front(shown: str) -> None:
            bring_to_front(window.main_window)
            self._show_file(window, shown)

        server = RaiseServer(runtime, workspace.root, come_to_front, window)
        window.closing.connect(server.close)
        return server

    async def _raise_open(self, root: Path, error: WorkspaceInUse) -> bool:
        """Brings the window of another process that has this folder open to the front, with the file of memory that was
        named at the start; returns whether there is one that came."""
        runtime = self._setup.runtime_folder
        if runtime is None or error.context["owner"] == OURS:
            return False
        return await raise_open_window(runtime, root, self._given_file(WorkspacePaths.found(root)))

    async def _consent(self, report: WorkspaceReport) -> str:
        if report.kind == "workspace":
            return "open" if report.writable else "read-only"
        if report.kind == "peer":
            return await self._ask_about_peer(report)
        if report.kind in {"empty", "begun", "foreign", "missing"} and report.writable:
            return await self._ask_to_create(report)
        return await self._ask(self.tr("This folder cannot be opened"), report.sentence, [self._elsewhere()])

    async def _ask_to_create(self, report: WorkspaceReport) -> str:
        names = ", ".join(names_to_create(report.root, template=shipped("resources", "blank")))
        words = self.tr("{sentence} A workspace there would add {names}.").format(
            sentence=core_words(report.sentence), names=names
        )
        if report.kind == "foreign":
            words += " " + self.tr("What is in the folder stays as it is.")
        choices = [("create", self.tr("Create a workspace here")), self._elsewhere()]
        # Where there is something, or a name may be misspelt, Enter must not write.
        default = "create" if report.kind in {"empty", "begun"} else "choose"
        return await self._ask(self.tr("This is not a workspace yet"), words, choices, default=default)

    async def _ask_about_peer(self, report: WorkspaceReport) -> str:
        if not report.writable:
            return "read-only"
        sentence = self.tr(
            "{sentence} Opening it changes none of its files and adds a folder named .mnemoscope, for the audit trail. "
            "When you talk there, what is said and what is remembered of it is added to its files, which stay "
            "readable for that program; SESSION-STATE.md and versions of memory in memory/.git come beside them. "
            "Only looking around adds nothing."
        ).format(sentence=core_words(report.sentence))
        home = nanobot_home(report.root)
        if home is not None:
            sentence += " " + self.tr(
                "nanobot keeps conversations of this folder in {folder}. They are shown too, and what is said in "
                "them is added there."
            ).format(folder=home.folder)
        choices = [("open", self.tr("Open")), ("read-only", self.tr("Only look around"))]
        return await self._ask(self.tr("A workspace of another program"), sentence, choices, default="read-only")

    async def _offer_read_only(self, root: Path, error: MnemoscopeError) -> bool:
        look = ("look", self.tr("Look around, read-only"))
        choices = [self._elsewhere()] if self._is_of_current(root) else [look, self._elsewhere()]
        why = self.tr("In use by {owner}.").format(owner=error.context["owner"]) if "owner" in error.context else ""
        why = _with_id(error.sentence, why)
        answer = await self._ask(self.tr("The workspace cannot be changed now"), error.sentence, choices, why=why)
        if answer == "look":
            return await self._open_as(inspect_workspace(root), "read-only")
        return await self.choose_folder() if answer == "choose" else False

    async def _ask_about_links(self, root: Path, error: LeadsOut) -> bool:
        """Shows where the links out of a folder lead, and opens it once the person says how. Enter writes nothing."""
        links = error.context["links"]
        assert isinstance(links, Mapping)
        # All of them: what is agreed to has to be what is shown.
        shown = QPlainTextEdit("\n".join(f"{path}  →  {place}" for path, place in sorted(links.items())))
        shown.setReadOnly(True)
        shown.setTabChangesFocus(True)
        shown.setAccessibleName(self.tr("Links that lead out"))
        set_role(shown, role="card")
        sentence = self.tr(
            "In this folder, links lead to places outside it. What is written here would be written there, and what "
            "stands there is taken for a part of this folder:"
        )
        choices = [
            ("open", self.tr("Open, and write there")),
            ("look", self.tr("Look around, read-only")),
            self._elsewhere(),
        ]
        title = self.tr("Links in this folder lead outside it")
        answer = await self._ask(title, sentence, choices, default="look", below=shown)
        if answer == "open":
            fingerprint = str(error.context["fingerprint"])
            return await self._open_as(inspect_workspace(root), "open", agreed_links=fingerprint)
        if answer == "look":
            return await self._open_as(inspect_workspace(root), "read-only")
        return await self.choose_folder() if answer == "choose" else False

    def _elsewhere(self) -> tuple[str, str]:
        return ("choose", self.tr("Choose another folder…"))

    async def _show_failure(self, error: Exception) -> bool:
        """Says what failed; without a window another folder can be chosen. Returns whether one was opened."""
        choices = [] if self.current else [self._elsewhere()]
        words = str(error)
        if not isinstance(error, MnemoscopeError):
            words = self.tr("The workspace could not be opened: {error}. The log has the details.").format(error=words)
        answer = await self._ask(self.tr("That did not work"), words, choices, why=_with_id(words))
        return await self.choose_folder() if answer == "choose" else False

    async def _ask(
        self,
        title: str,
        sentence: str,
        choices: list[tuple[str, str]],
        *,
        default: str = "",
        why: str = "",
        below: QWidget | None = None,
    ) -> str:
        """Asks over the window, if there is one; there is always a button that means no, as Esc does: ""."""
        parent = self.current.main_window if self.current else QWidget()
        no = self.tr("Close") if not choices else self.tr("Cancel")
        choices = [*choices, ("", no if self.current else self.tr("Quit"))]
        answer = await ask(parent, title, sentence, choices, default=default, why=why, below=below)
        if self.current is None:
            parent.deleteLater()
        return answer

    def _window(self) -> QWidget | None:
        return self.current.main_window if self.current else None

    def _last(self) -> Path | None:
        known = {"workspace", "peer"}
        return next((path for path in self.recent() if inspect_workspace(path).kind in known), None)

    def _on_closed(self, window: workspace_window.WorkspaceWindow) -> None:
        window.deleteLater()
        if window is self.current:
            self.current = None
            if self._ended is not None and not self._ended.done():
                self._ended.set_result(None)


def _real_place(path: Path) -> Path:
    """Returns a file's path without the links and the dots on the way to it; what the file itself links to is another
    file."""
    try:
        return path.parent.resolve() / path.name
    except (OSError, RuntimeError):
        return path.absolute()


def _with_id(sentence: str, why: str = "") -> str:
    """Returns what only the curious want to know of a fault: the reason, and the id under which the log has it."""
    return f"{why} · {problem_id(sentence)}".removeprefix(" · ")


_SWITCH_SECONDS: Final = 0.0002
"""The seconds that another thread may keep the interpreter when the window's thread wants it. Qt lets go of it some
hundred times in a frame that much is painted in: at Python's own 5 ms, patterns that a thread compiles beside it hold
such a frame up for as long as they take, 300 ms once; at 1 ms still for 300, at 0.2 ms for 80."""


def make_application(arguments: list[str], *, theme: str = "system") -> QApplication:
    """Makes the one QApplication, in Fusion's style, which looks the same everywhere."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    # PySide reads the source of every module that is imported after it, and all of it would stay in this cache.
    linecache.clearcache()
    app = QApplication([*arguments, "-style", "fusion"])
    if app.platformName() == "offscreen":
        _leave_out_what_needs_a_screen()
    app.setApplicationName("mnemoscope")
    app.setApplicationDisplayName("Mnemoscope")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("mnemoscope")
    app.setWindowIcon(QIcon(str(shipped("resources", "desktop", "mnemoscope.svg"))))
    app.setQuitOnLastWindowClosed(False)
    apply_theme(app, theme)
    GarbageCollection(app)
    return app


def _leave_out_what_needs_a_screen() -> None:
    """Leaves out what Qt says at each dialog and menu that is shown offscreen; every other message goes where it went
    before, else to stderr.

    There is no window manager offscreen that could be told how large a window may be, or that it is to come before
    others, and no keyboard that others could have; nothing is lost by it.
    """

    def write(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if message in _SAID_WITHOUT_A_SCREEN:
            return
        if before is not None:
            before(kind, context, message)
        else:
            print(qFormatLogMessage(kind, context, message), file=sys.stderr, flush=True)

    before = qInstallMessageHandler(write)


def run(arguments: list[str], setup: ApplicationSetup, workspace: Path | None, *, read_only: bool = False) -> int:
    """Opens the window, if none has the workspace open, and returns the exit code when it is closed."""
    app = make_application(arguments)
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        application = Application(setup)
        install_translation(app, str(application.settings.value("window/language", "")))
        runner.run(application.run_until_closed(workspace, read_only=read_only))
    return 0
