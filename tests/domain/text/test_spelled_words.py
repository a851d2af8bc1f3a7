"""Words are spelled where they are prose, and left alone where they are code, addresses, tags or names."""

import pytest

from mnemoscope.domain.text.spelled_words import spelled_words


def words(line: str) -> list[str]:
    return [word for _, _, word in spelled_words(line)]


def test_the_words_of_a_fact_with_their_places() -> None:
    line = "- **fact**: the garden isn’t ours"
    assert words(line) == ["fact", "the", "garden", "isn't", "ours"]
    assert all(line[start:stop].replace("’", "'") == word for start, stop, word in spelled_words(line))


@pytest.mark.parametrize(
    "line",
    [
        "`a coed` and ``more `coed` here``",
        "and <!-- a coed --> <b> <https://coed.example>",
        "and [and](https://coed.example/coed) [and][coed]",
        "[coed]: https://example.org coed",
        "[user:coed] [2026-11-23 coed] and",
        "and $coed + x$ $$coed$$ \\(coed\\)",
        "https://coed.example www.coed.example coed@coed.example mailto:coed",
        "@coed #coed",
        "/home/coed ~/coed coed/coed ./coed C\\coed\\coed",
        "coed.md coed.coed --coed -coed coed() &coed;",
        "COED coedCoed c0ed coed_coed coed2",
        "和coed和 这是中文",
    ],
)
def test_what_is_no_prose_is_left_alone(line: str) -> None:
    assert "coed" not in words(line)
    assert set(words(line)) <= {"and", "more", "here"}


def test_money_is_no_formula_and_a_link_has_its_words() -> None:
    assert words("$5 and $10 for [the coed](x.md)") == ["and", "for", "the", "coed"]


def test_other_scripts_and_marks_that_are_put_together() -> None:
    assert words("чай i cafe\u0301 Straße") == ["чай", "cafe\u0301", "Straße"]


def test_a_very_long_line_is_looked_at_in_part() -> None:
    assert len(words("ab " * 5_000)) < 2_000
    assert words("a" * 100) == []
