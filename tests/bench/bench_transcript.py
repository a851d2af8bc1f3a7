"""An answer of 60,000 characters with code and tables, streamed into the transcript; and opening long conversations."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable
from statistics import mean, median
from time import perf_counter, sleep
from typing import Any

from mnemoscope.domain.conversation.message import Message
from tests.bench.rows import Row
from tests.support.made_messages import MadeMessages

STAMP = "2026-03-12T09:12:00"
CHUNK = 320
"""Characters of one flush: 40 ms of 2,000 tokens a second, 4 characters each."""


def long_answer(length: int, seed: int = 1) -> str:
    """Headings, paragraphs, lists, code and tables, no two parts alike, nor those of two seeds."""
    words = ("import", "pool", "nightly", "settle", "memory", "window", "pointer", "history", "scratch", "restore")
    draw = random.Random(seed)
    prose = (
        "The **import** ran LOW under WORD load, so `pgbouncer` keeps *WORD* mode; see [docs](https://example.org). "
    )
    items = "".join(f"- item {n} with `code` and some WORD to fill the WORD a bit\n" for n in range(12))
    code = "".join(f"def word_{n}(x: int) -> str:\n    return f'{{x}} WORD'  # WORD\n" for n in range(30))
    table = "".join(f"| row {n} | `{n * n}` | some WORD here |\n" for n in range(30))
    tabled = f"| a | b | c |\n|---|--:|---|\n{table}"
    part = f"## WORD\n\n{prose * 3}\n\n{prose * 2}\n\n{items}\n```python\n{code}```\n\n{tabled}\n"
    text = ""
    while len(text) < length:
        text += re.sub("WORD|LOW", lambda _mark: draw.choice(words), part)
    return text[:length]


class LongSession(MadeMessages):
    """A session whose messages are made when looked at."""

    def make(self, number: int) -> Message:
        role = ("user", "assistant")[number % 2]
        return {"role": role, "content": f"{number} " + "words about the pool " * 9, "timestamp": STAMP}


def rows(quick: bool) -> Iterable[Row]:
    """Yields the table's lines about the transcript."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from mnemoscope.ui.shell.application import make_application

    app = make_application(["mnemoscope"], theme="light")
    # Not less in a hurry: the 99th of a hundred is the worst of too few.
    yield from _streaming(app, 60_000)
    yield from _steady_stream(app, 1 if quick else 6)
    yield from _opening(app)


def _pane(app: Any) -> Any:
    from mnemoscope.ui.chat.transcript.transcript import Transcript

    pane = Transcript()
    pane.resize(700, 830)
    pane.show()
    pane.show_messages("bench", LongSession(200))
    until = perf_counter() + 0.5
    while perf_counter() < until:
        app.processEvents()
    return pane


def _streaming(app: Any, length: int) -> Iterable[Row]:
    pane, text = _pane(app), long_answer(length)
    gaps, costs = [], []
    pane.begin_reply()
    for at in range(0, length, CHUNK):
        pane.add_delta(text[at : at + CHUNK])
        started = perf_counter()
        pane.stream.flush()
        costs.append(perf_counter() - started)
        app.processEvents()
        gaps.append(perf_counter() - started)
    pane.append_message(200, {"role": "assistant", "content": text, "timestamp": STAMP})
    # Another answer, since what was read of this one is still at hand.
    other = {"role": "assistant", "content": long_answer(length, seed=2), "timestamp": STAMP}
    started = perf_counter()
    pane.append_message(201, other)
    whole = perf_counter() - started
    pane.deleteLater()
    worst = sorted(gaps)[int(len(gaps) * 0.99)]
    what = f"one more chunk of a {length:,}-character answer"
    yield Row(f"{what}: p99 UI gap, painting included", f"{worst * 1e3:.1f} ms", "<= 16 ms", worst <= 0.016)
    ratio = whole / mean(costs)
    figure = f"{ratio:.0f} x ({mean(costs) * 1e3:.2f} of {whole * 1e3:.0f} ms)"
    yield Row(f"{what}: cheaper than rendering all of it", figure, ">= 20 x", ratio >= 20)


def _steady_stream(app: Any, seconds: int) -> Iterable[Row]:
    """2,000 tokens of 4 characters a second, as real time passes."""
    pane, text = _pane(app), long_answer(seconds * 8_000)
    pane.begin_reply()
    given, worst, started = 0, 0.0, perf_counter()
    while given < len(text):
        due = min(int((perf_counter() - started) * 8_000) // 4 * 4, len(text))
        for at in range(given, due, 4):
            pane.add_delta(text[at : at + 4])
        given = max(given, due)
        before = perf_counter()
        app.processEvents()
        worst = max(worst, perf_counter() - before)
        sleep(0.0005)
    pane.append_message(200, {"role": "assistant", "content": text, "timestamp": STAMP})
    streamed = pane.transcript.document.toPlainText()
    pane.transcript.rewrite(pane.transcript.rows[-1])
    whole = streamed == pane.transcript.document.toPlainText()
    pane.deleteLater()
    yield Row("2,000 tokens a second: longest UI gap", f"{worst * 1e3:.0f} ms", "<= 50 ms", worst <= 0.05)
    yield Row("2,000 tokens a second: nothing dropped", "equal" if whole else "differs", "equal", whole)


def _opening(app: Any) -> Iterable[Row]:
    pane = _pane(app)
    costs: dict[int, list[float]] = {1_000: [], 1_000_000: []}
    for turn in range(5):
        for count, found in costs.items():
            started = perf_counter()
            pane.show_messages(f"bench {count} {turn}", LongSession(count))
            app.processEvents()
            found.append(perf_counter() - started)
    pane.deleteLater()
    ratio = median(costs[1_000_000]) / median(costs[1_000])
    figure = f"{ratio:.2f} x ({median(costs[1_000_000]) * 1e3:.0f} ms)"
    yield Row("transcript of 1,000,000 messages opened, beside 1,000", figure, "<= 1.5 x", ratio <= 1.5)
