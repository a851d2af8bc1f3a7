from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.capture.captured_line import line_of_memory
from mnemoscope.domain.capture.rules import CATEGORIES
from mnemoscope.domain.forgetting.forgotten_text import MARK, ForgottenText, bare_line

OSLO = ForgottenText.of("- Lives in Oslo now")


def test_a_line_is_found_without_the_marks_before_it() -> None:
    assert OSLO.phrases == ("Lives in Oslo now",)
    assert bare_line("  - [x] [2026-11-20 10:00] Lives in Oslo") == "Lives in Oslo"


@pytest.mark.parametrize(
    "text", ["lives in Oslo now", "LIVES IN\nOSLO NOW.", "he **lives** in `Oslo` now", "(Lives in  Oslo now)"]
)
def test_case_line_breaks_and_emphasis_make_no_difference(text: str) -> None:
    assert OSLO.count(text) == 1


@pytest.mark.parametrize(
    "text", ["", "Lives in Oslonow", "Lives in Bergen now", "relives in Oslo now", "Lives in Oslo nowadays"]
)
def test_other_words_are_not_found(text: str) -> None:
    assert OSLO.count(text) == 0
    assert OSLO.redacted(text) == text


def test_one_apostrophe_is_as_good_as_another() -> None:
    assert ForgottenText.of("it's Anna’s").count("It’s Anna's") == 1


def test_words_of_a_script_without_spaces_are_found_within_others() -> None:
    assert ForgottenText.of("我住在奥斯陆").redacted("他说我住在奥斯陆。") == f"他说{MARK}。"


@pytest.mark.parametrize("selection", ["", "  ", "- ", "a", "…", "陆"])
def test_too_little_is_no_phrase(selection: str) -> None:
    assert ForgottenText.of(selection).phrases == ()
    assert ForgottenText.of(selection).count("a … 陆") == 0


def test_a_longer_selection_is_found_by_its_lines_and_sentences_too() -> None:
    what = ForgottenText.of("I moved to Oslo last year. My sister is called Anna Berg.\nYes.")
    assert what.count("my sister is called Anna Berg") == 1
    assert what.count("I moved to Oslo last year") == 1
    assert what.count("Yes") == 0, "a line that anybody says is not looked for by itself"


def test_a_line_that_says_nothing_else_goes() -> None:
    text = "# Notes\n\n- Known before\n- Lives in Oslo now\n- **home**: lives in Oslo now\n"
    assert OSLO.redacted(text) == "# Notes\n\n- Known before\n"


def test_in_a_line_that_says_more_a_mark_stands() -> None:
    assert OSLO.redacted("- Lives in Oslo now, with Anna\n") == f"- {MARK}, with Anna\n"


def test_an_entry_keeps_its_date_and_a_text_of_one_line_a_mark() -> None:
    assert OSLO.redacted("[2026-11-20 10:00] Lives in Oslo now\n\n") == f"[2026-11-20 10:00] {MARK}\n\n"
    assert OSLO.redacted("Lives in Oslo now") == MARK
    assert OSLO.redacted("lives in Oslo now\nlives in Oslo now") == MARK


def test_taken_out_twice_is_taken_out_once() -> None:
    once = OSLO.redacted("- a\n- Lives in Oslo now, yes\n- Lives in Oslo now\n")
    assert OSLO.redacted(once) == once
    assert OSLO.count(once) == 0


def test_values_of_json_are_read_to_their_depth_and_names_stay() -> None:
    inner = json.dumps({"content": "Lives in Oslo now", "key": "Lives in Oslo now"})
    value = {
        "key": "Lives in Oslo now",
        "id": 4,
        "list": ["Lives in Oslo now", inner + "\n"],
        "bad": "{Lives in Oslo now",
    }
    clean = OSLO.redacted_value(value)
    assert clean["key"] == "Lives in Oslo now"
    assert clean["list"][0] == MARK
    assert json.loads(clean["list"][1]) == {"content": MARK, "key": "Lives in Oslo now"}
    assert clean["list"][1].endswith("\n")
    assert clean["bad"] == f"{{{MARK}"
    assert list(OSLO.texts_in(value)) == ["Lives in Oslo now", inner + "\n", "{Lives in Oslo now"]
    assert OSLO.redacted_value({"a": '{"b": 1}'}) == {"a": '{"b": 1}'}


