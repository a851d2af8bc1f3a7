"""Models: what the window feels of choosing a remote one, and of a fast stream. The server is another process."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from mnemoscope.domain.llm import ChatRequest, LLMResponse, TextDelta
from mnemoscope.llm.remote import Connection, LiteLLMProvider
from tests.bench.rows import Row
from tests.support.port_process import served

TICK_MS = 5
RATE = 2_000


class GapMeter:
    """The longest time between two ticks of a QTimer: what a person feels as a window that hangs."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.gaps: list[float] = []
        self._last = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> float:
        """Milliseconds."""
        self._tick()
        self._timer.stop()
        return max(self.gaps) * 1000

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append(now - self._last)
        self._last = now


def rows(quick: bool) -> Iterable[Row]:
    """Yields the figures; none in the quick form, where `bench_window` asks the same of a whole window."""
    if quick:
        return ()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return _on_a_window_loop(lambda: _measure(10_000))


def _on_a_window_loop(work: Callable[[], Coroutine[Any, Any, list[Row]]]) -> list[Row]:
    from PySide6.QtWidgets import QApplication

    from mnemoscope.ui.shell.window_loop import WindowLoop

    application = QApplication.instance() or QApplication([])
    with WindowLoop(application) as loop:
        rows: list[Row] = loop.run_until_complete(work())
        return rows


async def _measure(tokens: int) -> list[Row]:
    with served("tests.support.loopback_server", patience=600) as port:
        provider = LiteLLMProvider(lambda _: Connection(f"http://127.0.0.1:{port}/v1", "test"))
        try:
            return [await _first_answer(provider), *await _fast_stream(provider, tokens)]
        finally:
            await provider.aclose()


async def _first_answer(provider: LiteLLMProvider) -> Row:
    meter = GapMeter()
    await asyncio.sleep(0.2)
    meter.start()
    began = time.perf_counter()
    await provider.warm()
    async for part in provider.stream(ChatRequest([{"role": "user", "content": "Hello"}], model="openai/scripted")):
        if isinstance(part, LLMResponse):
            break
    seconds = time.perf_counter() - began
    gap = meter.stop()
    figure = f"{gap:.1f} ms (answer after {seconds:.1f} s)"
    return Row("choosing a remote model to its first answer: longest gap", figure, "<= 50 ms", gap <= 50)


async def _fast_stream(provider: LiteLLMProvider, tokens: int) -> list[Row]:
    meter, words, began = GapMeter(), 0, time.perf_counter()
    meter.start()
    async for part in provider.stream(
        ChatRequest([{"role": "user", "content": "Go"}], model=f"openai/rate-{RATE}-{tokens}")
    ):
        if isinstance(part, TextDelta):
            words += part.text.count("word")
    seconds = time.perf_counter() - began
    gap = meter.stop()
    figure = f"{gap:.1f} ms ({words / seconds:,.0f} tokens/s arrived)"
    there = "litellm" in sys.modules
    return [
        Row(f"a stream of {RATE:,} tokens/s: longest gap", figure, "<= 50 ms", gap <= 50),
        Row("a fast stream: tokens dropped", str(tokens - words), "0", words == tokens),
        Row("litellm in the window's process", "yes" if there else "no", "no", not there),
    ]
