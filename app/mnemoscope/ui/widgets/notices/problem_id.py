"""A fault that is shown bears an id, and the log has a record with the same id."""

from __future__ import annotations

import logging
import re
import secrets
from collections import OrderedDict
from typing import Final

log = logging.getLogger(__name__)

_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No letter that is taken for a digit or another one when it is read out."""
_LENGTH: Final = 5
_KNOWN: Final = 200
_shown: OrderedDict[str, str] = OrderedDict()


def problem_id(sentence: str) -> str:
    """Returns the id of what is about to be shown, five letters; the log gets the sentence with it, without quotes.

    The same sentence keeps its id while the program runs, and is logged once: bars are made anew when a pane changes.
    """
    if (known := _shown.get(sentence)) is not None:
        _shown.move_to_end(sentence)
        return known
    made = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    _shown[sentence] = made
    if len(_shown) > _KNOWN:
        _shown.popitem(last=False)
    log.warning("shown as %s: %s", made, _unquoted(sentence))
    return made


def _unquoted(sentence: str) -> str:
    """Returns the first line, and nothing of what the person or a model wrote."""
    return re.sub(r"“[^”]*”?", "“…”", sentence.partition("\n")[0])
