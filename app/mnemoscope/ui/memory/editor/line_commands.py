"""Does to lines of Markdown what the editor's keys ask for: lists go on, lines move, words get their marks. No Qt.

A command takes a passage, the lines around what is selected, and returns it as it is to be; None where the key means
nothing special there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Final

from mnemoscope.domain.capture.captured_line import is_struck, standing_line, struck_line
from mnemoscope.domain.text.diff import common_length
from mnemoscope.domain.text.fences import longer_than_any_backticks
from mnemoscope.ui.markdown.reading.line_patterns import HEADING, ITEM_MARK, RULE, TASK_BOX

CursorPlace = tuple[int, int]
"""A line of the passage and a character of it, both from 0."""

_ITEM: Final = re.compile(
    rf"(?P<quote>(?:[ \t]*>[ ]?)*)(?P<indent>[ \t]*)(?P<mark>{ITEM_MARK})(?P<space>[ \t]+)"
    rf"(?P<box>{TASK_BOX}(?:[ \t]+|$))?(?P<words>.*)"
)
_QUOTED: Final = re.compile(r"(?:[ \t]*>[ ]?)+")
_WORD: Final = re.compile(r"\w(?:[\w'’-]*\w)?")
_LINK: Final = re.compile(r"\[[^\]\n]*\]\((?P<address>[^)\n]*)\)")
_ADDRESS: Final = re.compile(r"(?:https?://|mailto:)\S+")
_TAB: Final = 4
_STEP: Final = 2
_LOOSE: Final = 3
"""Columns by which an item may be indented and still be of the list above it."""


@dataclass(frozen=True, slots=True)
class SelectedLines:
    """Holds lines, and what is selected in them, from `anchor` to `caret`."""

    lines: tuple[str, ...]
    anchor: CursorPlace
    caret: CursorPlace

    @property
    def start(self) -> CursorPlace:
        """Returns where the selection begins."""
        return min(self.anchor, self.caret)

    @property
    def stop(self) -> CursorPlace:
        """Returns where the selection ends."""
        return max(self.anchor, self.caret)

    @property
    def rows(self) -> range:
        """Returns the lines that are selected; one of which nothing is selected does not count."""
        last = self.stop[0] - (self.start[0] < self.stop[0] and self.stop[1] == 0)
        return range(self.start[0], last + 1)


LineCommand = Callable[[SelectedLines], SelectedLines | None]


@dataclass(frozen=True, slots=True)
class ListItem:
    """Holds a line that is an item of a list."""

    quote: str
    indent: str
    mark: str
    space: str
    box: str
    words: str

    @property
    def prefix(self) -> str:
        """Returns all that stands before the words."""
        return self.quote + self.indent + self.mark + self.space + self.box

    @property
    def column(self) -> int:
        """Returns the column at which the mark stands, within its quotation."""
        return _width(self.indent)

    @property
    def content(self) -> int:
        """Returns the column that what belongs to this item is indented to."""
        is_usual = len(self.space) <= _TAB and "\t" not in self.space
        return self.column + len(self.mark) + (len(self.space) if is_usual else 1)

    @property
    def number(self) -> int | None:
        """Returns the number of an item of a list that counts."""
        return int(self.mark[:-1]) if self.mark[0].isdigit() else None

    def numbered(self, number: int) -> str:
        """Returns the line with another number."""
        return replace(self, mark=f"{number}{self.mark[-1]}").line

    @property
    def line(self) -> str:
        """Returns the whole line."""
        return self.prefix + self.words


def item_of(line: str) -> ListItem | None:
    """Returns the parts of a line that is an item, else None."""
    found = _ITEM.fullmatch(line)
    if found is None or RULE.match(line.lstrip()):
        return None
    parts = found.groupdict(default="")
    return ListItem(parts["quote"], parts["indent"], parts["mark"], parts["space"], parts["box"], parts["words"])


def box_of(line: str) -> tuple[int, int] | None:
    """Returns where the brackets of a task's box stand, [start, stop) in characters; None where there is none."""
    item = item_of(line)
    if item is None or not item.box:
        return None
    start = len(item.prefix) - len(item.box)
    return start, start + 3


