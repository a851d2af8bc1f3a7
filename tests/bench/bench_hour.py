"""An hour's use of the real window: 300 turns at 100 tokens a second, all panes open, with what happens beside them.

Of the hour only the time in which nothing happens is left out: letters, tokens, consolidations, saves of MEMORY.md,
edited messages and branches come as they would. The server is another process.

In a new folder memory grows as pages of the index, decoded messages and parsed blocks are kept for the first time, each
up to a bound that an hour does not reach: `bench_long_hour` goes on in a long conversation, where these are full.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from mnemoscope.domain.events import Consolidated, Event
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.bench.bench_window import _window
from tests.bench.hour_server import answer_to
from tests.bench.rows import Row
from tests.bench.window_process import resident_megabytes
from tests.proof.soak_meter import LoopPauses, slope_of
from tests.support.own_time import slowness
from tests.support.port_process import served

TURNS = 300
QUICK_TURNS = 6
SAMPLED = 10
"""Memory is looked at after so many turns, and at the end of a shorter run."""
WARM_UP = 0.3
"""This share of the turns counts for no growth: caches fill, pages are read for the first time."""
LONGEST_MS, P99_MS, MEGABYTES = 50, 16, 1
MEMORY_WINDOW, QUICK_MEMORY_WINDOW = 32, 8
PATIENCE = 600.0
"""Seconds after which what hangs is given up; no figure."""
_OTHER, _USED = "desktop:other", "desktop:used"
_PANES = ("timeline", "memory", "history", "prompt")
_WHEN = {"edited": 20, "regenerated": 30, "branched": 25, "switched": 10, "saved": 12, "shown": 5, "opened": 40}
"""Every how many turns each thing is done beside them."""
_QUICK_WHEN = {"edited": 3, "regenerated": 4, "branched": 5, "switched": 6, "saved": 3, "shown": 2, "opened": 6}
"""The same in a short run, so that each is done there too."""


def rows(quick: bool) -> Iterable[Row]:
    """Yields the figures."""
    return rows_of(QUICK_TURNS if quick else TURNS)


def rows_of(turns: int, earlier: int = 0) -> Iterable[Row]:
    """Yields the figures of so many turns in a new folder, or after `earlier` turns of the same conversation."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(dir=Path.home()) as name:
        hour = _on_a_window(Path(name), turns, earlier)
    pauses = hour.pauses
    folder = f"a conversation of {2 * earlier:,} messages" if earlier else "a new folder"
    what = f"{turns} turns at 100 tokens/s in {folder}, panes open, memory edited and consolidated, branches"
    yield Row(f"{what}: longest pause", f"{pauses.longest:.1f} ms", f"<= {LONGEST_MS} ms", pauses.longest <= LONGEST_MS)
    yield Row("  p99 of all pauses of the loop", f"{pauses.p99:.1f} ms", f"<= {P99_MS} ms", pauses.p99 <= P99_MS)
    yield Row("  over 16 ms; over 50 ms", f"{pauses.over(16)}; {pauses.over(50)} of {len(pauses)}", "", True)
    memory = f"{hour.memory[0][1]:.0f} to {hour.memory[-1][1]:.0f} MB"
    if turns < TURNS:
        # Caches are still filling at the end of a short run.
        yield Row("  the window's memory", memory, "", True)
    else:
        grown = slope_of([(turn, megabytes) for turn, megabytes in hour.memory if turn >= WARM_UP * turns])
        what = "  the window's memory, for each 100 turns"
        yield Row(what, f"{grown:+.2f} MB ({memory})", f"< {MEGABYTES} MB", grown < MEGABYTES)
    what = "  processor time of the same work here, to that where the bounds were set"
    yield Row(what, f"{min(slowness() for _ in range(3)):.1f} x", "", True)
    done = ", ".join(f"{count} {name}" for name, count in sorted(hour.done.items()))
    complete = hour.consolidations > 0 and all(count for name, count in hour.done.items() if hour.when[name] <= turns)
    yield Row("  done beside", f"{hour.consolidations} consolidations, {done}", "each", complete)


