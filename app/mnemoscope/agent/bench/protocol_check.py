"""Tells whoever wrote a memory system what of it does not keep to the protocol, before it is tried."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from mnemoscope.agent.bench.protocol import MemorySystem, RawAnswer, SaidMessage, SystemFactory
from mnemoscope.agent.bench.scoring import BEGUN, BenchCorpora, BenchCount, BenchTrials
from mnemoscope.domain.errors import MnemoscopeError

_METHODS: Final = ("take", "settle", "remembered", "forget")
_FACT: Final = "The kettle is blue"
_MESSAGE: Final = SaidMessage("check-1", "user", f"{_FACT}.", "2026-03-06T14:00:00")
_ANSWER: Final = RawAnswer("check", "[2026-03-06 14:00] The kettle was spoken of.", f"{BEGUN}- {_FACT}\n", (_FACT,))


class ProtocolBroken(MnemoscopeError):
    """A memory system cannot be tried. Its cause is what the system raised, None where it raised nothing."""


def checked_scores(make: SystemFactory, corpora: BenchCorpora) -> dict[str, BenchCount]:
    """Returns the counts of a system that somebody else wrote. Raises ProtocolBroken."""
    with tempfile.TemporaryDirectory(prefix="mnemoscope-bench-") as folder:
        _check(make, Path(folder))
    try:
        return BenchTrials(make, corpora).scores()
    except Exception as error:
        raise ProtocolBroken("It failed in a trial.") from error


def _check(make: SystemFactory, folder: Path) -> None:
    """Calls each method once."""
    try:
        system = make(folder, BEGUN)
    except Exception as error:
        raise ProtocolBroken(
            "It has to be made of two values: a folder and the text that memory begins with."
        ) from error
    missing = [name for name in _METHODS if not callable(getattr(system, name, None))]
    if missing:
        raise ProtocolBroken(f"It lacks what the protocol has: {', '.join(missing)}.")
    try:
        system.take(_MESSAGE)
        system.settle(_ANSWER)
        wrong = _wrong_lines(system)
        system.forget(_FACT)
    except Exception as error:
        raise ProtocolBroken("One of its methods failed when it was called.") from error
    if wrong:
        raise ProtocolBroken(f"Its remembered() has to return a list of lines, each with text and source, not {wrong}.")


def _wrong_lines(system: MemorySystem) -> str:
    """Returns what stands in the place of a line, "" where all are lines."""
    lines: object = system.remembered()
    if not isinstance(lines, list | tuple):
        return f"a value of type {type(lines).__name__}"
    for line in lines:
        if not all(isinstance(getattr(line, name, None), str) for name in ("text", "source")):
            return f"{line!r}"
    return ""
