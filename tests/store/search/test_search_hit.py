"""Lines of a conversation's state that it has left are not among what was found; other places that say the same are."""

from mnemoscope.store.search.search_hit import SearchHit, files_of, without_inactive
from mnemoscope.store.search.search_sources import SearchKind

LEFT = {"STATE": {"- a quokka"}}


def hit(kind: SearchKind, text: str, *duplicates: SearchHit) -> SearchHit:
    return SearchHit(kind.name, kind, 1, text, 1.0, duplicates=duplicates)


def test_a_line_that_was_left_is_not_found_and_one_that_stays_is() -> None:
    left, stays = hit(SearchKind.STATE, "- a quokka"), hit(SearchKind.STATE, "- a wombat")
    assert without_inactive([left, stays], LEFT) == [stays]
    assert without_inactive([left, stays], {}) == [left, stays]


def test_another_place_that_says_the_same_stands_for_it() -> None:
    left, said = hit(SearchKind.STATE, "- a quokka"), hit(SearchKind.MEMORY, "- a quokka")
    noted = hit(SearchKind.NOTES, "- a quokka")
    assert without_inactive([hit(SearchKind.STATE, "- a quokka", said, noted)], LEFT) == [
        hit(SearchKind.MEMORY, "- a quokka", noted)
    ]
    assert without_inactive([hit(SearchKind.MEMORY, "- a quokka", left, noted)], LEFT) == [
        hit(SearchKind.MEMORY, "- a quokka", noted)
    ]


def test_of_other_places_too_it_is_asked_whether_they_were_left() -> None:
    found = [hit(SearchKind.NOTES, "- a quokka", hit(SearchKind.STATE, "- a quokka")), hit(SearchKind.MEMORY, "- tea")]
    assert files_of(found) == {"NOTES", "STATE", "MEMORY"}
