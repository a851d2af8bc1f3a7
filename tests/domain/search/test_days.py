"""Which days a question names."""

import pytest

from mnemoscope.domain.search.days import Days, day_token, named_days


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ("What did Nora do on 7 May 2023?", Days(2023, 5, 7, 7)),
        ("on Sunday 25 August 2024", Days(2024, 8, 25, 25)),
        ("the 7th of May", Days(0, 5, 7, 7)),
        ("May 7th", Days(0, 5, 7, 7)),
        ("May 7: the dentist", Days(0, 5, 7, 7)),
        ("May 7, 2023", Days(2023, 5, 7, 7)),
        ("Sept. 5", Days(0, 9, 5, 5)),
        ("2023-05-07", Days(2023, 5, 7, 7)),
        ("7.5.2023", Days(2023, 5, 7, 7)),
        ("the last week of May", Days(0, 5, 21, 31)),
        ("in early June 2024", Days(2024, 6, 1, 10)),
        ("in June 2025", Days(2025, 6)),
        ("in May", Days(0, 5)),
        ("in 2023", Days(2023)),
        ("Что было 7 мая 2023 года?", Days(2023, 5, 7, 7)),
        ("в мае", Days(0, 5)),
        ("2023-yil 7-may", Days(2023, 5, 7, 7)),
        ("2023 yil may oyida", Days(2023, 5)),
        ("7-мартда", Days(0, 3, 7, 7)),
        ("2023年5月7日", Days(2023, 5, 7, 7)),
        ("5月发生了什么", Days(0, 5)),
    ],
)
def test_a_day_is_read_as_people_type_it(asked: str, days: Days) -> None:
    assert named_days(asked) == (days,)


@pytest.mark.parametrize(
    "asked",
    ["may I ask what 7 is", "When did she march?", "at 7:40 May be", "1 000 marks", "Janet 3", "2023-13-07", ""],
)
def test_what_is_no_day_is_none(asked: str) -> None:
    assert named_days(asked) == ()


def test_a_time_is_of_the_days_that_hold_it() -> None:
    assert Days(2023, 5, 7, 7).holds("2023-05-07 19:20")
    assert Days(0, 5).holds("2023-05-07")
    assert not Days(2022, 5).holds("2023-05-07")
    assert not Days(0, 5, 8, 9).holds("2023-05-07")
    assert not Days(2023).holds("")


def test_the_index_is_asked_for_each_day_or_for_how_their_tokens_begin() -> None:
    token = day_token("2023-05-07 19:20")
    assert Days(2023, 5, 7, 7).tokens() == ((token, False),)
    for days in (Days(0, 5, 7, 7), Days(0, 5)):
        ((start, is_beginning),) = days.tokens()
        assert is_beginning
        assert token.startswith(start)
    assert (token, False) in Days(2023, 5).tokens()
    assert Days(2023).tokens() == ()
    assert day_token("") == day_token("2023-05") == ""
