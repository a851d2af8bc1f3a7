"""A regular expression that is compiled when it is first tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class LazyPattern:
    """Stands for a long pattern that only some work needs. The modules that have such patterns are imported at the
    start, and to compile them all then would take half a second more, a sixth of it; so each is compiled when it is
    first tried. A pattern that is compiled within a millisecond is a plain one.

    `search`, `finditer` and `sub` are those of the compiled pattern itself, so that they take no longer than it does.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        """Returns what finds the first place of a text that matches."""
        return self._compiled.search

    @cached_property
    def finditer(self) -> Callable[[str], Iterator[re.Match[str]]]:
        """Returns what finds all of them, one after the other."""
        return self._compiled.finditer

    @cached_property
    def sub(self) -> Callable[[str | Callable[[re.Match[str]], str], str], str]:
        """Returns what puts words in their place, or what a function makes of each."""
        return self._compiled.sub
