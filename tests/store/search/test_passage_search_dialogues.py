"""Questions about talks of two people over months: how many find a line that answers them among the first ten."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from mnemoscope.store.search.workspace_search import WorkspaceSearch
from tests.support.search_dialogues import FORMS, HALVES, PEOPLE, Dialogue, answers, dialogues, people, reached
from tests.support.search_files import workspace

# They take no branch that no other test takes, and what counts them would make them slower.
pytestmark = pytest.mark.no_cover
REACHED = 0.66
"""Without what stands beside a line it is 0.56 to 0.6."""
REACHED_BY_READERS = 0.84
"""Of questions asked by a reader of the dialogue; without what stands beside a line it is 0.78."""


def test_there_are_enough_questions_in_either_half() -> None:
    for counts in (
        [sum(len(one.asked) for one in dialogues(half)) for half in HALVES],
        [sum(len(one.asked) for one in people(half)) for half in PEOPLE],
    ):
        assert sum(counts) >= 300
        assert min(counts) >= 150


def in_forms(halves: Iterable[str]) -> list[object]:
    """Returns each half in one of the forms; with `--long`, each half in each form, and all its talks."""
    return [
        pytest.param(half, FORMS[form], marks=() if form == number % len(FORMS) else pytest.mark.long)
        for number, half in enumerate(halves)
        for form in range(len(FORMS))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("half", "form"), in_forms(HALVES))
def test_a_line_that_answers_is_among_the_first_ten(tmp_path: Path, half: str, form: str, is_long: bool) -> None:
    assert any_of_ten(tmp_path, islice(dialogues(half), 0, None, 1 if is_long else 2), form) >= REACHED


@pytest.mark.slow
@pytest.mark.parametrize(("half", "form"), in_forms(PEOPLE))
def test_a_line_that_answers_a_reader_is_among_the_first_ten(
    tmp_path: Path, half: str, form: str, is_long: bool
) -> None:
    assert any_of_ten(tmp_path, islice(people(half), 0, None, 1 if is_long else 2), form) >= REACHED_BY_READERS


def any_of_ten(root: Path, some: Iterable[Dialogue], form: str) -> float:
    found = []
    for number, one in enumerate(some):
        paths = workspace(root / str(number))
        one.write(paths.root, form)
        search = WorkspaceSearch(paths)
        search.passages.catch_up()
        found += answers(one, lambda asked: [hit.text for hit in search.passages.find(asked, 10)[:10]])  # noqa: B023
        search.close()
    return reached(found).any_of_ten
