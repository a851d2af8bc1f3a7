"""How far a turn is: what a window that comes to it in the middle has to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RunningTool:
    """A tool call that is at work."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """The part of the answer that has arrived and is no message yet, and the tools that run."""

    text_so_far: str = ""
    running_tools: tuple[RunningTool, ...] = ()
