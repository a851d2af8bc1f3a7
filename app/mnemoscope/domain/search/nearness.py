"""Two texts are near in meaning if they are nearer than texts that have nothing to do with each other are by chance.

Every model has a scale of its own: with one, unrelated texts have a cosine of 0.7, with another of 0. So no cosine says
that two texts are near, but how far it stands out from those of unrelated texts does.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist, fmean, pstdev
from typing import Final

CHANCE: Final = 0.01
"""A passage may seem near to one of so many questions that nothing answers."""
_LEAST_SPREAD: Final = 0.01
"""Cosines are not kept more exactly."""


def nearness_threshold(unrelated: Sequence[float], among: int) -> float:
    """Returns the cosine above which a text is near, if the nearest is looked for `among` so many.

    `unrelated` are cosines with texts that have nothing to do with it. The more texts are looked through, the nearer
    the best of them is by chance, and the higher this is.
    """
    far_out = NormalDist().inv_cdf(1 - CHANCE / max(1, among))
    return fmean(unrelated) + far_out * max(pstdev(unrelated), _LEAST_SPREAD)
