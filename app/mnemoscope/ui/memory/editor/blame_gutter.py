"""Shows beside each line of the source who wrote it and when: in words where the author changes, and by a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QTextBlock
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from mnemoscope.domain.commits import BlameLine, CommitInfo
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK
from mnemoscope.domain.text.diff import line_edits, split_lines
from mnemoscope.ui.memory.versions.version_words import brief_words
from mnemoscope.ui.widgets.theme import Theme

_BAR: Final = 3
_LEFT: Final = 8
_NARROW: Final = 352
"""Pixels of the usual text size: the pane's width in a window of 1024."""
_ROOMY: Final = 560
"""Width from which a name and a date have room beside the text."""
_BARS: Final = {
    "You": "accent",
    "Outside": "warning",
    "Consolidation": "pointer",
    "Dream": "pointer",
}
NOBODY: Final = -1
"""Owner of a line that is in no version yet."""


@dataclass(slots=True)
class LineOwners:
    """Holds in `owners`, for each line of the editor's text, a place in `commits`, or NOBODY."""

    commits: list[CommitInfo] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)

    def owner(self, line: int) -> CommitInfo | None:
        """Returns who wrote a line; None for one that is in no version."""
        place = self.owners[line] if 0 <= line < len(self.owners) else NOBODY
        return self.commits[place] if place != NOBODY else None

    def begins_run(self, line: int) -> bool:
        """Returns whether another owner's line stands above."""
        return line <= 0 or self.owners[line - 1 : line] != self.owners[line : line + 1]

    def note_edit(self, line: int, more: int) -> None:
        """Notes that a line was edited, and so many came or went below it: a guess until the texts are compared."""
        if not 0 <= line < len(self.owners):
            return
        if more < 0:
            del self.owners[line + 1 : line + 1 - more]
        else:
            self.owners[line + 1 : line + 1] = [NOBODY] * more
        self.owners[line] = NOBODY


def owners_of(blame: Sequence[BlameLine], text: str) -> LineOwners:
    """Returns who wrote each line of `text`, given who wrote those of the newest version."""
    places: dict[str, int] = {}
    commits: list[CommitInfo] = []
    owners: list[int] = []
    for line in blame:
        if line.commit.id not in places:
            places[line.commit.id] = len(commits)
            commits.append(line.commit)
        owners.append(places[line.commit.id])
    # Files of other programs may have line ends of their own and a mark at the start; the editor shows neither.
    before = "\n".join(line.text.removesuffix("\r") for line in blame).removeprefix(BYTE_ORDER_MARK)
    if not blame:
        owners = [NOBODY] * len(split_lines(text))
    elif before != text:
        for edit in reversed(line_edits(before, text)):
            owners[edit.start : edit.stop] = [NOBODY] * len(edit.lines)
    return LineOwners(commits, owners)


class BlameGutter(QWidget):
    """Paints the lines in sight. `pointed` carries the line the mouse rests over, -1 for none; `chosen` one clicked."""

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(
        self, editor: QPlainTextEdit, visible_blocks: Callable[[], Iterable[tuple[QTextBlock, QRectF]]]
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._visible_blocks = visible_blocks
        self._now = datetime.now()
        self.owners = LineOwners()
        self.unsaved = False
        """Whether lines that are in no version are not in the file either."""
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_owners(self, owners: LineOwners, *, unsaved: bool) -> None:
        """Shows who wrote which line."""
        self.owners = owners
        self.unsaved = unsaved
        self._now = datetime.now()
        self.update()

    def wanted_width(self) -> int:
        """Returns how many pixels a name and a date need; one of them alone in an editor that has not the room."""
        widest = self.tr("30 Nov") if self._is_narrow() else self.tr("messages 100–139")
        if self._editor.width() >= Theme.current().scaled(_ROOMY):
            widest = self.tr("messages 100–139 · 30 Nov")
        return _LEFT + QFontMetrics(self._font()).horizontalAdvance(widest)

    def follow(self, area: QRect, dy: int) -> None:
        """Follows the editor's viewport, which was scrolled by `dy` or wants `area` painted again."""
        if dy:
            # Whose words stand on top changes with what is on top.
            self.update()
        else:
            self.update(0, area.y(), self.width(), area.height())

    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    def words(self, line: int) -> str:
        """Returns what stands beside a line."""
        commit = self.owners.owner(line)
        if commit is None:
            return self.tr("not saved") if self.unsaved else "…"
        words = brief_words(commit, self._now)
        source, _, day = words.rpartition(" · ")
        if self._is_narrow():
            # The day is that on which versions began; the line was written on one before it.
            return day if commit.parent else self.tr("before")
        fits = QFontMetrics(self._font()).horizontalAdvance(words) <= self.wanted_width() - _LEFT
        return words if fits else source

    def line_at(self, y: float) -> int:
        """Returns the line at a height, -1 for none."""
        for block, place in self._visible_blocks():
            if place.top() <= y < place.bottom():
                return block.blockNumber()
        return -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self.line_at(event.position().y()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self.line_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
            painter.setFont(self._font())
            first, height = True, self._editor.fontMetrics().lineSpacing()
            for block, place in self._visible_blocks():
                line = block.blockNumber()
                commit = self.owners.owner(line)
                role = _BARS.get(commit.author, "text_faint") if commit else "warning"
                bar = QRectF(0, place.top(), _BAR, place.height())
                if commit is not None or self.unsaved:
                    painter.fillRect(bar, theme.color(role))
                if first or self.owners.begins_run(line):
                    painter.setPen(theme.color(role if role in {"pointer", "warning"} else "text_muted"))
                    room = QRectF(_LEFT, place.top(), self.width() - _LEFT, height)
                    words = painter.fontMetrics().elidedText(
                        self.words(line), Qt.TextElideMode.ElideRight, int(room.width())
                    )
                    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
                first = False

    def _is_narrow(self) -> bool:
        """Returns whether words of whose it is would leave the text itself too little room."""
        return 0 < self._editor.width() < Theme.current().scaled(_NARROW)

    def _font(self) -> QFont:
        return Theme.current().font("caption")
