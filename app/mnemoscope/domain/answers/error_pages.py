"""The words of a server or a provider that fails are told apart from what a model writes; they may come as an
answer."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.characters import INVISIBLE
from mnemoscope.domain.text.fences import FENCE_MARK

BLANK: Final = INVISIBLE + " \t\r\n\f\v\u00a0\u3000"
"""Characters that may stand before a text without saying anything."""
_LOOKED_AT: Final = 400
_PAGE: Final = re.compile(
    r"""(?xis)
      <!doctype | <html\b | <\?xml | <head\b | <body\b
    | traceback\s\(most\srecent
    | error(?:\s+(?:code|status))?\s*:?\s*[1-5]\d\d\b
    | \{\s*["']?(?:error|errors|detail)["']?\s*:
    """
)
_PHRASE: Final = re.compile(
    r"""(?xis)
      http(?:/\d(?:\.\d)?)?(?:\s+(?:code|status))?\s*:?\s*[1-5]\d\d\b
    | [45]\d\d\s+(?:bad|unauthori|forbidden|not\s+found|too\s+many|internal|service|gateway)
    | internal\s+server\s+error | bad\s+gateway | service\s+unavailable | gateway\s+time-?out
    | rate\s+limit\s+(?:exceeded|reached) | too\s+many\s+requests | (?:litellm|openai|anthropic)\.\w*error
    | (?:api\s+)?error\s+(?:calling|from|communicating)\b
    | sorry,\s+i\s+(?:can(?:no|')t|am\s+unable)
    """
)
_SHAPE: Final = re.compile(
    r"""(?xis)
      \{\s*["'}] | \[\s*\{
    | <(?:!-- | /?(?:html|head|title|meta|style|script|body|center|div|h[1-6]|hr|p|pre|span|table)\b)
    | (?:\*\*|\#+\s+)?(?:api\s+|http\s+)?(?:[\w.]*(?:error|exception))(?:\*\*)?\s*:
    | litellm\. | upstream\s+(?:connect|request)\b | no\s+healthy\s+upstream
    | an?\s+(?:\w+\s+)?error\s+(?:has\s+)?occurred\s*(?:[.:,]|while\s+processing|during|\Z)
    | (?:you(?:\s+have)?\s+exceeded|quota\s+exceeded|insufficient.quota|(?:incorrect|invalid)\s+api\s+key)\b
    | (?:request|connection)\s+(?:error|failed|timed\s+out|timeout)\s*(?:[.:]|with\s+status|\Z)
    """
)
_FENCE: Final = re.compile(rf"{FENCE_MARK}\w*\s*")


def is_error_page(text: str) -> bool:
    """Returns whether a text begins as a failing server's page, object or stack does, whatever follows."""
    return bool(_PAGE.match(_beginning(text)))


def is_failure(text: str) -> bool:
    """Returns whether a text is such a page, or begins with what is said when a request fails."""
    beginning = _beginning(text)
    return bool(_PAGE.match(beginning) or _PHRASE.match(beginning))


def is_no_prose(text: str) -> bool:
    """Returns whether an answer in words begins as a failure, as markup or as JSON does, in a code block or not.

    Prose that begins so is taken for one too; ask only about an answer without anything that shows it to be honest.
    """
    beginning = _beginning(text)
    beginning = beginning[found.end() :] if (found := _FENCE.match(beginning)) else beginning
    return is_failure(beginning) or bool(_SHAPE.match(beginning))


def _beginning(text: str) -> str:
    return text.lstrip(BLANK)[:_LOOKED_AT]
