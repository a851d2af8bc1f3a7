"""Formulas in a page of HTML. Where there is no window, the process that draws them is waited for. No Qt."""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import IO, Any, Final, Self

from mnemoscope.domain.text.math_marks import LONGEST_FORMULA, tex_of
from mnemoscope.ui.markdown.formulas.drawn_formula import (
    FORMULA_COMMAND,
    PYTHONPATH,
    Formula,
    FormulaRequest,
    formula_of,
)
from mnemoscope.ui.markdown.page.html_writer import html_of
from mnemoscope.ui.markdown.reading.code_spans import page_colours

PAGE_SIZE: Final = 17.0
"""Pixels of a formula's letters; a page's letters have 16."""
INK: Final = "#1b1f24"
_LIMIT_S: Final = 1.0
"""Seconds that one formula may take: nobody sits at a window that waits."""
_START_S: Final = 30.0
"""Seconds until the process must be ready."""
_STARTS: Final = 3


def page_image(formula: Formula) -> dict[str, str]:
    """Returns the attributes of the image that shows a formula in a page, which holds it."""
    data = b64encode(formula.svg).decode("ascii")
    return {
        "src": f"data:image/svg+xml;base64,{data}",
        "width": f"{formula.width:.0f}",
        "height": f"{formula.height:.0f}",
        "style": f"vertical-align: -{formula.depth:.1f}px",
    }


class PageFormulas:
    """Draws the formulas of pages one after the other, as long as it is entered; what cannot be drawn stays its source.

    The process starts with the first formula. One that is late costs the process, which is begun anew for the next;
    where it does not start three times in a row, as without the library, nothing more is drawn.
    """

    def __init__(self, command: Sequence[str] = FORMULA_COMMAND, *, limit_s: float = _LIMIT_S) -> None:
        self._command = tuple(command)
        self._limit_s = limit_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines = SimpleQueue[bytes]()
        self._number = self._failed_starts = 0
        self._known: dict[tuple[str, bool], Formula | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    @property
    def is_running(self) -> bool:
        """Returns whether there is a process."""
        return self._process is not None

    def html_of(self, markdown: str) -> str:
        """Returns an untrusted text as HTML of its own, with its formulas drawn, its code coloured, and the addresses
        of links for a page that is printed."""
        return html_of(markdown, self.image, addresses=True, colours=page_colours)

    def image(self, source: str, display: bool) -> Mapping[str, str] | None:
        """Returns the attributes of the image of a formula; None where it is not drawn. Blocks until it is."""
        asked = (source, display)
        if asked not in self._known:
            self._known[asked] = self._drawn(FormulaRequest(tex_of(source), display, PAGE_SIZE, INK))
        formula = self._known[asked]
        return None if formula is None else page_image(formula)

    def _drawn(self, wanted: FormulaRequest) -> Formula | None:
        if len(wanted.tex) > LONGEST_FORMULA:
            return None
        process = self._process or self._started()
        if process is None or process.stdin is None:
            return None
        self._number += 1
        try:
            process.stdin.write(wanted.line(self._number))
            process.stdin.flush()
            answer = self._answer(self._limit_s)
        except (OSError, TimeoutError):
            self._end()
            return None
        return formula_of(str(answer.get("svg") or "")) if answer.get("id") == self._number else None

    def _started(self) -> subprocess.Popen[bytes] | None:
        while self._failed_starts < _STARTS:
            try:
                self._process = process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": PYTHONPATH},
                )
                # A queue of its own: what an ended process said last is never taken for an answer of this one.
                self._lines = SimpleQueue()
                Thread(target=partial(_read, process.stdout, self._lines), daemon=True).start()
                self._answer(_START_S)
            except (OSError, TimeoutError):
                self._failed_starts += 1
                self._end()
            else:
                self._failed_starts = 0
                return process
        return None

    def _answer(self, seconds: float) -> dict[str, Any]:
        """Returns the next line that the process says. Raises TimeoutError where it is late, OSError where it ended."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        try:
            answer = json.loads(line)
        except ValueError:
            raise OSError("the process that draws formulas has ended") from None
        return answer if isinstance(answer, dict) else {}

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with process:
                pass


def _read(output: IO[bytes] | None, lines: SimpleQueue[bytes]) -> None:
    """Hands on the lines of a process, and an empty one once there are no more."""
    for line in output or ():
        lines.put(line)
    lines.put(b"")
