"""A line may hold more than words: addresses, links, images and HTML, as any reader of the file would see them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_FILES: Final = r"(?:jsx?|tsx?|json|ya?ml|toml|txt|csv|html?|css|py|rs|md|sh|go|rb|pl|java|cpp|hpp|sql|lua|log|tex)\b"
_HOST: Final = r"(?:[\w-]+\.)+(?!" + _FILES + r")(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,50})"
_ADDRESS: Final = re.compile(
    r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}://[^\s<>\"'”]*|\bwww\.[^\s<>\"'”]+|"
    r"\b(?:https?|hxxps?|ftps?|wss?|mailto|tel|sms|sips?|xmpp|magnet|callto|facetime|skype|geo|bitcoin|view-source|"
    r"intent|vscode|slack|spotify|steam|obsidian|ms-[a-z]{2,20}):(?=\S)[^\s<>\"'”]+|"
    rf"(?<![\w/@.~-])(?:{_HOST}(?::\d{{1,5}}\b|[/?#](?=\S)|/|\\(?=\w))|"
    r"\d{1,3}(?:\.\d{1,3}){3}(?:(?::\d{1,5})?/(?=[a-z])|:\d{2,5}\b))[^\s<>\"'”]*|"
    r"(?<![a-z0-9+.:-])//(?:[\w-]+\.)+[^\W\d_]{2,24}[^\s<>\"'”]*|"
    r"(?<!\\)\\\\[\w.-]+\\\w[^\s<>\"'”]*|"
    r"\[(?=[\da-f]{0,4}:[\da-f.]{0,15}:)[\da-f:.]{2,45}\](?::\d{1,5})?/[^\s<>\"'”]*|"
    r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]+\.)+[^\W\d_]{2,24}[:/](?=\S)[^\s<>\"'”]+",
    re.IGNORECASE,
)
"""With a scheme, or as a browser or a shell finds it without: a host with a path or port, `git@host:path`."""
_DOT: Final = re.compile(r"(?<=[a-z0-9])(?:[。｡]|\[\.\]|\(\.\)|\[dot\]|\(dot\))(?=[a-z])", re.IGNORECASE)
_COLON: Final = re.compile(r"(?<=[a-z])\[:\](?=\S)", re.IGNORECASE)
_NOT_PLAIN: Final = (
    ("words that are struck out", re.compile("~~\\S|[\u0334-\u0338]")),
    ("an image", re.compile(r"!\[[^\]]*\]\s*[\[(]|!\[\[[^\s\[\]]")),
    (
        "a link",
        re.compile(
            r"(?<!!)\[[^\]]*\]\([^)]*\)|(?<!!)\[[^\]]+\]\[[^\]]*\]|^\[[^\]]+\]:\s*\S|^\[.*\]:\s*\S|"
            r"(?<!!)\[\[[^\s\[\]][^\[\]]*\]\]|\\(?:href|url|includegraphics|input|include)\s*\{"
        ),
    ),
    ("a link", re.compile(r"\b(?:javascript|data|vbscript|file|blob):\s*[\w/%+]+[/,;:(]", re.IGNORECASE)),
    (
        "HTML",
        re.compile(
            r"<\s*/?[a-zA-Z][\w-]*(?::[a-zA-Z][\w-]*)?(?:[\s/][^<>]*)?>|<[!?]|"
            r"</?(?:details|summary|div|span|iframe|img|svg|script|style|form|table|video|audio|object|embed|link|meta|"
            r"body|html|head|title|input|button|section|pre|textarea)\b|"
            r"<\w+(?::\w+)?[\s/]+[\w:-]+\s*=|&#(?:\d{1,7}|x[\da-f]{1,6})|"
            r"&(?:lt|gt|colon|nbsp|shy|zwn?j|ZeroWidthSpace|amp|quot|apos|num|excl|sol|bsol|period|commat|grave|ast|"
            r"lowbar|[lr]par|[lr]sqb|[lr]brack|[lr]brace|[lr]cub|NewLine|Tab);",
            re.IGNORECASE,
        ),
    ),
)


def markup_in(words: str) -> list[str]:
    """Returns the kinds of markup in a line: an image, a link in Markdown or TeX, HTML. Addresses are no markup."""
    found = [what for what, pattern in _NOT_PLAIN if pattern.search(words)]
    if not found and (bracketed := _bracketed(words)):
        found = [bracketed]
    return found


def addresses_in(words: str) -> Iterator[str]:
    """Yields addresses as `plain_addresses` writes them, without the punctuation behind them."""
    return (address.rstrip(".,;:!?)") for address in _ADDRESS.findall(plain_addresses(words)))


def plain_addresses(text: str) -> str:
    """Returns the text with addresses as a browser reads them: full width letters and dots that are written otherwise
    become plain."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _COLON.sub(":", _DOT.sub(".", plain))


def _bracketed(words: str) -> str:
    """Returns whether there is a link or image whose text has brackets of its own: its kind, or ""."""
    closed, opened = max(words.rfind("]("), words.rfind("][")), words.find("[")
    if not 0 <= opened < closed:
        return ""
    return "an image" if 0 <= words.find("![") < closed else "a link"
