"""Of what answers equally well the newest comes first, and what stands beside a passage helps to find it."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.search_files import found, message, session

DAYS = 300


@pytest.fixture
def search(paths: WorkspacePaths) -> Iterator[WorkspaceSearch]:
    one = WorkspaceSearch(paths)
    yield one
    one.close()


def note(paths: WorkspacePaths, day: date, *lines: str) -> None:
    """A daily note with each line under a time of its own."""
    parts = (f"## [{10 + number // 60:02}:{number % 60:02}:00]\n{line}\n" for number, line in enumerate(lines))
    (paths.memory_dir / f"{day}.md").write_text(f"# Daily Notes — {day}\n\n" + "\n".join(parts), encoding="utf-8")


def days(count: int = DAYS) -> list[date]:
    return [date(2026, 1, 1) + timedelta(number) for number in range(count)]


def test_equal_hits_come_newest_first_on_a_fresh_index(paths: WorkspacePaths, search: WorkspaceSearch) -> None:
    for number, day in enumerate(days()):
        note(paths, day, f"- met quokka {number}")
    hits = [path for path, _, _ in found(search, "quokka")]
    assert hits[:50] == [f"memory/{day}.md" for day in reversed(days()[-50:])]


def test_they_do_where_two_words_are_asked_for_and_after_a_day_was_added(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    for number, day in enumerate(days(60)):
        note(paths, day, f"- met the quokka {number}")
    found(search, "quokka")
    note(paths, days(61)[-1], "- met the quokka 60")
    hits = [path for path, _, _ in found(search, "met quokka")]
    assert hits[:50] == [f"memory/{day}.md" for day in reversed(days(61)[-50:])]


def test_messages_of_one_age_are_ordered_by_their_time_whatever_their_file(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    for number in (3, 1, 4, 2):
        at = f"2026-03-0{number}T10:00:00"
        session(paths, message(f"a quokka {number}", timestamp=at), key=f"d:{number}", name=f"d_{number}")
    assert [text for _, _, text in found(search, "quokka")] == [f"a quokka {number}" for number in (4, 3, 2, 1)]


def test_identical_lines_fold_into_the_newest_and_push_nothing_out(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    for number, day in enumerate(days(150)):
        note(paths, day, "- the quokka was fed", *(["- the quokka slept by the gate in the long grass"] * (not number)))
    search.passages.catch_up()
    first, *others = search.passages.find("quokka", 10)
    assert (first.path, len(first.duplicates)) == (f"memory/{days(150)[-1]}.md", 149)
    assert [hit.text for hit in others] == ["- the quokka slept by the gate in the long grass"]


def test_what_was_said_a_moment_before_helps_to_find_the_answer(paths: WorkspacePaths, search: WorkspaceSearch) -> None:
    note(paths, date(2026, 3, 6), "Ben: Which bus goes to the quokka park?", "Anna: Number fourteen.", "Ben: Thanks.")
    assert "Anna: Number fourteen." in [text for _, _, text in found(search, "quokka park")]


def test_an_answer_without_a_word_of_the_question_is_found_beside_it(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    said = ["A hundred and sixty. I lost.", "So many guests at the wedding in Ulm!", "The kiln is cold again."]
    session(paths, *(message(text, ("user", "assistant")[place % 2]) for place, text in enumerate(said)))
    search.passages.catch_up()
    hits = [hit.text for hit in search.passages.find("How many guests will be at the wedding in Ulm?")]
    assert hits[:2] == [said[1], said[0]]
    assert [hit.text for hit in search.passages.find("guests wedding Ulm")] == [said[1]]


def test_the_talk_around_a_passage_tells_it_from_others_of_the_same_words(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    note(paths, date(2026, 3, 1), "Ben: The holiday in Porto begins.", "Ben: Fine.", "Ben: The flight was dear.")
    note(paths, date(2026, 3, 9), "Ben: A day of rain.", "Ben: Fine.", "Ben: The flight was late.")
    hits = [text for _, _, text in found(search, "flight holiday Porto")]
    assert hits.index("Ben: The flight was dear.") < hits.index("Ben: The flight was late.")


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        ("What did Nora's band play?", ("Tomasz: the band plays", "Nora: the band plays")),
        ("Что сказала Анна про отпуск?", ("Борис: отпуск в мае", "Анна: отпуск в мае")),
        ("Dilnozaning ta'tili qachon?", ("Sardor: ta'tilim mayda", "Dilnoza: ta'tilim mayda")),
        ("小满的生日是什么时候", ("大宝：生日在五月", "小满：生日在五月")),
    ],
)
def test_what_the_named_person_said_ranks_higher(
    paths: WorkspacePaths, search: WorkspaceSearch, asked: str, lines: tuple[str, str]
) -> None:
    for order in (lines, lines[::-1]):
        note(paths, date(2026, 3, 6), *order)
        assert found(search, asked)[0][2] == lines[1]


def test_a_name_inside_another_word_names_nobody(paths: WorkspacePaths, search: WorkspaceSearch) -> None:
    note(paths, date(2026, 3, 6), "Art: the party is here", "Bob: the party is here")
    assert found(search, "artists of the party")[0][2] == "Bob: the party is here"


def test_a_year_says_too_little_to_be_looked_up(paths: WorkspacePaths, search: WorkspaceSearch) -> None:
    for day in (date(2023, 5, 7), date(2024, 1, 9)):
        note(paths, day, "tea with people")
    note(paths, date(2023, 6, 7), "coffee, alone")
    assert found(search, "tea in 2023")[0][:1] == ("memory/2023-05-07.md",)


@pytest.mark.parametrize("asked", ["What about tea on 7 May 2023?", "tea, May 7th", "tea 2023-05-07", "чай tea 7 мая"])
def test_what_was_said_on_the_named_day_ranks_higher(
    paths: WorkspacePaths, search: WorkspaceSearch, asked: str
) -> None:
    for day in (date(2023, 5, 7), date(2023, 6, 7), date(2024, 1, 9)):
        note(paths, day, f"Ben: tea with {day:%A} people")
    assert found(search, asked)[0][0] == "memory/2023-05-07.md"


def test_what_was_said_on_the_named_day_is_found_without_a_word_of_the_question(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    note(paths, date(2023, 5, 7), "Ben: tea with people")
    note(paths, date(2023, 5, 29), "Ben: coffee, alone")
    assert [hit[2] for hit in found(search, "what happened on May 7, 2023?")] == ["Ben: tea with people"]
    assert found(search, "what happened in the last week of May?")[0][2] == "Ben: coffee, alone"
    (paths.memory_dir / "2023-05-07.md").unlink()
    assert found(search, "what happened on May 7, 2023?") == []


def test_what_answers_a_question_comes_before_what_only_holds_a_word(
    paths: WorkspacePaths, search: WorkspaceSearch
) -> None:
    note(
        paths,
        days()[0],
        "Tom: What kind of cake did you bake for Anna?",
        "Nora: Chocolate, with cherries.",
        "Tom: Fine.",
    )
    note(paths, days()[9], "Tom: It is late.", "Nora: I bake for Anna.", "Nora: Anna is here to bake.")
    lines = [text for _, _, text in found(search, "what cake did Nora bake for Anna")]
    assert lines[0] == "Nora: Chocolate, with cherries."


def test_a_question_of_another_day_answers_nothing(paths: WorkspacePaths, search: WorkspaceSearch) -> None:
    at = ("2026-03-01T10:00:00", "2026-03-01T10:01:00", "2026-03-08T10:00:00")
    said = ("Tom: Good evening.", "Tom: What kind of cake did you bake?", "Nora: Hello again.")
    session(paths, *(message(text, timestamp=when) for text, when in zip(said, at, strict=True)), key="d:1", name="d_1")
    same = ("Tom: Good morning.", "Tom: What kind of cake did you bake?", "Nora: Hello there.")
    session(paths, *(message(text, timestamp=at[0]) for text in same), key="d:2", name="d_2")
    lines = [text for _, _, text in found(search, "what cake did Nora bake")]
    assert lines.index("Nora: Hello there.") < lines.index("Nora: Hello again.")
