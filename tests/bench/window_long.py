"""Long conversations and logs in the real window: opened, added to, searched, switched to and fro."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.search.log_search import INDEX_FROM
from mnemoscope.store.workspace.workspace import create_workspace
from tests.bench.bench_history import write_log
from tests.bench.bench_models import GapMeter
from tests.bench.bench_sessions import _conversation as write_conversation
from tests.bench.rows import Row
from tests.bench.window_process import resident_megabytes

SHORT, LONG = "desktop:short", "desktop:long"
SHORT_COUNT = 1_000
GAP_MS = 50
PATIENCE = 1_200
"""Seconds after which what hangs is ended; no figure: a busy machine takes its time."""
SWITCH_MEGABYTES = 3
WORDS = ("the", "ran", "nowhere to be found", "e")


@dataclass(frozen=True)
class Times:
    """How often each thing is done: a conversation opened, a message added, the conversation on show exchanged. Both
    conversations are shown `before` times before the last is measured."""

    opened: int = 9
    before: int = 4
    appended: int = 30
    switched: int = 50


QUICK = Times(opened=1, before=1, appended=3, switched=4)


def fill(root: Path, messages: int, entries: int) -> None:
    """Puts a short and a long conversation, and a long history, into a workspace."""
    write_conversation(root, SHORT_COUNT, SHORT)
    write_conversation(root, messages, LONG)
    write_log(root / "memory" / "HISTORY.md", entries)


def fill_last(folder: Path, messages: int) -> None:
    """A workspace in `folder` whose last conversation is of this length, as `window_process` opens it."""
    from PySide6.QtCore import QSettings

    root = folder / "workspace"
    create_workspace(root, template=shipped("workspace"))
    write_conversation(root, messages, LONG)
    settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue(f"sessions/{str(root).replace('/', '|')}", LONG)
    settings.sync()


async def rows(current: Any, messages: int, entries: int, times: Times) -> list[Row]:
    """Measures in an open window, `fill` having made its folder."""
    async with asyncio.timeout(PATIENCE):
        await _settled(current)
        await _indexed(current)
        return [
            *await _opening(current, messages, times.opened),
            *await _appending(current, messages, times.appended),
            *await _typing(current, entries),
            *await _switching(current, times.before, times.switched),
        ]


async def _opening(current: Any, messages: int, times: int) -> list[Row]:
    for _ in range(3):
        await _open(current, SHORT)
    short, long, whole, gaps = [], [], [], []
    for _ in range(times):
        short.append((await _open(current, SHORT))[0])
        meter = GapMeter()
        meter.start()
        first, all_of_it = await _open(current, LONG)
        gaps.append(meter.stop())
        long.append(first)
        whole.append(all_of_it)
    ratio, gap = median(long) / median(short), max(gaps)
    what = f"the window, {messages:,} messages"
    figure = f"{ratio:.2f} x ({median(long) * 1000:.0f} ms, {median(short) * 1000:.0f} ms)"
    return [
        Row(f"{what} / {SHORT_COUNT:,}: first rows on screen", figure, "<= 1.5 x", ratio <= 1.5),
        Row(f"{what}: longest gap while it is opened", *_gap(gap, f"all after {median(whole) * 1000:.0f} ms")),
    ]


async def _open(current: Any, key: str) -> tuple[float, float]:
    """Seconds until the first rows are painted, and until everything is there."""
    current.bench.sessions.invalidate(key)
    current.main_window.chat.transcript.session_key = ""
    gc.collect()
    began = perf_counter()
    opening = current.conversation.open(key)
    while current.main_window.chat.transcript.session_key != key:
        await asyncio.sleep(0)
    current.main_window.chat.transcript.view.viewport().repaint()
    first = perf_counter() - began
    await opening
    whole = perf_counter() - began
    await _settled(current)
    return first, whole


async def _appending(current: Any, messages: int, times: int) -> list[Row]:
    session, taken = current.conversation.session, []
    meter = GapMeter()
    meter.start()
    for number in range(times):
        began = perf_counter()
        await current.bench.loop.writer.append(session, {"role": "user", "content": f"One more: {number}."})
        current.main_window.timeline.view.viewport().repaint()
        taken.append(perf_counter() - began)
        await asyncio.sleep(0.02)
    gap = meter.stop()
    began = perf_counter()
    await current.bench.conversations.overviews()
    listed = (perf_counter() - began) * 1000
    what = f"the window, one message more at {messages:,}"
    figure = f"{median(taken) * 1000:.1f} ms on disk and painted"
    return [
        Row(f"{what}: longest gap", *_gap(gap, figure)),
        Row("  the list of conversations read again", f"{listed:.1f} ms", "<= 50 ms", listed <= 50),
    ]


async def _typing(current: Any, entries: int) -> list[Row]:
    from PySide6.QtTest import QTest

    current.main_window.inspector.show("history")
    await _settled(current)
    field, model, times = current.main_window.history.field, current.main_window.history.model, []
    answered = asyncio.Event()
    connection = model.replaced.connect(answered.set)
    meter = GapMeter()
    meter.start()
    for words in WORDS:
        field.clear()
        for letter in words:
            answered.clear()
            began = perf_counter()
            QTest.keyClicks(field, letter)
            await answered.wait()
            times.append(perf_counter() - began)
    gap = meter.stop()
    model.replaced.disconnect(connection)
    field.clear()
    what = f"the window, a key in the history's field, {entries:,} entries: longest gap"
    return [Row(what, *_gap(gap, f"first page after {median(times) * 1000:.0f} ms"))]


async def _switching(current: Any, before: int, times: int) -> list[Row]:
    keys = (SHORT, LONG)
    for key in keys * before:
        await current.conversation.open(key)
        await _settled(current)
    gc.collect()
    held, meter = resident_megabytes(), GapMeter()
    meter.start()
    for number in range(times):
        await current.conversation.open(keys[number % 2])
        await asyncio.sleep(0.05)
    gap = meter.stop()
    await _settled(current)
    gc.collect()
    grown = resident_megabytes() - held
    return [
        Row(f"the window, {times} switches between conversations: longest gap", *_gap(gap)),
        Row("  memory grown by", f"{grown:.1f} MB", f"<= {SWITCH_MEGABYTES} MB", grown <= SWITCH_MEGABYTES),
    ]


async def _settled(current: Any) -> None:
    """Waits until nothing is being opened and what is drawn later was drawn."""
    while current.conversation.session is None:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)


async def _indexed(current: Any) -> None:
    """Waits until the history's index is built."""
    search = current.history._search
    while search.state.loading or search.state.indexed < sum(
        entries - 1 for entries in search.state.by_kind.values() if entries > INDEX_FROM
    ):
        await asyncio.sleep(0.05)


def _gap(milliseconds: float, more: str = "") -> tuple[str, str, bool]:
    figure = f"{milliseconds:.1f} ms" + (f" ({more})" if more else "")
    return figure, f"<= {GAP_MS} ms", milliseconds <= GAP_MS
