"""The whole window: how soon it is there, what it holds, and whether a fast stream makes it stumble."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from mnemoscope.domain.events import Event, TurnEnded
from tests.bench import window_long
from tests.bench.bench_models import RATE, GapMeter
from tests.bench.rows import Row
from tests.support.port_process import ROOT, served

MODES = ("empty", "imports", "window")


def rows(quick: bool) -> Iterable[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as name:
        yield from _starts(Path(name), 1 if quick else 9)
    tokens, messages, entries = (500, 5_000, 2_000) if quick else (20_000, 1_000_000, 100_000)
    # At home: where /tmp is kept in memory, files would count as memory and cost nothing to read.
    with tempfile.TemporaryDirectory(dir=Path.home()) as name:
        yield from _long_starts(Path(name), messages, 1 if quick else 7)
        times = window_long.QUICK if quick else window_long.Times()
        yield from _in_windows(Path(name), tokens, messages, entries, times)


def _starts(folder: Path, times: int) -> Iterable[Row]:
    if times > 1:
        _start("window", folder)  # the first one copies the sample
    runs: dict[str, list[dict[str, Any]]] = {mode: [] for mode in MODES}
    for _ in range(times):
        for mode in MODES:
            runs[mode].append(_start(mode, folder))
    seconds = {mode: statistics.median(run["seconds"] for run in runs[mode]) for mode in MODES}
    memory = {mode: statistics.median(run["megabytes"] for run in runs[mode]) for mode in MODES}
    ratio = seconds["window"] / seconds["imports"]
    figure = f"{ratio:.2f} x ({seconds['window'] * 1000:.0f} ms, {seconds['imports'] * 1000:.0f} ms)"
    yield Row("process start to painted / an empty window, same imports", figure, "<= 2 x", ratio <= 2)
    ratio = memory["window"] / memory["empty"]
    beside = statistics.median(sum(run["children"]) for run in runs["window"])
    figure = f"{ratio:.2f} x ({memory['window']:.0f} MB, {memory['empty']:.0f} MB; child processes {beside:.0f} MB)"
    yield Row("memory of the idle window's process / of an empty one", figure, "<= 1.8 x", ratio <= 1.8)
    imported = any(run["litellm"] for run in runs["window"])
    yield Row("litellm imported before a remote model is used", "yes" if imported else "no", "no", not imported)


def _long_starts(folder: Path, messages: int, times: int) -> Iterable[Row]:
    """Yields the program started where the last conversation is long, against one of 1,000 messages."""
    runs: dict[int, list[dict[str, Any]]] = {}
    for count in (window_long.SHORT_COUNT, messages):
        place = folder / str(count)
        window_long.fill_last(place, count)
        runs[count] = [_start("window", place) for _ in range(times)]
    first = {count: statistics.median(run["first_rows"] for run in runs[count]) for count in runs}
    memory = {count: statistics.median(run["megabytes"] for run in runs[count]) for count in runs}
    ratio = first[messages] / first[window_long.SHORT_COUNT]
    bytes_each = (memory[messages] - memory[window_long.SHORT_COUNT]) * 1e6 / messages
    what = f"process start with {messages:,} messages / {window_long.SHORT_COUNT:,}: first rows painted"
    figure = f"{ratio:.2f} x ({first[messages] * 1000:.0f} ms)"
    yield Row(what, figure, "<= 1.5 x", ratio <= 1.5)
    figure = f"{bytes_each:.1f} bytes a message ({memory[messages]:.0f} MB)"
    yield Row("  memory of that window, idle", figure, "<= 100 bytes", bytes_each <= 100)


def _start(mode: str, folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.window_process", mode, str(folder), repr(time.time())]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=600)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _in_windows(folder: Path, tokens: int, messages: int, entries: int, times: window_long.Times) -> list[Row]:
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    async def measure() -> list[Row]:
        async with _window(folder / "stream", lambda root: None) as current:
            with served("tests.support.loopback_server", patience=600) as port:
                rows = [await _first_answer(current, port), *await _fast_answer(current, tokens)]
        fill = partial(window_long.fill, messages=messages, entries=entries)
        async with _window(folder / "long", fill) as current:
            return [*rows, *await window_long.rows(current, messages, entries, times)]

    app = make_application(["mnemoscope"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        return runner.run(measure())


@asynccontextmanager
async def _window(folder: Path, fill: Callable[[Path], None]) -> AsyncIterator[Any]:
    """Yields the real window on a workspace of its own: the sample, with what `fill` puts into it."""
    from mnemoscope import bootstrap
    from mnemoscope.store.files.shipped import shipped
    from mnemoscope.store.workspace.workspace import create_workspace
    from mnemoscope.ui.shell.application import Application, ApplicationSetup

    root = folder / "workspace"
    create_workspace(root, template=shipped("workspace"))
    fill(root)
    application = Application(ApplicationSetup(bootstrap.open_core, lambda: root, folder / "window.ini"))
    await application.open_folder(root)
    current = application.current
    assert current is not None
    yield current
    closed = asyncio.get_running_loop().create_future()
    current.closed.connect(lambda: closed.set_result(None))
    current.close()
    await closed


async def _first_answer(current: Any, port: int) -> Row:
    while current.conversation.session is None:
        await asyncio.sleep(0.01)
    current.sessions.new()
    before = current.conversation.key
    while current.conversation.key == before or current.conversation.session is None:
        await asyncio.sleep(0.01)
    await asyncio.sleep(1.0)
    meter, began = GapMeter(), time.perf_counter()
    meter.start()
    current.settings_controller.change({"model": "openai/scripted", "api_base": f"http://127.0.0.1:{port}/v1"})
    while current.bench.settings.model != "openai/scripted":
        await asyncio.sleep(0.005)
    await _answered(current, "Hello")
    gap = meter.stop()
    figure = f"{gap:.1f} ms (answer after {time.perf_counter() - began:.1f} s)"
    return Row("the window, remote model chosen to first answer shown: longest gap", figure, "<= 50 ms", gap <= 50)


async def _fast_answer(current: Any, tokens: int) -> list[Row]:
    current.settings_controller.change({"model": f"openai/rate-{RATE}-{tokens}"})
    while not current.bench.settings.model.startswith("openai/rate"):
        await asyncio.sleep(0.005)
    meter, began = GapMeter(), time.perf_counter()
    meter.start()
    await _answered(current, "Go")
    seconds, gap = time.perf_counter() - began, meter.stop()
    shown = current.conversation.session.messages[-1]["content"].count("word")
    figure = f"{gap:.1f} ms ({shown / seconds:,.0f} tokens/s shown)"
    return [
        Row(f"the window, a stream of {RATE:,} tokens/s: longest gap", figure, "<= 50 ms", gap <= 50),
        Row("the window, tokens dropped", str(tokens - shown), "0", shown == tokens),
    ]


async def _answered(current: Any, words: str) -> None:
    key, ended = current.conversation.key, asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, TurnEnded) and event.session_key == key:
            ended.set()

    forget = current.bench.bus.subscribe(hear)
    current.conversation.send(words)
    await ended.wait()
    forget()
    while current.bench.loop.is_busy(key):
        await asyncio.sleep(0.01)
