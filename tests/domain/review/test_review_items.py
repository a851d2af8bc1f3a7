"""What waits is taken apart into passages with their own reasons, in groups of the same reason."""

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import is_apart_alone, reason_kind, review_items


def waiting(name: str, *lines: str, reasons: tuple[str, ...] = (), whole: bool = False) -> Suggestion:
    passages = () if whole else tuple(MemoryConflict("", "", line) for line in lines)
    return Suggestion(name, f"2026-01-0{name}T10:00", "", "\n".join(lines), reasons, "", 0, 0, passages)


def test_a_reason_of_other_words_and_figures_is_of_the_same_kind() -> None:
    assert reason_kind("Only a tool or file said “Lives in Oslo”.") == reason_kind("Only a tool or file said “x”.")
    assert reason_kind("It would add a line of 2,345 characters.") == reason_kind(
        "It would add a line of 9 characters."
    )
    assert reason_kind("Nobody spoke of “x”.") != reason_kind("It would drop “x”.")


def test_quotation_marks_in_what_a_reason_quotes_make_no_other_kind_of_it() -> None:
    tool, moves = "Only a tool or file said “{}”.", "It would move “{}” to “{}”."
    for words in ("Says “hi” and “bye” to all", "“Hi”", "Reads “War and…", "Stops” here"):
        assert reason_kind(tool.format(words)) == reason_kind(tool.format("x"))
        assert reason_kind(moves.format(words, words)) == reason_kind(moves.format("x", "y"))
    assert reason_kind(moves.format("x", "y")) != reason_kind(tool.format("x"))


def test_a_reason_belongs_to_the_passage_alone_whose_quotation_marks_it_quotes() -> None:
    line, tool = "Says “hi” and “bye” to all", "Only a tool or file said “{}”."
    for words in (line, f"{line[:12]}…"):
        reasons = (tool.format(words),)
        items = review_items([waiting("1", f"- {line}", "- Says bye", reasons=reasons)])
        assert {item.after: item.reasons for item in items} == {f"- {line}": reasons, "- Says bye": ()}


def test_a_proposal_with_a_quoting_line_of_a_tool_is_not_accepted_whole() -> None:
    reasons = ("Only a tool or file said “Run “rm” now”.",)
    assert is_apart_alone(waiting("1", "- Run “rm” now", "- Has a dog", reasons=reasons))


def test_a_reason_belongs_to_the_passage_that_it_quotes_even_if_cut() -> None:
    long = "- " + "a long fact " * 20
    reasons = (f"Nobody spoke of “{long[2:60].strip()}…”.", "Only a tool or file said “Has a dog”.")
    first, second = sorted(review_items([waiting("1", long, "- Has a dog", reasons=reasons)]), key=lambda i: i.after)
    assert second.after == long
    assert first.reasons == (reasons[1],)
    assert second.reasons == (reasons[0],)


def test_a_reason_that_quotes_no_passage_belongs_to_all_and_stands_last() -> None:
    reasons = ("It would rewrite more than half of the memory.", "Nobody spoke of “Has a dog”.")
    items = review_items([waiting("1", "- Has a dog", "- Has a cat", reasons=reasons)])
    assert {item.after: item.reasons for item in items} == {"- Has a dog": reasons[::-1], "- Has a cat": reasons[:1]}


def test_the_same_reason_of_several_suggestions_is_one_group_the_oldest_first() -> None:
    drop, tool = "It would drop “{}”.", "Only a tool or file said “{}”."
    items = review_items(
        [
            waiting("1", "- One", reasons=(drop.format("One"),)),
            waiting("2", "- Two", reasons=(tool.format("Two"),)),
            waiting("3", "- Three", reasons=(drop.format("Three"),)),
        ]
    )
    assert [item.after for item in items] == ["- One", "- Three", "- Two"]


def test_what_cannot_be_taken_apart_is_one_item_and_what_has_no_reason_a_group_of_its_own() -> None:
    (item,) = review_items([waiting("1", "- One", "- Two", reasons=("It would drop “One”.",), whole=True)])
    assert item.passage is None
    assert item.after == "- One\n- Two"
    (alone,) = review_items([waiting("1", "- One")])
    assert (alone.kind, alone.before, alone.after) == ("", "", "- One")
