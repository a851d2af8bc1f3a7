"""Going from one thing to another in the real window: to a long conversation with branches, to a branch, to a picture;
and starting where there are many conversations.

Times are by the clock without what the program's threads waited for a processor.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.workspace import create_workspace
from tests.bench.bench_sessions import _conversation as write_conversation
from tests.bench.bench_window import _start, _window
from tests.bench.rows import Row
from tests.bench.window_long import LONG, SHORT, SHORT_COUNT
from tests.proof.soak_meter import LoopPauses
from tests.support.own_time import Watch

MESSAGES, BRANCHES, SWITCHES = 10_000, 20, 10
CONVERSATIONS, OF_MESSAGES, QUICK_CONVERSATIONS = 1_000, 200, 50
PIXELS, PASTED = (4_000, 3_000), 3
SWITCH_MS, START_TIMES, PICTURE_MS = 100, 1.2, 16


def rows(quick: bool) -> Iterable[Row]:
    """Yields the figures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # At home: where /tmp is kept in memory, files would cost nothing to read.
    with tempfile.TemporaryDirectory(dir=Path.home()) as name:
        yield _starts(Path(name), 1, QUICK_CONVERSATIONS) if quick else _starts(Path(name), 9, CONVERSATIONS)
    with tempfile.TemporaryDirectory(dir=Path.home()) as name:
        yield from _on_a_window(Path(name), 1 if quick else SWITCHES)


def _starts(folder: Path, times: int, conversations: int) -> Row:
    """Returns the program started with many conversations beside none, in turns."""
    for count in (0, conversations):
        root = folder / str(count) / "workspace"
        create_workspace(root, template=shipped("resources", "blank"))
        for number in range(count):
            write_conversation(root, OF_MESSAGES, f"desktop:{number}")
        if times > 1:
            # The first one makes what later ones find.
            _start("window", folder / str(count))
    taken: dict[int, list[float]] = {0: [], conversations: []}
    for _ in range(times):
        for count, found in taken.items():
            found.append(_start("window", folder / str(count))["seconds"])
    ratio = min(taken[conversations]) / min(taken[0])
    what = f"start with {conversations:,} conversations of {OF_MESSAGES} messages / with none"
    figure = f"{ratio:.2f} x ({min(taken[conversations]) * 1000:.0f} ms, {min(taken[0]) * 1000:.0f} ms)"
    return Row(what, figure, f"<= {START_TIMES} x", ratio <= START_TIMES)


def _on_a_window(folder: Path, times: int) -> list[Row]:
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    async def measure() -> list[Row]:
        async with _window(folder, _fill) as current:
            current.main_window.resize(1440, 900)
            await _settled(current)
            return [
                await _to_conversation(current, times),
                await _to_branch(current, times),
                await _picture(current, min(times, PASTED)),
            ]

    app = make_application(["mnemoscope"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        return runner.run(measure())


def _fill(root: Path) -> None:
    write_conversation(root, SHORT_COUNT, SHORT)
    write_conversation(root, MESSAGES, LONG)
    manager = SessionManager(root)
    session = manager.get_or_create(LONG)
    for number in range(BRANCHES):
        manager.fork(session, len(session.messages) - 2)
        for words in (f"And on way {number}?", f"On way {number} it is otherwise."):
            session.add_message("user" if words.endswith("?") else "assistant", words)
        manager.append(session)


async def _to_conversation(current: Any, times: int) -> Row:
    first, whole = [], []
    for _ in range(times + 1):
        await _open(current, SHORT)
        seen, all_of_it = await _open(current, LONG)
        first.append(seen)
        whole.append(all_of_it)
    # The first one reads the file.
    most = median(whole[1:])
    what = f"switch to a conversation of {MESSAGES:,} messages with {BRANCHES} branches, all of it there"
    figure = f"{most:.0f} ms (its first rows {median(first[1:]):.0f} ms; the first time {whole[0]:.0f} ms)"
    return Row(what, figure, f"<= {SWITCH_MS} ms", most <= SWITCH_MS)


async def _open(current: Any, key: str) -> tuple[float, float]:
    """Milliseconds until the first rows are painted, and until everything is there and painted."""
    watch, conversation, transcript = Watch(), current.conversation, current.main_window.chat.transcript
    opening = conversation.open(key)
    while transcript.session_key != key:
        await asyncio.sleep(0)
    transcript.view.viewport().repaint()
    first = watch.seconds()
    await opening
    current.main_window.repaint()
    whole = watch.seconds()
    await _settled(current)
    return first * 1000, whole * 1000


async def _to_branch(current: Any, times: int) -> Row:
    await _open(current, LONG)
    choices = await current.bench.conversations.branches(LONG)
    places = [place.began for choice in choices for place in choice.places]
    taken = []
    for number in range(times):
        wanted = next(each for each in places[number:] + places if each != current.conversation.session.branch.began)
        watch = Watch()
        await current.bench.loop.switch_branch(LONG, wanted)
        while current.conversation.is_opening or current.conversation.session is None:
            await asyncio.sleep(0)
        current.main_window.repaint()
        taken.append(watch.seconds() * 1000)
        assert current.conversation.session.branch.began == wanted
        await _settled(current)
    what = f"switch to a branch of {MESSAGES:,} messages"
    return Row(what, f"{median(taken):.0f} ms", f"<= {SWITCH_MS} ms", median(taken) <= SWITCH_MS)


async def _picture(current: Any, times: int) -> Row:
    """Returns the pause that a pasted picture costs the window, beside the same time without one."""
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QColor, QImage, QPainter

    image = QImage(*PIXELS, QImage.Format.Format_RGB32)
    image.fill(QColor("steelblue"))
    with QPainter(image) as painter:
        for at in range(0, PIXELS[0], 16):
            painter.fillRect(at, at % PIXELS[1], 900, 8, QColor.fromHsv(at % 360, 200, 200))
    source = QMimeData()
    source.setImageData(image)
    edit, chips = current.main_window.chat.composer.edit, current.main_window.chat.composer.images
    longest = []
    for _ in range(times):
        pauses = LoopPauses()
        pauses.start()
        edit.insertFromMimeData(source)
        while not chips.items:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.2)
        pauses.stop()
        longest.append(pauses.longest)
        chips.show_items(())
        await _settled(current)
    what = f"a picture of {PIXELS[0] * PIXELS[1] / 1e6:.0f} megapixels pasted: longest pause, least of {times}"
    return Row(what, f"{min(longest):.1f} ms", f"<= {PICTURE_MS} ms", min(longest) <= PICTURE_MS)


async def _settled(current: Any) -> None:
    while current.conversation.session is None or current.conversation.is_opening:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)
