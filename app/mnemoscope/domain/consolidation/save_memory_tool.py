"""The tool save_memory, which the model of a consolidation is asked to call: the two texts that it gives.

The words are nanobot's. `save_memory` beside it judges what comes back.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.answers.placeholders import plain_words
from mnemoscope.domain.llm import ToolSchema

SAVE_MEMORY_NAME: Final = "save_memory"
SAVE_MEMORY_TOOL: Final[ToolSchema] = {
    "type": "function",
    "function": {
        "name": SAVE_MEMORY_NAME,
        "description": "Save the memory consolidation result to persistent storage.",
        "parameters": {
            "type": "object",
            "properties": {
                "history_entry": {
                    "type": "string",
                    "description": "A paragraph (2-5 sentences) summarizing key events/decisions/topics. "
                    "Start with [YYYY-MM-DD HH:MM]. Include detail useful for grep search.",
                },
                "memory_update": {
                    "type": "string",
                    "description": "Full updated long-term memory as markdown. Include all existing facts plus new "
                    "ones. Return unchanged if nothing new.",
                },
            },
            "required": ["history_entry", "memory_update"],
        },
    },
}
ASKED_WORDS: Final = " ".join(
    each["description"] for each in SAVE_MEMORY_TOOL["function"]["parameters"]["properties"].values()
)
"""The description, for a model, of the two texts that it is asked for."""
ASKED_PARTS: Final = frozenset(map(plain_words, (*re.split(r"(?<=\.)\s+", ASKED_WORDS), ASKED_WORDS)))
"""The same by sentence, as `plain_words` gives them."""
DATE_STAMP: Final = re.compile(r"\A[#*_\s]*\[\d{4}-\d\d-\d\d[^\]\n]*\][*_:\s]*")
"""The date that an answer begins with, as it was asked for, and the marks that a model sets around it."""
