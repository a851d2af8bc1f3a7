"""Of SESSION-STATE.md, which all branches of a conversation have in common, only what holds on the active one is sent.

What messages said that are deleted or lie on other branches alone is left out, and what only these struck stands again.
The file stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from mnemoscope.domain.capture.captured_line import standing_line
from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord


def lines_left(left: Sequence[CaptureRecord], stays: Sequence[CaptureRecord]) -> frozenset[str]:
    """Returns the lines of the state that came from messages which are left, and that none which stays says too."""
    said = {each.fact for each in stays if each.fact and (each.outcome == KEPT or each.twin)}
    kept = {each.state_line for each in stays}
    lines = {each.state_line for each in left if each.outcome == KEPT and each.fact not in said}
    return frozenset(lines - kept - {""})


def active_state(text: str, records: Sequence[CaptureRecord], is_left: Callable[[CaptureRecord], bool]) -> str:
    """Returns the state as the messages that stay have it. `records` are all of the conversation's; a line that none of
    them tells of stays as it is."""
    left, stays = list[CaptureRecord](), list[CaptureRecord]()
    for each in records:
        (left if is_left(each) else stays).append(each)
    gone = lines_left(left, stays)
    strikers: dict[str, list[CaptureRecord]] = {}
    for each in records:
        if each.replaced_state:
            strikers.setdefault(each.replaced_state, []).append(each)
    # What is left and said anew strikes as before.
    said_anew = (each for each in left if each.state_line and each.state_line not in gone)
    holding = {each.id for each in (*stays, *said_anew) if each.outcome != UNDONE}
    rows = []
    for row in text.split("\n"):
        line = standing_line(row) if "~~" in row else row
        if line not in gone:
            rows.append(line if line in strikers and not _is_struck_still(line, strikers, holding) else row)
    return "\n".join(rows)


def left_rows(text: str, active: str) -> frozenset[str]:
    """Returns the lines that a state has, and that it has not as the messages that stay have it: `active`."""
    stay = {standing_line(row).strip() for row in active.split("\n")}
    return frozenset(row.strip() for row in text.split("\n") if standing_line(row).strip() not in stay)


def _is_struck_still(line: str, strikers: Mapping[str, Sequence[CaptureRecord]], holding: Collection[str]) -> bool:
    """Returns whether a capture that holds struck a line, or struck the line that another one put in its place."""
    waiting, seen = [line], {line}
    while waiting:
        for each in strikers.get(waiting.pop(), ()):
            if each.id in holding:
                return True
            if each.state_line not in seen:
                seen.add(each.state_line)
                waiting.append(each.state_line)
    return False
