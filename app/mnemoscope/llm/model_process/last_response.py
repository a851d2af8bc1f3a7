"""The beginning of an HTTP answer's body is remembered while a request runs.

The libraries that speak with a server read an answer for what they look for in it, and of a web page or of an empty
body they say only that nothing came. What did come tells a person where the address is wrong.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.classification import kind_of_status

_MOST_BYTES: Final = 4_000
_OK: Final = range(200, 300)
_NOT_THERE: Final = (404, 405)
_NEEDS_KEY: Final = 401
_PAGE: Final = re.compile(r"<!doctype html|<html\b|<head\b", re.IGNORECASE)
_NO_PATH: Final = re.compile(
    r"page not found|\bfile not found|\"detail\"\s*:\s*\"(?:not found|method not allowed)\"|unexpected endpoint|"
    r"invalid url \(|\bcannot post /|no route\b|\A(?:404:? )?not found\.?\s*\Z|\A(?:405:? )?method not allowed\.?\s*\Z",
    re.IGNORECASE,
)
"""As FastAPI, Go, llama.cpp, LM Studio, OpenAI, Express and others say that they know no such path."""
_UNSAID: Final = frozenset({"key", "model", "request", "server", "other"})
"""Kinds of failure that are told from a status, or from nothing: a kind that was read in a sentence stays."""

_STARTS: Final = ("{", "[", "data:", "event:", "id:", "retry:", ":")
"""Of JSON, and of a stream of events."""


@dataclass(slots=True)
class LastResponse:
    """Holds the status of the last answer, the kind of its content, and how its body begins."""

    status: int = 0
    content_type: str = ""
    start: bytes = b""

    @property
    def said(self) -> str:
        """Returns how the body begins, without the space before it."""
        return self.start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")

    @property
    def is_whole_answer(self) -> bool:
        """Returns whether a model's answer came in one piece, where a stream was asked for."""
        return self.status in _OK and self.said.startswith("{") and '"choices"' in self.said

    @property
    def holds_no_model(self) -> str:
        """Returns the kind of failure that an answer is which no model gave; "" if one may have given it."""
        said, status = self.said, self.status
        if not status or status >= 500 or status == _NEEDS_KEY:
            return ""
        if "html" in self.content_type or _PAGE.match(said):
            return "web_page"
        if status not in _OK:
            return "no_path" if status in _NOT_THERE and (not said or _NO_PATH.search(said)) else ""
        if _NO_PATH.search(said) and '"choices"' not in said:
            return "no_path"
        if not said:
            return "empty"
        return "" if said.startswith(_STARTS) else "no_answer"

    def refine(self, failure: Failure, *, has_ended: bool = False) -> Failure:
        """Returns a failure as what came tells it, if it says more than the failure does; `has_ended` if the answer was
        read to its end and nothing was found in it."""
        if failure.kind not in _UNSAID or not self.status:
            return failure
        kind = self.holds_no_model
        if not kind and self.status in _OK and '"choices"' not in self.said and '"error"' not in self.said:
            is_stream = "event-stream" in self.content_type
            kind = "no_answer" if has_ended or (failure.kind in ("server", "other") and not is_stream) else ""
        if kind:
            return replace(failure, kind=kind, status=self.status)
        if failure.kind == "server" and self.status not in _OK:
            # litellm gives whatever Ollama refuses the status 500.
            return replace(failure, kind=kind_of_status(self.status, failure.detail), status=self.status)
        return failure


_running: ContextVar[LastResponse | None] = ContextVar("last_response", default=None)


@contextmanager
def watch_response() -> Iterator[LastResponse]:
    """Remembers how the answers begin that the block's requests get."""
    heard = LastResponse()
    token = _running.set(heard)
    try:
        yield heard
    finally:
        _running.reset(token)


def note_answer(response: Any) -> None:
    """Notes an answer of httpx's, and its body as it is read, for the request that runs."""
    heard = _running.get()
    if heard is None:
        return
    import httpx

    heard.content_type = response.headers.get("content-type", "").lower()
    is_packed = response.headers.get("content-encoding", "identity") != "identity"
    # What a packed body says is not known here; that it is a web page is.
    heard.status = 0 if is_packed and "html" not in heard.content_type else response.status_code
    heard.start = b""
    if response.is_closed:
        heard.start = response.content[:_MOST_BYTES]
        return
    body, request = response.stream, heard

    class Passing(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in body:
                if len(request.start) < _MOST_BYTES:
                    request.start += piece[: _MOST_BYTES - len(request.start)]
                yield piece

        async def aclose(self) -> None:
            await body.aclose()

    response.stream = Passing()
