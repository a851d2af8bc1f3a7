"""Knows which new facts say more than one that the person rejected, and chooses of which rejected facts a model is
told: those that have to do with what it reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Final

from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.forgetting.forgotten_text import MARK
from mnemoscope.domain.forgetting.resemblance import are_two_sides
from mnemoscope.domain.forgetting.tombstone import HashedTerm, TermWeight, hashed_terms
from mnemoscope.domain.review.prompt_injection import is_prompt_injection
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.text.excerpt import shortened

_LONGEST: Final = 200
"""Characters of a fact that are told."""
_MOST_READ: Final = 50_000
"""Characters of what is read that are looked at, the last ones."""
_KNOWN: Final = 1_000
"""Facts whose words and values are remembered."""


def rejected_for_prompt(
    rejected: Iterable[str], read: str, known: Collection[str], most_tokens: int, holds: Callable[[str], bool]
) -> list[str]:
    """Returns those of the rejected facts, given newest first, that have a word or value in common with what a model
    reads, the nearest first, in at most so many tokens.

    Left out is what holds a secret (`known`: keys), what would give the model orders, what words were taken out of,
    and what `holds` says is rejected no more; that is asked of few, as it takes a while.
    """
    facts = list(rejected)
    if not facts:
        return []
    said = {form for line in read[-_MOST_READ:].splitlines() for term in _terms(line) for form in term}
    near = sorted(((_share(fact, said), fact) for fact in facts), key=lambda each: -each[0])
    chosen: list[str] = []
    left = most_tokens
    for share, fact in near:
        line = shortened(fact, _LONGEST)
        left -= (cost := estimate_tokens(f"- {line}\n"))
        if not share or left < 0:
            break
        if MARK in fact or mask_secrets(fact, known) != fact or is_prompt_injection(fact) or not holds(fact):
            left += cost
            continue
        chosen.append(line)
    return chosen


def says_more(one: str, other: str) -> bool:
    """Returns whether the other fact may say more than the first, or another thing: a value and something else are new
    in it, each has a word that the other lacks, or what is given in the one is taken in the other."""
    terms, others = _heavy_terms(one), _heavy_terms(other)
    left, fresh = _unmatched(terms, others), _unmatched(others, terms)
    has_fresh_value = any(term.weight is not TermWeight.WORD for term in fresh)
    return bool(left and fresh) or (has_fresh_value and len(fresh) > 1) or are_two_sides(one, other)


def _unmatched(terms: Iterable[HashedTerm], others: Iterable[HashedTerm]) -> list[HashedTerm]:
    forms = {form for term in others for form in term.forms}
    return [term for term in terms if forms.isdisjoint(term.forms)]


@lru_cache(maxsize=_KNOWN)
def _heavy_terms(text: str) -> tuple[HashedTerm, ...]:
    return tuple(term for term in hashed_terms(text) if term.weight is not TermWeight.LIGHT)


def _share(fact: str, said: Collection[str]) -> float:
    terms = _terms(fact)
    return sum(not terms_forms.isdisjoint(said) for terms_forms in terms) / max(1, len(terms))


def _terms(text: str) -> list[frozenset[str]]:
    """Returns the forms of each word or value of a text that says something by itself."""
    return [frozenset(term.forms) for term in _heavy_terms(text)]
