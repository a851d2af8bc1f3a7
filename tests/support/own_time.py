"""How long a piece of work keeps the processor: what other programs take of it meanwhile does not count."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """The work within takes no longer than this many seconds of this thread's own."""
    began = time.thread_time()
    yield
    took = time.thread_time() - began
    assert took <= seconds, f"{took:.2f} s of work, where {seconds} s are allowed"