# Lists


def go_on(passage: SelectedLines) -> SelectedLines | None:
    """Begins the next item, with its box or number (Enter); in an item without words, leaves the list."""
    passage = _without_selection(passage)
    row, column = passage.caret
    line = passage.lines[row]
    item = item_of(line)
    if item is None:
        return _go_on_in_text(passage)
    if column < len(item.prefix):
        return None
    if not item.words.strip():
        if item.indent:
            return outdent(passage)
        return _with_line(passage, row, item.quote, len(item.quote))
    number = item.number
    following = replace(
        item,
        mark=item.mark if number is None else f"{number + 1}{item.mark[-1]}",
        box="[ ] " if item.box else "",
        words=line[column:].lstrip(" \t"),
    )
    lines = (*passage.lines[:row], line[:column], following.line, *passage.lines[row + 1 :])
    caret = (row + 1, len(following.prefix))
    return _counted(passage.lines, SelectedLines(lines, caret, caret))


def _go_on_in_text(passage: SelectedLines) -> SelectedLines | None:
    """A quotation goes on with its mark, and what is indented with its indentation, until a line without words."""
    row, column = passage.caret
    line = passage.lines[row]
    quote = _QUOTED.match(line)
    lead = quote[0] if quote else line[: len(line) - len(line.lstrip(" \t"))]
    if not lead or column < len(lead):
        return None
    if not line[len(lead) :].strip():
        return _with_line(passage, row, "", 0)
    return _split(passage, lead)


def break_line(passage: SelectedLines) -> SelectedLines:
    """Begins a line that still belongs to the item, to the quotation or to what is indented alike (Shift+Enter)."""
    passage = _without_selection(passage)
    row, column = passage.caret
    line = passage.lines[row]
    item, quote = item_of(line), _QUOTED.match(line)
    if item is not None and column >= len(item.prefix):
        return _split(passage, item.quote + " " * item.content)
    lead = quote[0] if quote else line[: len(line) - len(line.lstrip(" \t"))]
    return _split(passage, lead if column >= len(lead) else "")


def indent(passage: SelectedLines) -> SelectedLines | None:
    """Puts the selected items, with all that belongs to them, below the item above them (Tab)."""
    found = _items_with_belongings(passage)
    if found is None:
        return None
    rows, base = found
    above = _item_above(passage.lines, rows.start, base)
    if above is not None and above.column <= base < above.content:
        shift = above.content - base
    elif base + _STEP <= (above.content if above else 0) + _LOOSE:
        shift = _STEP
    else:
        return passage
    first = item_of(passage.lines[rows.start])
    lead = "\t" if first and "\t" in first.indent else " " * shift
    return _shifted(passage, rows, lambda line: lead + line)


def outdent(passage: SelectedLines) -> SelectedLines | None:
    """Puts the selected items, with all that belongs to them, beside the item they are part of (Shift+Tab)."""
    found = _items_with_belongings(passage)
    if found is None:
        return None
    rows, base = found
    above = _item_above(passage.lines, rows.start, base - 1) if base else None
    return _shifted(passage, rows, partial(_less, columns=base - (above.column if above else 0)))


def _items_with_belongings(passage: SelectedLines) -> tuple[range, int] | None:
    """Returns the selected lines and those that belong to their items, and the least column of an item."""
    items = [item for row in passage.rows if (item := item_of(passage.lines[row]))]
    if not items:
        return None
    base = min(item.column for item in items)
    stop = passage.rows.stop
    while stop < len(passage.lines) and _column_of(passage.lines[stop]) > base:
        stop += 1
    return range(passage.rows.start, stop), base


def _item_above(lines: Sequence[str], row: int, most: int) -> ListItem | None:
    """Returns the nearest item above `row` that stands at a column of `most` at the most, in the same list."""
    for line in reversed(lines[:row]):
        item = item_of(line)
        if item is not None and item.column <= most:
            return item
        if item is None and line.strip() and _column_of(line) <= 0:
            return None
    return None


