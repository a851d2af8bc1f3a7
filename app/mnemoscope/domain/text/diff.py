"""Two texts are compared by line and, inside a changed line, by word.

Lines are split on `\\n` only, so that any other character survives; numbers count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

LineKind = Literal["same", "removed", "added", "gap"]
Range = tuple[int, int]
_Opcode = tuple[str, int, int, int, int]

_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_LONG_LINE: Final = 2_000
_MANY_LINES: Final = 1_000
_ALIKE: Final = 0.4


@dataclass(frozen=True, slots=True)
class DiffLine:
    """Describes one row of a unified diff. A `gap` stands for unchanged lines that are not shown; `text` is then their
    count.

    `old` and `new` are the line's numbers on either side, None if it is not there. `spans` are the characters [start,
    stop) that changed within a line that was reworded; they are empty if the whole line is new or gone.
    """

    kind: LineKind
    text: str
    old: int | None = None
    new: int | None = None
    spans: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Describes an edit that replaces the lines [start, stop) of the old text by `lines`."""

    start: int
    stop: int
    lines: tuple[str, ...]


def split_lines(text: str) -> list[str]:
    """Returns the lines of a text; there is always at least one, and `"\\n".join` gives the text back."""
    return text.split("\n")


def line_edits(before: str, after: str) -> tuple[LineEdit, ...]:
    """Returns the replacements that make `after` of `before`, in order and not overlapping."""
    old, new = split_lines(before), split_lines(after)
    return tuple(LineEdit(i1, i2, tuple(new[j1:j2])) for tag, i1, i2, j1, j2 in _opcodes(old, new) if tag != "equal")


def without_edit(before: str, after: str, number: int) -> str:
    """Returns `after` with its change of this number (from 0, in the order of `line_edits`) taken back.

    Raises IndexError if there are not so many.
    """
    old, new, shift = split_lines(before), split_lines(after), 0
    edits = line_edits(before, after)
    for edit in edits[:number]:
        shift += len(edit.lines) - (edit.stop - edit.start)
    edit = edits[number]
    start = edit.start + shift
    return "\n".join([*new[:start], *old[edit.start : edit.stop], *new[start + len(edit.lines) :]])


def changed_lines(before: str, after: str) -> tuple[int, ...]:
    """Returns the numbers of the lines of `after` that are new or reworded."""
    opcodes = _opcodes(split_lines(before), split_lines(after))
    return tuple(n for tag, _, _, j1, j2 in opcodes if tag != "equal" for n in range(j1, j2))


def diff_lines(before: str, after: str, context: int = 3) -> tuple[DiffLine, ...]:
    """Returns a unified diff with `context` unchanged lines around each change; empty where the texts are equal."""
    old, new = split_lines(before), split_lines(after)
    opcodes = _opcodes(old, new)
    if all(tag == "equal" for tag, *_ in opcodes):
        return ()
    return tuple(_rows(old, new, opcodes, context))


def count_changes(lines: Sequence[DiffLine]) -> tuple[int, int]:
    """Returns how many lines a diff adds and removes."""
    return sum(row.kind == "added" for row in lines), sum(row.kind == "removed" for row in lines)


def word_spans(old: str, new: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Returns the characters that changed between two lines, on either side; both empty where they have little in
    common."""
    if max(len(old), len(new)) > _LONG_LINE:
        return (), ()
    left, right = pieces(old), pieces(new)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return (), ()
    return changed_spans(left, right, matcher)


def pieces(text: str) -> list[str]:
    """Returns the words of a text and what stands between them, each piece as it is."""
    return _WORD.findall(text)


def changed_spans(
    left: Sequence[str], right: Sequence[str], matcher: SequenceMatcher[str]
) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Returns the characters that changed between two texts, on either side; `matcher` compares their `pieces`."""
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return (
        _spans(left, [(i1, i2) for _, i1, i2, _, _ in changed]),
        _spans(right, [(j1, j2) for _, _, _, j1, j2 in changed]),
    )


def _spans(words: Sequence[str], ranges: Sequence[Range]) -> tuple[Range, ...]:
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    return tuple((offsets[start], offsets[stop]) for start, stop in ranges if stop > start)


def _opcodes(old: Sequence[str], new: Sequence[str]) -> list[_Opcode]:
    """Returns opcodes like difflib's; the equal head and tail are taken off first, since most edits are small."""
    head = common_length(old, new)
    tail = common_length(old[head:][::-1], new[head:][::-1])
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    junk = len(middle_new) > _MANY_LINES
    codes: list[_Opcode] = [("equal", 0, head, 0, head)] if head else []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, middle_old, middle_new, autojunk=junk).get_opcodes():
        codes.append((tag, i1 + head, i2 + head, j1 + head, j2 + head))
    if tail:
        codes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return codes


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns how many items two sequences have in common at their beginnings: lines of a list, or characters of a
    string."""
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return index
    return min(len(one), len(other))


def _rows(old: Sequence[str], new: Sequence[str], opcodes: Sequence[_Opcode], context: int) -> Iterator[DiffLine]:
    last = len(opcodes) - 1
    for index, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        if tag == "equal":
            before = context if index > 0 else 0
            after = context if index < last else 0
            yield from _unchanged(old, (i1, i2), j1 - i1, before, after)
        else:
            yield from _hunk(old[i1:i2], new[j1:j2], i1, j1)


def _unchanged(old: Sequence[str], span: Range, shift: int, before: int, after: int) -> Iterator[DiffLine]:
    start, stop = span
    hidden = stop - start - before - after
    # A gap that hides a single line is longer than the line.
    cut = (start + before, stop - after) if hidden > 1 else (stop, stop)
    for number in range(start, cut[0]):
        yield DiffLine("same", old[number], number, number + shift)
    if hidden > 1:
        yield DiffLine("gap", str(hidden))
    for number in range(cut[1], stop):
        yield DiffLine("same", old[number], number, number + shift)


def _hunk(removed: Sequence[str], added: Sequence[str], old: int, new: int) -> Iterator[DiffLine]:
    pairs = _pair(removed, added)
    left = {i: word_spans(removed[i], added[j])[0] for i, j in pairs}
    right = {j: word_spans(removed[i], added[j])[1] for i, j in pairs}
    for index, text in enumerate(removed):
        yield DiffLine("removed", text, old + index, None, left.get(index, ()))
    for index, text in enumerate(added):
        yield DiffLine("added", text, None, new + index, right.get(index, ()))


def _pair(removed: Sequence[str], added: Sequence[str]) -> list[tuple[int, int]]:
    """Returns which removed line became which added one: the most alike that keep their order."""
    if len(removed) * len(added) > 400:
        return list(zip(range(len(removed)), range(len(added)), strict=False))
    alike = ((_likeness(old, new), i, j) for i, old in enumerate(removed) for j, new in enumerate(added))
    pairs: list[tuple[int, int]] = []
    for ratio, i, j in sorted(alike, key=lambda found: (-found[0], found[1], found[2])):
        if ratio >= _ALIKE and all((i < k and j < m) or (i > k and j > m) for k, m in pairs):
            pairs.append((i, j))
    return sorted(pairs)


def _likeness(one: str, other: str) -> float:
    if max(len(one), len(other)) > _LONG_LINE:
        return 0.0
    return SequenceMatcher(None, pieces(one), pieces(other), autojunk=False).ratio()
