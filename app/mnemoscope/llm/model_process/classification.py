"""Tells what an exception of litellm's means, by what providers really send: for the process that makes requests."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from typing import Final

from mnemoscope.llm.failures import Failure

_DETAIL_LIMIT: Final = 600

_TOO_LONG: Final = re.compile(
    r"context[ _-]?(?:length|window|size)[ _]exceeded|exceed_context_size|ContextWindowExceeded|"
    r"(?:exceed|beyond|larger than|longer than|greater than|maximum|limit)\w*[^\n]{0,80}?"
    r"\bcontext[ _-]?(?:length|window|size|limit)|"
    r"context[ _-]?(?:length|window|size|limit)[^\n]{0,60}?"
    r"(?:exceed|reached|too small|is (?:only )?\d|of (?:only )?\d)|"
    r"maximum (?:model )?context (?:is|of)\b|maximum (?:prompt|input) length (?:is|of) (?:only )?\d|"
    r"prompt is too long|too many (?:input )?tokens|input is too long|"
    r"exceeds? the (?:available|model'?s?|maximum) (?:context\b(?! (?:depth|nesting))|number of tokens)|"
    r"reduce the length of the messages|request_too_large|request exceeds the maximum size|"
    r"request entity too large|input tokens? exceeds?",
    re.IGNORECASE,
)
_OWN_WORDS: Final = re.compile(
    r"(?:available_)?(?:context_window|content_policy)?_?fallbacks\s*=\s*\S+|fallback model group\b[^.\n]*",
    re.IGNORECASE,
)
"""litellm's words about its own settings, which name contexts that were never too long."""
_NO_CREDIT: Final = re.compile(
    r"insufficient[ _](?:quota|balance|credit)|exceeded your current quota|billing", re.IGNORECASE
)
_NO_CONNECTION: Final = re.compile(
    r"connection error|cannot connect|connection refused|all connection attempts", re.IGNORECASE
)
"""litellm gives these the status 500, which no server sent."""
_NO_MODEL: Final = re.compile(
    r"model\b.{0,80}\b(?:not found|does not exist|not exist|unknown|not supported)|"
    r"\binvalid model name\b",
    re.IGNORECASE,
)
"""The last as a proxy of litellm says it, with the status 400."""
_IMAGES: Final = r"(?:\bimages?\b|image_url|(?<![-\w])vision\b|multi-?modal)"
_NO_IMAGES: Final = re.compile(
    rf"{_IMAGES}[^\n]{{0,80}}?(?:not support|unsupported|only supported|not allowed|mmproj)|"
    rf"(?:not|n't|no|cannot) (?:support|accept|take|process|handle)\w*[^\n]{{0,60}}?{_IMAGES}|"
    r"not a multi-?modal|missing data required for image",
    re.IGNORECASE,
)
"""As llama.cpp, LM Studio, vLLM, Ollama and providers say that a model takes no images."""
_SIGN_IN: Final = re.compile(r"\b(?:log|sign)[-_]?in\b|\bsso\b|\bsaml|\boauth|/auth\b", re.IGNORECASE)
"""In the address of a redirect, of a page where a person signs in."""
KEY_UNKNOWN: Final = re.compile(r"no_db_connection|No connected db", re.IGNORECASE)
"""As a litellm proxy without a database says, with status 400, that it does not know a key."""
_BY_STATUS: Final[Mapping[int, str]] = {
    401: "key",
    403: "key",
    404: "model",
    408: "timeout",
    413: "context",
    429: "rate",
}
_BY_CLASS: Final = (
    ("ContextWindowExceededError", "context"),
    ("ContentPolicyViolationError", "policy"),
    ("AuthenticationError", "key"),
    ("PermissionDeniedError", "key"),
    ("NotFoundError", "model"),
    ("RateLimitError", "rate"),
    ("Timeout", "timeout"),
    ("APITimeoutError", "timeout"),
    ("TimeoutException", "timeout"),
    ("LiteLLMUnknownProvider", "model"),
    ("BadRequestError", "request"),
    ("UnprocessableEntityError", "request"),
    ("APIConnectionError", "server"),
    ("InternalServerError", "server"),
    ("ServiceUnavailableError", "server"),
    ("BadGatewayError", "server"),
    ("HTTPError", "server"),
)


def classify(error: BaseException, *, secret: str = "") -> Failure:
    """Returns the meaning of an exception of litellm's, openai's or httpx's, by class names and statuses: nothing is
    imported."""
    original = getattr(error, "original_exception", None)
    if type(error).__name__ == "MidStreamFallbackError" and isinstance(original, BaseException):
        error = original
    if (redirect := _redirect_in(error)) is not None:
        kind = "sign_in" if _SIGN_IN.search(str(redirect)) else "redirect"
        return Failure(kind, detail=_detail(redirect, secret))
    detail = _detail(error, secret)
    status = 0 if _NO_CONNECTION.search(detail) else _status(error)
    names = [kind.__name__ for kind in type(error).__mro__]
    kind = next((found for name, found in _BY_CLASS if name in names), "")
    if (kind in ("", "request", "server") and 400 <= status < 500) or (not kind and status >= 500):
        kind = kind_of_status(status, detail)
    return Failure(_refine(kind or "other", detail), status, detail, _retry_after(error))


def kind_of_status(status: int, detail: str) -> str:
    """Returns the kind of failure that a status from 400 on means, with what the server says beside it."""
    return _refine("server" if status >= 500 else _BY_STATUS.get(status, "request"), detail)


def _redirect_in(error: BaseException) -> BaseException | None:
    """Returns the redirect that was refused, if that is what an exception was made of."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        if type(at).__name__ == "RedirectRefused":
            return at
        seen.add(id(at))
        at = at.__cause__ or at.__context__
    return None


def _refine(kind: str, detail: str) -> str:
    """Returns the kind of a failure that several servers tell with a plain 400 or 429 and others with a status of its
    own."""
    if kind in ("request", "other", "server", "context") and _TOO_LONG.search(_OWN_WORDS.sub(" ", detail)):
        return "context"
    if kind in ("request", "other", "server") and _NO_IMAGES.search(detail):
        return "images"
    if kind in ("request", "other") and KEY_UNKNOWN.search(detail):
        return "key"
    if kind == "rate" and _NO_CREDIT.search(detail):
        return "credit"
    if kind in ("request", "other") and _NO_MODEL.search(detail):
        return "model"
    return kind


def _status(error: BaseException) -> int:
    response = getattr(error, "response", None)
    for value in (getattr(error, "status_code", None), getattr(response, "status_code", None)):
        if isinstance(value, int):
            return value
    return 0


def _detail(error: BaseException, secret: str) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if len(secret) > 3:
        text = text.replace(secret, "***")
    return text[:_DETAIL_LIMIT]


def _retry_after(error: BaseException) -> float | None:
    response = getattr(error, "response", None)
    for holder in (getattr(error, "litellm_response_headers", None), getattr(response, "headers", None)):
        try:
            value = holder.get("retry-after") if holder is not None else None
        except (AttributeError, TypeError):
            continue
        if value is not None:
            return seconds_of(str(value))
    return None


def seconds_of(retry_after: str) -> float | None:
    """Returns the seconds that a Retry-After header asks to wait; it holds a number or a date."""
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