def _shifted(passage: SelectedLines, rows: range, change: Callable[[str], str]) -> SelectedLines:
    lines = list(passage.lines)
    for row in rows:
        quote = _QUOTED.match(lines[row])
        head = quote[0] if quote else ""
        lines[row] = head + (change(lines[row][len(head) :]) if lines[row][len(head) :].strip() else "")

    def moved(place: CursorPlace) -> CursorPlace:
        row, column = place
        more = len(lines[row]) - len(passage.lines[row])
        return row, max(0, column + more) if row in rows else column

    made = SelectedLines(tuple(lines), moved(passage.anchor), moved(passage.caret))
    return _counted(passage.lines, made, moved=rows)


def _less(line: str, columns: int) -> str:
    """Returns a line with so many columns less before its words, as far as it has them."""
    while columns > 0 and line[:1] in (" ", "\t"):
        columns -= _TAB if line[0] == "\t" else 1
        line = line[1:]
    return line


# Numbers


def _counted(
    before: Sequence[str], passage: SelectedLines, moved: Collection[int] = (), first: int | None = None
) -> SelectedLines:
    """Returns the passage with its lists counting on, if they counted before; whoever writes 1. 1. 1. keeps that.

    `moved`: lines whose numbers were those of another list. `first`: the number that each list begins with, where that
    is known.
    """
    if not _counts(before):
        return passage
    lines = list(passage.lines)
    for group in _groups(lines):
        own = [number for row, number in group if row not in moved]
        for count, (row, _) in enumerate(group, min(own, default=1) if first is None else first):
            item = item_of(lines[row])
            if item is not None:
                lines[row] = item.numbered(count)

    def kept(place: CursorPlace) -> CursorPlace:
        row, column = place
        more = len(lines[row]) - len(passage.lines[row])
        return row, column + more if column > len(lines[row]) - len(lines[row].lstrip()) else column

    return SelectedLines(tuple(lines), kept(passage.anchor), kept(passage.caret))


def _counts(lines: Sequence[str]) -> bool:
    return all(number == group[0][1] + place for group in _groups(lines) for place, (_, number) in enumerate(group))


