"""People ask to have passwords remembered in plain words: `my password is correcthorsebattery`.

Nothing tells such a word from any other, so elsewhere it is left alone. What is captured or noted enters later prompts:
there a doubt is enough. A payment card's number is masked too.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from mnemoscope.domain.secrets.detection import MARK_OPENS, mask_secrets
from mnemoscope.domain.secrets.secret_formats import NO_WORD_BEFORE

_SAYS: Final = (
    rf"(?i){NO_WORD_BEFORE}(?:pass(?:word|phrase|code)|парол(?:[ьяюеи]\w*)?|parol(?:i|im|ing)?|密[码碼]|口令|pin|пин)"
    r"(?:[ -]?(?:code|код\w*|kod\w*))?(?:\s(?:for|to|of|от|для|к|на)(?:\s[\w'-]+){1,3}?)?"
)
_NO_PASSWORD: Final = (
    r"(?:not|too|very|so|still|now|the same|required|needed|wanted|weak|strong|wrong|old|new|expired|secret|safe|"
    r"stored|saved|kept|empty|missing|long|short|changed|lost|in|on|at|with|не|в|на|у|слабый|старый|новый|сохранен\w*)\b"
)
_STATED: Final = (
    re.compile(rf"{_SAYS}[\"'`»]*\s*(?:=|[:：]|—)\s*(?P<value>[^\s\[][^\n]{{2,80}})"),
    re.compile(
        rf"{_SAYS}\s*(?:\bis\b|是|为|為|\s-\s)\s*(?!{_NO_PASSWORD})[\"'`“«]?"
        r"(?P<value>[^\s\[\"'`“”«»，。；]{3,})(?=[\"'`”»]?\s*(?:[,.;!?，。；]|$))"
    ),
    re.compile(rf"{_SAYS}\s+[\"'`“«]?(?P<value>(?=\S{{0,40}}\d)(?=\S{{0,40}}[^\W\d])[^\s\[\"'`”»]{{5,}})"),
    re.compile(
        rf"(?i){NO_WORD_BEFORE}(?:pin|пин|密[码碼]|口令)(?:[ -]?(?:code|код\w*|kod\w*|码|碼))?\s*"
        r"(?P<value>\d{4,12})(?!\d)"
    ),
)
_CARD: Final = re.compile(r"(?<![\d-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\d-])")


def states_a_password(text: str) -> bool:
    """Returns whether a person's sentence says what a password, a PIN or the number of a card is."""
    return _mask_stated(text) != text


def mask_secrets_and_passwords(text: str, known: Collection[str] = ()) -> str:
    """Returns the text with a mark in the place of each stated password, of all that looks like a key, and of those in
    `known`."""
    return _mask_stated(mask_secrets(text, known))


def _mask_stated(text: str) -> str:
    """Returns the text with a mark in the place of each stated password."""
    for pattern in _STATED:
        text = pattern.sub(lambda found: found[0].replace(found["value"], f"{MARK_OPENS}: password]"), text)
    return _CARD.sub(_masked_card, text)


def _masked_card(found: re.Match[str]) -> str:
    digits = [int(char) for char in found[0] if char.isdigit()]
    return f"{MARK_OPENS}: card number]" if 13 <= len(digits) <= 19 and _adds_up(digits) else found[0]


def _adds_up(digits: list[int]) -> bool:
    """Returns whether the check digit of a payment card is right, after Luhn."""
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
