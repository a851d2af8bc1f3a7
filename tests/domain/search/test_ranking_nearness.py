"""From when on two texts are near: told by how near unrelated ones are, whatever a model's scale."""

from random import Random

import pytest

from mnemoscope.domain.search.ranking import CHANCE, nearness_threshold


@pytest.mark.slow
@pytest.mark.parametrize(("middle", "spread"), [(0.0, 0.05), (0.75, 0.02), (0.3, 0.2)])
@pytest.mark.parametrize("among", [1, 50, 2_000])
def test_of_questions_that_nothing_answers_few_find_anything(middle: float, spread: float, among: int) -> None:
    chance = Random(among)
    asked = 200
    found = sum(
        max(chance.gauss(middle, spread) for _ in range(among))
        > nearness_threshold([chance.gauss(middle, spread) for _ in range(300)], among)
        for _ in range(asked)
    )
    assert found <= 5 * CHANCE * asked


def test_the_more_is_looked_through_the_nearer_it_has_to_be() -> None:
    unrelated = [0.1, 0.2, 0.3]
    assert (
        nearness_threshold(unrelated, 1)
        < nearness_threshold(unrelated, 100)
        < nearness_threshold(unrelated, 100_000)
        < 1
    )


def test_texts_that_are_all_alike_to_a_model_leave_room_for_what_is_not_kept_exactly() -> None:
    assert nearness_threshold([0.5], 10) > 0.52
    assert nearness_threshold([0.5] * 9, 0) == nearness_threshold([0.5], 1)
