"""Formulas are drawn by a process of their own: nothing here waits for it, and what it cannot draw stays its source.

One formula is drawn at a time. One that takes too long costs the process, which is begun anew for the next; it is tried
once more after the others, since a busy machine is not the formula's fault. What was drawn is kept by its source, size
and colour.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from mnemoscope.domain.text.math_marks import LONGEST_FORMULA
from mnemoscope.ui.markdown.formulas.drawn_formula import (
    FORMULA_COMMAND,
    PYTHONPATH,
    Formula,
    FormulaRequest,
    formula_of,
)

log = logging.getLogger(__name__)

_LIMIT_MS: Final = 200
"""Milliseconds that one formula may take."""
_KEPT: Final = 1_000
"""Formulas that are kept."""
_WAITING: Final = 400
"""Formulas that wait at most; what is more is asked for again when it is drawn again."""
_TELL_MS: Final = 50
_TELL_AT_WORK_MS: Final = 1_000
"""Milliseconds after which it is told what was drawn: soon where no other waits, and else once a second, so that a text
with many of them is not written again for each."""
_STARTS: Final = 3


class Formulas(QObject):
    """Draws formulas while it is on. `drawn` tells the TeX of those that became known."""

    drawn = Signal(object)

    def __init__(self, command: Sequence[str] = FORMULA_COMMAND) -> None:
        super().__init__()
        self._command = tuple(command)
        self._known: OrderedDict[FormulaRequest, Formula | None] = OrderedDict()
        self._waiting: OrderedDict[FormulaRequest, int] = OrderedDict()
        """Those to be drawn, and how often each was tried."""
        self._now: FormulaRequest | None = None
        self._tries = 0
        self._number = 0
        self._starts = 0
        self._process: QProcess | None = None
        self._is_ready = self._is_on = False
        self._fresh: set[str] = set()
        self._went_on = asyncio.Event()
        """Set whenever a formula is drawn, or is known to be none."""
        self._late = QTimer(self, singleShot=True)
        self._late.timeout.connect(self._give_up)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._announce)

    @property
    def is_running(self) -> bool:
        """Returns whether there is a process."""
        return self._process is not None

    def begin(self, limit_ms: int = _LIMIT_MS) -> None:
        """Lets formulas be drawn from now on, each in so many milliseconds; the process starts with the first."""
        self._is_on, self._starts = True, 0
        self._late.setInterval(limit_ms)

    def end(self) -> None:
        """Ends the process; nothing is drawn any more."""
        self._is_on = False
        self._waiting.clear()
        self._now = None
        self._late.stop()
        self._soon.stop()
        self._fresh.clear()
        self._drop_process()
        self._went_on.set()

    def look(self, wanted: FormulaRequest) -> Formula | None:
        """Returns a formula that is drawn. Of one that is not None is returned, and `drawn` tells once it is."""
        if wanted in self._known:
            self._known.move_to_end(wanted)
            return self._known[wanted]
        is_new = self._is_on and wanted != self._now and wanted not in self._waiting
        if is_new and len(wanted.tex) <= LONGEST_FORMULA and len(self._waiting) < _WAITING:
            self._waiting[wanted] = 0
            self._ask()
        return None

    async def settle(self, wanted: Iterable[FormulaRequest]) -> None:
        """Waits until each of these is drawn or cannot be."""
        for each in wanted:
            self.look(each)
            while self._is_on and (each == self._now or each in self._waiting):
                self._went_on.clear()
                await self._went_on.wait()

    def _ask(self) -> None:
        """Has the next one drawn, once the process is there."""
        if self._now is not None or not self._waiting:
            return
        if self._process is None:
            self._start()
        elif self._is_ready:
            self._now, self._tries = self._waiting.popitem(last=False)
            self._number += 1
            self._process.write(self._now.line(self._number))
            self._late.start()

    def _start(self) -> None:
        self._starts += 1
        if self._starts > _STARTS:
            log.warning("formulas are not drawn: the process for them does not start")
            self.end()
            return
        self._process = process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONPATH", PYTHONPATH)
        process.setProcessEnvironment(environment)
        process.setStandardErrorFile(os.devnull)
        process.readyReadStandardOutput.connect(self._on_output)
        process.finished.connect(self._on_ended)
        process.errorOccurred.connect(self._on_error)
        process.start(self._command[0], list(self._command[1:]))

    def _on_output(self) -> None:
        process = self._process
        while process is not None and process is self._process and process.canReadLine():
            try:
                answer = json.loads(bytes(process.readLine().data()))
            except ValueError:
                continue
            if "ready" in answer:
                self._is_ready, self._starts = True, 0
            elif answer.get("id") == self._number and self._now is not None:
                self._late.stop()
                self._note(self._now, formula_of(str(answer.get("svg") or "")))
                self._now = None
            self._ask()

    def _give_up(self) -> None:
        """Ends the process of a formula that takes too long."""
        late, self._now = self._now, None
        self._drop_process()
        if late is not None and not self._tries:
            self._waiting[late] = 1
        elif late is not None:
            self._note(late, None)
        self._ask()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._on_ended()

    def _on_ended(self) -> None:
        """Gives up the formula that the process was at when it ended by itself, as where there was no memory."""
        late, self._now = self._now, None
        self._late.stop()
        self._drop_process()
        if late is not None:
            self._note(late, None)
        if self._is_on:
            self._ask()

    def _drop_process(self) -> None:
        process, self._process, self._is_ready = self._process, None, False
        if process is not None:
            process.blockSignals(True)
            if process.state() is not QProcess.ProcessState.NotRunning:
                process.kill()
                process.waitForFinished(2_000)
            process.deleteLater()

    def _note(self, asked: FormulaRequest, formula: Formula | None) -> None:
        self._known[asked] = formula
        self._went_on.set()
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        if formula is not None:
            self._fresh.add(asked.tex)
        if self._fresh and not self._waiting:
            self._soon.start(_TELL_MS)
        elif self._fresh and not self._soon.isActive():
            self._soon.start(_TELL_AT_WORK_MS)

    def _announce(self) -> None:
        fresh, self._fresh = frozenset(self._fresh), set()
        self.drawn.emit(fresh)


def may_hold_formula(text: str) -> bool:
    """Returns whether a Markdown text has a mark of a formula at all."""
    return "$" in text or "\\(" in text or "\\[" in text


def holds_formula(text: str, drawn: Collection[str]) -> bool:
    """Returns whether a Markdown text has one of these formulas, by their TeX; they may go over several lines."""
    if not may_hold_formula(text):
        return False
    plain = " ".join(text.split())
    return any(" ".join(tex.split()) in plain for tex in drawn)


@cache
def formulas() -> Formulas:
    """Returns what draws the formulas of this program. It is off until the application begins it."""
    return Formulas()
