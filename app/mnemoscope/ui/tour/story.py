"""The tour's story, scene by scene, on the sample workspace and the tour's own model."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final

from PySide6.QtWidgets import QApplication

from mnemoscope.domain.llm import LLMProvider
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace
from mnemoscope.ui.markdown.formulas.formulas import formulas
from mnemoscope.ui.shell.application import Application, ApplicationSetup, make_application
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.tour.driver import Driver, NotShown, Scene, write_index
from mnemoscope.ui.tour.folders import Folders
from mnemoscope.ui.tour.model_server import ProviderStandIn
from mnemoscope.ui.tour.scenes.agents import AgentScenes
from mnemoscope.ui.tour.scenes.attachments import AttachmentScenes
from mnemoscope.ui.tour.scenes.capture import GateScenes, RuleScenes
from mnemoscope.ui.tour.scenes.chat import ChatScenes
from mnemoscope.ui.tour.scenes.conversations import ConversationScenes
from mnemoscope.ui.tour.scenes.discretion import DiscretionScenes
from mnemoscope.ui.tour.scenes.dream import DreamScenes
from mnemoscope.ui.tour.scenes.editor import EditorScenes
from mnemoscope.ui.tour.scenes.everyday import EverydayScenes
from mnemoscope.ui.tour.scenes.exports import ExportScenes
from mnemoscope.ui.tour.scenes.faults import FaultScenes, OpeningScenes
from mnemoscope.ui.tour.scenes.help import HelpScenes
from mnemoscope.ui.tour.scenes.memory import MemoryScenes, VersionScenes
from mnemoscope.ui.tour.scenes.models import ModelScenes
from mnemoscope.ui.tour.scenes.notifications import NotificationScenes
from mnemoscope.ui.tour.scenes.peer import ElsewhereScenes, PeerScenes
from mnemoscope.ui.tour.scenes.second_thoughts import BranchScenes
from mnemoscope.ui.tour.scenes.tiers import ContextScenes, SearchScenes, TierScenes
from mnemoscope.ui.tour.scenes.window import WindowScenes
from mnemoscope.ui.tour.stage import WIDE, Stage
from mnemoscope.ui.tour.tour_disk import TourDisk
from mnemoscope.ui.tour.tour_model import TourModel
from mnemoscope.ui.translation.translation import install_translation

MakeSetup = Callable[[Path, Path | None, LLMProvider | None, FileCalls], ApplicationSetup]
Chapter = tuple[str, tuple[Scene, ...]]
_SCREEN: Final = {
    "name": "tour",
    "x": 0,
    "y": 0,
    "width": 1440,
    "height": 900,
    "logicalDpi": 96,
    "logicalBaseDpi": 96,
    "dpr": 1,
}
"""As Qt's offscreen platform reads a screen from its file."""