def test_an_excerpt_tells_what_stands_around() -> None:
    text = "\n".join(["before", "- Anna lives in Oslo now, with a cat", *["lives in Oslo now"] * 5])
    assert OSLO.excerpts(text)[0] == "Anna lives in Oslo now, with a cat"
    assert len(OSLO.excerpts(text)) == 3
    assert OSLO.excerpts("nothing") == ()


def test_an_excerpt_begins_and_ends_with_whole_words() -> None:
    text = "It was " + "long " * 11 + "ago, and she lives in Oslo now and " + "goes " * 10 + "nowhere."
    words = f"… {'long ' * 9}ago, and she lives in Oslo now and {'goes ' * 10}…"
    assert OSLO.excerpts(text) == (words,)
    stamped = f"[2026-11-20 10:00] {'x ' * 28}lives in Oslo now"
    assert OSLO.excerpts(stamped) == (f"… {'x ' * 28}lives in Oslo now",)
    cut_at_a_space = "x " * 40 + "lives in Oslo now"
    assert OSLO.excerpts(cut_at_a_space) == (f"… {'x ' * 30}lives in Oslo now",)


def test_an_excerpt_of_chinese_is_cut_between_any_two_signs() -> None:
    text = f"{'前' * 80}，lives in Oslo now，{'后' * 80}"
    assert OSLO.excerpts(text) == (f"… {'前' * 59}，lives in Oslo now，{'后' * 59} …",)


def test_an_excerpt_of_json_has_its_line_ends_and_quotes() -> None:
    text = json.dumps({"content": 'Before\n- She "lives in Oslo now"\n- more', "path": "a\\b"})
    assert OSLO.excerpts(text) == ('She "lives in Oslo now"',)
    assert OSLO.excerpts(r"In C:\new\town she lives in Oslo now") == (r"In C:\new\town she lives in Oslo now",)


@pytest.mark.parametrize("line", ["Sister: Anna Berg", "Anna Berg is my only sister", "Sister is called Anna Berg"])
def test_a_line_that_says_the_same_in_other_words_is_related(line: str) -> None:
    assert ForgottenText.of("My sister is Anna Berg").related(line)


@pytest.mark.parametrize("line", ["", "Has a brother", "Anna is well", "Berg"])
def test_a_line_that_shares_a_word_is_not(line: str) -> None:
    assert not ForgottenText.of("My sister is Anna Berg").related(line)


@pytest.mark.parametrize(
    ("forgotten", "said", "found"),
    [
        (
            "My sister is Anna Berg",
            "Hello. Anna Berg is your **sis­ter**.\n\nGoodbye.",
            ["Anna Berg is your **sis­ter**."],
        ),
        ("Rent is 1,000", "- Your rent: 1000 a month\n- The rent is late", ["Your rent: 1000 a month"]),
        ("猫叫豆包，对虾过敏", "你好。你的猫豆包对虾过敏。", ["你的猫豆包对虾过敏。"]),
        ("My sister is Anna Berg", "My sister is Anna Berg. Anna is well.", []),
        ("Momiq, emlash kuni 14-mart", "Momiqning emlash kuni 14-mart edi.", ["Momiqning emlash kuni 14-mart edi."]),
    ],
)
def test_sentences_that_say_the_same_are_found_in_a_message(forgotten: str, said: str, found: list[str]) -> None:
    assert list(ForgottenText.of(forgotten).related_sentences(said)) == found


def test_the_places_of_words_are_counted_in_characters() -> None:
    text = ForgottenText.of("Lives in Graz")
    assert text.spans("She lives in\nGraz, and he lives in Graz.") == [(4, 17), (26, 39)]
    assert text.spans("Nobody does.") == []


@given(
    st.lists(st.sampled_from(["the gym code", "code", "x", " ", "\n", "- ", "Ä", "[2026-01-02] ", "k: "]), max_size=14)
)
def test_every_place_of_a_text_is_known_in_what_is_left_of_it(parts: list[str]) -> None:
    text = "".join(parts)
    what = ForgottenText.of("the gym code")
    left = what.redacted(text)
    places = what.places_after(text, range(len(text) + 1))
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, len(left))
    apart = [text[place] for place in range(len(text)) if places[place + 1] == places[place] + 1]
    stays = [left[places[place]] for place in range(len(text)) if places[place + 1] == places[place] + 1]
    assert apart == stays


