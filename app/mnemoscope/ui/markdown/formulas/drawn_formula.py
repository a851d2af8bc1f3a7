"""A formula that is asked for and one that is drawn, and what passes between this program and the process that draws.

No Qt: the window asks through `formulas`, and a page that is written without a window through `page_formulas`.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import mnemoscope

FORMULA_COMMAND: Final = (sys.executable, "-P", "-X", "utf8", "-m", "mnemoscope.ui.markdown.formulas.formula_process")
"""The process that draws: a request a line, an answer a line, until its input ends."""
PYTHONPATH: Final = str(Path(mnemoscope.__file__).parent.parent)
"""The folder in which that process finds this program."""
_MOST_BYTES: Final = 400_000
_BOX: Final = re.compile(r'<svg [^>]*viewBox="(\S+) (\S+) (\S+) (\S+)"')


@dataclass(frozen=True, slots=True)
class FormulaRequest:
    """Describes a formula to be drawn: its TeX, whether it stands by itself, the size of letters in pixels, and
    `#rrggbb`."""

    tex: str
    display: bool
    size: float
    colour: str

    def line(self, number: int) -> bytes:
        """Returns the line that asks the process for it under a number."""
        asked = {"id": number, "tex": self.tex, "display": self.display, "size": self.size, "colour": self.colour}
        return json.dumps(asked).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Formula:
    """Describes a formula that is drawn: SVG, of pixels in width and height, and how much of the height is below the
    line."""

    svg: bytes
    width: float
    height: float
    depth: float


def formula_of(svg: str) -> Formula | None:
    """Returns the formula that the process answered with; None where it is no picture, or too large to be shown."""
    box = _BOX.match(svg)
    if box is None or len(svg) > _MOST_BYTES:
        return None
    _, top, width, height = map(float, box.groups())
    if not (0 < width < 20_000 and 0 < height < 20_000):
        return None
    return Formula(svg.encode(), width, height, max(0.0, top + height))
