"""Of an answer, only what no tool or file said alone may be told in another conversation.

Notes of the day enter later prompts without a person's look at them, so a sentence that text of others brought in, or
one that gives orders, stays where it was said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.conversation.origin import parts_of_message
from mnemoscope.domain.review.evidence import Evidence
from mnemoscope.domain.review.prompt_injection import is_prompt_injection
from mnemoscope.domain.review.sources import Sources

FROM_OTHERS: Final = "(Answered from what tools and files say.)"
PUT_IN: Final = "(Text that was put in.)"
_SENTENCE: Final = re.compile(r"[^\n.!?。！？]+(?:[.!?。！？]+|$)", re.MULTILINE)


def shareable_text(answer: str, sources: Sources) -> str:
    """Returns the answer as it is if nobody else wrote in the conversation; else its sentences that the person and the
    model can answer for, or FROM_OTHERS if there are none."""
    evidence = Evidence(sources, "")
    if not evidence.is_needed:
        return answer
    sentences = [found[0].strip() for found in _SENTENCE.finditer(answer)]
    own = [each for each in sentences if each and is_shareable(each) and evidence.missing(each) != "quoted"]
    return " ".join(own) or FROM_OTHERS


def own_words(message: Mapping[str, Any]) -> str:
    """Returns a person's message without what was pasted, quoted or came from a file, or PUT_IN if it is nothing
    else."""
    parts = parts_of_message(message)
    if not any(part.is_quoted for part in parts):
        return text_of(message)
    return "\n".join(part.text.strip() for part in parts if not part.is_quoted) or PUT_IN


def is_shareable(words: str) -> bool:
    """Returns whether words that anybody may have written give a model no orders."""
    return not is_prompt_injection(words)
