import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.text.excerpt import excerpt


@pytest.mark.parametrize("text", ["", "Short.", "No full stop", "Кратко и ясно.", "很短。"])
def test_what_fits_is_told_as_it_is(text: str) -> None:
    assert excerpt(text, 40) == text


def test_a_long_text_ends_at_a_sentence_and_says_that_it_was_cut() -> None:
    text = "The server is in Prague. It was moved in June. Nobody has looked at the bill since."
    assert excerpt(text, 60) == "The server is in Prague. It was moved in June. …"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The kiln is hot now. Ask Dr. Smith or Mr. Jones about it today.", "The kiln is hot now. …"),
        ("The kiln is hot now. Ask J. R. Smith about it, or ask nobody.", "The kiln is hot now. …"),
        ("Печь уже горячая. Адрес: ул. Садовая, дом пять, вход со двора.", "Печь уже горячая. …"),
        ("We chose plan B. It is the best of all the plans that there are.", "We chose plan B. It is the best of…"),
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str, expected: str) -> None:
    assert excerpt(text, 36) == expected


def test_a_long_sentence_ends_at_a_word() -> None:
    assert excerpt("One two three four five six seven eight nine ten eleven", 30) == "One two three four five six…"


def test_chinese_ends_at_its_own_full_stop() -> None:
    assert (
        excerpt("服务器在布拉格。预算是四千五百欧元。截止日期是六月十五日。", 22)
        == "服务器在布拉格。预算是四千五百欧元。 …"
    )


def test_a_number_ends_no_sentence() -> None:
    assert excerpt("Version 3.11 and 3.12 are both fine for this and more", 30) == "Version 3.11 and 3.12 are…"


def test_markdown_is_told_as_words() -> None:
    assert excerpt("# Title\n\n- **one**\n- `two`", 80) == "Title one two"


@given(st.text(max_size=400), st.integers(8, 120))
def test_a_gist_is_one_line_within_its_limit(text: str, limit: int) -> None:
    shown = excerpt(text, limit)
    assert len(shown) <= limit
    assert "\n" not in shown


@given(st.text("ab. \n", min_size=1, max_size=300))
def test_the_dots_are_there_only_where_something_is_left_out(text: str) -> None:
    whole = " ".join(text.split())
    shown = excerpt(text, 60)
    assert shown.endswith("…") is (shown != excerpt(text, 10_000))
    assert len(shown) <= len(whole) + 2
