"""How much of a conversation is kept, and what a change of it means."""

from __future__ import annotations

import pytest

from mnemoscope.domain.conversation.discretion import (
    DISCREET_SINCE,
    DISCRETION,
    TEMPORARY_PREFIX,
    Discretion,
    Trace,
    Transition,
    discretion_of,
    marked,
    since_of,
    transition,
)
from mnemoscope.domain.errors import KeptOut

REMEMBERED, READS, TEMPORARY = Discretion.REMEMBERED, Discretion.READS_MEMORY, Discretion.TEMPORARY


def test_a_remembered_conversation_may_leave_everything_a_temporary_one_nothing() -> None:
    assert all(REMEMBERED.permits(trace) for trace in Trace)
    assert not any(TEMPORARY.permits(trace) for trace in Trace)
    assert [trace for trace in Trace if READS.permits(trace)] == [Trace.SESSION_FILE, Trace.TITLE]


def test_what_is_not_permitted_is_refused_in_a_sentence() -> None:
    REMEMBERED.require(Trace.CAPTURE)
    with pytest.raises(KeptOut) as refused:
        READS.require(Trace.CONSOLIDATION)
    assert refused.value.sentence == "This conversation reads memory and writes none: it is not consolidated."
    with pytest.raises(KeptOut, match="This conversation is temporary: its tools write nothing and run no commands"):
        TEMPORARY.require(Trace.TOOL_WRITES)


@pytest.mark.parametrize(
    ("key", "metadata", "kind"),
    [
        ("cli:direct", {}, REMEMBERED),
        ("cli:direct", {DISCRETION: "remembered"}, REMEMBERED),
        ("cli:direct", {DISCRETION: "reads-memory"}, READS),
        ("cli:direct", {DISCRETION: "temporary"}, READS),
        ("cli:direct", {DISCRETION: 7}, READS),
        (f"{TEMPORARY_PREFIX}1", {DISCRETION: "remembered"}, TEMPORARY),
    ],
)
def test_the_key_tells_a_temporary_one_and_what_is_not_known_is_discreet(
    key: str, metadata: dict[str, object], kind: Discretion
) -> None:
    assert discretion_of(key, metadata) is kind


def test_the_mark_says_since_when_and_goes_without_a_trace() -> None:
    metadata = marked({"title": "Plans"}, READS, 4)
    assert metadata == {"title": "Plans", DISCRETION: "reads-memory", DISCREET_SINCE: 4}
    assert marked(metadata, REMEMBERED) == {"title": "Plans"}
    assert DISCREET_SINCE not in marked({}, READS)


@pytest.mark.parametrize(("stated", "since"), [(4, 4), (9, 6), (-1, 0), ("4", 0), (True, 0), (None, 0)])
def test_what_a_file_says_of_since_when_is_made_safe(stated: object, since: int) -> None:
    assert since_of({DISCREET_SINCE: stated}, 6) == since


@pytest.mark.parametrize(
    ("now", "wanted", "change"),
    [
        (REMEMBERED, REMEMBERED, Transition.NONE),
        (REMEMBERED, READS, Transition.STOP),
        (READS, REMEMBERED, Transition.RESUME),
        (REMEMBERED, TEMPORARY, Transition.BEGIN),
        (READS, TEMPORARY, Transition.BEGIN),
        (TEMPORARY, READS, Transition.KEEP),
        (TEMPORARY, REMEMBERED, Transition.KEEP),
    ],
)
def test_a_change_of_kind_means_one_thing(now: Discretion, wanted: Discretion, change: Transition) -> None:
    assert transition(now, wanted) is change
