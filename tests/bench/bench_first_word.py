"""How long a remote model's first word takes because of this program: from *Send* to the request at the server, and
from the first token at the server to its being painted. Beside it, in the same run, the same request by plain HTTP.

The server is another process and answers with the moment at which the request was whole, on the clock that all
processes of a computer share. The window is the real one, on a workspace whose model is set and whose folder is
trusted. Processor time is told beside: on a busy machine the rest is waiting for a turn.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.bench_window import _answered, _window
from tests.bench.rows import Row
from tests.bench.window_process import resident_megabytes
from tests.support.port_process import served

MODEL = "openai/clock"
READY_SECONDS = 5.0
"""So long after the workspace was opened the model process has to be ready."""
READING_SECONDS = 0.5


def rows(quick: bool) -> Iterable[Row]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(dir=Path.home()) as name:
        return _on_a_window(Path(name), 3 if quick else 100)


def _on_a_window(folder: Path, times: int) -> list[Row]:
    from mnemoscope.ui.shell.application import make_application
    from mnemoscope.ui.shell.window_loop import WindowLoop

    async def measure() -> list[Row]:
        with served("tests.support.loopback_server", patience=600) as port:

            def fill(root: Path) -> None:
                settings = {"agents": {"defaults": {"model": MODEL, "memoryWindow": 100_000}}}
                own = {"mnemoscope": {"apiBase": f"http://127.0.0.1:{port}/v1", "capture": "off"}}
                (root / "config.json").write_text(json.dumps(settings | own), "utf-8")

            async with _window(folder, fill) as current:
                return await _measure(current, port, times)

    app = make_application(["mnemoscope"])
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        return runner.run(measure())


async def _measure(current: Any, port: int, times: int) -> list[Row]:
    while current.conversation.session is None:
        await asyncio.sleep(0.01)
    state = current.bench.trust.state
    await current.bench.trust.agree(state.fingerprint)
    current.sessions.new()
    process, opened = current.bench.provider._remote.process, time.monotonic()
    while not process.is_ready and time.monotonic() < opened + 120:
        await asyncio.sleep(0.01)
    ready = time.monotonic() - opened
    await asyncio.sleep(max(1.0, READY_SECONDS - ready))
    first_plain = _plain(port)
    first_out, _ = await _message(current)
    child = str(process.pid)
    processor = _seconds_of(child), time.process_time()
    out, back, plain = [], [], []
    for _ in range(times):
        # As somebody does who reads an answer before the next question: what follows a turn is done by then.
        await asyncio.sleep(READING_SECONDS)
        plain.append(_plain(port))
        there, here = await _message(current)
        out.append(there)
        back.append(here)
    spent = _seconds_of(child) - processor[0], time.process_time() - processor[1]
    over = [one - other for one, other in zip(out, plain, strict=True)]
    first = first_out - first_plain
    each = [1000 * seconds / times for seconds in spent]
    megabytes = resident_megabytes(child)
    return [
        Row("model process ready after opening", f"{ready:.1f} s", "<= 5 s", ready <= READY_SECONDS),
        Row("first message: Send to the request at the server", f"{first:.0f} ms", "<= 300 ms", first <= 300),
        _row("a later one", over, 30),
        _row("first token at the server to painted", back, 30),
        Row("  plain HTTP, the same way", f"{_p95(plain):.1f} ms", "", True),
        Row("  processor time a message, window; model process", f"{each[1]:.0f} ms; {each[0]:.0f} ms", "", True),
        Row("memory of the model process", f"{megabytes:.0f} MB", "", True),
    ]


def _row(what: str, figures: Sequence[float], most: float) -> Row:
    p95 = _p95(figures)
    return Row(
        f"{what}, p95 (median)", f"{p95:.1f} ms ({statistics.median(figures):.1f} ms)", f"<= {most:g} ms", p95 <= most
    )


def _p95(figures: Sequence[float]) -> float:
    return sorted(figures)[min(len(figures) - 1, round(0.95 * len(figures)))]


async def _message(current: Any) -> tuple[float, float]:
    """Sends one message; returns the milliseconds to the server, and from there to the first words painted."""
    from PySide6.QtCore import QEvent, QObject

    from mnemoscope.domain.events import Event, ReplyDelta

    painted: list[float] = []
    seconds: list[float] = []

    class Painting(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and seconds and not painted:
                # When the loop goes on, it has been painted.
                asyncio.get_running_loop().call_soon(lambda: painted.append(time.monotonic()))
            return False

    def hear(event: Event) -> None:
        if isinstance(event, ReplyDelta) and not seconds:
            seconds.append(time.monotonic())

    view = current.main_window.chat.transcript.view.viewport()
    painting = Painting()
    view.installEventFilter(painting)
    forget = current.bench.bus.subscribe(hear)
    began = time.monotonic()
    await _answered(current, "What time is it?")
    while not painted:
        await asyncio.sleep(0)
    forget()
    view.removeEventFilter(painting)
    at = float(current.conversation.session.messages[-1]["content"].split()[0])
    return 1000 * (at - began), 1000 * (painted[0] - at)


def _plain(port: int) -> float:
    """Returns the milliseconds that the same request takes to the server by plain HTTP."""
    body = {"model": "clock", "stream": True, "messages": [{"role": "user", "content": "What time is it?" * 500}]}
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse().read().decode()
    connection.close()
    at = next(line for line in answer.splitlines() if '"content": "' in line and '"content": ""' not in line)
    return 1000 * (float(json.loads(at.removeprefix("data: "))["choices"][0]["delta"]["content"]) - began)


def _seconds_of(process: str) -> float:
    """Returns the processor time that a process took."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