def _groups(lines: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Returns each list that counts, as its lines with their numbers."""
    found: list[list[tuple[int, int]]] = []
    open_lists: list[tuple[int, str, list[tuple[int, int]]]] = []
    for row, line in enumerate(lines):
        item = item_of(line)
        column = _column_of(line)
        if item is None:
            if line.strip() and column <= 0:
                open_lists.clear()
            continue
        while open_lists and open_lists[-1][0] > column:
            open_lists.pop()
        kind = item.mark[-1]
        if open_lists and open_lists[-1][:2] == (column, kind):
            group = open_lists[-1][2]
        else:
            if open_lists and open_lists[-1][0] == column:
                open_lists.pop()
            group = []
            open_lists.append((column, kind, group))
            found.append(group)
        if item.number is not None:
            group.append((row, item.number))
    return [group for group in found if group]


# Lines


def move(passage: SelectedLines, way: int) -> SelectedLines:
    """Lets the selected lines change places with the line above (-1) or below (1) them (Alt+Up, Alt+Down)."""
    rows, lines = passage.rows, list(passage.lines)
    beside = rows.start - 1 if way < 0 else rows.stop
    if not 0 <= beside < len(lines):
        return passage
    line = lines.pop(beside)
    lines.insert(rows.stop - 1 if way < 0 else rows.start, line)
    stop_row, stop_column = passage.stop
    if stop_row + way >= len(lines):
        # A selection that ended where the next line begins ends at the end of the text.
        stop_row, stop_column = len(lines) - 1 - way, len(lines[-1])
    start = (passage.start[0] + way, passage.start[1])
    stop = (stop_row + way, stop_column)
    forward = passage.anchor <= passage.caret
    made = SelectedLines(tuple(lines), start if forward else stop, stop if forward else start)
    return _counted(passage.lines, made)


def move_to(passage: SelectedLines, row: int) -> SelectedLines:
    """Puts the selected lines before the line `row`, counted as the lines stand now, or at the end, as dragging
    does."""
    rows, lines = passage.rows, list(passage.lines)
    if rows.start <= row <= rows.stop:
        return passage
    moved = lines[rows.start : rows.stop]
    del lines[rows.start : rows.stop]
    at = row if row < rows.start else row - len(moved)
    lines[at:at] = moved
    shift = at - rows.start

    def place(old: CursorPlace) -> CursorPlace:
        # A selection that ended where the next line begins ends at the end of the text.
        return (old[0] + shift, old[1]) if old[0] + shift < len(lines) else (len(lines) - 1, len(lines[-1]))

    made = SelectedLines(tuple(lines), place(passage.anchor), place(passage.caret))
    firsts = {group[0][1] for group in _groups(passage.lines)}
    return _counted(passage.lines, made, first=firsts.pop() if len(firsts) == 1 else None)


def duplicate(passage: SelectedLines) -> SelectedLines:
    """Doubles what is selected within a line, or else whole lines; the copy is selected (Ctrl+D)."""
    (first, start), (last, stop) = passage.start, passage.stop
    if first == last and start != stop:
        line = passage.lines[first]
        made = _with_line(passage, first, line[:stop] + line[start:stop] + line[stop:], stop)
        return SelectedLines(made.lines, (first, stop), (first, 2 * stop - start))
    rows = passage.rows
    lines = (*passage.lines[: rows.stop], *passage.lines[rows.start :])
    (anchor_row, anchor), (caret_row, caret) = passage.anchor, passage.caret
    made = SelectedLines(lines, (anchor_row + len(rows), anchor), (caret_row + len(rows), caret))
    return _counted(passage.lines, made, moved=range(rows.stop, rows.stop + len(rows)))


def strike(passage: SelectedLines, today: date) -> SelectedLines:
    """Strikes the selected facts, which held until today; where all are struck already, they hold again (Ctrl+/)."""

    def change(rows: list[int], lines: list[str]) -> None:
        rows = [row for row in rows if lines[row].strip() and not HEADING.match(lines[row])]
        undo = all(is_struck(lines[row]) for row in rows)
        for row in rows:
            if undo:
                lines[row] = standing_line(lines[row])
            elif not is_struck(lines[row]):
                lines[row] = struck_line(lines[row], today)

    return _with_lines(passage, change)


def toggle_box(passage: SelectedLines) -> SelectedLines | None:
    """Ticks the selected tasks, or unticks them where all are ticked; other items become tasks (Ctrl+Enter)."""
    if not any(item_of(passage.lines[row]) for row in passage.rows):
        return None

    def change(rows: list[int], lines: list[str]) -> None:
        items = {row: item for row in rows if (item := item_of(lines[row]))}
        plain = [row for row, item in items.items() if not item.box]
        done = all(item.box[1:2] in "xX" for item in items.values())
        for row, item in items.items():
            if plain:
                lines[row] = replace(item, box=item.box or "[ ] ").line
            else:
                lines[row] = replace(item, box=f"[{' ' if done else 'x'}]{item.box[3:]}").line

    return _with_lines(passage, change)


def _with_lines(passage: SelectedLines, change: Callable[[list[int], list[str]], None]) -> SelectedLines:
    """Returns the passage with its selected lines changed; the same words are selected."""
    lines = list(passage.lines)
    change(list(passage.rows), lines)

    def moved(place: CursorPlace) -> CursorPlace:
        row, column = place
        return row, _moved(passage.lines[row], lines[row], column)

    return SelectedLines(tuple(lines), moved(passage.anchor), moved(passage.caret))


def _moved(old: str, new: str, column: int) -> int:
    """Returns where the character at a column of a line stands in what became of the line."""
    head = common_length(old, new)
    if column <= head:
        return column
    if (place := new.find(old[head:], head)) >= 0:
        return column + place - head
    if (place := old.find(new[head:], head)) >= 0:
        return max(head, min(len(new), column - place + head))
    return max(head, min(len(new), column + len(new) - len(old)))


# Words


def mark_words(passage: SelectedLines, mark: str) -> SelectedLines:
    """Puts `**`, `*` or a backtick around the selected words or the word at the caret; takes them away where all have
    them. Each line has its own. A caret at the end of marked words goes on behind their mark."""
    if passage.anchor == passage.caret:
        return _mark_at_caret(passage, mark)
    spans = [(row, *span) for row in passage.rows if (span := _words_within(passage, row))]
    if not spans:
        return passage
    away = all(_marked(passage.lines[row], start, stop, mark) for row, start, stop in spans)
    lines = list(passage.lines)
    placed: list[tuple[CursorPlace, CursorPlace]] = []
    for row, start, stop in spans:
        line = lines[row]
        around = _marked(line, start, stop, mark)
        if around and not away:
            placed.append(((row, start), (row, stop)))
            continue
        if around:
            (outer, inner), (close, end) = around
            lines[row] = line[:outer] + line[inner:close] + line[end:]
            placed.append(((row, outer), (row, outer + close - inner)))
        else:
            both = _mark_for(mark, line[start:stop])
            lines[row] = line[:start] + both + line[start:stop] + both + line[stop:]
            placed.append(((row, start + len(both)), (row, stop + len(both))))
    first, last = placed[0][0], placed[-1][1]
    forward = passage.anchor <= passage.caret
    return SelectedLines(tuple(lines), first if forward else last, last if forward else first)


def _mark_at_caret(passage: SelectedLines, mark: str) -> SelectedLines:
    row, column = passage.caret
    line = passage.lines[row]
    words = line[:column].rstrip()
    if after := _after_marked(words + line[column:], len(words), mark):
        # Blanks before the caret go behind the mark with it: within, the words would not be marked.
        blanks, rest = line[len(words) : column], line[column + len(mark) :]
        return _with_line(passage, row, words + mark + blanks + rest, after + len(blanks))
    word = _word_at(line, column)
    if word is None:
        size = len(mark)
        if line[column - size : column] == mark == line[column : column + size]:
            return _with_line(passage, row, line[: column - size] + line[column + size :], column - size)
        return _with_line(passage, row, line[:column] + mark + mark + line[column:], column + size)
    made = mark_words(SelectedLines(passage.lines, (row, word[0]), (row, word[1])), mark)
    caret = (row, made.start[1] + column - word[0])
    return SelectedLines(made.lines, caret, caret)


def _after_marked(line: str, column: int, mark: str) -> int:
    """Returns the column behind the closing mark at which the marked words end, 0 where none do: the caret, which comes
    from writing them, goes on there."""
    char, size = mark[0], len(mark)
    length = len(line[column:]) - len(line[column:].lstrip(char))
    if column == 0 or line[column - 1] == char or not _is_run(length, size, char):
        return 0
    item = item_of(line)
    runs = re.findall(re.escape(char) + "+", line[len(item.prefix) if item else 0 : column])
    is_open = sum(_is_run(len(run), size, char) for run in runs) % 2 == 1
    return column + size if is_open else 0


def _word_at(line: str, column: int) -> tuple[int, int] | None:
    return next((each.span() for each in _WORD.finditer(line) if each.start() <= column <= each.end()), None)


def _words_within(passage: SelectedLines, row: int) -> tuple[int, int] | None:
    """Returns the selected words of a line, without blanks at their ends and what stands before an item's words."""
    line = passage.lines[row]
    start = passage.start[1] if row == passage.start[0] else 0
    stop = passage.stop[1] if row == passage.stop[0] else len(line)
    item = item_of(line)
    start = max(start, len(item.prefix)) if item else start
    words = line[start:stop]
    start += len(words) - len(words.lstrip())
    return (start, start + len(words.strip())) if words.strip() else None


def _marked(line: str, start: int, stop: int, mark: str) -> tuple[CursorPlace, CursorPlace] | None:
    """Returns where the marks around [start, stop) stand, [outer, inner) and [close, end), outside or within it."""
    char, size = mark[0], len(mark)
    before = len(line[:start]) - len(line[:start].rstrip(char))
    after = len(line[stop:]) - len(line[stop:].lstrip(char))
    if _is_run(min(before, after), size, char):
        return (start - size, start), (stop, stop + size)
    words = line[start:stop]
    lead = len(words) - len(words.lstrip(char))
    tail = len(words) - len(words.rstrip(char))
    if len(words) > 2 * size and _is_run(min(lead, tail), size, char):
        return (start, start + size), (stop - size, stop)
    return None


def _is_run(length: int, size: int, char: str) -> bool:
    """Returns whether so many of a character are, or hold, the mark: of asterisks two are bold, one or three italic."""
    if char != "*":
        return length >= size
    return length >= 2 if size == 2 else length in (1, 3)


def _mark_for(mark: str, words: str) -> str:
    """Returns the mark; one of code is longer than any run of backticks in the words."""
    if mark != "`":
        return mark
    return longer_than_any_backticks(words)


def link(passage: SelectedLines) -> SelectedLines:
    """Makes a link of the selected words or the word at the caret; the caret goes to what is missing of it (Ctrl+K)."""
    (row, start), (last, stop) = passage.start, passage.stop
    line = passage.lines[row]
    if row != last:
        return passage
    for found in _LINK.finditer(line):
        if found.start() <= start and stop <= found.end():
            return SelectedLines(passage.lines, (row, found.start("address")), (row, found.end("address")))
    if start == stop:
        start, stop = _word_at(line, start) or (start, stop)
    words = line[start:stop]
    if _ADDRESS.fullmatch(words):
        return _with_line(passage, row, f"{line[:start]}[]({words}){line[stop:]}", start + 1)
    return _with_line(passage, row, f"{line[:start]}[{words}](){line[stop:]}", stop + 3 if words else start + 1)


# Pieces


def _with_line(passage: SelectedLines, row: int, line: str, column: int) -> SelectedLines:
    """Returns the passage with another line in place of one, and the caret in it."""
    lines = (*passage.lines[:row], line, *passage.lines[row + 1 :])
    return SelectedLines(lines, (row, column), (row, column))


def _split(passage: SelectedLines, lead: str) -> SelectedLines:
    """Returns the passage with its line broken at the caret; the second half begins with `lead`."""
    row, column = passage.caret
    line = passage.lines[row]
    lines = (*passage.lines[:row], line[:column], lead + line[column:].lstrip(" \t"), *passage.lines[row + 1 :])
    return SelectedLines(lines, (row + 1, len(lead)), (row + 1, len(lead)))


def _without_selection(passage: SelectedLines) -> SelectedLines:
    (first, start), (last, stop) = passage.start, passage.stop
    line = passage.lines[first][:start] + passage.lines[last][stop:]
    lines = (*passage.lines[:first], line, *passage.lines[last + 1 :])
    return SelectedLines(lines, passage.start, passage.start)


def _width(lead: str) -> int:
    return len(lead.expandtabs(_TAB))


def _column_of(line: str) -> int:
    """Returns the column at which the words of a line begin, within its quotation; -1 for a line without words."""
    quote = _QUOTED.match(line)
    inner = line[quote.end() :] if quote else line
    return _width(inner[: len(inner) - len(inner.lstrip(" \t"))]) if inner.strip() else -1


def _belongs_to_list(line: str) -> bool:
    """Returns whether a line is an item or, being indented, may be part of one."""
    return item_of(line) is not None or _column_of(line) > 0


def length_of_list(lines: Iterator[str]) -> int:
    """Returns how many of the lines, read away from a list, still belong to it; a single blank one may lie between."""
    count = blank = 0
    for number, line in enumerate(lines, 1):
        if _belongs_to_list(line):
            count, blank = number, 0
        elif line.strip() or blank:
            break
        else:
            blank = 1
    return count
