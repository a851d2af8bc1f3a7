"""What waits keeps its order while items are decided, passed over, put back, come in and vanish."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mnemoscope.domain.disagreement.memory_check import Disagreement, PlacedPair
from mnemoscope.domain.disagreement.settlement import PairItem
from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import ReviewItem, items_of
from mnemoscope.ui.memory.review.review_queue import ReviewQueue, is_same_proposal

BEFORE = "# User\n\n- Name is Sam\n"
SPOKEN = "Nobody spoke of “x”."
TOOL = "Only a tool or file said “x”."


def item(name: str, *, reason: str = SPOKEN, when: str = "2026-01-02T10:00:00", before: str = BEFORE) -> ReviewItem:
    """Returns the only passage of a suggestion that is named after its line."""
    passage = MemoryConflict("", "", f"- {name}")
    suggestion = Suggestion(name, when, before, f"{before}- {name}\n", (reason,), "", 0, 0, (passage,))
    return ReviewItem(suggestion, passage, (reason,))


def whole(name: str, *, before: str = BEFORE, proposed: str = "") -> ReviewItem:
    """Returns a suggestion that is decided whole."""
    after = proposed or f"{before}- {name}\n"
    return ReviewItem(Suggestion(name, "2026", before, after, (SPOKEN,), "", 0, 0), None, (SPOKEN,))


def filled(*items: ReviewItem) -> ReviewQueue:
    queue = ReviewQueue()
    queue.renew(items, keeps_current=False)
    return queue


def names(queue: ReviewQueue) -> list[str]:
    return [each.suggestion.id for each in queue.items]


def test_an_empty_queue_has_nothing_in_sight_and_nothing_to_take_back() -> None:
    queue = ReviewQueue()
    assert (queue.current, list(queue.items), queue.oldest, queue.total) == (None, [], "", 0)
    assert not queue.can_undo
    assert queue.undo() is None
    assert not queue.is_first_with("a reason")


def test_the_place_counts_what_was_decided_and_the_oldest_is_of_what_is_left() -> None:
    old, new = item("cat", when="2026-01-01"), item("dog", when="2026-03-01")
    queue = filled(old, new)
    assert (queue.number, queue.total, queue.oldest) == (1, 2, "2026-01-01")
    queue.decide(old)
    assert queue.current is new
    assert (queue.number, queue.total, queue.oldest) == (2, 2, "2026-03-01")


def test_what_was_decided_last_comes_back_first() -> None:
    cat, dog, owl = item("cat"), item("dog"), item("owl")
    queue = filled(cat, dog, owl)
    queue.decide(cat)
    queue.decide(dog)
    assert queue.undo() is dog
    assert names(queue) == ["dog", "owl"]
    assert queue.undo() is cat
    assert names(queue) == ["cat", "dog", "owl"]
    assert not queue.can_undo


def test_what_is_passed_over_comes_again_after_the_others() -> None:
    cat, dog, owl = item("cat"), item("dog"), item("owl")
    queue = filled(cat, dog, owl)
    assert queue.go_to(dog)
    assert names(queue) == ["dog", "owl", "cat"]
    assert queue.go_to(cat)
    assert names(queue) == ["cat", "dog", "owl"]
    assert not queue.go_to(cat), "it is in sight"
    assert not queue.go_to(item("cow")), "it is none of these"
    assert names(queue) == ["cat", "dog", "owl"]


def test_what_waits_for_the_same_reason_is_counted() -> None:
    cat, dog, tool = item("cat"), item("dog"), item("run", reason=TOOL)
    queue = filled(cat, dog, tool)
    assert (queue.count_like(cat), queue.count_like(tool)) == (2, 1)
    queue.decide(cat)
    assert queue.count_like(dog) == 1


def test_groups_of_a_reason_stay_where_they_were_when_items_come_in() -> None:
    queue = filled(item("run", reason=TOOL), item("cat"))
    queue.renew(
        [item("other", reason="Another reason"), item("cat"), item("dog"), item("run", reason=TOOL)],
        keeps_current=False,
    )
    assert names(queue) == ["run", "cat", "dog", "other"]


def test_the_item_in_sight_stays_in_sight_when_others_come_in_or_vanish() -> None:
    cat, dog, owl = item("cat"), item("dog"), item("owl")
    queue = filled(cat, dog, owl)
    queue.go_to(dog)
    assert not queue.renew([item("cow"), item("cat"), item("dog")], keeps_current=False)
    assert names(queue) == ["dog", "cow", "cat"]


def test_another_passage_of_the_same_suggestion_follows_one_that_vanished() -> None:
    lines = "- Has a cat", "- Has a dog"
    passages = tuple(MemoryConflict("", "", line) for line in lines)
    both = Suggestion("both", "2026", BEFORE, BEFORE + "\n".join(lines), (SPOKEN,), "", 0, 0, passages)
    first, second = items_of(both)
    [left] = items_of(replace(both, conflicts=passages[1:]))
    queue = filled(item("cow"), first, second)
    queue.go_to(first)
    queue.renew([item("cow"), left], keeps_current=False)
    assert queue.current == left


def test_the_first_of_all_follows_one_of_which_nothing_is_left() -> None:
    cat, dog, owl = item("cat"), item("dog"), item("owl")
    queue = filled(cat, dog, owl)
    queue.go_to(dog)
    queue.renew([cat, owl], keeps_current=False)
    assert names(queue) == ["cat", "owl"]


def test_what_is_edited_stays_as_what_became_of_it_on_another_text() -> None:
    moved = whole("cat", before=f"{BEFORE}- Likes tea\n", proposed=whole("cat").after)
    queue = filled(item("cow"), whole("cat"))
    queue.go_to(queue.items[1])
    assert not queue.renew([item("cow"), moved], keeps_current=True)
    assert queue.current == moved


def test_what_is_edited_stays_though_it_waits_no_more_and_can_be_left_or_saved() -> None:
    cat, dog = item("cat"), item("dog")
    queue = filled(cat, dog)
    assert queue.renew([dog], keeps_current=True)
    assert names(queue) == ["cat", "dog"]
    assert queue.drop_current() is cat
    assert (names(queue), queue.number, queue.can_undo) == (["dog"], 1, False)


def test_what_could_not_be_decided_waits_again_and_counts_as_decided_no_more() -> None:
    cat, dog = item("cat"), item("dog")
    queue = filled(cat, dog)
    queue.decide(cat)
    assert queue.put_back(cat, after_current=False)
    assert (names(queue), queue.can_undo) == (["cat", "dog"], False)
    assert not queue.put_back(cat, after_current=False), "it waits already"
    assert names(queue) == ["cat", "dog"]


def test_what_could_not_be_decided_comes_after_what_is_edited_meanwhile() -> None:
    cat, dog, owl = item("cat"), item("dog"), item("owl")
    queue = filled(cat, dog, owl)
    queue.decide(cat)
    queue.put_back(cat, after_current=True)
    assert names(queue) == ["dog", "cat", "owl"]


def test_a_decision_taken_back_from_the_count_brings_nothing_into_sight() -> None:
    cat, dog = item("cat"), item("dog")
    queue = filled(cat, dog)
    queue.decide(cat)
    queue.take_back(cat)
    queue.take_back(cat)
    assert (names(queue), queue.number, queue.total) == (["dog"], 1, 1)


def test_what_is_brought_forward_takes_the_place_of_what_became_of_it() -> None:
    cat, dog = item("cat"), item("dog")
    moved = item("dog", before=f"{BEFORE}- Likes tea\n")
    queue = filled(cat, moved)
    queue.bring_forward(dog)
    assert list(queue.items) == [dog, cat]


def test_the_first_item_with_a_reason_stays_the_first() -> None:
    cat, dog = item("cat"), item("dog")
    queue = filled(cat, dog)
    assert queue.is_first_with(cat.kind)
    queue.go_to(dog)
    assert not queue.is_first_with(dog.kind)
    assert queue.is_first_with("another reason")
    queue.go_to(cat)
    assert queue.is_first_with(cat.kind), "looked at again"
    queue.renew([item("cat", before=f"{BEFORE}- Likes tea\n")], keeps_current=False)
    assert queue.is_first_with(cat.kind), "on a newer text"


def test_a_suggestion_that_is_decided_whole_is_the_first_with_its_reason_on_whatever_text() -> None:
    queue = filled(whole("cat"))
    assert queue.is_first_with(SPOKEN)
    queue.renew([whole("cat", before=f"{BEFORE}- Likes tea\n")], keeps_current=False)
    assert queue.is_first_with(SPOKEN)
    queue.renew([whole("dog")], keeps_current=False)
    assert not queue.is_first_with(SPOKEN)


@pytest.mark.parametrize(("new", "is_one"), [("- Rent is 450", True), ("- Rent is 500", False)])
def test_a_pair_of_facts_is_known_again_in_another_file(new: str, is_one: bool) -> None:
    suggestion = Suggestion("pair", "2026", BEFORE, BEFORE, ("They disagree.",), "", 0, 0)
    here = PlacedPair(Disagreement("- Rent is 420", "- Rent is 450"), "MEMORY.md", "MEMORY.md")
    there = PlacedPair(Disagreement("- Rent is 420", new), "USER.md", "MEMORY.md")
    one, other = (PairItem(suggestion, None, ("They disagree.",), placed) for placed in (here, there))
    assert is_same_proposal(one, other) is is_one
    assert not is_same_proposal(one, whole("pair"))
