"""The Qt application on an asyncio loop: starts, opens workspaces, and ends when the last window is closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import qasync
from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from mnemoscope import __version__
from mnemoscope.domain.errors import MnemoscopeError, WorkspaceInUse, WorkspaceReadOnly
from mnemoscope.store.shipped import shipped
from mnemoscope.store.workspace import WorkspaceReport, create_workspace, inspect_workspace
from mnemoscope.ui.question import ask
from mnemoscope.ui.theme import apply_theme
from mnemoscope.ui.translation import install_translation
from mnemoscope.ui.workspace_window import Beyond, Core, WorkspaceWindow

log = logging.getLogger(__name__)
_RECENT = 8


@dataclass(frozen=True, slots=True)
class Ways:
    """What the application needs from outside: how a core is made and where the sample goes."""

    open_core: Callable[[Path, bool], Core]
    sample: Callable[[], Path]
    settings_file: Path


class Application(QObject):
    """Owns the windows. `run_until_closed` is the main coroutine."""

    def __init__(self, app: QApplication, ways: Ways) -> None:
        super().__init__()
        self.app, self._ways = app, ways
        self.settings = QSettings(str(ways.settings_file), QSettings.Format.IniFormat)
        self.current: WorkspaceWindow | None = None
        self._ended: asyncio.Future[None] | None = None
        self._switching = False

    async def run_until_closed(self, workspace: Path | None) -> None:
        """Open the named workspace, the last one, or the sample; return when its window is closed."""
        self._ended = asyncio.get_running_loop().create_future()
        await self.start(workspace)
        await self._ended

    async def start(self, workspace: Path | None) -> None:
        """Open the first window; if the folder cannot be opened, ask what to do instead."""
        wanted = workspace or self._last()
        opened = await self.open_folder(wanted) if wanted else False
        if not opened:
            opened = await self.open_sample() if workspace is None else await self.choose_folder()
        if not opened and self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    async def open_sample(self) -> bool:
        """Open the sample workspace, copied to the person's data folder the first time."""
        return await self.open_folder(self._ways.sample())

    async def choose_folder(self) -> bool:
        """Let the person choose a folder to open."""
        folder = await self._pick_folder(self.tr("Open workspace"))
        return await self.open_folder(folder) if folder else False

    async def create_folder(self) -> bool:
        """Let the person choose a folder to make a workspace in."""
        folder = await self._pick_folder(self.tr("Create workspace"))
        if folder is None:
            return False
        try:
            create_workspace(folder, template=shipped("resources", "blank"))
        except MnemoscopeError as error:
            await self._tell(error)
            return False
        return await self.open_folder(folder)

    async def open_folder(self, folder: Path, *, read_only: bool = False) -> bool:
        """Open a folder in place of the one on show; nothing is written without consent."""
        report = inspect_workspace(folder)
        consent = await self._consent(report) if not read_only else "read-only"
        if consent == "choose":
            return await self.choose_folder()
        if not consent:
            return False
        try:
            if consent == "create":
                create_workspace(report.root, template=shipped("resources", "blank"))
            core = self._ways.open_core(report.root, consent == "read-only")
        except (WorkspaceInUse, WorkspaceReadOnly) as error:
            return await self._offer_read_only(report.root, error)
        except MnemoscopeError as error:
            await self._tell(error)
            return False
        await self._show(core)
        return True

    def recent(self) -> list[Path]:
        """Folders opened before, newest first."""
        stored = self.settings.value("workspaces/recent", [])
        names = [stored] if isinstance(stored, str) else list(stored or [])  # type: ignore[call-overload]
        return [Path(str(name)) for name in names]

    async def _show(self, core: Core) -> None:
        before, self._switching = self.current, True
        self._note_recent(core.bench.workspace.root)
        beyond = Beyond(self.choose_folder, self.create_folder, self.open_sample, self.recent, self.open_folder)
        self.current = window = WorkspaceWindow(core, self.settings, beyond)
        window.closed.connect(lambda: self._on_closed(window))
        await window.open()
        if before is not None:
            before.close()
        self._switching = False

    async def _consent(self, report: WorkspaceReport) -> str:
        if report.kind == "workspace":
            return "open" if report.writable else "read-only"
        if report.kind == "peer":
            return await self._ask_about_peer(report)
        if report.kind in {"empty", "foreign", "missing"} and report.writable:
            choices = [("create", self.tr("Create a workspace here")), ("choose", self.tr("Choose another folder…"))]
            return await self._ask(self.tr("This is not a workspace yet"), report.sentence, choices)
        choices = [("choose", self.tr("Choose another folder…"))]
        return await self._ask(self.tr("This folder cannot be opened"), report.sentence, choices)

    async def _ask_about_peer(self, report: WorkspaceReport) -> str:
        if not report.writable:
            return "read-only"
        sentence = self.tr(
            "{sentence} Its files stay as they are and stay readable for that program. To keep its audit trail, "
            "Mnemoscope adds a folder named .mnemoscope."
        ).format(sentence=report.sentence)
        choices = [("open", self.tr("Open")), ("read-only", self.tr("Only look around"))]
        return await self._ask(self.tr("A workspace of another program"), sentence, choices)

    async def _offer_read_only(self, root: Path, error: MnemoscopeError) -> bool:
        choices = [("look", self.tr("Look around, read-only")), ("choose", self.tr("Choose another folder…"))]
        answer = await self._ask(self.tr("The workspace cannot be changed now"), error.sentence, choices)
        if answer == "look":
            return await self.open_folder(root, read_only=True)
        return await self.choose_folder() if answer == "choose" else False

    async def _tell(self, error: MnemoscopeError) -> None:
        await self._ask(self.tr("That did not work"), str(error), [("ok", self.tr("OK"))])

    async def _ask(self, title: str, sentence: str, choices: list[tuple[str, str]]) -> str:
        parent = self.current.window if self.current else QWidget()
        answer = await ask(parent, title, sentence, choices)
        if self.current is None:
            parent.deleteLater()
        return answer

    async def _pick_folder(self, title: str) -> Path | None:
        dialog = QFileDialog(self.current.window if self.current else None, title, str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        chosen: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        dialog.finished.connect(lambda code: None if chosen.done() else chosen.set_result(code))
        dialog.open()
        try:
            accepted = await chosen
            return Path(dialog.selectedFiles()[0]) if accepted and dialog.selectedFiles() else None
        finally:
            dialog.deleteLater()

    def _last(self) -> Path | None:
        return next((path for path in self.recent() if inspect_workspace(path).kind == "workspace"), None)

    def _note_recent(self, root: Path) -> None:
        others = [str(path) for path in self.recent() if path != root]
        self.settings.setValue("workspaces/recent", [str(root), *others][:_RECENT])

    def _on_closed(self, window: WorkspaceWindow) -> None:
        window.deleteLater()
        if window is self.current:
            self.current = None
            if self._ended is not None and not self._ended.done():
                self._ended.set_result(None)


def make_application(arguments: list[str], *, theme: str = "system") -> QApplication:
    """The one QApplication, dressed and translated."""
    app = QApplication(arguments)
    app.setApplicationName("mnemoscope")
    app.setApplicationDisplayName("Mnemoscope")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("mnemoscope")
    app.setQuitOnLastWindowClosed(False)
    apply_theme(app, theme)
    return app


def run(arguments: list[str], ways: Ways, workspace: Path | None) -> int:
    """Open the window and return the exit code when it is closed."""
    app = make_application(arguments)
    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        application = Application(app, ways)
        install_translation(app, str(application.settings.value("window/language", "")))
        runner.run(application.run_until_closed(workspace))
    return 0
