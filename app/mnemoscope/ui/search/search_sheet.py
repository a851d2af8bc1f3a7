"""Ctrl+Shift+F: one field for everything that is remembered; what is found shows as it is typed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Final

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from mnemoscope.domain.memory.file_registry import STATE_PATH
from mnemoscope.domain.memory.journal_entry import plain_entry
from mnemoscope.store.capture.session_state_files import STATE_SUFFIX
from mnemoscope.store.search.foreign_index import ForeignHit
from mnemoscope.store.search.search_hit import SearchHit, Spans
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.support.author_words import author_words
from mnemoscope.ui.support.locale_words import stamp_words
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.floating_sheet import TOP, FloatingSheet, paint_chosen
from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import Theme

_WIDTH: Final = 688
_MOST_HEIGHT: Final = 520
PAUSE: Final = 25
"""Milliseconds without a key after which a query is taken to be whole: the next key gives it up again."""
_LONG_PAUSE: Final = 180
"""The same where each such query is sent to another computer."""
_STEPS: Final = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -6,
    Qt.Key.Key_PageDown: 6,
}
_HEADING_HEIGHT: Final = 30
_HIT_HEIGHT: Final = 50
_FEW: Final = 5
_MOST_OTHERS: Final = 8
_MOST_PLACES: Final = 2
"""Files that are named of those that say the same."""
_LEAD: Final = 24
"""Characters shown before the first word that was found."""
_LONGEST: Final = 240


class SearchSheet(FloatingSheet):
    """Shows the field and what was found. `typed` comes with every key, `paused` when the person stops; `chosen` with
    what is to be shown."""

    manual_page: ClassVar = "search"
    typed = Signal(str)
    paused = Signal(str)
    chosen = Signal(object)
    other_chosen = Signal(object)
    """A `ForeignHit` is to be shown."""
    others_switched = Signal(bool)
    """The person wants other agents searched too, or not any more."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Search everything"))
        self._notice = ""
        self._has_moved = False
        self._opened: set[SearchKind] = set()
        self._found: Callable[[Collection[SearchKind]], list[SearchRow]] = lambda _opened: []
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Search memory, notes, history and conversations"))
        self.field.setAccessibleName(self.tr("Search everything"))
        self.model = SearchModel(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(SearchDelegate(self.list))
        self.list.setAccessibleName(self.tr("Found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.line = plain_label(self, "muted")
        self.others = QCheckBox(self.tr("Search other agents too"), self)
        self.others.setToolTip(
            self.tr("Only this search finds what they said and remember: no model, prompt or tool is given any of it")
        )
        self.others.clicked.connect(self.others_switched)
        self.others.hide()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(lambda: self.paused.emit(self.field.text()))
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self._choose)
        self.field.installEventFilter(self)
        self.list.clicked.connect(lambda _index: self._choose())
        self.hold(self.field, self.list, self.line, self.others, below=10)

    def offer(self) -> None:
        """Opens over the window, with the words of the last time selected."""
        self._fit()
        self.float_over(self.field, _WIDTH, margin=64)
        self.field.selectAll()
        self._on_typed(self.field.text())

    def offer_others(self, *, offered: bool, on: bool) -> None:
        """Offers to search other agents too, where the person agreed that they are looked at."""
        self.others.setVisible(offered)
        self.others.setChecked(on)
        self._fit()

    def set_patient(self, patient: bool) -> None:
        """Waits longer for the next key where each query that is taken to be whole goes to another computer."""
        self._pause.setInterval(_LONG_PAUSE if patient else PAUSE)

    def show_hits(
        self,
        hits: Sequence[SearchHit],
        today: date,
        titles: Mapping[str, str],
        authors: Mapping[int, str],
        others: Sequence[ForeignHit] = (),
    ) -> None:
        """Shows what was found for the words in the field; the passage chosen stays chosen where it is still there.

        `titles`: of conversations by key, of archived ones by path; `authors`: of lines of memory, as kinds of a
        MemoryOrigin, by passage.
        """
        former = self._row()
        before, other = (former.hit, former.other) if former is not None else (None, None)
        self._found = partial(_search_rows, hits, today, titles, authors=authors, others=others)
        rows = self._found(self._opened)
        self.model.show(rows)
        same = [number for number, row in enumerate(rows) if row.hit and before and row.hit.number == before.number]
        same += [number for number, row in enumerate(rows) if row.other is not None and row.other == other]
        first = next((number for number, row in enumerate(rows) if not row.is_heading), -1)
        # Where nobody moved, the best one is chosen, whatever was the best before.
        self._select(same[0] if same and self._has_moved else first)
        self._fit()

    def show_notice(self, notice: str) -> None:
        """Shows what the person should know of the index: that it is being made, or that there is none."""
        self._notice = core_words(notice)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Moves through what was found where Up, Down or a page key is pressed in the field."""
        pressed = watched is self.field and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and Qt.Key(event.key()) in _STEPS:
            self._move_by(_STEPS[Qt.Key(event.key())])
            return True
        return super().eventFilter(watched, event)

    def _on_typed(self, text: str) -> None:
        self._has_moved = False
        self._opened.clear()
        if text.strip():
            self.typed.emit(text)
            self._pause.start()
        else:
            self._pause.stop()
            self.model.show([])
            self._fit()

    def _fit(self) -> None:
        rows = self.model.rows
        height = Theme.current().height
        whole = sum(height(_search_row_height(row)) for row in rows)
        room = max(height(_HIT_HEIGHT), self._window.height() - TOP - 160)
        self.list.setVisible(bool(rows))
        self.list.setFixedHeight(min(whole + 4, room, height(_MOST_HEIGHT)))
        words = [] if rows else [self._nothing()]
        self.line.setText("\n".join(filter(None, [*words, self._notice])))
        self.line.setVisible(bool(self.line.text()))

    def _nothing(self) -> str:
        if not self.field.text().strip():
            return self.tr("Words in any order or language; “in quotes” for words that follow each other.")
        return self.tr("Nothing found. Try fewer or other words.")

    def _move_by(self, steps: int) -> None:
        places = [number for number, row in enumerate(self.model.rows) if not row.is_heading]
        current = self.list.currentIndex().row()
        if places:
            at = places.index(current) if current in places else -1
            self._has_moved = True
            self._select(places[max(0, min(len(places) - 1, at + steps))])

    def _select(self, row: int) -> None:
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
            if row == 1:
                self.list.scrollToTop()

    def _row(self) -> SearchRow | None:
        index = self.list.currentIndex()
        return self.model.rows[index.row()] if index.isValid() else None

    def _choose(self) -> None:
        row = self._row()
        if row is None:
            return
        if row.more is not None:
            at = self.list.currentIndex().row()
            self._opened.add(row.more)
            self.model.show(self._found(self._opened))
            self._fit()
            self._select(at)
        elif row.hit is not None:
            self.hide()
            self.chosen.emit(row.hit)
        elif row.other is not None:
            self.hide()
            self.other_chosen.emit(row.other)


@dataclass(frozen=True, slots=True)
class SearchRow:
    """Describes a heading, a passage (`hit`), or the way to the rest of a place (`more`). `text` is one line, `marks`
    its words that were found."""

    text: str
    where: str = ""
    hit: SearchHit | None = None
    marks: tuple[tuple[int, int], ...] = ()
    more: SearchKind | None = None
    other: ForeignHit | None = None
    """A passage of another agent."""

    @property
    def is_heading(self) -> bool:
        """Returns whether there is nothing to choose."""
        return self.hit is None and self.more is None and self.other is None


def tr(text: str) -> str:
    """Translates in the search's context."""
    return QCoreApplication.translate("Search", text)


def _search_rows(
    hits: Sequence[SearchHit],
    today: date,
    titles: Mapping[str, str] = MappingProxyType({}),
    opened: Collection[SearchKind] = (),
    *,
    authors: Mapping[int, str] = MappingProxyType({}),
    others: Sequence[ForeignHit] = (),
) -> list[SearchRow]:
    """Returns the rows: places by their best passage, each one's passages by score.

    Of several places each shows its best few, and all that are `opened`. `titles` and `authors`: as `show_hits` has
    them."""
    groups: dict[SearchKind, list[SearchHit]] = {}
    for hit in hits:
        groups.setdefault(hit.kind, []).append(hit)
    rows: list[SearchRow] = []
    for kind, found in groups.items():
        is_whole = len(groups) == 1 or kind in opened or len(found) <= _FEW + 1
        rows.append(SearchRow(_names()[kind]))
        rows += [_row(hit, today, titles, authors) for hit in (found if is_whole else found[:_FEW])]
        if not is_whole:
            rows.append(SearchRow(tr("{number} more").format(number=len(found) - _FEW), more=kind))
    if others:
        rows.append(SearchRow(tr("Other agents")))
        rows += [_other_row(hit, today) for hit in (others[:_MOST_OTHERS] if groups else others)]
    return rows


def _other_row(hit: ForeignHit, today: date) -> SearchRow:
    text, marks = _line_of(tidied(hit.passage.text), hit.mark)
    said = {"user": tr("You"), "assistant": tr("Assistant"), "summary": tr("Summary")}.get(hit.passage.role, "")
    when = stamp_words(hit.passage.said, today) if hit.passage.said else ""
    line = tr("line {number}").format(number=hit.passage.place) if hit.passage.role == "memory" else ""
    title = " ".join(tidied(hit.source.title[:_LONGEST]).split())
    place = title.rpartition("/")[2] if line else title
    where = " · ".join(filter(None, (said, when, place, line, hit.source.agent)))
    return SearchRow(text, where, marks=marks, other=hit)


def _names() -> dict[SearchKind, str]:
    return {
        SearchKind.MEMORY: tr("Memory"),
        SearchKind.STATE: tr("Remembered in this conversation"),
        SearchKind.NOTES: tr("Notes"),
        SearchKind.HISTORY: tr("History"),
        SearchKind.SESSION: tr("Conversations"),
        SearchKind.ARCHIVE: tr("Archived conversations"),
        SearchKind.BRANCH: tr("Other branches of conversations"),
    }


def _row(hit: SearchHit, today: date, titles: Mapping[str, str], authors: Mapping[int, str]) -> SearchRow:
    shown, marks = _line_of(plain_entry(hit.text) or hit.text, hit.mark)
    where = _where(hit, today, titles, author_words(authors.get(hit.number, "")))
    return SearchRow(shown, where, hit, marks)


def _line_of(text: str, mark: Callable[[str], Spans]) -> tuple[str, Spans]:
    """Returns a text as one line, from a little before the first word that was found, and where such words stand."""
    line = " ".join(text.split())
    marks = mark(line)
    begin = 0
    if marks and marks[0][0] > 2 * _LEAD:
        # From the beginning of a word on, where one is near.
        begin = line.find(" ", marks[0][0] - _LEAD, marks[0][0]) + 1 or marks[0][0]
    lead = "…" if begin else ""
    shown = lead + line[begin : begin + _LONGEST]
    moved = ((start - begin + len(lead), stop - begin + len(lead)) for start, stop in marks)
    return shown, tuple(each for each in moved if each[0] >= len(lead))


def _where(hit: SearchHit, today: date, titles: Mapping[str, str], author: str) -> str:
    said = {"user": tr("You"), "assistant": tr("Assistant"), "tool": tr("Tool")}.get(hit.role, "")
    when = stamp_words(hit.when, today) if hit.when else ""
    is_conversation = hit.kind in (SearchKind.SESSION, SearchKind.BRANCH)
    place = titles.get(hit.session_key, "") if is_conversation else _place_of(hit.path, titles)
    place = "" if place == hit.text else place
    line = tr("line {number}").format(number=hit.line) if hit.message_index < 0 else ""
    by = tr("by {who}").format(who=author) if author else ""
    return " · ".join(filter(None, (said, when, place, line, by, _elsewhere(hit, titles))))


def _place_of(path: str, titles: Mapping[str, str]) -> str:
    """Returns what a person calls a file: the title of a closed conversation, for what was remembered in it too, else
    the file's name."""
    conversation = f"{path.removesuffix(STATE_SUFFIX)}.jsonl" if path.endswith(STATE_SUFFIX) else path
    return titles.get(conversation) or (STATE_PATH if conversation != path else path.rpartition("/")[2])


def _elsewhere(hit: SearchHit, titles: Mapping[str, str]) -> str:
    """Names the files of memory that say the same, and counts the other places."""
    others = [each for each in hit.duplicates if each.message_index < 0 and each.path != hit.path]
    others.sort(key=lambda each: each.kind, reverse=True)
    names = list(dict.fromkeys(_place_of(each.path, titles) for each in others))[:_MOST_PLACES]
    more = sum(_place_of(each.path, titles) not in names for each in hit.duplicates)
    if not names:
        return tr("also in {number} more").format(number=more) if more else ""
    words = tr("also in {places} and {number} more") if more else tr("also in {places}")
    return words.format(places=", ".join(names), number=more)


def _search_row_height(row: SearchRow) -> int:
    """Returns the height of a row in pixels of the usual text size."""
    return _HIT_HEIGHT if row.hit is not None or row.other is not None else _HEADING_HEIGHT


class SearchModel(RowsModel[SearchRow]):
    """Holds the rows on show."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text}. {row.where}" if row.where else row.text
        return row.text if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.rows[index.row()].is_heading:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class SearchDelegate(QStyledItemDelegate):
    """Paints headings small and passages in two lines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: SearchRow = index.data(Qt.ItemDataRole.UserRole)
        return QSize(100, Theme.current().height(_search_row_height(row)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: SearchRow = index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect
        if row.is_heading:
            self._heading(painter, rect.adjusted(14, 0, -14, -4), row.text)
            return
        paint_chosen(painter, option)
        if row.hit is None and row.other is None:
            self._line(painter, rect.adjusted(14, 0, -14, 0), row.text, "accent")
            return
        inner = rect.adjusted(14, 5, -14, -5)
        self._text(painter, QRect(inner.left(), inner.top(), inner.width(), inner.height() // 2), row)
        self._line(painter, inner.adjusted(0, inner.height() // 2, 0, 0), row.where)

    def _heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        theme = Theme.current()
        painter.setPen(theme.color("text_muted"))
        painter.setFont(theme.font("caption"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, text)

    def _line(self, painter: QPainter, rect: QRect, text: str, colour: str = "text_faint") -> None:
        theme = Theme.current()
        painter.setPen(theme.color(colour))
        painter.setFont(theme.font("caption"))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _text(self, painter: QPainter, rect: QRect, row: SearchRow) -> None:
        """Paints the passage, with what was found on a mark."""
        theme, font = Theme.current(), Theme.current().font("body")
        metrics, flags = QFontMetrics(font), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        shown = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(rect, flags, shown)
        painter.setBrush(theme.color("mark"))
        for start, stop in row.marks:
            if stop <= len(shown):
                left = metrics.horizontalAdvance(shown[:start])
                width = metrics.horizontalAdvance(shown[:stop]) - left
                word = QRect(rect.left() + left, rect.top(), width, rect.height())
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawRoundedRect(word.adjusted(-1, 1, 1, -1), 3, 3)
                painter.setPen(theme.color("on_mark"))
                painter.drawText(word.adjusted(0, 0, 2, 0), flags, shown[start:stop])
