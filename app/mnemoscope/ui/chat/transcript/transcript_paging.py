"""Decides which part of a conversation is in the document, and keeps the reader's place in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QTextCursor

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.ui.chat.transcript.message_source import MessageSource
from mnemoscope.ui.chat.transcript.tool_states import ToolStates
from mnemoscope.ui.chat.transcript.transcript_document import Row
from mnemoscope.ui.chat.transcript.transcript_view import TranscriptView
from mnemoscope.ui.markdown.reading.reader import reading

FIRST_ROWS: Final = 14
"""At most so many messages are written at once; those above them are when the newest are on show."""
_LEAST: Final = 4
_LEAST_CHARACTERS: Final = 8_000
"""So many are written at once even where fewer fill the view, as long as they have no more characters."""
_LINE_CHARACTERS: Final = 80
"""As many characters as a line of the column holds about."""
_LINES_ABOVE: Final = 8
"""Lines more than there is room for that are written above a message that is brought into view: the count is rough."""
_PAGE: Final = 6
AHEAD_MS: Final = 100
"""Milliseconds that the loading of messages out of sight waits, so that those in sight come first, here and in the
panes beside."""
BETWEEN_MS: Final = 8
"""The rest of the window has its turn between two pages."""
_SLICE: Final = 0.008
"""Seconds of one piece of work on messages that are not in sight."""
_WINDOW: Final = 100
"""Messages kept ready; twice as many are let stand before some are taken away."""
_NEAR: Final = 1_200
"""Pixels from an edge at which the next page is fetched."""
_END: Final = 8
"""Pixels from the end within which the reader is taken along."""


class TranscriptPaging(QObject):
    """Loads pages while the reader scrolls, keeps the place, and follows the end while the reader is there."""

    moved = Signal()
    """The reader came to or left the end."""

    def __init__(self, view: TranscriptView) -> None:
        super().__init__(view)
        self._view = view
        self._transcript = view.transcript
        self._holding = 0
        self._reading: tuple[int, Iterator[None]] | None = None
        """The message that is being read before it is drawn."""
        self.following = True
        self._wanted = QTimer(self)
        self._wanted.setSingleShot(True)
        self._wanted.timeout.connect(self._fetch)
        view.about_to_resize.connect(self._on_about_to_resize)
        view.resized.connect(self._on_resized)
        self._place: tuple[QTextCursor, float] | None = None
        bar = view.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_range_changed)

    # The whole window

    def open(self, source: MessageSource) -> None:
        """Shows the newest messages of a session."""
        self._transcript.source = source
        self._reading = None
        self._transcript.tools = ToolStates(self._transcript.change_met.emit)
        self.to_newest()

    def to_newest(self) -> None:
        """Shows the end."""
        source = self._transcript.source
        if not self._transcript.rows or self._transcript.stop < source.stop:
            first = self._page_start(self._first_in_sight())
            with self.held(to_end=True):
                self._transcript.load(first, source.stop)
        self.following = True
        self._to_end()
        self.look_around()
        self.moved.emit()

    def to_message(self, index: int, below: int = 24) -> Row | None:
        """Brings a message into the document and into view, so many pixels `below` the top; `None` where there is no
        such message."""
        source = self._transcript.source
        if not source.first <= index < source.stop:
            return None
        row = self._transcript.row_of(index)
        if row is None:
            first, stop = self._in_sight_around(index, below)
            with self.held(to_end=False):
                self._transcript.load(self._page_start(first), stop)
            row = self._transcript.row_of(index)
        if row is not None and not row.drawn:
            row = next(
                (before for before in reversed(self._transcript.rows) if before.index < index and before.drawn), row
            )
        if row is not None:
            self._lay_out()
            self._view.verticalScrollBar().setValue(round(self._view.row_rect(row).top()) - below)
            self._notice_end()
        self._wanted.start(0)
        return row

    def reload(self) -> None:
        """Writes the same messages again, for a new look."""
        first, stop = self._transcript.first, min(self._transcript.stop, self._transcript.source.stop)
        at = self._first_visible_row()
        with self.held(to_end=self.following):
            self._transcript.load(first, stop)
        row = self._transcript.row_of(at) if at is not None and not self.following else None
        if row is not None:
            self._view.verticalScrollBar().setValue(round(self._view.row_rect(row).top()))
        elif self.following:
            self._to_end()

    def _first_visible_row(self) -> int | None:
        row = self._view.row_under(QPoint(0, 0))
        return row.index if row else None

    def _first_in_sight(self) -> int:
        """Returns the first of the newest messages that are enough to fill the view, by a rough count of lines."""
        source, lines, characters = self._transcript.source, 0, 0
        enough = self._lines_in(self._view.viewport().height())
        first = source.stop
        while first > max(source.stop - FIRST_ROWS, source.first) and (
            lines <= enough or (first > source.stop - _LEAST and characters < _LEAST_CHARACTERS)
        ):
            first -= 1
            characters += len(text_of(source[first]))
            lines += self._lines_shown(first)
        return first

    def _in_sight_around(self, index: int, below: int) -> tuple[int, int]:
        """Returns the messages [first, stop) that are enough to fill the view where one begins so many pixels `below`
        its top, by a rough count of lines. Towards the end, where it cannot stand so high, there are more above it."""
        source = self._transcript.source
        first, stop, lines = index, index, 0
        enough = self._lines_in(self._view.viewport().height())
        while stop < min(index + FIRST_ROWS, source.stop) and lines <= enough:
            lines += self._lines_shown(stop)
            stop += 1
        missing = _LINES_ABOVE + max(self._lines_in(below), enough - lines if stop == source.stop else 0)
        while first > max(index - FIRST_ROWS, source.first) and missing > 0:
            first -= 1
            missing -= self._lines_shown(first)
        return first, stop

    def _lines_in(self, pixels: int) -> float:
        return pixels / QFontMetrics(self._view.font()).lineSpacing()

    def _lines_shown(self, index: int) -> int:
        """Returns how many lines a message has, roughly."""
        message = self._transcript.source[index]
        # A tool's result stands in a card of one line; who speaks stands above a message, with room about it.
        return 1 if message.get("role") == "tool" else 3 + _lines_of(text_of(message))

    def _page_start(self, first: int) -> int:
        """Returns where a page begins: never at a tool's result, whose card is further up."""
        source = self._transcript.source
        while first > source.first and source[first].get("role") == "tool":
            first -= 1
        return first

    # Further pages

    def _fetch(self) -> None:
        """Loads one small page where the reader is near an edge, and looks again."""
        if self._wants_earlier():
            first = self._transcript.first
            last, until = max(first - _PAGE, self._transcript.source.first), perf_counter() + _SLICE
            while first > last and self._is_read(first - 1, until):
                first -= 1
            if first == self._transcript.first:
                self._wanted.start(1)
                return
            with self.held(to_end=self.following):
                self._transcript.prepend(self._page_start(first))
                if not self.following and not self._view.writing and len(self._transcript.rows) > 2 * _WINDOW:
                    self._transcript.trim_below(self._transcript.first + _WINDOW + _WINDOW // 2)
            self._wanted.start(BETWEEN_MS)
        elif self._wants_later():
            with self.held(to_end=False):
                for index in range(
                    self._transcript.stop, min(self._transcript.stop + _PAGE, self._transcript.source.stop)
                ):
                    self._transcript.append(index)
                self.trim_above()
            self._wanted.start(BETWEEN_MS)
        self._notice_end()

    def _is_read(self, index: int, until: float) -> bool:
        """Reads a message that is not in sight as far as the time goes; says whether it is read to its end."""
        if self._reading is None or self._reading[0] != index:
            self._reading = index, reading(text_of(self._transcript.source[index]))
        return not any(perf_counter() > until for _block in self._reading[1])

    def look_around(self) -> None:
        """Looks whether there is more to load: at once where the view has room for it, else a little later."""
        self._wanted.start(AHEAD_MS if self._view.verticalScrollBar().maximum() else 0)

    def _wants_earlier(self) -> bool:
        if self._transcript.first <= self._transcript.source.first:
            return False
        few = self.following and len(self._transcript.rows) < _WINDOW // 2
        return few or self._view.offset() < _NEAR

    def _wants_later(self) -> bool:
        bar = self._view.verticalScrollBar()
        return self._transcript.stop < self._transcript.source.stop and bar.maximum() - bar.value() < _NEAR

    def trim_above(self) -> None:
        """Takes away what the reader left far behind."""
        if len(self._transcript.rows) <= 2 * _WINDOW or self._view.offset() <= 2 * _NEAR:
            return
        is_in_use = self._view.writing or self._view.hasFocus() or self._view.textCursor().hasSelection()
        if self.following and not is_in_use:
            self._begin_anew()
        else:
            self._transcript.trim_above(self._page_start(self._transcript.stop - _WINDOW))

    def _begin_anew(self) -> None:
        """Writes what is in sight into the emptied document; what stands above comes back page by page.

        A document keeps the format of every text that was ever in it until it is emptied.
        """
        with self.held(to_end=True):
            self._transcript.load(self._page_start(self._first_in_sight()), self._transcript.stop)
        self._to_end()
        self.look_around()

    # The place

    @contextmanager
    def held(self, *, to_end: bool) -> Iterator[None]:
        """Keeps what the reader looks at where it is, whatever changes above or below; or keeps the end in view."""
        place = QTextCursor(self._view.cursorForPosition(QPoint(0, 0)))
        below = self._top_of(place) - self._view.offset()
        # A message that is written anew takes its text away from under the cursor.
        row = self._transcript.row_at(place.position())
        row_below = round(self._view.row_rect(row).top()) - self._view.offset() if row is not None else 0
        self._holding += 1
        try:
            yield
            self._lay_out()
        finally:
            self._holding -= 1
        bar = self._view.verticalScrollBar()
        row = self._transcript.row_of(row.index) if row is not None else None
        # Whole pixels: each time a page comes a fraction more would move what is read.
        top = (
            round(self._view.row_rect(row).top()) - row_below if row is not None else round(self._top_of(place) - below)
        )
        bar.setValue(bar.maximum() if to_end else top)

    def _top_of(self, place: QTextCursor) -> float:
        return self._transcript.document.documentLayout().blockBoundingRect(place.block()).top()

    def _lay_out(self) -> None:
        """Has the layout finished, so that the scroll bar's range is the true one."""
        height = self._transcript.document.documentLayout().documentSize().height()
        bar = self._view.verticalScrollBar()
        maximum = max(0, round(height) - self._view.viewport().height())
        if bar.maximum() != maximum:
            bar.setMaximum(maximum)

    def _to_end(self) -> None:
        self._holding += 1
        self._lay_out()
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._holding -= 1

    @property
    def at_newest(self) -> bool:
        """Returns whether the newest message is in the document."""
        return self._transcript.stop >= self._transcript.source.stop

    def follow(self) -> None:
        """Stays at the end after something was added there, if the reader is there."""
        if self.following:
            self._to_end()

    def _on_scrolled(self) -> None:
        if self._holding:
            return
        self._notice_end()
        delay = AHEAD_MS if self.following else BETWEEN_MS
        is_sooner = self._wanted.isActive() and self._wanted.remainingTime() <= delay
        if not is_sooner and (self._wants_earlier() or self._wants_later()):
            self._wanted.start(delay)

    def _on_about_to_resize(self) -> None:
        place = QTextCursor(self._view.cursorForPosition(QPoint(0, 0)))
        self._place = place, self._top_of(place) - self._view.offset()

    def _on_resized(self) -> None:
        if self.following:
            self._to_end()
        elif self._place is not None:
            place, below = self._place
            self._holding += 1
            self._lay_out()
            self._view.verticalScrollBar().setValue(round(self._top_of(place) - below))
            self._holding -= 1
        self._place = None

    def _on_range_changed(self, _minimum: int, maximum: int) -> None:
        if self.following and not self._holding:
            self._view.verticalScrollBar().setValue(maximum)

    def _notice_end(self) -> None:
        bar = self._view.verticalScrollBar()
        following = self.at_newest and bar.maximum() - bar.value() <= _END
        if following != self.following:
            self.following = following
            self.moved.emit()

    def stop(self) -> None:
        """Ends what is going on in the background."""
        self._wanted.stop()


def _lines_of(text: str) -> int:
    return sum(1 + len(line) // _LINE_CHARACTERS for line in text.split("\n"))
