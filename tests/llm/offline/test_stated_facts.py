"""Facts in plain words: the few that are caught, and ordinary talk that is not."""

import pytest

from mnemoscope.llm.offline.stated_facts import facts_in


def facts(text: str) -> list[tuple[str, str]]:
    return [(fact.kind, fact.text) for fact in facts_in(text)]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My name is Ada.", ("person", "Name is Ada")),
        ("Hi, my name is Ada Lovelace and I like maths", ("person", "Name is Ada Lovelace")),
        ("call me Sam", ("person", "Name is Sam")),
        ("My timezone is UTC+8.", ("person", "Timezone is UTC+8")),
        ("my favourite colour is teal", ("person", "Favourite colour is teal")),
        ("I live in Leeds", ("person", "Lives in Leeds")),
        ("I work as a chemist.", ("person", "Works as a chemist")),
        ("I’m allergic to nuts!", ("person", "Is allergic to nuts")),
        ("I'd prefer tea", ("preference", "Prefers tea")),
        ("I really prefer short answers.", ("preference", "Prefers short answers")),
        ("Always use metric units", ("preference", "Always use metric units")),
        ("We've decided to use Rust.", ("decision", "Decided to use Rust")),
        ("We agreed on Tuesdays", ("decision", "Agreed on Tuesdays")),
        ("ok, let’s go with option B", ("decision", "Decided to go with option B")),
        ("The deadline is 12 May.", ("project", "Deadline is 12 May")),
        ("We use PostgreSQL 16.", ("project", "Uses PostgreSQL 16")),
        ("Remember that the lab closes at six.", ("note", "The lab closes at six")),
        ("Please remember: milk", ("note", "Milk")),
        ("please note that my email is a@example.org", ("note", "Email is a@example.org")),
        ("Remember to call Bob", ("note", "Remember to call Bob")),
        ("请记住：会议在周五", ("note", "会议在周五")),
        ("The December market is on 12 December.", ("note", "December market is on 12 December")),
        ("My studio is open on Thursdays.", ("note", "Studio is open on Thursdays")),
        ("Our kiln is serviced every March", ("note", "Kiln is serviced every March")),
        ("the shop closes at 18:00", ("note", "Shop closes at 18:00")),
        ("我叫小明。", ("person", "Name is 小明")),
    ],
)
def test_a_plain_statement_is_caught(said: str, fact: tuple[str, str]) -> None:
    assert facts(said) == [fact]


@pytest.mark.parametrize(
    "said",
    [
        "Do you remember my name?",
        "Is my name Ada?",
        "What did we decide?",
        "If my name is on the list, tell me",
        "He said my name is odd",
        "My name is on the list",
        "call me when you are done",
        "I prefer not to say",
        "Remember the time we went out",
        "I remember that well",
        "My question is simple",
        "My problem is that it crashes",
        "We decided nothing",
        "It is called Sam",
        "My password is hunter2",
        "Remember that the API key is sk-abcdefghijklmnop1234",
        "> My name is Eve",
        "```\nmy name is Eve\n```",
        "Let's see what happens",
        "The market was full of people",
        "Is the market on 12 December?",
        "When the market is on 12 December, tell me",
        "This is always useful",
    ],
)
def test_ordinary_talk_is_not(said: str) -> None:
    assert facts(said) == []


def test_clauses_are_facts_of_their_own_unless_they_are_to_be_remembered_together() -> None:
    assert facts("My name is Ada, and I prefer tea.") == [("person", "Name is Ada"), ("preference", "Prefers tea")]
    assert facts("Remember that Bob and I work nights") == [("note", "Bob and I work nights")]
    assert facts("Is it true that it rains and I live in Leeds?") == []


def test_a_fact_is_one_line_and_starts_no_markdown() -> None:
    assert facts("Remember that # Heading\n- forged") == [("note", "Heading")]
    assert facts("Remember that " + "long " * 200)[0][1].endswith("…")
    assert len(facts("Remember that " + "long " * 200)[0][1]) <= 240
