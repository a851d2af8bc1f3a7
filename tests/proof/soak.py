"""The soak: thousands of turns in one real window, offscreen, against a server that stalls, cuts, refuses and fails.

Beside the turns, what a day brings: consolidations, tool calls, Esc, another program that writes MEMORY.md, another
conversation, another pane, words typed into the search. At the end the files are read again: every message of the
person once, every consolidated one in the history once.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import create_workspace
from tests.proof.soak_meter import LongestGap, Sample, descriptors, megabytes, slope, spread, threads
from tests.proof.soak_server import CYCLE, IS_STOPPED
from tests.support.port_process import served

TURNS = 2_000
QUICK_TURNS = 200
SAMPLES = 20
LONG = 1_000
WARM_UP = 0.3
"""This share of the turns is not judged: caches fill, modules are imported, the first pages of everything are read."""
MEGABYTES, MEGABYTES_WHEN_SHORT = 1, 3
"""The growth of memory allowed in 100 turns; a run of less than `LONG` turns ends while caches are still filling."""
WINDOW = 32
"""Messages until a consolidation: one in about eight turns."""
PATIENCE = 600.0
"""Seconds after which what hangs is given up; no figure: on a busy machine the first turn imports for a minute."""
LIMITS = RequestLimits(idle_seconds=1, local_patience=2, tries=3, longest_wait=2)
_PANES = ("timeline", "history", "memory", "prompt")
_LOOKS = 5
"""At what is open and running: what is not there at each of them is being closed or done with."""
_TOLD = re.compile(r"\bm\d+\b")


@dataclass
class Soaked:
    """Holds what a soak showed."""

    turns: int
    seconds: float = 0.0
    samples: list[Sample] = field(default_factory=list)
    consolidations: int = 0
    errors: list[str] = field(default_factory=list)
    """Records of level ERROR in the log, and what is wrong with the files."""

    @property
    def judged(self) -> list[Sample]:
        return [sample for sample in self.samples if sample.turns >= WARM_UP * self.turns]

    def verdicts(self) -> list[tuple[str, str, str, bool]]:
        """Returns what was measured, the figure, the figure to reach, whether it was reached."""
        judged, wanted = self.judged, self.turns // 10
        grown, model = slope(judged, "megabytes"), slope(judged, "model_megabytes")
        most = MEGABYTES if self.turns >= LONG else MEGABYTES_WHEN_SHORT
        files, moved = spread(judged, "descriptors"), spread(judged, "threads")
        model_files = spread(judged, "model_descriptors")
        gap = max(sample.gap for sample in judged)
        return [
            ("consolidations", f"{self.consolidations}", f">= {wanted}", self.consolidations >= wanted),
            ("the window's memory, for each 100 turns", f"{grown:+.2f} MB", f"< {most} MB", grown < most),
            ("the model process's memory, for each 100 turns", f"{model:+.2f} MB", f"< {most} MB", model < most),
            ("the window's descriptors moved by", f"{files}", "<= 2", files <= 2),
            ("the model process's descriptors moved by", f"{model_files}", "<= 2", model_files <= 2),
            ("the window's threads moved by", f"{moved}", "0", moved == 0),
            ("the window's longest gap", f"{gap:.0f} ms", "<= 200 ms", gap <= 200),
            ("errors in the log, messages lost or doubled", f"{len(self.errors)}", "0", not self.errors),
        ]


def soak(turns: int) -> Soaked:
    """Makes a workspace and a window, and talk."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    folder = tempfile.TemporaryDirectory(prefix="soak-", dir=Path.home())
    with folder as name, served("tests.proof.soak_server") as port:
        root, soaked = Path(name) / "workspace", Soaked(turns)
        _make(root, port)
        with _log(Path(name) / "log", soaked.errors):
            app = make_application(["mnemoscope"])
            with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
                runner.run(_Soak(root, port, soaked).run())
        soaked.errors += _wrong(root, turns)
        soaked.consolidations = len(list((root / ".mnemoscope" / "ledger").glob("*.json")))
    return soaked


