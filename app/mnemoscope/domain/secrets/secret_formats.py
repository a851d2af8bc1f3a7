"""The keys of services have formats: a name for the mark that stands in for a key, and its pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHES, HAN


@dataclass(frozen=True, slots=True)
class SecretFormat:
    """Describes a format of keys. `pattern` matches a key whole; its group `value`, if there is one, is the part that
    is secret."""

    name: str
    pattern: re.Pattern[str]


def _formats(table: str) -> tuple[SecretFormat, ...]:
    rows = (line.split(None, 1) for line in table.strip().splitlines())
    return tuple(SecretFormat(name.replace("_", " "), re.compile(pattern.strip())) for name, pattern in rows)


KEY_FORMATS: Final = _formats(r"""
    Anthropic       sk-ant-[A-Za-z0-9_-]{16,}
    OpenRouter      sk-or-[A-Za-z0-9_-]{16,}
    OpenAI          sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,}|sk-[A-Za-z0-9]{20,}
    Stripe          (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}
    AWS             (?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])
    GitHub          gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}
    GitLab          gl(?:pat|dt|rt|ptt|ft|soat|cbt)-[A-Za-z0-9_-]{16,}
    Slack           xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}
    Slack           hooks\.slack\.com/services/T[A-Za-z0-9/]{20,}
    Google          AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}
    Hugging_Face    hf_[A-Za-z0-9]{20,}
    npm             npm_[A-Za-z0-9]{30,}
    PyPI            pypi-[A-Za-z0-9_-]{30,}
    Groq            gsk_[A-Za-z0-9]{20,}
    xAI             xai-[A-Za-z0-9]{20,}
    Perplexity      pplx-[A-Za-z0-9]{20,}
    Replicate       r8_[A-Za-z0-9]{30,}
    Cerebras        csk-[A-Za-z0-9]{20,}
    NVIDIA          nvapi-[A-Za-z0-9_-]{20,}
    Fireworks       fw_[A-Za-z0-9]{20,}
    Tavily          tvly-[A-Za-z0-9-]{20,}
    DigitalOcean    do[por]_v1_[a-f0-9]{40,}
    SendGrid        SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
    Twilio          SK[0-9a-f]{32}(?![0-9A-Za-z])
    Mailgun         key-[0-9a-f]{32}(?![0-9A-Za-z])
    Telegram        \d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])
    Discord         [MNO][A-Za-z\d_-]{22,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}
    Databricks      dapi[0-9a-f]{32}(?![0-9A-Za-z])
    Shopify         shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}
    Notion          ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}
    Linear          lin_api_[A-Za-z0-9]{30,}
    Figma           figd_[A-Za-z0-9_-]{30,}
    Postman         PMAK-[A-Za-z0-9-]{40,}
    Grafana         gl(?:sa|c)_[A-Za-z0-9_=+/-]{30,}
    Vault           hvs\.[A-Za-z0-9_-]{24,}
    Atlassian       ATATT3[A-Za-z0-9_=-]{40,}
    Supabase        sbp_[a-f0-9]{40,}
    age             AGE-SECRET-KEY-1[0-9A-Z]{50,}
    Azure           (?:AccountKey|SharedAccessKey)=(?P<value>[A-Za-z0-9+/=]{20,})
    web_token       eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}
    password        [a-z][a-z0-9+.-]{0,30}://[^\s/:@\[]+:(?P<value>[^\s/@\[]{3,})@[^\s]+
""")
"""A line for each: the name, with `_` for a blank, and the pattern. Its only named group is `value`, and it looks ahead
by `(?!` alone: both are taken out where a key is looked for that line breaks divide."""
LINE_BREAK: Final = re.compile(
    r"[ \t]*(?:\\?\r?\n|<br\s*/?>|\u2028|\u2029|\x0b|\x0c|\x85)+[ \t]*(?:>[ \t]?)*(?:[-+][ \t]+|\d+\.[ \t]+)?"
)
"""A break within a key: an end of line, with what Markdown puts before the next one."""
MOST_PIECES: Final = 12
"""Lines over which a key may be spread."""
PRIVATE_KEY: Final = SecretFormat(
    "private key",
    re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?"
    ),
)

_PASSWORD: Final = (
    r"(?:pass(?:word|phrase|wd)|pwd|pin(?:[ _-]?code)?|api[ _-]?key|secret(?:[ _-]?(?:access[ _-]?)?key)?"
    r"|access[ _-]?(?:key|token)|(?:auth|bearer)[ _-]?token|token|bearer|passwort|contraseña|mot de passe"
    rf"|парол[ьяюе]\w*|токен\w*|(?:секретн\w+ |api[ -]?)ключ\w*|maxfiy (?:so[{APOSTROPHES}`]z|kalit)\w*|parol\w*"
    r"|密[码碼]|密[钥鑰]|口令|令牌)"
)
NO_WORD_BEFORE: Final = rf"(?<![^\W_{HAN}])"
"""A word begins here; in Chinese no blank stands between two."""
_FOR: Final = r"(?:\s(?:for|to|of|от|для|к|на)(?:\s[\w'-]+){1,3}?)?"
"""`for the guest wifi`."""
_IS: Final = r"(?:\bis\b|\bes\b|\best\b|\bist\b|=|[:：]|是|[为為]|—|\s-\s)"
STATED: Final = re.compile(
    rf"(?i){NO_WORD_BEFORE}{_PASSWORD}{_FOR}[\"'`*]*\s*{_IS}\s*[\"'`*]*(?P<value>[^\s\"'`，。；]{{6,}})"
)
"""`password: …`: what follows a word for one, in the languages of the window and of people's notes."""
STATED_BARE: Final = re.compile(
    rf"(?i){NO_WORD_BEFORE}(?:парол[ьяюе]\w*|parol(?:i|im|ing|imiz|ingiz)?){_FOR}\s+[\"'`«]*(?P<value>(?=\S*\d)[^\s\"'`»]{{4,}})"
)
"""Russian and Uzbek say it without a word between: `мой пароль …`."""
PIN: Final = re.compile(
    rf"(?i){NO_WORD_BEFORE}(?:pin|пин|cvv|cvc)(?:[ _-]?(?:code|number|код\w*|kod\w*))?{_FOR}\s*{_IS}"
    r"\s*(?P<value>\d{3,8})(?![.,]?\d)"
)
BEARER: Final = re.compile(r"(?i)(?<![^\W_])(?:bearer|basic)\s+(?P<value>[A-Za-z0-9._~+/=-]{16,})")
KEY_WORD_BEFORE: Final = re.compile(
    r"(?i)key|secret|token|passw|credential|bearer|auth|mistral|cohere|deepseek|together|ключ|токен|парол|kalit|parol"
    r"|密[钥鑰]|密[码碼]|令牌|AKIA|ASIA"
)
"""Words shortly before a key that has no shape of its own."""
LONG_RUN: Final = re.compile(r"(?<![\w/+.=-])[A-Za-z0-9_+/=-]{28,}(?![\w/+-])")
NO_KEY_BEFORE: Final = re.compile(r"(?:base64,|sha\d{1,3}[-:= ]|#|commit |/)\Z", re.IGNORECASE)
"""Words that tell that a long run is an image, a digest or part of an address."""
