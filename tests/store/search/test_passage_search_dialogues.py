"""Questions about talks of two people over months: how many find a line that answers them among the first ten."""

from pathlib import Path

import pytest

from mnemoscope.store.search.workspace_search import WorkspaceSearch
from tests.support.search_dialogues import FORMS, HALVES, answers, dialogues, reached
from tests.support.search_files import workspace

REACHED = 0.62
"""Without what stands beside a line it is 0.56 to 0.6."""


def test_there_are_enough_questions_in_either_half() -> None:
    counts = [sum(len(one.asked) for one in dialogues(half)) for half in HALVES]
    assert sum(counts) >= 300
    assert min(counts) >= 150


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("half", HALVES)
def test_a_line_that_answers_is_among_the_first_ten(tmp_path: Path, half: str, form: str) -> None:
    found = []
    for number, one in enumerate(dialogues(half)):
        paths = workspace(tmp_path / str(number))
        one.write(paths.root, form)
        search = WorkspaceSearch(paths)
        search.passages.catch_up()
        found += answers(one, lambda asked: [hit.text for hit in search.passages.find(asked, 10)[:10]])  # noqa: B023
        search.close()
    assert reached(found).any_of_ten >= REACHED
