"""Token counts are estimated without a network, so that a count never waits.

The estimate is fitted to o200k_base, a published byte-pair tokeniser: about four characters of plain Latin text a
token, three of Cyrillic, four characters of Chinese, Japanese or Korean for every three tokens. Plain ASCII is not told
apart by language: Uzbek in the Latin script takes some 40 % more than is estimated, English some 15 % less. Other
tokenisers differ by more than any estimate can know: what a server reports corrects it (`context.compaction`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.message import is_deleted, text_of, tool_calls_of

MESSAGE_OVERHEAD = 4
_NARROW: Final = 0.25
_MINGLED: Final = 0.09
"""The surcharge of an ASCII character beside others: names and numbers among words of another script are cut short."""
_TWO_BYTES: Final = 0.33
_WIDE: Final = 0.8
_RARE_CYRILLIC: Final = "ўқғҳЎҚҒҲ"
_RARE: Final = 2.2
"""The surcharge of a letter of Uzbek Cyrillic: few words with it are a token of their own."""


def estimate_tokens(text: str) -> int:
    """Returns the tokens that a model would probably count in `text`; 0 only for the empty text."""
    if not text:
        return 0
    if text.isascii():
        return max(1, (len(text) + 3) // 4)
    # Counted by encoding, at the speed of C: a list of messages asks for thousands of these.
    narrow = len(text.encode("ascii", "ignore"))
    wide = max(0, len(text.encode("utf-8", "surrogatepass")) - 2 * len(text) + narrow)
    two_bytes = max(0, len(text) - narrow - wide)
    others = wide + two_bytes
    # A blank before such a word belongs to the word's first token.
    plain = narrow - min(text.count(" "), others)
    rare = sum(map(text.count, _RARE_CYRILLIC)) if two_bytes else 0
    counted = _NARROW * plain + _MINGLED * min(plain, 3 * others) + _TWO_BYTES * two_bytes + _WIDE * wide + _RARE * rare
    return max(1, round(counted))


def estimate_message(message: Mapping[str, Any]) -> int:
    """Returns the tokens of one message with its tool calls and the role's overhead; 0 for one that was deleted."""
    if is_deleted(message):
        return 0
    total = MESSAGE_OVERHEAD + estimate_tokens(text_of(message))
    total += sum(each.tokens for each in attachments_of(message))
    for call in tool_calls_of(message):
        total += estimate_tokens(json.dumps(call, ensure_ascii=False, default=str))
    return total
