"""The door to capture under the name the seed gives it: `wal_scan(text)`, with the rules that ship with the program."""

from __future__ import annotations

from mnemoscope.domain.capture import Capture, captures_in
from mnemoscope.store.capture_rules import default_rules


def wal_scan(text: str) -> list[Capture]:
    """What is worth keeping in a person's message, in order; `[]` for most of what people say."""
    return captures_in(text, default_rules())
