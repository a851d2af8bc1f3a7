"""The figures of an answer: which model gave it, from how many tokens, in what time and for how much money.

They stand in the records of the answer, in fields that other programs pass over: `model`; `usage`, the counts of tokens
that the server told; `cost` in US dollars, absent where no price is known; `timing`, which holds `first_seconds` and
`seconds`: what it took from the request to the first word and to the last one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """Counts what one answer took, its calls of tools included: `requests` were made of `models`, in that order.

    What is not known of each of the requests is None. Tokens are counted as often as they were sent.
    """

    models: tuple[str, ...]
    requests: int = 1
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    first_seconds: float | None = None
    """Seconds from the last request to the first word of its answer."""
    cost: float | None = None
    """US dollars."""

    @property
    def tokens_a_second(self) -> float | None:
        """Returns how fast the words came once they did; None where there are too few of them to tell."""
        if self.requests != 1 or self.tokens_out is None or self.seconds is None or self.first_seconds is None:
            return None
        spent = self.seconds - self.first_seconds
        return self.tokens_out / spent if spent > 0 and self.tokens_out > 1 else None


def timing_field(first_seconds: float | None, seconds: float) -> dict[str, float]:
    """Returns how long an answer took as its record holds it, to a hundredth of a second."""
    first = {} if first_seconds is None else {"first_seconds": round(first_seconds, 2)}
    return {**first, "seconds": round(seconds, 2)}


def figures_of(answers: Sequence[Mapping[str, Any]]) -> AnswerFigures | None:
    """Returns the figures of the records that make up one answer, in their order; None where no model is named."""
    models = [model for each in answers if isinstance(model := each.get("model"), str) and model.strip()]
    if not answers or not models:
        return None
    usages = [usage if isinstance(usage := each.get("usage"), Mapping) else {} for each in answers]
    timings = [timing if isinstance(timing := each.get("timing"), Mapping) else {} for each in answers]
    tokens_in = _sum([usage.get("prompt_tokens") for usage in usages])
    tokens_out = _sum([usage.get("completion_tokens") for usage in usages])
    return AnswerFigures(
        tuple(dict.fromkeys(models)),
        len(answers),
        None if tokens_in is None else int(tokens_in),
        None if tokens_out is None else int(tokens_out),
        _sum([timing.get("seconds") for timing in timings]),
        _sum([timings[-1].get("first_seconds")]),
        _sum([each.get("cost") for each in answers]),
    )


def _sum(values: Sequence[object]) -> float | None:
    """Returns the sum of figures; None where one of them is missing, or none that can be."""
    known = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(known) != len(values) or not all(math.isfinite(value) and value >= 0 for value in known):
        return None
    return sum(known)
