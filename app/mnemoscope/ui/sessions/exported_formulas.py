"""The formulas of an export: drawn before its page is written, and shown in it as images that lie in the page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Final

from mnemoscope.domain.text.math_marks import tex_of
from mnemoscope.ui.markdown.formulas import Formula, FormulaRequest, Formulas, may_hold_formula
from mnemoscope.ui.markdown.html_writer import formulas_in

_SIZE: Final = 17.0
"""Pixels; a page's letters have 16."""
_PRINTED_SIZE: Final = 14.5
_INK: Final = "#1b1f24"


class ExportedFormulas:
    """Shows the formulas that `source` has drawn: in a page for a browser, or for paper under addresses of its own."""

    def __init__(self, source: Formulas, *, on_paper: bool) -> None:
        self._source, self._on_paper = source, on_paper
        self.by_address: dict[str, Formula] = {}
        """Those that were shown on paper."""

    async def draw(self, texts: Iterable[str]) -> None:
        """Has the formulas of these texts drawn, as far as they can be."""
        for text in filter(may_hold_formula, texts):
            await self._source.settle(self._request(*each) for each in formulas_in(text))

    def image(self, source: str, display: bool) -> Mapping[str, str] | None:
        """Returns the attributes of the image of a formula; None where it is not drawn."""
        formula = self._source.look(self._request(source, display))
        if formula is None:
            return None
        size = {"width": f"{formula.width:.0f}", "height": f"{formula.height:.0f}"}
        if self._on_paper:
            address = f"formula:{len(self.by_address)}"
            self.by_address[address] = formula
            return {"src": address, **size, "style": "vertical-align: middle"}
        data = b64encode(formula.svg).decode("ascii")
        style = f"vertical-align: -{formula.depth:.1f}px"
        return {"src": f"data:image/svg+xml;base64,{data}", **size, "style": style}

    def _request(self, source: str, display: bool) -> FormulaRequest:
        return FormulaRequest(tex_of(source), display, _PRINTED_SIZE if self._on_paper else _SIZE, _INK)
