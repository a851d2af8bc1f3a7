"""The code of a turn, loaded with the first one and beside the loop: an idle window does not hold it."""

from __future__ import annotations


def load_turn() -> None:
    """Import what a turn runs; its patterns are compiled with it. Some 80 ms: for a thread that is not the loop's."""
    import mnemoscope.agent.turn.exchange_notes
    import mnemoscope.agent.turn.turn
    import mnemoscope.memory.capture.capture_writer
    import mnemoscope.memory.capture.captures
    import mnemoscope.memory.context.context_guard
    import mnemoscope.store.journals.prompt_log  # noqa: F401
