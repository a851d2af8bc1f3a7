"""Weighs what counts in the ranked search: every number that is tuned by asking questions, in one place.

Measured by `python -m tests.bench search`, on the half of the questions that is held out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Weights:
    """Holds the weights of one search; 1 is neutral for what is multiplied."""

    # What finding a word in another shape counts, 0 to 1.
    exact: float = 1.0
    form: float = 0.95
    related: float = 0.85
    """A word that is used for the same thing."""
    prefix: float = 0.8
    """A word that begins with what is typed; what counts less than this is looked up as loosely as `loose`."""
    root: float = 0.5
    foreign: float = 0.35
    """A related word of another script: it is asked for in the language of the answer more often than not."""
    inside: float = 0.25
    """A word that holds the one looked for, where hardly anything holds that by itself; with 0 none is looked up."""
    head: float = 0.8
    """A word of the query that names the kind of answer, and seldom stands in it."""

    # Which passages are worth a look at their text.
    loose: float = 0.45
    near: float = 0.25
    """A word that stands in the message before, or in the heading above."""
    named_day: float = 0.5
    """A passage of a day that the query names, beside a word that as many passages hold."""

    # How well a passage answers, by its words.
    saturation: float = 0.6
    """The most that a word found many times adds, as a share of its weight."""
    usual_length: float = 16.0
    """Words of a passage that is neither short nor long."""
    length: float = 0.08
    adjacent: float = 0.12
    """Words of the query that follow each other."""
    other_language: float = 0.7

    # Whether it looks like an answer.
    asked_for: float = 0.5
    """A time, a number or a name where one is asked for."""
    own_words: float = 0.08
    """A passage in the person's own words, where they ask about themselves."""
    phrase: float = 0.6
    speaker: float = 1.0
    """A passage that begins with the name of somebody the query names."""
    of_day: float = 0.5
    """A passage of a day that the query names."""
    of_month: float = 0.2
    """A passage of the month, year or week that the query names."""
    surroundings: float = 0.4
    """The share of the score of each passage around it in the same talk that is added to its own."""
    beside: float = 0.35
    """The same of the better one of those next to it, where it holds no word of the query itself."""
    answered: float = 0.8
    """The share of the score of the question right before it that is added to its own."""
    fullness: float = 0.3
    """The advantage of a long message over a short one, where a question is asked: with 0 none, with 1 in proportion to
    its length."""
    question: float = 0.65
    tool: float = 0.5
    struck: float = 0.5

    # How words and meaning become one.
    meaning: float = 0.4
    """The share of nearness in meaning in the score; words have the rest. Both are measured against the best."""
    unsaid: float = 0.3
    """The share that meaning gains and words lose, multiplied by the share of the query that the words of the best
    passage leave unsaid."""
    near_beside: float = 0.35
    """The share of the nearness of each of the two passages next to it, of the same talk, that is added to its own."""


WEIGHTS: Final = Weights()
"""Those the program searches with."""