@pytest.mark.parametrize(
    "text",
    [
        "020 7946 0123",
        "020-7946-0123",
        "(020) 7946 0123",
        "02079460123",
        "020.7946.0123",
        "020 79 46 01 23",
        "020\n  7946 **0123**",
    ],
)
@pytest.mark.parametrize("selection", ["020 7946 0123", "020-7946-0123", "02079460123", "(020) 7946-0123"])
def test_a_long_number_is_found_in_whatever_groups_it_is_written(selection: str, text: str) -> None:
    assert ForgottenText.of(selection).redacted(f"Call {text}, please").startswith(f"Call {MARK}")
    line = ForgottenText.of(f"Sam's number is {selection}")
    assert line.count(f"- sam\u2019s **number** is {text}.") == 1


@pytest.mark.parametrize("text", ["020 7946 01234", "9020 7946 0123", "020 7946 0124", "020 7946, 0123", "0 2 0"])
def test_another_number_is_not(text: str) -> None:
    assert ForgottenText.of("020 7946 0123").count(text) == 0


def test_a_number_of_few_digits_is_found_only_as_it_is_written() -> None:
    assert ForgottenText.of("room 12 34").count("room 1234") == 0
    assert ForgottenText.of("room 1234").count("Room 1234") == 1


def test_words_in_a_quote_are_found_across_its_lines() -> None:
    what = ForgottenText.of("Grünzweig keeps a quokka")
    assert what.redacted("> He said Grünzweig\n> keeps a quokka, yes") == f"> He said {MARK}, yes"


@pytest.mark.parametrize("kind", CATEGORIES)
@pytest.mark.parametrize("line", ["- **{}**: {}", "- [2026-01-02T10:00:00+00:00] **{}**: {}", "**{}**: {}"])
def test_a_captured_line_is_found_as_the_person_said_it(line: str, kind: str) -> None:
    said = "My quokka lives in Leith"
    what = ForgottenText.of(line.format(kind, said))
    assert what.phrases == (said,)
    left = what.redacted(f"# Facts\n{line.format(kind, said)}\n- Tea")
    # A dated line stays with a mark, as an entry of a log does.
    assert left == ("# Facts\n" + (f"{line.format(kind, MARK)}\n" if "[" in line else "") + "- Tea")
    assert what.count(f"Oh, {said}!") == 1


def test_a_kind_alone_is_looked_for_as_it_is() -> None:
    assert ForgottenText.of("**remember**:").phrases == ("**remember**",)


@pytest.mark.parametrize("kind", ["", "**preference**: "])
def test_a_line_that_was_replaced_is_found_as_it_was_before(kind: str) -> None:
    fact = "My quokka lives in Leith"
    struck = f"- ~~{kind}{fact}~~ (until 2026-11-24)"
    what = ForgottenText.of(struck)
    assert what.phrases == (fact,)
    for line in (struck, f"- {kind}{fact}"):
        assert what.redacted(f"# Facts\n{line}\n- Tea") == "# Facts\n- Tea"
    more = f"- ~~Owns a dog. {fact}~~ (until 2026-11-24)"
    assert what.redacted(f"# Facts\n{more}") == f"# Facts\n{more.replace(fact, MARK)}"
    assert what.redacted(f"# Facts\n- ~~Tea~~ (until 2026-11-24)\n- {fact}") == "# Facts\n- ~~Tea~~ (until 2026-11-24)"


@pytest.mark.parametrize(
    "said", ["My key is snow_bank*7", "Use the [red] door of <Ada>", "Mail _ada_ at a|b", "I said `ls ~~x`", "[red]"]
)
def test_what_a_captured_line_escapes_is_found_as_it_was_said_and_as_it_stands(said: str) -> None:
    line = line_of_memory("remember", said)
    for selection in (line, said):
        what = ForgottenText.of(selection)
        for text in (line, said):
            assert what.redacted(f"# Facts\n{text}\n- Tea") == "# Facts\n- Tea"


def test_of_phrases_that_overlap_the_first_and_longest_is_found() -> None:
    what = ForgottenText.of("the big red kiln stands\nred kiln stands in the yard\nkiln stands in the yard behind")
    text = "The BIG red kiln stands in the yard behind; a red  kiln stands in the yard; kiln\nstands in the yard behind"
    assert [text[start:stop] for start, stop in what.spans(text)] == [
        "The BIG red kiln stands", "red  kiln stands in the yard", "kiln\nstands in the yard behind",
    ]  # fmt: skip


def test_letters_that_are_one_of_ascii_in_the_other_case_hide_nothing() -> None:
    what = ForgottenText.of("Silk kimono in Izmir")
    assert what.count("a \u017filk \u212aimono in \u0130zmir")
    assert what.count("a SILK KIMONO IN IZMIR")
    assert ForgottenText.of("a \u017filk \u212aimono").count("A SILK KIMONO")
