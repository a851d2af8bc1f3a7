"""Says of long work, which nobody can interrupt from outside, whether it is still waited for: it asks on its way."""

from __future__ import annotations

from collections.abc import Callable

GoesOn = Callable[[], bool]
"""Tells whether what is being done is still waited for. Once it says no, the work ends at the next step."""


def to_the_end() -> bool:
    """Returns True: the work is waited for whatever happens."""
    return True