def run_tour(folder: Path, make_setup: MakeSetup, *, theme: str, is_wide_only: bool) -> int:
    """Plays every scene; pictures and index.html go to `folder`. 1 if a scene does not show what it should."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mnemoscope-tour-") as scratch:
        app = make_application(["mnemoscope", *offscreen_platform(Path(scratch))], theme=theme)
        install_translation(app, "en")
        return _run(app, _run_scenes(folder, Path(scratch), make_setup, theme, is_wide_only=is_wide_only))


def offscreen_platform(folder: Path) -> list[str]:
    """Returns the arguments that give an application without a screen one of a usual size, written to `folder`.

    Qt's own is 800 pixels wide, and every dialog would be fitted to it. Empty where the application has a screen.
    """
    if os.environ.get("QT_QPA_PLATFORM") != "offscreen":
        return []
    screen = folder / "screen.json"
    screen.write_text(json.dumps({"screens": [_SCREEN]}), encoding="utf-8")
    return ["-platform", f"offscreen:configfile={screen}"]


def chapters(stage: Stage, application: Application, disk: TourDisk, scratch: Path) -> tuple[Chapter, ...]:
    """Returns the scenes by chapter; those from "Second thoughts" on are on workspaces of their own."""
    chat, folders = ChatScenes(stage), Folders(stage, application, scratch)
    return (
        ("Talking", (*chat.opening(), *AttachmentScenes(stage).all())),
        ("Memory", MemoryScenes(stage).all()),
        ("Versions", VersionScenes(stage).all()),
        ("Writing memory", EditorScenes(stage).all()),
        ("What is captured", RuleScenes(stage).all()),
        ("Stopping and failing", chat.trouble()),
        ("The rest of the window", WindowScenes(stage).all()),
        ("In and out", ExportScenes(stage).all()),
        ("Many conversations", ConversationScenes(stage, scratch).all()),
        ("Every day", (*EverydayScenes(stage, scratch).all(), *NotificationScenes(stage).all())),
        ("Help", HelpScenes(stage).all()),
        ("Other agents", AgentScenes(stage, scratch).all()),
        ("Whose words they are", GateScenes(stage).all()),
        ("Three tiers", (*TierScenes(stage).all(), *SearchScenes(stage).all(), *ContextScenes(stage).all())),
        ("Second thoughts", BranchScenes(stage, folders).all()),
        ("How much is kept", DiscretionScenes(stage).all()),
        ("Models and money", ModelScenes(stage).all()),
        ("Dream", DreamScenes(stage, folders).all()),
        ("Another program's workspace", PeerScenes(stage, folders).all()),
        ("A folder from elsewhere", ElsewhereScenes(stage, folders).all()),
        ("When things go wrong", (*FaultScenes(stage, folders, disk).all(), *OpeningScenes(stage, folders).all())),
    )


async def _play(stage: Stage, chapters: Iterable[Chapter]) -> list[str]:
    """Plays all scenes, whatever becomes of the ones before; what was not shown."""
    missing: list[str] = []
    await stage.resize(*WIDE)
    for title, scenes in chapters:
        stage.driver.chapter = title
        for scene in scenes:
            try:
                await scene()
            except NotShown as error:
                missing.append(f"{scene.__name__}: {error}")
                await stage.driver.shoot(f"{scene.__name__}-failed", "This scene failed", str(error))
    stage.leave()
    return missing


@contextmanager
def uncaught() -> Iterator[list[str]]:
    """Collects exceptions nobody caught, such as those of Qt slots, and what was logged as an error."""
    caught: list[str] = []

    class Listen(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            caught.append(f"logged: {record.getMessage()}")

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        caught.append(f"uncaught: {error!r}")
        before(kind, error, trace)

    listener, before = Listen(logging.ERROR), sys.excepthook
    logging.getLogger().addHandler(listener)
    sys.excepthook = hook
    try:
        yield caught
    finally:
        sys.excepthook = before
        logging.getLogger().removeHandler(listener)


def _run(app: QApplication, work: Coroutine[object, object, int]) -> int:
    try:
        with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
            return runner.run(work)
    finally:
        # What Python put there must not outlive it: the offscreen platform lets go of it after the interpreter's end.
        app.clipboard().clear()


async def _run_scenes(folder: Path, scratch: Path, make_setup: MakeSetup, theme: str, *, is_wide_only: bool) -> int:
    sample, model, disk = scratch / "Sample", TourModel(), TourDisk()
    create_workspace(sample, template=shipped("workspace"))
    setup = make_setup(scratch / "config", sample, model, disk)
    provider = ProviderStandIn(lambda: _address_in_force(application))
    # A provider of the tour's own is no word of the person's that a folder's settings may be followed.
    setup = replace(setup, open_core=partial(setup.open_core, remote=provider, trusted=False))
    application = Application(setup)
    # However busy the machine is, the picture has its formulas.
    formulas().begin(limit_ms=60_000)
    with uncaught() as caught:
        await application.open_folder(sample)
        current = application.current
        if current is None:
            print("the tour could not open the sample workspace", file=sys.stderr)
            return 1
        # These chapters tell how a consolidation keeps what was said; capture would have kept it before.
        await current.bench.config.change(theme=theme, capture="off")
        driver = Driver(folder, current.main_window)
        stage = Stage(current, driver, model, provider, theme, is_wide_only=is_wide_only)
        missing = await _play(stage, chapters(stage, application, disk, scratch))
        write_index(folder, driver.shots)
        closed = asyncio.get_running_loop().create_future()
        stage.current.closed.connect(lambda: closed.set_result(None))
        stage.current.close()
        await closed
    formulas().end()
    failed = "; ".join([*missing, *caught])
    print(f"{len(driver.shots)} pictures in {folder}; {failed or 'every scene shows what it should'}")
    return 1 if failed else 0


def _address_in_force(application: Application) -> str:
    """Returns the server address that the settings name in the window that is open."""
    return application.current.bench.settings.api_base.strip() if application.current is not None else ""
