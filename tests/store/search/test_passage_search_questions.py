"""Questions put in other words than the text, over long chats: how many find the line they ask for."""

from pathlib import Path

import pytest

from mnemoscope.domain.search.words import fold
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from tests.support.search_corpus import Question, questions, write_chats
from tests.support.search_files import workspace

REACHED = 0.65


def test_there_are_enough_questions_and_enough_that_nothing_was_tuned_on() -> None:
    assert len(questions()) >= 150
    assert sum(one.is_held_out for one in questions()) >= 75
    assert len({one.said for one in questions()}) == len(questions())


@pytest.mark.parametrize("question", questions(), ids=lambda one: one.asked[:40])
def test_a_question_is_put_in_other_words(question: Question) -> None:
    """No three words in a row are those of the text, and the question does not stand in it."""
    asked, said = ([fold(word) for word in text.split()] for text in (question.asked, question.said))
    runs = {tuple(said[at : at + 3]) for at in range(len(said) - 2)}
    assert not runs & {tuple(asked[at : at + 3]) for at in range(len(asked) - 2)}
    assert question.asked.rstrip("?？").casefold() not in question.said.casefold()


@pytest.mark.slow
def test_the_line_asked_for_is_among_the_first_ten(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    write_chats(paths.root)
    search = WorkspaceSearch(paths)
    search.passages.catch_up()
    for is_held_out in (True, False):
        some = [one for one in questions() if one.is_held_out == is_held_out]
        reached = [one for one in some if one.said in [hit.text for hit in search.passages.find(one.asked, 10)[:10]]]
        assert len(reached) >= REACHED * len(some)
    search.close()
