"""Rows that stand out: the one under the pointer shows its Copy link, the one that was gone to lights up as well."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QPainter, QTextLayout

from mnemoscope.ui.chat.transcript.transcript_document import Row
from mnemoscope.ui.markdown.card_painter import paint_highlight
from mnemoscope.ui.markdown.document_writer import fragments_of
from mnemoscope.ui.markdown.text_style import INTERNAL
from mnemoscope.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QVariantAnimation

    from mnemoscope.ui.chat.transcript.transcript_view import TranscriptView

HIGHLIGHT_TIME: Final = 1_600


class RowEmphasis(QObject):
    """Which rows of a view stand out; the view paints them with `paint`."""

    def __init__(self, view: TranscriptView) -> None:
        super().__init__(view)
        self._view = view
        self._hovered: Row | None = None
        self._lit: Row | None = None

    def hover(self, row: Row | None) -> None:
        """The pointer is over this row now."""
        if row is self._hovered:
            return
        before, self._hovered = self._hovered, row
        for changed, shown in ((before, False), (row, True)):
            if changed is not None and changed in self._view.transcript.rows:
                self._show_copy_link(changed, shown=shown)

    def light_up(self, row: Row) -> None:
        """Highlight a row for a moment; its Copy link, which is hidden on the ordinary ground, shows meanwhile."""
        self.still()
        self._lit = row
        self._show_copy_link(row, shown=True)
        self._light.start()

    def still(self) -> None:
        """End what moves."""
        if self._lit is not None:
            self._light.stop()
            self._end_light()

    def paint(self, painter: QPainter) -> None:
        """The light behind its row, in document coordinates."""
        if self._lit is not None and self._light.state() == self._light.State.Running:
            area = self._view.row_rect(self._lit).adjusted(-10, -8, 10, 12)
            paint_highlight(painter, area, min(1.0, 2 * float(self._light.currentValue())))

    def _end_light(self) -> None:
        row, self._lit = self._lit, None
        if row is not None and row is not self._hovered and row in self._view.transcript.rows:
            self._show_copy_link(row, shown=False)

    @cached_property
    def _light(self) -> QVariantAnimation:
        from PySide6.QtCore import QVariantAnimation

        light = QVariantAnimation(self)
        light.setStartValue(1.0)
        light.setEndValue(0.0)
        light.setDuration(HIGHLIGHT_TIME)
        light.valueChanged.connect(lambda _strength: self._view.viewport().update())
        light.finished.connect(self._end_light)
        return light

    def _show_copy_link(self, row: Row, *, shown: bool) -> None:
        """Colour the caption's Copy link; a layout format, so the document does not change."""
        block = self._view.transcript.caption_of(row)
        if block is None:
            return
        for fragment in fragments_of(block):
            if fragment.charFormat().anchorHref().startswith(f"{INTERNAL}copy"):
                colour = QTextLayout.FormatRange()
                colour.start, colour.length = fragment.position() - block.position(), fragment.length()
                colour.format.setForeground(Theme.current().color("accent"))
                block.layout().setFormats([colour] if shown else [])
                block.document().markContentsDirty(block.position(), block.length())