def _on_a_window(folder: Path, turns: int, earlier: int) -> _Hour:
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    async def live() -> _Hour:
        with served("tests.bench.hour_server", patience=600) as port:
            window = MEMORY_WINDOW if turns >= TURNS else QUICK_MEMORY_WINDOW
            async with _window(folder, lambda root: _fill(root, port, earlier, window)) as current:
                hour = _Hour(current, turns)
                await hour.live()
                return hour

    app = make_application(["mnemoscope"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        return runner.run(live())


def _fill(root: Path, port: int, earlier: int, window: int) -> None:
    paths = WorkspacePaths(root)
    config = {
        "agents": {"defaults": {"model": "openai/scripted", "memoryWindow": window}},
        "mnemoscope": {"apiBase": f"http://127.0.0.1:{port}/v1"},
    }
    paths.config_file.write_text(json.dumps(config), "utf-8")
    manager = SessionManager(root)
    session = manager.get_or_create(_OTHER)
    session.add_message("user", "Good morning.")
    session.add_message("assistant", "Good morning.")
    manager.save(session)
    if earlier:
        used = manager.get_or_create(_USED)
        for number in range(earlier):
            used.add_message("user", f"e{number} Bowl {number} stood on its shelf")
            used.add_message("assistant", answer_to(number))
        used.last_consolidated = 2 * earlier - window // 2
        manager.save(used)


class _Hour:
    """What a person does in an hour, and what is measured meanwhile."""

    def __init__(self, current: Any, turns: int) -> None:
        self._current = current
        self._turns = turns
        self.when = _WHEN if turns >= TURNS else _QUICK_WHEN
        self._root = Path(current.bench.workspace.root)
        self.pauses = LoopPauses()
        self.memory: list[tuple[int, float]] = []
        """Megabytes of the window's process after so many turns."""
        self.done = dict.fromkeys(_WHEN, 0)
        self.consolidations = 0
        current.bench.bus.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        self.consolidations += isinstance(event, Consolidated)

    async def live(self) -> None:
        """Goes through the hour."""
        current = self._current
        await self._until(lambda: current.conversation.session is not None, "the conversation")
        await current.bench.trust.agree(current.bench.trust.state.fingerprint)
        current.main_window.resize(1440, 900)
        await self._until(lambda: current.bench.provider._remote.process.is_ready, "the model process")
        await self._turn(0)
        self.pauses.start()
        for number in range(1, self._turns + 1):
            await self._turn(number)
            await self._beside(number)
            if number % min(SAMPLED, self._turns) == 0:
                await self._sample(number)
        self.pauses.stop()

    async def _turn(self, number: int) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        edit = self._current.main_window.chat.composer.edit
        edit.setFocus()
        for letter in f"m{number} Bowl {number} stands on its shelf":
            QTest.keyClicks(edit, letter)
            await asyncio.sleep(0.005)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await self._answered(f"turn {number}")

    async def _answered(self, what: str) -> None:
        current, key = self._current, self._current.conversation.key
        loop, composer = current.bench.loop, current.main_window.chat.composer
        await self._until(lambda: loop.is_busy(key), f"the beginning of {what}")
        await self._until(lambda: not loop.is_busy(key) and not composer.busy, f"the end of {what}")

    async def _beside(self, number: int) -> None:
        for name, every in self.when.items():
            if number % every == 0:
                await self._opened_whole()
                await getattr(self, f"_{name}")(number)
                self.done[name] += 1
                await asyncio.sleep(0.05)

    async def _edited(self, number: int) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        self._current.conversation.branches.edit_newest()
        edit = self._current.main_window.chat.composer.edit
        QTest.keyClicks(edit, " And what is left?")
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await self._answered(f"the edited message of turn {number}")
        await self._opened_whole()

    async def _regenerated(self, number: int) -> None:
        self._current.conversation.branches.answer_newest_anew()
        await self._answered(f"the second answer of turn {number}")
        await self._opened_whole()

    async def _branched(self, number: int) -> None:
        messages = self._current.conversation.session.messages
        last = len(messages)
        self._current.conversation.branches.branch(last - 4)
        await self._until(lambda: len(self._messages()) not in (0, last), "the branch")
        await self._opened_whole()

    async def _switched(self, number: int) -> None:
        for by in (1, -1):
            before, seen = self._began(), time.monotonic()
            self._current.conversation.branches.step(by)
            # Where there is none in this direction, nothing comes.
            while self._began() == before and time.monotonic() < seen + 0.5:
                await asyncio.sleep(0.005)
            await self._opened_whole()

    async def _saved(self, number: int) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtGui import QTextCursor
        from PySide6.QtTest import QTest

        self._current.main_window.inspector.show("memory")
        document = self._current.main_window.memory.main
        editor = document.editor
        editor.setFocus()
        editor.moveCursor(QTextCursor.MoveOperation.End)
        for letter in f"\n- Seen on day {number}":
            QTest.keyClick(editor, Qt.Key.Key_Return) if letter == "\n" else QTest.keyClicks(editor, letter)
            await asyncio.sleep(0.005)
        QTest.keyClick(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        words = f"Seen on day {number}"
        memory = self._root / "memory" / "MEMORY.md"
        await self._until(lambda: words in memory.read_text("utf-8"), "the save of MEMORY.md")

    async def _shown(self, number: int) -> None:
        self._current.main_window.inspector.show(_PANES[number // self.when["shown"] % len(_PANES)])

    async def _opened(self, number: int) -> None:
        conversation = self._current.conversation
        for key in (_OTHER, conversation.key):
            self._current.sessions.open(key)
            await self._until(partial(lambda wanted: conversation.key == wanted, key), key)
            await self._opened_whole()

    async def _opened_whole(self) -> None:
        conversation = self._current.conversation
        await self._until(lambda: conversation.session is not None and not conversation.is_opening, "the conversation")

    def _messages(self) -> Any:
        session = self._current.conversation.session
        return () if session is None else session.messages

    def _began(self) -> str:
        session = self._current.conversation.session
        return "" if session is None else str(session.branch.began)

    async def _sample(self, turns: int) -> None:
        consolidating = self._current.bench.loop.consolidation
        await self._until(lambda: not consolidating.tasks, "the consolidation's end")
        self.memory.append((turns, resident_megabytes()))

    async def _until(self, shows: Callable[[], object], what: str) -> None:
        ends = time.monotonic() + PATIENCE
        while not shows():
            if time.monotonic() > ends:
                raise TimeoutError(f"this did not come: {what}")
            await asyncio.sleep(0.005)
