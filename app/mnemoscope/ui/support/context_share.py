"""Says how much of the model's context a prompt takes, in the same words everywhere."""

from __future__ import annotations

from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot


def tokens_taken(prompt: PromptSnapshot) -> int:
    """Returns what the prompt takes, as it is reckoned, corrected by what the server counted."""
    return prompt.tokens if prompt.guard is None else prompt.guard.tokens


def percent_of_context(prompt: PromptSnapshot) -> str:
    """Returns `2`, `<1`, or "" where nobody knows how much the model can read at once."""
    if prompt.context_window <= 0:
        return ""
    percent = 100 * tokens_taken(prompt) / prompt.context_window
    return f"{percent:.0f}" if percent >= 1 or not prompt.tokens else "<1"
