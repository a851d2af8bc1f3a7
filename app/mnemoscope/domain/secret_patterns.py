"""Keys and passwords as they look in text, so that none is kept where it would be sent to a model."""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "[secret removed]"

_KNOWN: Final = re.compile(
    r"""(?x)
      \b(?:sk|rk|pk)[-_](?:proj|ant|or|live|test|svcacct|admin)?[-_]?[A-Za-z0-9_-]{16,}   # OpenAI, Anthropic, Stripe, …
    | \b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b                                              # AWS
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_[A-Za-z0-9_]{20,} | \bglpat-[A-Za-z0-9_-]{16,}
    | \bxox[abeprs]-[A-Za-z0-9-]{10,}                                                      # Slack
    | \bAIza[0-9A-Za-z_-]{30,} | \bya29\.[0-9A-Za-z_-]{20,}                                # Google
    | \bhf_[A-Za-z0-9]{20,} | \bnpm_[A-Za-z0-9]{30,} | \bpypi-[A-Za-z0-9_-]{30,} | \bgsk_[A-Za-z0-9]{20,}
    | \br8_[A-Za-z0-9]{30,} | \bxai-[A-Za-z0-9]{20,} | \bpplx-[A-Za-z0-9]{20,} | \bdop_v1_[a-f0-9]{40,}
    | \bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}                                         # SendGrid
    | \b\d{8,10}:[A-Za-z0-9_-]{35}\b                                                       # Telegram
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}                         # JSON Web Token
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----(?:[\s\S]*?-----END\ [A-Z ]*PRIVATE\ KEY-----)?
    | \b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]{3,}@[^\s]+                                   # user:password@host
    | \b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/=]{20,}
    """
)
_STATED: Final = re.compile(
    r"(?i)\b(?:pass(?:word|phrase|wd)|pwd|pin|api[ _-]?key|secret(?:[ _-]?key)?|access[ _-]?(?:key|token)"
    r"|(?:auth|bearer)[ _-]?token|token|bearer|passwort|密码|密钥|口令)"
    r"[\"'`*]*\s*(?:\bis\b|=|[:：]|是)\s*[\"'`*]*(?P<value>[^\s\"'`]{6,})"
)
_LONG: Final = re.compile(r"(?<![\w/+.-])[A-Za-z0-9_+/=-]{36,}(?![\w/+.-])")


def find_secrets(text: str) -> list[str]:
    """Every passage that looks like a key, token or password, in order; `[]` for ordinary text."""
    spans = _spans(text)
    return [text[start:stop] for start, stop in spans]


def mask_secrets(text: str) -> str:
    """The text with every such passage replaced by `MASK`."""
    for start, stop in reversed(_spans(text)):
        text = text[:start] + MASK + text[stop:]
    return text


def _spans(text: str) -> list[tuple[int, int]]:
    found = [match.span() for match in _KNOWN.finditer(text)]
    found += [match.span("value") for match in _STATED.finditer(text) if _is_no_word(match["value"])]
    found += [match.span() for match in _LONG.finditer(text) if _is_random(match[0])]
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def _is_no_word(value: str) -> bool:
    """A value with a digit or a mark in it: `password: required` is no password, nor is a path or an address."""
    bare = value.rstrip(".,;:!?)")
    if bare == MASK.split(maxsplit=1)[0] or bare.startswith(("/", "~", "$", "<", "http://", "https://")):
        return False
    return any(each.isdigit() or each in "!@#$%^&*+=" for each in bare)


def _is_random(run: str) -> bool:
    """Capitals, small letters and digits all mixed: no word, no path, no commit hash."""
    kinds = (any(map(str.isupper, run)), any(map(str.islower, run)), sum(map(str.isdigit, run)) >= 4)
    return all(kinds) and run.count("/") < 3 and run.count("-") < 6 and run.count("_") < 6
