"""The process that draws formulas: a request a line comes in, an answer a line goes out, until the input ends. No Qt.

A request is `{"id", "tex", "display", "size", "colour"}`, with the size in pixels; the answer is `{"id", "svg"}`, and
has no `svg` where the library refuses. The first line says that it is ready. A formula can take any time and memory, so
whoever asks ends the process that is late, and its memory is bounded.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any, Final, TextIO

from latex2mathml.converter import convert
from ziamath.config import config
from ziamath.zmath import Latex

if sys.platform.startswith("linux"):
    import resource

_MEMORY_LIMIT: Final = 1 << 30
"""Bytes of address space that the process may take."""


def main(requests: TextIO, answers: TextIO) -> None:
    """Draws what is asked for."""
    _bound_memory()
    config.svg2 = False
    _write(answers, {"ready": True})
    for line in requests:
        asked = json.loads(line)
        answer: dict[str, Any] = {"id": asked["id"]}
        # A text nobody has looked at: whatever it does to the library, its source is shown.
        with suppress(Exception):
            answer["svg"] = _drawn(asked["tex"], bool(asked["display"]), float(asked["size"]), str(asked["colour"]))
        _write(answers, answer)


def _drawn(tex: str, display: bool, size: float, colour: str) -> str:
    # A command that is not known would be drawn as its own name.
    if ">\\" in convert(tex):
        raise ValueError("a command is not known")
    return str(Latex(tex, size=size, color=colour, inline=not display).svg())


def _bound_memory() -> None:
    if sys.platform.startswith("linux"):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))


def _write(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