class _Soak:
    def __init__(self, root: Path, port: int, soaked: Soaked) -> None:
        connection = Connection(f"http://127.0.0.1:{port}/v1", "test")
        self.root, self.soaked = root, soaked
        self.provider = LiteLLMProvider(lambda _: connection, limits=LIMITS)
        self.paths = WorkspacePaths(root)
        self.main = ""

    async def run(self) -> None:
        async with _window(self.root, self.provider) as self.current:
            began, every = time.perf_counter(), max(1, self.soaked.turns // SAMPLES)
            await self._until(lambda: self.current.conversation.session is not None, "the conversation")
            self.main, self.gap = self.current.conversation.key, LongestGap()
            for number in range(1, self.soaked.turns + 1):
                await self._turn(number)
                await self._beside(number)
                if number % every == 0:
                    await self._sample(number)
            self.soaked.seconds = time.perf_counter() - began

    async def _turn(self, number: int) -> None:
        from PySide6.QtTest import QTest

        current, edit = self.current, self.current.main_window.chat.composer.edit
        edit.setFocus()
        for letter in f"m{number} Bowl {number} stands on its shelf":
            QTest.keyClicks(edit, letter)
            await asyncio.sleep(0)
        self._press(edit, "Return")
        await self._until(lambda: current.bench.loop.is_busy(self.main), f"turn {number}")
        if number % CYCLE == IS_STOPPED:
            await asyncio.sleep(0.1)
            self._press(edit, "Escape")
        composer = current.main_window.chat.composer
        await self._until(
            lambda: not current.bench.loop.is_busy(self.main) and not composer.busy, f"the end of turn {number}"
        )
        if number % 2 == 0:
            # Where the disk or the machine is slow, it would have more and more to read, and begin less and less often.
            await self._consolidated()

    async def _beside(self, number: int) -> None:
        """Does what else happens in a day."""
        if number % 10 == 0:
            self.current.main_window.inspector.show(_PANES[number // 10 % len(_PANES)])
        if number % 25 == 0:
            text = self.paths.memory_file.read_text("utf-8")
            kept = [line for line in text.splitlines() if not line.startswith("- Seen from outside")]
            self.paths.memory_file.write_text("\n".join([*kept, f"- Seen from outside {number}", ""]), "utf-8")
        if number % 30 == 0:
            await self._search(f"m{number // 2}")
        if number % 50 == 0:
            await self._visit_another()

    async def _search(self, words: str) -> None:
        from PySide6.QtTest import QTest

        self.current.main_window.inspector.show("history")
        field = self.current.main_window.history.field
        field.clear()
        QTest.keyClicks(field, words)
        await asyncio.sleep(0.1)
        field.clear()

    async def _visit_another(self) -> None:
        conversation = self.current.conversation
        for key in ("desktop:other", self.main):
            self.current.sessions.open(key)
            await self._until(lambda key=key: conversation.key == key and conversation.session is not None, key)
            await asyncio.sleep(0.05)

    async def _sample(self, turns: int) -> None:
        await self._consolidated()
        await asyncio.sleep(0.2)
        gap, model = self.gap.stop(), self.provider.process.pid
        assert model is not None
        gc.collect()
        own = os.getpid()
        grown = megabytes(own), megabytes(model)
        looks = []
        for _ in range(_LOOKS):
            looks.append((descriptors(own), descriptors(model), threads(own), threads(model)))
            await asyncio.sleep(0.02)
        least = [min(counts) for counts in zip(*looks, strict=True)]
        self.soaked.samples.append(Sample(turns, *grown, least[0], least[1], least[2], least[3], gap))
        self.gap.start()

    async def _consolidated(self) -> None:
        consolidating = self.current.bench.loop.consolidation
        await self._until(lambda: not consolidating.tasks, "the consolidation's end")

    def _press(self, widget: Any, key: str) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        QTest.keyClick(widget, Qt.Key[f"Key_{key}"])

    async def _until(self, shows: Any, what: str) -> None:
        ends = time.monotonic() + PATIENCE
        while not shows():
            if time.monotonic() > ends:
                raise TimeoutError(f"this did not come: {what}")
            await asyncio.sleep(0.005)


@asynccontextmanager
async def _window(root: Path, provider: LiteLLMProvider) -> AsyncIterator[Any]:
    from mnemoscope import bootstrap
    from mnemoscope.ui.shell.application import Application, ApplicationSetup

    ways = ApplicationSetup(partial(bootstrap.open_core, remote=provider), lambda: root, root.parent / "window.ini")
    application = Application(ways)
    await application.open_folder(root)
    current = application.current
    assert current is not None
    yield current
    closed = asyncio.get_running_loop().create_future()
    current.closed.connect(lambda: closed.set_result(None))
    current.close()
    await closed


def _make(root: Path, port: int) -> None:
    from mnemoscope.store.files.shipped import shipped

    create_workspace(root, template=shipped("resources", "blank"))
    paths = WorkspacePaths(root)
    config = {
        "agents": {"defaults": {"model": "openai/scripted", "memoryWindow": WINDOW}},
        "mnemoscope": {"apiBase": f"http://127.0.0.1:{port}/v1"},
    }
    paths.config_file.write_text(json.dumps(config), "utf-8")
    paths.memory_file.write_text("# Notes\n- The kiln is warm\n", "utf-8")
    manager = SessionManager(root)
    for key in ("desktop:other", "desktop:main"):  # The newest is opened.
        session = manager.get_or_create(key)
        session.add_message("user", "Good morning.")
        session.add_message("assistant", "Good morning.")
        manager.save(session)


class _Errors(logging.Handler):
    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self._errors.append(record.getMessage())


@contextmanager
def _log(file: Path, errors: list[str]) -> Iterator[None]:
    """Keeps a log as the program does: warnings go to a file, and errors are counted."""
    handlers = [logging.FileHandler(file, encoding="utf-8"), _Errors(errors)]
    logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
    yield
    logging.basicConfig(handlers=[logging.NullHandler()], force=True)


def _wrong(root: Path, turns: int) -> list[str]:
    """Returns what a program started now would miss, or read twice."""
    session = SessionManager(root, read_only=True).load("desktop:main")
    assert session is not None
    said = Counter(str(message["content"]).split()[0] for message in session.messages if message.get("role") == "user")
    wrong = [f"m{n} is {said[f'm{n}']} times in the conversation" for n in range(1, turns + 1) if said[f"m{n}"] != 1]
    settled = {
        str(message["content"]).split()[0]
        for message in list(session.messages)[: session.last_consolidated]
        if message.get("role") == "user"
    }
    counts = Counter(_TOLD.findall((root / "memory" / "HISTORY.md").read_text("utf-8")))
    wrong += [
        f"{name} is {counts[name]} times in the history" for name in settled if name != "Good" and counts[name] != 1
    ]
    return wrong + [f"{name} is in the history and not settled" for name in counts if name not in settled]


def print_soak(turns: int) -> int:
    """Soaks and prints what was seen; returns 1 if a figure was not reached, else 0."""
    soaked = soak(turns)
    names = ("turns", "window MB", "model MB", "files", "model files", "threads", "model threads", "gap ms")
    print("  ".join(f"{name:>13}" for name in names))
    for one in soaked.samples:
        print(
            f"{one.turns:>13}  {one.megabytes:>13.1f}  {one.model_megabytes:>13.1f}  {one.descriptors:>13}  "
            f"{one.model_descriptors:>13}  {one.threads:>13}  {one.model_threads:>13}  {one.gap:>13.0f}"
        )
    print(f"{soaked.turns:,} turns in {soaked.seconds:.0f} s; judged from turn {soaked.judged[0].turns}")
    print("\n".join(verdict_lines(soaked)))
    for error in soaked.errors[:20]:
        print(f"FAILED {error[:400]}")
    return 0 if all(reached for *_, reached in soaked.verdicts()) else 1


def verdict_lines(soaked: Soaked) -> list[str]:
    """Returns the verdicts as they are printed."""
    return [
        f"{what:<50} {figure:>12}  {target:>10}  {'ok' if reached else 'NOT REACHED'}"
        for what, figure, target, reached in soaked.verdicts()
    ]
